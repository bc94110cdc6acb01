"""Whether a sentence of a note in another language stands by itself, where no more is known of that language than its commonest
words: it begins with somebody's name, or with what its writer does."""

from __future__ import annotations

import re

from lattice_common.language.glosses.lexicon import Glossed, function_words, lexicon
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.verbs import OTHERS
from lattice_common.language.vocabulary import vocabulary

FEWEST = 4
"""Words of a sentence; fewer are likelier said of what stands before."""
WRITERS = vocabulary("ich wir je moi nous yo nosotros nosotras io noi eu nós ik wij")
"""The writer in other languages: what they do is theirs, whatever the note is about."""
_I_DO = lazy_regex(
    "|".join(each.own for each in OTHERS if each.own and each.code != "de")
    + "|quiero|voy|he|llevo|puedo|necesito|debo|creo|odio|prefiero|fui|hice|tuve|quero|preciso|devo|acho|prefiro|tive|fiz"
    "|voglio|sto|devo|posso|preferisco|muszę|wolę",
    re.IGNORECASE,
)
_I_DID = lazy_regex(r"(?!Café|Bebé|Comité|José|Noé|André|Zoé|Chloé)[A-ZÀ-Þ][a-zß-ÿ]+(?:é|ei|í)")
_I_DID_IN_POLISH = lazy_regex(r"\w{2,}(?:łem|łam|liśmy|łyśmy)", re.IGNORECASE)
_ENDS_WITH_OWN_VERB = lazy_regex(
    r"(?:[ıiuü]yor(?:um|uz)|(?<!\bar)[dt][ıiuü](?:m|k)|(?:acağ|eceğ)[ıi][mz]|m[ıiuü]ş[ıi][mz])\W*\Z", re.IGNORECASE
)
_SOMEBODY_DOES = lazy_regex(
    r"[A-ZÀ-Þ][\w-]+ (?:non |não |no |ne |n['’])?(?:é|está|tem|mora|vive|trabalha|foi|vai|faz|quer|è|ha|sta|abita|lavora|es|"
    r"tiene|va|trabaja|quiere|est|habite|vit|travaille)\b"
)


def stands_alone(words: str, language: Glossed) -> bool:
    """Return whether words in this language are a sentence about somebody whom it names, or about its writer. Linear."""
    said = words.split()
    if len(said) < FEWEST:
        return len(said) == FEWEST - 1 and is_of_the_writer(said[0])
    first = said[0]
    if is_of_the_writer(first) or _SOMEBODY_DOES.match(words):
        return True
    if language == "tr" and ends_with_own_verb(words):
        return True
    is_name = first[0].isupper() and first.isalpha() and first.lower() not in lexicon(language).words
    return is_name and first.lower() not in function_words()[language]


def ends_with_own_verb(words: str) -> bool:
    """Return whether Turkish words end with a verb of the first person: "sattım", "çalışıyoruz"; not with "artık"."""
    return _ENDS_WITH_OWN_VERB.search(words) is not None


def is_of_the_writer(verb: str) -> bool:
    """Return whether this is a verb of the first person in Spanish, Portuguese, Italian or Polish: "Quiero", "Saí"."""
    return _I_DO.fullmatch(verb) is not None or _I_DID.fullmatch(verb) is not None or _I_DID_IN_POLISH.fullmatch(verb) is not None
