"""Bodies as docs/api.md gives them, and what becomes of domain values on the way out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from dataclasses import fields as dataclass_fields
from datetime import UTC, date, datetime, time
from typing import Annotated, Any, Literal

from lattice_common.capture.request import CaptureMetadata, given
from lattice_common.domain.atom import Atom, changed_on
from lattice_common.domain.capture import JsonValue
from lattice_common.domain.feedback import Outcome
from lattice_common.domain.forgetting import ForgetPreview, Forgettable
from lattice_common.domain.intent import Intent, OrderOutcome
from lattice_common.domain.passage import is_passage, passage_of
from lattice_common.domain.recall import Answer, Exchange, Filter, Meant, Query, Selected, Selection
from lattice_common.domain.receipt import CaptureStatus, Progress
from lattice_common.domain.replacement import change_in
from lattice_common.language.people import Entity
from lattice_common.lattice import Lattice
from lattice_common.recall.atom_view import AtomView
from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

LONGEST_QUESTION = 200_000
MOST_MENTIONS = 100
"""Atoms that mention an entity, of those that are shown with it."""
"""Characters; a question this long is a document, but it is answered all the same."""

Json = dict[str, Any]


class Body(BaseModel):
    """Unknown fields are an error of the client: 422."""

    model_config = ConfigDict(extra="forbid")


Channel = Annotated[str, Field(max_length=50, pattern=r"^[a-z0-9][a-z0-9_.-]*$")]
"""The door that somebody came by: `page`, `telegram`, `mcp`, `cli`."""


class FilterBody(Body):
    """Restricts what may be found; `after` is inclusive, `before` exclusive."""

    session_id: list[str] = []
    source_id: list[str] = []
    kind: list[str] = []
    after: AwareDatetime | None = None
    before: AwareDatetime | None = None


class ForgetBody(Body):
    """`POST /api/forget`. One of `atom_ids`, `subject`, `about`, `source`, `search`, and `after` with `before` says what; without
    `confirm` it is only shown. With `now` it does not lie in the trash first, and cannot be undone."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [
                given("atom_ids", type="array", minItems=1),
                *(given(each, type="string") for each in ("subject", "about", "source", "search")),
                {"anyOf": [given("after", type="string"), given("before", type="string")]},
            ]
        }
    )

    atom_ids: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=10_000)] = []
    subject: Annotated[str | None, Field(min_length=1, max_length=500)] = None
    about: Annotated[str | None, Field(min_length=1, max_length=500)] = None
    source: Annotated[str | None, Field(min_length=1, max_length=500)] = None
    search: Annotated[str | None, Field(min_length=1, max_length=2_000)] = None
    after: AwareDatetime | None = None
    before: AwareDatetime | None = None
    now: bool = False
    confirm: Annotated[str | None, Field(max_length=100)] = None
    channel: Channel | None = None

    def to_forgettable(self) -> Forgettable:
        """Return what is named, in the product's words."""
        return Forgettable(tuple(self.atom_ids), self.subject, self.about, self.source, self.search, self.after, self.before)


def forget_json(shown: ForgetPreview, change_id: str | None) -> Json:
    """Return what would go with its memories as they are, or what went with `change_id`."""
    return {
        **{each.name: getattr(shown, each.name) for each in dataclass_fields(shown)},
        "atoms": shown.atoms if change_id is None else (),
        "state": "confirm" if change_id is None else "forgotten" if shown.until is None else "in_trash",
        "change_id": change_id,
    }


def _at_the_end(moment: object) -> object:
    """Return a day alone as its last moment in the server's time zone: what was known that evening. Other values are
    unchanged."""
    if not isinstance(moment, str) or len(moment) != len("2026-05-01"):
        return moment
    try:
        return datetime.combine(date.fromisoformat(moment), time.max).astimezone()
    except (ValueError, OverflowError):  # also of the first and the last day of all, which have no offset
        return moment


AsOf = Annotated[
    AwareDatetime,
    BeforeValidator(_at_the_end),
    WithJsonSchema({"anyOf": [{"type": "string", "format": "date-time"}, {"type": "string", "format": "date"}]}),
]
"""How things stood at a moment, or at the end of a day."""


