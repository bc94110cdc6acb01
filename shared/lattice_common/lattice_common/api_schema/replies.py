"""Memories, captures and what is found."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from lattice_common.api_schema.values import FromOne, Moment, Share


class Problem(TypedDict):
    """RFC 9457; `instance` is the trace id, and `errors` names the fields of a 422."""

    type: str
    title: str
    status: int
    detail: str
    instance: NotRequired[str | None]
    errors: NotRequired[list[FieldError] | None]


class FieldError(TypedDict):
    """One field that could not be taken."""

    field: str
    message: str


class ProgressReply(TypedDict):
    """Where a capture is: `done` of `total` parts of a stage."""

    stage: Literal["read", "segment", "extract", "ground", "reconcile", "commit", "index"]
    done: int
    total: int


class CaptureReply(TypedDict):
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
    received_at: Moment | None
    finished_at: Moment | None
    progress: NotRequired[ProgressReply | None]


class CapturesReply(TypedDict):
    """A page; `cursor` asks for the next, and is null on the last."""

    captures: list[CaptureReply]
    cursor: str | None


class SpanReply(TypedDict):
    """Character offsets into the capture's text."""

    start: int
    end: int


class RelationReply(TypedDict):
    """From this atom to another."""

    type: Literal["updates", "extends", "derives", "contradicts", "may_update"]
    target: str


class AtomReply(TypedDict):
    """ATOM: the fields of an atom's file that have a value, and its content. A file may have more, by hand."""

    atom_id: str
    content: str
    kind: str
    subject: str
    category: str
    status: NotRequired[Literal["asserted", "past", "planned", "wished", "supposed", "quoted", "joked", "rejected", "uncertain"]]
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
    observed_at: Moment
    ingested_at: Moment
    quality_score: float
    confidence: Share
    importance: Share
    recall_count: int
    is_superseded: bool
    archived: NotRequired[bool]
    content_hash: str
    entities: NotRequired[list[str]]
    source_id: NotRequired[str | None]
    session_id: NotRequired[str | None]
    segment_id: NotRequired[str | None]
    metadata: NotRequired[dict[str, Any]]
    valid_from: NotRequired[Moment | None]
    valid_until: NotRequired[Moment | None]
    date_phrase: NotRequired[str | None]
    last_recalled_at: NotRequired[Moment | None]
    episode_id: NotRequired[str | None]
    superseded_by: NotRequired[str | None]
    supersedes: NotRequired[list[str]]
    superseded_reason: NotRequired[str | None]
    relations: NotRequired[list[RelationReply]]


class SignalReply(TypedDict):
    """One part of a score: contribution = value × weight."""

    value: float
    weight: float
    contribution: float


class SuccessorReply(TypedDict):
    """What took the place of a memory, or was in its place before; `on` is when that changed, old → new in `change`, where that
    can be said in a word or two."""

    atom_id: str
    content: str
    on: Moment
    change: ValueChangeReply | None


class BrowsedReply(AtomReply):
    """A memory in a list; `successor` where it was replaced by one that is there, `predecessors` where it replaced others that
    are there."""

    successor: NotRequired[SuccessorReply]
    predecessors: NotRequired[list[SuccessorReply]]


class SelectedReply(BrowsedReply):
    """An atom that was found; or a passage of a document in the same shape, which is no memory: it can be looked at by its id,
    and not be changed."""

    type: NotRequired[Literal["memory", "passage"]]
    passage_of: NotRequired[str | None]
    """Of a passage: the document and the place in it, "lease.pdf, page 3"."""
    score: float
    signals: NotRequired[dict[str, SignalReply]]
    may_be_outdated_by: NotRequired[str | None]
    """A newer atom that may have made it untrue; `GET /api/review` asks its owner."""


class MeantReply(TypedDict):
    """Whom words of a question mean: the names that were sought beside them, the entities, and the atoms that say so."""

    asked: str
    names: list[str]
    entities: list[str]
    proofs: list[str]


