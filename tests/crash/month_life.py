"""What happens to a memory in a simulated month, and what must have come of it: actions, and the states that they lead to.

A thing is one statement that nobody else makes, known by a word that stands nowhere else. What was acknowledged leaves one state
that it may be in; what was cut short leaves two, the one before and the one after, until the store is looked at.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

Where: TypeAlias = Literal["nowhere", "held", "archived", "trash", "forgotten"]
Kind: TypeAlias = Literal[
    "tell", "tell file", "drop", "write by hand", "edit", "edit by hand", "delete", "delete by hand", "undo", "forget",
    "forget later", "archive", "bring back", "move", "ask", "judge",
]  # fmt: skip


class State(NamedTuple):
    """Where a thing is, and in which words; of what is nowhere and forgotten there are none."""

    where: Where
    words: str = ""


NOWHERE, FORGOTTEN = State("nowhere"), State("forgotten")


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that is done. `words` are those that it leaves, `change` names what an undo takes back."""

    kind: Kind
    token: str
    words: str = ""
    key: str = ""
    change: str = ""


@dataclass(slots=True)
class Thing:
    """`now` is where it was when that was certain last; `doubt` where it may be instead, until the store is looked at. `undoable`
    are the changes that an undo can take back, the last one last, each with the state that it leads back to."""

    token: str
    now: State = NOWHERE
    doubt: State | None = None
    undoable: list[tuple[str, State]] = field(default_factory=list)
    deleted: bool = False
    """By its owner: so it is forgotten when it leaves the trash."""
    trashed_at: float = 0.0
    """In days."""
    by_hand: bool = False
    unanswered: Action | None = None
    """What was sent and got no answer: a client sends it again, with the same key."""


def after(action: Action, before: State) -> State:
    """Where a thing is when that has been done."""
    match action.kind:
        case "tell" | "tell file" | "drop" | "write by hand" | "move":
            return State("held", action.words)
        case "edit" | "edit by hand":
            return State(before.where, action.words)
        case "delete" | "forget later":
            return State("trash", before.words)
        case "delete by hand":
            return NOWHERE
        case "forget":
            return FORGOTTEN
        case "archive":
            return State("archived", before.words)
        case "bring back":
            return State("held", before.words)
        case "undo" | "ask" | "judge":
            return before


CITIES = (
    "Berlin", "Lisbon", "Oslo", "Ghent", "Krakow", "Aarhus", "Turku", "Ulm", "Turin", "Graz", "Bergen", "Malaga", "Porto", "Riga",
    "Vienna", "Prague", "Dublin", "Madrid", "Rome", "Paris", "London", "Hamburg", "Munich", "Zurich", "Geneva", "Milan", "Naples",
    "Warsaw", "Budapest", "Athens", "Helsinki", "Stockholm", "Copenhagen", "Amsterdam", "Brussels", "Lyon", "Seville", "Valencia",
    "Leeds", "York",
)  # fmt: skip
HOME = "home"
QUESTIONS = ("Where do I live?", "Who lent me money?", "What is in the cellar?", "What did I plant?")

TRASH_DAYS = 8
"""How long what was deleted can be brought back: in a month some of it leaves the trash."""
NO_HAND = 0.7
"""How often no hand is laid on a store that is closed."""

NEW = frozenset(("tell", "tell file", "drop", "write by hand"))
TO_HELD = frozenset(("edit", "edit by hand", "delete", "delete by hand", "forget", "forget later", "archive", "judge"))
WEIGHTS: Mapping[Kind, float] = {
    "tell": 5, "tell file": 1, "drop": 1, "write by hand": 0.7, "ask": 1, "move": 1.5, "edit": 1.5, "edit by hand": 1,
    "delete": 1.5, "delete by hand": 0.5, "forget": 0.8, "forget later": 0.5, "archive": 0.6, "judge": 0.7, "bring back": 0.7,
    "undo": 1.5,
}  # fmt: skip
"""How often each is done, where there is something to do it to."""

TEMPLATES: tuple[Callable[[str, random.Random], str], ...] = (
    lambda token, chance: f"The {token} in the cellar has {chance.randrange(2, 90)} drawers.",
    lambda token, chance: f"My neighbour {token.capitalize()} keeps {chance.choice(('goats', 'bees', 'ducks', 'geese'))}.",
    lambda token, chance: f"{token.capitalize()} lent me {chance.randrange(20, 900)} euros for the roof.",
    lambda token, chance: (
        f"The code of the {token} is {chance.randrange(1000, 9999)}, and its key hangs in the {chance.choice(('hall', 'shed'))}."
    ),
    lambda token, chance: f"I planted a {token} beside the {chance.choice(('pond', 'gate', 'wall', 'greenhouse'))}.",
)

_SYLLABLES = ("ba", "de", "fo", "gu", "ki", "lo", "mu", "ne", "po", "ra", "su", "ti", "vo", "wu", "xi", "zo")


def token_of(number: int) -> str:
    """A word that is told nowhere else."""
    return "q" + "".join(_SYLLABLES[(number >> shift) % 16] for shift in (8, 4, 0)) + "qx"


