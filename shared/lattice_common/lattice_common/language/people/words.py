"""A sentence as words, and the names among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lattice_common.domain.atom import normalize_subject
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.table import Belonging, EntityKind, Language, Role
from lattice_common.language.tables import TABLES
from lattice_common.language.tables.first_names import WORDS_WITH_A_CAPITAL
from lattice_common.language.text import STOP_WORDS
from lattice_common.language.words import CAPITALISED_TIMES

LANGUAGES: tuple[Language, ...] = tuple(each for each, table in TABLES.items() if table.roles)
"""Languages with known roles, English first."""
LONGEST_ROLE = 3
"""Words of a role."""
_KEPT_SENTENCES = 128
"""Sentences that are kept as words: a question, and each statement that may answer it, is looked at for several things."""
MOST_NAME_WORDS = 4
MOST_TITLE_WORDS = 5

_WORD = lazy_regex(r"'s\b|[^\W_](?:[\w&-]*\w)?|['.,;:!?()\"–—\n]")
_NEVER_A_NAME = CAPITALISED_TIMES - {"may", "june"}
_SHORT_FOR = {short: whole for each in LANGUAGES for short, whole in TABLES[each].short_names.items()}
_ROLES: Mapping[str, Role] = {word: role for each in reversed(LANGUAGES) for word, role in TABLES[each].roles.items()}
ROLES_BY_NAME: Mapping[str, Role] = {
    role.name: role for each in reversed(LANGUAGES) for role in TABLES[each].roles.values() if not role.several
}
_MAKES: Mapping[str, str] = {word: role for each in LANGUAGES for word, role in TABLES[each].makes.items()}
_VOCABULARY: Mapping[Language, frozenset[str]] = {
    each: frozenset(
        (
            *TABLES[each].roles,
            *TABLES[each].belonging.mine,
            *TABLES[each].belonging.the,
            *TABLES[each].belonging.is_,
            *TABLES[each].belonging.of,
            *TABLES[each].belonging.as_,
        )
    )
    for each in LANGUAGES
}
_LANGUAGES_OF: Mapping[str, tuple[Language, ...]] = {
    word: tuple(each for each in LANGUAGES if word in _VOCABULARY[each]) for word in frozenset().union(*_VOCABULARY.values())
}
_BEGIN_ROLES = frozenset(word.split()[0] for word in _ROLES)
_ALSO = frozenset(word for each in LANGUAGES for word in (*TABLES[each].belonging.also, *TABLES[each].belonging.calls))
_ALSO_WORDS = frozenset(word for phrase in _ALSO for word in phrase.split())
_DEGREES = frozenset(("dr", "prof", "professor", "doctor"))
_PARTICLES = frozenset(
    ("de", "der", "den", "van", "von", "del", "della", "di", "dos", "du", "le", "la", "el", "bin", "ibn", "ten", "ter")
)
_TITLES = frozenset(word for each in LANGUAGES for word in TABLES[each].belonging.titles)


@dataclass(frozen=True, slots=True)
class Word:
    """A word as written, folded to lower case, and its position."""

    text: str
    low: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of a sentence in one language."""

    text: str
    words: tuple[Word, ...]
    language: Language

    @property
    def around(self) -> Belonging:
        """Return the words that say whose a role is."""
        return TABLES[self.language].belonging

    def low(self, at: int) -> str:
        """Return the word at a place, "" beyond the ends."""
        return self.words[at].low if 0 <= at < len(self.words) else ""

    def ends(self, at: int) -> bool:
        """Return whether a part of the sentence ends before this place."""
        return not 0 <= at < len(self.words) or self.words[at].low in _STOPS

    def opens(self, at: int) -> bool:
        """Return whether a sentence begins at this place."""
        return at == 0 or (0 < at < len(self.words) and self.words[at - 1].low in _OPENING)

    def said(self, first: int, end: int) -> str:
        """Return the words from `first` up to `end`, as they are written."""
        return self.text[self.words[first].start : self.words[end - 1].end] if first < end else ""


_STOPS = frozenset(',.;:!?)("–—\n')
_OPENING = frozenset('.!?:\n"')


@lru_cache(maxsize=_KEPT_SENTENCES)
def cut(text: str) -> Sentence:
    """Return the words of a text; the language is the one most of whose words stand in it."""
    plain = text.replace("’", "'")
    words = tuple(Word(m[0], m[0].lower(), m.start(), m.end()) for m in _WORD.finditer(plain))
    hits = Counter(each for word in words for each in _LANGUAGES_OF.get(word.low, ()))
    best = max(LANGUAGES, key=lambda each: (hits[each], each == "en"))
    return Sentence(plain, words, best)


def role_at(sentence: Sentence, at: int) -> tuple[Role, int] | None:
    """Return the role whose words begin here, the longest, and where they end. Of its own language's words first."""
    if sentence.low(at) not in _BEGIN_ROLES:
        return None
    own = TABLES[sentence.language].roles
    for length in range(LONGEST_ROLE, 0, -1):
        if at + length > len(sentence.words):
            continue
        word = " ".join(sentence.words[at + each].low for each in range(length))
        if (role := own.get(word) or _ROLES.get(word)) is not None:
            return role, at + length
    return None


def make_of(word: str) -> str | None:
    """Return the role of what a make makes, as "car" of "skoda"."""
    return _MAKES.get(word.lower())


def may_say_who(words: Sequence[Word]) -> bool:
    """Return whether any word is a role, a make, or says that two names are one: others need no reading."""
    return any(word.low in _TELLING for word in words)


