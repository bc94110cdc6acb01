"""What left this machine: `logs/egress.jsonl`, a line for each sending, durable before it leaves. Never a word of it."""

from __future__ import annotations

import threading
from pathlib import Path

import orjson

from lattice_common.adapters.files import durable
from lattice_common.errors import ModelUnavailable, Unavailable
from lattice_common.ports.clock import Clock
from lattice_common.ports.language_model import ModelRequest


class EgressLog:
    """`{ts, host, purpose, model, characters, tags, tokens}`: `tags` counts the values of each kind that stand redacted in it,
    `tokens` is an estimate. A retry is a sending of its own."""

    def __init__(self, root: Path, clock: Clock) -> None:
        self._path = root / "logs" / "egress.jsonl"
        self._clock = clock
        self._lock = threading.Lock()

    def leaving(self, host: str, model: str, request: ModelRequest, tokens: int) -> None:
        """Note it. Raises `ModelUnavailable` when that cannot be done: then it must not leave."""
        texts = [text for each in request.messages for text in (each.content, *(call.arguments for call in each.tool_calls))]
        line = {
            "ts": self._clock.now().isoformat(),
            "host": host,
            "purpose": request.purpose,
            "model": model,
            "characters": sum(map(len, texts)),
            "tags": dict(request.redacted),
            "tokens": tokens,
        }
        try:
            with self._lock:
                durable.append(self._path, orjson.dumps(line) + b"\n")
        except (OSError, Unavailable) as error:
            raise ModelUnavailable(f"Nothing is sent that logs/egress.jsonl cannot take note of: {error}") from error
