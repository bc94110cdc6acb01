"""What was told stands in the conversation's log, once it is remembered: by whatever door it came, and by none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lattice_common.domain.capture import Capture, Entry
from lattice_common.domain.chat import ChatTurn
from lattice_common.domain.receipt import Receipt, State
from lattice_common.errors import Corrupt
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.journal import Journal
from lattice_common.recall.journey import SUBJECTS, Journey, told_turn

LOOKED_AT = 50
"""Memories of a capture whose subjects are looked at."""


@dataclass(frozen=True, slots=True)
class Told:
    """What became of a capture that a turn of the conversation told. `file`: it came as one; `unreadable`: which could not be
    read; `reason` is a sentence for people."""

    state: State
    reason: str | None
    file: bool
    unreadable: bool


def note_told(said: Entry, receipt: Receipt, journey: Journey, catalogue: CatalogueReader) -> None:
    """Note a finished capture that somebody told. An import of thousands is no conversation, and is not noted."""
    if not isinstance(said, Capture) or said.priority != "interactive" or said.capture_id != receipt.capture_id:
        return
    subjects = dict.fromkeys(atom.subject for atom in catalogue.get(receipt.atom_ids[:LOOKED_AT]))
    what = said.original.name if said.original else said.text
    about = tuple(subjects)[:SUBJECTS]
    turn = ChatTurn(
        receipt.finished_at, what, "", said.session_id, said.channel, receipt.atom_ids, about, trace_id=receipt.capture_id
    )
    journey.note(told_turn(turn, new=receipt.atoms_new, updated=receipt.atoms_updated))


def told_by(turns: Sequence[ChatTurn], journal: Journal) -> dict[str, Told]:
    """Return what became of what these turns told, by their `trace_id`; without those that name no capture."""
    found = {}
    for capture_id in dict.fromkeys(turn.trace_id for turn in turns if turn.told and turn.trace_id):
        try:
            status = journal.status(capture_id)
        except Corrupt:
            status = None
        if status is not None:
            unreadable = status.receipt is not None and status.receipt.refused == "unreadable"
            reason = status.receipt.reason if status.receipt else status.reason
            found[capture_id] = Told(status.state, reason, journal.original_path(capture_id) is not None, unreadable)
    return found
