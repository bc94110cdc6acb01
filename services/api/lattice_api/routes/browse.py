"""Looking through what is remembered: lists with filters, sources as a whole, what changed, what needs its owner, the trash."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query, Response
from lattice_common.api_schema.browsing import (
    BrowseReply,
    DifferenceReply,
    DismissedReply,
    NamesReply,
    NeedsReply,
    SourceReply,
    SourceTextReply,
    TrashedAtomsReply,
    TrashReply,
    UndoneReply,
    UnreadReply,
)
from lattice_common.domain.judgement import Status
from lattice_common.recall.browse import Browsed, Standing
from pydantic import AwareDatetime

from lattice_api.browse_shapes import source_text_json
from lattice_api.deps import Product, Start
from lattice_api.json_route import JsonRoute, reply, reply_with_atoms
from lattice_api.openapi import refusals
from lattice_api.shapes import browsed_json

router = APIRouter(prefix="/api", tags=["browse"], route_class=JsonRoute)

MINUTES = 24 * 60

Day = Annotated[AwareDatetime | None, Query(examples=["2026-03-01T00:00:00+01:00"])]


@router.get("/atoms", response_model=BrowseReply)
def browse(
    product: Product,
    about: Annotated[str | None, Query(max_length=500, examples=["Ingrid"])] = None,
    source: Annotated[str | None, Query(max_length=500, examples=["notes.md"])] = None,
    kind: Annotated[str | None, Query(max_length=100, examples=["preference"])] = None,
    status: Status | None = None,
    standing: Standing = "all",
    disagreeing: bool = False,
    after: Day = None,
    before: Day = None,
    as_of: Day = None,
    concluded: bool = True,
    ids: Annotated[list[Annotated[str, Query(max_length=100)]] | None, Query(max_length=500)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Annotated[str | None, Query(max_length=100)] = None,
    offset: Annotated[int, Query(ge=-MINUTES, le=MINUTES, examples=[120])] = 0,
) -> Response:
    """Return memories to look through, newest said first; with `ids`, those of them that are there. `about` is somebody or
    something that they mention by any of its names, `source` the id of a source or of a capture, `as_of` a time at which they
    were true; `after` is inclusive and `before` exclusive; with `concluded=false`, only what was told and not what was made of
    it. `total` and `months` count all that is meant; months begin at `offset` minutes from UTC."""
    only = {atom.atom_id for pair in product.conflicts(200) for atom in pair} if disagreeing else None
    if ids is not None:
        only = set(ids) if only is None else only & set(ids)
    wanted = Browsed(
        product.called(about) if about else (), source, kind, status, standing, after, before, as_of, only, concluded
    )
    page = product.browse(wanted, limit=limit, cursor=cursor, offset_minutes=offset)
    return reply(
        {
            "atoms": browsed_json(page.atoms, product),
            "total": page.total,
            "months": [{"month": month, "count": count} for month, count in page.months],
            "earliest": page.earliest,
            "cursor": page.cursor,
        }
    )


@router.get("/names", response_model=NamesReply)
def names(
    product: Product,
    beginning: Annotated[str, Query(max_length=200, examples=["Ing"])] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Response:
    """Return names that memories are about, of which a word begins so; those with most memories first."""
    return reply({"names": product.names(beginning, limit=limit)})


@router.get("/names/beside", response_model=NamesReply)
def beside(product: Product, name: Annotated[str, Query(min_length=1, max_length=500, examples=["Ingrid"])]) -> Response:
    """Return names that are mentioned beside one, and in how many memories."""
    return reply({"names": product.goes_with(name)})


@router.get("/difference", response_model=DifferenceReply)
def difference(
    product: Product,
    start: Annotated[AwareDatetime, Query(examples=["2026-03-01T00:00:00+01:00"])],
    end: Annotated[AwareDatetime, Query(examples=["2026-05-01T00:00:00+02:00"])],
    about: Annotated[str | None, Query(max_length=200)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Response:
    """Return what changed from `start` up to `end`: what was said then and is current, and what was replaced then, old beside
    new. `about` is somebody or something that the memories mention by any of its names."""
    return reply_with_atoms(product.difference(start, end, limit=limit, about=about), product)


@router.get("/captures/{capture_id}/text", response_model=SourceTextReply, responses=refusals(404))
def text(
    capture_id: str,
    product: Product,
    start: Annotated[int, Query(ge=0, examples=[0])] = 0,
    limit: Annotated[int, Query(ge=1_000, le=100_000)] = 20_000,
) -> Response:
    """Return what was said, as a whole or a stretch of it, with the sentences that something was remembered from: spans are in
    characters of the whole text. A text of which words were forgotten has █ in their place."""
    return reply(source_text_json(product.source_text(capture_id, start=start, limit=limit), product))


@router.get("/sources/{source_id:path}", response_model=SourceReply, responses=refusals(404))
def source(source_id: str, product: Product) -> Response:
    """Return what came from one source, newest first: each is a capture whose text `/api/captures/{id}/text` has. A capture's id
    names that one alone."""
    found = product.captures_of(source_id)
    return reply({"source_id": source_id, "captures": found, "memories": sum(each.memories for each in found)})


@router.get("/needs", response_model=NeedsReply)
def needs(product: Product) -> Response:
    """Return how much there is that only you can settle. `/api/review`, `/api/conflicts`, `/api/captures?state=dead` and
    `/api/feedback` say what, and `/api/unread` for files."""
    counted = product.needs()
    return reply({**asdict(counted), "count": counted.count})


@router.get("/unread", response_model=UnreadReply)
def unread(product: Product) -> Response:
    """Return the files that you gave and that could not be read, newest first, until you dismiss them. What the inbox could not
    take is told of by `GET /api/status`."""
    return reply({"unread": product.unread()})


@router.post("/unread/{capture_id}/dismiss", response_model=DismissedReply, responses=refusals(404, 507))
def dismiss(capture_id: str, product: Product) -> Response:
    """Take a file that could not be read off the list of what needs you. The file itself stays where it is."""
    product.records.dismiss(capture_id, back=False)
    return reply({"capture_id": capture_id, "dismissed": True})


@router.delete("/unread/{capture_id}/dismiss", response_model=DismissedReply, responses=refusals(404, 507))
def put_back(capture_id: str, product: Product) -> Response:
    """Put a file that was dismissed back on the list."""
    product.records.dismiss(capture_id, back=True)
    return reply({"capture_id": capture_id, "dismissed": False})


@router.get("/undone", response_model=UndoneReply)
def undone(product: Product, ids: Annotated[list[Annotated[str, Query(max_length=100)]], Query(max_length=500)]) -> Response:
    """Return which of these changes and captures are taken back now, and the change whose undoing turns that round. What was
    never taken back is left out."""
    return reply({"undone": product.records.standing(ids)})


@router.get("/trash", response_model=TrashReply)
def trash(product: Product, limit: Annotated[int, Query(ge=1, le=200)] = 50, start: Start = 0) -> Response:
    """Return what you deleted and can still bring back, newest deletion first. `POST /api/undo/{change_id}` restores what one
    deletion took; after `until` it is forgotten."""
    return reply_with_atoms({"trash": product.in_trash(start + limit)[start:]}, product)


@router.get("/trash/{change_id}", response_model=TrashedAtomsReply)
def trashed(
    change_id: str,
    product: Product,
    start: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 100,
) -> Response:
    """Return more of what one deletion took than `GET /api/trash` lists: from the place `start` on, in its order. Empty where
    nothing of it lies in the trash."""
    return reply_with_atoms({"atoms": product.rest_in_trash(change_id, start, limit)}, product)
