"""Settings that make a `fake_provider` the model of the sessions that a test opens."""

import json

from decode_core.config import config_dir, make_private
from fake_provider import FakeProvider


def use_provider(provider: FakeProvider, *, key_variable: object = None) -> None:
    """Write the user's settings so that the model `local`, the only one, is the provider."""
    model = {"model": "fake", "base_url": provider.base_url, "key_variable": key_variable}
    settings = {"models": {"local": {key: value for key, value in model.items() if value is not None}}}
    (make_private(config_dir()) / "settings.json").write_text(json.dumps(settings))
