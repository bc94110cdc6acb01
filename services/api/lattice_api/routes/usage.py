"""How memory is used and judged, and what it holds at a glance: over time, and of its owner."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from lattice_common.api_schema.usage import (
    AutoSaveReply,
    BriefingReply,
    CorrectionsReply,
    FeedbackReply,
    ProfileReply,
    StatsReply,
    TimelineReply,
    TraceReply,
    UsageSummaryReply,
    UsageWeeklyReply,
)
from lattice_common.errors import NotAllowed
from pydantic import AwareDatetime

from lattice_api.deps import Asking, Limit, Product, Start
from lattice_api.json_route import JsonRoute, reply, reply_with_atoms
from lattice_api.openapi import refusals
from lattice_api.shapes import browsed_json
from lattice_api.threads import waiting
from lattice_api.usage_shapes import FeedbackBody, profile_json

router = APIRouter(prefix="/api", tags=["usage"], route_class=JsonRoute)


@router.post("/feedback", response_model=FeedbackReply, responses=refusals(404, 409, 503, 507))
async def feedback(body: FeedbackBody, product: Product, asking: Asking) -> Response:
    """Record a verdict. It moves the quality of what an answer cited, within 0.1 to 2.0: up by 0.1, down by −0.1, `wrong` by
    −0.2, and that lists it for correction. With `up` on a `trace_id`, what was shown beside and not cited goes down by 0.05. One
    answer counts once: the last verdict on it stands. It needs `capture`, and `read`, for it returns what it is about."""
    if not {"read", "admin"} & set(asking.scopes):
        raise NotAllowed("Your token may tell and not read; a verdict on memories needs both.", status=403)
    judged = await waiting(product.feedback, body.verdict, trace_id=body.trace_id, atom_ids=body.atom_ids, channel=body.channel)
    return reply_with_atoms(judged, product)


@router.get("/feedback", response_model=CorrectionsReply)
def corrections(product: Product, limit: Limit = 50, start: Start = 0) -> Response:
    """Return what was called wrong, by a verdict that was not undone, and still says the same: edit it, delete it, or tell what
    is right."""
    return reply_with_atoms({"to_correct": product.records.to_correct(start + limit)[start:]}, product)


@router.get("/usage/summary", response_model=UsageSummaryReply)
def summary(product: Product) -> Response:
    """Return how much was asked, told, remembered and recalled, all in all."""
    return reply(product.records.summary())


@router.get("/usage/weekly", response_model=UsageWeeklyReply)
def weekly(product: Product) -> Response:
    """Return the same of each of the last seven days."""
    return reply({"days": product.records.weekly()})


@router.get("/usage/stats", response_model=StatsReply)
def stats(product: Product) -> Response:
    """Return how long questions take, what failed, how memories are distributed: numbers only, which stay here."""
    return reply(product.stats())


@router.get("/auto-save/status", response_model=AutoSaveReply)
def auto_save(product: Product) -> Response:
    """Say whether all that is told is being saved, and when it last was: all in all, and through each door. `by_channel` and
    `saved_today` follow the log of the conversation, which `clear-today` clears."""
    return reply(product.auto_save())


@router.get("/trace/{trace_id}", response_model=TraceReply, responses=refusals(404))
def trace(trace_id: str, product: Product) -> Response:
    """Say how an answer was found, and what spoke for each memory. Kept only with LATTICE_TRACE."""
    return reply(product.trace(trace_id))


@router.get("/timeline", response_model=TimelineReply)
def timeline(
    product: Product,
    after: AwareDatetime | None = None,
    before: AwareDatetime | None = None,
    subject: Annotated[str | None, Query(max_length=500)] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    include_archived: bool = False,
    kind: Annotated[str | None, Query(max_length=100, examples=["event"])] = None,
) -> Response:
    """Return memories in the order of what they speak of, the latest `limit` of them from `after` up to `before`, oldest first;
    of one `kind` where that is given. What was replaced is among them, and says so; what is archived only with
    `include_archived`."""
    found = product.timeline(
        after=after, before=before, subject=subject, limit=limit, include_archived=include_archived, kind=kind
    )
    atoms = browsed_json([atom for _, atom in found], product)
    return reply({"timeline": [{"at": at, "atom": atom} for (at, _), atom in zip(found, atoms, strict=True)]})


@router.get("/today", response_model=BriefingReply)
def today(product: Product, days: Annotated[int, Query(ge=1, le=60)] = 7) -> Response:
    """Return what is of interest before anything is asked: what is due within `days`, what changed this week, what was on this
    day in earlier years, and what waits for your word (`GET /api/review`)."""
    return reply_with_atoms(product.today(days), product)


@router.get("/profile", response_model=ProfileReply)
def profile(
    product: Product,
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    tokens: Annotated[int | None, Query(ge=50, le=100_000)] = None,
) -> Response:
    """Return who you are, as far as it holds now. `lasting`: at least half sure, of how things are, and told again, corrected or
    thumbed up, or held for four weeks; `recent`: the rest of the last four weeks. Each by category, at most `limit` lines of one,
    and about `tokens` tokens in all where that is given."""
    return reply_with_atoms(profile_json(product.profile(limit, tokens=tokens)), product)
