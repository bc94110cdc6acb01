"""The extractor that asks a language model: segments side by side, and rules where it gives nothing."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.domain.tokens import estimated_tokens
from lattice_common.errors import ModelUnavailable
from lattice_common.ingest.extract.extractor import Extracted, Offer, PartReading, PartSize, RuleExtractor, Task, by_rules
from lattice_common.ingest.extract.model.answer import OUTDATED_SCHEMA, outdated_in
from lattice_common.ingest.extract.model.ask import choosing, longest_segment
from lattice_common.ingest.extract.model.ladder import Means, Piece, Read, read_segment
from lattice_common.ingest.extract.model.pool import CallPool
from lattice_common.ingest.extract.model.spending import Deadline, Spending
from lattice_common.logs import logger
from lattice_common.ports.language_model import LanguageModel, Message, ModelRequest

log = logger(__name__)

AHEAD = 3
"""Segments under way for each of the parallel calls: one that runs, and enough behind it for the time that a commit takes."""

CHOICE_TOKENS = 600
"""An answer names some pairs; ten tokens each."""

CHOICE_SECONDS = 10.0
"""The writer waits for a choice, and everybody for the writer."""

CLOSING_SECONDS = 2.0

ARE_YOU_THERE = "Reply with OK."
"""The least that can be asked, before a capture is read again."""

THERE_SECONDS = 30.0
"""For the answer to that: time to load a model, and not what an endpoint that hangs would take from one that is back."""

WORTH_ANOTHER_TRY = frozenset(("away", "slow", "unusable"))
"""Why a segment was not read that may be different later; what was too dear stays so."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may be asked at once, and what reading may cost: tokens for a capture (0: no limit), seconds for a part of it
    and for one call. What somebody waits for is read by rules after `urgent_seconds`, and by the model later."""

    parallel: int = 4
    context_tokens: int = 8192
    capture_tokens: int = 200_000
    capture_seconds: float = 300.0
    call_seconds: float = 120.0
    urgent_seconds: float = 10.0


class ModelExtractor:
    """Implements `ingest.extract.extractor.Extractor`. Unless one is `expected`, a model that has not turned up yet (it has no
    name) is none: the rules read, and nothing is to be read again."""

    def __init__(
        self,
        model: LanguageModel,
        limits: Limits,
        *,
        expected: bool = True,
        mark: Callable[[], str] = lambda: secrets.token_hex(8),
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._limits = limits
        self._expected = expected
        self._rules = RuleExtractor()
        self._mark = mark
        self._monotonic = monotonic
        self._pool = CallPool(limits.parallel)
        self._spending: dict[str, Spending] = {}

    def part_size(self, capture: Capture, /) -> PartSize:
        """As many segments as are asked about at once: whoever waits for the part in hand waits for one call."""
        if not self._there():
            return self._rules.part_size(capture)
        return PartSize(segments=self._limits.parallel, longest=longest_segment(self._limits.context_tokens, capture.text))

    def room(self, *, urgent: bool = False) -> bool:
        return self._there() and (urgent or self._pool.unfinished < AHEAD * self._limits.parallel)

    def start(self, task: Task, part: Sequence[Segment], /) -> PartReading:
        if not self._there():
            return self._rules.start(task, part)
        seconds = min(self._limits.capture_seconds, self._limits.urgent_seconds if task.urgent else math.inf)
        deadline = Deadline(seconds, self._monotonic)
        means = self._means(task.entry, deadline)

        def job(piece: Segment) -> Callable[[], Read]:
            return lambda: _read(task.capture, piece, means)

        futures = [self._pool.submit(job(piece), urgent=task.urgent) for piece in part]
        return _ReadByModel(task, part, futures, seconds)

    def choose(self, entry: str, offers: Sequence[Offer], /) -> frozenset[tuple[str, str]]:
        if not (offers and self._there() and self._model.available()):
            return frozenset()
        asked, pairs = choosing(offers, self._mark)
        spending = self._spent_by(entry)
        reserved = CHOICE_TOKENS + sum(estimated_tokens(message.content) for message in asked)
        if not spending.reserve(reserved):
            return frozenset()
        seconds = min(CHOICE_SECONDS, self._limits.call_seconds)
        request = ModelRequest("supersede", asked, CHOICE_TOKENS, "outdated", OUTDATED_SCHEMA, timeout=seconds)
        spent = 0
        try:
            said = self._model.complete(request)
            spent = said.prompt_tokens + said.completion_tokens
        except ModelUnavailable:
            # Both statements stay, tied to each other, as they do without a model.
            log.warning("model_unavailable", purpose="supersede")
            return frozenset()
        finally:
            spending.settle(reserved, spent)
        chosen = outdated_in(said.text) if said.finish == "stop" else []
        return frozenset(pairs[pair.new, pair.old] for pair in chosen if (pair.new, pair.old) in pairs)

    def when_back(self, then: Callable[[bool], None], /) -> None:
        if not self._model.available():
            then(False)
            return

        def ask() -> None:
            answered = False
            try:
                asked = [Message("user", ARE_YOU_THERE)]
                seconds = min(THERE_SECONDS, self._limits.call_seconds)
                self._model.complete(ModelRequest("extract", asked, 8, timeout=seconds))
                answered = True
            except ModelUnavailable:
                log.warning("model_unavailable", purpose="extract")
            finally:
                then(answered)

        self._pool.submit(ask, urgent=False)

    def ended(self, entry: str, /) -> None:
        self._spending.pop(entry, None)

    def close(self) -> None:
        self._pool.close(CLOSING_SECONDS)

    def _there(self) -> bool:
        return self._expected or bool(self._model.model_id)

    def _means(self, entry: str, deadline: Deadline) -> Means:
        limits = self._limits
        return Means(self._model, self._spent_by(entry), deadline, self._mark, limits.context_tokens, limits.call_seconds)

    def _spent_by(self, entry: str) -> Spending:
        return self._spending.setdefault(entry, Spending(self._limits.capture_tokens))


def _read(capture: Capture, piece: Segment, means: Means) -> Read:
    """A defect in what surrounds the model must not keep a capture from being remembered: it is logged, and the rules read."""
    try:
        return read_segment(capture, piece, means)
    except Exception:
        log.exception("extraction_failed", capture_id=capture.capture_id)
        return Read((Piece(piece, None),), "unusable")


@dataclass(frozen=True, slots=True)
class _ReadByModel:
    """The rules' part is done by whoever asks for the result: it is theirs to count what a poison does there."""

    task: Task
    part: Sequence[Segment]
    futures: Sequence[Future[Read]]
    seconds: float

    def ready(self) -> bool:
        return all(future.done() for future in self.futures)

    def wait(self, timeout: float, /) -> bool:
        return not wait(self.futures, timeout).not_done

    def result(self) -> Sequence[Extracted]:
        if self.task.urgent:
            # What has not begun by then stands behind calls that take long.
            for future in wait(self.futures, self.seconds).not_done:
                future.cancel()
        return [
            self._extracted(Read((Piece(piece, None),), "slow") if future.cancelled() else future.result())
            for piece, future in zip(self.part, self.futures, strict=True)
        ]

    def cancel(self) -> None:
        for future in self.futures:
            future.cancel()

    def _extracted(self, read: Read) -> Extracted:
        candidates: list[Candidate] = []
        for each in read.pieces:
            if each.candidates is not None:
                candidates += each.candidates
            elif not self.task.again:
                candidates += by_rules(self.task.capture, each.piece)
        unread = tuple(Span(each.piece.start, each.piece.end) for each in read.pieces if each.candidates is None)
        return Extracted(tuple(candidates), unread, read.instead, read.instead in WORTH_ANOTHER_TRY)
