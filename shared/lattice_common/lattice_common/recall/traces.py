"""How answers were found, kept only where it is asked for (LATTICE_TRACE).

A trace holds counts, the milliseconds of each stage and, for each memory found, its id and its signals, as `explain` gives them,
kept without the asker asking for them. Of the question it holds a keyed hash, by which the same question can be recognised, and
never a word; the key is in a file of its own.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import asdict, replace

from lattice_common.domain.capture import JsonValue
from lattice_common.domain.recall import Answer, AnswerEvent, Final, Found, Query, Selected, Selection
from lattice_common.errors import NotFound, Unavailable
from lattice_common.language.text import words
from lattice_common.logs import logger
from lattice_common.ports.clock import Clock
from lattice_common.ports.line_log import LineLog
from lattice_common.recall.timings import Timings

log = logger(__name__)

HASH_DIGITS = 16
_WORDS = ("question", "reformulated_query", "warnings")
"""Fields of older traces, which still held words."""


class Traces:
    """With `lines` None nothing is traced, at no cost. `key` is for the hashes of questions."""

    def __init__(self, lines: LineLog | None, clock: Clock, timings: Timings | None = None, key: bytes = b"") -> None:
        self._lines = lines
        self._clock = clock
        self._timings = timings or Timings()
        self._key = key

    def asked(self, query: Query) -> Query:
        """Return the question as it is to be put."""
        return query if self._lines is None else replace(query, explain=True)

    def selected(self, query: Query, found: Selection) -> Selection:
        """Keep a trace; return what the asker asked for."""
        if self._lines is None:
            return found
        told: dict[str, JsonValue] = {
            "shape": found.shape,
            "answerable": found.answerable,
            "confidence": found.confidence,
            "degraded": [each.partition(":")[0] for each in found.degraded],
            "took_ms": found.took_ms,
        }
        self._keep("select", found.trace_id, query, found.atoms, told)
        return replace(found, atoms=_as_asked(query, found.atoms))

    def answered(self, query: Query, found: Answer) -> Answer:
        """Keep a trace; return what the asker asked for."""
        if self._lines is None:
            return found
        told: dict[str, JsonValue] = {
            "answered": found.answered,
            "reformulated": found.reformulated_query is not None,
            "cited": [each.atom_id for each in found.citations],
            "doubts": [each.reason for each in found.doubts],
            "used_llm": found.used_llm,
            "fell_back": found.fell_back,
            "model": found.model,
        }
        self._keep("answer", found.trace_id, query, found.atoms, told)
        return replace(found, atoms=_as_asked(query, found.atoms))

    def event(self, query: Query, event: AnswerEvent) -> AnswerEvent:
        """Return an event of an answer; the last one is kept."""
        match event:
            case Found(atoms=atoms) if self._lines is not None:
                return replace(event, atoms=_as_asked(query, atoms))
            case Final(answer=answer):
                return Final(self.answered(query, answer))
        return event

    def get(self, trace_id: str) -> dict[str, JsonValue]:
        """Return a trace. Raise `NotFound`."""
        if self._lines is None:
            raise NotFound("Nothing is traced. To keep how answers are found, put LATTICE_TRACE=true into .env and start anew.")
        for line in self._lines.newest():
            if line.get("trace_id") == trace_id:
                return {name: value for name, value in line.items() if name not in _WORDS}
        raise NotFound(f"There is no trace {trace_id}: it is of an answer before tracing was on, or of none.")

    def _keep(self, kind: str, trace_id: str, query: Query, atoms: Sequence[Selected], told: dict[str, JsonValue]) -> None:
        found: list[JsonValue] = [
            {
                "atom_id": each.atom.atom_id,
                "score": each.score,
                "signals": {name: asdict(signal) for name, signal in each.signals.items()},
            }
            for each in atoms
        ]
        timed = self._timings.of(trace_id)
        line: dict[str, JsonValue] = {
            "trace_id": trace_id,
            "ts": self._clock.now().isoformat(),
            "kind": kind,
            "question_hash": question_hash(query.text, self._key),
            "counts": dict(timed.counts),
            "stages_ms": {name: round(milliseconds, 3) for name, milliseconds in timed.stages.items()},
        }
        assert self._lines is not None  # noqa: S101 - its callers looked
        try:
            self._lines.append([{**line, **told, "atoms": found}])
        except Unavailable:
            log.warning("log_not_written", log="traces")


def question_hash(question: str, key: bytes) -> str:
    """Return the first 16 hex digits of the HMAC-SHA-256 of a question's words, whatever their case and punctuation."""
    return hmac.new(key, " ".join(words(question)).encode(), "sha256").hexdigest()[:HASH_DIGITS]


def says_words(line: object) -> bool:
    """Return whether a line is of the time when traces held the question."""
    return isinstance(line, dict) and any(name in line for name in _WORDS)


def _as_asked(query: Query, atoms: tuple[Selected, ...]) -> tuple[Selected, ...]:
    return atoms if query.explain else tuple(replace(each, signals={}) for each in atoms)
