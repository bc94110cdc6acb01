"""What was told stands in the conversation's log, once it is remembered: by whatever door it came, and by none."""

from __future__ import annotations

from lattice_common.domain.capture import Capture, Entry
from lattice_common.domain.chat import ChatTurn
from lattice_common.domain.receipt import Receipt
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.recall.journey import SUBJECTS, Journey, told_turn

LOOKED_AT = 50
"""Memories of a capture whose subjects are looked at."""


def note_told(said: Entry, receipt: Receipt, journey: Journey, catalogue: CatalogueReader) -> None:
    """Note a finished capture that somebody told. An import of thousands is no conversation, and is not noted."""
    if not isinstance(said, Capture) or said.priority != "interactive" or said.capture_id != receipt.capture_id:
        return
    subjects = dict.fromkeys(atom.subject for atom in catalogue.get(receipt.atom_ids[:LOOKED_AT]))
    what = said.original.name if said.original else said.text
    turn = ChatTurn(receipt.finished_at, what, "", said.session_id, said.channel, receipt.atom_ids, tuple(subjects)[:SUBJECTS])
    journey.note(told_turn(turn, new=receipt.atoms_new, updated=receipt.atoms_updated))
