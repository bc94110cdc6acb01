"""The atom: one small typed fact, proved against the words it came from.

The fields are those of docs/data-format.md. An `Atom` is a value; changing one makes another (`dataclasses.replace`). Times carry
an offset. `extra` holds frontmatter keys this version does not know: they are written back as they were.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Literal, TypeAlias

from ulid import ULID

from lattice_common.domain.capture import JsonValue, Source, SourceType, Trust
from lattice_common.domain.judgement import Status

Category: TypeAlias = Literal["fact", "preference", "instruction", "context"]
MemoryType: TypeAlias = Literal["episodic", "semantic", "procedural"]
Persistence: TypeAlias = Literal["ephemeral", "short_term", "long_term"]
Tier: TypeAlias = Literal["stm", "episodic", "semantic"]
RelationType: TypeAlias = Literal["updates", "extends", "derives", "contradicts", "may_update"]

KINDS: tuple[str, ...] = (
    "fact", "preference", "event", "goal", "decision", "belief", "habit", "count", "question", "recommendation",
    "reminder", "instruction", "insight", "synthesis",
)  # fmt: skip
"""The kinds that the product makes; a hand-written atom may use any other."""


@dataclass(frozen=True, slots=True)
class Span:
    """`[start, end)` in characters of the capture's text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Relation:
    """A weaker relation than supersession. This atom extends or derives from `target`, or contradicts it: only one of both can be
    true, and the owner has not said which. `may_update`: it likely outdates `target`, and the owner is asked. `updates`: it may
    have changed `target`, not surely enough to ask; it is ranked first where both are found."""

    type: RelationType
    target: str


EDITS = "edits"
"""Metadata key: ids of the changes in which an atom was given other words."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One fact. docs/data-format.md gives the meaning of each field; `status` says how it was meant (`domain.status`); `seq`
    orders all writes of this store and never decreases."""

    atom_id: str
    content: str
    kind: str
    subject: str
    capture_id: str
    source_quote: str
    source_span: Span
    observed_at: datetime
    ingested_at: datetime
    entities: tuple[str, ...] = ()
    category: Category = "fact"
    status: Status = "asserted"
    memory_type: MemoryType = "semantic"
    persistence: Persistence = "long_term"
    tier: Tier = "episodic"
    source: Source = "user"
    trust: Trust = "user"
    source_type: SourceType = "plain"
    source_id: str | None = None
    session_id: str | None = None
    segment_id: str | None = None
    extractor: str = "rules"
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    date_phrase: str | None = None
    quality_score: float = 1.0
    confidence: float = 0.8
    importance: float = 0.5
    recall_count: int = 0
    last_recalled_at: datetime | None = None
    episode_id: str | None = None
    is_superseded: bool = False
    superseded_by: str | None = None
    supersedes: tuple[str, ...] = ()
    superseded_reason: str | None = None
    relations: tuple[Relation, ...] = ()
    content_hash: str = ""
    normalized_content_hash: str = ""
    seq: int = 0
    archived: bool = False
    """Whether the owner archived it, so that it is recalled only on request: its file lies in `archive/`, and no key in it says
    so."""
    extra: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def speaker(self) -> str | None:
        """Return the speaker, where the source was a conversation with names."""
        name = self.metadata.get("speaker")
        return name if isinstance(name, str) else None

    @property
    def edits(self) -> tuple[str, ...]:
        """Return ids of the changes in which the owner gave it other words, oldest first; the journal has what it said before."""
        made = self.metadata.get(EDITS)
        return tuple(each for each in made if isinstance(each, str)) if isinstance(made, list) else ()

    @property
    def may_update(self) -> tuple[str, ...]:
        """Return ids of the atoms that it may have made untrue."""
        return tuple(relation.target for relation in self.relations if relation.type == "may_update")

    @property
    def contradicts(self) -> tuple[str, ...]:
        """Return ids of the atoms of which only one can be true beside it."""
        return tuple(relation.target for relation in self.relations if relation.type == "contradicts")

    @property
    def updates(self) -> tuple[str, ...]:
        """Return ids of the older atoms that it is ranked before, where both are found."""
        return tuple(relation.target for relation in self.relations if relation.type == "updates")

    @property
    def links(self) -> tuple[str, ...]:
        """Return ids of the atoms that it supersedes or relates to."""
        return (*self.supersedes, *(relation.target for relation in self.relations))


def atom_id_for(capture_id: str, ordinal: int) -> str:
    """Return the id of a capture's `ordinal`-th atom: a lower-case ULID with the capture's time and a hash of both, so that a
    redo gives the same id."""
    digest = hashlib.sha256(f"{capture_id}:{ordinal}".encode()).digest()
    timestamp = ULID.from_str(capture_id.upper()).bytes[:6]
    return str(ULID.from_bytes(timestamp + digest[:10])).lower()


def content_hash(content: str) -> str:
    """Return the SHA-256 of the content as it is (NFC), in hex: atoms with equal content are the same fact said again."""
    return hashlib.sha256(unicodedata.normalize("NFC", content).encode()).hexdigest()


_WORD = re.compile(r"\w+", re.UNICODE)


def normalized_content_hash(content: str) -> str:
    """Return the SHA-256 of the lower-case words (NFKC): differences of case, spacing or punctuation do not change it."""
    words = _WORD.findall(unicodedata.normalize("NFKC", content).casefold())
    return hashlib.sha256(" ".join(words).encode()).hexdigest()


@lru_cache(maxsize=4_096)
def normalize_subject(subject: str) -> str:
    """Return the form under which subjects are compared and linked: NFKC, case folded, words joined by one space.

    Cached: each atom's names are normalised some 25 times on its way into the store.
    """
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", subject).casefold()))


def numbers_in(name: str) -> list[str]:
    """Return the numbers in a name: where two names differ in one, they are of different things and not similar."""
    return sorted(word for word in name.split() if any(letter.isdigit() for letter in word))


def etag_of(atom: Atom) -> str:
    """Return 16 hex digits that change with every field that an owner sees or sets; usage counters are not included."""
    seen = replace(atom, recall_count=0, last_recalled_at=None, seq=0)
    return hashlib.sha256(repr(seen).encode()).hexdigest()[:16]


TO_COME = frozenset(("reminder", "goal"))
"""Kinds of what is yet to be done."""


def changed_on(newer: Atom, older: Atom) -> datetime:
    """Return from when on `newer` holds in the place of `older`: the time that it names, else when it was told. What was yet to
    come is changed on the day when that was said, not on the new date."""
    since = None if _is_to_come(older) else newer.valid_from
    return since or newer.observed_at


def is_ahead(newer: Atom, older: Atom, now: datetime) -> bool:
    """Return whether `newer` says what is only going to hold in the place of `older`, seen from a time: its day has not come, or
    it is planned for none."""
    if _is_to_come(older):
        return False
    return newer.status == "planned" if newer.valid_from is None else newer.valid_from > now


def _is_to_come(older: Atom) -> bool:
    """Return whether it was yet to come when it was told, so that what is newer may say another date of it."""
    dated_ahead = older.valid_from is not None and older.valid_from > older.observed_at
    return dated_ahead or older.status == "planned" or older.kind in TO_COME
