"""What is to be read again, and when: after an outage soon, after answers that could not be used later, and not for ever."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture, Entry, ExtractAgain
from lattice_common.ingest.extract.extractor import Extracted
from lattice_common.ports.journal import AgainMark, Tally, WorkLog

MOST_ROUNDS = 3
"""Rounds in which a model's answers for a capture could not be used, before the rules' reading stays for good."""

AFTER_RUBBISH = timedelta(minutes=1)
"""A model that could not read a text reads it no better a moment later, nor as long as it reads nothing else; six times as long
after each round in vain."""

AFTER_OUTAGE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=1)
"""An outage in the middle of a round doubles the pause before the next, up to this."""

_FIRST = "read-by-rules: "
_AGAIN = "not-read-again: "


def notes_on(extracted: Sequence[Extracted], *, again: bool) -> tuple[str, ...]:
    """Why something was read by rules, or not at all, as notes for the receipt; each once."""
    reasons = dict.fromkeys(each.instead for each in extracted if each.instead)
    return tuple(f"{_AGAIN if again else _FIRST}{reason}" for reason in reasons)


def mark_again(worklog: WorkLog, tally: Tally, said: Entry, now: datetime) -> None:
    """Before an entry gets its receipt: remember what of a capture is to be read again, or that it was."""
    if isinstance(said, Capture):
        mark = mark_after_first(said.capture_id, tally, now)
    elif not isinstance(said.action, ExtractAgain) or (before := worklog.again(said.action.capture_id)) is None:
        return
    else:
        mark = mark_after_round(before, tally, now)
        if mark is None:
            worklog.clear_again(before.capture_id)
    if mark is not None:
        worklog.mark_again(mark)


def mark_after_first(capture_id: str, tally: Tally, now: datetime) -> AgainMark | None:
    """The mark of a capture that was read for the first time; None when there is nothing to read again."""
    if not tally.again:
        return None
    return AgainMark(capture_id, joined(tally.again), not_before=now + AFTER_RUBBISH if _only_rubbish(tally) else None)


def mark_after_round(mark: AgainMark, tally: Tally, now: datetime) -> AgainMark | None:
    """The mark after another round; None when all was read, or it is not worth another."""
    if not tally.again:
        return None
    spans = joined(tally.again)
    if _only_rubbish(tally):
        rounds = mark.rounds + 1
        return AgainMark(mark.capture_id, spans, rounds, 0, now + AFTER_RUBBISH * 6**rounds) if rounds < MOST_ROUNDS else None
    pause = min(AFTER_OUTAGE * 2 ** min(mark.outages, 16), LONGEST_PAUSE)
    return AgainMark(mark.capture_id, spans, mark.rounds, mark.outages + 1, now + pause)


def was_rubbish(mark: AgainMark) -> bool:
    """Whether what the model answered last could not be used, all of it: then it is asked about this again only when it has read
    something else well since. One that answers nothing of use costs no call more, however long it is there."""
    return mark.not_before is not None and not mark.outages


def joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same stretches in order, those that touch as one."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return tuple(found)


def _only_rubbish(tally: Tally) -> bool:
    return all(note in (f"{_FIRST}unusable", f"{_AGAIN}unusable") for note in tally.notes if note.startswith((_FIRST, _AGAIN)))
