"""Lattice as its doors see it: every verb of the product, as plain synchronous calls with domain values.

`composition` makes it. Doors (HTTP, command line) call nothing else. A `Lattice` can journal and read; the writer is elsewhere: a
thread of the same process in the embedded product, the worker on a server.
"""

from __future__ import annotations

import hashlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from lattice_common.capture.accept import accept, accept_file, file_name
from lattice_common.capture.importers.account import Account
from lattice_common.capture.importers.export import exported
from lattice_common.capture.importers.intake import Intake, survey
from lattice_common.capture.incoming import Incoming
from lattice_common.capture.request import FileMetadata, IngestRequest
from lattice_common.domain.atom import Atom, normalize_subject
from lattice_common.domain.capture import Action, Capture, Command, JsonValue, KeepBoth, Original, PreferAtom, UndoChange
from lattice_common.domain.chat import ChatTurn
from lattice_common.domain.feedback import Outcome, Verdict
from lattice_common.domain.forgetting import ForgetPreview, Forgettable
from lattice_common.domain.graph import Edge, Node
from lattice_common.domain.intent import Intent, IntentReading, OrderOutcome
from lattice_common.domain.recall import Answer, AnswerEvent, Exchange, Final, Query, Selection
from lattice_common.domain.receipt import CaptureStatus, Progress, State, seconds_since
from lattice_common.domain.tier import tier_at
from lattice_common.errors import Conflict, InvalidInput, NotFound, Unavailable
from lattice_common.failures import Failures, together
from lattice_common.language.intents.intent import intent_of
from lattice_common.language.people import Entity
from lattice_common.language.people.phrases import path_of
from lattice_common.language.people.words import names_any, without_article
from lattice_common.logs import logger
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.clock import Clock
from lattice_common.ports.graph import Graph
from lattice_common.ports.journal import Journal, Upload
from lattice_common.ports.passages import PassageReader
from lattice_common.ports.progress import ProgressBoard
from lattice_common.ports.queue import Queue
from lattice_common.ports.rejection_log import RejectedCandidate, RejectionLog
from lattice_common.recall.atom_view import AtomView, atoms_by_id, view_of
from lattice_common.recall.browse import Browsed, BrowsePage, Difference, NameCount, browse, difference, goes_with, names
from lattice_common.recall.graph_view import GraphAbout, NamedNode, NodeView, node_view, paths_between
from lattice_common.recall.in_review import count_in_review, in_review
from lattice_common.recall.journey import Journey
from lattice_common.recall.pipeline import Recall
from lattice_common.recall.profile import Profile, profile
from lattice_common.recall.sessions import context_of
from lattice_common.recall.source_view import CaptureOfSource, Imported, SourceText, captures_of, imports, source_text
from lattice_common.recall.timeline import newest, timeline
from lattice_common.recall.today import YEAR, Due, Today, today, upcoming
from lattice_common.recall.traces import Traces
from lattice_common.upkeep.archive import ArchiveCandidate, archived, candidates
from lattice_common.upkeep.auto_save import AutoSave, auto_save
from lattice_common.upkeep.changes import Changes
from lattice_common.upkeep.feedback import FeedbackGiven
from lattice_common.upkeep.forget_selection import ForgetSelection
from lattice_common.upkeep.needs import Needs
from lattice_common.upkeep.orders import Orders
from lattice_common.upkeep.records import Records
from lattice_common.upkeep.stats import Stats, stats_of
from lattice_common.upkeep.status import Readiness, Status
from lattice_common.upkeep.told import Told, told_by
from lattice_common.upkeep.trash import Trash, Trashed
from lattice_common.upkeep.unread import UnreadFile

log = logger(__name__)

REFORMULATED_SECONDS = 120.0
"""A question within this many seconds of one that had no answer, in the same conversation, is taken for the same question in
other words."""

IMPORT_KEY = "import:"
"""How the idempotency keys of what is imported begin: they are made of what it says."""

IMPORTED_AT_ONCE = 200
"""Items of an export that are journaled between two looks at their receipts."""