class SelectBody(Body):
    """`POST /api/select`."""

    query: Annotated[str, Field(max_length=LONGEST_QUESTION)]
    limit: Annotated[int, Field(ge=1, le=100)] = 15
    as_of: AsOf | None = None
    include_superseded: bool = False
    include_archived: bool = False
    explain: bool = False
    judged: bool = Field(
        False,
        description="The judge reads the best memories, so that order and `answerable` are as in an answer: 35 ms more.",
    )
    filter: FilterBody = FilterBody()

    def to_query(self) -> Query:
        """Return the question in the product's words."""
        chosen = self.filter
        return Query(
            text=self.query,
            limit=self.limit,
            as_of=self.as_of,
            include_superseded=self.include_superseded,
            include_archived=self.include_archived,
            explain=self.explain,
            judged=self.judged,
            filter=Filter(tuple(chosen.session_id), tuple(chosen.source_id), tuple(chosen.kind), chosen.after, chosen.before),
        )


class ExchangeBody(Body):
    """One earlier question and its answer."""

    question: Annotated[str, Field(max_length=LONGEST_QUESTION)]
    answer: Annotated[str, Field(max_length=LONGEST_QUESTION)]


class AnswerBody(Body):
    """`POST /api/answer`. `history` is the conversation before the question, oldest first: follow-ups are understood from it."""

    query: Annotated[str, Field(max_length=LONGEST_QUESTION)]
    atom_ids: Annotated[list[str], Field(max_length=100)] = []
    as_of: AsOf | None = None
    include_archived: bool = False
    history: Annotated[list[ExchangeBody], Field(max_length=50)] = []
    session_id: Annotated[str | None, Field(max_length=500)] = None
    channel: Channel | None = None

    def to_history(self) -> list[Exchange]:
        """Return the turns before, in the product's words."""
        return [Exchange(turn.question, turn.answer) for turn in self.history]


class QueryBody(Body):
    """`POST /api/query`."""

    question: Annotated[str, Field(max_length=10_000_000, pattern=r"\S")]
    session_id: Annotated[str | None, Field(max_length=500)] = None
    intent: Literal["auto", "tell", "ask", "do"] = "auto"
    as_of: AsOf | None = None
    include_archived: bool = False
    channel: Channel = "api"
    metadata: CaptureMetadata = Field(default_factory=CaptureMetadata, description="Of what is told; a question has none.")

    @property
    def wants(self) -> Intent | None:
        """Return None where it was left open. A whole document is told, whatever its last character."""
        if self.intent != "auto":
            return self.intent
        return None if len(self.question) <= LONGEST_QUESTION else "tell"

    @model_validator(mode="after")
    def _no_document_is_a_question(self) -> QueryBody:
        if self.intent == "ask" and len(self.question) > LONGEST_QUESTION:
            raise ValueError(f"a question has at most {LONGEST_QUESTION:,} characters")
        return self


class IntentBody(Body):
    """`POST /api/intent`: what is being typed."""

    text: Annotated[str, Field(max_length=LONGEST_QUESTION, pattern=r"\S")]


