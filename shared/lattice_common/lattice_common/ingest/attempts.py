"""Plans that cannot be carried out: a defect, or a file system that refuses for another reason than being full or read-only.

A plan is decided, so it is tried again; but what fails in the same way each time must end, and say why. A kill in the middle is
no failure: only what was raised in this process counts, so a power cut leaves no plan half done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from lattice_common.errors import NotTheWriter, Unavailable
from lattice_common.ingest.shortage import shortage_of


class InVain:
    """How often the plan of an entry was carried out in vain, and what stopped it last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._failures: dict[str, list[str]] = {}

    @contextmanager
    def carrying_out(self, entries: Iterable[str]) -> Iterator[None]:
        """What is raised inside counts against each of these; what is away or lacking for now, and comes back, does not."""
        try:
            yield
        except (Unavailable, NotTheWriter):
            raise
        except Exception as error:
            if (lacking := shortage_of(error)) is not None:
                raise Unavailable(f"What was decided is not written yet: {lacking}.", status=507) from error
            for entry in entries:
                self._failures.setdefault(entry, []).append(_in_short(error))
            raise

    def given_up(self, entry: str) -> str | None:
        """Why it is not tried any more, for its receipt; None while it is."""
        failures = self._failures.get(entry, [])
        if len(failures) < self._most:
            return None
        return (
            f"what was decided could not be written {len(failures)} times ({failures[-1]}); look at the log for its id, mend the "
            f"cause, then `lattice retry {entry}`"
        )

    def forget(self, entry: str) -> None:
        """It has ended."""
        self._failures.pop(entry, None)


def _in_short(error: Exception) -> str:
    """Without words of what was said, and without paths: those are in the log."""
    reason = error.strerror if isinstance(error, OSError) else None
    return f"{type(error).__name__}: {reason}" if reason else type(error).__name__