MOST_CONFLICTS = 200
"""Conflicts are counted up to this number: nobody reads a longer list."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """What `accept` did. `created` is false when an idempotency key named a capture that was there already."""

    status: CaptureStatus
    created: bool


@dataclass(frozen=True, slots=True)
class Captures:
    """What takes captures, and follows them to their receipts; sizes are in bytes."""

    journal: Journal
    queue: Queue
    progress: ProgressBoard
    rejections: RejectionLog
    max_text_bytes: int
    max_file_bytes: int
    text_files_are_notes: bool


@dataclass(frozen=True, slots=True)
class Memories:
    """What is remembered, as it is read."""

    catalogue: CatalogueReader
    passages: PassageReader
    graph: Graph
    graph_files: Callable[[], Mapping[str, JsonValue]]
    atom_fields: Callable[[Atom], dict[str, JsonValue]]


@dataclass(frozen=True, slots=True)
class Usage:
    """What is noted of how it is used, and of what failed: here, and in the process that writes."""

    journey: Journey
    records: Records
    traces: Traces
    failures: Failures
    failed_elsewhere: Callable[[], Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Removal:
    """What is asked to go, and what has gone and can be brought back."""

    forgettable: ForgetSelection
    in_trash: Trash


class Lattice:
    """Every verb of the product. Raises only the errors of `lattice_common.errors`; safe to call from several threads."""

    def __init__(
        self,
        captures: Captures,
        memories: Memories,
        usage: Usage,
        removal: Removal,
        recall: Recall,
        clock: Clock,
        status: Callable[[], Status],
        readiness: Callable[[], Readiness],
    ) -> None:
        """Compose it of these; `status` and `readiness` are called anew for each answer."""
        self._captures, self._memories, self._usage, self._removal = captures, memories, usage, removal
        self._recall, self._clock, self._status, self._readiness = recall, clock, status, readiness
        self._started = clock.now()
        self._unanswered: dict[str | None, float] = {}
        self._orders = Orders(memories.catalogue, captures.journal, clock, recall.select, status)
        self.changes = Changes(memories.catalogue, usage.journey.end)

    @property
    def journey(self) -> Journey:
        """Return the conversation over all doors: its log and the branches of the day."""
        return self._usage.journey

    @property
    def records(self) -> Records:
        """Return the logs of how memory is used, with the owner's verdicts."""
        return self._usage.records

    def accept(
        self,
        request: IngestRequest,
        *,
        idempotency_key: str | None = None,
        channel: str | None = None,
        notes: Sequence[str] = (),
        context: str | None = None,
    ) -> Accepted:
        """Journal a request (fsynced) and ring the queue; takes a few milliseconds and never waits for ingest. `context` holds
        the words before it in its conversation: they help to read it, and are never a source of facts."""
        capture = accept(
            request,
            self._clock,
            max_bytes=self._captures.max_text_bytes,
            idempotency_key=idempotency_key,
            channel=channel,
            notes=notes,
        )
        if context:
            capture = replace(capture, metadata={**capture.metadata, "context": context})
        return self._accepted(*self._appended(capture))

    def tell(self, request: IngestRequest, *, idempotency_key: str | None = None, channel: str | None = None) -> Accepted:
        """Call `accept` within the conversation `metadata.session_id`: what is told may refer to the turns before it."""
        session_id, text = request.metadata.session_id, request.text or ""
        context = context_of(text, self.journey.turns(session_id))
        accepted = self.accept(request, idempotency_key=idempotency_key, channel=channel, context=context)
        self.journey.told(session_id, text)
        return accepted

    @property
    def max_file_bytes(self) -> int:
        """Return the size of the largest file that is accepted, in bytes."""
        return self._captures.max_file_bytes

    @contextmanager
    def receiving(self) -> Iterator[Incoming]:
        """Open a place on the journal's disk for the bytes of one file, as they come; remove it at the end where `accept_file`
        did not take it."""
        upload = self._captures.journal.upload()
        try:
            yield Incoming(upload, self._captures.max_file_bytes)
        finally:
            upload.close()

    def accept_file(
        self,
        incoming: Incoming,
        name: str,
        request: FileMetadata,
        *,
        idempotency_key: str | None = None,
        channel: str | None = None,
        notes: Sequence[str] = (),
        own: bool = False,
    ) -> Accepted:
        """Journal a file that has arrived whole, and ring the queue; it is read later. `name` is shown to people only; `own` says
        that the file is the owner's own note."""
        capture = accept_file(
            incoming,
            name,
            request,
            self._clock,
            notes_are_mine=own or self._captures.text_files_are_notes,
            idempotency_key=idempotency_key,
            channel=channel,
            notes=notes,
        )
        return self._accepted(*self._appended(capture, incoming.upload))

    def import_file(
        self,
        incoming: Incoming,
        name: str,
        *,
        own: bool | None = None,
        me: str | None = None,
        dry_run: bool = False,
        channel: str | None = None,
        timeout: float = 0.0,
    ) -> tuple[Account, int]:
        """Journal every item of an export that has arrived whole; wait at most `timeout` seconds for the receipts.

        Return the account of the import, and how many receipts are outstanding. `own` says whether its text and markdown are the
        owner's words; None: as the settings say. What somebody called `me` says in its conversations is the owner's. With
        `dry_run` nothing is journaled. Raise `InvalidInput` for an unknown or damaged export, and `Unavailable` where the disk is
        full: sending the export again recognises what was journaled by then.
        """
        name = file_name(name)
        with incoming.opened() as file:
            found = exported(name, file, incoming.size, own=own)
            if found is None:
                raise InvalidInput(
                    f"{name} is not known for the export of a program. Send it to /api/ingest-file to have it read as a file.",
                    field="file",
                )
            if me:
                found = (item.said_by(me) for item in found)
            if dry_run:
                return survey(found), 0
            intake = Intake(found, self, channel, most_waiting=sys.maxsize)
            while not intake.is_through:
                intake.go_on(IMPORTED_AT_ONCE)
        deadline = time.monotonic() + timeout
        while intake.oldest is not None and (left := deadline - time.monotonic()) > 0:
            self.wait_for(intake.oldest, left)
            intake.look_for_receipts()
        return intake.account, intake.waiting

    def _appended(self, capture: Capture, upload: Upload | None = None) -> tuple[Capture, str, bool]:
        """Journal a capture. One of an import that was taken back is read again under a key of its own: whoever brings it again
        wants it back."""
        capture_id, created = self._captures.journal.append(capture, upload)
        while not created and (capture.idempotency_key or "").startswith(IMPORT_KEY) and self._was_taken_back(capture_id):
            key = f"{IMPORT_KEY}{capture_id}:{hashlib.sha256((capture.idempotency_key or '').encode()).hexdigest()}"
            capture = replace(capture, idempotency_key=key)
            capture_id, created = self._captures.journal.append(capture, upload)
        return capture, capture_id, created

    def _was_taken_back(self, capture_id: str) -> bool:
        receipt = self.capture(capture_id).receipt
        if receipt is None or not receipt.atom_ids or self._memories.catalogue.of_capture(capture_id):
            return False
        return self._removal.in_trash.was_taken_back(receipt.atom_ids)

    def _accepted(self, capture: Capture, capture_id: str, created: bool) -> Accepted:
        if not created:
            return Accepted(self.capture(capture_id), created=False)
        queued = self._captures.queue.ring(capture_id, capture.priority)
        size = capture.original.size if capture.original else 0
        log.info("capture_accepted", capture_id=capture_id, characters=len(capture.text), bytes=size)
        return Accepted(CaptureStatus(capture_id, "waiting", queued=queued, received_at=capture.received_at), created=True)

    def original(self, capture_id: str) -> tuple[Original, Path]:
        """Return the file that a capture came as: its description, and the path of its bytes, which is for reading only. Raise
        `NotFound`."""
        self.capture(capture_id)
        said = self._captures.journal.read(capture_id)
        path = self._captures.journal.original_path(capture_id)
        if not isinstance(said, Capture) or said.original is None:
            raise NotFound(f"The capture {capture_id} did not come as a file: there is no original to open.")
        if path is None:
            raise NotFound(f"The original of {capture_id} is not in the journal any more: restore it from a backup.")
        if said.original.redacted and not said.original.size:
            raise NotFound(f"The file that {capture_id} came as was forgotten: what else was read of it is in the memories.")
        if not self._memories.catalogue.of_capture(capture_id) and self._removal.in_trash.spans_of(capture_id):
            raise NotFound(f"All memories of {capture_id} were deleted: take the deletion back to open the file they came from.")
        return said.original, path

    def capture(self, capture_id: str) -> CaptureStatus:
        """Return the state of a capture. Raise `NotFound`."""
        status = self._captures.journal.status(capture_id)
        if status is None:
            raise NotFound(f"There is no capture {capture_id}: `lattice captures` lists those that are there.")
        return status

    def captures(self, *, state: State | None, limit: int, cursor: str | None) -> tuple[list[CaptureStatus], str | None]:
        """Return a page of captures, newest first, and the cursor to go on with; None at the end."""
        return self._captures.journal.listing(state=state, limit=limit, cursor=cursor)

    def longest_wait(self) -> float:
        """Return for how many seconds the oldest unfinished entry has waited, entries in work included; 0 where none waits."""
        waiting = self._captures.journal.open_ids()
        return seconds_since(waiting[0], self._clock.now()) if waiting else 0.0

    def retry(self, capture_id: str) -> CaptureStatus:
        """Open a dead capture again. Raise `NotFound`, or `Conflict` when it is not dead."""
        status = self.capture(capture_id)
        if not self._captures.journal.retry(capture_id):
            raise Conflict(f"Capture {capture_id} is {status.state}, not dead: there is nothing to try again.")
        self._captures.queue.ring(capture_id, "interactive")
        return self.capture(capture_id)

    def wait_for(self, capture_id: str, timeout: float) -> CaptureStatus:
        """Block until the capture has its receipt, or `timeout` seconds have passed; return its state."""
        deadline = time.monotonic() + timeout
        while (status := self.capture(capture_id)).receipt is None:
            left = deadline - time.monotonic()
            if left <= 0:
                break
            self._captures.progress.wait_until_finished(capture_id, left)
        return status

    def progress(self, capture_id: str, seen: Progress | None, timeout: float) -> Progress | None:
        """Block up to `timeout` seconds for progress other than `seen`; return the latest."""
        return self._captures.progress.wait(capture_id, seen, timeout)

    def select(self, query: Query) -> Selection:
        """Return what memory holds on a question, best first, without a language model."""
        found = self._usage.traces.selected(query, self._recall.select(self._usage.traces.asked(query)))
        self._recall.timings.took("select", found.took_ms)
        if not found.answerable:
            self._usage.failures.note("nothing_found")
        log.info(
            "selected",
            trace_id=found.trace_id,
            atoms=len(found.atoms),
            answerable=found.answerable,
            shape=found.shape,
            took_ms=round(found.took_ms, 2),
            **self._timed(found.trace_id),
        )
        return found

    def intent(self, text: str) -> IntentReading:
        """Return whether words tell, ask or request something, and how certain that is. The judge decides; without one, rules do,
        and where these are unsure the language model, if there is one (at most 2 s)."""
        return self._recall.intent(text)

    def do(self, text: str, *, channel: str | None = None, timeout: float = 10.0) -> OrderOutcome:
        """Carry out what words request. What destroys is only previewed, with a token for `confirm`. Raise as `change` does."""
        return self._orders.carry_out(text, lambda action: self.change(action, channel=channel, timeout=timeout))

    def forget_preview(self, wanted: Forgettable, *, now: bool) -> ForgetPreview:
        """Return what would be forgotten. Raise `InvalidInput`, or `NotFound` where nothing matches."""
        return self._removal.forgettable.preview(wanted, now=now)

    def forget(
        self, wanted: Forgettable, confirm: str, *, now: bool, channel: str | None = None, timeout: float = 60.0
    ) -> tuple[str, ForgetPreview]:
        """Forget what a preview has shown; return the change id, which takes it back until it leaves the trash. Raise `Conflict`
        (412) when the preview is no longer what would be forgotten, and as `change` does."""
        action, shown = self._removal.forgettable.confirmed(wanted, confirm, now=now)
        return self.change(action, channel=channel, timeout=timeout), shown

    def confirm(self, token: str, *, channel: str | None = None, timeout: float = 10.0) -> OrderOutcome:
        """Carry out what `do` has previewed. Raise `NotFound` for a token that has expired or was used, and as `change` does."""
        return self._orders.confirm(token, lambda action: self.change(action, channel=channel, timeout=timeout))

    def clear_today(self) -> int:
        """Remove today's turns from the log of the conversation; return how many there were. Memories stay."""
        self.records.clear_chosen(self.journey.now().date())
        return self.journey.clear_today()

    def chose(self, text: str, intent: Intent, channel: str) -> None:
        """Record the owner's decision whether words tell or ask; keep it as an example where the rules would have decided
        otherwise."""
        self.records.chosen(text, intent, intent_of(text), channel)

    def examples(self) -> Iterator[dict[str, JsonValue]]:
        """Yield labelled examples from the owner's later corrections, for training the judge; see `upkeep.learn`."""
        return self.records.examples(self._captures.journal)

    def answer(
        self,
        query: Query,
        *,
        atom_ids: Sequence[str] = (),
        history: Sequence[Exchange] = (),
        session_id: str | None = None,
        channel: str | None = None,
    ) -> Answer:
        """Return an answer with citations; from `atom_ids` only, where these are given. `history` holds the turns before, oldest
        first; without it the turns of the session are used."""
        started = time.perf_counter()
        turns = history or self.journey.turns(session_id)
        found = self._recall.answer(self._usage.traces.asked(query), atom_ids=atom_ids, history=turns)
        found = self._usage.traces.answered(query, found)
        self._note(query, found, session_id, channel, started)
        return found

    def answer_stream(
        self,
        query: Query,
        *,
        session_id: str | None = None,
        channel: str | None = None,
        cancel: threading.Event | None = None,
    ) -> Iterator[AnswerEvent]:
        """Yield an answer as it is written, within a conversation. It ends within two seconds of `cancel` being set."""
        started = time.perf_counter()
        history = self.journey.turns(session_id)
        for each in self._recall.answer_stream(self._usage.traces.asked(query), history=history, cancel=cancel):
            event = self._usage.traces.event(query, each)
            if isinstance(event, Final):
                self._note(query, event.answer, session_id, channel, started)
            yield event

    def _note(self, query: Query, found: Answer, session_id: str | None, channel: str | None, started: float) -> None:
        took_ms = (time.perf_counter() - started) * 1000.0
        self._recall.timings.took("answer", took_ms)
        self._note_failures(found, session_id)
        self.journey.answered(query, found, session_id=session_id, channel=channel)
        self.records.recalled(found, channel)
        log.info(
            "answered",
            trace_id=found.trace_id,
            answered=found.answered,
            citations=len(found.citations),
            doubts=len(found.doubts),
            used_llm=found.used_llm,
            fell_back=found.fell_back,
            took_ms=round(took_ms, 2),
            **self._timed(found.trace_id),
        )

    def _timed(self, trace_id: str) -> dict[str, float | tuple[str, ...]]:
        """Return fields for the log: the milliseconds of each stage of a question, and the legs that were missing."""
        timed = self._recall.timings.of(trace_id)
        return {**{f"{stage}_ms": round(ms, 2) for stage, ms in timed.stages.items()}, "degraded": timed.degraded}

    def _note_failures(self, found: Answer, session_id: str | None) -> None:
        failures, now = self._usage.failures, time.monotonic()
        before = self._unanswered.pop(session_id, None)
        if before is not None and now - before < REFORMULATED_SECONDS:
            failures.note("reformulated")
        if not found.answered:
            failures.note("no_answer")
            self._unanswered = {each: at for each, at in self._unanswered.items() if now - at < REFORMULATED_SECONDS}
            self._unanswered[session_id] = now
        if found.fell_back:
            failures.note("model_away")

    def failures(self) -> dict[str, int]:
        """Return how often each failure of the closed list happened since the start, over all processes."""
        return together(self._usage.failures.counts(), self._usage.failed_elsewhere())

    def stats(self) -> Stats:
        """Return how memories are distributed, how long questions take and what failed, as numbers only."""
        return stats_of(
            self._started, self._clock.now(), self._recall.timings, self.failures(), self._memories.catalogue.columns()
        )

    def atom(self, atom_id: str) -> AtomView:
        """Return an atom with its source and history. Raise `NotFound`."""
        view = view_of(
            atom_id, self._memories.catalogue, self._captures.journal, self._memories.passages, self._removal.in_trash.spans_of
        )
        if view is None:
            raise NotFound(f"There is no memory {atom_id}: it was deleted, or never there.")
        return view

    def atoms(self, atom_ids: Sequence[str]) -> list[Atom]:
        """Return the atoms, or passages of documents, with these ids in the order asked for; unknown ids are left out."""
        return atoms_by_id(atom_ids, self._memories.catalogue, self._memories.passages)

    def fields(self, atom: Atom) -> dict[str, JsonValue]:
        """Return an atom as the fields of its file, with its content, its current `tier`, and `archived` where it is."""
        fields = {**self._memories.atom_fields(atom), "content": atom.content, "tier": tier_at(atom, self._clock.now())}
        return {**fields, "archived": True} if atom.archived else fields

    def recent(self, limit: int, *, before: str | None = None, kind: str | None = None) -> list[Atom]:
        """Return the newest atoms first, of one kind where that is given; `before` is the atom id to go on from."""
        return newest(self._memories.catalogue, limit=limit, before=before, kind=kind)

    def browse(self, wanted: Browsed, *, limit: int, cursor: str | None, offset_minutes: int = 0) -> BrowsePage:
        """Return a page of memories, newest said first. Raise `InvalidInput` for an invalid cursor."""
        return browse(self._memories.catalogue, wanted, limit=limit, cursor=cursor, offset_minutes=offset_minutes)

    def difference(self, start: datetime, end: datetime, *, limit: int, about: str | None = None) -> Difference:
        """Return what was learned and what was replaced from `start` up to `end`, all of it or in memories that mention somebody
        or something by any of its names. Raise `InvalidInput` where `end` is not after `start`."""
        if start >= end:
            raise InvalidInput("`start` is not before `end`: name the earlier day first.", field="start")
        return difference(self._memories.catalogue, start, end, limit=limit, called=self.called(about) if about else ())

    def names(self, beginning: str, *, limit: int) -> list[NameCount]:
        """Return names that memories mention and of which a word begins with `beginning`."""
        return names(self._memories.catalogue, beginning, limit=limit)

    def goes_with(self, name: str) -> list[NameCount]:
        """Return names that are mentioned beside this name."""
        return goes_with(self._memories.catalogue, self.called(name))

    def called(self, name: str) -> tuple[str, ...]:
        """Return all names of the entity with this name; the name alone where no entity is known by it."""
        known = self._memories.catalogue
        entity = known.register().entity(name, known.columns().ended)
        return tuple(dict.fromkeys((name, *entity.names))) if entity else (name,)

    def source_text(self, capture_id: str, *, start: int, limit: int) -> SourceText:
        """Return a stretch of a capture's text, with the atoms made from it. Raise `NotFound`."""
        found = source_text(capture_id, self._memories.catalogue, self._captures.journal, start=start, limit=limit)
        if found is None:
            raise NotFound(f"There is no text of {capture_id}: it is no capture, or its words are not kept any more.")
        return found

    def captures_of(self, source_id: str) -> list[CaptureOfSource]:
        """Return the captures of one source. Raise `NotFound` where no memory came from it."""
        found = captures_of(source_id, self._memories.catalogue, self._captures.journal)
        if not found:
            raise NotFound(f"Nothing that is remembered came from {source_id}: `lattice captures` lists what was told.")
        return found

    def imports(self, limit: int) -> list[Imported]:
        """Return the captures that came from named sources, the latest first."""
        return imports(self._memories.catalogue, limit)

    def needs(self) -> Needs:
        """Return how much only the owner can decide."""
        status = self.status()
        files = sum(status.inbox.get(name, 0) for name in ("unreadable", "strange", "failed"))
        return Needs(
            in_review=status.in_review,
            disagreeing=self._memories.catalogue.count_contradictions(),
            dead=status.captures.get("dead", 0),
            files=files + self.records.count_unread(),
            to_correct=len(self.records.to_correct(MOST_CONFLICTS)),
        )

    def unread(self) -> list[UnreadFile]:
        """Return the files that were given and could not be read, newest first, until they are dismissed."""
        return self.records.unread(self._captures.journal)

    def told(self, turns: Sequence[ChatTurn]) -> dict[str, Told]:
        """Return what became of what these turns told, by their `trace_id`."""
        return told_by(turns, self._captures.journal)

    def in_trash(self, limit: int) -> list[Trashed]:
        """Return what the owner deleted and can still bring back, the newest deletion first."""
        return self._removal.in_trash.listed(limit)

    def rest_in_trash(self, change_id: str, start: int, limit: int) -> tuple[Atom, ...]:
        """Return more of what one deletion took, from the place `start` on."""
        return self._removal.in_trash.rest(change_id, start, limit)

    def conflicts(self, limit: int) -> list[tuple[Atom, Atom]]:
        """Return pairs of which only one can be true and neither is superseded: what was learned, and what it contradicts; the
        latest first."""
        return self._atoms_of(self._memories.catalogue.contradictions(limit))

    def disagreeing(self, atom: Atom) -> list[Atom]:
        """Return atoms that contradict this one, or that it contradicts, while neither is superseded."""
        if atom.is_superseded:
            return []
        known = self._memories.catalogue
        others = known.get(list(dict.fromkeys([*atom.contradicts, *known.referrers(atom.atom_id)])))
        disagree = (other for other in others if other.atom_id in atom.contradicts or atom.atom_id in other.contradicts)
        return [other for other in disagree if not other.is_superseded]

    def in_review(self, limit: int) -> list[tuple[Atom, Atom]]:
        """Return pairs (newer, older) of which the newer may have made the older untrue and the owner has not decided yet; newest
        first. Without those of which the newer is only going to hold."""
        return self._atoms_of(in_review(self._memories.catalogue, self._clock.now(), limit))

    def _atoms_of(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[Atom, Atom]]:
        known = self._memories.catalogue.get(list(dict.fromkeys(each for pair in pairs for each in pair)))
        atoms = {atom.atom_id: atom for atom in known}
        # What lay between the two calls may have been settled meanwhile.
        return [(atoms[one], atoms[other]) for one, other in pairs if one in atoms and other in atoms]

    def count_in_review(self) -> int:
        """Return how many such pairs there are."""
        return count_in_review(self._memories.catalogue, self._clock.now())

    def settle(self, newer: str, older: str, outcome: Outcome, *, channel: str | None = None, timeout: float = 10.0) -> str:
        """Record the owner's decision on a pair in review: `both` hold, or `older` was `replaced`. Of two that disagree, `newer`
        is the one that holds. Return the change id. Raise as `change` does, and `NotFound` for a pair that is not in
        question."""
        known = {atom.atom_id: atom for atom in self._memories.catalogue.get([newer, older])}
        in_doubt = newer in known and older in known[newer].may_update
        if not in_doubt and not (newer in known and any(each.atom_id == older for each in self.disagreeing(known[newer]))):
            raise NotFound(f"It is not in question whether {newer} replaces {older}: `lattice review` lists what is.")
        if outcome == "replaced":
            return self.change(PreferAtom(newer, older), channel=channel, timeout=timeout)
        earlier, later = (older, newer) if in_doubt else sorted((newer, older), key=lambda each: known[each].seq)
        return self.change(KeepBoth(later, earlier), channel=channel, timeout=timeout)

    def doubted_by(self, atom: Atom) -> list[Atom]:
        """Return newer atoms that may have made this one untrue, while neither is superseded and the owner has not decided."""
        if atom.is_superseded:
            return []
        known = self._memories.catalogue
        others = known.get(known.referrers(atom.atom_id))
        return [other for other in others if atom.atom_id in other.may_update and not other.is_superseded]

    def entities(self, *, named: str | None = None, kind: str | None = None, limit: int = 100) -> list[Entity]:
        """Return the people and things that memory knows by name or role, sorted by name; of one kind, or with a name that begins
        with `named`, where given."""
        found = self._memories.catalogue.register().entities(self._memories.catalogue.columns().ended)
        begins = normalize_subject(named or "")
        return [
            each
            for each in found
            if (kind is None or each.kind == kind) and any(f" {key}".find(f" {begins}") >= 0 for key in each.keys)
        ][:limit]

    def entity(self, name: str) -> Entity:
        """Return the entity with this name, in any spelling, or with a role such as "my brother"; the latest where several had
        it. Raise `NotFound`."""
        register, ended = self._memories.catalogue.register(), self._memories.catalogue.columns().ended
        path = path_of(name)
        held = register.holders(path, ended) if path else []
        found = register.entity(name, ended) or (held[0] if held else register.entity(without_article(name), ended))
        if found is None:
            near = [register.entity(each, ended) for each in register.spelt_like(normalize_subject(name))]
            found = near[0] if len(near) == 1 else None
        if found is None:
            raise NotFound(f"Nobody and nothing is known as {name}: `lattice who` lists who is.")
        return found

    def mentions(self, entity: Entity, limit: int) -> list[Atom]:
        """Return atoms that mention an entity by any of its names, or by a role that it holds, newest first."""
        roles = (role.phrase for role in entity.roles if role.holder not in ("?", "*"))
        nodes = [f"entity:{normalize_subject(each)}" for each in dict.fromkeys((*entity.names, *roles))]
        found = {node.node_id for each in nodes for node in self._memories.graph.subgraph(each, depth=1, limit=limit)[0]}
        ids = [node.removeprefix("atom:") for node in sorted(found) if node.startswith("atom:")]
        about = [atom for name in entity.names for atom in self._memories.catalogue.with_subject(name, limit=limit)]
        # A name that begins a sentence is not among its atom's entities; a look at the words finds it.
        searched = (each.atom for name in entity.names for each in self._recall.select(Query(name, limit=limit)).atoms)
        named = [atom for atom in searched if names_any(atom.content, entity.keys)]
        atoms = {atom.atom_id: atom for atom in (*self._memories.catalogue.get(ids), *about, *named)}
        return sorted(atoms.values(), key=lambda atom: (-atom.observed_at.timestamp(), atom.atom_id))[:limit]

    def related(self, *, atom_id: str | None = None, subject: str | None = None, limit: int = 20) -> list[Atom]:
        """Return atoms near one atom in the graph, or of one subject, without archived ones. Raise `NotFound`, or `InvalidInput`
        when neither is given."""
        if atom_id is not None:
            if not self._memories.catalogue.get([atom_id]):
                raise NotFound(f"There is no memory {atom_id}: it was deleted, or never there.")
            reached = self._memories.graph.expand([atom_id], limit)
            return [atom for atom in self._memories.catalogue.get([each.atom_id for each in reached]) if not atom.archived]
        if subject is None:
            raise InvalidInput("Name an `atom_id` or a `subject` to find what is related to it.", field="atom_id")
        return self._memories.catalogue.with_subject(subject, limit=limit)

    def count_about(self, subject: str) -> int:
        """Return how many current atoms have this subject."""
        return self._memories.catalogue.subjects().get(normalize_subject(subject), 0)

    def change(self, action: Action, *, channel: str | None = None, timeout: float = 10.0) -> str:
        """Journal a command, wait until it is carried out, and return its change id.

        Raise `NotFound` or `Conflict` where it was refused, and `Unavailable` when it was not carried out within `timeout`
        seconds: it is in the journal then, and will be.
        """
        command = Command(self._clock.new_id(), self._clock.now(), action, channel)
        change_id, _ = self._captures.journal.append(command)
        self._captures.queue.ring(change_id, "interactive")
        receipt = self.wait_for(change_id, timeout).receipt
        if receipt is None:
            raise Unavailable(f"The change {change_id} is kept and will be made, but the writer is busy. Look again in a moment.")
        if receipt.state in ("rejected", "dead"):
            reason = receipt.reason or "it could not be carried out"
            if receipt.refused == "not_found":
                raise NotFound(reason)
            raise Conflict(reason, status=412 if receipt.refused == "changed" else 409)
        if isinstance(action, UndoChange):
            self.records.undone(action.change_id, change_id)
        return change_id

    def feedback(self, verdict: Verdict, *, trace_id: str | None, atom_ids: Sequence[str], channel: str) -> FeedbackGiven:
        """Record the owner's verdict on an answer or on memories; without `atom_ids` it applies to those that the answer cited.
        Raise as `change` does."""
        atoms = self.records.judged_atoms(trace_id, atom_ids, self._memories.passages)
        ignored = self.records.ignored_atoms(atoms, trace_id)
        rating = self.records.rating(verdict, atoms, ignored, trace_id)
        change_id = self.change(rating, channel=channel) if rating is not None else None
        self.records.judge(verdict, atoms, ignored, trace_id, change_id)
        return FeedbackGiven(verdict, tuple(atoms), change_id)

    def trace(self, trace_id: str) -> dict[str, JsonValue]:
        """Return how an answer was found. Raise `NotFound`, also where tracing is off."""
        return self._usage.traces.get(trace_id)

    def archived(self, limit: int, *, before: str | None = None) -> tuple[list[Atom], int]:
        """Return what the owner archived, the newest memory first, and how many there are; `before` is the atom id to go on
        from."""
        return archived(self._memories.catalogue, limit=limit, before=before)

    def archive_candidates(self, limit: int) -> list[ArchiveCandidate]:
        """Return atoms that may be archived because they were neither told nor recalled for long; only the owner archives
        them."""
        return candidates(self._memories.catalogue, self._clock.now(), limit)

    def timeline(
        self,
        *,
        after: datetime | None,
        before: datetime | None,
        subject: str | None,
        limit: int,
        include_archived: bool = False,
        kind: str | None = None,
    ) -> list[tuple[datetime, Atom]]:
        """Return memories in the order of the time they are about, oldest first; of one kind where that is given."""
        return timeline(
            self._memories.catalogue,
            after=after,
            before=before,
            subject=subject,
            limit=limit,
            archived=include_archived,
            kind=kind,
        )

    def profile(self, limit: int, *, tokens: int | None = None) -> Profile:
        """Return who the owner is: lasting and recent facts, within a budget of tokens where one is given."""
        return profile(self._memories.catalogue, self._clock.now(), limit=limit, tokens=tokens)

    def due(self) -> list[Due]:
        """Return what is due within a year, by day."""
        return upcoming(self._memories.catalogue, self._clock.now(), days=YEAR)

    def today(self, days: int = 7) -> Today:
        """Return what is worth knowing today: what is due within `days`, what changed this week, what happened on this day in
        earlier years, what waits for the owner's word, and which open questions can be answered now."""
        turns = self.journey.newest()
        found = today(self._memories.catalogue, self._clock.now(), days=days, turns=turns, select=self._recall.select)
        to_correct = len(self.records.to_correct(MOST_CONFLICTS))
        return replace(found, disagreeing=self._memories.catalogue.count_contradictions(), to_correct=to_correct)

    def rejected(self, limit: int) -> list[RejectedCandidate]:
        """Return quarantined candidates, newest first."""
        return self._captures.rejections.recent(limit)

    def subgraph(self, *, atom_id: str | None, subject: str | None, depth: int) -> tuple[list[Node], list[Edge]]:
        """Return the graph around an atom or a subject, up to `depth` edges away, without archived atoms."""
        if (atom_id is None) == (subject is None):
            raise InvalidInput("Name either an `atom_id` or a `subject` to draw the graph around.", field="atom_id")
        node = f"atom:{atom_id}" if atom_id else f"subject:{normalize_subject(subject or '')}"
        nodes, edges = self._memories.graph.subgraph(node, depth=depth)
        named = {each.node_id.removeprefix("atom:") for each in nodes if each.node_id.startswith("atom:")} - {atom_id}
        aside = {f"atom:{atom.atom_id}" for atom in self._memories.catalogue.get(sorted(named)) if atom.archived}
        left = [edge for edge in edges if edge.source not in aside and edge.target not in aside]
        return [each for each in nodes if each.node_id not in aside], left

    def graph_about(self) -> GraphAbout:
        """Return the size and the state of the graph."""
        graph, files = self._memories.graph, self._memories.graph_files()
        return GraphAbout(graph.stats(), graph.trouble, files)

    def graph_node(self, name: str) -> NodeView:
        """Return a node and its edges. `name` is an atom id, a node id, or a name. Raise `NotFound`."""
        return node_view(self._memories.graph, self._memories.catalogue, name)

    def graph_paths(self, start: str, end: str, *, limit: int = 5) -> list[list[NamedNode]]:
        """Return the shortest paths between two nodes, named as for `graph_node`; empty where there is none. Raise `NotFound`."""
        return paths_between(self._memories.graph, self._memories.catalogue, start, end, limit=limit)

    def export(self) -> Iterator[dict[str, JsonValue]]:
        """Yield every atom as the fields of its file, in the order of writing."""
        return ({**self.fields(atom), "tier": atom.tier} for atom in self._memories.catalogue.all())

    def status(self) -> Status:
        """Return counts, engines, model, versions."""
        return self._status()

    def auto_save(self) -> AutoSave:
        """Return whether everything told is being saved, and when it last was."""
        return auto_save(
            self._usage.journey.newest(), self._captures.journal, self._status(), self._readiness(), self._clock.now()
        )

    def readiness(self) -> Readiness:
        """Return which parts are up, and which are not."""
        return self._readiness()
