"""Conversations made up by a seeded generator: facts, small talk, changes of mind, dates. The same seed gives the same words."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from lattice_common.capture.request import CaptureMetadata, IngestRequest, Message

NAMES = ("Ada", "Bruno", "Chiara", "Dmitri", "Elif", "Farid")
CITIES = ("Berlin", "Lisbon", "Turin", "Krakow", "Ghent", "Oslo")
THINGS = ("bicycle", "piano", "garden", "kayak", "sewing machine", "telescope")
JOBS = ("a nurse", "a carpenter", "a teacher", "an architect", "a baker", "a translator")
START = datetime(2025, 3, 1, 18, 0, tzinfo=UTC)

TEMPLATES = (
    "I live in {city} now, near the {thing} shop.",
    "I moved to {city} because of my new job.",
    "My sister works as {job} in {city}.",
    "I bought a {thing} for {number} euros yesterday.",
    "We went to {city} last weekend and I loved the old town.",
    "I am learning the {thing} since {year}.",
    "My doctor's appointment is on the {number}th.",
    "I prefer tea to coffee these days.",
    "Thanks!",
    "How are you doing?",
    "I work as {job} at the moment.",
    "Our dog is called {name} and is {number} years old.",
)


def conversations(count: int, *, turns: int = 12, seed: int = 7) -> list[IngestRequest]:
    """`count` sessions of `turns` messages between two people."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        said_at = START + timedelta(days=number)
        pair = chance.sample(NAMES, 2)
        messages = [
            Message(
                name=pair[turn % 2],
                content=sentence(chance),
                observed_at=(said_at + timedelta(minutes=turn)).isoformat(),
                id=f"{number}:{turn}",
            )
            for turn in range(turns)
        ]
        metadata = CaptureMetadata(source_id="made-up", session_id=f"session-{number}", observed_at=said_at.isoformat())
        found.append(IngestRequest(messages=messages, source_type="chat", priority="bulk", metadata=metadata))
    return found


def sentence(chance: random.Random) -> str:
    """One to three of the templates, filled in."""
    return " ".join(
        chance.choice(TEMPLATES).format(
            city=chance.choice(CITIES),
            thing=chance.choice(THINGS),
            job=chance.choice(JOBS),
            name=chance.choice(NAMES),
            number=chance.randint(2, 28),
            year=chance.randint(2005, 2024),
        )
        for _ in range(chance.randint(1, 3))
    )


def long_text(characters: int, *, seed: int = 7) -> str:
    """Paragraphs of the same sentences, at least so long."""
    chance = random.Random(seed)
    paragraphs: list[str] = []
    while sum(map(len, paragraphs)) < characters:
        paragraphs.append(" ".join(sentence(chance) for _ in range(6)))
    return "\n\n".join(paragraphs)
