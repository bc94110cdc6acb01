"""In idle time a language model may look over the memories: consolidation and serendipity.

Off unless the settings ask for it (LATTICE_CONSOLIDATE_ENRICH, LATTICE_SERENDIPITY), and limited: a model on this machine, unless
LATTICE_REFLECT_ELSEWHERE allows another; one call at a time, none while something was told in the last minutes, a few a day. The
call runs beside the writer, which only carries out the result, as a command like any other: it can be undone, and a redo calls
no model. Conclusions that are no longer valid are retired, whatever the settings say now; recall skips them until then.
"""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from lattice_common.domain.capture import Action, Command, DeleteAtom, Derive
from lattice_common.domain.recall import DoubtReason
from lattice_common.errors import ModelUnavailable, Unavailable
from lattice_common.ingest.vector_spaces import VectorSpaces
from lattice_common.logs import carried, logger
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.clock import Clock
from lattice_common.ports.graph import Graph
from lattice_common.ports.journal import Journal
from lattice_common.ports.language_model import Completion, LanguageModel, ModelRequest
from lattice_common.ports.lexical_index import LexicalIndex
from lattice_common.ports.line_log import LineLog
from lattice_common.upkeep.reflection import consolidation, extractive, serendipity
from lattice_common.upkeep.reflection.atoms import conclusions, outdated
from lattice_common.upkeep.reflection.log import DAY, ReflectionHistory, failed, history_of, line_of
from lattice_common.upkeep.reflection.model_call import Offer, conclusion_in, request_for, room_for

log = logger(__name__)

QUIET = timedelta(minutes=5)
"""Time since the last write before a call: whoever is telling something must not wait for a busy model."""

RETIRE_EVERY = timedelta(minutes=1)

MOST_CALLS = 24
"""Calls in 24 hours, of both kinds together: at some 3,000 tokens each, a small part of LATTICE_LLM_DAILY_TOKENS."""

INSIGHT_EVERY = timedelta(hours=20)
"""Time between two insights: one a day is welcome, more are noise."""

PAUSE = timedelta(minutes=15)
"""Pause when there was nothing to ask."""

FAILED = timedelta(hours=1)
"""Pause when the model did not answer: the calls of a day then last for a day."""

REMEMBERED = 5_000
"""Lines of the log that are read."""

ELSEWHERE = "The language model is on another machine, and LATTICE_REFLECT_ELSEWHERE does not let it look over memories."

IDEAS_MAY: frozenset[DoubtReason] = frozenset(("content",))
"""Doubts that an insight may raise: an idea says more than its memories do, but its numbers, names, dates and negations are
theirs."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which kinds the owner wants (`extractive` needs no model); the limits of a call in tokens of context and seconds; the
    cosine from which ingest relates two statements itself; and whether a model on another machine may be asked."""

    extractive: bool
    consolidate: bool
    serendipity: bool
    context_tokens: int
    seconds: float
    linked_from: float
    elsewhere: bool = False


def reflection_state(wanted: Wanted, lines: LineLog, now: datetime) -> Mapping[str, bool | int]:
    """Return, for people, what is wanted, how often a model was called in the last day, and how often it may be: not at all while
    the log of it cannot be read."""
    calls, limit = 0, MOST_CALLS
    if wanted.consolidate or wanted.serendipity:
        try:
            calls = history_of(islice(lines.newest(), MOST_CALLS), now).calls
        except Unavailable:
            limit = 0
    return {"consolidate": wanted.consolidate, "serendipity": wanted.serendipity, "calls": calls, "limit": limit}


@dataclass(frozen=True, slots=True)
class Material:
    """The stores that conclusions are drawn from. Without dense search there are no insights."""

    catalogue: CatalogueReader
    lexical: LexicalIndex
    spaces: VectorSpaces
    graph: Graph


@dataclass(frozen=True, slots=True)
class Commands:
    """Journals conclusions; `ring` is called with each command's id."""

    journal: Journal
    clock: Clock
    ring: Callable[[str], object]

    def give(self, action: Action) -> None:
        """Journal a command, and ring for it. Raise `Unavailable`."""
        command = Command(self.clock.new_id(), self.clock.now(), action, channel="upkeep")
        self.journal.append(command)
        self.ring(command.command_id)


@dataclass(slots=True)
class _Times:
    """When each kind may run next, and since when, with which newest memory, nothing was written."""

    retire: datetime
    ask: datetime
    extract: datetime
    quiet_since: datetime
    newest: int