class DoBody(Body):
    """`POST /api/do`: words that ask for something to be done, or the `token` of what was shown."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [given("text", type="string"), given("token", type="string")]})

    text: Annotated[str | None, Field(max_length=LONGEST_QUESTION, pattern=r"\S")] = None
    token: Annotated[str | None, Field(max_length=100)] = None
    channel: Channel = "api"

    @model_validator(mode="after")
    def _one_of_both(self) -> DoBody:
        if (self.text is None) == (self.token is None):
            raise ValueError("send either `text` or the `token` of what is to be confirmed")
        return self


CAN_BE_TAKEN_AWAY = frozenset({"valid_from", "valid_until"})
"""Fields that an edit may set to null."""


def _changes_something(schema: dict[str, Any]) -> None:
    """Say that one field is given at least, and take null out of what the document says of those that cannot be taken away: left
    out they stay, and null is refused."""
    schema["anyOf"] = [{"required": [name]} for name in schema["properties"] if name != "channel"]
    for name, shape in schema["properties"].items():
        if name not in CAN_BE_TAKEN_AWAY and "anyOf" in shape:
            [one] = [each for each in shape.pop("anyOf") if each != {"type": "null"}]
            shape.pop("default", None)
            shape |= one


class EditBody(Body):
    """`PATCH /api/atoms/{id}`: what is given is set. Other words are the owner's own from then on, but for those that come by
    the `channel` `mcp`: an assistant's wording leaves it whose they were."""

    model_config = ConfigDict(json_schema_extra=_changes_something)

    content: Annotated[str | None, Field(min_length=1, max_length=20_000)] = None
    subject: Annotated[str | None, Field(min_length=1, max_length=500)] = None
    kind: Annotated[str | None, Field(min_length=1, max_length=50)] = None
    category: Literal["fact", "preference", "instruction", "context"] | None = None
    memory_type: Literal["episodic", "semantic", "procedural"] | None = None
    persistence: Literal["ephemeral", "short_term", "long_term"] | None = None
    entities: list[str] | None = None
    valid_from: AwareDatetime | None = None
    valid_until: AwareDatetime | None = None
    importance: Annotated[float | None, Field(ge=0, le=1)] = None
    confidence: Annotated[float | None, Field(ge=0, le=1)] = None
    channel: Channel = "api"

    @model_validator(mode="after")
    def _only_dates_can_be_taken_away(self) -> EditBody:
        empty = [name for name in self.model_fields_set - CAN_BE_TAKEN_AWAY if getattr(self, name) is None]
        if empty:
            raise ValueError(f"`{min(empty)}` cannot be null: leave it out to keep it as it is")
        return self

    def to_fields(self) -> dict[str, JsonValue]:
        """Return the fields that were sent, a null among them, as they are written into a file."""
        return self.model_dump(mode="json", include=self.model_fields_set - {"channel"})


class PreferBody(Body):
    """`POST /api/atoms/{id}/prefer`: the memory that the one in the address replaces."""

    over: Annotated[str, Field(min_length=1, max_length=100)]


class MergeBody(Body):
    """`POST /api/atoms/{id}/merge`: the memory that says the same as the one in the address."""

    other: Annotated[str, Field(min_length=1, max_length=100)]


class ReviewBody(Body):
    """`POST /api/review`: whether the older of two memories still holds beside the newer (`both`), or not (`replaced`)."""

    newer: Annotated[str, Field(min_length=1, max_length=100)]
    older: Annotated[str, Field(min_length=1, max_length=100)]
    outcome: Outcome
    channel: Channel = "api"


