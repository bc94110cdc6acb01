"""What is sent to the graph service. Its answers are the values of `domain.graph` as JSON arrays, short and in order."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from lattice_common.domain.graph import EdgeKind
from pydantic import BaseModel, ConfigDict, Field

Id: TypeAlias = Annotated[str, Field(max_length=2_000)]


class ExpandBody(BaseModel):
    """`Graph.expand`: `seeds` are atom ids."""

    model_config = ConfigDict(extra="forbid")

    seeds: Annotated[list[Id], Field(max_length=1_000)]
    limit: Annotated[int, Field(ge=0, le=10_000)]
    hops: Annotated[int, Field(ge=1, le=6)] = 2


class NeighboursBody(BaseModel):
    """`Graph.neighbours`; no kinds: all."""

    model_config = ConfigDict(extra="forbid")

    atom_id: Id
    kinds: list[EdgeKind] = Field(default_factory=list)


class SubgraphBody(BaseModel):
    """`Graph.subgraph`."""

    model_config = ConfigDict(extra="forbid")

    node_id: Id
    depth: Annotated[int, Field(ge=0, le=6)] = 1
    limit: Annotated[int, Field(ge=1, le=5_000)] = 200


class PathsBody(BaseModel):
    """`Graph.paths`: node ids."""

    model_config = ConfigDict(extra="forbid")

    source: Id
    target: Id
    longest: Annotated[int, Field(ge=0, le=10)] = 6
    limit: Annotated[int, Field(ge=1, le=100)] = 5
