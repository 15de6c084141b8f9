"""Keys of the chat while it has focus (keys.md §7.2)."""

from decode_ui.actions import Action

CHAT: tuple[Action, ...] = (
    Action("chat.up", "up,k", "↑", "up", "cursor_up", "previous block; a tall one scrolls first"),
    Action("chat.down", "down,j", "↓", "down", "cursor_down", "next block; a tall one scrolls first"),
    Action("chat.page_up", "pageup", "PgUp", "page up", "page_up", "scroll up a page"),
    Action("chat.page_down", "pagedown", "PgDn", "page down", "page_down", "scroll down a page"),
    Action("chat.first", "home", "Home", "first", "scroll_home", "go to the first message"),
    Action("chat.newest", "end,ctrl+end", "End", "newest", "scroll_end", "go to the newest line and stay there"),
    Action("chat.previous_message", "u", "u", "yours", "previous_message", "your previous message"),
    Action("chat.next_message", "U", "U", "yours, forward", "next_message", "your next message"),
    Action("chat.toggle", "enter,space", "enter", "unfold", "toggle_fold", "unfold or fold this block"),
    Action("chat.unfold", "right", "→", "unfold", "unfold", "unfold this block"),
    Action("chat.fold", "left", "←", "fold", "fold", "fold this block"),
    Action("chat.toggle_all", "equals_sign", "=", "all", "toggle_all", "unfold or fold all blocks"),
    Action("chat.search", "slash", "/", "find", "search", "search the conversation"),
    Action("chat.find_next", "n", "n", "next", "find_next", "next place that was found"),
    Action("chat.find_previous", "N", "N", "previous", "find_previous", "previous place that was found"),
    Action("chat.copy", "c", "c", "copy", "copy_entry", "copy this message"),
    Action("chat.copy_code", "b", "b", "copy code", "copy_code", "copy a code block of this message"),
    Action("chat.open_file", "o", "o", "open", "request('open_file')", "open the file of this call in your editor"),
    Action("chat.diff", "v", "v", "diff", "request('diff')", "show the whole diff or text"),
    Action("chat.why", "w", "w", "why", "request('why')", "why this call was allowed"),
)
