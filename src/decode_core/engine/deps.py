"""What a run of the pydantic-ai agent carries."""

from dataclasses import dataclass, field

from decode_core.engine.clearance import TurnControl


@dataclass
class TurnDeps:
    """Dependencies of one turn."""

    control: TurnControl = field(default_factory=TurnControl)
    response_begun: bool = False
    """Something of the present response was already shown, so that another attempt would show it twice."""
