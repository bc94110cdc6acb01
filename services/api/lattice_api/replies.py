"""What the API answers, for its OpenAPI document (API.md has it in prose). Times are RFC 3339, ids ULIDs in lower case."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1)]


class Problem(BaseModel):
    """RFC 9457; `instance` is the trace id, and `errors` names the fields of a 422."""

    type: str
    title: str
    status: int
    detail: str
    instance: str | None = None
    errors: list[FieldError] | None = None


class FieldError(BaseModel):
    """One field that could not be taken."""

    field: str
    message: str


class ProgressReply(BaseModel):
    """Where a capture is: `done` of `total` parts of a stage."""

    stage: Literal["read", "segment", "extract", "ground", "reconcile", "commit", "index"]
    done: int
    total: int


class CaptureReply(BaseModel):
    """What became of what was sent."""

    capture_id: str
    state: Literal["waiting", "working", "stored", "duplicate", "rejected", "dead"]
    atoms_new: int
    atoms_updated: int
    duplicates_skipped: int
    rejected: int
    atom_ids: list[str]
    queued: bool
    reason: str | None
    attempts: int
    notes: list[str]
    received_at: datetime | None
    finished_at: datetime | None
    progress: ProgressReply | None = None


class CapturesReply(BaseModel):
    """A page; `cursor` asks for the next, and is null on the last."""

    captures: list[CaptureReply]
    cursor: str | None


class SpanReply(BaseModel):
    """Character offsets into the capture's text."""

    start: int
    end: int


class RelationReply(BaseModel):
    """From this atom to another."""

    type: Literal["updates", "extends", "derives", "contradicts", "may_update"]
    target: str


class AtomReply(BaseModel):
    """ATOM: the fields of an atom's file that have a value, and its content. A file may have more, by hand."""

    model_config = ConfigDict(extra="allow")

    atom_id: str
    content: str
    kind: str
    subject: str
    category: str
    status: Literal["asserted", "past", "planned", "wished", "supposed", "quoted", "joked", "rejected", "uncertain"] = "asserted"
    memory_type: str
    persistence: str
    tier: str
    source: str
    trust: str
    source_type: str
    capture_id: str
    source_quote: str
    source_span: SpanReply
    extractor: str
    observed_at: datetime
    ingested_at: datetime
    quality_score: float
    confidence: Share
    importance: Share
    recall_count: int
    is_superseded: bool
    archived: bool = False
    content_hash: str
    entities: list[str] = []
    source_id: str | None = None
    session_id: str | None = None
    segment_id: str | None = None
    metadata: dict[str, Any] = {}
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    date_phrase: str | None = None
    last_recalled_at: datetime | None = None
    episode_id: str | None = None
    superseded_by: str | None = None
    supersedes: list[str] = []
    superseded_reason: str | None = None
    relations: list[RelationReply] = []


class SignalReply(BaseModel):
    """One part of a score: contribution = value × weight."""

    value: float
    weight: float
    contribution: float


class SelectedReply(AtomReply):
    """An atom that was found; or a passage of a document in the same shape, which is no memory: it can be looked at by its id,
    and not be changed."""

    type: Literal["memory", "passage"] = "memory"
    passage_of: str | None = None
    """Of a passage: the document and the place in it, "lease.pdf, page 3"."""
    score: float
    signals: dict[str, SignalReply] = {}
    may_be_outdated_by: str | None = None
    """A newer atom that may have made it untrue; `GET /api/review` asks its owner."""


class MeantReply(BaseModel):
    """Whom words of a question mean: the names that were sought beside them, the entities, and the atoms that say so."""

    asked: str
    names: list[str]
    entities: list[str]
    proofs: list[str]


class SelectReply(BaseModel):
    """`degraded` names what search had to go without; `meant`, with `explain`, whom the question means by another name."""

    atoms: list[SelectedReply]
    answerable: bool
    confidence: Share
    shape: Literal["aggregation", "temporal", "preference", "recommendation", "factual"]
    degraded: list[str]
    trace_id: str
    took_ms: float
    meant: list[MeantReply] | None = None


class CitationReply(BaseModel):
    """Where a sentence of an answer comes from; `n` is the number in it."""

    n: Annotated[int, Field(ge=1)]
    atom_id: str
    quote: str
    source_id: str | None
    observed_at: datetime
    supported: bool


