"""The lexical index of one machine: tantivy, in the data folder.

Layout of the folder: `format` (a stamp: another one empties the index), `engine/` (tantivy's) and `slots.jsonl`. Each write of a
document gets the next slot, a number; line n of `slots.jsonl` says which atom, content hash and seq slot n is. tantivy returns
slots from a column, which costs 0.03 ms for 300 hits, where its document store costs milliseconds.

Consistency: the lines are on disk before tantivy commits, and tantivy replaces its `meta.json` in one step, so after `kill -9`
every slot that tantivy knows has its line; lines without a document are leftovers of an uncommitted batch. Whatever cannot be
opened is emptied, and `emptied` says why: the index is derived, and the reconciler fills it again.

tantivy keeps the name of every file that it ever had open until its index is opened anew: 2 kB for each memory that is told and
deleted. So it is, every few hundred commits.

tantivy counts deleted documents in its statistics until their segment is merged. In a small index they are rewritten away at
once, so that its scores are those of an index made anew; in a large one when they are more than `compact_share` of the live
ones, so scores stay within a few percent of exact ones, at an amortised cost per write.
"""

from __future__ import annotations

import contextlib
import shutil
import stat
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import tantivy
from tantivy import DocAddress, Document, FieldType, Index, IndexWriter, Occur, Query, Schema, Searcher

from lattice_common.adapters.embedded.rust_engine import is_panic, readable
from lattice_common.adapters.embedded.slot_log import SlotLog, SlotRecord
from lattice_common.domain.microseconds import microseconds
from lattice_common.domain.recall import Filter, Hit
from lattice_common.errors import Unavailable
from lattice_common.ports.lexical_index import BM25_K1, FIELDS, LexicalDocument, LexicalQuery

FORMAT = b"tantivy 0.27, lattice 1"
_HEAP_BYTES = 20_000_000  # tantivy's minimum is 15 MB a thread; 20 MB hold about 50,000 atoms between two commits
_THREADS = 1  # one capture's atoms are indexed in a millisecond; more threads only make more segments
_TIES = 32  # fetched beyond the limit, to break ties at the cut by atom id
_UNREADABLE = (ValueError, OSError, TypeError, IndexError)  # what tantivy, the files and a garbled line raise
_KEYWORDS = ("kind", "session_id", "source_id")


