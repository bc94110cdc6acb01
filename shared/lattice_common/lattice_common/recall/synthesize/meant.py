"""How a memory was meant, where it is not simply asserted: an answer never states a wish, a rumour or a joke as a fact."""

from __future__ import annotations

import re

from lattice_common.domain.atom import Atom
from lattice_common.domain.judgement import Status
from lattice_common.domain.passage import is_passage
from lattice_common.domain.status import holds
from lattice_common.language.answer_words import say
from lattice_common.language.facts.said_by import names_who_said, of_whom
from lattice_common.language.people.addressed import addressed
from lattice_common.language.questions.asked_of_reply import asks_of_a_reply

_OTHERS: dict[Status, str] = {
    "wished": "{name} would like it so",
    "supposed": "{name} was thinking of it",
    "quoted": "{name} passed on what somebody said",
    "joked": "{name} joked",
    "rejected": "{name} considered it and dropped it",
    "uncertain": "{name} was not sure",
}
_SOURCE = re.compile(
    r"^(?P<who>(?i:my |our |the )?[^\W\d_][\w'-]*(?: [A-Z][\w'-]*)?) (?:also |always )?(?:says?|said|claims?|claimed|"
    r"reckons?|swears|insists|thinks|told (?:me|us))\b(?: that)?(?P<direct>[,:])?\s+(?P<what>\S.*)$",
    re.DOTALL,
)
_NOBODY = frozenset(("i", "we", "you", "it", "he", "she", "they", "who", "and", "but", "so", "this", "that"))


def is_advice(question: str, atom: Atom) -> bool:
    """Return whether a memory is what an assistant said, and the question asks for nothing of that: "You may have arthritis" is
    no word of the owner's, and says so."""
    by_assistant = atom.trust == "assistant" and (atom.kind == "recommendation" or is_passage(atom))
    return by_assistant and not asks_of_a_reply(question)


def as_meant(question: str, atom: Atom, content: str) -> str:
    """Return the content of a memory as an answer to a question may say it, in its language; unchanged where it is true of what
    it says."""
    words = content.rstrip()
    if is_advice(question, atom):
        return f"{say(question, 'assistant')}: “{words.removesuffix('.')}”."
    if holds(atom.status):
        return content
    if atom.trust == "document" and atom.speaker is None:
        return f"“{words.removesuffix('.')}”."  # "If you pay late, …" is a term of a contract, and nobody's musing
    if atom.status == "quoted" and (source := _SOURCE.match(words)) and source["who"].lower() not in _NOBODY:
        who = f"{source['who'][0].upper()}{source['who'][1:]}"
        if source["direct"]:
            return f"{addressed(atom, who)} said: {source['what']}"
        return addressed(atom, f"{who} said that {source['what']}")  # what is only reported: "I" is the owner
    if atom.status == "quoted" and names_who_said(words):
        return words
    said_by = atom.speaker or (of_whom(words) if atom.status in ("wished", "supposed") else None)
    lead_in = _OTHERS[atom.status].format(name=said_by) if said_by else say(question, atom.status)
    return f"{lead_in}: “{words.removesuffix('.')}”."
