"""The chat transcript: plain data, pure layout and rendering, and one widget that draws what is in view."""