def _is_strange(path: Path) -> bool:
    """Return whether there is a pipe, a socket or a device. What the engine removed a moment ago is none."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _schema() -> Schema:
    builder = tantivy.SchemaBuilder()
    for name in FIELDS:
        builder.add_text_field(name, stored=True, tokenizer_name="whitespace", index_option="freq")
    for name in _KEYWORDS:
        builder.add_text_field(name, stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("observed_at", stored=True, fast=True)
    # Signed: tantivy-py 0.27 looks up terms to delete as signed integers, and would not find unsigned ones.
    builder.add_integer_field("slot", stored=True, fast=True, indexed=True)
    return builder.build()


@dataclass(frozen=True, slots=True)
class _Tuning:
    """See `TantivyLexicalIndex`."""

    compact_share: float
    compact_from: int
    exact_up_to: int
    renew_after: int

    def is_worth_compacting(self, deleted: int, living: int) -> bool:
        """Return whether so many deleted documents are to be rewritten away."""
        many = deleted >= self.compact_from and deleted > self.compact_share * living
        return many or bool(deleted and 0 < living <= self.exact_up_to)


@dataclass(slots=True)
class _Slots:
    """The atom and the `seq` of each slot ("" and 0 where it is gone), and the slot of each atom that is there."""

    of: dict[str, int] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    seqs: array[int] = field(default_factory=lambda: array("q"))

    def put(self, slot: int, atom_id: str, seq: int) -> None:
        self.of[atom_id] = slot
        self.ids.append(atom_id)
        self.seqs.append(seq)

    def put_nothing(self) -> None:
        self.ids.append("")
        self.seqs.append(0)


class TantivyLexicalIndex:
    """A `LexicalIndex` in `folder`. One process writes; the writer's lock is taken at the first write.

    It is rewritten when more than `compact_share` of its documents are deleted, and these are `compact_from` or more; up to
    `exact_up_to` documents are rewritten at each deletion, which takes about 60 ms. It is opened anew after every `renew_after`
    commits: a few milliseconds, and 0.2 µs for each document, once merges that go on have ended.
    """

    def __init__(
        self,
        folder: Path,
        *,
        compact_share: float = 0.1,
        compact_from: int = 256,
        exact_up_to: int = 2_000,
        renew_after: int = 512,
    ) -> None:
        self._folder = folder
        self._tuning = _Tuning(compact_share, compact_from, exact_up_to, renew_after)
        self.emptied: str | None = None
        """Why the index was emptied when it was opened, if it was."""
        self._writer: IndexWriter | None = None
        self._stale = False
        """Whether what is committed could not be read again after a write that failed."""
        self._commits = 0
        self._slots = _Slots()
        self._schema = _schema()
        self._log = SlotLog(folder / "slots.jsonl")
        try:
            self._open()
        except BaseException as error:
            if not isinstance(error, _UNREADABLE) and not is_panic(error):
                raise
            self._empty(f"the lexical index in {folder} could not be opened: {error}")

    def upsert(self, documents: Sequence[LexicalDocument]) -> None:
        writer = self._writing()
        with self._giving_up():  # tantivy writes in threads of its own: on a full disk they may be gone by now
            for document in documents:
                known = self._slots.of.get(document.atom_id)
                if known is not None:
                    if document.seq < self._slots.seqs[known]:
                        continue
                    writer.delete_documents_by_term("slot", known)
                slot = self._log.append(SlotRecord(document.atom_id, document.content_hash, document.seq))
                self._slots.put(slot, document.atom_id, document.seq)
                writer.add_document(_engine_document(document, slot))

    def delete(self, atom_ids: Sequence[str]) -> None:
        with self._giving_up():
            for atom_id in atom_ids:
                slot = self._slots.of.pop(atom_id, None)
                if slot is not None:
                    self._writing().delete_documents_by_term("slot", slot)

    def commit(self) -> None:
        if self._writer is None:
            return
        with self._giving_up():
            self._log.flush()
            self._writer.commit()
            self._show()
            if self._tuning.is_worth_compacting(self._deleted_count(), len(self._slots.of)):
                self._compact(self._writer)
            self._commits += 1
            if self._commits % self._tuning.renew_after == 0:
                self._renew()

    def search(self, query: LexicalQuery, limit: int, within: Filter | None = None) -> list[Hit]:
        parsed = self._parsed(query, within)
        searcher, ids = self._view
        if parsed is None or limit < 1 or searcher.num_docs == 0:
            return []
        with readable("lexical", self._folder):
            found = self._best(searcher, parsed, limit) if query.ranked else searcher.search(parsed, limit, count=False).hits
            slots = searcher.fast_field_values("slot", [address for _, address in found])
            scored = [(-score, ids[slot]) for (score, _), slot in zip(found, slots, strict=True) if isinstance(slot, int)]
        # tantivy keeps the factor k1 + 1 that Lucene has dropped.
        return [Hit(atom_id, -score / (BM25_K1 + 1)) for score, atom_id in sorted(scored)[:limit]]

    def _best(self, searcher: Searcher, parsed: Query, limit: int) -> list[tuple[Any, DocAddress]]:
        """Return the best documents, and all that are as good as the last of `limit`."""
        documents, fetched = searcher.num_docs, limit
        while True:
            fetched = min(fetched + _TIES, documents)
            found = searcher.search(parsed, fetched, count=False).hits
            if len(found) < fetched or fetched == documents or found[limit - 1][0] > found[-1][0]:
                return found
            fetched *= 4

    def search_each(self, queries: Sequence[tuple[LexicalQuery, int]], within: Filter | None = None) -> list[list[Hit]]:
        return [self.search(query, limit, within) for query, limit in queries]

    def entries(self) -> Iterator[tuple[str, str, int]]:
        with readable("lexical", self._folder):
            live = set(_live_slots(self._view[0]))
        for slot, record in enumerate(self._log.records()):
            if record is not None and slot in live:
                yield record.atom_id, record.content_hash, record.seq

    def purge(self) -> None:
        with self._giving_up():
            self._log.flush()
            if self._slots.of:
                self._compact(self._writing())
            else:
                self.clear()
            # The compaction leaves the files of the segments before it to the next garbage collection.
            writer = self._writing()
            writer.garbage_collect_files()
            self._let_go(writer)

    def clear(self) -> None:
        with self._giving_up():
            writer = self._writing()
            writer.rollback()  # deleting all would leave what is staged
            writer.delete_all_documents()
            writer.commit()
            self._let_go(writer)
        self._log.clear()
        self._slots = _Slots()
        self._show()

    @contextlib.contextmanager
    def anew(self) -> Iterator[None]:
        """Empty the index, to be filled again: there is one of it only."""
        self.clear()
        yield

    def close(self) -> None:
        """Let go of the lock and the files; what was not committed is forgotten."""
        if self._writer is not None:
            self._writer.rollback()
            self._writer.wait_merging_threads()
            self._writer = None
        self._log.close()

    def _open(self) -> None:
        stamp = self._folder / "format"
        if not stamp.exists() and not (self._folder / "engine").exists():
            (self._folder / "engine").mkdir(parents=True)
            stamp.write_bytes(FORMAT)
        # The engine would wait for ever for who writes into a pipe.
        if strange := next(filter(_is_strange, self._folder.rglob("*")), None):
            raise ValueError(f"{strange} is no regular file")
        if stamp.read_bytes() != FORMAT:
            raise ValueError("it was written by another version")
        self._open_engine()
        self._log.close()
        self._swept = False
        self._slots = _Slots()
        self._show()
        live = set(_live_slots(self._view[0]))
        for slot, record in enumerate(self._log.records()):
            if record is not None and slot in live:
                self._slots.put(slot, record.atom_id, record.seq)
            else:
                self._slots.put_nothing()
        if len(self._slots.of) != len(live):
            raise ValueError(f"{len(live) - len(self._slots.of)} documents have no name")

    def _open_engine(self) -> None:
        self._index = Index(self._schema, str(self._folder / "engine"), reuse=True)
        # Otherwise a thread of the engine follows its files, and makes a lock beside them while their folder is being removed.
        self._index.config_reader("manual")
        self._index.register_tokenizer("whitespace", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())

    def _renew(self) -> None:
        """Open the engine anew after a commit, and let go of names: of its files, and of memories that are gone."""
        if self._writer is not None:
            self._let_go(self._writer)
        self._open_engine()
        living = set(self._slots.of.values())
        # A list of its own: a reader may still find what is gone by the former one.
        self._slots.ids = [atom_id if slot in living else "" for slot, atom_id in enumerate(self._slots.ids)]
        self._show()

    def _empty(self, reason: str) -> None:
        # A thread of the engine may still write there by name: what is moved away first is not filled again while it is removed.
        aside = self._folder.with_name(f"{self._folder.name}.emptied")
        shutil.rmtree(aside, ignore_errors=True)
        self._folder.rename(aside)
        shutil.rmtree(aside)
        self.emptied = reason
        try:
            self._open()
        except _UNREADABLE as error:
            raise Unavailable(f"The lexical index in {self._folder} cannot be made anew ({error}): look at the disk.") from error

    def _show(self) -> None:
        """Let readers see what is committed."""
        self._index.reload()
        self._view: tuple[Searcher, list[str]] = (self._index.searcher(), self._slots.ids)

    @contextlib.contextmanager
    def _giving_up(self) -> Iterator[None]:
        """Drop, where what is done within fails, the writer and what was staged in it, and raise `Unavailable`. What was
        committed is read again, so that the next batch starts clean."""
        try:
            yield
        except BaseException as error:
            if not isinstance(error, (ValueError, OSError)) and not is_panic(error):
                raise
            self._writer = None
            self._stale = True
            self._open_again()
            raise Unavailable(f"The lexical index in {self._folder} could not be written: {error}") from error

    def _open_again(self) -> None:
        """Read what is committed. Where that cannot be done either (no memory, no files left), what was seen before is seen on,
        and it is tried again before the next write. Raise nothing that is over by then."""
        view, slots = self._view, self._slots
        try:
            self._open()
            self._stale = False
        except BaseException as error:
            if not isinstance(error, _UNREADABLE) and not is_panic(error):
                raise
            self._view, self._slots = view, slots

    def _writing(self) -> IndexWriter:
        if self._stale:
            self._open_again()
            if self._stale:
                raise Unavailable(f"The lexical index in {self._folder} cannot be opened: memory or open files are short.")
        if self._writer is None:
            try:
                self._writer = self._index.writer(_HEAP_BYTES, _THREADS)
            except ValueError as error:
                raise Unavailable(
                    f"The lexical index in {self._folder} is being written by another process ({error}); stop that one first."
                ) from error
            self._sweep(self._writer)
        return self._writer

    def _sweep(self, writer: IndexWriter) -> None:
        """Remove what a commit that was cut off left. Files of deletions among it have the very names that the next commit wants,
        and the engine writes over no file: it would refuse that commit, and every one after it."""
        if not self._swept:
            with self._giving_up():
                writer.garbage_collect_files()
            self._swept = True

    def _deleted_count(self) -> int:
        meta = orjson.loads((self._folder / "engine" / "meta.json").read_bytes())
        return sum(segment["deletes"]["num_deleted_docs"] for segment in meta["segments"] if segment.get("deletes"))

    def _compact(self, writer: IndexWriter) -> None:
        """Write the live documents anew, in one commit: readers have the old index until then."""
        searcher = self._view[0]
        hits = searcher.search(Query.all_query(), max(1, searcher.num_docs), count=False).hits
        writer.delete_all_documents()
        for _, address in hits:
            writer.add_document(searcher.doc(address))
        writer.commit()
        self._let_go(writer)
        self._show()
        self._log.keep_only(set(self._slots.of.values()))

    def _let_go(self, writer: IndexWriter) -> None:
        """Wait for what it does, and take another one next time. Also after deleting all: that sets tantivy's clock of operations
        back, and a later delete by the same writer may then be older than the documents it is meant for, and pass over them."""
        writer.wait_merging_threads()
        self._writer = None

    def _parsed(self, query: LexicalQuery, within: Filter | None) -> Query | None:
        terms: list[tuple[Occur, Query]] = []
        for name, tokens in query.tokens.items():
            boost = query.boosts.get(name, 1.0)
            for token in dict.fromkeys(tokens) if boost > 0 else ():
                term = Query.term_query(self._schema, name, token, index_option="freq")
                terms.append((Occur.Should, term if boost == 1.0 else Query.boost_query(term, boost)))
        if not terms:
            return None
        scored = Query.boolean_query(terms)
        if not within:
            return scored
        conditions = [(Occur.Must, Query.const_score_query(condition, 0.0)) for condition in self._conditions(within)]
        return Query.boolean_query([(Occur.Must, scored), *conditions])

    def _conditions(self, within: Filter) -> list[Query]:
        wanted = {"kind": within.kind, "session_id": within.session_id, "source_id": within.source_id}
        conditions = [Query.term_set_query(self._schema, name, list(values)) for name, values in wanted.items() if values]
        if within.after is not None or within.before is not None:
            conditions.append(
                Query.range_query(
                    self._schema,
                    "observed_at",
                    FieldType.Integer,
                    lower_bound=None if within.after is None else microseconds(within.after),
                    upper_bound=None if within.before is None else microseconds(within.before),
                    include_upper=within.before is None,
                )
            )
        return conditions


def _engine_document(document: LexicalDocument, slot: int) -> Document:
    fields = document.filter_fields
    made = Document()
    for name in FIELDS:
        made.add_text(name, " ".join(document.tokens.get(name, ())))
    for name, value in (("kind", fields.kind), ("session_id", fields.session_id), ("source_id", fields.source_id)):
        if value is not None:
            made.add_text(name, value)
    made.add_integer("observed_at", microseconds(fields.observed_at))
    made.add_integer("slot", slot)
    return made


def _live_slots(searcher: Searcher) -> list[int]:
    hits = searcher.search(Query.all_query(), max(1, searcher.num_docs), count=False).hits
    return [int(slot) for slot in searcher.fast_field_values("slot", [address for _, address in hits]) if slot is not None]
