"""A made-up life, as long as asked for: conversations and notes with names, places, dates and things that change.

Things follow Zipf's law over 3,600 pairs of words ("copper lamp"), so that a few are common and most are rare, as in what
people say; people and places come back, moves and new jobs retire what was said before. The same seed gives the same text.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from lattice_common.capture.request import CaptureMetadata, IngestRequest, Message

ZIPF = 1.05
FIRST_DAY = datetime(2024, 1, 1, 9, tzinfo=UTC)


def _words(text: str) -> list[str]:
    return text.split()


_MATERIALS = _words(
    "copper winter paper garden silver wooden summer kitchen stone morning glass river cotton mountain leather "
    "evening iron market velvet harbour clay forest brass island linen desert marble valley silk village amber city "
    "wool meadow bronze lake tin country rubber coast gold orchard steel bridge plastic tower straw castle canvas "
    "station pearl museum ivory library bamboo theatre crystal school oak church pine office "
)
_THINGS = _words(
    "lamp coat table book cake bottle bicycle chair picture song bag box clock letter door camera guitar basket "
    "knife bowl mirror kite shirt carpet candle soup bread wine cheese tea coffee jacket shoe hat ring watch phone "
    "plate spoon pillow blanket bed desk shelf cup boat train car horse dog cat bird fish tree flower seed leaf "
    "fence roof "
)
_FIRST = _words("Anna Ben Clara David Emma Farid Greta Hugo Ines Jonas Karin Leo Maria Nils Olga Paul Rosa Sami Tara Viktor ")
_LAST = _words(
    "Adler Brandt Costa Dahl Eriksen Fischer Garcia Hoffmann Ivanov Jensen Keller Lindt Moreau Novak Okafor Peters "
    "Rossi Silva Tanaka Weber "
)
_PLACES = _words("Lisbon Berlin Vienna Porto Oslo Madrid Turin Ghent Malmö Zagreb Lyon Bristol Denver Kyoto Austin Graz ")
_JOBS = _words("nurse teacher carpenter lawyer translator baker engineer gardener pilot designer ")
_MONTHS = _words("January February March April May June July August September October November December ")
_SENTENCES = (
    "I met {person} in {place} on {day} {month} and we talked about the {noun} and the {noun2} for two hours.",
    "{person} bought a new {noun} for {number} euros because the old {noun2} was broken.",
    "My favourite {noun} is the one that {person} gave me for my birthday.",
    "The {noun} workshop with {person} is on {day} {month} at {number} o'clock in the {noun2} hall.",
    "I decided to stop eating {noun} and to try {noun2} instead.",
    "{person} told me that the {noun} from {place} is better than any {noun2}.",
    "We planned a trip to {place} with {person} to see the {noun} and the old {noun2}.",
    "Last week {person} painted a picture of a {noun} with a {noun2} under a tree.",
    "I need to call {person} about the {noun} before {day} {month}.",
)
_CHANGES = (
    "I moved to {place} in {month} and the flat is close to the {noun} market.",
    "{person} works as a {job} in {place} now and likes the {noun} there.",
    "I am working as a {job} and my office is next to the {noun} of {place}.",
)
CHANGES_SHARE = 0.03
"""Of all sentences: what retires an older one is said a few times a year."""
_QUESTIONS = (
    "When did I meet {person} in {place}?",
    "What did {person} buy instead of the old {noun}?",
    "Where does {person} work now?",
    "Which {noun} did {person} give me?",
    "What is better than the {noun} from {place}?",
    "When is the {noun} workshop with {person}?",
    "Who painted the {noun} with the {noun2}?",
    "What did I decide about {noun} and {noun2}?",
)


class Life:
    """Draws sentences and questions; each has its own stream, so that asking does not change what is said."""

    def __init__(self, seed: int = 1) -> None:
        self._chance = random.Random(seed)
        self._nouns = [f"{one} {other}" for one, other in itertools.product(_MATERIALS, _THINGS)]
        random.Random(0).shuffle(self._nouns)
        self._weights = list(itertools.accumulate(1 / rank**ZIPF for rank in range(1, len(self._nouns) + 1)))

    def sentence(self) -> str:
        return self._filled(self._chance.choice(_CHANGES if self._chance.random() < CHANGES_SHARE else _SENTENCES))

    def question(self) -> str:
        return self._filled(self._chance.choice(_QUESTIONS))

    def note(self, day: int) -> IngestRequest:
        """Two to six sentences, as typed into a box."""
        text = " ".join(self.sentence() for _ in range(self._chance.randint(2, 6)))
        return IngestRequest(text=text, priority="bulk", metadata=CaptureMetadata(observed_at=_at(day, 0)))

    def conversation(self, day: int) -> IngestRequest:
        """Twenty to sixty turns of two people, one to three sentences each."""
        names = self._chance.sample(_FIRST, 2)
        messages = [
            Message(
                name=names[turn % 2],
                content=" ".join(self.sentence() for _ in range(self._chance.randint(1, 3))),
                observed_at=_at(day, turn),
            )
            for turn in range(self._chance.randint(20, 60))
        ]
        return IngestRequest(
            messages=messages, source_type="chat", priority="bulk", metadata=CaptureMetadata(session_id=f"day {day}")
        )

    def captures(self, first_day: int = 0) -> Iterator[IngestRequest]:
        """Without end: a conversation, then a handful of notes, day by day."""
        for day in itertools.count(first_day):
            yield self.conversation(day)
            for _ in range(5):
                yield self.note(day)

    def questions(self, count: int) -> list[str]:
        """All different."""
        asked = (self.question() for _ in itertools.count())
        return list(itertools.islice(dict.fromkeys(itertools.islice(asked, 10 * count)), count))

    def _filled(self, template: str) -> str:
        draw = self._chance
        noun, noun2 = draw.choices(self._nouns, cum_weights=self._weights, k=2)
        return template.format(
            person=f"{draw.choice(_FIRST)} {draw.choice(_LAST)}",
            place=draw.choice(_PLACES),
            noun=noun,
            noun2=noun2,
            day=draw.randint(1, 28),
            month=draw.choice(_MONTHS),
            number=draw.randint(2, 900),
            job=draw.choice(_JOBS),
        )


def _at(day: int, minutes: int) -> str:
    return (FIRST_DAY + timedelta(days=day % 900, minutes=minutes)).isoformat()
