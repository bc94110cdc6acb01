"""Labelled examples for the judge, from what the owner did after it had decided: kept locally, and handed over on request only.

All but one kind are derived from what is kept anyway (commands and receipts in the journal, the logs of answers and verdicts).
The exception is an intent that the owner chose against the guess, which has a line in `logs/intents.jsonl`. Nothing is reported
of what left memory: a pair is included only while both of its statements, or the words of the undone capture, exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import TypeAlias

from lattice_common.domain.capture import (
    Capture,
    Command,
    Entry,
    ExtractAgain,
    JsonValue,
    KeepBoth,
    PreferAtom,
    SettleJudged,
    UndoChange,
)
from lattice_common.domain.chat import turn_of
from lattice_common.domain.receipt import Receipt
from lattice_common.errors import Unavailable
from lattice_common.logs import logger
from lattice_common.ports.catalogue import KnownAtoms
from lattice_common.ports.clock import Clock
from lattice_common.ports.journal import Journal, whole_entry, whole_receipt
from lattice_common.ports.line_log import LineLog, Logs
from lattice_common.upkeep.usage import atom_ids_in, moment_of

log = logger(__name__)

Example: TypeAlias = dict[str, JsonValue]

LONGEST = 400
"""Characters of an example statement; the judge is shown no longer ones."""

ANSWERED_WITHIN = timedelta(seconds=60)
"""Between the line of an answer in the conversation's log and that of what it recalled; both are written when it ends."""


def examples(journal: Journal, catalogue: KnownAtoms, logs: Logs) -> Iterator[Example]:
    """Yield examples, oldest first within a task; each has `task` and `label`, `by` what it was learnt, and a time. Reads the
    whole journal.

    `relation`: {old, new, label: "adds" or "updates"}. `answers`: {question, statement, label: true or false}. `utterance`:
    {text, label: "tell" or "ask", guess}. Raise `Unavailable` where a log cannot be read.
    """
    yield from _relations(journal, catalogue)
    yield from _answers(catalogue, logs)
    yield from _utterances(logs.intents)


def note_intent(intents: LineLog, clock: Clock, text: str, chosen: str, guess: str, channel: str) -> None:
    """Record that the owner chose otherwise than the guess. An error of the log stops nobody from telling or asking."""
    try:
        intents.append([{"ts": clock.now().isoformat(), "text": text, "intent": chosen, "guess": guess, "channel": channel}])
    except Unavailable:
        log.warning("log_not_written", log="intents")


def _relations(journal: Journal, catalogue: KnownAtoms) -> Iterator[Example]:
    commands = _commands(journal)
    undone = _undone(commands)
    for command in commands.values():
        match command.action:
            case UndoChange(change_id) if command.command_id not in undone:
                said, receipt = whole_entry(journal, change_id), whole_receipt(journal, change_id)
                yield from _held_after_all(said, receipt, command, catalogue)
            case KeepBoth(newer, older) if command.command_id not in undone:
                yield from _pair(_words(catalogue, older), _words(catalogue, newer), "adds", "keep_both", command)
            case PreferAtom(newer, older) if command.command_id not in undone:
                if any(older in atom.may_update for atom in catalogue.get([newer])):
                    yield from _pair(_words(catalogue, older), _words(catalogue, newer), "updates", "replaced", command)


def _commands(journal: Journal) -> dict[str, Command]:
    """Return commands that were carried out, oldest first, by id."""
    found: dict[str, Command] = {}
    for entry in journal.entries(newest_first=False):
        said = whole_entry(journal, entry)
        if isinstance(said, Command) and isinstance(said.action, (KeepBoth, PreferAtom, SettleJudged, ExtractAgain, UndoChange)):
            receipt = whole_receipt(journal, entry)
            if receipt is not None and receipt.state not in ("rejected", "dead"):
                found[entry] = said
    return found


