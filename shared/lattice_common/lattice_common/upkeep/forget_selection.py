"""What the owner means to forget, and what would go with it, before anything is done.

A preview is carried out only while it still is what would go: its confirmation is a hash of it, so it is valid in every process,
and after a restart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import islice

from lattice_common.domain.atom import Atom, normalize_subject
from lattice_common.domain.capture import Capture, ForgetAtoms
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.domain.forgetting import ForgetPreview, Forgettable, Passage
from lattice_common.domain.recall import Query, Selection
from lattice_common.errors import Conflict, InvalidInput, NotFound
from lattice_common.language.forgotten_words import words_of
from lattice_common.language.sentences.split import sentences
from lattice_common.language.text import analyze, query_tokens
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.clock import Clock
from lattice_common.ports.journal import Journal, whole_entry
from lattice_common.ports.line_log import LineLog
from lattice_common.ports.passages import PassageReader
from lattice_common.upkeep.reflection.atoms import leaning_on

MOST = 10_000
"""Memories that are forgotten at once."""
SHOWN = 50
"""Memories of a preview that are shown; the ids of all are given."""
SEARCHED = 100
"""Memories that a search may find at most: what it does not find is less related."""
CHAT_LOOKED_AT = 20_000
"""Turns of the conversation that are searched for lines to be erased."""


class ForgetSelection:
    """Safe to call from several threads. `keep` is how long deleted memories stay in the trash; `backups` is the log of `lattice
    backup`; `reaches` returns whether a backup can be written anew; `lying` returns what is in the trash."""

    def __init__(
        self,
        catalogue: CatalogueReader,
        journal: Journal,
        chat: LineLog,
        backups: LineLog,
        clock: Clock,
        keep: timedelta,
        select: Callable[[Query], Selection],
        passages: PassageReader,
        reaches: Callable[[str], bool],
        lying: Callable[[], Iterable[Atom]],
    ) -> None:
        self._catalogue = catalogue
        self._journal = journal
        self._chat = chat
        self._backups = backups
        self._clock = clock
        self._keep = keep
        self._select = select
        self._passages = passages
        self._reaches = reaches
        self._lying = lying

    def preview(self, wanted: Forgettable, *, now: bool) -> ForgetPreview:
        """Return what would go. Raise `InvalidInput` for a request that names nothing or too much, `NotFound` where nothing
        matches."""
        chosen = self._meant(wanted)
        # The same words told twice are one thing to forget.
        same = [each for atom in chosen for each in self._catalogue.with_hash(normalized=atom.normalized_content_hash)]
        ids = list(dict.fromkeys([*(atom.atom_id for atom in chosen), *same]))
        atoms = self._catalogue.get(ids)
        concluded = [atom.atom_id for atom in leaning_on(ids, self._catalogue)]
        there = {atom.atom_id for atom in atoms}
        # What is in the trash already is erased at once, or when its time is over.
        lying = self._lying_too(wanted, there, atoms) if now else []
        every = (*sorted(there), *sorted(set(concluded) - there), *sorted(lying))
        beside = self._stretches(wanted.about) if wanted.about is not None else []
        if not every and beside and not now:
            raise NotFound(
                f"No memory says that, and {len(beside)} sentences of documents do. They have no trash: "
                "forget them with `now` (--now)."
            )
        if not every and not beside:
            meant = wanted.atom_ids[0] if wanted.atom_ids else "that"
            raise NotFound(f"There is nothing to forget for {meant}: no memory is meant by it. Look for it first, then name it.")
        if len(every) > MOST:
            raise InvalidInput(f"That is {len(every):,} memories, and {MOST:,} are forgotten at once at most. Name fewer.")
        told_in = [atom.capture_id for atom in atoms if atom.capture_id and not is_conclusion(atom)]
        captures = tuple(dict.fromkeys([*told_in, *(each.capture_id for each in (beside if now else ()))]))
        return ForgetPreview(
            confirm=_confirmation((*every, *map(str, beside)), now=now),
            atom_ids=every,
            atoms=tuple(atoms[:SHOWN]),
            in_trash=len(lying),
            conclusions=tuple(sorted(set(concluded))),
            captures=captures,
            files=tuple(each for each in captures if self._came_as_file(each)),
            chat_turns=self._turns_on(frozenset(every)),
            backups=tuple(file for file in self._backup_files() if self._reaches(file)),
            backups_out_of_reach=tuple(file for file in self._backup_files() if not self._reaches(file)),
            until=None if now else self._clock.now() + self._keep,
            passages=len(beside),
        )

    def confirmed(self, wanted: Forgettable, confirm: str, *, now: bool) -> tuple[ForgetAtoms, ForgetPreview]:
        """Return the command that carries it out. Raise `Conflict` (412) when it is not what was shown any more."""
        shown = self.preview(wanted, now=now)
        if shown.confirm != confirm:
            raise Conflict("What would be forgotten is not what you were shown any more: look at it again.", status=412)
        beside = self._stretches(wanted.about) if now and wanted.about is not None else []
        return ForgetAtoms(shown.atom_ids, now=now, stretches=tuple(map(str, beside))), shown

    def _meant(self, wanted: Forgettable) -> list[Atom]:
        named = [
            bool(wanted.atom_ids),
            wanted.subject is not None,
            wanted.about is not None,
            wanted.source is not None,
            wanted.search is not None,
            wanted.after is not None or wanted.before is not None,
        ]
        if sum(named) != 1:
            raise InvalidInput(
                "Say in one way what is to be forgotten: by ids, a subject, a name, a source, a search, or between two days."
            )
        known = self._catalogue
        if wanted.atom_ids:
            return known.get(wanted.atom_ids)
        if wanted.subject is not None:
            return known.get(known.same_subject(wanted.subject, after=(-1, ""), limit=MOST + 1))
        if wanted.about is not None:
            return list(islice(self._saying(wanted.about), MOST + 1))
        if wanted.source is not None:
            return known.get([*known.of_source(wanted.source), *known.of_capture(wanted.source)])
        if wanted.search is not None:
            return found_with_all(wanted.search, SEARCHED, self._select)
        return list(islice(self._said_between(wanted), MOST + 1))

    def _lying_too(self, wanted: Forgettable, there: set[str], atoms: Sequence[Atom]) -> list[str]:
        """Return the ids of what is meant and in the trash; the writer checks ids that are not known."""
        named = [each for each in dict.fromkeys(wanted.atom_ids) if each not in there]
        words = {atom.normalized_content_hash for atom in atoms}
        found = (each for each in self._lying() if each.normalized_content_hash in words or _is_meant(each, wanted))
        return list(dict.fromkeys([*named, *(each.atom_id for each in found if each.atom_id not in there)]))

    def _saying(self, about: str) -> Iterator[Atom]:
        """Yield memories with all these words in their text fields."""
        words = set(words_of(about))
        if not words:
            raise InvalidInput("Say a name, or words, that what is to be forgotten holds.", field="about")
        return (atom for atom in self._catalogue.all() if _says(atom, words))

    def _stretches(self, about: str) -> list[Passage]:
        """Return sentences of documents with all these words."""
        words = set(words_of(about))
        found: list[Passage] = []
        for capture_id in self._passages.captures() if words else ():
            parts = [each for each in self._passages.of_capture(capture_id) if words <= set(words_of(each.content))]
            said = whole_entry(self._journal, capture_id) if parts else None
            if not isinstance(said, Capture):
                continue
            text = said.text
            spans = dict.fromkeys(span for each in parts for span in sentences(text, each.start, each.end))
            found += [
                Passage(capture_id, span.start, span.end) for span in spans if words <= set(words_of(text[span.start : span.end]))
            ]
        return found

    def _said_between(self, wanted: Forgettable) -> Iterator[Atom]:
        return (atom for atom in self._catalogue.all() if _is_of_the_time(atom, wanted))

    def _came_as_file(self, capture_id: str) -> bool:
        said = whole_entry(self._journal, capture_id)
        return isinstance(said, Capture) and said.original is not None

    def _turns_on(self, atom_ids: frozenset[str]) -> int:
        turns = islice(self._chat.newest(), CHAT_LOOKED_AT)
        return sum(isinstance(ids := turn.get("atom_ids"), list) and not atom_ids.isdisjoint(map(str, ids)) for turn in turns)

    def _backup_files(self) -> list[str]:
        return list(dict.fromkeys(str(line.get("file", "")) for line in self._backups.newest()))


def found_with_all(search: str, limit: int, select: Callable[[Query], Selection]) -> list[Atom]:
    """Return those of the first results of a search that contain all its words: what is only similar stays."""
    found = select(Query(search, limit=limit, include_superseded=True)).atoms
    return [each.atom for each in found if _has_all(each.atom, search)]


def _is_meant(atom: Atom, wanted: Forgettable) -> bool:
    """Return whether a memory is one that the owner names otherwise than by its id."""
    if wanted.subject is not None:
        return normalize_subject(atom.subject) == normalize_subject(wanted.subject)
    if wanted.about is not None:
        return _says(atom, set(words_of(wanted.about)))
    if wanted.source is not None:
        return wanted.source in (atom.source_id, atom.capture_id)
    if wanted.search is not None:
        return _has_all(atom, wanted.search)
    return not wanted.atom_ids and _is_of_the_time(atom, wanted)


def _says(atom: Atom, words: set[str]) -> bool:
    """Return whether all these words stand in it, in any of its fields that are words."""
    text = " ".join((atom.content, atom.source_quote, atom.subject, *atom.entities, atom.speaker or "")).casefold()
    return all(word in text for word in words) and words <= set(words_of(text))


def _is_of_the_time(atom: Atom, wanted: Forgettable) -> bool:
    late_enough = wanted.after is None or atom.observed_at >= wanted.after
    return late_enough and (wanted.before is None or atom.observed_at < wanted.before)


def _has_all(atom: Atom, search: str) -> bool:
    """Return whether all words of a search stand in it, in any form."""
    sought = set(query_tokens(search)) or set(analyze(search))
    return bool(sought) and sought <= set(analyze(" ".join((atom.content, atom.subject, *atom.entities, atom.speaker or ""))))


def _confirmation(atom_ids: Sequence[str], *, now: bool) -> str:
    return hashlib.sha256("\n".join(("now" if now else "trash", *atom_ids)).encode()).hexdigest()[:32]
