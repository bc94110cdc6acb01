"""Bodies and answers of the routes on how memory is used, judged and looked over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from lattice_common.capture.request import given
from lattice_common.domain.atom import Category
from lattice_common.language.people.addressed import addressed
from lattice_common.recall.profile import Profile, ProfileLine
from pydantic import ConfigDict, Field, model_validator

from lattice_api.shapes import Body, Channel, Json


class FeedbackBody(Body):
    """`POST /api/feedback`. Without `atom_ids`, the verdict is on the memories that the answer `trace_id` cited."""

    model_config = ConfigDict(
        json_schema_extra={"anyOf": [given("trace_id", type="string", minLength=1), given("atom_ids", type="array", minItems=1)]}
    )

    trace_id: Annotated[str | None, Field(max_length=100)] = None
    atom_ids: Annotated[tuple[Annotated[str, Field(max_length=100)], ...], Field(max_length=100)] = ()
    verdict: Literal["up", "down", "wrong"]
    channel: Channel = "api"

    @model_validator(mode="after")
    def _is_on_something(self) -> FeedbackBody:
        if not self.trace_id and not self.atom_ids:
            raise ValueError("send the `trace_id` of an answer, or `atom_ids`")
        return self


def profile_json(found: Profile) -> Json:
    """Return the answer of `GET /api/profile`, with memories as they are."""
    return {
        "lasting": _half(found.lasting),
        "recent": _half(found.recent),
        "tokens": found.tokens,
        "left_out": found.left_out,
        "groups": [{"kind": kind, "atoms": atoms} for kind, atoms in found.by_kind()],
    }


def _half(groups: Mapping[Category, Sequence[ProfileLine]]) -> list[Json]:
    return [{"category": category, "lines": [_profile_line(line) for line in lines]} for category, lines in groups.items()]


def _profile_line(line: ProfileLine) -> Json:
    atom = line.atom
    named = {name: atom.metadata.get(name) for name in ("title", "channel")}
    return {
        "atom_id": atom.atom_id,
        "content": atom.content,
        "spoken": addressed(atom, atom.content),
        "kind": atom.kind,
        "origin": line.origin,
        "since": line.since,
        "confidence": line.confidence,
        "source": {
            "capture_id": atom.capture_id,
            "source_id": atom.source_id,
            **{name: value if isinstance(value, str) else None for name, value in named.items()},
        },
    }