def _undone(commands: Mapping[str, Command]) -> set[str]:
    """Return the ids of what is undone, and was not brought back by undoing the undo."""
    undone: set[str] = set()
    for command in reversed(list(commands.values())):  # what undoes comes after what is undone
        if isinstance(command.action, UndoChange) and command.command_id not in undone:
            undone.add(command.action.change_id)
    return undone


def _held_after_all(said: Entry | None, receipt: Receipt | None, undo: Command, catalogue: KnownAtoms) -> Iterator[Example]:
    """Yield what the product retired by itself, and the owner restored."""
    own = isinstance(said, Capture) or (isinstance(said, Command) and isinstance(said.action, (SettleJudged, ExtractAgain)))
    if receipt is None or not own:
        return
    for change in receipt.changes:
        newer = change.after.get("superseded_by")
        if change.after.get("is_superseded") is True and isinstance(newer, str):
            new = _words(catalogue, newer)
            if new is None and isinstance(said, Capture) and receipt.atom_ids == (newer,):
                new = said.text.strip()  # it went with its capture, whose words are in the journal
            yield from _pair(_words(catalogue, change.atom_id), new, "adds", "undo", undo)


def _pair(old: str | None, new: str | None, label: str, by: str, command: Command) -> Iterator[Example]:
    if old and new and max(len(old), len(new)) <= LONGEST:
        at = command.received_at.isoformat()
        yield {"task": "relation", "old": old, "new": new, "label": label, "by": by, "at": at}


def _words(catalogue: KnownAtoms, atom_id: str) -> str | None:
    found = catalogue.get([atom_id])
    return found[0].content if found else None


def _answers(catalogue: KnownAtoms, logs: Logs) -> Iterator[Example]:
    """Yield memories that an answer cited and that were rated, as long as they say the same."""
    verdicts = [line for line in logs.feedback.newest() if line.get("verdict") in ("up", "down", "wrong")]
    questions = _questions(logs, {str(line.get("trace_id")) for line in verdicts})
    for line in reversed(verdicts):
        question, hashes, moment = questions.get(str(line.get("trace_id"))), line.get("hashes"), moment_of(line)
        if question is None or moment is None or not isinstance(hashes, dict):
            continue
        for atom in catalogue.get(list(hashes)):
            if hashes[atom.atom_id] == atom.content_hash and len(atom.content) <= LONGEST:
                good = line["verdict"] == "up"
                yield {
                    "task": "answers",
                    "question": question,
                    "statement": atom.content,
                    "label": good,
                    "by": line["verdict"],
                    "at": moment.isoformat(),
                }


def _questions(logs: Logs, traces: set[str]) -> dict[str, str]:
    """Return the questions by trace: the log of recalls has the trace, the conversation's the question, and both the memories."""
    recalled = {
        str(line.get("trace_id")): (moment, tuple(atom_ids_in(line)))
        for line in logs.usage.newest()
        if line.get("trace_id") in traces and (moment := moment_of(line)) is not None
    }
    wanted = {atom_ids for _, atom_ids in recalled.values()}
    asked: dict[tuple[str, ...], list[tuple[datetime, str]]] = {}
    for turn in map(turn_of, logs.chat.newest()):
        if turn is not None and not turn.told and turn.atom_ids in wanted:
            asked.setdefault(turn.atom_ids, []).append((turn.ts, turn.reformulated_query or turn.question))
    found: dict[str, str] = {}
    for trace_id, (moment, atom_ids) in recalled.items():
        apart, question = min(((abs(ts - moment), text) for ts, text in asked.get(atom_ids, ())), default=(None, ""))
        if apart is not None and apart <= ANSWERED_WITHIN:
            found[trace_id] = question
    return found


def _utterances(intents: LineLog) -> Iterator[Example]:
    for line in reversed(list(intents.newest())):
        text, chosen = line.get("text"), line.get("intent")
        if isinstance(text, str) and chosen in ("tell", "ask"):
            guess, at = line.get("guess"), line.get("ts")
            yield {"task": "utterance", "text": text, "label": chosen, "guess": guess, "by": "chosen", "at": at}