class WhoBody(Body):
    """`POST /api/entities/merge` and `/split`: two names are one, or are not; `other` may be a role as "my brother"."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    other: Annotated[str, Field(min_length=1, max_length=200)]
    channel: Channel = "api"


class ArchiveBody(Body):
    """`POST /api/archive` and `/api/archive/restore`: which memories."""

    atom_ids: Annotated[list[Annotated[str, Field(max_length=100)]], Field(min_length=1, max_length=1_000)]
    channel: Channel = "api"


class LoginBody(Body):
    """`POST /api/login`: a token, or the code of a one-time link."""

    token: Annotated[str | None, Field(max_length=10_000)] = None
    code: Annotated[str | None, Field(max_length=1000)] = None


def status_json(status: CaptureStatus) -> Json:
    """Return a capture as docs/api.md, `CaptureReply`, shows it."""
    receipt = status.receipt
    body: Json = {
        "capture_id": status.capture_id,
        "state": status.state,
        "atoms_new": receipt.atoms_new if receipt else 0,
        "atoms_updated": receipt.atoms_updated if receipt else 0,
        "duplicates_skipped": receipt.duplicates_skipped if receipt else 0,
        "rejected": receipt.rejected if receipt else 0,
        "atom_ids": receipt.atom_ids if receipt else (),
        "queued": status.queued,
        "reason": receipt.reason if receipt else status.reason,
        "attempts": status.attempts,
        "notes": receipt.notes if receipt else (),
        "received_at": status.received_at,
        "finished_at": receipt.finished_at if receipt else None,
    }
    if status.progress and not receipt:
        body["progress"] = progress_json(status.progress)
    return body


def progress_json(progress: Progress) -> Json:
    """Return where a capture is."""
    return {"stage": progress.stage, "done": progress.done, "total": progress.total}


def browsed_json(atoms: Sequence[Atom], lattice: Lattice) -> list[Json]:
    """Return the memories of a list, with what took their place, and what they took the place of."""
    replaced, former = successors(atoms, lattice), _predecessors(atoms, lattice)
    return [{**lattice.fields(atom), **replaced.get(atom.atom_id, {}), **former.get(atom.atom_id, {})} for atom in atoms]


def successors(atoms: Sequence[Atom], lattice: Lattice) -> dict[str, Json]:
    """Return, by the ids of those that were replaced, what took their place and when."""
    replaced = [(atom, atom.superseded_by) for atom in atoms if atom.is_superseded and atom.superseded_by]
    newer = {each.atom_id: each for each in lattice.atoms([by for _, by in replaced])}
    return {atom.atom_id: {"successor": _turned(newer[by], atom, newer[by])} for atom, by in replaced if by in newer}


def _predecessors(atoms: Sequence[Atom], lattice: Lattice) -> dict[str, Json]:
    """Return, by the ids of those that replaced others, what they took the place of and when."""
    older = {each.atom_id: each for each in lattice.atoms([old for atom in atoms for old in atom.supersedes])}
    found = {atom.atom_id: [older[old] for old in atom.supersedes if old in older] for atom in atoms if atom.supersedes}
    by_id = {atom.atom_id: atom for atom in atoms}
    return {
        atom_id: {"predecessors": [_turned(old, old, by_id[atom_id]) for old in former]}
        for atom_id, former in found.items()
        if former
    }


def _turned(shown: Atom, older: Atom, newer: Atom) -> Json:
    """Return one of two, and how and when the older became the newer."""
    named = {"atom_id": shown.atom_id, "content": shown.content, "on": changed_on(newer, older)}
    return {**named, "change": change_in(older.superseded_reason)}


def selected_json(found: Sequence[Selected], lattice: Lattice) -> list[Json]:
    """Return what was found, those that were replaced with what took their place."""
    replaced = successors([each.atom for each in found], lattice)
    return [{**_found_json(each, lattice), **replaced.get(each.atom.atom_id, {})} for each in found]


def _found_json(selected: Selected, lattice: Lattice) -> Json:
    """Return an atom, or a passage of a document, that was found: its fields, its score, and its signals where they were asked
    for."""
    kind = "passage" if is_passage(selected.atom) else "memory"
    body: Json = {"type": kind, **lattice.fields(selected.atom), "score": selected.score}
    if kind == "passage":
        body["passage_of"] = passage_of(selected.atom)
    if selected.outdated_by:
        body["may_be_outdated_by"] = selected.outdated_by
    if selected.signals:
        body["signals"] = dict(selected.signals)  # orjson writes dataclasses as they are
    return body


def selection_json(selection: Selection, lattice: Lattice, *, explain: bool = False) -> Json:
    """Return the answer of `POST /api/select`."""
    return {
        "atoms": selected_json(selection.atoms, lattice),
        "answerable": selection.answerable,
        "confidence": selection.confidence,
        "shape": selection.shape,
        "degraded": selection.degraded,
        "trace_id": selection.trace_id,
        "took_ms": selection.took_ms,
        **({"meant": [meant_json(each) for each in selection.meant]} if explain else {}),
    }


def meant_json(meant: Meant) -> Json:
    """Return whom words of a question mean."""
    return {"asked": meant.asked, "names": meant.names, "entities": meant.entities, "proofs": meant.proofs}


def entity_json(entity: Entity) -> Json:
    """Return one of `GET /api/entities`."""
    return {
        "entity_id": entity.entity_id,
        "name": entity.name,
        "kind": entity.kind,
        "names": entity.names,
        "roles": [
            {
                "role": role.role.replace("_", " "),
                "phrase": role.phrase,
                "since": _moment(role.since),
                "until": _moment(role.until),
                "proofs": role.proofs,
            }
            for role in entity.roles
        ],
    }


def entity_view_json(entity: Entity, lattice: Lattice) -> Json:
    """Return the answer of `GET /api/entity`."""
    return {
        **entity_json(entity),
        "proofs": [lattice.fields(atom) for atom in lattice.atoms(entity.proofs)],
        "mentions": [lattice.fields(atom) for atom in lattice.mentions(entity, MOST_MENTIONS)],
    }


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, tz=UTC)


def _disagreements(answer: Answer, lattice: Lattice) -> list[Json]:
    """Return what can't be true beside what is cited, each pair once: the owner says which to keep."""
    if not answer.answered:
        return []
    atoms = {each.atom.atom_id: each.atom for each in answer.atoms}
    pairs: dict[frozenset[str], Json] = {}
    for atom in (atoms[each.atom_id] for each in answer.citations if each.atom_id in atoms):
        for other in lattice.disagreeing(atom):
            both = {"atom": lattice.fields(atom), "disagrees_with": lattice.fields(other)}
            pairs.setdefault(frozenset((atom.atom_id, other.atom_id)), both)
    return list(pairs.values())


