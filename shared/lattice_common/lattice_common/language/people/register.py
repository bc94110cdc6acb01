"""The register: what all statements together say about who is who.

Updated as atoms are added, changed and removed (`put`, `remove`): statements are filed by name and by role, and entities are
computed only on request, so that a question costs what is known about the names in it, whatever the size of the store. The result
does not depend on the order of the atoms. Readers may ask while the one writer files: every list is replaced, never changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lattice_common.language.people.phrases import ANYBODY, OWNER, SOMEBODY
from lattice_common.language.people.spelling import Spellings
from lattice_common.language.people.tie import Tie, shown_path
from lattice_common.language.people.words import chain_of, is_one, key_of, parts_of, whole_of
from lattice_common.language.table import EntityKind

MOST_NAMES = 24
"""Names of one entity that are followed from one to the next."""
MOST_HOLDERS = 48
"""Names that one role is looked up for, the latest ones: a lifetime has more friends than one question can mean."""


@dataclass(frozen=True, slots=True)
class Held:
    """A tie, the atom that says it, and when it was said, in seconds since 1970."""

    atom_id: str
    tie: Tie
    said: float


@dataclass(frozen=True, slots=True)
class RoleHeld:
    """A role of an entity: whose (a path; `?` where nobody said), from when and until when it is known, in seconds, and the atoms
    that say so, oldest first. `phrase` is the role in words, such as "my brother"."""

    role: str
    holder: str
    phrase: str
    since: float
    until: float | None
    proofs: tuple[str, ...]
    words: tuple[str, ...] = ()
    """The role as it is written in statements, and in English."""
    modifiers: tuple[str, ...] = ()
    """"piano" of a piano teacher."""

    def is_at(self, moment: float) -> bool:
        """Return whether it is held then: known by then, and not over."""
        return self.since <= moment and (self.until is None or moment < self.until)


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, animal, place, organisation or thing. `entity_id` is the first of `keys`, the names in the form in which they are
    compared; `names` are as they were written, the most frequent first. `proofs` are the atoms that say any of it."""

    entity_id: str
    name: str
    kind: EntityKind
    names: tuple[str, ...]
    keys: tuple[str, ...]
    roles: tuple[RoleHeld, ...]
    proofs: tuple[str, ...]


Ended: TypeAlias = Callable[[str], "float | None"]
"""Returns when an atom was superseded, in seconds; None while it is current."""


