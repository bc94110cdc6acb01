"""The questions of `ports.graph`, one route each.

What recall asks takes fractions of a millisecond, and is answered on the event loop: each hand-over to a thread, of a dependency
too, costs more than that. What may take longer has a thread.
"""

from __future__ import annotations

import hmac
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Depends, Request, Response
from lattice_common.errors import NotAllowed
from lattice_common.ports.graph import Graph

from lattice_graph.reload import Follower
from lattice_graph.shapes import ExpandBody, NeighboursBody, PathsBody, SubgraphBody


async def allowed(request: Request) -> None:
    """Check the token, where there is one: what the graph holds is as private as the memory. Raise `NotAllowed`."""
    token: str | None = request.app.state.token
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if token is not None and not hmac.compare_digest(given.encode(), token.encode()):
        raise NotAllowed("This graph asks for its token: set LATTICE_GRAPH_TOKEN to the one it was started with.", status=401)


async def graph_of(request: Request) -> Graph:
    graph: Graph = request.app.state.graph
    return graph


router = APIRouter(dependencies=[Depends(allowed)])
open_router = APIRouter()
TheGraph = Annotated[Graph, Depends(graph_of)]


def reply(value: Any, status: int = 200) -> Response:
    return Response(orjson.dumps(value), status, media_type="application/json")


@router.post("/expand")
async def expand(body: ExpandBody, graph: TheGraph) -> Response:
    """Return [[atom id, hops, seed], …], nearest first."""
    return reply([(each.atom_id, each.hops, each.seed) for each in graph.expand(body.seeds, body.limit, hops=body.hops)])


@router.post("/neighbours")
async def neighbours(body: NeighboursBody, graph: TheGraph) -> Response:
    """Return [[source, target, kind], …]."""
    return reply([(edge.source, edge.target, edge.kind) for edge in graph.neighbours(body.atom_id, body.kinds)])


@router.post("/subgraph")
def subgraph(body: SubgraphBody, graph: TheGraph) -> Response:
    """Return {nodes: [[id, fields], …], edges: [[source, target, kind], …]}."""
    nodes, edges = graph.subgraph(body.node_id, depth=body.depth, limit=body.limit)
    return reply(
        {
            "nodes": [(node.node_id, dict(node.fields)) for node in nodes],
            "edges": [(edge.source, edge.target, edge.kind) for edge in edges],
        }
    )


@router.post("/paths")
def paths(body: PathsBody, graph: TheGraph) -> Response:
    """Return [[node id, …], …]."""
    return reply(graph.paths(body.source, body.target, longest=body.longest, limit=body.limit))


@router.post("/refresh")
def refresh(request: Request) -> Response:
    """Look for what is new now, and answer when it is there; return whether there was anything."""
    follower: Follower = request.app.state.follower
    return reply(follower.look())


@router.get("/stats")
def stats(graph: TheGraph) -> Response:
    """Return counts, the hash over all of it, and what is wrong with the sidecars, if anything is."""
    found = graph.stats()
    return reply({"nodes": found.nodes, "edges": found.edges, "state_hash": found.state_hash, "trouble": graph.trouble})


@open_router.get("/health")
async def health() -> Response:
    """Say that it is alive."""
    return reply({"status": "ok"})


@open_router.get("/ready")
async def ready(request: Request) -> Response:
    """Return whether it follows the sidecars of every memory; 503 and why not."""
    trouble = next((each.trouble for each in request.app.state.followers if each.trouble), None)
    return reply({"ready": trouble is None, "trouble": trouble}, 200 if trouble is None else 503)
