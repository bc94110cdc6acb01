"""Ingest: one ordered list of stages, and the loop that takes captures through it.

(read ->) segment -> extract -> ground -> reconcile -> commit -> index, part by part. The commit point of a part is the rename of
its plan: before it, the part is done again from the journal; after it, the plan is carried out again without deciding anything
twice. A receipt is written when the last part is in the engines, so that what a receipt speaks of can be found.

Several captures go through together (a batch): their texts are embedded at once, and the engines commit once. While one batch,
or one part of a long capture, is embedded, the next is read; what is stored in between is numbered before it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TypeAlias

from lattice_common.domain.capture import Capture, Command, Entry, entry_id
from lattice_common.domain.receipt import Progress, Receipt, Stage
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.ingest.attempts import InVain
from lattice_common.ingest.commit import Stores, Written, as_far_as_done, follow, vectors_of, write_plans
from lattice_common.ingest.dated_ahead import DatedAhead
from lattice_common.ingest.extract.extractor import Extractor, RuleExtractor
from lattice_common.ingest.extract.status import with_statuses
from lattice_common.ingest.group import JUDGED_LATER, Decided, Group, goes_with_others, named_in, touched_by
from lattice_common.ingest.neighbours import judging_beside
from lattice_common.ingest.parts import Batch, Part, Work, attempts_then
from lattice_common.ingest.passages.shelve import EMBEDDED_AT_ONCE
from lattice_common.ingest.pending import Pending, may_wait
from lattice_common.ingest.prove import Known, Place, Proved, atoms_of, embed_atoms, plan_part, prove_quotes
from lattice_common.ingest.read import FileReading, is_unread
from lattice_common.ingest.readahead import Readahead
from lattice_common.ingest.receipts import Refused, cut_short, receipt_of, refusal
from lattice_common.ingest.reconcile import Thresholds
from lattice_common.ingest.reextraction import Meanwhile, former_atoms, mark_again
from lattice_common.ingest.shortage import as_away
from lattice_common.logs import logger
from lattice_common.ports.catalogue import KnownAtoms
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.journal import Plan, Tally
from lattice_common.ports.judge import Judge
from lattice_common.ports.progress import ProgressBoard

log = logger(__name__)

PlanCommand: TypeAlias = Callable[[Command, Stores, int], Plan | Refused]
"""Decides what a command comes to; the number is the next free `seq`."""

Survives: TypeAlias = Callable[[str], bool]
"""Reads an entry in a process of its own, and says whether that process lived: a poison shows itself there, and harms nobody."""

JUDGED_AT_ONCE = 8
"""Captures of a group that are judged before their receipts, 30 ms each; of more that many clients send in one moment the rules
decide, and the judge comes a little later, as for an import."""
JUDGED_SECONDS = 0.25
"""And no further one once they took so long: on a busy machine many must not wait for what can come a little later."""

BATCH_FACTS = 256
"""Facts after which a batch is committed: enough for the embedder's batches, less than a second of work."""


