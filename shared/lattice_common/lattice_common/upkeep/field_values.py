"""Fields of a memory as JSON, as a change names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lattice_common.domain.atom import Atom, Relation
from lattice_common.domain.capture import JsonValue


def field_values(atom: Atom, names: Sequence[str]) -> dict[str, JsonValue]:
    """Return fields of an atom as they are written in its file."""
    return {name: _as_json(getattr(atom, name)) for name in names}


def _as_json(value: object) -> JsonValue:
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, tuple):
        return [_as_json(each) for each in value]
    if isinstance(value, Relation):
        return {"type": value.type, "target": value.target}
    if isinstance(value, Mapping):
        return {str(name): _as_json(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_as_json(each) for each in value]
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
