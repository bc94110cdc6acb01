"""What the last days brought: how much was told and how much of that has ended, how often Lattice was started, and what language
models took. Read from what is on disk already, and from `logs/starts.jsonl`."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from pathlib import Path

from lattice_common.adapters.files.folder_names import FolderNames, PackedIds
from lattice_common.adapters.files.journal_days import ids_with, time_of
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.files.token_ledger import TokenLedger
from lattice_common.errors import LatticeError
from lattice_common.logs import logger

log = logger(__name__)

STARTS = "starts"
MOST_BYTES = 1024 * 1024
"""Of starts, some 20,000: the older half goes then, whatever a clock says."""
FOLDERS_REMEMBERED = 16
"""A week, the day of UTC before and after it, and room for more days to be asked for."""
_ENTRY, _RECEIPT = ".json", ".receipt.json"


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the machine's time zone. `told` counts captures and commands that were taken in on it, `ended` those of them that
    have a receipt by now; `starts` are of every process that opens the data folder, `tokens` were read and written."""

    day: date
    told: int
    ended: int
    starts: int
    tokens: int
    cost: float


def note_start(root: Path, now: datetime) -> None:
    """Write down that a process opened the data folder `root`. It is nobody's loss where the disk takes no line."""
    starts = FileLineLog(root, STARTS)
    try:
        starts.append([{"ts": now.astimezone(UTC).isoformat(timespec="seconds")}])
        starts.shorten(MOST_BYTES)
    except (OSError, LatticeError):
        log.warning("log_not_written", log=STARTS)


class PerDay:
    """Counts by day. Safe to use from several threads."""

    def __init__(self, root: Path, ledger: TokenLedger) -> None:
        self._root = root
        self._starts = FileLineLog(root, STARTS)
        self._ledger = ledger
        self._listed = FolderNames(_by_kind, FOLDERS_REMEMBERED)

    def last(self, count: int, now: datetime) -> list[Day]:
        """Return the last `count` days, today first."""
        zone, today = now.tzinfo, now.date()
        days = [today - timedelta(days=back) for back in range(count)]
        entries, started = self._entries(days, zone), self._started(zone)
        return [Day(day, entries[day, _ENTRY], entries[day, _RECEIPT], started[day], *self._spent(day)) for day in days]

    def _entries(self, days: list[date], zone: tzinfo | None) -> Counter[tuple[date, str]]:
        """Count entries and receipts by day. The journal's folders are days of UTC: those beside the first and last, too."""
        first, last = days[-1] - timedelta(days=1), days[0] + timedelta(days=1)
        every: Counter[tuple[date, str]] = Counter()
        for each in range((last - first).days + 1):
            for kind, ids in self._listed.of(self._folder(first + timedelta(days=each))).items():
                every.update({(day, kind): count for day, count in _per_day(ids, zone)})
        return every

    def _folder(self, day: date) -> Path:
        return self._root / "journal" / f"{day:%Y}" / f"{day:%m}" / f"{day:%d}"

    def _started(self, zone: tzinfo | None) -> Counter[date]:
        """Count all that are known: they are in the order of no clock."""
        counted: Counter[date] = Counter()
        for line in self._starts.readable():
            try:
                counted[datetime.fromisoformat(str(line["ts"])).astimezone(zone).date()] += 1
            except (KeyError, ValueError, OverflowError):
                continue  # edited by hand
        return counted

    def _spent(self, day: date) -> tuple[int, float]:
        spent = self._ledger.on(day)
        return sum(each.prompt + each.completion for each in spent), sum(each.cost for each in spent)


def _by_kind(names: list[str]) -> dict[str, PackedIds]:
    return {kind: PackedIds(ids_with(names, kind)) for kind in (_ENTRY, _RECEIPT)}


def _per_day(ids: Sequence[str], zone: tzinfo | None) -> Iterator[tuple[date, int]]:
    """Yield the days of ids, which are in order, and how many are of each. Looks at a few of them, however many there are."""

    def day_of(entry_id: str) -> date:
        return time_of(entry_id).astimezone(zone or UTC).date()

    place = 0
    while place < len(ids):
        day = day_of(ids[place])
        after = bisect_right(ids, day, lo=place, key=day_of)
        yield day, after - place
        place = after
