"""What stands around a quote: the sentences that it cannot be understood without, and those that the judge reads beside it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture, turn_at
from lattice_common.domain.judgement import Status
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.language.facts.beside import CONDITION, DISCLOSES, GOES_ON_IMAGINING, LEANS, TAKES_BACK, TURNS_AWAY
from lattice_common.language.facts.direct_speech import goes_on_speaking, is_in_first_person, is_within_quotation
from lattice_common.language.facts.frames import LABEL, TURNS, framed, heading_above, spreads
from lattice_common.language.sentences.clauses import has_verb
from lattice_common.language.sentences.split import sentences

LONGEST = 400
"""Characters that are judged: anything longer is a passage."""
_AROUND = 300
"""Characters before a quote that are read with it, and of the sentences beside its own."""
_BEFORE, _ROOM_BEFORE = 3, 200
"""Sentences that the judge is shown before those of a quote, and characters that have room for more than one."""
_SPREAD = 12
"""Sentences back that are looked at for the label of a draft."""
SHORT = 4
"""Words of a following sentence that takes back the one before it: "Didn't.", "Just kidding."."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a quote stands: among which sentences of its line or turn, and which of them it is in, the first and the last."""

    text: str
    start: int
    sentences: list[Span]
    first: int
    last: int

    def words(self, number: int) -> str:
        """Return those of a sentence, of the nearer end of one that is a page; none where there is no such sentence."""
        if not 0 <= number < len(self.sentences):
            return ""
        span = self.sentences[number]
        words = self.text[span.start : span.end]
        return words[-_AROUND:] if number < self.first else words[:_AROUND]

    def from_to(self, first: int, last: int) -> str:
        """Return these sentences, as far as they are judged."""
        begin = max(self.sentences[first].start, self.start - _AROUND)
        return self.text[begin : self.sentences[last].end][:LONGEST]


class Around:
    """The sentences around quotes. A line, or a turn, is cut once, however many quotes it holds."""

    def __init__(self) -> None:
        self._cut: dict[tuple[int, int, int], list[Span]] = {}

    def sentence(self, capture: Capture, piece: Segment, candidate: Candidate) -> str:
        """Return the sentence or sentences of a quote, with those beside it that it cannot be understood without."""
        place = self._place(capture, piece, candidate)
        if place is None:
            return candidate.quote[:LONGEST]
        own = capture.text[max(place.sentences[place.first].start, place.start - _AROUND) : candidate.end]
        before = place.first > 0 and _needs_before(folded(own), folded(place.words(place.first - 1)))
        behind = place.last + 1 < len(place.sentences) and _is_taken_back(folded(place.words(place.last + 1)))
        return place.from_to(place.first - before, place.last + behind)

    def beside(self, capture: Capture, piece: Segment, candidate: Candidate) -> str:
        """Return what the judge is shown around a quote: its sentences with those before in its paragraph, as many as there is
        room for, and a short one behind."""
        place = self._place(capture, piece, candidate, paragraph=True)
        if place is None:
            return candidate.quote[:LONGEST]
        first = max(place.first - 1, 0)
        while first > max(place.first - _BEFORE, 0) and place.start - place.sentences[first - 1].start <= _ROOM_BEFORE:
            first -= 1
        behind = 0 < len(place.words(place.last + 1).split()) <= SHORT
        return place.from_to(first, place.last + behind)

    def frame(self, capture: Capture, piece: Segment, candidate: Candidate) -> Status | None:
        """Return how a quote is meant by the label that its sentence begins with, or the heading of its line or list; None where
        these don't say, and behind a word at which a sentence turns to something else. The first person in a line of a quotation
        ("> I live in Hull now"), or in what somebody goes on to say, is another's."""
        place = self._place(capture, piece, candidate)
        if place is None:
            return None
        line, end = capture.text.rfind("\n", 0, place.start) + 1, place.start + len(candidate.quote)
        if capture.text.startswith(">", line) and is_in_first_person(capture.text[line:end]):
            return "quoted"
        if place.first == place.last and goes_on_speaking(place.words(place.first - 1), place.words(place.first)):
            return "quoted"
        if is_within_quotation(capture.text[max(line, place.start - LONGEST) : end]):
            return "quoted"
        own = capture.text[place.sentences[place.first].start : place.start + len(candidate.quote)]
        labelled = LABEL.match(own)
        if labelled is not None:
            return None if TURNS.search(own, labelled.end()) else framed(labelled["label"])
        heading = heading_above(capture.text, place.start) or self._spread(capture, piece, candidate)
        return None if heading is None else framed(heading)

    def _spread(self, capture: Capture, piece: Segment, candidate: Candidate) -> str | None:
        """Return the nearest label before a quote in its paragraph, where it stands for all that follows."""
        place = self._place(capture, piece, candidate, paragraph=True)
        if place is None:
            return None
        before = (LABEL.match(place.words(number)) for number in range(place.first - 1, max(place.first - _SPREAD, 0) - 1, -1))
        labelled = next((each for each in before if each is not None), None)
        return labelled["label"] if labelled is not None and spreads(labelled["label"]) else None

    def _place(self, capture: Capture, piece: Segment, candidate: Candidate, *, paragraph: bool = False) -> _Place | None:
        start, end = candidate.start, candidate.end
        if start is None or end is None:
            return None
        low, high = _bounds(capture.text, piece, start, end, "\n\n" if paragraph else "\n")
        spans = self._cut.get((id(capture), low, high))
        if spans is None:
            spans = self._cut[id(capture), low, high] = sentences(capture.text, low, high)
        first = bisect_right(spans, start, key=lambda span: span.end)
        last = bisect_left(spans, end, key=lambda span: span.start) - 1
        return _Place(capture.text, start, spans, first, last) if first <= last else None


def _bounds(text: str, piece: Segment, start: int, end: int, apart: str) -> tuple[int, int]:
    """Return the stretch around a quote that belongs to it: up to what stands `apart`, within its turn."""
    before, behind = text.rfind(apart, piece.start, start), text.find(apart, end, piece.end)
    low = before + len(apart) if before >= 0 else piece.start
    high = behind if behind >= 0 else piece.end
    turn = turn_at(piece.turns, start)
    if turn is not None:
        low = max(low, min(piece.turns[turn].start, start))
        high = min(high, max(piece.turns[turn].end, end))
    return low, high


def _needs_before(sentence: str, before: str) -> bool:
    if TURNS_AWAY.match(sentence):
        return False
    if before.endswith("?"):
        return len(sentence.split()) <= 2 * SHORT or bool(LEANS.match(sentence))
    if GOES_ON_IMAGINING.match(before):
        return bool(LEANS.match(sentence)) or not has_verb(sentence.partition(",")[0])
    return bool(LEANS.match(sentence)) and bool(CONDITION.match(before))


def _is_taken_back(following: str) -> bool:
    if DISCLOSES.match(following):
        return True
    return len(following.split()) <= SHORT and bool(TAKES_BACK.search(following))


def folded(text: str) -> str:
    """Return text in lower case, on one line."""
    return " ".join(text.lower().replace("’", "'").split())
