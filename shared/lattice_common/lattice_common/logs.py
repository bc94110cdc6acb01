"""Logs: one line is one event of a closed vocabulary.

Lines carry ids, durations and counts; never content, never a query, never a secret. Of a failure they say what it was and where:
an error's own words may quote what somebody said, and so only those of our own errors are written. ContextVars bind `capture_id`
and `trace_id`. JSON in containers (no terminal), coloured on one. The vocabulary is `lattice_common.domain.event`.
"""

from __future__ import annotations

import contextlib
import contextvars
import logging
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, ParamSpec, TextIO, TypeAlias, TypeVar

import structlog
from structlog.stdlib import BoundLogger

from lattice_common.domain.event import Event
from lattice_common.errors import InvalidInput, LatticeError
from lattice_common.language.pii.log_line import HIDDEN, without_secrets

_SECRET_KEYS = ("authorization", "token", "cookie", "api_key", "password", "secret")

MINUTE = 60.0
MOST_OF_A_KIND = 60
"""Warnings of one kind in a minute: enough to see the cause, and some 20 KB."""
KINDS_REMEMBERED = 1000

FRAMES = 8
"""Frames of an exception, innermost first: enough to find the place, and no more than a line holds."""


Given = ParamSpec("Given")
Returned = TypeVar("Returned")

LogField: TypeAlias = str | int | float | bool | tuple[str, ...] | None
"""A field of a line: ids, durations, counts, and words of ours."""


def logger(name: str) -> EventLog:
    """Return the log of one module."""
    return EventLog(structlog.stdlib.get_logger(name))


class Recent:
    """The last lines of this process for its operator, newest last: warnings, failures and what was not believed, whatever the
    level of the log. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: deque[dict[str, LogField]] = deque(maxlen=200)

    def note(self, level: str, event: Event, fields: Mapping[str, LogField], error: BaseException | None = None) -> None:
        """Keep a line, with the ids and the words of ours that are in it."""
        told = {**structlog.contextvars.get_contextvars(), **(failure_of(error) if error else {}), **fields}
        kept = {name: without_secrets(each) if isinstance(each, str) else each for name, each in told.items() if name in SHOWN}
        with self._lock:
            self._lines.append({"at": time.time(), "level": level, "event": event, **kept})

    def lines(self, space: str = "") -> list[dict[str, LogField]]:
        """Return the lines, newest first. With `space` only those of that memory: what nobody knows the owner of is nobody's."""
        with self._lock:
            return [line for line in reversed(self._lines) if not space or line.get("space") == space]


SHOWN = frozenset(
    (
        "kind", "reason", "code", "count", "capture_id", "atom_id", "trace_id", "index", "engine", "purpose", "log", "attempts",
        "error", "where", "space",
    )
)  # fmt: skip
"""Fields of a line that `Recent` keeps: no path is among them."""
NOTED: frozenset[Event] = frozenset(("failure", "candidates_rejected", "file_unreadable", "store_opened"))
"""Events at info level that are kept."""
RECENT = Recent()


@contextlib.contextmanager
def of_space(name: str) -> Iterator[None]:
    """Mark the lines within as those of the memory of that name, where there are several; of none with an empty one."""
    with structlog.contextvars.bound_contextvars(space=name) if name else contextlib.nullcontext():
        yield


def carried(work: Callable[Given, Returned]) -> Callable[Given, Returned]:
    """Return `work` for another thread, with what is bound to lines here: a thread begins with nothing bound. To be called
    once."""
    context = contextvars.copy_context()

    def carrying(*given: Given.args, **named: Given.kwargs) -> Returned:
        return context.run(work, *given, **named)

    return carrying


