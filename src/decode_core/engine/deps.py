"""What a run of the pydantic-ai agent carries."""

from dataclasses import dataclass, field

from decode_core.call_progress import CallSoFar
from decode_core.engine.clearance import TurnControl


@dataclass
class TurnDeps:
    """Dependencies of one turn."""

    control: TurnControl = field(default_factory=TurnControl)
    suspended: dict[str, CallSoFar] = field(default_factory=dict)
    """How far the calls of the last response had come, where a suspended turn goes on; each is taken out once."""
    response_begun: bool = False
    """Something of the present response was already shown, so that another attempt would show it twice."""
