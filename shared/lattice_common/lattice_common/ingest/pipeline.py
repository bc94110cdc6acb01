"""Ingest: one ordered list of stages, and the loop that takes captures through it.

The commit point of a part is the rename of its plan: before it, the part is done again from the journal; after it, the plan is
carried out again without deciding anything twice. A receipt is written when the last part is in the engines, so that what a
receipt names can be found.

Several parts go through together (a batch): their texts are embedded at once, and the engines commit once. While one batch, or
one part of a long capture, is embedded, the next is proved; what is stored in between is numbered before it. So the list has two
halves: the first, up to `embed`, may run ahead of its turn; the second runs strictly in order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeAlias

from lattice_common.domain.capture import entry_id
from lattice_common.errors import Unavailable
from lattice_common.ingest.attempts import Attempts, Survives
from lattice_common.ingest.commit import commit, index, shelve
from lattice_common.ingest.context import Context, Hooks
from lattice_common.ingest.decide import decide
from lattice_common.ingest.extract.extractor import Extractor, RuleExtractor
from lattice_common.ingest.numbers import Numbers
from lattice_common.ingest.opening import begin_together, left_to_do, open_entry, open_together
from lattice_common.ingest.pace import Pace
from lattice_common.ingest.parts import Batch, Part, Work
from lattice_common.ingest.prove import cut_apart, embed, extract, ground_quotes, number, say_status, take_segments
from lattice_common.ingest.read import FileReading
from lattice_common.ingest.readahead import Readahead
from lattice_common.ingest.receipts import write_receipts
from lattice_common.ingest.reconcile import Thresholds
from lattice_common.ingest.shortage import as_away
from lattice_common.ingest.stores import Stores
from lattice_common.ports.judge import Judge
from lattice_common.ports.progress import ProgressBoard

BATCH_FACTS = 256
"""Facts after which a batch is committed: enough for the embedder's batches, less than a second of work."""

Stage: TypeAlias = Callable[[Context, Batch], None]

PROVING: tuple[tuple[str, Stage], ...] = (
    ("segment", take_segments),
    ("extract", extract),
    ("cut", cut_apart),
    ("ground", ground_quotes),
    ("status", say_status),
    ("number", number),
)
EMBEDDING: tuple[tuple[str, Stage], ...] = (("embed", embed),)
SETTLING: tuple[tuple[str, Stage], ...] = (
    ("reconcile", decide),
    ("commit", commit),
    ("index", index),
    ("passages", shelve),
    ("receipt", write_receipts),
)
STAGES = (*PROVING, *EMBEDDING, *SETTLING)
"""The stages of a part, in order."""