class DoubtReply(BaseModel):
    """A sentence, `answer[start:end]` in characters, that what it cites does not bear out, and because of which words; or that
    cites nothing."""

    start: int
    end: int
    reason: Literal["uncited", "number", "name", "date", "negation", "content"]
    words: str


class AnswerReply(BaseModel):
    """`answered` is false when nothing known answers it; `atoms` are then the nearest. `model` wrote it, where one did.
    `disagreements` are what is cited and what can't be true beside it: `POST /api/atoms/{id}/prefer` settles one."""

    answer: str
    citations: list[CitationReply]
    answered: bool
    atoms: list[SelectedReply]
    related_subjects: list[str]
    used_llm: bool
    warnings: list[str]
    trace_id: str
    unsupported: list[DoubtReply] = []
    model: str | None = None
    reformulated_query: str | None = None
    pii_protected: bool = False
    disagreements: list[ConflictReply] = []


class IntentReply(BaseModel):
    """What words are meant for, how sure that is, and who read it: certain `rules`, the `judge`, a `guess` of rules, or a
    language `model`."""

    intent: Literal["tell", "ask", "do"]
    sure: Share
    by: Literal["rules", "judge", "guess", "model"]


class OrderReply(BaseModel):
    """What became of a request. `confirm`: nothing was done yet; `token` carries it out within ten minutes, and `atoms` are the
    first of the `found` that would go. `unclear`: tell or ask it instead. `change_id` takes back what was done; `href` is where
    to get what was asked for."""

    action: Literal["undo", "forget", "export", "help", "status", "unclear"]
    state: Literal["done", "confirm", "unclear"]
    message: str
    atoms: list[AtomReply]
    found: int
    token: str | None
    change_id: str | None
    href: str | None


class ForgetReply(BaseModel):
    """What would go (`confirm`: send it back to have it done), lies in the trash until `until` (`in_trash`, undone by
    `change_id`), or is forgotten. `atoms` are the first of `atom_ids`; `conclusions` are among these; `captures` are redacted in
    the journal, `files` those that came as one; what is in `backups` is taken out of them, what is in `backups_out_of_reach` is
    yours to remove."""

    state: Literal["confirm", "in_trash", "forgotten"]
    confirm: str
    atoms: list[AtomReply]
    atom_ids: list[str]
    in_trash: int
    conclusions: list[str]
    captures: list[str]
    files: list[str]
    chat_turns: int
    backups: list[str]
    backups_out_of_reach: list[str]
    passages: int = 0
    """Sentences of documents that say it, and of which no memory was made: they go with `now` only."""
    until: str | None
    change_id: str | None


class ImportReply(BaseModel):
    """What came from a source with a name, from the `first` to the `last`; `current` of its memories are not replaced."""

    source_id: str
    captures: int
    memories: int
    current: int
    first: datetime
    last: datetime


class ImportsReply(BaseModel):
    """Sources with a name, the latest first."""

    imports: list[ImportReply]


class AtomsReply(BaseModel):
    """Some atoms."""

    atoms: list[AtomReply]


class ExcerptReply(BaseModel):
    """Some lines around a quote: `text[start:end]` is the quote. Of a file, `original` is its name, and `place` where in it the
    quote stands (`GET /api/captures/{id}/original` has its bytes)."""

    capture_id: str
    text: str
    start: int
    end: int
    original: str | None
    place: str | None


class ValueChangeReply(BaseModel):
    """What was said before and what is said now, in a word or two; `after` is null where it only ended."""

    before: str
    after: str | None


class WordingReply(BaseModel):
    """What an atom said `until` its owner edited it."""

    content: str
    until: datetime
    change_id: str


class FormerReply(BaseModel):
    """What an atom replaced: old → new in `change`, where that can be said in a word or two, and since when."""

    atom_id: str
    content: str
    observed_at: datetime
    superseded_reason: str | None
    change: ValueChangeReply | None
    replaced_on: datetime | None


class RelatedReply(BaseModel):
    """What an atom is linked to."""

    atom_id: str
    content: str
    observed_at: datetime
    type: str


