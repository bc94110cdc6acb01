"""The owner's word on who is who: two names are one, or are not.

It becomes a memory of its own, so that it is journaled, found, undone and rebuilt from like any other; what it says stands in
`metadata.who`, from which the register is made (`domain.who.tie`).
"""

from __future__ import annotations

from lattice_common.domain.atom import (
    Atom,
    Span,
    atom_id_for,
    content_hash,
    normalized_content_hash,
)
from lattice_common.domain.capture import Command, CorrectWho
from lattice_common.domain.receipt import Refused
from lattice_common.ingest.stores import Stores
from lattice_common.language.people.phrases import path_of
from lattice_common.language.people.tie import CORRECTION
from lattice_common.language.people.words import key_of, names_any
from lattice_common.language.text import analyze
from lattice_common.ports.lexical_index import LexicalQuery

MOST_READ = 50
"""Memories that are looked at for a name."""


def corrected(command: Command, correcting: CorrectWho, stores: Stores, seq: int) -> Atom | Refused:
    """Return the memory that says so; refused where no memory names either, or where it is so already."""
    catalogue = stores.catalogue
    register, ended = catalogue.register(), catalogue.columns().ended
    name, other = correcting.name.strip(), correcting.other.strip()
    if path_of(name) is not None:
        name, other = other, name
    path = path_of(other)
    if path_of(name) is not None:
        return Refused("conflict", "two roles cannot be joined: name whoever has one of them.")
    named = register.entity(name, ended)
    if path is None:
        beside = [each for each in [register.entity(other, ended)] if each is not None]
    else:
        beside = register.holders(path, ended)
    known = named or (beside[0] if beside else None)
    proof = catalogue.get(known.proofs[-1:])[0] if known else _mention(stores, name) or _mention(stores, other)
    if proof is None:
        return Refused("not_found", f"no memory names {name} or {other}: `lattice who` lists who is known.")
    joined = named is not None and any(each.entity_id == named.entity_id for each in beside)
    if joined == (correcting.how == "same"):
        told = "are one already" if joined else "are not one as it is"
        return Refused("conflict", f"nothing to change: {name} and {other} {told}.")
    return _atom(command, correcting, (name, path or other), f"{name} and {other}", proof, seq)


def _mention(stores: Stores, name: str) -> Atom | None:
    """Return the newest memory, of those found by its words, that mentions a name of whom nothing says who it is."""
    hits = stores.lexical.search(LexicalQuery({"text": analyze(name)}), MOST_READ)
    found = stores.catalogue.get([each.atom_id for each in hits])
    key = key_of(name)
    return max((each for each in found if names_any(each.content, [key])), key=lambda atom: atom.atom_id, default=None)


def _atom(command: Command, correcting: CorrectWho, pair: tuple[str, str], both: str, proof: Atom, seq: int) -> Atom:
    content = f"{both} are the same." if correcting.how == "same" else f"{both} are not the same."
    return Atom(
        atom_id=atom_id_for(command.command_id, 0),
        content=content,
        kind="fact",
        subject=pair[0],
        capture_id=proof.capture_id,
        source_quote=proof.source_quote,
        source_span=proof.source_span if proof.source_quote else Span(0, 0),
        observed_at=command.received_at,
        ingested_at=command.received_at,
        category="context",
        source="user",
        trust="user",
        source_type=proof.source_type,
        # A session of its own: it stands beside nothing that was said.
        session_id=command.command_id,
        extractor="user",
        metadata={CORRECTION: {correcting.how: list(pair)}},
        content_hash=content_hash(content),
        normalized_content_hash=normalized_content_hash(content),
        seq=seq,
    )
