"""Logs once a minute how Lattice runs: what dashboards show over time, and what alerts watch."""

from __future__ import annotations

from collections.abc import Callable

from lattice_common.logs import LogField, logger
from lattice_common.periodic import Periodic

from lattice_api.operations import Operations

log = logger(__name__)

EVERY_SECONDS = 60.0


class Vitals:
    """Writes an event from `start` to `stop`; `space` is the name of the memory, where there are several."""

    def __init__(self, look: Callable[[], Operations], *, space: str = "") -> None:
        self._look = look
        self._named: dict[str, LogField] = {"space": space} if space else {}
        self._saying = Periodic("lattice-vitals", self._step)

    def start(self) -> None:
        self._saying.start()

    def stop(self) -> None:
        self._saying.stop()

    def say(self) -> None:
        """Write one event. An error while taking the snapshot is logged in its place."""
        try:
            log.info("vitals", **self._named, **fields_of(self._look()))
        except Exception:
            # It looks into every part: whatever breaks in one of them must not end the thread that tells of it next time.
            log.exception("vitals")

    def _step(self) -> float:
        self.say()
        return EVERY_SECONDS


def fields_of(seen: Operations) -> dict[str, LogField]:
    """Return the fields of a log line: numbers, and names of parts."""
    age = {} if seen.backup is None else {"backup_age_seconds": round((seen.at - seen.backup).total_seconds(), 1)}
    return {
        "writer_up": seen.writer_up,
        "atoms": seen.atoms,
        "waiting": seen.captures.get("waiting", 0),
        "dead": seen.captures.get("dead", 0),
        "longest_wait_seconds": round(seen.longest_wait, 1),
        "disk_free_bytes": seen.disk.free,
        "disk_free_percent": seen.disk.free_percent,
        "backups": int(seen.backup is not None),
        "degraded": seen.degraded,
        **age,
    }
