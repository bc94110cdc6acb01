"""Keeping passages and their indexes as the journal and the memories are.

A capture has passages as long as one memory of it is there: what is deleted, taken back or forgotten takes them along. What the
owner deleted of a capture that stays is in none of them, nor what a mail quotes of another that is kept. All of it may be
repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.capture import Capture
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.domain.passage import Hidden, Passage
from lattice_common.errors import Corrupt
from lattice_common.ingest.deletions import Deletions
from lattice_common.ingest.index_documents import gloss_tokens
from lattice_common.ingest.index_lag import IndexLag
from lattice_common.ingest.passages.cut import LONGEST_PASSAGE, passages_of
from lattice_common.ingest.passages.quotations import Quotations
from lattice_common.language.facts.worth import is_log
from lattice_common.language.text import analyze
from lattice_common.logs import logger
from lattice_common.ports.atoms import AtomReader
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.dense_index import DenseDocument
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.journal import WorkLog
from lattice_common.ports.lexical_index import FilterFields, LexicalDocument
from lattice_common.ports.passages import PassageIndexes, PassageStore
from lattice_common.ports.trash_index import TrashIndex

log = logger(__name__)

EMBEDDED_AT_ONCE = 16
"""Passages whose vectors are made in one go: a quarter of a second, in which something urgent waits."""
CHUNK = 512
LOOKED_AT = 256
"""Memories that are gone through in one quiet moment, for captures from before there were passages."""


@dataclass(slots=True)
class Shelf:
    """For the writer's thread. `next_index_seq` orders its writes to the engines."""

    store: PassageStore
    indexes: PassageIndexes
    worklog: WorkLog
    catalogue: CatalogueReader
    atoms: AtomReader
    behind: IndexLag
    trash_index: TrashIndex
    pending: dict[str, None] = field(default_factory=dict)
    """Passages without a vector as yet, by id."""
    _gone_through: set[str] = field(default_factory=set)
    """Captures that `make_more` has seen: a book may have thousands of memories."""
    _deletions: Deletions = field(init=False)

    def __post_init__(self) -> None:
        self._deletions = Deletions(self.atoms, self.worklog, self.trash_index)

    def shelve(self, captures: Iterable[Capture], index_seq: int, *, at_once: int = 0) -> None:
        """Bring the passages of captures up to date with what the journal says and the memories are; the vectors of at most
        `at_once` passages with them, others in quiet moments."""
        mails = self._shelved(captures, index_seq)
        if mails and (quoting := self._quoting(mails)):
            self._shelved(self._read(quoting), index_seq)
        if at_once:
            self.embed(index_seq, at_once)

    def _shelved(self, captures: Iterable[Capture], index_seq: int) -> list[Capture]:
        """Shelve captures; return the mails among them."""
        wanted: dict[str, list[Passage]] = {}
        mails: list[Capture] = []
        unembedded: set[str] = set()
        for capture in captures:
            passages = passages_of(capture) if self.catalogue.of_capture(capture.capture_id) else []
            if passages:
                hidden = Hidden({capture.capture_id: tuple(self._deletions.spans_of(capture.capture_id))})
                passages = [each for each in passages if not hidden.overlaps(each)]
            wanted[capture.capture_id] = passages
            if passages and passages[0].source_type == "eml":
                mails.append(capture)
            if passages and not _has_vectors(capture):
                unembedded.add(capture.capture_id)
        quotations = self._quotations(wanted)
        left = {each.capture_id: quotations.left(each, wanted[each.capture_id]) for each in mails}
        changed: list[tuple[str, list[Passage]]] = []
        gone: list[str] = []
        for capture_id, passages in (wanted | left).items():
            before = self.store.of_capture(capture_id)
            if passages != before:
                changed.append((capture_id, passages))
                gone += {each.passage_id for each in before} - {each.passage_id for each in passages}
        self._write(changed, gone, index_seq, unembedded)
        return mails

    def _quoting(self, mails: Sequence[Capture]) -> list[str]:
        """Return the captures whose mails may quote these."""
        held = {each.capture_id: self.store.of_capture(each.capture_id) for each in mails}
        quotations = self._quotations(held)
        return list(dict.fromkeys(other for each in mails for other in quotations.quoting(each, held[each.capture_id])))

    def _quotations(self, wanted: Mapping[str, Sequence[Passage]]) -> Quotations:
        return Quotations(self.store, self.indexes.lexical, lambda each: next(self._read([each]), None), wanted)

    def take_out(self, atoms: Sequence[Atom], index_seq: int, *, hide: bool) -> None:
        """Take out memories that left the store, which the catalogue does not know any more: with `hide`, no passage shows their
        words; passages of captures of which no memory is left go."""
        gone_of: dict[str, list[Span]] = {}
        for atom in atoms:
            if not is_conclusion(atom):
                gone_of.setdefault(atom.capture_id, []).append(atom.source_span)
        changed: list[tuple[str, list[Passage]]] = []
        gone: list[str] = []
        for capture_id, spans in gone_of.items():
            before = self.store.of_capture(capture_id)
            left: list[Passage] = []
            if before and self.catalogue.of_capture(capture_id):
                out = Hidden({capture_id: tuple(spans)} if hide else {})
                left = [each for each in before if not out.overlaps(each)]
            if len(left) != len(before):
                changed.append((capture_id, left))
                gone += {each.passage_id for each in before} - {each.passage_id for each in left}
        self._write(changed, gone, index_seq, frozenset(), same=True)

    def shelve_again(self, capture_ids: Iterable[str], index_seq: int) -> None:
        """Shelve again captures of which memories came back, or words were taken out."""
        self.shelve(self._read(capture_ids), index_seq)

    def embed(self, index_seq: int, most: int = EMBEDDED_AT_ONCE) -> bool:
        """Make the vectors of the next passages that lack them; return whether more are left."""
        space = self.indexes.space
        if space is None or "dense" in self.behind.legs:
            return False
        while self.pending and most > 0:
            ids = list(islice(self.pending, min(most, EMBEDDED_AT_ONCE)))
            found = self.store.passages(ids)
            # What is said again and again in one text is embedded once.
            rows = {text: row for row, text in enumerate(dict.fromkeys(map(embedded_text, found)))}
            vectors = space.embedder.embed(list(rows)) if rows else ()
            with self.behind.tolerated("dense"):
                documents = [dense_document(each, vectors[rows[embedded_text(each)]], index_seq) for each in found]
                space.dense.upsert(documents)
                space.dense.commit()
            for each in ids:
                self.pending.pop(each, None)
            most -= len(ids)
        return bool(self.pending)

    def repair(self, index_seq: int) -> None:
        """Compare the indexes with the passages, and mend what differs; vectors that are missing come in quiet moments."""
        held = dict(self.store.passage_hashes())
        with self.behind.tolerated("lexical"):
            indexed = {each: content for each, content, _ in self.indexes.lexical.entries()}
            missing = [each for each, content in held.items() if indexed.get(each) != content]
            for start in range(0, len(missing), CHUNK):
                found = self.store.passages(missing[start : start + CHUNK])
                self.indexes.lexical.upsert([lexical_document(each, index_seq) for each in found])
            extra = [each for each in indexed if each not in held]
            self.indexes.lexical.delete(extra)
            if missing or extra:
                self.indexes.lexical.commit()
        space = self.indexes.space
        if space is None:
            return
        with self.behind.tolerated("dense"):
            indexed = {each: content for each, content, _ in space.dense.entries()}
            extra = [each for each in indexed if each not in held]
            if extra:
                space.dense.delete(extra)
                space.dense.commit()
            late = [each for each, content in held.items() if indexed.get(each) != content]
            self.pending = dict.fromkeys(self._worth_vectors(late))

    def make_more(self, index_seq: int) -> bool:
        """Make the next passages of a store from before there were any, or whose were lost; return whether more are left."""
        up_to = self.store.made_up_to()
        if up_to is None:
            return False
        atoms = self.catalogue.following(up_to, limit=LOOKED_AT)
        fresh = [each for each in dict.fromkeys(atom.capture_id for atom in atoms) if each not in self._gone_through]
        self.shelve(self._read(fresh), index_seq)
        more = len(atoms) == LOOKED_AT
        self._gone_through = {*self._gone_through, *fresh} if more else set()
        self.store.note_made(max(atom.seq for atom in atoms) if more else None)
        return more

    def rebuild(self, index_seq: int, on_progress: Callable[[str, int, int], None] = lambda *_: None) -> None:
        """Make all of it anew, vectors included. `on_progress` is called with the step, how much is done, and of how much."""
        self.store.clear()
        self.pending.clear()
        self.indexes.lexical.clear()
        if self.indexes.space is not None:
            self.indexes.space.dense.clear()
        done, memories = 0, self.catalogue.count()
        while self.make_more(index_seq):
            done += LOOKED_AT
            on_progress("reading documents", min(done, memories), memories)
        passages = len(self.pending)
        more = passages > 0
        while more:
            more = self.embed(index_seq)
            on_progress("indexing documents", passages - len(self.pending), passages)

    def purge(self) -> None:
        """See `PassageStore`; the engines' files too."""
        self.store.purge()
        self.indexes.lexical.purge()
        if self.indexes.space is not None:
            self.indexes.space.dense.purge()

    def _write(
        self,
        changed: Sequence[tuple[str, list[Passage]]],
        gone: Sequence[str],
        index_seq: int,
        unembedded: Iterable[str],
        *,
        same: bool = False,
    ) -> None:
        """Write to the store first: what the indexes miss is repaired at the next start. `same`: what is left is indexed
        already."""
        if not changed:
            return
        self.store.put_passages(changed)
        fresh = [] if same else [each for _, passages in changed for each in passages]
        with self.behind.tolerated("lexical"):
            if gone:
                self.indexes.lexical.delete(gone)
            for start in range(0, len(fresh), CHUNK):
                chunk = fresh[start : start + CHUNK]
                self.indexes.lexical.upsert([lexical_document(each, index_seq) for each in chunk])
            self.indexes.lexical.commit()
        for each in gone:
            self.pending.pop(each, None)
        space = self.indexes.space
        if space is None:
            return
        if gone:
            with self.behind.tolerated("dense"):
                space.dense.delete(gone)
                space.dense.commit()
        self.pending.update(dict.fromkeys(each.passage_id for each in fresh if each.capture_id not in unembedded))

    def _worth_vectors(self, passage_ids: Sequence[str]) -> Iterator[str]:
        """Yield all but those of logs and of short files."""
        known: dict[str, bool] = {}
        for start in range(0, len(passage_ids), CHUNK):
            for each in self.store.passages(passage_ids[start : start + CHUNK]):
                if each.capture_id not in known:
                    known[each.capture_id] = all(map(_has_vectors, self._read([each.capture_id])))
                if known[each.capture_id]:
                    yield each.passage_id

    def _read(self, capture_ids: Iterable[str]) -> Iterator[Capture]:
        for capture_id in capture_ids:
            try:
                said = self.worklog.read(capture_id) if capture_id else None
            except Corrupt:
                log.warning("passages_not_made", capture_id=capture_id)
                continue
            if isinstance(said, Capture):
                yield said