class Life:
    """What is told and done in a month, drawn from a seed, and where everything must be by now."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.things: dict[str, Thing] = {}
        self.homes: list[str] = []
        """What was said of where the owner lives, and acknowledged."""
        self.moving: Action | None = None
        self.clock_was_ahead = False
        """In any session: time stands still after it, until the right clock has caught up."""
        self.counts: Counter[str] = Counter()

    def draw(self, count: int, day: float) -> list[Action]:
        """What is done next; what got no answer is sent again first."""
        again = [each.unanswered for each in self.things.values() if each.unanswered is not None]
        again += [self.moving] if self.moving is not None else []
        touched = {each.token for each in again}
        drawn = []
        for _ in range(count):
            action = self._one(touched, day)
            touched.add(action.token)
            drawn.append(action)
        return [*again, *drawn]

    def hand(self) -> Action | None:
        """What a hand does to the files of a store that nobody has open."""
        held = self._free((), "held")
        if not held or self._chance.random() < NO_HAND:
            return None
        thing = self._chance.choice(held)
        kind: Kind = "delete by hand" if self._chance.random() < 0.5 else "edit by hand"
        return Action(kind, thing.token, self._sentence(thing.token) if kind == "edit by hand" else "")

    def _free(self, touched: Collection[str], where: Where) -> list[Thing]:
        """Things that are certainly there."""
        every = self.things.values()
        return [each for each in every if each.token not in touched and each.doubt is None and each.now.where == where]

    def _one(self, touched: set[str], day: float) -> Action:
        held, archived = self._free(touched, "held"), self._free(touched, "archived")
        lying = [each for each in self._free(touched, "trash") if day - each.trashed_at < TRASH_DAYS - 2]
        undoable = [each for each in (*held, *archived, *lying) if each.undoable]
        weights = {
            kind: weight
            for kind, weight in WEIGHTS.items()
            if (kind in NEW or (kind == "move" and HOME not in touched) or (kind in TO_HELD and held))
            or (kind == "bring back" and archived)
            or (kind == "undo" and undoable)
            or kind == "ask"
        }
        [kind] = self._chance.choices(list(weights), list(weights.values()))
        match kind:
            case "tell" | "tell file" | "drop" | "write by hand":
                token = token_of(len(self.things) + 1)
                self.things[token] = Thing(token)
                return Action(kind, token, self._sentence(token), f"month:{len(self.things)}")
            case "move":
                number = len(self.homes)
                words = f"I moved from {_city(number - 1)} to {_city(number)}." if number else f"I live in {_city(0)}."
                return Action("move", HOME, words, f"month:home:{number}")
            case "ask":
                return Action("ask", "", self._chance.choice(QUESTIONS))
            case "bring back":
                return Action(kind, self._chance.choice(archived).token)
            case "undo":
                thing = self._chance.choice(undoable)
                return Action("undo", thing.token, change=thing.undoable[-1][0])
            case "edit" | "edit by hand":
                thing = self._chance.choice(held)
                words = thing.now.words
                while words == thing.now.words:  # to edit it into what it says is refused
                    words = self._sentence(thing.token)
                return Action(kind, thing.token, words)
            case _:
                return Action(kind, self._chance.choice(held).token)

    def _sentence(self, token: str) -> str:
        return self._chance.choice(TEMPLATES)(token, self._chance)

    def began(self, action: Action) -> None:
        """From now on nobody knows whether it was done."""
        if action.kind == "move":
            self.moving = action
        thing = self.things.get(action.token)
        if thing is None or action.kind == "judge":
            return
        thing.doubt = thing.undoable[-1][1] if action.kind == "undo" else after(action, thing.now)
        thing.unanswered = action if action.kind in ("tell", "tell file", "drop") else None
        thing.deleted |= action.kind in ("delete", "forget later")
        thing.by_hand |= action.kind in ("edit by hand", "write by hand")

    def done(self, action: Action, change: str, day: float) -> None:
        """It was acknowledged, as `change` where an undo can take it back."""
        self.counts[action.kind] += 1
        if action.kind == "move":
            self.homes.append(action.words)
            self.moving = None
        thing = self.things.get(action.token)
        if thing is None or thing.doubt is None:
            return
        before, thing.now, thing.doubt, thing.unanswered = thing.now, thing.doubt, None, None
        if action.kind == "undo":
            thing.undoable.pop()
        elif change:
            # What is taken back of what was told goes into the trash.
            thing.undoable.append((change, State("trash", thing.now.words) if action.kind in NEW else before))
        else:
            thing.undoable.clear()
        thing.deleted &= thing.now.where == "trash" and action.kind != "undo"
        thing.trashed_at = day

    def refused(self, action: Action) -> None:
        """Nothing was acknowledged, and it may have been done all the same."""
        self.counts[f"{action.kind}, refused"] += 1

    def expected(self, thing: Thing, day: float) -> list[State]:
        """Where it may be when the store has come to rest."""
        may_be = [thing.now] if thing.doubt is None else [thing.now, thing.doubt]
        gone = FORGOTTEN if thing.deleted else NOWHERE
        if any(each.where == "trash" for each in may_be) and day - thing.trashed_at >= TRASH_DAYS:
            may_be.append(gone)
        return may_be

    def seen(self, token: str, state: State) -> None:
        """The store was looked at: that is where it is."""
        thing = self.things[token]
        if thing.doubt is not None or thing.now.where != state.where:
            thing.undoable.clear()
        thing.now, thing.doubt = state, None


def _city(number: int) -> str:
    return CITIES[number % len(CITIES)]
