"""How answers were found, for whoever wants to know: kept only where it is asked for (LATTICE_TRACE).

A trace holds the question and, of each memory that was found, what spoke for it: signals that `explain` gives, kept without the
asker asking for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace

from lattice_common.domain.capture import JsonValue
from lattice_common.domain.recall import Answer, AnswerEvent, Final, Found, Query, Selected, Selection
from lattice_common.errors import NotFound, Unavailable
from lattice_common.logs import logger
from lattice_common.ports.clock import Clock
from lattice_common.ports.line_log import LineLog

log = logger(__name__)


class Traces:
    """With `lines` None nothing is traced, and nothing costs anything."""

    def __init__(self, lines: LineLog | None, clock: Clock) -> None:
        self._lines = lines
        self._clock = clock

    def asked(self, query: Query) -> Query:
        """The question as it is to be put."""
        return query if self._lines is None else replace(query, explain=True)

    def selected(self, query: Query, found: Selection) -> Selection:
        """Keeps it, and returns what the asker asked for."""
        if self._lines is None:
            return found
        told: dict[str, JsonValue] = {
            "shape": found.shape,
            "answerable": found.answerable,
            "confidence": found.confidence,
            "degraded": list(found.degraded),
            "took_ms": found.took_ms,
        }
        self._keep("select", found.trace_id, query, found.atoms, told)
        return replace(found, atoms=_as_asked(query, found.atoms))

    def answered(self, query: Query, found: Answer) -> Answer:
        """Keeps it, and returns what the asker asked for."""
        if self._lines is None:
            return found
        told: dict[str, JsonValue] = {
            "answered": found.answered,
            "reformulated_query": found.reformulated_query,
            "cited": [each.atom_id for each in found.citations],
            "doubts": [each.reason for each in found.doubts],
            "used_llm": found.used_llm,
            "model": found.model,
            "warnings": list(found.warnings),
        }
        self._keep("answer", found.trace_id, query, found.atoms, told)
        return replace(found, atoms=_as_asked(query, found.atoms))

    def event(self, query: Query, event: AnswerEvent) -> AnswerEvent:
        """An event of an answer; the last one is kept."""
        match event:
            case Found(atoms=atoms) if self._lines is not None:
                return replace(event, atoms=_as_asked(query, atoms))
            case Final(answer=answer):
                return Final(self.answered(query, answer))
        return event

    def get(self, trace_id: str) -> dict[str, JsonValue]:
        """Raises `NotFound`."""
        if self._lines is None:
            raise NotFound("Nothing is traced. To keep how answers are found, put LATTICE_TRACE=true into .env and start anew.")
        for line in self._lines.newest():
            if line.get("trace_id") == trace_id:
                return line
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
        line: dict[str, JsonValue] = {"trace_id": trace_id, "ts": self._clock.now().isoformat(), "kind": kind}
        assert self._lines is not None  # noqa: S101 - its callers looked
        try:
            self._lines.append([{**line, "question": query.text, **told, "atoms": found}])
        except Unavailable:
            log.warning("log_not_written", log="traces")


def _as_asked(query: Query, atoms: tuple[Selected, ...]) -> tuple[Selected, ...]:
    return atoms if query.explain else tuple(replace(each, signals={}) for each in atoms)
