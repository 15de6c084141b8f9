"""What a person's answer keeps beyond its call: rules, opened paths, added folders, the mode (keys.md §5.2)."""

import threading
from dataclasses import replace
from pathlib import Path

from decode_core.decisions import Allow, AllowScope, Deny, DenyScope
from decode_core.engine.offers import readable_folder
from decode_core.events import ModeCause, NoticeLevel, NoticeRaised
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.path_grants import grants_for
from decode_core.permissions.remembering import exact_rule, preview_rule
from decode_core.permissions.request import PermissionRequest
from decode_core.permissions.rules import Rule, RuleList, RuleSource
from decode_core.rule_book import RuleBook, RuleNotChanged
from decode_core.state import SessionState
from decode_core.workspace import Workspace


def answer_word(answer: Allow) -> str:
    """The word of an approval in the record (permissions.md §10): once, session, always or edited."""
    if answer.args is not None:
        return "edited"
    match answer.scope:
        case AllowScope.EDITS:
            return AllowScope.ONCE.value  # the change of mode has a record of its own
        case AllowScope.FOLDER:
            return AllowScope.SESSION.value
        case _:
            return answer.scope.value


class AnswerMemory:
    """Keeps what the answers of one session say. A rule that cannot be kept is told; its call was allowed once."""

    def __init__(self, state: SessionState, rule_book: RuleBook | None) -> None:
        self._state = state
        self._rule_book = rule_book
        self._lock = threading.Lock()
        self._folders: tuple[Path, ...] = ()

    def with_added_folders(self, workspace: Workspace) -> Workspace:
        """The workspace with the folders that the person added for reading."""
        return replace(workspace, readable=(*workspace.readable, *self._folders)) if self._folders else workspace

    def allowed(self, request: PermissionRequest, answer: Allow) -> None:
        """Keep what an approval of this very call says of its like."""
        match answer.scope:
            case AllowScope.ONCE:
                pass
            case AllowScope.EDITS:
                self._state.set_mode(PermissionMode.EDIT, ModeCause.KEY)
            case AllowScope.FOLDER:
                if folder := readable_folder(request):
                    with self._lock:
                        self._folders = (*self._folders, folder)
            case AllowScope.SESSION:
                self._state.gate.open_paths(grants_for(request))
                self._keep(request, answer.rule, RuleList.ALLOW, RuleSource.SESSION)
            case AllowScope.ALWAYS:
                self._keep(request, answer.rule, RuleList.ALLOW, answer.place)

    def denied(self, request: PermissionRequest, answer: Deny) -> None:
        """Keep what a refusal says of the like of this call."""
        if answer.scope is DenyScope.ALWAYS:
            self._keep(request, "", RuleList.DENY, RuleSource.PROJECT)

    def _keep(self, request: PermissionRequest, text: str, in_list: RuleList, source: RuleSource) -> None:
        rule = self._rule(request, text, in_list, source)
        if rule is None or self._rule_book is None:
            return
        try:
            self._rule_book.store(in_list, rule.text, source)
        except RuleNotChanged as error:
            self._tell(f"The rule {rule.text} was not stored: {error}.", in_list)

    def _rule(self, request: PermissionRequest, text: str, in_list: RuleList, source: RuleSource) -> Rule | None:
        if not text:
            return exact_rule(request, in_list, source)
        preview = preview_rule(text, in_list, source, call=request)
        if preview.problem is not None:
            self._tell(f"Nothing was stored: {preview.problem}", in_list)
            return None
        return preview.rule

    def _tell(self, sentence: str, in_list: RuleList) -> None:
        counts = "refused" if in_list is RuleList.DENY else "allowed"
        text = f"{sentence} The call counts as {counts} once."
        self._state.log.append(NoticeRaised(level=NoticeLevel.ERROR, text=text))