class EventLog:
    """Writes events; a word outside the vocabulary does not type-check."""

    def __init__(self, log: BoundLogger) -> None:
        self._log = log

    def debug(self, event: Event, **fields: LogField) -> None:
        self._log.debug(event, **fields)

    def info(self, event: Event, **fields: LogField) -> None:
        self._log.info(event, **fields)
        if event in NOTED:
            RECENT.note("info", event, fields)

    def warning(self, event: Event, **fields: LogField) -> None:
        self._log.warning(event, **fields)
        RECENT.note("warning", event, fields)

    def exception(self, event: Event, **fields: LogField) -> None:
        """Log an event with the kind and the place of the exception being handled."""
        self._log.exception(event, **fields)
        RECENT.note("error", event, fields, sys.exc_info()[1])


def configure(level: str, *, json: bool | None, stream: TextIO | None = None) -> None:
    """Set up logging for the process; called once, by a door. Libraries' own lines are handled the same way, from warnings up."""
    out = stream or sys.stderr
    as_json = (not out.isatty()) if json is None else json
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _with_failure,
        _without_secrets,
    ]
    renderer = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=out.isatty())
    structlog.configure(
        # Suppressed levels cost nothing: every question logs a line that is off by default.
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(out)
    handler.addFilter(Repeats())
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    for ours in ("lattice_common", "lattice_api", "lattice_worker", "lattice_graph", "lattice_bot", "lattice_mcp"):
        logging.getLogger(ours).setLevel(level.upper())
    # It writes a traceback each time a server is away, which we log ourselves, once.
    logging.getLogger("opensearch").setLevel(logging.CRITICAL)


class Repeats(logging.Filter):
    """Passes a limited number of warnings of one kind in a minute; the first of the next minute says how many were suppressed.

    When the process runs out of file descriptors, asyncio alone writes two thousand lines a second, which fill the disk.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, most: int = MOST_OF_A_KIND) -> None:
        super().__init__()
        self._monotonic = monotonic
        self._most = most
        self._lock = threading.Lock()
        self._seen: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        now = self._monotonic()
        with self._lock:
            began, count = self._seen.get(kind := _kind_of(record), (now, 0))
            left_out = max(0, count - self._most) if now - began >= MINUTE else 0
            if now - began >= MINUTE:
                began, count = now, 0
            if len(self._seen) >= KINDS_REMEMBERED:
                self._seen.clear()
            self._seen[kind] = began, count + 1
        if left_out and isinstance(record.msg, dict):
            record.msg = {**record.msg, "left_out": left_out}
        elif left_out:
            record.msg, record.args = f"{record.getMessage()} ({left_out} more of these were left out)", None
        return count < self._most


def _kind_of(record: logging.LogRecord) -> tuple[str, str]:
    """Return the module, and the event and error of a line of ours, or how another's line begins."""
    if isinstance(record.msg, dict):
        return record.name, f"{record.msg.get('event')} {record.msg.get('error')}"
    return record.name, str(record.msg)[:60]


def failure_of(error: BaseException) -> dict[str, str]:
    """Return the kind of an error and where it happened, as fields of a line."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    kinds = [type(error).__name__]
    cause = error.__cause__
    while cause is not None and len(kinds) < FRAMES:
        kinds.append(type(cause).__name__)
        cause = cause.__cause__
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    where = " < ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    fields = {"error": " from ".join(kinds), "where": where}
    if isinstance(error, LatticeError) and not isinstance(error, InvalidInput):  # which may show what it refuses
        fields["reason"] = str(error)
    elif isinstance(error, OSError) and error.strerror:
        fields["reason"] = error.strerror
    return fields


def _with_failure(_logger: object, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Replace a traceback, which has as many lines as frames and the error's words at its end, by the kind and the place."""
    found = event.pop("exc_info", None)
    if found is True:
        found = sys.exc_info()
    error = found[1] if isinstance(found, tuple) else found
    if isinstance(error, BaseException):
        for name, value in failure_of(error).items():
            event.setdefault(name, value)
    return event


def _without_secrets(_logger: object, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Blank fields that may carry a secret, and secrets in all others, whoever logged them."""
    for key, value in event.items():
        if any(word in key.lower() for word in _SECRET_KEYS):
            event[key] = HIDDEN
        elif isinstance(value, str):
            event[key] = without_secrets(value)
    return event