class SelectReply(TypedDict):
    """`degraded` names what search had to go without; `meant`, with `explain`, whom the question means by another name."""

    atoms: list[SelectedReply]
    answerable: bool
    confidence: Share
    shape: Literal["aggregation", "temporal", "preference", "recommendation", "factual"]
    degraded: list[str]
    trace_id: str
    took_ms: float
    meant: NotRequired[list[MeantReply] | None]


class CitationReply(TypedDict):
    """Where a sentence of an answer comes from; `n` is the number in it."""

    n: FromOne
    atom_id: str
    quote: str
    source_id: str | None
    observed_at: Moment
    supported: bool


class DoubtReply(TypedDict):
    """A sentence, `answer[start:end]` in characters, that what it cites does not bear out, and because of which words; or that
    cites nothing."""

    start: int
    end: int
    reason: Literal["uncited", "number", "name", "date", "negation", "content"]
    words: str


class AnswerReply(TypedDict):
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
    unsupported: NotRequired[list[DoubtReply]]
    model: NotRequired[str | None]
    reformulated_query: NotRequired[str | None]
    pii_protected: NotRequired[bool]
    disagreements: NotRequired[list[ConflictReply]]


class IntentReply(TypedDict):
    """What words are meant for, how sure that is, and who read it: certain `rules`, the `judge`, a `guess` of rules, or a
    language `model`."""

    intent: Literal["tell", "ask", "do"]
    sure: Share
    by: Literal["rules", "judge", "guess", "model"]


class OrderReply(TypedDict):
    """What became of a request. `confirm`: nothing was done yet; `token` carries it out within ten minutes, and `atoms` are the
    first of the `found` that would go. `unclear`: tell or ask it instead. `change_id` takes back what was done; `href` is where
    to get what was asked for."""

    action: Literal["undo", "forget", "export", "help", "status", "unclear"]
    state: Literal["done", "confirm", "unclear"]
    message: str
    atoms: list[BrowsedReply]
    found: int
    token: str | None
    change_id: str | None
    href: str | None


class ForgetReply(TypedDict):
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
    passages: NotRequired[int]
    """Sentences of documents that say it, and of which no memory was made: they go with `now` only."""
    until: str | None
    change_id: str | None


class ImportReply(TypedDict):
    """What came from a source with a name, from the `first` to the `last`; `current` of its memories are not replaced."""

    source_id: str
    captures: int
    memories: int
    current: int
    first: Moment
    last: Moment


class AccountReply(TypedDict):
    """The account of an export: `found` is the sum of `stored`, `duplicate` (known before), `rejected` (nothing to remember),
    `skipped`, `dead` and `waiting` (for their receipts). `left_out` counts the reasons, `named` tells the first by name."""

    source_id: str
    found: int
    stored: int
    duplicate: int
    rejected: int
    skipped: int
    dead: int
    waiting: int
    atoms_new: int
    first: str | None
    last: str | None
    left_out: dict[str, int]
    named: list[str]


class ImportsReply(TypedDict):
    """Sources with a name, the latest first."""

    imports: list[ImportReply]


class AtomsReply(TypedDict):
    """Some atoms."""

    atoms: list[BrowsedReply]


class ExcerptReply(TypedDict):
    """Some lines around a quote: `text[start:end]` is the quote. Of a file, `original` is its name, and `place` where in it the
    quote stands (`GET /api/captures/{id}/original` has its bytes)."""

    capture_id: str
    text: str
    start: int
    end: int
    original: str | None
    place: str | None


class ValueChangeReply(TypedDict):
    """What was said before and what is said now, in a word or two; `after` is null where it only ended."""

    before: str
    after: str | None


class WordingReply(TypedDict):
    """What an atom said `until` its owner edited it."""

    content: str
    until: Moment
    change_id: str


class FormerReply(TypedDict):
    """What an atom replaced: old → new in `change`, where that can be said in a word or two, and since when."""

    atom_id: str
    content: str
    observed_at: Moment
    superseded_reason: str | None
    change: ValueChangeReply | None
    replaced_on: Moment | None


class RelatedReply(TypedDict):
    """What an atom is linked to; `successor` where that was replaced by one that is there."""

    atom_id: str
    content: str
    observed_at: Moment
    type: str
    successor: NotRequired[SuccessorReply]