class Ingest:
    """Takes journal entries to their receipts. Called by one thread: the writer's."""

    def __init__(
        self,
        stores: Stores,
        progress: ProgressBoard,
        thresholds: Thresholds,
        hooks: Hooks,
        reading: FileReading,
        next_index_seq: Callable[[], int],
        *,
        max_attempts: int,
        pace: Pace = Pace(),  # noqa: B008 - frozen
        extractor: Extractor | None = None,
        judge: Judge | None = None,
        survives: Survives = lambda _entry: False,
    ) -> None:
        """`next_index_seq` numbers writes to the engines; `survives`: see `attempts`."""
        extractor = extractor or RuleExtractor()
        self._context = Context(
            stores,
            hooks,
            Attempts(stores.worklog, max_attempts, survives),
            Readahead(extractor, stores.worklog),
            reading,
            Numbers(stores.catalogue, next_index_seq),
            extractor,
            judge,
            thresholds,
            pace,
            progress,
            ThreadPoolExecutor(1, thread_name_prefix="ingest-embedding"),
        )
        self._attempts, self._readahead = self._context.attempts, self._context.readahead

    def look_ahead(self, coming: Callable[[], Sequence[str]], waited_for: Callable[[], Sequence[str]]) -> None:
        """Set the functions that return the entries whose turn comes after those in hand, first ones first, and those of them
        that somebody waits for."""
        self._readahead.expect(coming, waited_for)

    def run(self, entry_ids: Sequence[str], pause: Callable[[], bool] = lambda: False) -> list[str]:
        """Take entries to their receipts, in order, until `pause` returns true because something is more urgent; return those
        that are left. Whatever stops an entry is raised, and leaves unfinished entries open."""
        waiting = deque(entry_ids)
        with self._trying(None):
            batch = self._prove_next(waiting)
            while batch is not None:
                go_on = bool(waiting) and not pause()
                following = self._prove_next(waiting) if go_on and self._readahead.is_ready(waiting[0]) else None
                self._settle(batch)
                if following is None and waiting and not pause():
                    following = self._prove_next(waiting)
                batch = following
        return list(waiting)

    def next_part(self, entry: str) -> bool:
        """Process one more part of an entry; return true when it has its receipt. For long captures that others must not wait
        for. A file that is still being read is left alone: see `is_being_read`."""
        with self._trying([entry]):
            work = self._resume(entry)
            if work is None:
                return not self.is_being_read(entry)
            batch = work.come(self._context.numbers)
            if batch is None and not self._readahead.is_read(work, ()):
                self._readahead.begun[entry] = work
                return False
            batch = batch or self._proved(work)
            try:
                self._prove_coming(work)
            finally:  # also where the coming part cannot be read: this one can
                self._settle(batch)
        if not work.finished:
            self._readahead.begun[entry] = work
        return work.finished

    def together(self, entries: Sequence[str]) -> list[str]:
        """Process entries that somebody waits for, in their order: as many of the first as may be processed together, or else one
        part of the first alone. Return those that have no receipt yet; what needs more than one part is for `next_part`."""
        joined = open_together(self._context, entries)
        if len(joined) < 2:
            return [*([] if self.next_part(entries[0]) else entries[:1]), *entries[1:]]
        with self._trying([entry_id(said) for said in joined]):
            batch = Batch.of(begin_together(self._context, joined), waited_for=True)
            self._through((*PROVING, *EMBEDDING), batch)
            self._settle(batch)
        return list(entries[len(joined) :])

    def is_being_read(self, entry: str) -> bool:
        """Return whether an entry was passed over because what it says is not known yet."""
        return entry in self._attempts.await_file

    def is_in_hand(self, entry: str) -> bool:
        """Return whether a file is being read this moment: who passed it over will be told when that is done."""
        return self.is_being_read(entry) and self._context.reading.is_reading(entry)

    def is_begun(self, entry: str) -> bool:
        """Return whether some parts of an entry are done, and others are left."""
        return entry in self._readahead.begun

    def stop_reading(self) -> None:
        """Abort what waits for a language model; it stays in the work list. May be called from any thread."""
        self._context.extractor.close()

    def close(self) -> None:
        """Stop the thread that waits for the embedder, and those that read files."""
        self.stop_reading()
        self._context.reading.close()
        self._context.embedding.shutdown()

    @contextmanager
    def _trying(self, entries: Sequence[str] | None) -> Iterator[None]:
        """Close the attempts at these entries (None: at all) when something is raised inside, unless something is away or
        lacking: then they continue later as the same attempts."""
        try:
            yield
        except BaseException as error:
            if entries is None:
                # What was read ahead of its turn is discarded, and read again.
                self._readahead.begun.clear()
            if away := as_away(error):
                raise away from error
            if not isinstance(error, Unavailable):
                if entries is None:
                    self._attempts.failed_all()
                else:
                    self._attempts.failed(entries)
            raise

    def _through(self, stages: Sequence[tuple[str, Stage]], batch: Batch) -> None:
        for _, stage in stages:
            stage(self._context, batch)

    def _settle(self, batch: Batch) -> None:
        """Take a batch through the second half of the stages, repeating it for what had to wait for the engines."""
        while batch.parts:
            self._through(SETTLING, batch)

    def _resume(self, entry: str) -> Work | None:
        """Return the work on a capture begun in this process; after any failure it is begun again, as another attempt."""
        return self._readahead.begun.pop(entry, None) or self._open(entry)

    def _open(self, entry: str) -> Work | None:
        """Open an entry; return the work to read for it. An existing plan is carried out first, and a command at once."""
        opened = open_entry(self._context, entry)
        if opened is None:
            return None
        if opened.plan is not None:
            planned = opened.planned()
            self._settle(Batch.of([planned]))
            if planned.is_last:
                return None
        left = left_to_do(self._context, opened)
        if isinstance(left, Part):
            self._settle(Batch.of([left]))
            return None
        return left

    def _prove_next(self, waiting: deque[str]) -> Batch | None:
        """Prove the next parts that fit into a batch; return None when none waits. The attempt at an entry is counted when its
        own turn comes, not when that of the batch's first one does."""
        parts: list[Part] = []
        while waiting and sum(len(part.atoms) for part in parts) < BATCH_FACTS:
            if parts and not self._readahead.is_ready(waiting[0]):
                break  # what is read is stored before waiting for what is not
            work = self._resume(waiting.popleft())
            if work is None:
                continue
            work.give_back()
            if read := self._readahead.is_read(work, waiting):
                batch = Batch.of([work.next_part()])
                self._through(PROVING, batch)
                parts += batch.parts
            if not read or work.proved < len(work.parts):
                # A plan replaces the one before it, so that one is carried out first; what follows is decided after it.
                self._readahead.begun[work.entry] = work
                waiting.appendleft(work.entry)
                break
        if not parts:
            return None
        batch = Batch.of(parts)
        self._through(EMBEDDING, batch)
        return batch

    def _prove_coming(self, work: Work) -> None:
        """Prove the next part of a long capture while this one is embedded. Where an attempt failed before, each part is decided
        before the next is read: should the next stop the process, those before it are stored."""
        self._readahead.go_on([work.entry], work)
        if work.attempt > 1 or work.again or work.proved >= len(work.parts) or not self._readahead.reading(work).ready():
            return
        work.coming = self._proved(work)

    def _proved(self, work: Work) -> Batch:
        batch = Batch.of([work.next_part()])
        self._through((*PROVING, *EMBEDDING), batch)
        return batch
