"""What a session says when it opens: broken settings and agents, an untrusted folder, what a resume changed."""

from collections.abc import Collection, Iterator

from decode_core.catalog.definition import AgentDef
from decode_core.catalog.loader import Catalog
from decode_core.events import NoticeLevel, NoticeRaised
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.rules import RuleList
from decode_core.resuming import Resumed
from decode_core.settings.layers import Settings
from decode_core.settings.problems import ProblemKind
from decode_core.state import ModeOrGetter
from decode_core.trust.effects import effects, summary
from decode_core.trust.folder import FolderTrust, Standing
from decode_core.trust.loaded import load_content

_NAMED_RULES = 3


def settings_notices(settings: Settings, catalog: Catalog) -> Iterator[NoticeRaised]:
    """Faults of settings and agents. What waits for trust is told in one line by `trust_notices`."""
    for problem in settings.degraded:
        hint = "everything but reads asks until it is mended"
        yield NoticeRaised(level=NoticeLevel.ERROR, text=str(problem), hint=hint)
    for problem in settings.warnings:
        if problem.kind is not ProblemKind.NOT_TRUSTED:
            yield NoticeRaised(level=NoticeLevel.WARNING, text=str(problem))
    for error in catalog.errors:
        yield NoticeRaised(level=NoticeLevel.WARNING, text=str(error), hint="this agent file is not used")


def trust_notices(trust: FolderTrust, tool_names: Collection[str], *, interactive: bool) -> Iterator[NoticeRaised]:
    """What an untrusted folder brings, and which of its own rules count all the same (permissions.md §9)."""
    if trust.problem:
        yield NoticeRaised(level=NoticeLevel.ERROR, text=f"No folder counts as trusted: {trust.problem}.")
    if trust.standing is not Standing.UNTRUSTED:
        return
    loaded = load_content(trust.content, tool_names)
    if told := summary(effects(loaded)):
        text = f"This folder brings {told}; nothing of it counts until you trust it."
        if trust.loosens:
            named = "; ".join(trust.loosens[:_NAMED_RULES])
            text = f"This folder was changed since you trusted it ({named}); nothing of it counts until you trust it."
        hint = "/trust shows it" if interactive else "decode trust --show lists it, decode trust lets it count"
        yield NoticeRaised(level=NoticeLevel.WARNING, text=text, hint=hint)
    denied = [rule.text for rule in loaded.settings.rules if rule.list is RuleList.DENY]
    if denied:
        named = ", ".join(denied[:_NAMED_RULES])
        more = f" and {len(denied) - _NAMED_RULES} more" if len(denied) > _NAMED_RULES else ""
        text = f"This folder's own rules keep the agent from {named}{more}."
        yield NoticeRaised(level=NoticeLevel.INFO, text=text, hint="deny and ask rules count in any folder")


def resume_notices(resumed: Resumed | None, agent: AgentDef, mode: ModeOrGetter) -> Iterator[NoticeRaised]:
    """What is different from how a resumed session was left."""
    if resumed is None:
        return
    before = resumed.state
    if resumed.held_by:
        yield NoticeRaised(level=NoticeLevel.WARNING, text=f"Reading only: {resumed.held_by}.")
    if resumed.unreadable:
        text = f"{resumed.unreadable} events of this session cannot be read and are missing here."
        yield NoticeRaised(level=NoticeLevel.ERROR, text=text, hint="the disk may be failing; export what is there")
    if before.mode is PermissionMode.BYPASS and mode is PermissionMode.DEFAULT:
        text = "This session ran in bypass; it goes on in default, where changes ask."
        yield NoticeRaised(level=NoticeLevel.INFO, text=text)
    if before.agent != agent.name:
        text = f"The agent of this session was {before.agent}; it goes on with {agent.name}."
        yield NoticeRaised(level=NoticeLevel.INFO, text=text)


def agent_notices(agent: AgentDef, mode: ModeOrGetter, resumed: Resumed | None) -> Iterator[NoticeRaised]:
    """What a new session does not take from its agent."""
    if resumed is None and agent.mode is PermissionMode.BYPASS and mode is PermissionMode.DEFAULT:
        text = f"The agent {agent.name} is of mode bypass; it starts in default, where changes ask."
        yield NoticeRaised(level=NoticeLevel.INFO, text=text, hint="--mode bypass, or shift+tab, is yours to say")
