"""How each statement of a text is meant: asserted, planned, wished, supposed, said by others, joked, dropped or doubted.

Certain rules decide first (`status_rules`), over the sentence of a quote, with the sentence before where it refers to that ("If I
won the lottery. I'd buy a boat.") and a short one behind that takes it back ("Kidding."); then the judge, which reads the quote
beside the sentences around it. Without a judge the rules decide alone. Documents, tables, code and assistants assert, unless a
rule is certain.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture, turn_at
from lattice_common.domain.judgement import STATUSES, Status, UtteranceReading, is_whole
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.domain.status import TRUE_OF_WHAT_THEY_SAY, UNDECIDED
from lattice_common.language.facts.status_rules import CUES, REPORTED, RULES, is_present
from lattice_common.language.glosses.recognition import language_of
from lattice_common.language.sentences.split import sentences
from lattice_common.ports.judge import Judge

TRUE_FROM, TRUE_FROM_OF_PART = 0.4, 0.5
"""The judge's probability of a true status (asserted, past, planned) from which it counts, of a text that is one statement and of
a part of a text; below, the likeliest of the others does. On the dev files (`python -m bench.status`) higher ones lose facts
faster than they find others."""

LONGEST = 400
"""Characters that are judged: anything longer is a passage."""
_AROUND = 300
"""Characters before a quote that are read with it, and of the sentences beside its own."""
_BEFORE, _ROOM_BEFORE = 3, 200
"""Sentences that the judge is shown before those of a quote, and characters that have room for more than one."""
_SHORT = 4
"""Words of a following sentence that takes back the one before it: "Didn't.", "Just kidding."."""

_LEANS = re.compile(r"^(?:and |so |then |but )?(?:(?:i|we|he|she|they|it)(?:'d| would)|then|so that|otherwise)\b")
_CONDITION = re.compile(r"^(?:and |but |so )?(?:if|suppose|supposing|imagine|say|what if|wenn|falls|si|se|als|gdyby)\b")
_TURN = re.compile(r"[;:]|\b(?:but|however|now|instead|so|poi|adesso|jetzt|aber|mais|pero|ma|maar|ale|ama)\b")
"""Words at which a sentence turns to something else."""
_TAKES_BACK = re.compile(r"\b(?:kidding|joking|jk|didn't|did not|not really|no idea|who knows|almost|as if|unsure|not sure)\b")
_ASSERTED: frozenset[Status] = frozenset(("asserted",))
_QUOTED: frozenset[Status] = frozenset(("quoted",))
_PAST: frozenset[Status] = frozenset(("past",))
_CONDITIONAL = frozenset(("instruction", "habit", "reminder", "preference"))
_FREE_TEXT = frozenset(("plain", "chat", "markdown"))


Grounded: TypeAlias = Sequence[tuple[Segment, tuple[Candidate, ...]]]
"""The proved candidates of each segment."""


def with_status(
    capture: Capture, grounded: Grounded, judge: Judge | None, *, late: bool = False
) -> tuple[tuple[Segment, tuple[Candidate, ...]], ...]:
    """Return the candidates of a part with the status of each that has none yet. `late`: the judge is asked about those of an
    import only about which it was not asked when they came."""
    return with_statuses([(capture, grounded)], judge, late=late)[0]


def with_statuses(
    parts: Sequence[tuple[Capture, Grounded]], judge: Judge | None, *, late: bool = False
) -> list[tuple[tuple[Segment, tuple[Candidate, ...]], ...]]:
    """Likewise for parts of several captures; the judge is asked once, about all of them."""
    places = [
        (capture, piece, each) for capture, grounded in parts for piece, found in grounded for each in found if not each.status
    ]
    around = Around()
    said = {id(each): around.sentence(capture, piece, each) for capture, piece, each in places}
    sure = {id(each): _certain(said[id(each)], each) for _, _, each in places}
    known: dict[int, Status] = {name: found or "asserted" for name, found in sure.items()}
    open_ = [
        (each, (around.beside(capture, piece, each), each.quote[:LONGEST]))
        for capture, piece, each in places
        if sure[id(each)] is None and _is_ones_own(capture, piece, each) and _is_asked_at_once(capture, said[id(each)]) != late
    ]
    if judge is not None and open_:
        shown = list(dict.fromkeys(part for _, part in open_))
        read = dict(zip(shown, judge.meant(shown), strict=True))
        known |= {id(each): _as_judged(read[part], part, said[id(each)]) for each, part in open_}
    return [
        tuple(
            (piece, tuple(each if each.status else replace(each, status=known[id(each)]) for each in found))
            for piece, found in grounded
        )
        for _, grounded in parts
    ]


def status_of_text(text: str, judge: Judge | None) -> Status:
    """Return how all of a short text is meant."""
    found = certain(text, text)
    if found is not None or judge is None:
        return found or "asserted"
    return judged(judge.utterances([text])[0], text=text)


def certain(sentence: str, quote: str) -> Status | None:
    """Return the status that a rule gives a quote for certain: over the quote, and over its sentence up to the quote's end, from
    its last turn ("I used to swim, but now I run"); None where none does."""
    quoted = _folded(quote)
    sentence = _folded(sentence)
    at = sentence.find(quoted)
    upto = _TURN.split(sentence[: max(at, 0)])[-1] + sentence[max(at, 0) : at + len(quoted)] if at >= 0 else sentence
    behind = sentence[at + len(quoted) :] if at >= 0 else ""
    if behind and len(behind.split()) <= _SHORT:
        upto += behind
    return next((rule.status for rule in RULES if rule.pattern.search(quoted) or rule.pattern.search(upto)), None)


def _certain(sentence: str, candidate: Candidate) -> Status | None:
    """Return the status that is certain by rules; None where there is none. A condition is none in an instruction or a habit,
    which consist of one: "If the alarm rings, it will be 4711"."""
    found = certain(sentence, candidate.quote)
    return None if found == "supposed" and candidate.kind in _CONDITIONAL else found


def _as_judged(reading: UtteranceReading, shown: tuple[str, str], sentence: str) -> Status:
    """Return the likeliest status of a part of a text, of which the judge was `shown` what stands around it, and the part."""
    return judged(reading, text=sentence, part=not is_whole(*shown))


def judged(reading: UtteranceReading, *, text: str, part: bool = False) -> Status:
    """Return the likeliest status of words that stand in `text`: one of what is true of what it says, unless that is unlikely.
    `part`: the judge has read them beside sentences around them."""
    shares = dict(reading.status)
    true_from = TRUE_FROM_OF_PART if part else TRUE_FROM
    among = TRUE_OF_WHAT_THEY_SAY if sum(shares[name] for name in TRUE_OF_WHAT_THEY_SAY) >= true_from else UNDECIDED
    if among is UNDECIDED and not part and language_of(text) is None and not REPORTED.search(text):
        # Nobody is named who said it: what speaks for `quoted` speaks for a plain statement about others.
        shares["asserted"] += shares["quoted"]
        among = among - _QUOTED | _ASSERTED
    elif among is TRUE_OF_WHAT_THEY_SAY and language_of(text) is None and is_present(text):
        shares["asserted"] += shares["past"]
        among = among - _PAST
    return max((name for name in STATUSES if name in among), key=lambda name: shares[name])


def _folded(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").split())


def _is_ones_own(capture: Capture, piece: Segment, candidate: Candidate) -> bool:
    """Return whether it is the owner's free text, or said by somebody in a conversation: not a document's, a table's, an
    assistant's."""
    if capture.trust in ("document", "web") or capture.source in ("code", "document") or candidate.kind == "question":
        return False
    if piece.source_type not in _FREE_TEXT or "|" in candidate.quote or candidate.metadata.get("lead_in"):
        return False
    turns = piece.turns or capture.turns
    at = turn_at(turns, candidate.start) if turns and candidate.start is not None else None
    return at is None or turns[at].role == "user"


def _is_asked_at_once(capture: Capture, sentence: str) -> bool:
    """Return whether the judge is asked before it is stored: always for what somebody waits for; for thousands at once where a
    word could change the meaning, and about the others a little later (`upkeep.late_judging`)."""
    return capture.priority == "interactive" or not sentence.isascii() or bool(CUES.search(sentence))


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
        before = place.first > 0 and _needs_before(_folded(own), _folded(place.words(place.first - 1)))
        behind = place.last + 1 < len(place.sentences) and _is_taken_back(_folded(place.words(place.last + 1)))
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
        behind = 0 < len(place.words(place.last + 1).split()) <= _SHORT
        return place.from_to(first, place.last + behind)

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
    if before.endswith("?"):
        return len(sentence.split()) <= 2 * _SHORT or bool(_LEANS.match(sentence))
    return bool(_LEANS.match(sentence)) and bool(_CONDITION.match(before))


def _is_taken_back(following: str) -> bool:
    return len(following.split()) <= _SHORT and bool(_TAKES_BACK.search(following))
