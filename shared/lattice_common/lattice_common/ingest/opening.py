"""From a journal entry to its work: whether it is worth another attempt, the plan that exists, and the file to be read first.

The attempt is counted before anything is done that could stop the process; an entry that ends here gets its receipt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lattice_common.domain.capture import Capture, Entry, entry_id
from lattice_common.domain.receipt import Progress, Refused
from lattice_common.errors import Corrupt
from lattice_common.ingest.commit import as_far_as_done
from lattice_common.ingest.context import Context
from lattice_common.ingest.group import goes_with_others
from lattice_common.ingest.parts import Part, Work
from lattice_common.ingest.read import is_unread
from lattice_common.ingest.receipts import dead, end, forget, refuse
from lattice_common.ports.journal import Plan


@dataclass(frozen=True, slots=True)
class Opened:
    """An entry whose attempt is counted, with the plan of its last decided part, where there is one."""

    said: Entry
    attempt: int
    plan: Plan | None

    def planned(self) -> Part:
        """Return the decided part, to be carried out."""
        return Part(self.said, self.attempt, plan=self.plan, is_planned=True)


def open_entry(context: Context, entry: str) -> Opened | None:
    """Count the attempt at an entry; return None where nothing is left to do for it."""
    worklog = context.stores.worklog
    context.attempts.await_file.discard(entry)
    if worklog.receipt(entry) is not None:
        worklog.close_entry(entry)
        forget(context, entry)
        return None
    try:
        said, plan = worklog.read(entry), worklog.read_plan(entry)
    except Corrupt as error:
        # No attempt mends a damaged entry: it waits where the owner sees it, until it is restored and retried.
        end(context, [dead(context, entry, str(error), _attempts_at(context, entry), None)])
        return None
    if said is None:
        # Its envelope is not there yet, or never will be: then the next start clears its mark away.
        return None
    if plan is not None and (why := context.attempts.plan_given_up(entry)) is not None:
        done = as_far_as_done(context.stores, plan)
        end(context, [dead(context, entry, why, _attempts_at(context, entry), done)])
        return None
    attempt = context.attempts.count(entry, plan)
    context.numbers.catch_up()
    return Opened(said, attempt, plan)


def left_to_do(context: Context, opened: Opened) -> Work | Part | None:
    """Return what is left to do of an entry: the work on its text, or a command as the one part to decide; None where it has
    ended, or its file is being read."""
    said, attempt, plan = opened.said, opened.attempt, opened.plan
    entry = entry_id(said)
    if (why := context.attempts.given_up(entry, attempt, plan)) is not None:
        end(context, [dead(context, entry, why, attempt - 1, plan)])
        return None
    if not isinstance(said, Capture):
        return context.readahead.work_for(said, attempt, plan) or Part(said, attempt)
    context.attempts.work_begins(entry)
    read = _read_file(context, said, attempt) if is_unread(said) else said
    return None if read is None else begin_work(context, read, attempt, plan)


def begin_work(context: Context, capture: Capture, attempt: int, plan: Plan | None) -> Work | None:
    """Cut the rest of a capture into segments and parts, where that was not done ahead of its turn."""
    context.progress.publish(Progress(capture.capture_id, "segment", 0, 1))
    return context.readahead.work_for(capture, attempt, plan)


def open_together(context: Context, entries: Sequence[str]) -> list[Entry]:
    """Return the first entries that may be processed together, up to one that has to be processed alone: a long one, a file, one
    that waits for a language model, one that was tried before, or one that depends on all before it. No attempt is counted."""
    found: list[Entry] = []
    worklog = context.stores.worklog
    for entry in entries:
        try:
            status = worklog.status(entry)
            said = worklog.read(entry) if status is not None and not status.attempts and status.receipt is None else None
        except Corrupt:
            break
        if said is None or not goes_with_others(said):
            break
        if isinstance(said, Capture) and not context.readahead.goes_at_once(said):
            break
        found.append(said)
    return found


def begin_together(context: Context, entries: Sequence[Entry]) -> list[Part]:
    """Count an attempt at each of these entries, and return them as parts."""
    attempts = context.attempts.count_each([entry_id(said) for said in entries])
    context.numbers.catch_up()
    parts: list[Part] = []
    for said, attempt in zip(entries, attempts, strict=True):
        work = None
        if isinstance(said, Capture):
            context.attempts.work_begins(said.capture_id)
            work = begin_work(context, said, attempt, None)
        parts.append(Part(said, attempt, work))
    return parts


def _read_file(context: Context, capture: Capture, attempt: int) -> Capture | None:
    """Return a capture with the text of its file; None while the file is being read, and where it cannot be, which ends the
    entry."""
    entry = capture.capture_id
    if not context.reading.is_done(capture):
        context.attempts.await_file.add(entry)
        return None
    unreadable = context.reading.outcome(entry)
    if unreadable is not None:
        refused = refuse(context, entry, Refused("unreadable", unreadable.reason), attempt)
        receipt = replace(refused, notes=(f"unreadable:{unreadable.code}",))
        context.hooks.finished([(capture, receipt)])
        end(context, [receipt])
        return None
    said = context.stores.worklog.read(entry)
    assert isinstance(said, Capture)  # noqa: S101 - narrows what was one a moment ago
    return said


def _attempts_at(context: Context, entry: str) -> int:
    status = context.stores.worklog.status(entry)
    return status.attempts if status else 0