class Reflection:
    """`look` is called by the writer's thread, `close` by any. Without a model only extractive synthesis runs."""

    def __init__(
        self, wanted: Wanted, model: LanguageModel | None, material: Material, commands: Commands, lines: LineLog
    ) -> None:
        """`lines` is the log of what was asked and of the results."""
        self._wanted = wanted
        self._model = model if wanted.consolidate or wanted.serendipity else None
        if self._model is not None and not (self._model.local or wanted.elsewhere):
            log.warning("reflection_waits", reason=ELSEWHERE)
            self._model = None
        self._of, self._commands, self._lines, self._clock = material, commands, lines, commands.clock
        now = self._clock.now()
        # Not at once: changes from while nothing ran are followed first.
        self._times = _Times(now + RETIRE_EVERY, now, now, now, material.catalogue.last_seq())
        self._begun: deque[datetime] = deque(maxlen=MOST_CALLS)
        self._stopping = threading.Event()
        self._busy = threading.Lock()
        self._beside = ThreadPoolExecutor(1, thread_name_prefix="reflection")

    def look(self) -> None:
        """Retire conclusions that are no longer valid; ask the model, if it is time. Returns at once: the call runs beside the
        writer."""
        now = self._clock.now()
        if now >= self._times.retire:
            self._times.retire = now + RETIRE_EVERY
            for atom in outdated(conclusions(self._of.catalogue), self._of.catalogue):
                self._commands.give(DeleteAtom(atom.atom_id))
                log.info("conclusion_retired", atom_id=atom.atom_id)
        time_for_it = self._is_time(now)
        if time_for_it and self._wanted.extractive and now >= self._times.extract:
            self._extract(now)
        if self._model is None or not time_for_it or not self._model.available():
            return
        if self._busy.acquire(blocking=False):
            self._beside.submit(carried(self._reflect), self._model)

    def _extract(self, now: datetime) -> None:
        """Sum up frequent themes, without a model. Costs a search by one word for each theme."""
        self._times.extract = now + PAUSE
        try:
            past = extractive.made_before(islice(self._lines.newest(), REMEMBERED))
            for made in islice(extractive.extracted(self._of.catalogue, self._of.lexical, past, now), extractive.MOST_AT_ONCE):
                self._lines.append([made.line])
                self._commands.give(made.conclusion)
                log.info("reflected", purpose=extractive.PURPOSE, memories=len(made.conclusion.sources), kept=True)
        except Unavailable as error:
            log.warning("reflection_waits", reason=str(error))

    def close(self) -> None:
        """Abort the current call: within two seconds, as `LanguageModel.stream` promises."""
        self._stopping.set()
        self._beside.shutdown(cancel_futures=True)

    def _is_time(self, now: datetime) -> bool:
        newest = self._of.catalogue.last_seq()
        if newest != self._times.newest:
            self._times.newest, self._times.quiet_since = newest, now
        return now >= self._times.ask and now - self._times.quiet_since >= QUIET and not self._stopping.is_set()

    def _reflect(self, model: LanguageModel) -> None:
        """Make at most one call. A defect here stops nothing else."""
        pause = FAILED
        try:
            pause = timedelta() if self._ask(model) else PAUSE
        except ModelUnavailable:
            log.warning("model_unavailable", purpose="reflect")
        except Unavailable as error:
            log.warning("reflection_waits", reason=str(error))
        except (
            Exception
        ):  # nobody waits for this thread: without a log line its defect would be lost, and no conclusion drawn ever after
            log.exception("reflection_failed")
        finally:
            self._times.ask = self._clock.now() + pause
            self._busy.release()

    def _ask(self, model: LanguageModel) -> bool:
        """Return whether the model was asked, and answered."""
        now = self._clock.now()
        past = history_of(islice(self._lines.newest(), REMEMBERED), now)
        # If the log cannot be written, what this process began still counts: each call may cost something.
        if max(past.calls, sum(now - begun < DAY for begun in self._begun)) >= MOST_CALLS:
            return False
        for offer in self._offers(past, now):
            request = request_for(
                offer,
                today=now,
                fence=secrets.token_hex(8),
                context_tokens=self._wanted.context_tokens,
                timeout=self._wanted.seconds,
            )
            self._begun.append(now)
            try:
                said = self._said(model, request)
            except ModelUnavailable:
                self._lines.append([failed(offer, now)])
                raise
            if said is None:
                return False
            made = _conclusion(offer, said, now, f"model:{model.model_id}:{offer.prompt}")
            self._lines.append([line_of(offer, "kept" if made else "nothing", now)])
            if made is not None:
                self._commands.give(made)
            log.info("reflected", purpose=offer.purpose, memories=len(offer.atoms), kept=made is not None)
            return True
        return False

    def _offers(self, past: ReflectionHistory, now: datetime) -> Iterator[Offer]:
        """Yield an idea first, where it is time for one: summing up could take all the calls of a day."""
        tokens = self._wanted.context_tokens
        if self._wanted.serendipity and (past.last_connected is None or now - past.last_connected >= INSIGHT_EVERY):
            room, alike = room_for(serendipity.PROMPT, tokens), self._wanted.linked_from
            space = self._of.spaces.serving
            found = space and serendipity.offer_of(
                self._of.catalogue, space.dense, self._of.graph, past.pairs, room, most_alike=alike
            )
            if found:
                yield found
        if self._wanted.consolidate:
            yield from consolidation.offers(
                self._of.catalogue, self._of.lexical, past.of_theme, room_for(consolidation.PROMPT, tokens)
            )

    def _said(self, model: LanguageModel, request: ModelRequest) -> Completion | None:
        """Return the model's answer; None when there is no time for it any more."""
        for event in model.stream(request, self._stopping):
            if isinstance(event, Completion):
                return None if self._stopping.is_set() else event
        return None


def _conclusion(offer: Offer, said: Completion, now: datetime, extractor: str) -> Derive | None:
    """Return the command for what of a model's words may be remembered; None where nothing may."""
    if offer.purpose == "connect":
        found = conclusion_in(said, offer, now, tolerated=IDEAS_MAY)
        return serendipity.insight(offer, found, extractor) if found else None
    found = conclusion_in(said, offer, now)
    return consolidation.synthesis(offer, found, extractor) if found else None
