"""Forgetting: what goes when memories are forgotten for good, and erasing it from everything that was made of them.

The writer does it, as the plan of a journaled command (`domain.capture.ForgetAtoms`): the memories leave store and trash as when
they are deleted, then their words are erased from the journal, the logs and the inbox's processed files (`Eraser`), then derived
state is written anew without them. Carried out in part, it is carried out again at the next start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.capture import (
    Capture,
    Command,
    DeleteAtom,
    DeleteAtoms,
    Entry,
    ForgetAtoms,
    RemoveSource,
    UndoChange,
)
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.domain.forgetting import MARK, Erasure, Passage, is_deliberate, without
from lattice_common.domain.passage import Hidden
from lattice_common.domain.receipt import AtomChange, Receipt
from lattice_common.domain.segment import Candidate
from lattice_common.errors import Unavailable
from lattice_common.ingest.commit import index_atoms, vectors_of
from lattice_common.ingest.link import edges_of
from lattice_common.ingest.parts import Proved
from lattice_common.ingest.passages.cut import passages_of
from lattice_common.ingest.stores import Stores
from lattice_common.language.forgotten_words import ForgottenWords, words_of
from lattice_common.language.sentences.split import sentences
from lattice_common.language.text import query_tokens
from lattice_common.logs import logger
from lattice_common.ports.journal import Plan, whole_entry

log = logger(__name__)

SHORTEST_NAME = 3
"""Letters of a word that is looked for by itself."""
CHUNK = 512


class Erased(Protocol):
    """The result of an erasure: `captures` were redacted."""

    @property
    def captures(self) -> tuple[str, ...]: ...


class Eraser(Protocol):
    """Erases what is forgotten from canonical files and logs, and knows what was forgotten. See `adapters.files.erasing`."""

    def erase(self, by: str, at: datetime, erasure: Erasure, kept: Callable[[str], Sequence[Span]]) -> Erased: ...

    def keep_out(self, capture: Capture, spans: Sequence[Span]) -> None: ...

    @property
    def bars_any(self) -> bool: ...

    def bars(self, statement: str) -> bool: ...

    def unpurged(self) -> frozenset[str]: ...

    def note_unpurged(self, legs: Iterable[str]) -> None: ...


@dataclass(frozen=True, slots=True)
class Going:
    """Memories that are to be forgotten: those in the store, conclusions from them included, and those in the trash."""

    there: tuple[Atom, ...]
    lying: tuple[Atom, ...]

    @property
    def every(self) -> tuple[Atom, ...]:
        return (*self.there, *self.lying)


def going(forgetting: ForgetAtoms, trashed: Sequence[str], stores: Stores) -> Going:
    """Return what a command to forget concerns; `trashed` is what it moves to the trash."""
    there = tuple(stores.catalogue.get(trashed))
    named = {*forgetting.atom_ids, *trashed} - {atom.atom_id for atom in there}
    return Going(there, tuple(atom for atom in _in_trash(stores) if atom.atom_id in named))


def erasing(plan: Plan, found: Going, stores: Stores, *, barred: bool, stretches: Sequence[str] = ()) -> Plan:
    """Return a deleting plan as one that erases: its receipt holds no word of what goes, and what stays does not quote it.
    `stretches` are parts of documents without a memory, and go with it."""
    erasure = erasure_of(found.every, _staying(found.every, stores), barred=barred)
    ids = frozenset(erasure.atom_ids)
    spans: dict[str, list[Span]] = {}
    for atom in found.every:
        if not is_conclusion(atom):
            spans.setdefault(atom.capture_id, []).append(atom.source_span)
    beside = [each for each in map(Passage.read, stretches) if each is not None]
    for each in beside:
        spans.setdefault(each.capture_id, []).append(Span(each.start, each.end))
    # Answers from them leave the logs, as those from memories do.
    erasure = replace(
        erasure,
        atom_ids=(*erasure.atom_ids, *_passages_of(spans, ids, stores)),
        passages=(*erasure.passages, *beside),
        statements=(*erasure.statements, *_words_of(beside, stores)),
    )
    changes = tuple(replace(change, before={}) for change in (*plan.changes, *_unsaid(erasure, ids, stores, plan.changes)))
    tally = replace(plan.tally, changes=changes, atoms_updated=len(changes))
    return replace(plan, changes=changes, tally=tally, erasure=erasure)


def erasure_of(atoms: Sequence[Atom], staying: Iterable[Atom], *, barred: bool) -> Erasure:
    """Return what has to be erased for these memories, given those that stay."""
    told = [atom for atom in atoms if not is_conclusion(atom)]
    passages = tuple(Passage(atom.capture_id, atom.source_span.start, atom.source_span.end) for atom in told if atom.capture_id)
    statements = dict.fromkeys([*(atom.content for atom in atoms), *(atom.source_quote for atom in told)])
    names = _only_in(_names_in(told), staying)
    return Erasure(tuple(atom.atom_id for atom in atoms), passages, tuple(statements), names, barred)


def _words_of(stretches: Sequence[Passage], stores: Stores) -> list[str]:
    """Return the words of stretches of captures."""
    said: list[str] = []
    for each in stretches:
        capture = whole_entry(stores.worklog, each.capture_id)
        if isinstance(capture, Capture):
            said.append(capture.text[each.start : each.end])
    return list(dict.fromkeys(said))


def _passages_of(spans: Mapping[str, Sequence[Span]], gone: frozenset[str], stores: Stores) -> list[str]:
    """Return the ids of the passages that show these stretches; where no memory of a capture stays, those of all its passages."""
    found: list[str] = []
    for capture_id, taken in spans.items():
        capture = whole_entry(stores.worklog, capture_id) if capture_id else None
        if isinstance(capture, Capture):
            stays = not gone.issuperset(stores.catalogue.of_capture(capture_id))
            hidden = Hidden({capture_id: tuple(taken)})
            found += [each.passage_id for each in passages_of(capture) if not stays or hidden.overlaps(each)]
    return found


class Forgetting:
    """For the writer's thread. `rewrite` makes anew what a reader keeps outside of the stores (snapshots, conversations in
    memory); `next_index_seq` orders writes to the engines."""

    def __init__(self, stores: Stores, eraser: Eraser, next_index_seq: Callable[[], int], rewrite: Callable[[], None]) -> None:
        self._stores = stores
        self._eraser = eraser
        self._next_index_seq = next_index_seq
        self._rewrite = rewrite
        self._unpurged = set(eraser.unpurged())
        self._looked_through = ""

    def carry_out(self, plan: Plan) -> None:
        """Erase what a plan says: its memories have left the store. May be repeated."""
        erasure = plan.erasure
        if erasure is None:
            return
        stores = self._stores
        spans = _spans_in_trash(stores, frozenset(erasure.atom_ids))

        def kept(capture_id: str) -> Sequence[Span]:
            atoms = stores.catalogue.get(stores.catalogue.of_capture(capture_id))
            return [*(atom.source_span for atom in atoms if not is_conclusion(atom)), *spans.get(capture_id, ())]

        erased = self._eraser.erase(plan.capture_id, stores.clock.now(), erasure, kept)
        self._index_beside(erased.captures)
        if stores.shelf is not None:
            stores.shelf.shelve_again(erased.captures, self._next_index_seq())
        self._write_anew()
        log.info("forgotten", atoms=len(erasure.atom_ids), captures=len(erased.captures))

    def now_and_then(self) -> None:
        """Write engines anew that were away when something was forgotten, once they are back."""
        if self._unpurged and not self._stores.behind.legs:
            self._purge_engines()

    def note_deleted(self, ended: Sequence[tuple[Entry, Receipt]]) -> None:
        """Record, before the receipts of commands that were carried out, that what they deleted is forgotten when it leaves the
        trash."""
        deleted: dict[str, bool] = {}
        for said, receipt in ended:
            barred = self._bars(said) if receipt.trashed else None
            if barred is not None:
                deleted[receipt.capture_id] = barred
        if deleted:
            self._stores.worklog.mark_deleted(deleted)

    def _bars(self, said: Entry | None) -> bool | None:
        """Return whether what a command deletes is barred when it is forgotten; None where it deletes nothing. An undo of the
        undo of a deletion deletes again, and so on: what is undone is always older."""
        while isinstance(said, Command):
            match said.action:
                case UndoChange(change_id):
                    said = whole_entry(self._stores.worklog, change_id)
                case ForgetAtoms(now=False, barred=barred):
                    return barred
                case DeleteAtom() | DeleteAtoms() | RemoveSource():
                    return False  # whoever deletes it may import it again, and better, from the same source
                case _:
                    return None
        return None

    def allowed(self, capture: Capture, proved: Proved) -> tuple[Capture, Proved]:
        """Return what of a capture may be remembered, and the capture as the journal has it then. What was forgotten, and is not
        told anew by the owner, is erased from its entry again, and so is a sentence that no memory would be made of; redacted
        parts yield nothing."""
        told = is_deliberate(capture)

        def is_barred(each: Candidate) -> bool:
            return not told and (self._eraser.bars(each.content) or self._eraser.bars(each.quote))

        grounded = []
        spans = [] if told else self._barred_sentences(capture)
        for piece, candidates in proved.grounded:
            spans += [
                Span(each.start, each.end)
                for each in candidates
                if each.start is not None and each.end is not None and MARK not in each.quote and is_barred(each)
            ]
            grounded.append((piece, tuple(each for each in candidates if MARK not in each.quote and not is_barred(each))))
        rejected = tuple(each for each in proved.rejected if not is_barred(each.candidate))
        left = replace(proved, grounded=tuple(grounded), rejected=rejected)
        return (self._kept_out(capture, without(spans, ())) if spans else capture), left

    def _barred_sentences(self, capture: Capture) -> list[Span]:
        """Return the sentences of a capture that were forgotten. A text is looked through once, with its first part."""
        if not self._eraser.bars_any or capture.capture_id == self._looked_through:
            return []
        self._looked_through = capture.capture_id
        text = capture.text
        return [span for span in sentences(text, 0, len(text)) if self._eraser.bars(text[span.start : span.end])]

    def _kept_out(self, capture: Capture, spans: Sequence[Span]) -> Capture:
        """Erase what was forgotten from a new capture, and from the engines where an earlier part of it is in them."""
        stores = self._stores
        self._eraser.keep_out(capture, spans)
        if stores.catalogue.of_capture(capture.capture_id):
            self._index_beside([capture.capture_id])
            if stores.shelf is not None:
                stores.shelf.shelve_again([capture.capture_id], self._next_index_seq())
            self._write_anew()
        said = stores.worklog.read(capture.capture_id)
        return said if isinstance(said, Capture) else capture

    def _index_beside(self, capture_ids: Sequence[str]) -> None:
        """Index the neighbours of erased words anew: the engines hold the words around a memory, too."""
        stores = self._stores
        ids = [atom_id for capture_id in capture_ids for atom_id in stores.catalogue.of_capture(capture_id)]
        for start in range(0, len(ids), CHUNK):
            atoms = stores.catalogue.get(ids[start : start + CHUNK])
            same = vectors_of(stores, {}, [atom.atom_id for atom in atoms])
            index_atoms(stores, atoms, {}, same, index_seq=self._next_index_seq())

    def _write_anew(self) -> None:
        stores = self._stores
        stores.catalogue.purge()
        if stores.shelf is not None:
            stores.shelf.store.purge()
        stores.graph_log.replace(edges_of(stores.catalogue.all(), stores.catalogue))
        self._unpurged = {"lexical", *(("dense",) if stores.spaces.serving is not None else ())}
        self._eraser.note_unpurged(self._unpurged)
        self._purge_engines()
        self._rewrite()

    def _purge_engines(self) -> None:
        stores = self._stores
        spaces = [space.dense for space in (stores.spaces.serving, stores.spaces.coming) if space is not None]
        lexical = [stores.lexical]
        if stores.shelf is not None:
            lexical.append(stores.shelf.indexes.lexical)
            spaces += [stores.shelf.indexes.space.dense] if stores.shelf.indexes.space else []
        for leg, engines in (("lexical", lexical), ("dense", spaces)):
            if leg not in self._unpurged:
                continue
            try:
                for engine in engines:
                    engine.purge()
            except Unavailable:
                # For a server that is away, `now_and_then` does it when it is back, also after a restart.
                if not stores.behind.tolerates:
                    raise
                log.warning("engine_not_purged", engine=leg)
                continue
            self._unpurged.discard(leg)
        self._eraser.note_unpurged(self._unpurged)


def _staying(gone: Sequence[Atom], stores: Stores) -> Iterator[Atom]:
    ids = {atom.atom_id for atom in gone}
    yield from (atom for atom in stores.catalogue.all() if atom.atom_id not in ids)
    yield from (atom for atom in _in_trash(stores) if atom.atom_id not in ids)


def _in_trash(stores: Stores) -> Iterator[Atom]:
    for _, mark in stores.atoms.trashed():
        atom = stores.atoms.read_file(mark)
        if isinstance(atom, Atom):
            yield atom


def _spans_in_trash(stores: Stores, gone: frozenset[str]) -> Mapping[str, list[Span]]:
    """Return the spans of what lies in the trash, by capture: what may still be brought back keeps its words."""
    spans: dict[str, list[Span]] = {}
    for atom in _in_trash(stores):
        if atom.atom_id not in gone and not is_conclusion(atom):
            spans.setdefault(atom.capture_id, []).append(atom.source_span)
    return spans


def _names_in(atoms: Iterable[Atom]) -> set[str]:
    """Return words that show what memories are about: of their subjects and names, with digits, or capitalised within a
    sentence."""
    found: set[str] = set()
    for atom in atoms:
        for text in (atom.subject, *atom.entities, atom.speaker or ""):
            found.update(words_of(" ".join(query_tokens(text))), words_of(text) if query_tokens(text) else ())
        for text in (atom.content, atom.source_quote):
            words = text.split()
            found.update(each for at, word in enumerate(words) if _tells(word, first=at == 0) for each in words_of(word))
    return {word for word in found if len(word) >= SHORTEST_NAME}


def _tells(word: str, *, first: bool) -> bool:
    return any(each.isdigit() for each in word) or (not first and any(each.isupper() for each in word))


def _only_in(names: set[str], staying: Iterable[Atom]) -> tuple[str, ...]:
    """Return those of the words that no remaining memory contains."""
    left = set(names)
    for atom in staying:
        if not left:
            break
        text = " ".join((atom.content, atom.source_quote, atom.subject, *atom.entities, atom.speaker or "")).casefold()
        if near := {name for name in left if name in text}:
            left -= near & set(words_of(text))
    return tuple(sorted(left))


def _unsaid(erasure: Erasure, gone: frozenset[str], stores: Stores, before: Sequence[AtomChange]) -> Iterator[AtomChange]:
    """Yield the changes of remaining memories that quote what goes: in the reason of their supersession, in the words around
    them, or in the name of the file or conversation that they come from."""
    words = ForgottenWords(erasure.statements, erasure.names)
    changed = {change.atom_id for change in before}
    for atom in stores.catalogue.all():
        if atom.atom_id in gone:
            continue
        after = words.fields_left(atom)
        if atom.superseded_by in gone and atom.superseded_reason:
            after["superseded_reason"] = None
        if atom.atom_id in changed:  # it gets another reason, or none
            after.pop("superseded_reason", None)
        if after:
            yield AtomChange(atom.atom_id, {}, after)
