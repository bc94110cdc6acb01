"""The extractor that asks a language model: segments side by side, and rules where it gives nothing."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import TypeAlias

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.domain.token_estimate import estimated_tokens
from lattice_common.errors import ModelUnavailable
from lattice_common.ingest.extract.extractor import Extracted, Offer, PartReading, PartSize, RuleExtractor, Task, by_rules
from lattice_common.ingest.extract.model.answer import OUTDATED_SCHEMA, outdated_in
from lattice_common.ingest.extract.model.ask import choosing, longest_segment
from lattice_common.ingest.extract.model.ladder import ALL_ITS_TIME, Means, Piece, Read, read_segment
from lattice_common.ingest.extract.model.patience import Patience
from lattice_common.ingest.extract.model.pool import CallPool
from lattice_common.ingest.extract.model.spending import Deadline, Spending
from lattice_common.logs import logger
from lattice_common.ports.language_model import LanguageModel, Message, ModelRequest

log = logger(__name__)

AHEAD = 8
"""Segments under way for each of the parallel calls: one that runs, and enough behind it for the time that a commit takes on a
busy machine."""

CHOICE_TOKENS = 600
"""An answer names some pairs; ten tokens each."""

CHOICE_SECONDS = 10.0
"""The writer waits for a choice, and everybody for the writer."""

CLOSING_SECONDS = 2.0

ARE_YOU_THERE = "Reply with OK."
"""The least that can be asked, before a capture is read again."""

THERE_SECONDS = 30.0
"""For the answer to that: time to load a model, and not what an endpoint that hangs would take from one that is back."""

HANGS_SECONDS = 5.0
"""An endpoint that takes longer to say nothing hangs: it is asked again after `KNOCK_SECONDS`, and then ever more rarely. One
that takes no connection says so at once, and the question costs nothing."""

KNOCK_SECONDS = 30.0
LONGEST_PAUSE = 900.0

MOST_LATE = 64
"""Calls that go on though nobody waits for them any more; what others bring is asked for again."""

WORTH_ANOTHER_TRY = frozenset(("away", "slow", "unusable"))
"""Why a segment was not read that may be different later; what was too dear stays so."""


@dataclass(frozen=True, slots=True)
class ExtractionLimits:
    """How much may be asked at once, and what reading may cost: tokens for a capture (0: no limit), seconds for a part of it
    and for one call. What somebody waits for is read by rules after `patience_seconds`, or some more where a model is always done
    a little later, and by the model when it answers."""

    parallel: int = 4
    context_tokens: int = 8192
    capture_tokens: int = 200_000
    capture_seconds: float = 300.0
    call_seconds: float = 120.0
    patience_seconds: float = 2.5


class ModelExtractor:
    """Implements `ingest.extract.extractor.Extractor`. Unless one is `expected`, a model that has not turned up yet (it has no
    name) is none: the `rules` read, and nothing is to be read again."""

    def __init__(
        self,
        model: LanguageModel,
        limits: ExtractionLimits,
        *,
        expected: bool = True,
        rules: RuleExtractor | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._limits = limits
        self._expected = expected
        self._rules = rules or RuleExtractor()
        self._monotonic = monotonic
        self._pool = CallPool(limits.parallel)
        self._patience = Patience(limits.patience_seconds)
        self._spending: dict[str, Spending] = {}
        # What was not waited for to its end, by where it stands: read again, it is not asked about a second time.
        self._late: dict[_Place, Future[Read]] = {}
        self._pause = self._ask_from = 0.0

    def part_size(self, capture: Capture, /) -> PartSize:
        """Return as many segments as are asked about at once: whoever waits for the part in hand waits for one call."""
        if not self._there():
            return self._rules.part_size(capture)
        return PartSize(segments=self._limits.parallel, longest=longest_segment(self._limits.context_tokens, capture.text))

    def room(self, *, urgent: bool = False) -> bool:
        return self._there() and (urgent or self._pool.unfinished < AHEAD * self._limits.parallel)

    def start(self, task: Task, part: Sequence[Segment], /) -> PartReading:
        if not self._there():
            return self._rules.start(task, part)
        seconds = self._patience.seconds() if task.urgent else math.inf
        if not seconds or (self._patience.hangs and not task.again):
            self.when_back(lambda _back: None)  # while captures come, and are read without it, it is asked now and then
            return _ReadByModel(task, part, [_not_asked() for _ in part], lambda: 0.0, self._keep)
        means = self._means(task)
        futures = [self._asked(task, piece, means) for piece in part]
        return _ReadByModel(task, part, futures, Deadline(seconds, self._monotonic).left, self._keep)

    def _asked(self, task: Task, piece: Segment, means: Means) -> Future[Read]:
        late = self._late.pop(_place(task, piece), None)
        if late is not None and (not late.done() or _was_answered(late)):
            return late
        return self._pool.submit(lambda: _read(task.capture, piece, means), urgent=task.urgent)

    def _keep(self, task: Task, piece: Segment, future: Future[Read]) -> None:
        """Keep the answer of a call that was not waited for any longer. What stood behind others says nothing of the model."""
        if future.cancel():
            return
        self._patience.ran_out()
        if len(self._late) < MOST_LATE:
            self._late[_place(task, piece)] = future

    def choose(self, entry: str, offers: Sequence[Offer], /) -> frozenset[tuple[str, str]]:
        patience = self._patience.seconds()
        if not (offers and patience and self._there() and self._model.available()):
            return frozenset()
        asked, pairs = choosing(offers)
        spending = self._spent_by(entry)
        reserved = CHOICE_TOKENS + sum(estimated_tokens(message.content) for message in asked)
        if not spending.reserve(reserved):
            return frozenset()
        seconds = min(CHOICE_SECONDS, self._limits.call_seconds, patience)
        request = ModelRequest("supersede", asked, CHOICE_TOKENS, "outdated", OUTDATED_SCHEMA, timeout=seconds)
        spent, begun = 0, self._monotonic()
        try:
            said = self._model.complete(request)
            spent = said.prompt_tokens + said.completion_tokens
        except ModelUnavailable:
            # Both statements stay, tied to each other, as they do without a model.
            log.warning("model_unavailable", purpose="supersede")
            if self._monotonic() - begun >= ALL_ITS_TIME * seconds:
                self._patience.ran_out()
            return frozenset()
        finally:
            spending.settle(reserved, spent)
        chosen = outdated_in(said.text) if said.finish == "stop" else []
        return frozenset(pairs[pair.new, pair.old] for pair in chosen if (pair.new, pair.old) in pairs)

    def when_back(self, then: Callable[[bool], None], /) -> None:
        if not self._model.available():
            then(False)
            return
        running = next((future for future in self._late.values() if not future.done()), None)
        if running is not None:
            # Its answer says the same, and one question more would only stand behind it.
            running.add_done_callback(lambda _: then(self._patience.answers))
        elif self._patience.answers:
            then(True)
        elif self._monotonic() < self._ask_from:
            then(False)
        else:
            self._ask_from = self._monotonic() + THERE_SECONDS
            self._pool.submit(lambda: self._ask_whether_there(then), urgent=False)

    def _ask_whether_there(self, then: Callable[[bool], None]) -> None:
        answered, begun = False, self._monotonic()
        try:
            asked = [Message("user", ARE_YOU_THERE)]
            seconds = min(THERE_SECONDS, self._limits.call_seconds)
            self._model.complete(ModelRequest("extract", asked, 8, timeout=seconds))
            self._patience.answered()
            answered = True
        except ModelUnavailable:
            log.warning("model_unavailable", purpose="extract")
        finally:
            hung = not answered and self._monotonic() - begun >= HANGS_SECONDS
            self._pause = min(max(KNOCK_SECONDS, 2 * self._pause), LONGEST_PAUSE) if hung else 0.0
            self._ask_from = self._monotonic() + self._pause
            then(answered)

    def read_well(self) -> int:
        return self._patience.read_well

    def ended(self, entry: str, /) -> None:
        self._spending.pop(entry, None)

    def close(self) -> None:
        self._pool.close(CLOSING_SECONDS)

    def _there(self) -> bool:
        return self._expected or bool(self._model.model_id)

    def _means(self, task: Task) -> Means:
        limits = self._limits
        deadline = Deadline(limits.capture_seconds, self._monotonic)
        return Means(
            self._model,
            self._spent_by(task.entry),
            deadline,
            limits.context_tokens,
            limits.call_seconds,
            self._patience,
            task.capture.priority == "interactive",
            task.again,
            self._pool.calling,
        )

    def _spent_by(self, entry: str) -> Spending:
        return self._spending.setdefault(entry, Spending(self._limits.capture_tokens))


def _read(capture: Capture, piece: Segment, means: Means) -> Read:
    """Return what the model read in a piece, or what the rules read where it failed. A defect around the model must not keep a
    capture from being remembered: it is logged."""
    try:
        read = read_segment(capture, piece, means)
        if read.instead is None:
            means.patience.used()
        return read
    except Exception:
        log.exception("extraction_failed", capture_id=capture.capture_id)
        return Read((Piece(piece, None),), "unusable")


_Place: TypeAlias = tuple[str, int, int]


def _place(task: Task, piece: Segment) -> _Place:
    return task.capture.capture_id, piece.start, piece.end


def _was_answered(future: Future[Read]) -> bool:
    return future.exception() is None and future.result().instead in (None, "unusable")


def _not_asked() -> Future[Read]:
    future: Future[Read] = Future()
    future.cancel()
    return future


@dataclass(frozen=True, slots=True)
class _ReadByModel:
    """The rules' part is done by whoever asks for the result: it is theirs to count what a poison does there. What is not read
    when no seconds are `left` is given to `keep`, and read by rules."""

    task: Task
    part: Sequence[Segment]
    futures: Sequence[Future[Read]]
    left: Callable[[], float]
    keep: Callable[[Task, Segment, Future[Read]], None]

    def ready(self) -> bool:
        return all(future.done() for future in self.futures) or self.left() <= 0

    def wait(self, timeout: float, /) -> bool:
        return not wait(self.futures, min(timeout, max(self.left(), 0.0))).not_done or self.left() <= 0

    def result(self) -> Sequence[Extracted]:
        left = max(self.left(), 0.0)
        wait(self.futures, left if left < math.inf else None)
        return [self._result(piece, future) for piece, future in zip(self.part, self.futures, strict=True)]

    def cancel(self) -> None:
        for future in self.futures:
            future.cancel()

    def _result(self, piece: Segment, future: Future[Read]) -> Extracted:
        if not future.done():
            self.keep(self.task, piece, future)
            return self._extracted(Read((Piece(piece, None),), "slow"))
        return self._extracted(Read((Piece(piece, None),), "slow") if future.cancelled() else future.result())

    def _extracted(self, read: Read) -> Extracted:
        candidates: list[Candidate] = []
        for each in read.pieces:
            if each.candidates is not None:
                candidates += each.candidates
            elif not self.task.again:
                candidates += by_rules(self.task.capture, each.piece)
        unread = tuple(Span(each.piece.start, each.piece.end) for each in read.pieces if each.candidates is None)
        return Extracted(tuple(candidates), unread, read.instead, read.instead in WORTH_ANOTHER_TRY)
