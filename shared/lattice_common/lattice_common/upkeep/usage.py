"""How memory is used: counts of what was asked, told, remembered and recalled. Counts and names of doors, no words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import takewhile

from ulid import ULID

from lattice_common.domain.capture import JsonValue
from lattice_common.domain.chat import ChatTurn, turn_of
from lattice_common.domain.passage import is_passage
from lattice_common.domain.recall import Answer
from lattice_common.errors import Unavailable
from lattice_common.logs import logger
from lattice_common.ports.catalogue import Columns
from lattice_common.ports.clock import Clock
from lattice_common.ports.line_log import LineLog, Logs
from lattice_common.upkeep.status import streak

log = logger(__name__)

WEEK = 7
LATE = timedelta(days=1)
"""Lines of several processes are nearly in order: one that is this much too old ends the search."""

LOOKED_AT = 5
"""Places of what an answer found that somebody looks at; and all before the last one that it cites."""

Tokens = Callable[[date], int]
"""What language models cost on a day."""


@dataclass(frozen=True, slots=True)
class DayUsage:
    """One day: questions, things told, memories made (imports too), memories that answers cited, tokens of language models."""

    day: date
    asked: int
    told: int
    memories: int
    recalled: int
    tokens: int


@dataclass(frozen=True, slots=True)
class UsageSummary:
    """Since the log begins (`since`; None while it is empty). `channels` counts turns by door, `feedback` verdicts; `streak` is
    of days in a row on which something was remembered."""

    since: date | None
    asked: int
    told: int
    memories: int
    recalled: int
    tokens_today: int
    streak: int
    channels: Mapping[str, int]
    feedback: Mapping[str, int]


def weekly(logs: Logs, columns: Columns, tokens: Tokens, now: datetime) -> list[DayUsage]:
    """Return the last seven days, oldest first, today at the end."""
    days = [now.date() - timedelta(days=ago) for ago in reversed(range(WEEK))]
    since = datetime.combine(days[0], datetime.min.time(), now.tzinfo)

    def day_of(moment: datetime) -> date:
        return moment.astimezone(now.tzinfo).date()

    turns = [turn for turn in takewhile(lambda turn: turn.ts >= since - LATE, _turns(logs.chat)) if turn.question]
    asked = Counter(day_of(turn.ts) for turn in turns if not turn.told)
    told = Counter(day_of(turn.ts) for turn in turns if turn.told)
    recalls = takewhile(lambda each: each[0] >= since - LATE, _recalls(logs.usage))
    recalled: Counter[date] = Counter()
    for moment, count in recalls:
        recalled[day_of(moment)] += count
    made = Counter(day_of(moment) for moment in takewhile(lambda moment: moment >= since, _made(columns)))
    return [DayUsage(day, asked[day], told[day], made[day], recalled[day], tokens(day)) for day in days]


def summary(logs: Logs, columns: Columns, atoms: int, tokens: Tokens, now: datetime) -> UsageSummary:
    """Return all there is; it reads each line of the logs once."""
    turns = list(_turns(logs.chat))
    spoken = [turn for turn in turns if turn.question]
    verdicts = Counter(str(line.get("verdict")) for line in logs.feedback.newest())
    return UsageSummary(
        since=turns[-1].ts.astimezone(now.tzinfo).date() if turns else None,
        asked=sum(not turn.told for turn in spoken),
        told=sum(turn.told for turn in spoken),
        memories=atoms,
        recalled=sum(count for _, count in _recalls(logs.usage)),
        tokens_today=tokens(now.date()),
        streak=streak(columns, now),
        channels=dict(Counter(turn.channel or "unknown" for turn in spoken).most_common()),
        feedback={verdict: verdicts[verdict] for verdict in ("up", "down", "wrong")},
    )


def note_recalls(usage: LineLog, clock: Clock, found: Answer, channel: str | None) -> None:
    """Note that what an answer cited was recalled: one line, counted into the memories later. What an "I don't know" names as
    nearest answered nothing, and was not."""
    if not found.answered:
        return
    passages = {each.atom.atom_id for each in found.atoms if is_passage(each.atom)}
    cited: list[JsonValue] = list(dict.fromkeys(each.atom_id for each in found.citations if each.atom_id not in passages))
    if not cited:
        return
    order = [each.atom.atom_id for each in found.atoms]
    looked_at = max([LOOKED_AT, *(at + 1 for at, atom_id in enumerate(order) if atom_id in cited)])
    beside: list[JsonValue] = [each for each in order[:looked_at] if each not in cited and each not in passages]
    line = {"ts": clock.now().isoformat(), "trace_id": found.trace_id, "atom_ids": cited, "beside": beside, "channel": channel}
    try:
        usage.append([line])
    except Unavailable:
        log.warning("log_not_written", log="usage")


def moment_of(line: Mapping[str, JsonValue]) -> datetime | None:
    """Return when a line was written; None for what says no such thing."""
    try:
        moment = datetime.fromisoformat(str(line.get("ts")))
    except ValueError:
        return None
    return moment if moment.tzinfo else None


def atom_ids_in(line: Mapping[str, JsonValue]) -> list[str]:
    """Return the memories that a line names."""
    found = line.get("atom_ids")
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def _turns(chat: LineLog) -> Iterator[ChatTurn]:
    return (turn for turn in map(turn_of, chat.newest()) if turn is not None)


def _recalls(usage: LineLog) -> Iterator[tuple[datetime, int]]:
    return ((moment, len(atom_ids_in(line))) for line in usage.newest() if (moment := moment_of(line)))


def _made(columns: Columns) -> Iterator[datetime]:
    """Return when memories were captured, by their ids, newest first. Rows are in the order of writing."""
    for row in range(columns.count - 1, -1, -1):
        if columns.alive[row]:
            try:
                yield ULID.from_str(columns.atom_ids[row].upper()).datetime
            except ValueError:
                continue  # a hand's own id