def final_json(answer: Answer, lattice: Lattice) -> Json:
    """Return what `citations_applied` says: the whole answer but for its atoms, which came first."""
    return {
        "answer": answer.answer,
        "num_map": {str(each.n): each.atom_id for each in answer.citations},
        "citations": answer.citations,
        "answered": answer.answered,
        "disagreements": _disagreements(answer, lattice),
        **_written_json(answer),
    }


def _written_json(answer: Answer) -> Json:
    """Return how an answer came about, and what is to be doubted in it."""
    return {
        "unsupported": answer.doubts,
        "used_llm": answer.used_llm,
        "model": answer.model,
        "warnings": answer.warnings,
        "reformulated_query": answer.reformulated_query,
        "pii_protected": answer.pii_protected,
    }


def answer_json(answer: Answer, lattice: Lattice) -> Json:
    """Return the answer of `POST /api/answer`."""
    return {
        "answer": answer.answer,
        "citations": answer.citations,
        "answered": answer.answered,
        "atoms": selected_json(answer.atoms, lattice),
        "related_subjects": answer.related_subjects,
        "trace_id": answer.trace_id,
        "disagreements": _disagreements(answer, lattice),
        **_written_json(answer),
    }


def view_json(view: AtomView, lattice: Lattice) -> Json:
    """Return one atom with its source, its history and what it is linked to."""
    types = {relation.target: relation.type for relation in view.atom.relations if relation.type != "contradicts"}
    newer = {each.atom_id: each for each in (view.atom, *view.history)}
    related = lattice.atoms(list(types))
    replaced = successors(related, lattice)
    return {
        "relations": [],
        **lattice.fields(view.atom),
        "etag": view.etag,
        "source": view.source,
        "history": [
            {
                "atom_id": old.atom_id,
                "content": old.content,
                "observed_at": old.observed_at,
                "superseded_reason": old.superseded_reason,
                **_replacement(old, newer.get(old.superseded_by or "")),
            }
            for old in view.history
        ],
        **_replacement(view.atom, view.replaced_by),
        "edits": view.edits,
        "related": [_linked(other, types[other.atom_id]) | replaced.get(other.atom_id, {}) for other in related],
        "disagrees": [_linked(other, "contradicts") for other in lattice.disagreeing(view.atom)],
        "may_be_outdated_by": [_linked(other, "may_update") for other in lattice.doubted_by(view.atom)],
        "replaced_by": lattice.fields(view.replaced_by) if view.replaced_by else None,
    }


def _linked(other: Atom, relation: str) -> Json:
    """Return what an atom is linked to, and how."""
    return {"atom_id": other.atom_id, "content": other.content, "observed_at": other.observed_at, "type": relation}


def _replacement(older: Atom, newer: Atom | None) -> Json:
    """Return old → new, and its day."""
    return {"change": change_in(older.superseded_reason), "replaced_on": changed_on(newer, older) if newer else None}


def order_json(done: OrderOutcome, product: Lattice) -> Json:
    """Return the answer of `POST /api/do`."""
    return {**asdict(replace(done, atoms=())), "atoms": browsed_json(done.atoms, product)}
