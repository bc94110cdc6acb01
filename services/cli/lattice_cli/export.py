"""`lattice import export`: everything in an export, one thing after the other, with an account of each.

What is read is never held as a whole: items come from the file one by one, and at most `OUTSTANDING` of them wait for their
receipts. What was kept before is known by its key, so a second run, or one that was stopped, keeps only what is missing.
"""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from lattice_common.errors import Conflict, InvalidInput

from lattice_cli import exits

if TYPE_CHECKING:
    from lattice_common.capture.importers.account import Account, Begun
    from lattice_common.capture.importers.items import Item

    from lattice_cli.memory import Ended, Memory
    from lattice_cli.terminal import Steps

OUTSTANDING = 200
"""Captures whose receipts are waited for while the next are read."""
WAIT_SECONDS = 3600.0
ANOTHER_ACCOUNT = (
    "Nothing of it was known, and an earlier import has this name, too: that would be taken back with it. If this is another "
    "account, take both back, and import each with a name of its own: lattice import export --as NAME\n"
)


def survey_export(path: Path, *, own: bool, account: str | None, me: str | None, as_json: bool) -> None:
    """Say what is in an export, and keep nothing of it."""
    from lattice_common.capture.importers.intake import survey

    _tell(survey(_items(path, own=own, account=account, me=me)), as_json=as_json, dry=True)


def import_export(path: Path, *, own: bool, account: str | None, me: str | None, as_json: bool) -> None:
    """Keep everything in an export."""
    from lattice_common.capture.importers.account import Account

    from lattice_cli.memory import open_memory
    from lattice_cli.terminal import Steps

    told = Account()
    with Steps() as steps, open_memory(steps) as memory:
        before = memory.sources()
        _import_items(_items(path, own=own, account=account, me=me), memory, told, steps)
    _tell(told, as_json=as_json, dry=False)
    if not as_json and told.stored:
        sys.stdout.write(f'Take all of it back with: lattice import undo "{told.source_id}"\n')
        if told.source_id in before and not told.duplicate:
            sys.stdout.write(ANOTHER_ACCOUNT)
    if told.dead:
        raise typer.Exit(exits.FAILED)


def _items(path: Path, *, own: bool, account: str | None, me: str | None) -> Iterator[Item]:
    from lattice_common.capture.importers.export import items

    found = items(path, own=own, account=account)
    return (item.said_by(me) for item in found) if me else found


def _import_items(found: Iterator[Item], memory: Memory, account: Account, steps: Steps) -> None:
    from lattice_common.capture.importers.account import Begun

    waiting: deque[Begun] = deque()
    for item in found:
        account.see(item)
        if item.skipped:
            account.leave_out(item, item.skipped)
            continue
        try:
            for number, begun in enumerate(take_parts(item, memory)):
                if number:
                    account.cut(item)
                if begun.final:
                    account.know(item)
                else:
                    waiting.append(Begun(item.label, item.things, begun.capture_id))
        except (InvalidInput, Conflict) as error:
            account.leave_out(item, str(error))
            continue
        steps.count("things kept", account.found, 0)
        while len(waiting) > OUTSTANDING:
            _end(waiting, memory, account, steps)
    while waiting:
        _end(waiting, memory, account, steps)


def take_parts(item: Item, memory: Memory) -> Iterator[Ended]:
    """Keep an item of an export; what is too long for the memory in halves, and those again."""
    from lattice_common.capture.importers.intake import halves_if_long

    try:
        ended = take_item(item, memory)
    except InvalidInput as error:
        if (halves := halves_if_long(item, error)) is None:
            raise
    else:
        yield ended
        return
    for half in halves:
        yield from take_parts(half, memory)


def take_item(item: Item, memory: Memory) -> Ended:
    """Keep an item of an export; one that an earlier version kept is known."""
    try:
        return _take(item, memory)
    except Conflict:
        if item.former is None:
            raise
        return take_item(item.former, memory)  # an earlier version brought it


def _take(item: Item, memory: Memory) -> Ended:
    if item.file is not None:
        facts = item.file.facts.model_dump(mode="json", exclude_none=True)
        return memory.take_bytes(item.file.name, item.file.content, facts, item.key)
    if item.request is None:
        raise InvalidInput(f"{item.label} holds nothing.")
    return memory.take(item.request, item.key)


def _end(waiting: deque[Begun], memory: Memory, account: Account, steps: Steps) -> None:
    begun = waiting.popleft()
    end = memory.wait(begun.capture_id, WAIT_SECONDS)
    account.end(begun, end.state, atoms_new=end.atoms_new, reason=end.reason)
    steps.count("memories", account.atoms_new, 0)


def _tell(account: Account, *, as_json: bool, dry: bool) -> None:
    sys.stdout.write((json.dumps(account.as_fields(), ensure_ascii=False) if as_json else account.told(dry=dry)) + "\n")
    if as_json:
        return
    for each in account.named:
        sys.stderr.write(f"{each}\n")
    if (more := account.skipped - len(account.named)) > 0:
        sys.stderr.write(f"and {more:,} more; --json counts the reasons\n")
    if strangers := account.talk.strangers:
        undo = "" if dry or not account.stored else f'take it back (lattice import undo "{account.source_id}") and '
        sys.stderr.write(
            f"It does not say whether you are one of those who speak ({', '.join(strangers)}). If you are, {undo}import it with "
            f'your name: lattice import export --me "{strangers[-1]}" …\n'
        )
