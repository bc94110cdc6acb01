"""The subject of a clause, where it shows whom or what a note goes on about: a name or a thing with its article, what is only
said to be somehow, a thing with its values; and the words that tell subjects apart."""

from __future__ import annotations

import re

from lattice_common.language.names import names_of
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.people.coreference import candidates
from lattice_common.language.sentences.belonging import belongs
from lattice_common.language.sentences.clauses import language_of, subject_of_clause
from lattice_common.language.sentences.lexicon import FUNCTION_WORDS, first_word, has_content, words_of
from lattice_common.language.sentences.verbs import AUXILIARIES
from lattice_common.language.tables.english_words import DAYS
from lattice_common.language.tables.first_names import HE, SHE
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import any_of, people_by_role

LONGEST_TOPIC = 60
"""Characters of what others stand below; more are likelier a sentence."""
OWN = vocabulary("i im ive i'm i've i'd i'll we we're we've we'd we'll my our me us you you're you've you'll you'd your")
"""The writer, and whom they talk to."""
POSSESSIVES = vocabulary("my our mein meine unser unsere mi mis mon ma mes mio mia")
"""Before what is the writer's."""
ARTICLES = POSSESSIVES | vocabulary("the his her their der die das el la los las le les il lo i gli")
"""Before a thing that is known."""
ROLES = people_by_role(one=True) | people_by_role()
"""What people are to somebody: "sister", "landlord"."""
SOMEBODY = ROLES | SHE | HE | {"user"}
"""Words that begin a subject that is a person."""
DAY_WORDS = frozenset(f"{day}{ending}" for day in DAYS | {"tonight"} for ending in ("", "'s")) | {"last", "next"}
"""Words of days, which begin a clause as names do: "Today's"."""
_NO_TOPICS = ("nl", "pt", "pl", "tr")
"""Languages whose sentences about others stand by themselves as those about their writer do."""
STATES = vocabulary(
    """poorly ill sick worse better fine ok okay well pregnant engaged expecting married divorced single back home here there gone
    away off out in late early due ready done happy sad upset cross furious asleep awake alive dead retired livid thrilled gutted
    broken dying hopeless useless amazing great lovely brilliant cancelled finished closed open full empty stuck lost leaking"""
)
"""What somebody or something is said to be: "Shoulder's worse." tells of the shoulder, "Nan's hearing aids." only names them."""
_IN_A_STATE = lazy_regex(
    rf"(?:(?:my|our) )?(?P<what>[^\W\d_][\w-]*(?: [a-z][\w-]+)?)['’]s (?:so |not |really |still |now )?(?:{any_of(STATES)})"
    r"(?=\W*$|[,.;!?]| (?:and|but|again|today|now|since|until|till|with|in|on|at|for|from)\b)",
    re.I,
)


def definite_subject(words: str) -> str | None:
    """Return the subject of a clause, where it is a name or a thing with its article: not its writer, nor a bare word."""
    topic = None if language_of(words) in _NO_TOPICS else subject_of_clause(words)
    if topic is None or len(topic) > LONGEST_TOPIC or not has_content(topic) or not OWN.isdisjoint(words_of(topic)[:1]):
        return None
    if words_of(topic)[-1].endswith("'s") or not AUXILIARIES.isdisjoint(words_of(topic)):
        return None  # whose it is, not what: "Sid's would have passed, too"
    start = words.find(topic)
    named = any(name.start == start for name in names_of(words))
    return topic if named or first_word(topic) in ARTICLES else None


def said_to_be(words: str) -> str | None:
    """Return whom or what a sentence only says to be somehow: "Anna" of "Anna's pregnant!"."""
    match = _IN_A_STATE.match(words)
    if match is None or not {*words_of(match["what"])}.isdisjoint(FUNCTION_WORDS | POSSESSIVES):
        return None
    return match["what"]


def thing_with_values(words: str) -> str | None:
    """Return the subject of a clause with commas, where it begins it and is no person: "Flat in Tampere", "the accordion"."""
    subject = subject_of_clause(words) if "," in words else None
    if subject is None or not words.startswith(subject) or len(subject) > LONGEST_TOPIC or not has_content(subject):
        return None
    if first_word(subject) in SOMEBODY or any(word in ROLES for word in words_of(subject)[-1:]) or belongs(f"{subject} is"):
        return None
    return None if any({"she", "he"} & each.sorts for each in candidates(f"{subject} is here", doubtful=False)) else subject


def writers_subject(words: str) -> str | None:
    """Return a subject that is somebody or something of the writer's: "My sister's dog"."""
    topic = subject_of_clause(words)
    if topic is None or not LONGEST_TOPIC >= len(topic) > len("my ") or not words.startswith(topic):
        return None
    return topic if first_word(topic) in POSSESSIVES and has_content(topic) else None
