"""The owner's statements about themselves, addressed to them: "I moved to Lisbon" becomes "You moved to Lisbon".

An answer that says "I don't know" of itself must not say "I moved" of its owner. What cannot be converted for certain, and what
somebody else says about themselves, is quoted.
"""

from __future__ import annotations

import re

from lattice_common.domain.atom import Atom
from lattice_common.language.glosses.recognition import language_of
from lattice_common.language.patterns import lazy_regex, uncased

_QUOTED = lazy_regex(r"“[^”]*”|\"[^\"]*\"|«[^»]*»|‘[^’]*’(?!\w)")
_OWN = lazy_regex(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e|[Uu]s|[Oo]urs?|[Oo]urselves)\b")
_OTHER_TONGUES = lazy_regex(
    r"\b(?:[Ii]ch|mich|mir|[Mm]ein(?:e[mnrs]?)?|[Ww]ir|[Uu]nser(?:e[mnrs]?)?|[Jj]e|[Jj]['’](?=\w)|[Nn]ous|[Nn]otre|[Yy]o|"
    r"[Nn]osotr[oa]s|[Nn]uestr[oa]s?|[Mm]inha|[Nn]ós|[Nn]osso|[Ii]k|[Mm]ijn|[Ww]ij)\b"
)
"""First-person words of other languages; no word that is also a name or a weekday ("Mia", "Mon")."""
_ADDRESSES = lazy_regex(r"\b(?:you|your|yours|yourself|yourselves|thou)\b|\b[Ll]et['’]s\b|\bshall (?:I|we)\b", re.IGNORECASE)
_NUMERAL = lazy_regex(
    r"\b(?:World War|War|Part|Act|Chapter|Book|Volume|Phase|Level|Type|Class|Stage|Section|Article|Elizabeth|Charles|James|"
    r"George|Henry|Edward|William|Francis|Napoleon|Frederick|Peter|Nicholas|Leopold|Pope \w+) I\b|[\"'(]I[\"')]|\bI[.)](?=\s|$)"
)
_BE = {"am": "are", "was": "were", "'m": "’re", "’m": "’re", "wasn't": "weren't", "wasn’t": "weren’t"}
_I_AM = lazy_regex(
    r"\bI(?P<between>(?: (?:also|just|always|never|still|only|really|now|once|often|usually|currently|\w+ly))?)"
    r"(?P<verb> (?:am|was|wasn['’]t)\b|['’]m\b)"
)
_AM_I = lazy_regex(r"\b(?P<verb>[Aa]m|[Ww]as)(?= I\b)")
_AND_WAS = lazy_regex(r"\b(?P<joined>(?:and|but|or|so|then) )(?P<verb>am|was|wasn['’]t)\b")
_PERSON = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself",
    "we": "you", "us": "you", "our": "your", "ours": "yours", "ourselves": "yourselves",
}  # fmt: skip


def addressed(atom: Atom, content: str) -> str:
    """Return the content of a memory as an answer says it to its owner; linear in its length."""
    outside = _QUOTED.sub(" ", content)
    if atom.trust != "user" or atom.speaker:
        own = _OWN.search(outside) or _OTHER_TONGUES.search(outside)
        return _quotation(content, atom.speaker) if own else content
    if _other_tongue(outside) or (_OWN.search(outside) and (_ADDRESSES.search(outside) or _NUMERAL.search(outside))):
        return _quotation(content, None)
    if not _OWN.search(outside):
        return content
    turned: list[str] = []
    at = 0
    for quoted in _QUOTED.finditer(content):
        turned += [_turned(content[at : quoted.start()]), quoted[0]]
        at = quoted.end()
    return "".join([*turned, _turned(content[at:])])


def _other_tongue(text: str) -> bool:
    """Return whether somebody speaks of themselves in another language, and not in English beside it: "Me gusta el café"."""
    if re.search(r"\b(?:I|my)\b", text):
        return False
    return bool(_OTHER_TONGUES.search(text)) or (bool(_OWN.search(text)) and language_of(text) is not None)


def _quotation(content: str, speaker: str | None) -> str:
    said = f"“{content.rstrip().strip('“”')}”"
    return f"{speaker}: {said}" if speaker else said


def _turned(text: str) -> str:
    """Return sentences of one speaker in the second person. The verb changes with it where English has two forms: am and was."""
    mine = re.match(r"\W*(?:I|[Ww]e)\b", text) is not None
    text = _I_AM.sub(lambda match: f"I{match['between']}{_are(match['verb'])}", text)
    text = _AM_I.sub(lambda match: _cased(match["verb"], _BE[uncased(match["verb"])]), text)
    if mine:  # "I went to Rome and was tired": still the same person
        text = _AND_WAS.sub(lambda match: match["joined"] + _BE[uncased(match["verb"])], text)
    starts = {match.start("word") for match in _BEGINNING.finditer(text)}
    return _OWN.sub(lambda match: _you(match, match.start() in starts), text)


_BEGINNING = lazy_regex(r"(?:^|[.!?…:]\s+|\n\s*)(?P<word>\w)")


def _you(match: re.Match[str], beginning: bool) -> str:
    word = _PERSON[uncased(match[0])]
    return word[0].upper() + word[1:] if beginning or (match[0] != "I" and match[0][0].isupper()) else word


def _are(verb: str) -> str:
    blank = " " if verb.startswith(" ") else ""
    return blank + _BE[uncased(verb.strip())]


def _cased(before: str, after: str) -> str:
    return after.capitalize() if before[0].isupper() else after
