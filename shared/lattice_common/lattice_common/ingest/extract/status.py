"""How each statement of a text is meant: asserted, planned, wished, supposed, said by others, joked, dropped or doubted.

Certain rules decide first (`status_rules`), then the judge, given the sentence of a quote, with the sentence before where it
refers to that ("If I won the lottery. I'd buy a boat.") and a short one behind that takes it back ("Kidding."). Without a judge
the rules decide alone. Documents, tables, code and assistants assert, unless a rule is certain.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture, turn_at
from lattice_common.domain.judgement import STATUSES, Status, UtteranceReading
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.domain.status import TRUE_OF_WHAT_THEY_SAY, UNDECIDED
from lattice_common.language.facts.status_rules import CUES, REPORTED, RULES
from lattice_common.language.glosses.recognition import language_of
from lattice_common.language.sentences.split import sentences
from lattice_common.ports.judge import Judge

TRUE_FROM = 0.3
"""The judge's probability of a true status (asserted, past, planned) from which it counts; below, the likeliest of the others
does. On the dev files (`python -m bench.status`) a higher one loses facts faster than it finds others."""

LONGEST = 400
"""Characters that are judged: anything longer is a passage."""
_AROUND = 300
"""Characters before a quote that are read with it, and of the sentences beside its own."""
_SHORT = 4
"""Words of a following sentence that takes back the one before it: "Didn't.", "Just kidding."."""

_LEANS = re.compile(r"^(?:and |so |then |but )?(?:(?:i|we|he|she|they|it)(?:'d| would)|then|so that|otherwise)\b")
_CONDITION = re.compile(r"^(?:and |but |so )?(?:if|suppose|supposing|imagine|say|what if|wenn|falls|si|se|als|gdyby)\b")
_TURN = re.compile(r"[;:]|\b(?:but|however|now|instead|so|poi|adesso|jetzt|aber|mais|pero|ma|maar|ale|ama)\b")
"""Words at which a sentence turns to something else."""
_TAKES_BACK = re.compile(r"\b(?:kidding|joking|jk|didn't|did not|not really|no idea|who knows|almost|as if|unsure|not sure)\b")
_ASSERTED: frozenset[Status] = frozenset(("asserted",))
_QUOTED: frozenset[Status] = frozenset(("quoted",))
_CONDITIONAL = frozenset(("instruction", "habit", "reminder", "preference"))
_FREE_TEXT = frozenset(("plain", "chat", "markdown"))


Grounded: TypeAlias = Sequence[tuple[Segment, tuple[Candidate, ...]]]
"""The proved candidates of each segment."""


def with_status(capture: Capture, grounded: Grounded, judge: Judge | None) -> tuple[tuple[Segment, tuple[Candidate, ...]], ...]:
    """Return the candidates of a part with the status of each that has none yet."""
    return with_statuses([(capture, grounded)], judge)[0]


def with_statuses(
    parts: Sequence[tuple[Capture, Grounded]], judge: Judge | None
) -> list[tuple[tuple[Segment, tuple[Candidate, ...]], ...]]:
    """Likewise for parts of several captures; the judge is asked once, about all of them."""
    places = [
        (capture, piece, each) for capture, grounded in parts for piece, found in grounded for each in found if not each.status
    ]
    around = _Around()
    said = {id(each): around.sentence(capture, piece, each) for capture, piece, each in places}
    sure = {id(each): _certain(said[id(each)], each) for _, _, each in places}
    known: dict[int, Status] = {name: found or "asserted" for name, found in sure.items()}
    open_ = [
        each
        for capture, piece, each in places
        if sure[id(each)] is None and _is_ones_own(capture, piece, each) and _worth_judging(capture, said[id(each)])
    ]
    if judge is not None and open_:
        # Part of a sentence is read by itself as well: what stands beside it may be meant in another way.
        texts = list(dict.fromkeys(text for each in open_ for text in (said[id(each)], each.quote[:LONGEST])))
        read = dict(zip(texts, judge.utterances(texts), strict=True))
        known |= {id(each): judged(read[said[id(each)]], read[each.quote[:LONGEST]], text=said[id(each)]) for each in open_}
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


def judged(*readings: UtteranceReading, text: str) -> Status:
    """Return the likeliest status over readings of the same words, which stand in `text`: one of what is true of what it says,
    unless that is unlikely."""
    shares = {name: sum(reading.status[name] for reading in readings) / len(readings) for name in STATUSES}
    among = TRUE_OF_WHAT_THEY_SAY if sum(shares[name] for name in TRUE_OF_WHAT_THEY_SAY) >= TRUE_FROM else UNDECIDED
    if among is UNDECIDED and language_of(text) is None and not REPORTED.search(text):
        # Nobody is named who said it: what speaks for `quoted` speaks for a plain statement about others.
        shares["asserted"] += shares["quoted"]
        among = among - _QUOTED | _ASSERTED
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


def _worth_judging(capture: Capture, sentence: str) -> bool:
    """Return whether to ask the judge: always for what somebody waits for; for thousands at once where a word could change the
    meaning."""
    return capture.priority == "interactive" or not sentence.isascii() or bool(CUES.search(sentence))


class _Around:
    """The sentences around quotes. A line, or a turn, is cut once, however many quotes it holds."""

    def __init__(self) -> None:
        self._cut: dict[tuple[int, int, int], list[Span]] = {}

    def sentence(self, capture: Capture, piece: Segment, candidate: Candidate) -> str:
        """Return the sentence or sentences of a quote, with those beside it that it cannot be understood without."""
        text, start, end = capture.text, candidate.start, candidate.end
        if start is None or end is None:
            return candidate.quote[:LONGEST]
        low, high = _bounds(text, piece, start, end)
        place = (id(capture), low, high)
        spans = self._cut.get(place)
        if spans is None:
            spans = self._cut[place] = sentences(text, low, high)
        first = bisect_right(spans, start, key=lambda span: span.end)
        last = bisect_left(spans, end, key=lambda span: span.start) - 1
        if first > last:
            return candidate.quote[:LONGEST]
        own = max(spans[first].start, start - _AROUND)  # a sentence may be a page
        if first and _needs_before(_folded(text[own:end]), _folded(_words(text, spans[first - 1])[-_AROUND:])):
            own = max(spans[first - 1].start, start - _AROUND)
        if last + 1 < len(spans) and _is_taken_back(_folded(_words(text, spans[last + 1])[:_AROUND])):
            last += 1
        return text[own : spans[last].end][:LONGEST]


def _bounds(text: str, piece: Segment, start: int, end: int) -> tuple[int, int]:
    """Return the stretch around a quote that belongs to it: its line, or its turn."""
    low = max(piece.start, text.rfind("\n", piece.start, start) + 1)
    turn = turn_at(piece.turns, start)
    if turn is not None:
        low = max(low, min(piece.turns[turn].start, start))
    line_end = text.find("\n", end, piece.end)
    return low, line_end if line_end >= 0 else piece.end


def _needs_before(sentence: str, before: str) -> bool:
    if before.endswith("?"):
        return len(sentence.split()) <= 2 * _SHORT or bool(_LEANS.match(sentence))
    return bool(_LEANS.match(sentence)) and bool(_CONDITION.match(before))


def _is_taken_back(following: str) -> bool:
    return len(following.split()) <= _SHORT and bool(_TAKES_BACK.search(following))


def _words(text: str, span: Span) -> str:
    return text[span.start : span.end]