class Register:
    """Changed by one thread at a time; read by any."""

    def __init__(self) -> None:
        self._of_atom: dict[str, tuple[Held, ...]] = {}
        self._filed: dict[str, tuple[Held, ...]] = {}
        """By name (`ilya`), and by role and holder (`me/brother`, `*/brother`); what makes two names one, or two, is filed under
        both."""
        self._uses: Counter[str] = Counter()
        self._parted: Counter[frozenset[str]] = Counter()
        """Pairs of names that some statement says are two: all others need no look at what was said of them."""
        self._parts: dict[str, tuple[str, ...]] = {}
        """Names of several words, by each of their words."""
        self._spellings = Spellings()
        self._touched = False
        self._keys_known: dict[str, tuple[str, ...]] = {}
        self._entities_known: dict[tuple[str, ...], Entity] = {}
        self._holders_known: dict[str, list[tuple[float, Entity]]] = {}
        """Results since the last filing: a spouse may be named in thousands of statements."""

    # Filing

    def put(self, atom_id: str, said: float, ties: Sequence[Tie]) -> None:
        """File what an atom says now, in place of what it said before."""
        self.remove(atom_id)
        if not ties:
            return
        self._touched = True
        helds = tuple(Held(atom_id, tie, said) for tie in ties)
        self._of_atom[atom_id] = helds
        for held in helds:
            for place in _places(held.tie):
                self._filed[place] = (*self._filed.get(place, ()), held)
            if (pair := _parted_by(held.tie)) is not None:
                self._parted[pair] += 1
            for key in _keys(held.tie):
                self._uses[key] += 1
                if self._uses[key] == 1:
                    self._name(key)

    def remove(self, atom_id: str) -> None:
        """Remove what an atom said."""
        self._touched |= atom_id in self._of_atom
        for held in self._of_atom.pop(atom_id, ()):
            for place in _places(held.tie):
                left = tuple(each for each in self._filed.get(place, ()) if each is not held)
                if left:
                    self._filed[place] = left
                else:
                    self._filed.pop(place, None)
            if (pair := _parted_by(held.tie)) is not None:
                self._parted[pair] -= 1
                if not self._parted[pair]:
                    del self._parted[pair]
            for key in _keys(held.tie):
                self._uses[key] -= 1
                if not self._uses[key]:
                    del self._uses[key]
                    self._unname(key)

    def publish(self) -> None:
        """Drop cached results, where something was filed since; called once readers see the atoms that were filed."""
        if self._touched:
            self._touched = False
            self._keys_known, self._entities_known, self._holders_known = {}, {}, {}

    def said_by(self, atom_id: str) -> tuple[Tie, ...]:
        """Return the ties of one atom, as they were filed."""
        return tuple(held.tie for held in self._of_atom.get(atom_id, ()))

    def all(self) -> Iterator[tuple[str, tuple[Tie, ...]]]:
        """Yield the atoms that say anything, with their ties."""
        return ((atom_id, tuple(held.tie for held in helds)) for atom_id, helds in list(self._of_atom.items()))

    def _name(self, key: str) -> None:
        for word in parts_of(key):
            self._parts[word] = (*self._parts.get(word, ()), key)
        self._spellings.add(key)

    def _unname(self, key: str) -> None:
        for word in parts_of(key):
            left = tuple(each for each in self._parts.get(word, ()) if each != key)
            if left:
                self._parts[word] = left
            else:
                self._parts.pop(word, None)
        self._spellings.drop(key)

    # Asking

    def knows(self, key: str) -> bool:
        """Return whether a name, or a word of one, is in the register."""
        return key in self._uses or key in self._parts

    def spelt_like(self, word: str) -> list[str]:
        """Return names one letter away from a word that is no name itself."""
        return [] if self.knows(word) else self._spellings.near(word)

    def keys_of(self, key: str) -> tuple[str, ...]:
        """Return all names of the entity with this one, sorted: those said to be the same, and parts of a name that only one
        has."""
        known = self._keys_known
        if (there := known.get(key)) is None:
            there = known[key] = self._followed(key)
        return there

    def _followed(self, key: str) -> tuple[str, ...]:
        found = {key}
        ahead = [key]
        while ahead and len(found) < MOST_NAMES:
            for other in dict.fromkeys(self._one_with(ahead.pop())):
                if other not in found and not any(self._apart(other, each) for each in found):
                    found.add(other)
                    ahead.append(other)
        return tuple(sorted(found))

    def _one_with(self, key: str) -> Iterator[str]:
        for held in self._filed.get(key, ()):
            if held.tie.how in ("same", "named") and held.tie.other and "/" not in held.tie.other:
                pair = held.tie.key, key_of(held.tie.other)
                yield pair[1] if pair[0] == key else pair[0]
        parts = parts_of(key)
        for part in parts:
            if part in self._uses and self._may_be_one(part, key):
                yield part
        if not parts:
            wholes = set(self._parts.get(key, ()))
            yield from (whole for whole in wholes if self._may_be_one(key, whole))
            whole = whole_of(key)
            if whole and not wholes:
                longer = {whole} & self._uses.keys() or set(self._parts.get(whole, ()))
                yield from longer if len(longer) == 1 else ()

    def _may_be_one(self, part: str, whole: str) -> bool:
        """Return whether a part of a name stands for the whole: only this one has it, and they are not two to the same."""
        if set(self._parts.get(part, ())) != {whole}:
            return False
        short, long = self._roles_said(part), self._roles_said(whole)
        return all(short[holder] & long[holder] for holder in short.keys() & long.keys())

    def _roles_said(self, key: str) -> dict[str, set[str]]:
        """Return roles by holder, as they were said about this very name."""
        found: dict[str, set[str]] = {}
        for held in self._filed.get(key, ()):
            if held.tie.path and held.tie.key == key and held.tie.how != "apart":
                holder, _, role = held.tie.path.rpartition("/")
                found.setdefault(holder, set()).add(role)
        return found

    def _apart(self, one: str, other: str) -> bool:
        """Return whether the last word on two names is that they are two."""
        if frozenset((one, other)) not in self._parted:
            return False
        said = [
            (held.said, held.atom_id, held.tie.how)
            for held in self._filed.get(one, ())
            if held.tie.how in ("same", "apart") and {held.tie.key, key_of(held.tie.other)} == {one, other}
        ]
        return bool(said) and max(said)[2] == "apart"

    def holders(self, path: str, ended: Ended, moment: float | None = None) -> list[Entity]:
        """Return the entities with a role, given as a path, at `moment` where that is given; the latest first. The holder `*`
        stands for anybody; roles without a known holder are included where the holder's are not known, and as the owner's also
        what is only called so ("the gym Iron Temple" where nothing is said of "my gym")."""
        holder, _, role = path.rpartition("/")
        found = _at_time(self._holding(path, ended), role, moment)
        if not found and holder not in (ANYBODY, SOMEBODY):
            found = _at_time(self._holding(f"{SOMEBODY}/{role}", ended), role, moment)
        if not found and holder == OWNER:
            of_anybody = self._holding(f"{ANYBODY}/{role}", ended)
            found = _at_time([each for each in of_anybody if _is_anybodys(each[1], role)], role, moment)
        return [entity for _, entity in found]

    def _same_holders(self, holder: str, ended: Ended) -> Iterator[str]:
        yield holder
        if "/" in holder:
            for entity in self.holders(holder, ended):
                yield from entity.keys
        elif holder not in (ANYBODY, SOMEBODY, OWNER):
            yield from (key for key in self.keys_of(holder) if key != holder)
            for held in self._filed.get(holder, ()):
                if held.tie.role and held.tie.key == holder:
                    yield f"{held.tie.holder}/{held.tie.role}"

    def _holding(self, path: str, ended: Ended) -> list[tuple[float, Entity]]:
        """Return all who hold or held a role, with when that was last said, the latest first."""
        known = self._holders_known
        if (there := known.get(path)) is not None:
            return there
        holder, _, role = path.rpartition("/")
        by_key: dict[str, float] = {}
        for place in dict.fromkeys(f"{each}/{role}" for each in self._same_holders(holder, ended)):
            for held in self._filed.get(place, ()):
                if held.tie.how != "apart":
                    by_key[held.tie.key] = max(held.said, by_key.get(held.tie.key, held.said))
        latest: dict[tuple[str, ...], float] = {}
        for key in sorted(by_key, key=lambda each: (-by_key[each], each))[:MOST_HOLDERS]:
            latest.setdefault(self.keys_of(key), by_key[key])
        found = [(said, self._known(keys, ended)) for keys, said in latest.items() if not self._not_so(keys, path)]
        found.sort(key=lambda each: (-each[0], each[1].entity_id))
        known[path] = found
        return found

    def _known(self, keys: tuple[str, ...], ended: Ended) -> Entity:
        known = self._entities_known
        if (there := known.get(keys)) is None:
            there = known[keys] = self._entity(keys, ended)
        return there

    def _not_so(self, keys: Sequence[str], path: str) -> bool:
        """Return whether the last word on a name and a role is that it is not so."""
        said = [
            (held.said, held.atom_id, held.tie.how)
            for held in self._filed.get(path, ())
            if held.tie.key in keys and held.tie.other
        ]
        return bool(said) and max(said)[2] == "apart"

    def entity(self, name: str, ended: Ended) -> Entity | None:
        """Return the entity with this name, however it is written; None where there is none."""
        key = key_of(name)
        keys = self.keys_of(key)
        if not any(each in self._uses for each in keys):
            return None
        return self._known(keys, ended)

    def entities(self, ended: Ended) -> list[Entity]:
        """Return all of them, by their names."""
        found: dict[tuple[str, ...], Entity] = {}
        for key in sorted(self._uses.copy()):
            keys = self.keys_of(key)
            if keys not in found:
                found[keys] = self._known(keys, ended)
        return list(found.values())

    def _entity(self, keys: tuple[str, ...], ended: Ended) -> Entity:
        helds = sorted(
            {(held.said, held.atom_id): held for key in keys for held in self._filed.get(key, ())}.items(),
            key=lambda each: each[0],
        )
        every = [held for key in keys for held in self._filed.get(key, ())]
        written: Counter[str] = Counter()
        for held in every:
            for name in (held.tie.name, held.tie.other):
                if name and "/" not in name and key_of(name) in keys:
                    written[name] += 1
        names = sorted(written, key=lambda name: (-written[name], -len(name), name)) or [keys[0].title()]
        kinds: Counter[EntityKind] = Counter(
            held.tie.kind for held in every if held.tie.kind != "unknown" and held.tie.key in keys
        )
        whose = any(held.tie.holder.partition("/")[0] in keys for held in every)  # who has a terrier or a landlord is somebody
        kind: EntityKind = min(kinds, key=lambda each: (-kinds[each], each)) if kinds else "person" if whose else "unknown"
        roles = tuple(sorted(self._roles(keys, every, ended), key=lambda role: (role.since, role.phrase)))
        # What only links to somebody proves nothing of them, where something does.
        proofs = [atom_id for (_, atom_id), held in helds if held.tie.how != "named"] or [atom_id for (_, atom_id), _ in helds]
        first = key_of(names[0])
        ordered = (first, *(key for key in keys if key != first))
        return Entity(first, names[0], kind, tuple(names), ordered, roles, tuple(proofs))

    def _roles(self, keys: Sequence[str], every: Sequence[Held], ended: Ended) -> Iterator[RoleHeld]:
        by_path: dict[str, list[Held]] = {}
        for held in every:
            if held.tie.path and held.tie.key in keys and held.tie.how != "apart":
                by_path.setdefault(held.tie.path, []).append(held)
        for path, helds in by_path.items():
            if self._not_so(keys, path):
                continue
            holder, _, role = path.rpartition("/")
            helds.sort(key=lambda held: (held.said, held.atom_id))
            proofs = tuple(dict.fromkeys(held.atom_id for held in helds))
            until = self._until(path, keys, helds, ended)
            phrase = shown_path(path) or role.replace("_", " ")
            words = dict.fromkeys((role.replace("_", " "), *(held.tie.word.lower() for held in helds if held.tie.word)))
            modifiers = dict.fromkeys(each for held in helds for each in held.tie.modifiers)
            yield RoleHeld(role, holder, phrase, helds[0].said, until, proofs, tuple(words), tuple(modifiers))

    def _until(self, path: str, keys: Sequence[str], helds: Sequence[Held], ended: Ended) -> float | None:
        """Return when a role ended: by what a statement says ("until April", "my former boss"), by what superseded that, or, for
        a role that is filled once at a time, by the next person who has it."""
        last = helds[-1]
        ends: list[float] = []
        if last.tie.until is not None:
            ends.append(last.tie.until)
        elif last.tie.how == "was":
            ends.append(last.said)
        role = path.rpartition("/")[2]
        if is_one(role):
            if (end := ended(last.atom_id)) is not None:
                ends.append(end)
            later = [
                held.said
                for held in self._filed.get(path, ())
                if held.tie.how == "is" and held.tie.role == role and held.said > last.said and held.tie.key not in keys
            ]
            ends += [min(later)] if later else []
        return min(ends) if ends else None


