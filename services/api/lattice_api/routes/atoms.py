"""What is remembered: looking at it, changing it, taking changes back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import orjson
from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from lattice_common.api_schema.replies import (
    AtomsReply,
    AtomViewReply,
    ChangeReply,
    ConflictsReply,
    ForgetReply,
    GraphStatsReply,
    ImportsReply,
    NodeReply,
    PathsReply,
    RejectionsReply,
    ReviewReply,
    SubgraphReply,
)
from lattice_common.domain.capture import (
    Action,
    DeleteAtom,
    EditAtom,
    KeepRejected,
    MergeAtoms,
    PreferAtom,
    RemoveSource,
    UndoChange,
)
from lattice_common.errors import InvalidInput
from lattice_common.lattice import Lattice

from lattice_api.deps import Limit, Product, Start
from lattice_api.json_route import JsonRoute, reply, reply_with_atoms
from lattice_api.openapi import refusals
from lattice_api.problem import problem, trace_id_of
from lattice_api.shapes import (
    EditBody,
    ForgetBody,
    MergeBody,
    PreferBody,
    ReviewBody,
    browsed_json,
    forget_json,
    view_json,
)
from lattice_api.threads import waiting

router = APIRouter(prefix="/api", tags=["atoms"], route_class=JsonRoute)

CHANGES = refusals(404, 409, 503, 507)
"""How a change may be refused."""

CHANGE_SECONDS = 10.0
"""A change waits for the part of a capture that the writer has in hand, most of a second at worst."""

SOURCE_SECONDS = 60.0
"""A source may have thousands of atoms; each is a file that moves."""

QUESTION = "Is this still so?"
"""What the owner is asked of the older one of two memories in review."""


@router.get("/atoms/recent", response_model=AtomsReply)
def recent(
    product: Product,
    limit: Annotated[int, Query(ge=1, le=200)] = 20,
    before: Annotated[str | None, Query(max_length=100)] = None,
    kind: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """Return the newest first, of one kind where that is given; `before` is the last id of the page before."""
    return reply({"atoms": browsed_json(product.recent(limit, before=before, kind=kind), product)})


@router.get("/atoms/related", response_model=AtomsReply, responses=refusals(404))
def related(
    product: Product,
    atom_id: Annotated[str | None, Query(max_length=100)] = None,
    subject: Annotated[str | None, Query(max_length=500)] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Response:
    """Return atoms near one in the graph, or of one subject."""
    found = product.related(atom_id=atom_id, subject=subject, limit=limit)
    return reply({"atoms": browsed_json(found, product)})


@router.get("/atoms/{atom_id}", response_model=AtomViewReply, responses=refusals(404))
def atom(atom_id: str, product: Product) -> Response:
    """Return one atom, the words it comes from, and what it replaced. Its ETag is what an edit sends back."""
    view = product.atom(atom_id)
    return reply(view_json(view, product), headers={"ETag": f'"{view.etag}"'})


@router.patch("/atoms/{atom_id}", response_model=ChangeReply, responses={**CHANGES, **refusals(412, 428)})
async def edit(
    atom_id: str, body: EditBody, request: Request, product: Product, if_match: Annotated[str | None, Header()] = None
) -> Response:
    """Change fields of an atom; `If-Match` says which version of it was seen."""
    if if_match is None:
        detail = "Send `If-Match` with the ETag that GET gave, so that no other change is lost."
        return problem(428, detail, trace_id=trace_id_of(request))
    fields = body.to_fields()
    if not fields:
        raise InvalidInput("There is nothing to change: send at least one field.", field="content")
    expected = None if if_match.strip() == "*" else if_match.strip().removeprefix("W/").strip('"')
    return await _changed(product, EditAtom(atom_id, fields, expected), channel=body.channel)


@router.delete("/atoms/{atom_id}", response_model=ChangeReply, responses=CHANGES)
async def delete(atom_id: str, product: Product) -> Response:
    """Move an atom to the trash; what it had replaced is current again. When it leaves the trash, its words leave everything
    else."""
    return await _changed(product, DeleteAtom(atom_id))


@router.post("/forget", response_model=ForgetReply, responses={**CHANGES, **refusals(412)})
async def forget(body: ForgetBody, product: Product) -> Response:
    """Forget: without `confirm` this shows what would go; with it, it goes. Into the trash first, where an undo reaches it; with
    `now` at once and for good, out of journal, logs and backups too. 412: it is not what was shown any more."""
    wanted, channel = body.to_forgettable(), body.channel or "api"
    if body.confirm is None:
        return reply_with_atoms(forget_json(await waiting(product.forget_preview, wanted, now=body.now), None), product)
    change_id, shown = await waiting(product.forget, wanted, body.confirm, now=body.now, channel=channel, timeout=SOURCE_SECONDS)
    return reply_with_atoms(forget_json(shown, change_id), product)


@router.get("/conflicts", response_model=ConflictsReply)
def conflicts(product: Product, limit: Limit = 50, start: Start = 0) -> Response:
    """Return pairs of which only one can be true: what a document says, or what an assistant saved by itself, and what it
    disagrees with. Neither is replaced until you say which to keep (`POST /api/review`)."""
    pairs = product.conflicts(start + limit)[start:]
    return reply_with_atoms({"conflicts": [{"atom": one, "disagrees_with": other} for one, other in pairs]}, product)


@router.post("/atoms/{atom_id}/prefer", response_model=ChangeReply, responses=CHANGES)
async def prefer(atom_id: str, body: PreferBody, product: Product) -> Response:
    """Keep this one of two that disagree: it replaces the other. `POST /api/undo/{change_id}` takes it back."""
    return await _changed(product, PreferAtom(atom_id, body.over))


@router.post("/atoms/{atom_id}/merge", response_model=ChangeReply, responses=CHANGES)
async def merge(atom_id: str, body: MergeBody, product: Product) -> Response:
    """Merge two that say the same: this one stays, with what was known of the `other`, which it replaces. `POST
    /api/undo/{change_id}` takes it back."""
    return await _changed(product, MergeAtoms(atom_id, body.other))


@router.get("/imports", response_model=ImportsReply)
def imports(product: Product, limit: Limit = 100, start: Start = 0) -> Response:
    """Return what came from sources with a name (imports, files, the demo), the latest first, with how much of it is remembered.
    `DELETE /api/sources/{source_id}` puts all of one into the trash."""
    return reply({"imports": product.imports(start + limit)[start:]})


@router.get("/review", response_model=ReviewReply)
def review(product: Product, limit: Limit = 50, start: Start = 0) -> Response:
    """Return pairs of memories of which the newer may have made the older untrue, newest first. Both are current, and joined by
    `may_update`, until you say which it is."""
    pairs = [
        {"newer": newer, "older": older, "question": QUESTION, "since": newer.observed_at}
        for newer, older in product.in_review(start + limit)[start:]
    ]
    return reply_with_atoms({"review": pairs, "count": product.count_in_review()}, product)


@router.post("/review", response_model=ChangeReply, responses=CHANGES)
async def settle(body: ReviewBody, product: Product) -> Response:
    """Say whether the older of a pair still holds: `replaced` retires it, with `both` nobody is asked again. Of two that disagree
    (`GET /api/conflicts`), `newer` is the one that holds. `POST /api/undo/{change_id}` takes it back."""
    change_id = await waiting(product.settle, body.newer, body.older, body.outcome, channel=body.channel, timeout=CHANGE_SECONDS)
    return reply({"change_id": change_id})


@router.delete("/sources/{source_id:path}", response_model=ChangeReply, responses=CHANGES)
async def remove_source(source_id: str, product: Product) -> Response:
    """Move all that came from one source (an import, the demo) to the trash, in one change."""
    return await _changed(product, RemoveSource(source_id), timeout=SOURCE_SECONDS)


@router.post("/undo/{change_id}", response_model=ChangeReply, responses=CHANGES)
async def undo(change_id: str, product: Product) -> Response:
    """Take back a change, or all that a capture brought."""
    return await _changed(product, UndoChange(change_id))


async def _changed(product: Lattice, action: Action, *, channel: str = "api", timeout: float = CHANGE_SECONDS) -> Response:
    change_id = await waiting(product.change, action, channel=channel, timeout=timeout)
    return reply({"change_id": change_id})


@router.get("/rejected", response_model=RejectionsReply)
def rejected(product: Product, limit: Limit = 50, start: Start = 0) -> Response:
    """Return what was set aside, and why; newest first."""
    found = {
        "rejected": [
            {
                "rejected_id": each.rejected_id,
                "capture_id": each.capture_id,
                "at": each.at,
                "content": each.candidate.content,
                "quote": each.candidate.quote,
                "reason": each.reason,
                "detail": each.detail,
                "kept": each.kept,
            }
            for each in product.rejected(start + limit)[start:]
        ]
    }
    return reply(found)


@router.post("/rejected/{rejected_id}/keep", response_model=ChangeReply, responses=CHANGES)
async def keep(rejected_id: str, product: Product) -> Response:
    """Keep it all the same: from now on it is the owner's own statement. With the id of a capture in which nothing was found to
    remember, its words are kept as they stand."""
    return await _changed(product, KeepRejected(rejected_id))


@router.get("/graph/subgraph", response_model=SubgraphReply)
def subgraph(
    product: Product,
    atom_id: Annotated[str | None, Query(max_length=100)] = None,
    subject: Annotated[str | None, Query(max_length=500)] = None,
    depth: Annotated[int, Query(ge=1, le=4)] = 1,
) -> Response:
    """Return the graph around an atom or a subject."""
    nodes, edges = product.subgraph(atom_id=atom_id, subject=subject, depth=depth)
    return reply(
        {
            "nodes": [{"id": node.node_id, **node.fields} for node in nodes],
            "edges": edges,
        }
    )


@router.get("/graph/stats", response_model=GraphStatsReply)
def graph_stats(product: Product) -> Response:
    """Return how large the graph is, of which schema its files are, since when, and what is wrong with them, if anything is."""
    found = product.graph_about()
    return reply({**asdict(found.stats), "trouble": found.trouble, **found.files})


@router.get("/graph/node", response_model=NodeReply, responses=refusals(404))
def graph_node(product: Product, name: Annotated[str, Query(min_length=1, max_length=500)]) -> Response:
    """Return a node and what it is linked to. `name` is a memory's id, a node's (`subject:lisbon`), or a name."""
    return reply(product.graph_node(name))


@router.get("/graph/path", response_model=PathsReply, responses=refusals(404))
def graph_path(
    product: Product,
    start: Annotated[str, Query(min_length=1, max_length=500)],
    end: Annotated[str, Query(min_length=1, max_length=500)],
    limit: Annotated[int, Query(ge=1, le=20)] = 5,
) -> Response:
    """Return the shortest ways between two nodes, over at most six edges; none where there is none."""
    return reply({"paths": product.graph_paths(start, end, limit=limit)})


@router.get(
    "/learn/export",
    response_class=StreamingResponse,
    responses={200: {"description": "One example a line", "content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
)
def learn(product: Product) -> StreamingResponse:
    """Return labelled examples from what you did later (undo, both hold, replaced, thumbs, told instead of asked), one JSON
    object a line: for training the judge. They are made of what is kept here anyway, and go nowhere by themselves."""
    found = list(product.examples())  # before the first byte: what cannot be read is told as a problem
    return StreamingResponse((orjson.dumps(each) + b"\n" for each in found), media_type="application/x-ndjson")


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses={200: {"description": "One ATOM a line", "content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
)
def export(product: Product) -> StreamingResponse:
    """Return every atom, one JSON object a line, in the order of writing."""
    return StreamingResponse((orjson.dumps(each) + b"\n" for each in product.export()), media_type="application/x-ndjson")
