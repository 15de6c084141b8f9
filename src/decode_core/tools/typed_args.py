"""The arguments of a custom tool as a pydantic model, from the parameters of its function."""

import inspect
import warnings
from collections.abc import Sequence
from typing import Annotated, Any, get_origin

from pydantic import ConfigDict, Field, create_model
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo

from decode_core.tools.docstrings import Docstring
from decode_core.tools.spec import ToolArgs, ToolContext


class _CustomArgs(ToolArgs):
    """Defaults are the program's, so they are checked, too."""

    model_config = ConfigDict(validate_default=True)


def arguments_model(tool: str, parameters: Sequence[inspect.Parameter], doc: Docstring) -> type[ToolArgs]:
    """The model of a tool's arguments. Raises ValueError where a parameter cannot be an argument."""
    fields: dict[str, Any] = {}
    for parameter in parameters:
        _check(tool, parameter)
        fields[parameter.name] = _field(parameter, doc.parameters.get(parameter.name))
    try:
        with warnings.catch_warnings():
            # a parameter may well be called `copy` or `json`: our own use of the model meets no such name
            warnings.filterwarnings("ignore", message="Field name .* shadows an attribute", category=UserWarning)
            model = create_model(f"{tool}_arguments", __base__=_CustomArgs, **fields)
        model.model_json_schema()
    except (PydanticUserError, NameError, TypeError, ValueError) as error:
        raise ValueError(f"the parameters of {tool} cannot be arguments of a tool: {error}") from error
    return model


def _check(tool: str, parameter: inspect.Parameter) -> None:
    name = parameter.name
    if parameter.annotation is inspect.Parameter.empty:
        raise ValueError(
            f"the parameter {name} of {tool} has no type; annotate it, so that the model knows what to give"
        )
    if parameter.annotation is ToolContext:
        raise ValueError(f"the ToolContext of {tool} must be its first parameter")
    if parameter.kind not in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY):
        raise ValueError(f"the parameter {name} of {tool} cannot be given by name; a tool's arguments are named")
    if name.startswith(("_", "model_")):
        raise ValueError(f"the parameter {name} of {tool} needs another name: not one that begins with _ or model_")


def _field(parameter: inspect.Parameter, description: str | None) -> tuple[Any, Any]:
    default = ... if parameter.default is inspect.Parameter.empty else parameter.default
    annotation = parameter.annotation
    described = get_origin(annotation) is Annotated and any(
        isinstance(extra, FieldInfo) and extra.description for extra in annotation.__metadata__
    )
    if description is None or described:
        return annotation, default
    return Annotated[annotation, Field(description=description)], default