def _is_anybodys(entity: Entity, role: str) -> bool:
    """Return whether nobody is said to be the one whose gym or car it is. Somebody in a role may be a stranger: "the plumber"."""
    return all(held.holder == ANYBODY for held in entity.roles if role in chain_of(held.role)) and entity.kind != "person"


def _at_time(entities: list[tuple[float, Entity]], role: str, moment: float | None) -> list[tuple[float, Entity]]:
    """Return those with the role at a time, or at any time without a `moment`; before it was known of anybody, the first."""
    if moment is None:
        return entities
    told = [(each, [held for held in each[1].roles if role in chain_of(held.role)]) for each in entities]
    there = [each for each, helds in told if not helds or any(held.is_at(moment) for held in helds)]
    if there or not told or any(held.since <= moment for _, helds in told for held in helds):
        return there
    return [min(told, key=lambda each: min(held.since for held in each[1]))[0]]


def _places(tie: Tie) -> Iterator[str]:
    """Return the keys under which a tie is filed."""
    places = dict.fromkeys(_keys(tie))
    if tie.path:
        holder, _, last = tie.path.rpartition("/")
        for role in chain_of(last):
            places |= {f"{holder}/{role}": None, f"{ANYBODY}/{role}": None}
    return iter(places)


def _parted_by(tie: Tie) -> frozenset[str] | None:
    """Return the two names that a tie says are two; None for any other tie."""
    return frozenset((tie.key, key_of(tie.other))) if tie.how == "apart" and "/" not in tie.other else None


def _keys(tie: Tie) -> Iterator[str]:
    """Yield the names in a tie."""
    yield tie.key
    if tie.other and "/" not in tie.other:
        yield key_of(tie.other)
    whose = tie.holder.partition("/")[0]
    if whose not in ("", OWNER, SOMEBODY, ANYBODY):
        yield whose
