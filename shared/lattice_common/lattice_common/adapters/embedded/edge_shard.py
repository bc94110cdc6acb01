"""How a Qdrant Edge shard is laid out for atoms, and its HNSW graph built by another process.

Building the graph inside this process would stop it: `EdgeShard.optimize` of qdrant-edge-py 0.9 keeps the interpreter's lock as
long as it runs (13 s for 12,000 vectors of 384 dimensions). So `python -m lattice_common.adapters.embedded.edge_shard FOLDER`
does it, on a copy of the shard that nobody else has open.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from uuid import UUID, uuid5

import qdrant_edge as edge

from lattice_common.adapters.engine_fields import allowed_times, allowed_values, stored_with
from lattice_common.domain.recall import Filter
from lattice_common.ports.dense_index import DenseDocument

_ATOMS = UUID("7c9f0f3e-5a34-4a0e-9a53-0d2c5b5d3f6a")  # the name space of our point ids
_INDEXED_FROM_KB = 100  # when to build a graph is our decision; a build that is asked for leaves no large segment out


def create(folder: Path, dimension: int) -> edge.EdgeShard:
    """Return a new shard. Dot product of unit vectors is their cosine, and leaves the vectors as they were given."""
    folder.mkdir(parents=True)
    shard = edge.EdgeShard.create(str(folder), _config(dimension))
    for name in ("kind", "session_id", "source_id"):
        shard.update(edge.UpdateOperation.create_field_index(name, edge.PayloadSchemaType.Keyword))
    by_range = edge.IntegerIndexParams(lookup=False, range=True)
    shard.update(edge.UpdateOperation.create_field_index("observed_at", by_range))
    return shard


def _config(dimension: int) -> edge.EdgeConfig:
    return edge.EdgeConfig(
        vectors=edge.EdgeVectorParams(size=dimension, distance=edge.Distance.Dot),
        hnsw_config=edge.HnswIndexConfig(m=16, ef_construct=128, full_scan_threshold=10_000),
        optimizers=edge.EdgeOptimizersConfig(default_segment_number=1, indexing_threshold=_INDEXED_FROM_KB),
    )


def search_width(points: int, limit: int) -> int:
    """Return how many candidates HNSW keeps (ef), so that recall@20 stays at or above 0.97 as the store grows.

    Qdrant's default (ef_construct) gave 0.997 at 10,000, 0.97 at 100,000 and 0.50 at 1,000,000 vectors. `bench/engines.py` shows
    what this one gives.
    """
    return max(limit, 128, int(4 * points**0.5))


def point_id(atom_id: str) -> UUID:
    """Return the id of a point: Qdrant takes numbers and UUIDs only; the atom id itself is in the payload."""
    return uuid5(_ATOMS, atom_id)


def point_ids(atom_ids: Iterable[str]) -> list[int | UUID | str]:
    """Return the points of several atoms, in the type that the shard takes."""
    return [point_id(atom_id) for atom_id in atom_ids]


def point(document: DenseDocument) -> edge.Point:
    """Return a document as Qdrant holds it."""
    payload = {name: value for name, value in stored_with(document).items() if value is not None}
    return edge.Point(point_id(document.atom_id), document.vector.tolist(), payload)


def condition(within: Filter) -> edge.Filter:
    """Return a filter in Qdrant's terms. Microseconds since 1970 are exact as floats until the year 2255."""
    must = [edge.FieldCondition(name, match=edge.MatchAny(values)) for name, values in allowed_values(within).items()]
    if times := allowed_times(within):
        must.append(edge.FieldCondition("observed_at", range=edge.RangeFloat(**times)))
    return edge.Filter(must=[*must])


def start_optimizing(folder: Path) -> subprocess.Popen[bytes]:
    """Build the graph of the shard in `folder`, which must not be open anywhere; the process ends with 0 when it is done."""
    command = [sys.executable, "-m", "lattice_common.adapters.embedded.edge_shard", str(folder)]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 - our own module


def optimize(folder: Path) -> None:
    """Build the graph of the shard: what the process does that `start_optimizing` starts."""
    shard = edge.EdgeShard.load(str(folder))
    shard.optimize()
    shard.flush()
    shard.close()


if __name__ == "__main__":
    optimize(Path(sys.argv[1]))
