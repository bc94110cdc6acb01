"""What a pronoun refers to, where the words before it leave exactly one choice.

"She" is replaced only if exactly one person in those words fits; a doubtful pronoun stays as it was said, because a wrong guess
would be a false memory, or an answer to another question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Literal, TypeAlias

from lattice_common.language.glosses.lexicon import english_stem, english_stems, english_words
from lattice_common.language.names import NOT_NAMES, Name, capitalised, names_of
from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.places.towns import TOWNS
from lattice_common.language.tables.english_words import AROUND_CLAUSES, ARTICLES, FURTHER_PREPOSITIONS, SUBJECTS
from lattice_common.language.tables.first_names import HE, MORE, SHE, WORDS_THAT_ARE_NAMES
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_WEEKDAYS, any_of, people_by_role

Sort: TypeAlias = Literal["she", "he", "they", "it", "there"]

LONGEST = 800
"""Characters that are searched for what a pronoun refers to: two or three sentences."""

MOST = 30
"""Candidates of a sort in one text: with this many, no pronoun is clear anyway."""

_SHE_ROLES = vocabulary("sister mother mum mom wife daughter aunt grandma granny niece girlfriend landlady girl woman lady")
_HE_ROLES = vocabulary("brother father dad husband son uncle grandad grandpa nephew boyfriend boy man lad bloke guy chap")
WOMEN_AND_MEN = _SHE_ROLES | _HE_ROLES | {"grandmother", "grandfather"}
"""Roles that say whether "she" or "he" is meant; many are called by them: "Mum", "Aunt Philippa"."""
_ROLES = ((people_by_role(one=True) | people_by_role()) - _SHE_ROLES - _HE_ROLES - {"ma", "pa", "nan"}) | {"painter", "ex"}
_GROUPS = people_by_role(several=True) | vocabulary("doctors girls boys people")
_SORT_OF_ROLE: dict[str, frozenset[Sort]] = {
    **{role: frozenset[Sort](("she",)) for role in _SHE_ROLES},
    **{role: frozenset[Sort](("he",)) for role in _HE_ROLES},
    **{role: frozenset[Sort](("she", "he")) for role in sorted(_ROLES, key=len, reverse=True)},  # "twin brother" before "twin"
    **{role: frozenset[Sort](("they",)) for role in _GROUPS},
}

_PRONOUNS: dict[str, Sort] = {
    "she": "she", "her": "she", "hers": "she", "herself": "she", "he": "he", "him": "he", "his": "he", "himself": "he",
    "they": "they", "them": "they", "their": "they", "theirs": "they", "it": "it", "its": "it", "there": "there",
    "shes": "she", "hes": "he",
}  # fmt: skip
_PRONOUN = lazy_regex(rf"\b(?:{'|'.join(_PRONOUNS)})(?:'(?:s|d|ll|re|ve))?\b", re.IGNORECASE)
_EMPTY = lazy_regex(
    r"\bwhat (?:time|day|date|year|month) (?:is|was) it\b"
    r"|\b(?:is|was|will|does|did|has|isn't|wasn't) it (?:be |been |going to )?(?:rain|snow|hot|cold|warm|dark|late|early|time|"
    r"true|possible|ok|okay|worth|best|better|safe|legal|take|mean|matter|my turn|normal|allowed|good|bad|"
    rf"{any_of(ENGLISH_WEEKDAYS)})\w*"
    r"|\bhow (?:is|was|'s) it going\b|\bhow (?:long|far) (?:does|did|is|was|will) it (?:take|to)\b"
    r"|\b(?:is|are|was|were|be|been|isn't|aren't|wasn't) there\b(?! ?[?.!]?$)"
    r"|\bthere(?:'s| is| are| was| were| will| has| have)\b"
    r"|\bit (?:rained|snowed|takes|took|seems|turns out|depends|is (?:raining|snowing))\b",
    re.IGNORECASE,
)
"""Uses of "it" and "there" that refer to nothing."""

_ROLE = lazy_regex(
    rf"\b(?P<whose>my|our|the|your|(?-i:[A-Z])[\w-]*['’]s)\s+(?P<which>(?:(?!(?:my|our)\b)[a-z-]+\s+){{0,2}}?)"
    rf"(?P<role>(?:(?:step|half|foster|god|grand|great|ex)-?)*(?P<kin>{'|'.join(_SORT_OF_ROLE)})(?:[ -]in[ -]law)?)\b"
    r"(?!['’]s|-)",
    re.IGNORECASE,
)
"""A role with its owner; "stepmother", "ex-wife" and "mother-in-law" are women as mothers and wives are, and nobody else's."""
_TO_A_PLACE = lazy_regex(
    r"\b(?:in|to|at|from|near|into|around|outside|inside|towards?|via|for|visit(?:ed|ing)?|leave|left)\s+(?:the\s+)?$", re.I
)
_MOVES = lazy_regex(
    r"\b(?:go|goes|went|gone|going|get|got|fly|flew|drive|drove|travel\w*|move[ds]?|moving|come|came|return\w*|take|took)\s*$",
    re.I,
)
_SMALL_WORDS = (ARTICLES | AROUND_CLAUSES | FURTHER_PREPOSITIONS | SUBJECTS) - {"by", "of", "so"}
_FOLLOWED_BY_NOTHING = lazy_regex(
    rf"\s*(?:$|[^\w\s]|(?:{any_of(_SMALL_WORDS)}|again|last|next|now|then|when|that|this|my|"
    r"our|too|first|back|beside|behind|near|some|any|how|what|where|why)\b)",
    re.IGNORECASE,
)
_LETS = lazy_regex(
    r"\b(?:help(?:s|ed|ing)?|let(?:s|ting)?|ma(?:ke|kes|de|king)|see|saw|seen|watch(?:ed|ing)?|hear|heard)\s$", re.I
)
"""Words before the subject of an infinitive: "I help her find a flat"."""
_GIVES = lazy_regex(
    r"\b(?:send|give|pay|lend|owe|offer|charge|cost|slip|wire|transfer|sent|gave|paid|lent|offered)(?:s|ed|d|ing)?\s$",
    re.IGNORECASE,
)
_SO_MUCH = lazy_regex(r"\s+(?:about |around |back )?(?:[$€£]\s?)?\d")
"""What somebody is given: "I send her 100 extra", and not "her 100"."""
_MARKS = lazy_regex(r"\[\d{1,3}\]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A person or thing that a pronoun may refer to."""

    words: str
    sorts: frozenset[Sort]
    at: int
    before: str = ""
    thing: bool = False


@dataclass(frozen=True, slots=True)
class Resolved:
    """`text` with its pronouns replaced; `unclear` are those that could not be, as they are in the text."""

    text: str
    unclear: tuple[str, ...] = ()

    @property
    def clear(self) -> bool:
        return not self.unclear


def leaning(text: str) -> list[re.Match[str]]:
    """Return the pronouns of a text that refer to something outside of it: nothing before them in the text itself fits."""
    empty = [match.span() for match in _EMPTY.finditer(text)]
    own = [*_unknown_first(text), *_others(text), *candidates(text, doubtful=True)]
    found = []
    for match in _PRONOUN.finditer(text):
        if any(start <= match.start() < end for start, end in empty):
            continue
        sort = sort_of(match)
        if not any(sort in each.sorts and each.at < match.start() for each in own):
            found.append(match)
    return found


EVERY: Set[Sort] = frozenset(("she", "he", "they", "it", "there"))


def resolve_pronouns(text: str, before: Sequence[str], sorts: Set[Sort] = EVERY) -> Resolved:
    """Return `text` with its outward pronouns of these `sorts` replaced from the texts `before` it; the first of these names the
    topic."""
    asked = [match for match in leaning(text) if sort_of(match) in sorts]
    if not asked:
        return Resolved(text)
    told = [_MARKS.sub("", words)[:LONGEST] for words in before]
    named = {role for words in told for role in _named_roles(words)}
    known = [each for each in _unique([each for words in told for each in candidates(words)]) if each.words.lower() not in named]
    others = [each for words in told for each in _others(words)]
    chosen: dict[Sort, Candidate | None] = {}
    parts: list[str] = []
    unclear: list[str] = []
    at = 0
    for match in asked:
        sort = sort_of(match)
        first = sort not in chosen
        if first:
            fits = [each for each in known if sort in each.sorts]
            if any(sort in each.sorts for each in others):
                fits = []
            if sort == "it" and len(fits) > 1:
                # The topic of a question stays the topic; the place where the answer was found does not become it.
                fits = [each for each in fits if each.words.lower() in before[0].lower()]
            chosen[sort] = fits[0] if len(fits) == 1 and not _may_be_another(fits[0], sort, known, [*told, text]) else None
        found = chosen[sort]
        if found is None:
            unclear.append(match[0])
        elif first or sort in ("it", "there"):
            parts += [text[at : match.start()], _put(match, found, text)]
            at = match.end()
    return Resolved("".join([*parts, text[at:]]), tuple(unclear))


_OPPOSITE: dict[Sort, Sort] = {"she": "he", "he": "she"}


def _may_be_another(found: Candidate, sort: Sort, known: Sequence[Candidate], said: Sequence[str]) -> bool:
    """Return whether somebody who may be she or he is as likely the other one of whom the words speak, and nobody else is named
    for that: "The parrot's vet is Dr Sundaram and she wants him weighed"."""
    other = _OPPOSITE.get(sort)
    if other is None or other not in found.sorts or any(other in each.sorts for each in known if each is not found):
        return False
    return any(sort_of(match) == other for words in said for match in _PRONOUN.finditer(words))


def speaks_of_both(words: str) -> bool:
    """Return whether words say "she" and "he"."""
    return {"she", "he"} <= {sort_of(match) for match in _PRONOUN.finditer(words)}


def sort_of(match: re.Match[str]) -> Sort:
    """Return whom a pronoun that `leaning` found may mean."""
    return _PRONOUNS[uncased(match[0]).split("'")[0]]


def candidates(text: str, *, doubtful: bool = False) -> list[Candidate]:
    """Return the people, groups, things and places that a text mentions, in order, each once; with `doubtful` also for whom the
    first word of a sentence is hardly a name ("Lunch is at noon")."""
    roles, taken = _roles(text)
    roles, named = _with_roles(text, roles, _named(text, taken, doubtful=doubtful))
    found = [*(each for each in roles if not _is_named(each, named, text)), *named]
    found += [each for each in _things(text) if each.at not in taken]
    return _unique(sorted(found, key=lambda each: each.at))


def _with_roles(text: str, roles: Sequence[Candidate], named: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Return the roles that no name follows, and the names: "my sister Anna" is one person, and a woman."""
    found = list(named)
    kept: list[Candidate] = []
    for role in roles:
        behind = role.at + len(role.words)
        at = next((at for at, each in enumerate(found) if text[behind : each.at] in (" ", ", ") and each.at > behind), None)
        if at is None:
            kept.append(role)
        elif len(role.sorts) == 1:
            found[at] = replace(found[at], sorts=role.sorts)
        else:
            found[at] = replace(found[at], sorts=found[at].sorts & role.sorts or role.sorts)
    return kept, found


def _roles(text: str) -> tuple[list[Candidate], set[int]]:
    """Return people by what they are to somebody, and where they stand."""
    found: list[Candidate] = []
    taken: set[int] = set()
    for match in islice(_ROLE.finditer(text), MOST):
        words = f"{_owner(match['whose'])} {match['which']}{match['role']}"
        found.append(Candidate(" ".join(words.split()), _SORT_OF_ROLE[uncased(match["kin"])], match.start()))
        taken.update(range(match.start(), match.end()))
    return found, taken


def _named_roles(text: str) -> set[str]:
    """Return the roles whose name a text gives: "my accountant" is Sandra Vogel from then on."""
    roles, taken = _roles(text)
    named = _named(text, taken) if roles else []
    return {role.words.lower() for role in roles if _is_named(role, named, text)}


def _is_named(role: Candidate, found: Sequence[Candidate], text: str) -> bool:
    """Return whether the text gives the name of a role: "My accountant is Sandra Vogel", and "Anna is my best friend", are about
    one person."""
    return any(
        each.at - role.at < len(role.words) + 20 and _IS_CALLED.search(text[role.at : each.at])
        if each.at > role.at
        else _IS_SOMEBODY.fullmatch(text[each.at + len(each.words) : role.at])
        for each in found
    )


_IS_SOMEBODY = lazy_regex(r"(?: (?:at|from|in) [\w'’ ]{2,24})?(?: is| was|['’]s)(?: now| still| also)? ", re.IGNORECASE)
_IS_CALLED = lazy_regex(r"\b(?:is|was)(?: called| named)? $")


_NAME_OF_A_THING = lazy_regex(r"\b(?:it|that)(?:['’]s| is| was) (?:called|named) $", re.IGNORECASE)
_TITLES = frozenset(("Dr", "Prof", "Mr", "Mrs", "Ms", "Herr", "Frau"))
_NO_PERSON = lazy_regex(
    r"[A-Z]{2,}\b|[\w'’-]+\s+(?:&|(?:Road|Street|Lane|Avenue|Square|Station|Park|School|Hospital|Church|Bridge)\b)"
)
"""A firm, a street, an abbreviation: "Kowalczyk & Son", "Mill Road", "ICU"."""
_MAY_BE_SOMEBODY = WOMEN_AND_MEN | _ROLES | MORE | WORDS_THAT_ARE_NAMES
_GIVEN = SHE | HE
_PEOPLE_END = ("er", "or", "ist", "man", "ant", "ee", "ian")
"""Of words for who does something: "Inspector passed the steel"."""


def _named(text: str, taken: set[int], *, doubtful: bool = False) -> list[Candidate]:
    sure = {name.word for name in names_of(text)}
    named = [
        name
        for name in capitalised(text)
        if name.start not in taken
        and name.word != "I"
        and not text.endswith("& ", 0, name.start)  # "Kowalczyk & Son"
        and not (name.word.lower() in _ROLES and text.startswith(("'s", "’s"), name.start + len(name.word)))  # "Vet's receipt"
        and (
            name.word.lower() in _GIVEN
            or (
                name.word in sure
                and not _is_label(text, name.start + len(name.word))
                and (doubtful or not _is_a_thing(text, name))
            )
            or (doubtful and not is_known_word(name.word))
        )
    ]
    found: list[Candidate] = []
    last_end = -2
    for name in named[:MOST]:
        between = text[last_end : name.start] if found else ""
        if between == " " or (between == ". " and found[-1].words in _TITLES):
            whole = f"{found[-1].words}{between}{name.word}"
            found[-1] = Candidate(whole, found[-1].sorts, found[-1].at, found[-1].before)
        else:
            before = _TO_A_PLACE.search(text, max(0, name.start - 24), name.start)
            sorts = _sorts_of_name(name.word, before)
            if doubtful and before and "there" in sorts:
                sorts |= {"she", "he"}
            if name.word.lower() not in _GIVEN and _NO_PERSON.match(text, name.start):
                sorts = frozenset[Sort](("there",))
            if _NAME_OF_A_THING.search(text, max(0, name.start - 24), name.start):
                sorts = frozenset[Sort](("it",))
            found.append(Candidate(name.word, sorts, name.start, before[0].split()[0].lower() if before else ""))
        last_end = name.start + len(name.word)
    pairs = [
        Candidate(f"{one.words} and {other.words}", frozenset(("they",)), one.at)
        for one, other in pairwise(found)
        if text.startswith(f"{one.words} and {other.words}", one.at)
    ]
    return found + pairs


def is_known_word(word: str) -> bool:
    """Return whether a word that begins a sentence is one of English, and no name: not "Nia", in "Nia at reception gave me a
    hug"."""
    lowered = word.lower()
    return lowered in NOT_NAMES or lowered in english_words() or english_stem(lowered) in english_stems()


def _others(text: str) -> list[Candidate]:
    """Return the people whom a text mentions without saying who they are: "a nurse", "his sister". They may be meant, and a
    pronoun is not put into such words; not what somebody is ("Ada is a nurse")."""
    return [
        Candidate(match[0], _SORT_OF_ROLE.get(uncased(match["kin"]), frozenset(("she", "he"))), match.start())
        for match in islice(_OTHER_ROLE.finditer(text), MOST)
        if _IS_ONE.search(text, max(0, match.start() - 24), match.start()) is None
    ]


_OTHER_ROLE = lazy_regex(
    rf"\b(?:an?|another|some|this|that|his|her|their)\s+(?:[a-z-]+\s+)?(?P<kin>{'|'.join(_SORT_OF_ROLE)}|stranger|bailiff|farmer|student|"
    r"person|[a-z]{3,}(?:er|or|ist|man|ian)(?=\s+(?:who|called|named|from)\b))\b(?!['’]s|-)",
    re.IGNORECASE,
)
_IS_ONE = lazy_regex(
    r"(?:\b(?:is|was|am|are|were|be|been|being|become|became|as|for|like)|['’](?:s|m|re))\s+(?:\w+\s+)?$", re.IGNORECASE
)


def _unknown_first(text: str) -> list[Candidate]:
    """Return the first word of a text where it may be somebody without a capital: "gaz told his gran"."""
    first = _FIRST_WORD.match(text)
    if first is None or is_known_word(first["word"]):
        return []
    return [Candidate(first["word"], frozenset(("she", "he")), 0)]


_FIRST_WORD = lazy_regex(r"(?P<word>[a-z]{3,15})\s+[a-z]", 0)


def _is_a_thing(text: str, name: Name) -> bool:
    """Return whether a word for something is capitalised as the first of a sentence: "Lunch is at noon", not "Mum is here" nor
    "Judge Vogel"."""
    word = name.word.lower()
    if word in _MAY_BE_SOMEBODY or word.endswith(_PEOPLE_END) or word not in english_words():
        return False
    if text[: name.start].rstrip()[-1:] not in _ENDS:
        return False
    return _NAME_BEHIND.match(text, name.start + len(name.word)) is None


_ENDS = ("", ".", "!", "?")
_NAME_BEHIND = lazy_regex(r" [^\W\d_a-z]")


def _is_label(text: str, end: int) -> bool:
    """Return whether a colon follows: "Idea: write a cookbook" names nobody, though it begins with a capital."""
    return text.startswith(":", end)


def _sorts_of_name(word: str, place: re.Match[str] | None) -> frozenset[Sort]:
    lowered = word.lower()
    if lowered in ("mr", "herr", "mrs", "miss", "ms", "frau"):
        return frozenset(("he",)) if lowered in ("mr", "herr") else frozenset(("she",))
    if lowered in WOMEN_AND_MEN:
        return _SORT_OF_ROLE[lowered]
    if lowered in SHE or lowered in HE:
        return frozenset((*(("she",) if lowered in SHE else ()), *(("he",) if lowered in HE else ())))
    return frozenset(("there",)) if place or lowered in TOWNS else frozenset(("she", "he"))


_NOUN_ENDS = (
    "is|are|was|were|be|in|on|at|to|for|from|with|of|about|by|did|do|does|has|have|had|will|would|can|could|should|and|or|but|that|which|"
    "who|when|where|why|how|because|last|next|this|again|yesterday|today|tomorrow|still|already|ever|called|cost|costs|say|said|need|"
    "needs|work|works|mean|means|start|starts|end|ends|expire|expires|happen|look|looks|arrive|open|close|go|goes|break|broke|"
    "there|here|now|then|before|after|since|until|under|over|behind"
)
_THING = lazy_regex(
    rf"\b(?P<whose>my|our|the|your|(?!(?:what|who|where|when|why|how|that|it|here|there|let|he|she)['’])(?-i:[A-Z])[\w-]*['’]s)\s+(?P<what>(?!(?:{_NOUN_ENDS})\b)[a-z][\w-]*"
    rf"(?:\s(?!(?:{_NOUN_ENDS})\b)[a-z][\w-]*){{0,2}}?)(?=\s*(?:$|[?.!,;:])|\s+(?:{_NOUN_ENDS})\b)",
    re.IGNORECASE,
)
_NO_THING = frozenset(_SORT_OF_ROLE) | vocabulary(
    "name year month week day time morning evening weekend way rest one other first second same"
)


def _things(text: str) -> list[Candidate]:
    found = []
    for match in islice(_THING.finditer(text), MOST):
        words = match["what"].split()
        if len(words[-1]) > 4 and words[-1].endswith("ed"):
            words.pop()  # "the garage rented" is the garage
        if not words or words[-1].lower() in _NO_THING:
            continue
        last = words[-1].lower()
        many = last.endswith("s") and not last.endswith(("ss", "us", "is"))
        sort: Sort = "they" if many else "it"
        found.append(Candidate(f"{_owner(match['whose'])} {' '.join(words)}", frozenset((sort,)), match.start(), thing=True))
    return found


def _owner(whose: str) -> str:
    """Return whose it is: an answer says "your" of what its owner calls "my"."""
    lowered = whose.lower()
    return "my" if lowered == "your" else lowered if lowered in ("my", "our", "the") else whose


def _unique(found: Sequence[Candidate]) -> list[Candidate]:
    """Return each candidate once: "Ben" and "Ben's" are one, and so are "my sister" and "My sister"; a longer name contains its
    parts."""
    kept: dict[str, Candidate] = {}
    for each in found:
        key = each.words.lower()
        if key in kept:
            if not kept[key].before and each.before and "there" in each.sorts:
                kept[key] = each
        else:
            kept[key] = each
    return [
        each
        for key, each in kept.items()
        if not any(key != other and f" {key} " in f" {other} " and each.sorts & kept[other].sorts for other in kept)
    ]


def _put(match: re.Match[str], found: Candidate, text: str) -> str:
    word, _, rest = match[0].partition("'")
    lowered = word.lower()
    ending = "'s" if lowered in ("shes", "hes") else f"'{rest}" if rest else ""
    if lowered == "there":
        return f"{_preposition(text, match.start(), found)}{found.words}"
    if lowered in ("his", "their", "its", "hers", "theirs") or (
        lowered == "her"
        and (_is_whose(text, match) or not _FOLLOWED_BY_NOTHING.match(text, match.end()))
        and not _LETS.search(text, 0, match.start())
        and not (_GIVES.search(text, 0, match.start()) and _SO_MUCH.match(text, match.end()))
    ):
        return possessive(found.words)
    return f"{found.words}{ending}"


def _is_whose(text: str, match: re.Match[str]) -> bool:
    """Return whether "her" begins a clause before what may be hers: "Her last day's the 27th", not "I met her last week"."""
    return _BEGINS.search(text, 0, match.start()) is not None and _MAY_BE_HERS.match(text, match.end()) is not None


_BEGINS = lazy_regex(r"(?:^|[.!?;:,–-]\s|\b(?:and|but|so|because)\s)$")
_MAY_BE_HERS = lazy_regex(r"\s(?:last|next|first|back)\s\w", re.IGNORECASE)


def possessive(words: str) -> str:
    """Return the possessive form: "Ada's", "my parents'"."""
    return f"{words}'" if words.endswith("s") and not words[0].isupper() else f"{words}'s"


def _preposition(text: str, start: int, found: Candidate) -> str:
    before = text[max(0, start - 24) : start]
    if re.search(r"\b(?:in|to|from|at|near|out|up|over)\s+$", before):
        return ""
    if _MOVES.search(before):
        return "to "
    return f"{found.before} " if found.before in ("in", "at", "near") else "in "
