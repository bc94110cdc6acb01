"""What left this machine: `logs/egress.jsonl`, one line for each request, durable before it is sent. It never contains a word of
it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path

import orjson

from lattice_common.adapters.files import durable
from lattice_common.domain.seal import sealed
from lattice_common.errors import ModelUnavailable, Unavailable
from lattice_common.ports.clock import Clock
from lattice_common.ports.language_model import ModelRequest

EGRESS = "egress"
"""The log's name."""


class EgressLog:
    """`{ts, host, purpose, model, characters, tags, tokens}`: `tags` counts the redacted values of each kind, `tokens` is an
    estimate. A retry has a line of its own."""

    def __init__(self, root: Path, clock: Clock) -> None:
        self._path = root / "logs" / f"{EGRESS}.jsonl"
        self._clock = clock
        self._lock = threading.Lock()

    def leaving(self, host: str, model: str, request: ModelRequest, tokens: int) -> None:
        """Record a request. Raise `ModelUnavailable` when that is not possible: then it must not be sent."""
        texts = [text for each in request.messages for text in (each.content, *(call.arguments for call in each.tool_calls))]
        self._note(
            {
                "ts": self._clock.now().isoformat(),
                "host": host,
                "purpose": request.purpose,
                "model": model,
                "characters": sum(map(len, texts)),
                "tags": dict(request.redacted),
                "tokens": tokens,
            }
        )

    def recording_leaving(self, host: str, model: str, size: int) -> None:
        """Record a recording of `size` bytes, in which nothing can be redacted."""
        self._note(
            {
                "ts": self._clock.now().isoformat(),
                "host": host,
                "purpose": "transcribe",
                "model": model,
                "bytes": size,
                "tags": {},
            }
        )

    def _note(self, line: Mapping[str, object]) -> None:
        try:
            with self._lock:
                durable.append(self._path, sealed(orjson.dumps(line)) + b"\n")
        except (OSError, Unavailable) as error:
            raise ModelUnavailable(f"Nothing is sent that logs/egress.jsonl cannot take note of: {error}") from error