def _has_vectors(capture: Capture) -> bool:
    """Return False for a log, and for a file of one passage, each statement of which is a memory with a vector of its own: of
    hundreds of small files that would be a quarter of all the work."""
    return len(capture.text) > LONGEST_PASSAGE and not is_log(capture)


def lexical_document(passage: Passage, seq: int) -> LexicalDocument:
    """Return a passage as BM25 finds it: its words, and apart from them what it is called and stands under."""
    own = [*analyze(passage.text), *gloss_tokens(passage.text)]
    about = [token for each in passage.about for token in (*analyze(each), *gloss_tokens(each))]
    return LexicalDocument(passage.passage_id, passage.content_hash, seq, {"text": own, "window": about}, _filter_fields(passage))


def dense_document(passage: Passage, vector: Vectors, seq: int) -> DenseDocument:
    """Return a passage as the vector of `embedded_text`."""
    return DenseDocument(passage.passage_id, passage.content_hash, seq, vector, _filter_fields(passage))


def embedded_text(passage: Passage) -> str:
    """Return what a vector is made of: the words under what they are about."""
    about = ". ".join(dict.fromkeys(each for each in (passage.title or passage.name, *passage.headings[-1:]) if each))
    return f"{about}\n{passage.text}" if about else passage.text


def _filter_fields(passage: Passage) -> FilterFields:
    return FilterFields("passage", passage.observed_at, passage.session_id, passage.source_id)
