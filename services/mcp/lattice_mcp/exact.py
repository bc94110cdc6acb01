"""Tools that take what they are sent as it is: text stays text, and what a tool has no argument for is refused, not dropped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast, get_args

from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp.types import ToolAnnotations
from pydantic import ConfigDict, ValidationError

MOST_TOLD = 5
"""How many of the errors in a call are told."""

LONGEST_TOLD = 60
"""The longest name of an argument that is repeated in an error."""

F = TypeVar("F", bound=Callable[..., object])

_DESCRIBED: dict[CodeType, Tool] = {}
"""The tools of the process by the code of their functions. Every server has functions of its own, over its own memory, and what
assistants are told of them is the same: to work it out takes a tenth of a second of processor for all tools."""


@dataclass(slots=True)
class Tools:
    """The tools of a server while they are gathered."""

    made: list[Tool] = field(default_factory=list)

    def tool(self, *, title: str, annotations: ToolAnnotations) -> Callable[[F], F]:
        """Return a decorator that adds a function under its own name; its docstring is what assistants read."""

        def add(function: F) -> F:
            code = cast(FunctionType, function).__code__
            if code not in _DESCRIBED:
                # Without breaks and indents: every assistant reads it with every conversation.
                words = " ".join((function.__doc__ or "").split())
                _DESCRIBED[code] = _exact(function, title, words, annotations)
            self.made.append(_DESCRIBED[code].model_copy(update={"fn": function}))
            return function

        return add


class ExactTool(Tool):
    """Says in a sentence what was wrong with a call."""

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:
        """Call the tool. Raise `ToolError` in words for the assistant, without the library's own around them."""
        try:
            return await super().run(arguments, context, convert_result)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            match error.__cause__:
                case ValidationError() as wrong:
                    raise ToolError(_in_words(self, wrong)) from wrong
                case ToolError() as said:
                    raise said from said.__cause__
            raise


class ExactArguments(FuncMetadata):
    """The library reads lists and objects that come as JSON in a string, as some assistants send them; but also where words are
    wanted, and a note that happens to be JSON is one of words."""

    def pre_parse_json(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments with lists and objects parsed where no text is allowed; where text is, only `null` is parsed."""
        wanted = self.arg_model.model_fields
        words = {
            name: value
            for name, value in data.items()
            if isinstance(value, str) and value != "null" and name in wanted and str in get_args(wanted[name].annotation)
        }
        return {**data, **super().pre_parse_json({name: value for name, value in data.items() if name not in words})}


def _exact(function: Callable[..., object], title: str, description: str, annotations: ToolAnnotations) -> Tool:
    tool = ExactTool.from_function(function, title=title, description=description, annotations=annotations)
    made = tool.fn_metadata
    named = {"model_config": ConfigDict(extra="forbid")}
    strict = cast(type[ArgModelBase], type(made.arg_model.__name__, (made.arg_model,), named))
    tool.parameters = strict.model_json_schema(by_alias=True)
    tool.fn_metadata = ExactArguments(
        arg_model=strict, output_schema=made.output_schema, output_model=made.output_model, wrap_output=made.wrap_output
    )
    return tool


def _in_words(tool: Tool, wrong: ValidationError) -> str:
    sentences = []
    for each in wrong.errors(include_url=False, include_input=False)[:MOST_TOLD]:
        where = f"`{'.'.join(map(str, each['loc']))[:LONGEST_TOLD]}`"
        match each["type"]:
            case "missing":
                sentences.append(f"{where} is missing.")
            case "extra_forbidden" if len(each["loc"]) == 1:
                sentences.append(
                    f"{where} is no argument of {tool.name}, which takes {_listed(list(tool.parameters['properties']))}."
                )
            case "extra_forbidden":
                sentences.append(f"{where} is no field of it.")
            case "value_error":
                sentences.append(f"{where}: {each['ctx']['error']}")
            case _:
                sentences.append(f"{where}: {each['msg']}.")
    return " ".join(sentences)


def _listed(names: list[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else "".join(quoted) or "none"