class Ingest:
    """Takes journal entries to their receipts. One thread calls it: the writer's."""

    def __init__(
        self,
        stores: Stores,
        progress: ProgressBoard,
        thresholds: Thresholds,
        plan_command: PlanCommand,
        reading: FileReading,
        *,
        max_attempts: int,
        extractor: Extractor | None = None,
        judge: Judge | None = None,
        owner_names: Callable[[], Sequence[str]] = lambda: (),
        survives: Survives = lambda _entry: False,
        followed: Callable[[], None] = lambda: None,
        allowed: Callable[[Capture, Proved], Proved] = lambda _capture, proved: proved,
        erase: Callable[[Plan], None] = lambda _plan: None,
        cited_lately: Callable[[], frozenset[str]] = frozenset,
        concluded: Callable[[Sequence[tuple[Entry, Receipt]]], None] = lambda _each: None,
        ended: Callable[[Receipt], None] = lambda _receipt: None,
    ) -> None:
        self._stores = stores
        self._plan_command = plan_command
        self._reading = reading
        self._being_read: set[str] = set()
        self._progress = progress
        self._thresholds = thresholds
        self._max_attempts = max_attempts
        self._in_vain = InVain(max_attempts)
        self._survives = survives
        self._followed, self._concluded, self._told_ended = followed, concluded, ended
        self._allowed, self._erase, self._cited_lately = allowed, erase, cited_lately
        self._owner_names = owner_names
        self._judge = judge
        self._extractor = extractor or RuleExtractor()
        self._judge = judge
        self._ahead = Readahead(self._extractor, stores.worklog)
        self._begun: dict[str, Work] = {}
        self._tried: set[str] = set()
        # Attempts under way. One that ended because something was away or lacking goes on as the same one: it makes nothing dead.
        self._counted: dict[str, int] = {}
        self._embedding = ThreadPoolExecutor(1, thread_name_prefix="ingest-embedding")
        self._next_seq = stores.catalogue.last_seq() + 1
        # Index writes are ordered by writer, then by commit: a later writer's are always newer.
        self._index_seq = stores.lock.epoch << 32

    def look_ahead(self, coming: Callable[[], Sequence[str]], waited_for: Callable[[], Sequence[str]]) -> None:
        """Whose turn comes after the next, first ones first, as of now; and those of them that somebody waits for."""
        self._ahead.expect(coming, waited_for)

    def run(self, entry_ids: Sequence[str], pause: Callable[[], bool] = lambda: False) -> list[str]:
        """Take entries to their receipts, in order, until `pause` says that something else is more urgent; those that are left.
        Whatever stops it is raised, and leaves unfinished entries open."""
        waiting = deque(entry_ids)
        try:
            batch = self._prove_next(waiting)
            while batch is not None:
                go_on = bool(waiting) and not pause()
                following = self._prove_next(waiting) if go_on and self._ahead.is_ready(waiting[0], self._begun) else None
                self._settle(batch)
                if following is None and waiting and not pause():
                    following = self._prove_next(waiting)
                batch = following
        except BaseException as error:
            # What was read ahead of its turn is read again.
            self._begun.clear()
            if away := as_away(error):
                raise away from error
            if not isinstance(error, Unavailable):
                self._counted = {entry: attempt for entry, attempt in self._counted.items() if entry in self._being_read}
            raise
        return list(waiting)

    def next_part(self, entry: str) -> bool:
        """Take one entry one part further; true when it has its receipt. For long captures that others must not wait for. A file
        that is still being read is left alone: `is_being_read` tells."""
        try:
            work = self._resume(entry)
            if work is None:
                return not self.is_being_read(entry)
            batch, self._next_seq = work.come(self._next_seq)
            if batch is None and not self._ahead.is_read(work, (), self._begun):
                self._begun[entry] = work
                return False
            batch = batch or self._embedded([self._prove(work)])
            try:
                self._prove_coming(work)
            finally:  # also where the coming part cannot be read: this one can
                self._settle(batch)
        except BaseException as error:
            if away := as_away(error):
                raise away from error
            if not isinstance(error, Unavailable):
                self._counted.pop(entry, None)
            raise
        if not work.finished:
            self._begun[entry] = work
        return work.finished

    def _prove_coming(self, work: Work) -> None:
        """Read the next part of a long capture while this one is embedded. Where an attempt failed before, each part is decided
        before the next is read: should that be what stopped the process, what stands before it is remembered all the same."""
        self._ahead.go_on([work.entry], {work.entry: work})
        if work.attempt > 1 or work.again or work.proved >= len(work.parts) or not self._ahead.reading(work).ready():
            return
        work.coming = self._embedded([self._prove(work)])

    def together(self, entries: Sequence[str]) -> list[str]:
        """Take entries that somebody waits for, in their order: as many of the first as may go together, or else one part of the
        first alone. Those that have no receipt after it; what cannot be finished in one part is for `next_part`."""
        joined = self._joined(entries)
        if len(joined) < 2:
            return [*([] if self.next_part(entries[0]) else entries[:1]), *entries[1:]]
        try:
            self._go_together(joined)
        except BaseException as error:
            if away := as_away(error):
                raise away from error
            if not isinstance(error, Unavailable):
                for entry, _ in joined:
                    self._counted.pop(entry, None)
            raise
        return list(entries[len(joined) :])

    def _joined(self, entries: Sequence[str]) -> list[tuple[str, Entry]]:
        """The first entries, up to one that has to go alone: it is long, or a file, or waits for a language model; it was tried
        before; it depends on all that comes before it."""
        joined: list[tuple[str, Entry]] = []
        worklog = self._stores.worklog
        for entry in entries:
            try:
                status = worklog.status(entry)
                said = worklog.read(entry) if status is not None and not status.attempts and status.receipt is None else None
            except Corrupt:
                break
            if said is None or not goes_with_others(said):
                break
            if isinstance(said, Capture) and not self._ahead.goes_at_once(said):
                break
            joined.append((entry, said))
        return joined

    def _go_together(self, joined: Sequence[tuple[str, Entry]]) -> None:
        """Each is decided in its turn; the engines and the receipts follow for all of them."""
        names = [entry for entry, _ in joined]
        self._counted.update(zip(names, self._stores.worklog.begin_each(names), strict=True))
        self._next_seq = max(self._next_seq, self._stores.catalogue.last_seq() + 1)
        works: list[Work] = []
        for entry, said in joined:
            if isinstance(said, Capture) and (work := self._ahead.work_for(said, self._counted[entry], None)) is not None:
                self._tried.add(entry)
                self._publish(entry, "segment", 0, 1)
                works.append(work)
        parts = {part.work.entry: part for part in self._prove_each(works)}
        vectors = self._embedded(list(parts.values())).vectors.result()
        group = Group()
        judging = 0.0
        for entry, said in joined:
            if isinstance(said, Command):
                if group.pending:
                    self._write_decided(group)
                self._decide(said, group)
                continue
            part = parts[entry]
            later = list(parts).index(entry) >= JUDGED_AT_ONCE or judging >= JUDGED_SECONDS
            if not (later and group.pending) or group.pending.spells_nearly(part.atoms):
                self._write_decided(group)
            if group.written.reindex:  # what it meets is compared by vectors, and those are not in the engine yet
                self._settle_group(group, vectors)
            began = monotonic()
            plan = self._decided(part, vectors, group.written.trashed, group.pending, judged_later=later)
            judging += monotonic() - began
            group.add(Decided(said, plan, self._counted[entry]))
            group.unwritten.append(plan)
            if later and may_wait(plan):
                group.pending.add(plan.atoms)
            else:
                self._write_decided(group)
        self._settle_group(group, vectors)

    def _decide(self, command: Command, group: Group) -> None:
        """What a command comes to, once the engines have followed all that it has to do with."""
        if not group.touched.isdisjoint(named_in(command.action) or ()):
            self._settle_group(group, {})
        planned = self._plan_command(command, self._stores, self._next_seq)
        if isinstance(planned, Plan) and not group.touched.isdisjoint(touched_by(planned)):
            self._settle_group(group, {})
            planned = self._plan_command(command, self._stores, self._next_seq)
        group.add(Decided(command, planned, self._counted[command.command_id]))
        if isinstance(planned, Plan):
            group.unwritten.append(planned)

    def _write_decided(self, group: Group) -> None:
        plans, group.unwritten = group.unwritten, []
        group.pending.clear()
        if plans:
            self._stores.lock.check()
            self._stores.worklog.write_plans(plans)
            with self._in_vain.carrying_out([plan.capture_id for plan in plans]):
                write_plans(self._stores, plans, group.written)

    def _settle_group(self, group: Group, vectors: Mapping[str, Vectors]) -> None:
        """Bring what a group came to into the engines, and write its receipts; then it is empty."""
        self._write_decided(group)
        carried_out = [entry_id(each.said) for each in group.decided if isinstance(each.plan, Plan)]
        for entry, said in ((entry_id(each.said), each.said) for each in group.decided):
            if isinstance(said, Capture):
                self._publish(entry, "index", 0, 1)
        if carried_out:
            with self._in_vain.carrying_out(carried_out):
                self._follow(group.written, group.captures(), vectors)
            self._shelve(list(group.captures().values()))
        receipts: list[Receipt] = []
        for each in group.decided:
            if isinstance(each.plan, Plan):
                receipts.append(self._receipt(each.plan, each.attempt, each.said))
            else:
                receipts.append(self._refusal(entry_id(each.said), each.plan.reason, each.attempt))
        ended = zip(group.decided, receipts, strict=True)
        self._concluded([(each.said, receipt) for each, receipt in ended if isinstance(each.plan, Plan)])
        self._stores.worklog.end_each(receipts)
        for receipt in receipts:
            self._ended(receipt)
        group.decided, group.written, group.touched = [], Written(), set()

    def is_being_read(self, entry: str) -> bool:
        """Whether an entry was passed over because what it says is not known yet."""
        return entry in self._being_read

    def is_in_hand(self, entry: str) -> bool:
        """Whether a file is being read this moment: who passed it over will be told when that is done."""
        return entry in self._being_read and self._reading.is_reading(entry)

    def is_begun(self, entry: str) -> bool:
        """Whether some parts of an entry are done, and others are left."""
        return entry in self._begun

    def stop_reading(self) -> None:
        """From any thread: what waits for a language model is given up, and stays in the work list."""
        self._extractor.close()

    def close(self) -> None:
        """Let go of the thread that waits for the embedder, and of those that read files."""
        self.stop_reading()
        self._reading.close()
        self._embedding.shutdown()

    def _resume(self, entry: str) -> Work | None:
        """A capture begun in this process goes on; whatever fails in between is begun again, as another attempt."""
        return self._begun.pop(entry, None) or self._open(entry)

    def _open(self, entry: str) -> Work | None:
        """Count the attempt, carry out a plan that is there, and say what is left to do."""
        worklog = self._stores.worklog
        self._being_read.discard(entry)
        if worklog.receipt(entry) is not None:
            self._close(entry)
            return None
        try:
            said = worklog.read(entry)
            plan = worklog.read_plan(entry)
        except Corrupt as error:
            # No attempt mends it: it waits where the owner sees it, until it is restored and retried.
            status = worklog.status(entry)
            log.warning("capture_dead", capture_id=entry, attempts=status.attempts if status else 0)
            self._end(self._dead(entry, str(error), status.attempts if status else 0, None))
            return None
        if said is None:
            # Its envelope is not there yet, or never will be: then the next start clears its mark away.
            return None
        if plan is not None and (why := self._in_vain.given_up(entry)) is not None:
            status = worklog.status(entry)
            log.warning("capture_dead", capture_id=entry, attempts=status.attempts if status else 0)
            self._end(self._dead(entry, why, status.attempts if status else 0, as_far_as_done(self._stores, plan)))
            return None
        attempt = self._counted.get(entry)
        if attempt is None:
            if self._last_attempt_is_next(entry, plan) and self._survives(entry):
                worklog.absolve(entry)
            attempt = self._counted[entry] = worklog.begin(entry)
        # The repair at the start may have numbered atoms that were written by hand.
        self._next_seq = max(self._next_seq, self._stores.catalogue.last_seq() + 1)
        if plan is not None:
            # Decided is decided: a plan is carried out however often the process died in the middle.
            self._carry_out(plan, said)
            if plan.part + 1 >= plan.parts:
                self._shelve([said] if isinstance(said, Capture) else [])
                self._conclude(plan, attempt, said)
                return None
        if attempt - attempts_then(plan) > self._max_attempts:
            why = f"failed {self._max_attempts} times; look at the log for its id, then `lattice retry {entry}`"
            log.warning("capture_dead", capture_id=entry, attempts=attempt - 1)
            self._end(self._dead(entry, why, attempt - 1, plan))
            return None
        if isinstance(said, Command):
            again = self._ahead.work_for(said, attempt, plan)
            if again is None:
                self._command(said, attempt)
            return again
        self._tried.add(entry)
        if is_unread(said):
            if not self._reading.is_done(said):
                self._being_read.add(entry)
                return None
            unreadable = self._reading.outcome(entry)
            if unreadable is not None:
                refused = self._refusal(entry, unreadable.reason, attempt)
                self._end(replace(refused, notes=(f"unreadable:{unreadable.code}",)))
                return None
            said = worklog.read(entry)
            assert isinstance(said, Capture)  # noqa: S101 - narrows what was one a moment ago
        self._publish(entry, "segment", 0, 1)
        return self._ahead.work_for(said, attempt, plan)

    def _last_attempt_is_next(self, entry: str, plan: Plan | None) -> bool:
        """Whether an entry stands before its last attempt because the process died in the ones before: by the entry's doing, by
        somebody's kill -9, or in a power cut. An attempt that failed in this very process was the entry's."""
        if entry in self._tried:
            return False
        status = self._stores.worklog.status(entry)
        return status is not None and status.attempts - attempts_then(plan) >= self._max_attempts - 1

    def _prove_next(self, waiting: deque[str]) -> Batch | None:
        """The next parts that fit into a batch; None when nothing waits any more. An entry's attempt is counted when its turn
        comes, not when the turn of the first of many does."""
        parts: list[Part] = []
        while waiting and sum(len(part.atoms) for part in parts) < BATCH_FACTS:
            if parts and not self._ahead.is_ready(waiting[0], self._begun):
                break  # what is read is remembered before what is not is waited for
            work = self._resume(waiting.popleft())
            if work is None:
                continue
            work.give_back()
            if read := self._ahead.is_read(work, waiting, self._begun):
                parts.append(self._prove(work))
            if not read or work.proved < len(work.parts):
                # A plan takes the place of the one before it, so that goes first; what comes after is decided after all of it.
                self._begun[work.entry] = work
                waiting.appendleft(work.entry)
                break
        return self._embedded(parts) if parts else None

    def _prove(self, work: Work) -> Part:
        """Segment, extract and ground the next part of a capture."""
        return self._prove_each([work])[0]

    def _prove_each(self, works: Sequence[Work]) -> list[Part]:
        """Likewise for several captures; the judge is asked once how all of it is meant."""
        quoted = [
            prove_quotes(
                work.capture,
                work.parts[work.proved],
                partial(self._publish_part, work),
                self._ahead.reading(work),
                again=work.again,
                owner=self._owner_of(work),
            )
            for work in works
        ]
        meant = with_statuses([(work.capture, each.grounded) for work, each in zip(works, quoted, strict=True)], self._judge)
        return [
            self._numbered(work, replace(each, grounded=grounded))
            for work, each, grounded in zip(works, quoted, meant, strict=True)
        ]

    def _numbered(self, work: Work, proved: Proved) -> Part:
        """What was proved, with its atoms."""
        proved = self._allowed(work.capture, proved)
        read_by = work.entry if work.again else None
        atoms = atoms_of(work.capture, proved, ordinal=work.ordinal, seq=self._next_seq, read_by=read_by)
        work.proved += 1
        work.ordinal += len(atoms)
        self._next_seq += len(atoms)
        return Part(work, proved, atoms)

    def _owner_of(self, work: Work) -> Sequence[str]:
        return self._owner_names() if work.capture.trust in ("document", "web") else ()

    def _embedded(self, parts: list[Part]) -> Batch:
        said = [atom for part in parts for atom in part.atoms]
        return Batch(parts, self._embedding.submit(embed_atoms, said, self._stores.embedder))

    def _settle(self, batch: Batch) -> None:
        """Reconcile, commit and index a batch, and write the receipts of the captures it finishes."""
        vectors = batch.vectors.result()
        written = Written()
        plans: list[tuple[Work, Plan]] = []
        for part in batch.parts:
            plan = self._plan(part, vectors, written.trashed)
            with self._in_vain.carrying_out([part.work.entry]):
                write_plans(self._stores, [plan], written)
            plans.append((part.work, plan))
        for work, _ in plans:
            self._publish_part(work, "index")
        with self._in_vain.carrying_out([work.entry for work, _ in plans]):
            self._follow(written, {work.capture.capture_id: work.capture for work, _ in plans}, vectors)
        for work, plan in plans:
            work.done, work.tally = work.done + 1, plan.tally
        self._shelve([work.capture for work, _ in plans if work.finished])
        for work, plan in plans:
            if work.finished:
                said = self._stores.worklog.read(work.entry) if work.again else work.capture
                self._conclude(plan, work.attempt, said or work.capture)

    def _plan(self, part: Part, vectors: Mapping[str, Vectors], trashed: Sequence[str]) -> Plan:
        """Decide, and make the decision durable: from here on this part is only carried out."""
        plan = self._decided(part, vectors, trashed, Pending())
        self._stores.lock.check()
        self._stores.worklog.write_plan(plan)
        return plan

    def _decided(
        self, part: Part, vectors: Mapping[str, Vectors], trashed: Sequence[str], pending: Pending, *, judged_later: bool = False
    ) -> Plan:
        """What a part comes to, beside what is known and what is `pending`; in no file yet."""
        stores, work, atoms = self._stores, part.work, part.atoms
        self._publish_part(work, "reconcile")
        # What this batch moves to the trash is known to the catalogue until the engines have followed.
        dated = DatedAhead(pending.beside(stores.catalogue), stores.clock.now())
        catalogue: KnownAtoms = Meanwhile(dated, trashed) if trashed else dated
        # An import is not held up for each doubt: there the rules alone decide, and the judge comes a little later.
        choose = partial(self._extractor.choose, work.entry) if work.capture.priority == "interactive" else None
        judged_now = work.capture.priority == "interactive" and not judged_later
        judging = judging_beside(stores, self._judge, vectors) if judged_now else None
        cited = self._cited_lately()
        known = Known(catalogue, partial(vectors_of, stores, vectors), self._thresholds, choose, judging, cited)
        own = {atom.atom_id: vectors[atom.atom_id] for atom in atoms if atom.atom_id in vectors}
        segments = work.parts[work.done]
        place = Place(work.entry, work.done, len(work.parts), stores.lock.epoch, work.tally, segments[-1].end if segments else 0)
        if work.made is not None:
            former = former_atoms(work.capture, segments, work.made, stores.catalogue, self._owner_of(work))
            place = replace(place, of=work.capture.capture_id, former=former)
        proved = replace(part.proved, notes=(*part.proved.notes, JUDGED_LATER)) if judged_later and self._judge else part.proved
        decided = plan_part(place, proved, atoms, own, known)
        plan = replace(decided, attempts=work.attempt)
        self._publish_part(work, "commit")
        self._ahead.decided(work)
        return plan

    def _command(self, command: Command, attempt: int) -> None:
        planned = self._plan_command(command, self._stores, self._next_seq)
        match planned:
            case Refused(reason):
                self._end(self._refusal(command.command_id, reason, attempt))
            case Plan():
                self._stores.lock.check()
                self._stores.worklog.write_plan(planned)
                self._carry_out(planned, command)
                self._conclude(planned, attempt, command)

    def _carry_out(self, plan: Plan, said: Entry) -> None:
        """A plan on its own: a command's, or one that was there when the writer started."""
        # Its numbers are taken, whether or not its atoms reached the catalogue before the crash.
        self._next_seq = max([self._next_seq, *(atom.seq + 1 for atom in plan.atoms)])
        written = Written()
        with self._in_vain.carrying_out([plan.capture_id]):
            write_plans(self._stores, [plan], written)
            self._follow(written, {entry_id(said): said} if isinstance(said, Capture) else {}, {})
            if plan.erasure is not None:
                self._erase(plan)
                self._followed()

    def _follow(self, written: Written, captures: Mapping[str, Capture], vectors: Mapping[str, Vectors]) -> None:
        follow(self._stores, written, captures, vectors, index_seq=self.next_index_seq())
        # Before any receipt: what a receipt speaks of can be walked to, too.
        self._followed()

    def _shelve(self, captures: Sequence[Capture]) -> None:
        """The passages of captures that are done, before their receipts. Of what somebody waits for the first can be found by
        their meaning at once, too; of the rest a little later."""
        shelf = self._stores.shelf
        if shelf is not None and captures:
            waited_for = any(capture.priority == "interactive" for capture in captures)
            shelf.shelve(captures, self.next_index_seq(), at_once=EMBEDDED_AT_ONCE if waited_for else 0)

    def next_index_seq(self) -> int:
        """Above that of every write to the engines so far."""
        self._index_seq = max(self._index_seq, self._stores.lock.epoch << 32) + 1
        return self._index_seq

    def _conclude(self, plan: Plan, attempt: int, said: Entry) -> None:
        """An entry whose last part is done ends with its receipt."""
        receipt = self._receipt(plan, attempt, said)
        self._concluded([(said, receipt)])
        self._end(receipt)

    def _receipt(self, plan: Plan, attempt: int, said: Entry) -> Receipt:
        """Of an entry whose last part is done. What is to be read again is marked before: the receipt says so."""
        mark_again(self._stores.worklog, plan.tally, said, self._stores.clock.now())
        notes = said.notes if isinstance(said, Capture) else ()
        return receipt_of(plan, attempts=attempt, finished_at=self._stores.clock.now(), notes=notes)

    def _refusal(self, entry: str, reason: str, attempt: int) -> Receipt:
        return refusal(entry, reason, attempts=attempt, finished_at=self._stores.clock.now(), epoch=self._stores.lock.epoch)

    def _dead(self, entry: str, reason: str, attempt: int, plan: Plan | None) -> Receipt:
        """What its earlier parts brought stays, and stays in the receipt, so that it can be undone."""
        return cut_short(self._refusal(entry, reason, attempt), plan.tally if plan else Tally())

    def _end(self, receipt: Receipt) -> None:
        self._stores.worklog.end_each([receipt])
        self._ended(receipt)

    def _ended(self, receipt: Receipt) -> None:
        self._forget(receipt.capture_id)
        log.info(
            "capture_finished",
            capture_id=receipt.capture_id,
            state=receipt.state,
            atoms_new=receipt.atoms_new,
            atoms_updated=receipt.atoms_updated,
            rejected=receipt.rejected,
        )
        self._told_ended(receipt)

    def _close(self, entry: str) -> None:
        self._stores.worklog.close_entry(entry)
        self._forget(entry)

    def _forget(self, entry: str) -> None:
        self._tried.discard(entry)
        self._counted.pop(entry, None)
        self._in_vain.forget(entry)
        self._ahead.forget(entry)
        self._progress.finished(entry)

    def _publish_part(self, work: Work, stage: Stage) -> None:
        self._publish(work.entry, stage, work.done, len(work.parts))

    def _publish(self, entry: str, stage: Stage, done: int, total: int) -> None:
        self._progress.publish(Progress(entry, stage, done, total))
