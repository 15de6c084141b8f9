"""Hears the guards of a session about one call, one after the other. A guard that fails means ask."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass

from decode_core.guards import Block, Guard, GuardedCall, Opinion, Rewrite
from decode_core.permissions.tighten import Tighten
from decode_core.program_code import call_program
from decode_core.tools.registry import Registry
from decode_core.tools.spec import ToolArgs, ToolSpec

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Heard:
    """What the guards made of a call."""

    args: ToolArgs
    before: tuple[ToolArgs, ...] = ()
    """The arguments before each rewriting, the model's own first."""
    objection: Tighten | None = None
    blocked: str | None = None
    """A guard blocked the call with this sentence: the turn ends as failed."""
    rewritten_by: tuple[str, ...] = ()


class Guards:
    """The guards of a session. `owner` is the loop that opened it, where async guards run."""

    def __init__(
        self, guards: tuple[Guard, ...], registry: Registry, owner: asyncio.AbstractEventLoop | None = None
    ) -> None:
        self._guards = guards
        self._registry = registry
        self._owner = owner

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._guards)

    async def hear(self, spec: ToolSpec, args: ToolArgs, call_id: str, agent_path: tuple[str, ...]) -> Heard:
        """Ask every guard in order, each about the arguments that the ones before it left; a block ends the row."""
        before: list[ToolArgs] = []
        rewritten_by: list[str] = []
        objection: Tighten | None = None
        for guard in self._guards:
            call = GuardedCall(call_id, spec.name, args.model_dump(mode="json"), spec.kind, agent_path)
            match await self._opinion(guard, call):
                case None:
                    pass
                case Tighten() as said:
                    objection = said.or_stricter(objection)
                case Block(reason):
                    told = f"The guard {guard.name} blocks it: {reason}"
                    return Heard(args, tuple(before), Tighten.deny(told), told, tuple(rewritten_by))
                case Rewrite(rewritten):
                    valid = self._validate(spec.name, rewritten)
                    if isinstance(valid, str):
                        objection = _failed(guard, f"its arguments cannot be used: {valid}").or_stricter(objection)
                    elif valid != args:
                        before.append(args)
                        rewritten_by.append(guard.name)
                        args = valid
        return Heard(args, tuple(before), objection, None, tuple(rewritten_by))

    async def _opinion(self, guard: Guard, call: GuardedCall) -> Opinion:
        """What the guard says; a guard that raises, takes too long or returns something else says ask."""
        try:
            opinion = await asyncio.wait_for(call_program(guard.check, call, owner=self._owner), guard.timeout_s)
        except TimeoutError:
            return _failed(guard, f"it took longer than {guard.timeout_s:g} s")
        except Exception as error:
            logger.exception("the guard %s raised", guard.name)
            return _failed(guard, f"{type(error).__name__}: {error}")
        match opinion:
            case Tighten(to, reason):
                return Tighten(to, f"The guard {guard.name} says: {reason}")
            case None | Rewrite() | Block():
                return opinion
            case _:
                return _failed(guard, f"it returned {type(opinion).__name__}, which says nothing")

    def _validate(self, tool: str, args: object) -> ToolArgs | str:
        if not isinstance(args, Mapping):
            return "they are no mapping."
        return self._registry.validate(tool, {str(key): value for key, value in args.items()})


def _failed(guard: Guard, why: str) -> Tighten:
    return Tighten.ask(f"The guard {guard.name} failed ({why.rstrip('.')}), so the call is asked about.")
