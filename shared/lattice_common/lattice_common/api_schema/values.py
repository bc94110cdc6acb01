"""Kinds of values in JSON that Python has no type for, as the document tells them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the document says of a value, beside its type. Pydantic asks for it by this method."""

    keyword: str
    value: str | int

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        return {**handler(core_schema), self.keyword: self.value}


Moment = Annotated[str, _Shown("format", "date-time")]
"""RFC 3339, with its offset."""
Day = Annotated[str, _Shown("format", "date")]
Share = Annotated[float, _Shown("minimum", 0), _Shown("maximum", 1)]
FromOne = Annotated[int, _Shown("minimum", 1)]
