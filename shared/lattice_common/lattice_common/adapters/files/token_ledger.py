"""Tokens that language models have used today: `logs/tokens/2026-11-21.jsonl`, one line for each call, counts and no words.

Lines are appended without fsync, because a call takes seconds: a restart loses nothing, a power cut may lose the last lines.
Several processes may write; each reads what the others added before it decides. Days are those of the clock's own offset.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import orjson

from lattice_common.adapters.files import durable
from lattice_common.domain.seal import is_damaged, sealed
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.logs import logger
from lattice_common.ports.clock import Clock

log = logger(__name__)

KEPT_DAYS = 60


@dataclass(frozen=True, slots=True)
class Prices:
    """The price of a million tokens that a model reads and writes, in the owner's currency."""

    prompt: float = 0.0
    completion: float = 0.0

    def of(self, prompt: int, completion: int) -> float:
        return round((prompt * self.prompt + completion * self.completion) / 1_000_000, 6)


NO_PRICES = Prices()


@dataclass(frozen=True, slots=True)
class Spent:
    """The calls of a day to one model for one purpose."""

    model: str
    purpose: str
    calls: int
    prompt: int
    completion: int
    cost: float


class TokenLedger:
    """`daily_limit` 0 means no limit."""

    def __init__(self, root: Path, clock: Clock, *, daily_limit: int, prices: Prices = NO_PRICES) -> None:
        self.daily_limit = daily_limit
        self._prices = prices
        self._folder = root / "logs" / "tokens"
        self._clock = clock
        self._lock = threading.Lock()
        self._day: date | None = None
        self._read_up_to = 0
        self._spent = 0
        self._unwritten = 0

    def spent_today(self) -> int:
        """Return the tokens read and written today, by all processes."""
        with self._lock:
            return self._follow()

    def spent_on(self, day: date) -> int:
        """Return the tokens of a past day; its lines are read each time."""
        with self._lock:
            if day == self._clock.now().date():
                return self._follow()
            path = self._path(day)
            return sum(map(_tokens, _lines_of(path)))

    def used_up(self) -> bool:
        """Return whether the day's tokens are spent."""
        return self.daily_limit > 0 and self.spent_today() >= self.daily_limit

    def spend(self, *, model: str, purpose: str, prompt: int, completion: int) -> None:
        """Record one call."""
        now = self._clock.now()
        line = orjson.dumps(
            {"ts": now.isoformat(), "model": model, "purpose": purpose, "prompt": prompt, "completion": completion}
        )
        with self._lock:
            self._turn_to(now.date())
            try:
                self._append(self._path(now.date()), sealed(line) + b"\n")
            except (OSError, Unavailable):
                # The answer is there and paid for: a failure to record it must cost neither the answer nor the limit's effect.
                self._unwritten += prompt + completion
        cost = self._prices.of(prompt, completion)
        log.info("model_called", model=model, purpose=purpose, prompt=prompt, completion=completion, cost=cost)

    def today(self) -> list[Spent]:
        """Return the calls of today, by model and purpose; their lines are read each time."""
        return self.on(self._clock.now().date())

    def on(self, day: date) -> list[Spent]:
        """Return the same of another day; nothing of one that is not kept any more."""
        counted: dict[tuple[str, str], list[int]] = {}
        for line in _lines_of(self._path(day)):
            if is_damaged(line):
                continue
            try:
                fields = orjson.loads(line)
                each = counted.setdefault((str(fields["model"]), str(fields["purpose"])), [0, 0, 0])
                prompt, completion = int(fields["prompt"]), int(fields["completion"])
            except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
                continue  # torn by a power cut
            each[0], each[1], each[2] = each[0] + 1, each[1] + prompt, each[2] + completion
        return [
            Spent(model, purpose, calls, prompt, completion, self._prices.of(prompt, completion))
            for (model, purpose), (calls, prompt, completion) in sorted(counted.items())
        ]

    def _append(self, path: Path, line: bytes) -> None:
        durable.make_folder(self._folder)
        descriptor = durable.open_to_append(path)
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)

    def _follow(self) -> int:
        """Read what was added since; a line that is half there is read when it is whole."""
        today = self._clock.now().date()
        self._turn_to(today)
        path = self._path(today)
        if not path.exists() or path.stat().st_size <= self._read_up_to:
            return self._spent + self._unwritten
        try:
            with durable.open_regular(path) as file:
                file.seek(self._read_up_to)
                whole, newline, _ = file.read().rpartition(b"\n")
        except (OSError, Corrupt):
            log.warning("log_not_read", log="tokens")
            return self._spent + self._unwritten
        self._read_up_to += len(whole) + len(newline)
        self._spent += sum(map(_tokens, whole.splitlines()))
        return self._spent + self._unwritten

    def _turn_to(self, today: date) -> None:
        """Begin a new day, with nothing spent."""
        if today != self._day:
            self._day, self._read_up_to, self._spent, self._unwritten = today, 0, 0, 0
            self._forget_old()

    def _forget_old(self) -> None:
        """Keep the last days that something was spent on, whatever a clock says."""
        for path in sorted(self._folder.glob("*.jsonl"))[:-KEPT_DAYS]:
            path.unlink(missing_ok=True)

    def _path(self, day: date) -> Path:
        return self._folder / f"{day.isoformat()}.jsonl"


def _tokens(line: bytes) -> int:
    """Return the tokens of one line; 0 for one that was torn by a power cut, or changed by the disk."""
    if is_damaged(line):
        return 0
    try:
        fields = orjson.loads(line)
        return max(0, int(fields["prompt"])) + max(0, int(fields["completion"]))
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        return 0


def _lines_of(path: Path) -> list[bytes]:
    """Return the lines of a day; none where there are none, or the disk does not give them."""
    try:
        return durable.read(path).splitlines()
    except FileNotFoundError:
        return []
    except (OSError, Corrupt):
        log.warning("log_not_read", log="tokens")
        return []
