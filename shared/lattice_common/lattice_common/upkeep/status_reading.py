"""How statements that are stored already are meant, read beside what they were said in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Capture, JsonValue
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.domain.judgement import STATUSES, Status
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.errors import Corrupt
from lattice_common.ingest.extract.status import with_status
from lattice_common.ingest.segment import segment
from lattice_common.ports.journal import Journal
from lattice_common.ports.judge import Judge


class StatusReading:
    """What was said is read from the journal and cut into segments once for all statements of it that are asked about one after
    another: a long import is asked about a few at a time. For one thread."""

    def __init__(self, journal: Journal, judge: Judge | None, *, late: bool = False) -> None:
        """`late` is for what an import stored without asking the judge: only of that is it asked then."""
        self._journal = journal
        self._judge = judge
        self._late = late
        self._last: tuple[str, Capture | None, Sequence[Segment]] = ("", None, ())

    def not_simply_so(self, atoms: Sequence[Atom]) -> dict[str, JsonValue]:
        """Return atom id → its status and the hash of the content that it was read from, for what is not simply so. What has a
        status already, a hand wrote or was concluded is not read."""
        by_capture: dict[str, list[Atom]] = {}
        for atom in atoms:
            if atom.status == "asserted" and atom.extractor != "user" and not is_conclusion(atom):
                by_capture.setdefault(atom.capture_id, []).append(atom)
        found: dict[str, JsonValue] = {}
        for capture_id, own in by_capture.items():
            if self._last[0] != capture_id:
                capture = self._capture(capture_id)
                self._last = (capture_id, capture, tuple(segment(capture)) if capture else ())
            _, said, pieces = self._last
            for atom, status in self._read(said, pieces, own) if said else ():
                if status not in (None, "asserted"):
                    found[atom.atom_id] = {"status": status, "content_hash": atom.content_hash}
        return found

    def let_go(self) -> None:
        """Keep nothing of what was read last."""
        self._last = ("", None, ())

    def _read(self, capture: Capture, pieces: Sequence[Segment], atoms: Sequence[Atom]) -> Iterator[tuple[Atom, Status | None]]:
        """Yield atoms of a capture, each with how it is meant; those that stand nowhere in it are left out."""
        places: list[tuple[Segment, tuple[Candidate, ...]]] = []
        placed: list[Atom] = []
        for atom in atoms:
            piece = next((each for each in pieces if each.start <= atom.source_span.start < each.end), None)
            if piece is not None:
                places.append((piece, (_candidate(atom),)))
                placed.append(atom)
        for atom, (_, (candidate,)) in zip(placed, with_status(capture, places, self._judge, late=self._late), strict=True):
            yield atom, candidate.status

    def _capture(self, capture_id: str) -> Capture | None:
        try:
            said = self._journal.read(capture_id)
        except Corrupt:
            return None  # `lattice doctor` names it
        return said if isinstance(said, Capture) and said.text else None


def as_meant(atom: Atom, statuses: Mapping[str, JsonValue]) -> Atom:
    """Return the atom with the status that `not_simply_so` found for it."""
    status = status_of(statuses.get(atom.atom_id))
    return atom if status is None else replace(atom, status=status)


def status_of(read: JsonValue) -> Status | None:
    """Return the status in one of the entries of `not_simply_so`; None where it names none."""
    return next((each for each in STATUSES if isinstance(read, dict) and each == read.get("status")), None)


def _candidate(atom: Atom) -> Candidate:
    return Candidate(
        atom.content,
        atom.source_quote,
        atom.kind,
        atom.subject,
        atom.segment_id or "",
        atom.source_span.start,
        atom.source_span.end,
        metadata=atom.metadata,
    )
