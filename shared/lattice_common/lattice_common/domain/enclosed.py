"""Documents within one file: attachments of a mail, members of a zip. Each is a document of its own, with its own name and its
own memory that stands for it, and belongs to the file: it is undone, forgotten and backed up with it.

Their reader marks each by a place of its own: "attachment lease.pdf, page 2", "file papers/lease.pdf, page 2", and in a mailbox
"mail 3, attachment lease.pdf". The first place of each is its name alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import lru_cache

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture, Place, SourceType
from lattice_common.domain.formats import BY_ENDING

_ENCLOSED = re.compile(r"(?:mail \d+, )?(attachment|file) (?=\S)")


@dataclass(frozen=True, slots=True)
class Enclosed:
    """`name` is its name in the file, `label` the place that all of its own places begin with."""

    name: str
    label: str
    span: Span
    attached: bool
    """Whether it is attached to a mail; else it is in an archive."""

    @property
    def source_type(self) -> SourceType:
        """Return its type, judged by its name."""
        said = BY_ENDING.get(self.name.rpartition(".")[2].lower())
        return said.source_type if said is not None and said.structured else "plain"


def enclosed_in(capture: Capture) -> tuple[Enclosed, ...]:
    """Return the documents within a file, in order; none where it is one itself."""
    return _enclosed(capture.places)


def enclosing(capture: Capture, offset: int) -> Enclosed | None:
    """Return the document within the file that stands at `offset`."""
    found = _enclosed(capture.places)
    at = bisect_right(found, offset, key=lambda each: each.span.start) - 1
    return found[at] if at >= 0 and offset < found[at].span.end else None


def place_within(enclosed: Enclosed, label: str | None, holder: str | None) -> str:
    """Return a place as it is told of a document within a file: "page 2, attached to Lease.eml"."""
    inner = (label or "").removeprefix(enclosed.label).removeprefix(", ")
    held = f"{'attached to' if enclosed.attached else 'in'} {holder}" if holder else ""
    return ", ".join(each for each in (inner, held) if each)


def alone(capture: Capture, enclosed: Enclosed) -> Capture:
    """Return a document within a file as if it had come by itself: its text is the last part of its span, without the name above
    it."""
    start, end = enclosed.span.start, enclosed.span.end
    if capture.text.startswith(titled := f"# {enclosed.name}\n", start):
        start += len(titled)
    places = tuple(
        Place(place.start - start, place.end - start, place.label.removeprefix(enclosed.label).removeprefix(", "))
        for place in capture.places
        if start <= place.start < end and place.label != enclosed.label
    )
    original = replace(capture.original, name=enclosed.name) if capture.original else None
    text = capture.text[start:end]
    return replace(capture, text=text, places=places, title=None, original=original, source_type=enclosed.source_type)


@lru_cache(maxsize=16)
def _enclosed(places: tuple[Place, ...]) -> tuple[Enclosed, ...]:
    found: list[Enclosed] = []
    label: str | None = None
    for place in places:
        if label is not None and (place.label == label or place.label.startswith(f"{label}, ")):
            found[-1] = replace(found[-1], span=Span(found[-1].span.start, place.end))
        elif (named := _ENCLOSED.match(place.label)) is not None:
            label = place.label
            found.append(Enclosed(label[named.end() :], label, Span(place.start, place.end), named[1] == "attachment"))
        else:
            label = None
    return tuple(found)