class AtomViewReply(AtomReply):
    """One atom, the words it comes from, what it replaced and what it said before its edits, newest first. `change` and
    `replaced_on` say what became of it where it was replaced itself."""

    etag: str
    """What `If-Match` wants, as in the header, without its quotes."""
    source: ExcerptReply | None  # type: ignore[assignment] # API.md: here it is the excerpt, in lists it is who said it
    history: list[FormerReply]
    related: list[RelatedReply]
    disagrees: list[RelatedReply]
    may_be_outdated_by: list[RelatedReply]
    replaced_by: AtomReply | None
    change: ValueChangeReply | None
    replaced_on: datetime | None
    edits: list[WordingReply]


class ConflictReply(BaseModel):
    """Two atoms of which only one can be true."""

    atom: AtomReply
    disagrees_with: AtomReply


class ConflictsReply(BaseModel):
    """What the owner has not settled yet."""

    conflicts: list[ConflictReply]


class ArchivedReply(BaseModel):
    """A page of what is archived, newest memory first; `count` is of all there are."""

    atoms: list[AtomReply]
    count: int


class ArchiveCandidateReply(BaseModel):
    """A memory that may be archived: how sure it still is after all this time, and since when nobody told or recalled it."""

    atom: AtomReply
    confidence: Share
    unused_since: datetime


class ArchiveCandidatesReply(BaseModel):
    """What may be archived, the faintest first. Nothing is archived but by its owner."""

    candidates: list[ArchiveCandidateReply]


class ReviewPairReply(BaseModel):
    """`newer` may have made `older` untrue, `since` it was said. `question` is about the older one."""

    newer: AtomReply
    older: AtomReply
    question: str
    since: datetime


class ReviewReply(BaseModel):
    """What the owner is asked, newest first; `count` is of all there are."""

    review: list[ReviewPairReply]
    count: int


class EntityRoleReply(BaseModel):
    """What an entity is to somebody: `role` in English, `phrase` as "my brother", since when it is known and until when it held
    (null: it holds), and the ids of the atoms that say so."""

    role: str
    phrase: str
    since: datetime
    until: datetime | None
    proofs: list[str]


class EntityReply(BaseModel):
    """A person, animal, place, organisation or thing; `names` are as they were written, the one used most first."""

    entity_id: str
    name: str
    kind: Literal["person", "animal", "place", "organisation", "thing", "unknown"]
    names: list[str]
    roles: list[EntityRoleReply]


class EntityViewReply(EntityReply):
    """One of them, with the atoms that say who it is, and those that mention it, newest first."""

    proofs: list[AtomReply]
    mentions: list[AtomReply]


class EntitiesReply(BaseModel):
    """Who and what memory knows, by name."""

    entities: list[EntityReply]


class ChangeReply(BaseModel):
    """What `POST /api/undo/{change_id}` takes back."""

    change_id: str


class RejectedReply(BaseModel):
    """A candidate that was set aside, and why."""

    rejected_id: str
    capture_id: str
    at: datetime
    content: str
    quote: str
    reason: str
    detail: str | None
    kept: bool


class RejectionsReply(BaseModel):
    """What was set aside, newest first."""

    rejected: list[RejectedReply]


class EdgeReply(BaseModel):
    """From one node to another."""

    source: str
    target: str
    kind: str


class NamedNodeReply(BaseModel):
    """A node by its `id`, its `kind`, and what it is called: of a memory, what it says."""

    id: str
    kind: str
    name: str


class NeighbourReply(BaseModel):
    """What a node is linked to: an edge of this `kind` leads there, or comes from there."""

    kind: str
    direction: Literal["to", "from"]
    node: NamedNodeReply


class NodeReply(BaseModel):
    """A node, and at most 200 of what it is linked to."""

    node: NamedNodeReply
    linked: list[NeighbourReply]


class PathsReply(BaseModel):
    """Ways between two nodes, each with both ends."""

    paths: list[list[NamedNodeReply]]


class GraphStatsReply(BaseModel):
    """Counts, the hash over all of it, what is wrong, and of its files the schema, the generation and when that was begun."""

    nodes: int
    edges: int
    state_hash: str
    trouble: str | None
    schema_version: int | None = None
    generation: int | None = None
    built_at: datetime | None = None
    bytes: int | None = None


class SubgraphReply(BaseModel):
    """Nodes have an `id` and the fields of their kind."""

    nodes: list[dict[str, Any]]
    edges: list[EdgeReply]


Problem.model_rebuild()
AnswerReply.model_rebuild()