class AtomViewReply(AtomReply):
    """One atom, the words it comes from, what it replaced and what it said before its edits, newest first. `change` and
    `replaced_on` say what became of it where it was replaced itself."""

    etag: str
    """What `If-Match` wants, as in the header, without its quotes."""
    source: ExcerptReply | None  # type: ignore[misc]  # here it is the excerpt, in lists it is who said it
    history: list[FormerReply]
    related: list[RelatedReply]
    disagrees: list[RelatedReply]
    may_be_outdated_by: list[RelatedReply]
    replaced_by: AtomReply | None
    change: ValueChangeReply | None
    replaced_on: Moment | None
    edits: list[WordingReply]


class ConflictReply(TypedDict):
    """Two atoms of which only one can be true."""

    atom: AtomReply
    disagrees_with: AtomReply


class ConflictsReply(TypedDict):
    """What the owner has not settled yet."""

    conflicts: list[ConflictReply]


class ArchivedReply(TypedDict):
    """A page of what is archived, newest memory first; `count` is of all there are."""

    atoms: list[AtomReply]
    count: int


class ArchiveCandidateReply(TypedDict):
    """A memory that may be archived: how sure it still is after all this time, and since when nobody told or recalled it."""

    atom: AtomReply
    confidence: Share
    unused_since: Moment


class ArchiveCandidatesReply(TypedDict):
    """What may be archived, the faintest first. Nothing is archived but by its owner."""

    candidates: list[ArchiveCandidateReply]


class ReviewPairReply(TypedDict):
    """`newer` may have made `older` untrue, `since` it was said. `question` is about the older one."""

    newer: AtomReply
    older: AtomReply
    question: str
    since: Moment


class ReviewReply(TypedDict):
    """What the owner is asked, newest first; `count` is of all there are."""

    review: list[ReviewPairReply]
    count: int


class EntityRoleReply(TypedDict):
    """What an entity is to somebody: `role` in English, `phrase` as "my brother", since when it is known and until when it held
    (null: it holds), and the ids of the atoms that say so."""

    role: str
    phrase: str
    since: Moment
    until: Moment | None
    proofs: list[str]


class EntityReply(TypedDict):
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


class EntitiesReply(TypedDict):
    """Who and what memory knows, by name."""

    entities: list[EntityReply]


class ChangeReply(TypedDict):
    """What `POST /api/undo/{change_id}` takes back."""

    change_id: str


class RejectedReply(TypedDict):
    """A candidate that was set aside, and why."""

    rejected_id: str
    capture_id: str
    at: Moment
    content: str
    quote: str
    reason: str
    detail: str | None
    kept: bool


class RejectionsReply(TypedDict):
    """What was set aside, newest first."""

    rejected: list[RejectedReply]


class EdgeReply(TypedDict):
    """From one node to another."""

    source: str
    target: str
    kind: str


class NamedNodeReply(TypedDict):
    """A node by its `id`, its `kind`, and what it is called: of a memory, what it says."""

    id: str
    kind: str
    name: str


class NeighbourReply(TypedDict):
    """What a node is linked to: an edge of this `kind` leads there, or comes from there."""

    kind: str
    direction: Literal["to", "from"]
    node: NamedNodeReply


class NodeReply(TypedDict):
    """A node, and at most 200 of what it is linked to."""

    node: NamedNodeReply
    linked: list[NeighbourReply]


class PathsReply(TypedDict):
    """Ways between two nodes, each with both ends."""

    paths: list[list[NamedNodeReply]]


class GraphStatsReply(TypedDict):
    """Counts, the hash over all of it, what is wrong, and of its files the schema, the generation and when that was begun."""

    nodes: int
    edges: int
    state_hash: str
    trouble: str | None
    schema_version: NotRequired[int | None]
    generation: NotRequired[int | None]
    built_at: NotRequired[Moment | None]
    bytes: NotRequired[int | None]


class SubgraphReply(TypedDict):
    """Nodes have an `id` and the fields of their kind."""

    nodes: list[dict[str, Any]]
    edges: list[EdgeReply]
