"""Orders to remember ("Remember that …"), which are no part of what is to be remembered."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex

_PLEASE = (
    r"(?:(?:please|pls|hey|ok(?:ay)?|so|and|also|can you|could you|would you|will you|i want you to|you should|you must|bitte|"
    r"kannst du|könntest du|s['’]il te plaît|por favor|per favore|alsjeblieft|proszę|lütfen)[,:]?\s+)*"
)
_THAT = r"(?:that|dass|daß|que|qu['’]|che|dat|że)"
_VERBS = (
    r"remember|note(?: down)?|make a note|take a note|keep in mind|bear in mind|save|"
    r"merke?(?: dir)?(?: bitte)?|notiere?(?: dir)?(?: bitte)?|behalte?(?: im kopf)?|(?:dir )?merken|"
    r"recuerda|apunta|anota|retiens|note(?:z)?|souviens-toi|rappelle-toi|ricordati|ricorda|annota|segna(?:ti)?|onthoud|noteer|"
    r"lembra(?:-te)?(?: de)?|lembre(?:-se)?(?: de)?|guarda|zapamiętaj|zapisz"
)
_HEADS = r"for the record|for reference|note to self|please note|just so you know|fyi|zur info|nota bene"
_NEVER_FORGET = (
    r"don['’]t forget|do not forget|denk dran|denk daran|vergiss (?:bitte )?nicht|no olvides|n['’]oublie pas|non dimenticare|"
    r"non ti dimenticare|vergeet niet|não te esqueças(?: de)?|não esqueça(?: de)?|nie zapomnij"
)

ORDER = lazy_regex(
    rf"{_PLEASE}(?:(?:{_VERBS}|{_HEADS})(?:(?:\s*[:,]|\s+[–-])\s+(?:{_THAT}\s*)?|\s+{_THAT}\s*)|(?:{_HEADS}),?\s+(?:{_THAT}\s+)?|"
    rf"(?:{_NEVER_FORGET}),?\s+{_THAT}\s*)(?=\S)",
    re.IGNORECASE,
)
"""An order to remember, before what is to be remembered; not "remember to buy milk", which is one itself."""
