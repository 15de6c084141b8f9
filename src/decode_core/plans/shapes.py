"""What contracts and events are built from: closed objects, identifiers, and how a fault in them reads."""

from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    StringConstraints,
    ValidationError,
)
from pydantic_core import CoreSchema

PLAN_PATTERN = r"^PLAN_([0-9]{3,}_)?[a-z0-9]+(_[a-z0-9]+){1,4}$"

MAX_FAULTS_SHOWN = 5


class _OmittedNeverNull:
    """Takes null out of a field's schema: what may be left out must not be null."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        if schema["type"] != "nullable":
            raise TypeError(f"{source} cannot be None, so it cannot be left out")
        inner: CoreSchema = schema["schema"]
        return inner


Kind = TypeVar("Kind")
Omittable = Annotated[Kind | None, _OmittedNeverNull()]
"""A field that may be left out, and is None then, but must not be null in a document."""


class Closed(BaseModel):
    """An object that takes its own fields and no others. No value is converted to fit; null does not mean absent."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


def _unique(items: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(set(items)) != len(items):
        raise ValueError("holds an entry twice")
    return items


Text = Annotated[str, StringConstraints(min_length=1), AfterValidator(_not_blank)]
TaskId = Annotated[str, StringConstraints(pattern=r"^T-[a-z0-9]+(-[a-z0-9]+)*$")]
CriterionId = Annotated[str, StringConstraints(pattern=r"^AC-[a-z0-9]+(-[a-z0-9]+)*$")]
InvariantId = Annotated[str, StringConstraints(pattern=r"^INV-[a-z0-9]+(-[a-z0-9]+)*$")]
LimitId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
PlanName = Annotated[str, StringConstraints(pattern=PLAN_PATTERN)]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
LabelledDigest = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]
DateTime = Annotated[
    str,
    StringConstraints(
        pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
        r"[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
    ),
]
"""RFC 3339, kept as text."""

Number = Annotated[int | float, Field(union_mode="left_to_right")]
"""An integer stays one: true and false are no numbers."""

UNIQUE = AfterValidator(_unique)


def faults_of(error: ValidationError) -> list[str]:
    """The faults of a document as `place: what is wrong`, values left out: they may be long or hostile."""
    faults = []
    for item in error.errors(include_url=False, include_context=False)[:MAX_FAULTS_SHOWN]:
        # the tag of a union is no place in the document
        place = ".".join(str(part) for part in item["loc"] if part not in ("int", "float"))
        is_null = item["input"] is None and item["type"] != "missing"
        message = "must not be null; leave it out if it has no value" if is_null else item["msg"]
        faults.append(f"{place}: {message}" if place else message)
    return faults
