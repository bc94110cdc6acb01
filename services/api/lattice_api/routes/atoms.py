"""What is remembered: looking at it, changing it, taking changes back."""

from __future__ import annotations

from typing import Annotated

import orjson
from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import StreamingResponse
from lattice_common.domain.capture import DeleteAtom, EditAtom, KeepRejected, RemoveSource, UndoChange
from lattice_common.errors import InvalidInput

from lattice_api.deps import Product
from lattice_api.problem import problem
from lattice_api.shapes import EditBody, Json, view_json

router = APIRouter(prefix="/api", tags=["atoms"])

SOURCE_SECONDS = 60.0
"""A source may have thousands of atoms; each is a file that moves."""


@router.get("/atoms/recent")
def recent(
    product: Product,
    limit: Annotated[int, Query(ge=1, le=200)] = 20,
    before: Annotated[str | None, Query(max_length=100)] = None,
) -> Json:
    """The newest first; `before` is the last id of the page before."""
    return {"atoms": [product.fields(atom) for atom in product.recent(limit, before=before)]}


@router.get("/atoms/related")
def related(
    product: Product,
    atom_id: Annotated[str | None, Query(max_length=100)] = None,
    subject: Annotated[str | None, Query(max_length=500)] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Json:
    """Atoms near one in the graph, or of one subject."""
    return {"atoms": [product.fields(atom) for atom in product.related(atom_id=atom_id, subject=subject, limit=limit)]}


@router.get("/atoms/{atom_id}")
def atom(atom_id: str, response: Response, product: Product) -> Json:
    """One atom, the words it comes from, and what it replaced. Its ETag is what an edit sends back."""
    view = product.atom(atom_id)
    response.headers["ETag"] = f'"{view.etag}"'
    return view_json(view, product)


@router.patch("/atoms/{atom_id}", responses={412: {}, 428: {}}, response_model=None)
def edit(atom_id: str, body: EditBody, product: Product, if_match: Annotated[str | None, Header()] = None) -> Json | Response:
    """Change fields of an atom; `If-Match` says which version of it was seen."""
    if if_match is None:
        return problem(428, "Send `If-Match` with the ETag that GET gave, so that no other change is lost.")
    fields = body.to_fields()
    if not fields:
        raise InvalidInput("There is nothing to change: send at least one field.", field="content")
    expected = None if if_match.strip() == "*" else if_match.strip().removeprefix("W/").strip('"')
    return {"change_id": product.change(EditAtom(atom_id, fields, expected), channel="api")}


@router.delete("/atoms/{atom_id}")
def delete(atom_id: str, product: Product) -> Json:
    """To the trash; what it had replaced is current again."""
    return {"change_id": product.change(DeleteAtom(atom_id), channel="api")}


@router.delete("/sources/{source_id}")
def remove_source(source_id: str, product: Product) -> Json:
    """All that came from one source (an import, the demo) to the trash, in one change."""
    return {"change_id": product.change(RemoveSource(source_id), channel="api", timeout=SOURCE_SECONDS)}


@router.post("/undo/{change_id}")
def undo(change_id: str, product: Product) -> Json:
    """Take back a change, or all that a capture brought."""
    return {"change_id": product.change(UndoChange(change_id), channel="api")}


@router.get("/rejected")
def rejected(product: Product, limit: Annotated[int, Query(ge=1, le=500)] = 50) -> Json:
    """What was set aside, and why; newest first."""
    return {
        "rejected": [
            {
                "rejected_id": each.rejected_id,
                "capture_id": each.capture_id,
                "at": each.at.isoformat(),
                "content": each.candidate.content,
                "quote": each.candidate.quote,
                "reason": each.reason,
                "detail": each.detail,
                "kept": each.kept,
            }
            for each in product.rejected(limit)
        ]
    }


@router.post("/rejected/{rejected_id}/keep")
def keep(rejected_id: str, product: Product) -> Json:
    """Keep it all the same: from now on it is the owner's own statement."""
    return {"change_id": product.change(KeepRejected(rejected_id), channel="api")}


@router.get("/graph/subgraph")
def subgraph(
    product: Product,
    atom_id: Annotated[str | None, Query(max_length=100)] = None,
    subject: Annotated[str | None, Query(max_length=500)] = None,
    depth: Annotated[int, Query(ge=1, le=4)] = 1,
) -> Json:
    """The graph around an atom or a subject."""
    nodes, edges = product.subgraph(atom_id=atom_id, subject=subject, depth=depth)
    return {
        "nodes": [{"id": node.node_id, **node.fields} for node in nodes],
        "edges": [{"source": edge.source, "target": edge.target, "kind": edge.kind} for edge in edges],
    }


@router.get("/export", response_class=StreamingResponse)
def export(product: Product) -> StreamingResponse:
    """Every atom, one JSON object a line, in the order of writing."""
    return StreamingResponse((orjson.dumps(each) + b"\n" for each in product.export()), media_type="application/x-ndjson")