_TELLING = (
    frozenset(part for word in _ROLES for part in word.split())
    | frozenset(word for each in LANGUAGES for word in TABLES[each].belonging.works)
    | _MAKES.keys()
    | _ALSO_WORDS
    | frozenset(word for each in LANGUAGES for word in TABLES[each].belonging.marries)
    | {"(", "stands", "means"}
)


def name_at(sentence: Sentence, at: int) -> int:
    """Return where the name ends that begins here; `at` where there is none. A title belongs to it: "Dr. Roth"."""
    words, end = sentence.words, at
    while end < len(words) and words[end].low in _TITLES and words[end].text[0].isupper():
        end += 2 if sentence.low(end + 1) == "." else 1
    titled = end > at
    first = end
    while end < len(words) and end - first < MOST_NAME_WORDS:
        within = _particles(sentence, end) if end > first else end
        if within == len(words) or not is_name_word(sentence, words[within]):
            break
        end = within + 1
    if end == first:
        return at
    return end if titled or sentence.low(at) not in sentence.around.common else at


def is_name(words: str) -> bool:
    """Return whether the title of a note is a name: "Kiel", "Harbour Club", "Ponte de Lima"; no "Reading list"."""
    sentence = cut(words)
    parts = words.split()
    if len(parts) == 1:
        return len(sentence.words) == 1 and name_at(sentence, 0) == 1
    if not 1 < len(parts) <= MOST_TITLE_WORDS or parts[0].lower() in STOP_WORDS or parts[-1].lower() in STOP_WORDS:
        return False
    small = STOP_WORDS | _PARTICLES
    return all(part[0].isupper() or part.lower() in small for part in parts) and parts[0][0].isupper()


def _particles(sentence: Sentence, at: int) -> int:
    """Return where the small words of a name end that begin here: "Annemiek de Wit". In other languages they say "of", too."""
    while sentence.language == "en" and sentence.low(at) in _PARTICLES:
        at += 1
    return at


def is_name_word(sentence: Sentence, word: Word) -> bool:
    """Return whether a word may be part of a name: it has a capital, and is none of the words that have one without being a
    name."""
    low = word.low
    return (
        word.text[0].isupper()
        and low not in _NEVER_A_NAME
        and low not in sentence.around.common
        and (
            low not in STOP_WORDS or (low in WORDS_WITH_A_CAPITAL and word is not sentence.words[0])
        )  # "my best mate Will runs a shop"
        and (low not in TABLES[sentence.language].roles or low in _MAKES)
        and (len(low) > 1)
    )


def name_before(sentence: Sentence, end: int) -> int:
    """Return where the name begins that ends before `end`; `end` where there is none."""
    at = end
    while at > 0 and end - at < MOST_NAME_WORDS and is_name_word(sentence, sentence.words[at - 1]):
        at -= 1
    if at == end:
        return end
    title = at - 1 if sentence.low(at - 1) in _TITLES else at - 2 if sentence.low(at - 1) == "." else -1
    if title >= 0 and sentence.low(title) in _TITLES and sentence.words[title].text[0].isupper():
        return title
    return at


@lru_cache(maxsize=1_024)
def key_of(name: str) -> str:
    """Return the form under which a name is compared: in lower case, without degrees. "Mr" and "Mrs" stay: they may be two
    people."""
    words = normalize_subject(name).split()
    while len(words) > 1 and words[0] in _DEGREES:
        words = words[1:]
    return " ".join(words)


_BEFORE_NAMES = frozenset(word for each in LANGUAGES for word in TABLES[each].belonging.the | TABLES[each].belonging.mine)


def without_article(name: str) -> str:
    """Return a name without a word before it that is none of its own: "the Skoda", "our Skoda", "der Škoda"."""
    first, _, rest = name.strip().partition(" ")
    return rest.strip() if rest and first.lower() in _BEFORE_NAMES else name


def names_any(text: str, keys: Iterable[str]) -> bool:
    """Return whether any of these names, as they are compared, stands in a text as words of its own."""
    words = f" {' '.join(word.low for word in cut(text).words)} "
    return any(f" {key} " in words for key in keys)


def parts_of(key: str) -> tuple[str, ...]:
    """Return the words of a name of several that may stand for it: "braun" of "mrs braun"."""
    words = key.split()
    return tuple(word for word in words if word not in _TITLES) if len(words) > 1 else ()


def whole_of(first_name: str) -> str | None:
    """Return the whole of a name that is said in short: "robert" of "bob"."""
    return _SHORT_FOR.get(first_name)


def chain_of(role: str) -> tuple[str, ...]:
    """Return the role and what it is as well."""
    known = ROLES_BY_NAME.get(role)
    return (role, *(known.broader if known else ()))


def differ(role: str, other: str) -> bool:
    """Return whether neither of two roles is the other as well."""
    return role not in chain_of(other) and other not in chain_of(role)


def is_one(role: str) -> bool:
    """Return whether somebody has one at a time."""
    known = ROLES_BY_NAME.get(role)
    return known is not None and known.one


def kind_of(role: str) -> EntityKind:
    """Return the kind of entity that has a role."""
    known = ROLES_BY_NAME.get(role)
    return known.kind if known else "unknown"


def role_named(word: str) -> Role | None:
    """Return the role of one that a word names ("spouse"), in any language; None for other words."""
    role = _ROLES.get(word.lower().replace(" ", "_"), _ROLES.get(word.lower()))
    return None if role is None or role.several else role
