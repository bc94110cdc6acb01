"""Whether a sentence of a note in another language stands by itself, where no more is known of that language than its commonest
words: it begins with somebody's name, or with what its writer does."""

from __future__ import annotations

from lattice_common.language.glosses.lexicon import Glossed, function_words, lexicon
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.vocabulary import vocabulary

FEWEST = 4
"""Words of a sentence; fewer are likelier said of what stands before."""
WRITERS = vocabulary("ich wir je nous yo nosotros nosotras io noi eu nós ik wij")
"""The writer in other languages: what they do is theirs, whatever the note is about."""
_I_DO = vocabulary(
    """quiero tengo voy he estoy compro trabajo vivo soy hago puedo necesito debo creo pago llevo odio prefiero fui hice tuve
    quero tenho vou estou sou moro trabalho preciso devo acho prefiro tive fiz
    voglio ho vado sono sto devo posso lavoro abito faccio preferisco"""
)
_I_DID = lazy_regex(r"(?!Café|Bebé|Comité|José|Noé|André|Zoé|Chloé)[A-ZÀ-Þ][a-zß-ÿ]+(?:é|ei|í)")
_SOMEBODY_DOES = lazy_regex(
    r"[A-ZÀ-Þ][\w-]+ (?:non |não |no |ne |n['’])?(?:é|está|tem|mora|vive|trabalha|foi|vai|faz|quer|è|ha|sta|abita|lavora|es|"
    r"tiene|va|trabaja|quiere|est|habite|vit|travaille)\b"
)


def stands_alone(words: str, language: Glossed) -> bool:
    """Return whether words in this language are a sentence about somebody whom it names, or about its writer. Linear."""
    if len(words.split()) < FEWEST:
        return False
    first = words.split()[0]
    if is_of_the_writer(first) or _SOMEBODY_DOES.match(words):
        return True
    is_name = first[0].isupper() and first.isalpha() and first.lower() not in lexicon(language).words
    return is_name and first.lower() not in function_words()[language]


def is_of_the_writer(verb: str) -> bool:
    """Return whether this is a verb of the first person in Spanish, Portuguese or Italian: "Quiero", "Saí"."""
    return verb.lower() in _I_DO or _I_DID.fullmatch(verb) is not None
