"""Logs: one line is one event of a closed vocabulary.

Lines carry ids, durations and counts; never content, never a query, never a secret. ContextVars bind `capture_id` and
`trace_id`. JSON in containers (no terminal), coloured on one. The vocabulary is `lattice_common.domain.event`.
"""

from __future__ import annotations

import logging
import re
import sys
from typing import Any, TextIO

import structlog
from structlog.stdlib import BoundLogger

from lattice_common.domain.event import Event

_BOT_TOKEN = re.compile(r"\d{5,}(?::|%3A)[A-Za-z0-9_-]{20,}")
"""A Telegram token: part of every address of the Bot API, and so of what libraries say when one cannot be reached."""

_SECRET_KEYS = ("authorization", "token", "cookie", "api_key", "password", "secret")


def logger(name: str) -> EventLog:
    """The log of one module."""
    return EventLog(structlog.stdlib.get_logger(name))


class EventLog:
    """Writes events; a word outside the vocabulary does not type-check."""

    def __init__(self, log: BoundLogger) -> None:
        self._log = log

    def debug(self, event: Event, **fields: str | int | float | bool | None) -> None:
        self._log.debug(event, **fields)

    def info(self, event: Event, **fields: str | int | float | bool | None) -> None:
        self._log.info(event, **fields)

    def warning(self, event: Event, **fields: str | int | float | bool | None) -> None:
        self._log.warning(event, **fields)

    def exception(self, event: Event, **fields: str | int | float | bool | None) -> None:
        """With the traceback of the exception being handled."""
        self._log.exception(event, **fields)


def configure(level: str, *, json: bool | None, stream: TextIO | None = None) -> None:
    """Set up logging for the process; called once, by a door. Libraries' own lines go the same way, from warnings up."""
    out = stream or sys.stderr
    as_json = (not out.isatty()) if json is None else json
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _without_secrets,
    ]
    if as_json:
        shared.append(structlog.processors.format_exc_info)
    renderer = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(
            colors=out.isatty(),
            # Not the pretty one: it prints the values of variables, and they are what the owner said.
            exception_formatter=structlog.dev.plain_traceback,
        )
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer, _redacted],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    for ours in ("lattice_common", "lattice_api", "lattice_worker", "lattice_graph", "lattice_bot", "lattice_mcp"):
        logging.getLogger(ours).setLevel(level.upper())
    # It writes a traceback each time a server is away, which we say ourselves, once.
    logging.getLogger("opensearch").setLevel(logging.CRITICAL)


def _without_secrets(_logger: object, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Fields that may carry a secret are blanked, whoever logged them."""
    for key in event:
        if any(word in key.lower() for word in _SECRET_KEYS):
            event[key] = "[hidden]"
    return event


def _redacted(_logger: object, _method: str, line: Any) -> str:
    """The last word on a line, tracebacks included."""
    return _BOT_TOKEN.sub("[hidden]", line)
