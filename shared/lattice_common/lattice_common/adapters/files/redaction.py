"""Erasing words from the journal, in place: the rest is as intact, and as verifiable, as before.

An entry's text keeps its length in characters, so every span into it stays valid; its seal is that of the rest. From an original
that is text the same stretches are erased; of any other nothing is left, because the words in a PDF or a mail cannot be told from
its other bytes. Names, titles and other fields lose what they say about it. Repeating it changes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from lattice_common.adapters.files import durable
from lattice_common.adapters.files.forgotten_ledger import Taken
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture, Command, Derive, EditAtom, JsonValue, Original
from lattice_common.domain.forgetting import MARK, Erasure, is_masked, masked, without
from lattice_common.domain.reading import Reading
from lattice_common.domain.receipt import AtomChange, Receipt
from lattice_common.language.forgotten_words import ForgottenWords, widened
from lattice_common.ports.journal import Plan

Kept = Callable[[str], Sequence[Span]]
"""Returns the stretches of a capture's text that remaining memories were read from."""

FORGOTTEN_NAME = "forgotten"
AS_TEXT = frozenset({"plain", "markdown", "code"})
"""Types whose bytes are their words."""


class Redaction:
    """One erasure in one journal. `words` are looked for where no span marks them."""

    def __init__(self, journal: FileJournal, erasure: Erasure, words: ForgottenWords) -> None:
        self._journal = journal
        self._erasure = erasure
        self._words = words
        self._gone = frozenset(erasure.atom_ids)

    def wanted(self, capture: Capture, kept: Kept) -> Taken | None:
        """Return what has to be erased from a capture, as it is now; None where it contains nothing of it."""
        own = [Span(each.start, each.end) for each in self._erasure.passages if each.capture_id == capture.capture_id]
        found = [*own, *self._words.spans(capture.text)]
        stay = kept(capture.capture_id) if found else ()
        if own and not stay:
            return Taken(whole=True)
        spans = without(widened(capture.text, found), stay)
        if spans or self._named_in(capture):
            return Taken(whole=False, spans=tuple(spans))
        return None

    def capture(self, entry_id: str, taken: Taken) -> str | None:
        """Erase from a capture, its reading and its original; return the SHA-256 that its original had."""
        said = self._journal.read_as_appended(entry_id)
        if not isinstance(said, Capture):
            return None
        reading = self._journal.read_reading(entry_id)
        text = reading.text if reading is not None else said.text
        spans = (Span(0, len(text)),) if taken.whole else taken.spans
        former = said.original.sha256 if said.original else None
        redacted = self._fields(said, whole=taken.whole)
        if said.original is not None:
            original = self._original(said.original, entry_id, text, spans, reading, whole=taken.whole)
            redacted = replace(redacted, original=original)
        else:
            redacted = replace(redacted, text=masked(said.text, spans))
        if reading is not None:
            self._journal.replace_reading(entry_id, self._reading(reading, spans, whole=taken.whole))
        if redacted != said:
            self._journal.replace_entry(replace(redacted, redacted=True))
        return former

    def command(self, command: Command) -> Command:
        """Return a command without what it says of it."""
        match command.action:
            case EditAtom(atom_id) as edit:
                fields = {} if atom_id in self._gone else cast(dict[str, JsonValue], self._out_of(dict(edit.fields)))
                return replace(command, action=replace(edit, fields=fields))
            case Derive() as drawn if not self._gone.isdisjoint(drawn.sources) or self._words.are_in(drawn.content):
                return replace(command, action=replace(drawn, content=MARK, subject=MARK))
        return command

    def receipt(self, receipt: Receipt) -> Receipt:
        """Return a receipt without what it says of it."""
        reason = self._words.taken_out(receipt.reason) if receipt.reason else receipt.reason
        return replace(receipt, reason=reason, changes=tuple(map(self._change, receipt.changes)))

    def plan(self, plan: Plan) -> Plan:
        """Return the plan of an entry that is not finished, or dead, without what it says of it."""
        atoms = tuple(atom for atom in plan.atoms if atom.atom_id not in self._gone and not self._words.are_in(atom.content))
        rejected = tuple(
            each
            for each in plan.rejected
            if not (self._words.are_in(each.candidate.content) or self._words.are_in(each.candidate.quote))
        )
        changes = tuple(map(self._change, plan.changes))
        tally = replace(plan.tally, changes=tuple(map(self._change, plan.tally.changes)))
        return replace(plan, atoms=atoms, rejected=rejected, changes=changes, tally=tally)

    def _change(self, change: AtomChange) -> AtomChange:
        if change.atom_id in self._gone:
            return replace(change, before={}, after={})
        return replace(change, before=self._values(change.before), after=self._values(change.after))

    def _values(self, values: object) -> dict[str, JsonValue]:
        redacted = cast(dict[str, JsonValue], self._out_of(dict(cast(dict[str, JsonValue], values))))
        if redacted.get("superseded_by") in self._gone and "superseded_reason" in redacted:
            redacted["superseded_reason"] = None  # it quotes what took its place
        return redacted

    def _named_in(self, capture: Capture) -> bool:
        if any(self._words.are_in_name(each) for each in (capture.source_id, capture.session_id) if each):
            return True
        named = [capture.title, capture.idempotency_key, *(turn.speaker for turn in capture.turns)]
        named += [capture.original.name if capture.original else None, *(place.label for place in capture.places)]
        return any(self._words.are_in(each) for each in named if each) or self._words.are_in_any(dict(capture.metadata))

    def _fields(self, said: Capture, *, whole: bool) -> Capture:
        turns = tuple(replace(each, speaker=self._or_none(each.speaker, whole=whole)) for each in said.turns)
        return replace(
            said,
            title=self._or_none(said.title, whole=whole),
            source_id=self._words.named_out(said.source_id) if said.source_id else said.source_id,
            session_id=self._words.named_out(said.session_id) if said.session_id else said.session_id,
            idempotency_key=self._or_none(said.idempotency_key, whole=False),
            metadata={} if whole else cast(dict[str, JsonValue], self._out_of(dict(said.metadata))),
            turns=turns,
            body_hash="",
        )

    def _original(
        self, original: Original, entry_id: str, text: str, spans: Sequence[Span], reading: Reading | None, *, whole: bool
    ) -> Original:
        path = self._journal.original_path(entry_id)
        ending = Path(original.name).suffix
        name = f"{FORGOTTEN_NAME}{ending}" if whole or self._words.are_in(original.name) else original.name
        if path is None or not (whole or spans):
            return replace(original, name=name)
        content = durable.read(path)
        as_left = original.redacted and hashlib.sha256(content).hexdigest() == original.sha256
        if as_left and (not content or is_masked(text, spans)):
            return replace(original, name=name)
        left = b"" if whole or reading is None or reading.source_type not in AS_TEXT else _left_of(content, text, spans)
        durable.write(path, left)
        return replace(original, name=name, size=len(left), sha256=hashlib.sha256(left).hexdigest(), redacted=True)

    def _reading(self, reading: Reading, spans: Sequence[Span], *, whole: bool) -> Reading:
        places = () if whole else tuple(replace(place, label=self._words.taken_out(place.label)) for place in reading.places)
        title = self._or_none(reading.title, whole=whole)
        return replace(reading, text=masked(reading.text, spans), places=places, title=title)

    def _or_none(self, text: str | None, *, whole: bool) -> str | None:
        return None if whole or text is None else self._words.taken_out(text)

    def _out_of(self, value: JsonValue) -> JsonValue:
        return self._words.taken_out_of(value)


def _left_of(content: bytes, text: str, spans: Sequence[Span]) -> bytes:
    """Return the bytes of a text file without these stretches; nothing where they cannot be located for certain."""
    try:
        decoded = content.decode("utf-8")
    except UnicodeDecodeError:
        return b""
    if decoded == text:
        return masked(decoded, spans).encode()
    lines = [line for span in spans for line in text[span.start : span.end].splitlines() if line.strip(f" \t{MARK}")]
    for line in lines:
        if line not in decoded:
            return b""
        decoded = decoded.replace(line, MARK * len(line))
    return decoded.encode()
