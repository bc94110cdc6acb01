"""Requests in words: one table, with a pattern and an example each.

A request must match from its first word to its last: "forget about dinner" tells something, "forget everything about dinner" is a
request. What destroys is previewed before it is carried out.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from lattice_common.domain.intent import Explain, Export, Forget, Order, Report, TakeBack

LONGEST = 200
"""Characters of a request; a longer text tells something."""

_POLITE = r"(?:(?:please|hey|ok|okay|bitte|por favor|s'il te plaît|can you|could you|would you|kannst du|könntest du)[, ]+)*"
_AFTER = r"(?:[, ]+(?:please|bitte|por favor|thanks|thank you|danke|now))?[.!?\s]*"
_LAST = (
    r"(?:that|it|this|(?:the|my|your) (?:last|latest|previous)(?: (?:one|thing|note|change|entry|memory|message|statement|command|edit))?"
    r"(?: (?:i|we) (?:said|told you|wrote|added|saved))?|what i just (?:said|told you|wrote|saved))"
)
_SAID = r"(?:i|we)(?:'ve| have)? (?:ever )?(?:said|told you|told|wrote|noted|saved|mentioned)"
_ALL = rf"(?:everything|all|anything|whatever|what(?:ever)?|all that|everything that|the things|the stuff)(?: {_SAID}| you (?:know|remember|have|saved|stored))?"
_THINGS = r"(?:all )?(?:the |my |your |those |these )?(?:notes?|memor(?:y|ies)|entr(?:y|ies)|facts?|things?|records?)(?: (?:you have|i made|i wrote))?"
_MINE = r"(?:(?:all|all of) )?(?:(?:my|the|your|of my) )?(?:notes|memor(?:y|ies)|data|everything|entries|all)"


def _forget(match: re.Match[str]) -> Order:
    return Forget(match["about"].strip(" .!?\"'“”"))


_TABLE: tuple[tuple[Callable[[re.Match[str]], Order], str, str], ...] = (
    (lambda _: TakeBack(), rf"(?:undo|revert|take back|roll back|scratch|unsave)(?: {_LAST})?|take (?:that|it) back|(?:undo ?)+|"
     r"undo (?:whatever|what) i (?:just )?(?:did|said|wrote)(?: (?:just now|a (?:second|moment|minute) ago))?", "Undo that."),
    (lambda _: TakeBack(), rf"(?:forget|delete|remove|erase|discard) {_LAST}", "Forget the last thing I said."),
    (lambda _: TakeBack(), r"(?:mach (?:das|es) )?rückgängig(?: machen)?|vergiss das(?: wieder)?|annule(?:r)?(?: ça)?|oublie ça|desha(?:z|cer)(?:lo)?|"
     r"olvida eso|annulla(?: tutto)?|dimenticalo|cofnij(?: to)?|maak (?:dat )?ongedaan|geri al|取り消して|desfaz(?:er)?(?: isso)?", "Mach das rückgängig."),
    (_forget, rf"(?:forget|delete|remove|erase|wipe|clear|drop) (?:{_ALL}|{_THINGS}) (?:about|on|regarding|concerning|that mentions?|of|with) (?P<about>.+?)",
     "Forget what I said about Tom."),
    (_forget, r"(?:forget|delete|remove|erase) (?:the fact )?that (?P<about>(?!i (?:asked|said anything)).+?)", "Forget that I live in Leeds."),
    (_forget, r"(?:vergiss|lösche?) (?:alles|was ich|alle notizen)(?: (?:gesagt habe|weißt|erzählt habe))? (?:über|zu|von) (?P<about>.+?)", "Vergiss alles über Tom."),
    (_forget, r"(?:oublie|supprime|efface) (?:tout|tout ce que j'ai dit|ce que j'ai dit) (?:sur|de) (?P<about>.+?)", "Oublie tout sur Tom."),
    (_forget, r"(?:olvida|borra|elimina) (?:todo|lo que dije|todo lo que dije) (?:sobre|de) (?P<about>.+?)", "Borra todo sobre Tom."),
    (_forget, r"(?:dimentica|cancella|elimina) (?:tutto|quello che ho detto) (?:su|di) (?P<about>.+?)", "Cancella tutto su Tom."),
    (lambda _: Export(), rf"(?:how (?:do|can) i )?(?:export|download|back ?up|give me (?:a copy of|an export of)|(?:send|get) me (?:a copy|an export) of) {_MINE}"
     r"(?: (?:as|to|in|into) [\w .]{1,20})?|export(?: it)?(?: all)?|exportier(?:e|en)?(?: alles| meine notizen)?|exporte(?:r)? (?:tout|mes notes)|"
     r"exporta(?:r)? (?:todo|mis notas)|esporta (?:tutto|le mie note)", "Export my notes."),
    (lambda _: Explain(), r"help(?: me)?|what can (?:you|i) (?:do|say|ask|tell you)(?: (?:here|for me))?|how does (?:this|it) work|"
     r"what (?:commands|can i do)(?: (?:are there|here|do you know))?|hilfe|was kannst du(?: alles)?|aide|que (?:sais|peux)-tu faire|ayuda|qué puedes hacer|"
     r"aiuto|cosa (?:sai|puoi) fare|pomoc|co potrafisz|yardım|neler yapabilirsin|何ができますか|ヘルプ", "What can you do?"),
    (lambda _: Report(), r"status|how much do you (?:know|remember)|how many (?:things|memories|notes|facts) (?:do you (?:have|know|remember)|are there)|"
     r"how (?:big|full) is (?:my|the|your) memory|show (?:me )?(?:the )?status|wie viel weißt du", "How much do you remember?"),
)  # fmt: skip
_ORDERS = tuple((made, re.compile(rf"{_POLITE}(?:{pattern}){_AFTER}", re.IGNORECASE)) for made, pattern, _ in _TABLE)

EXAMPLES: tuple[str, ...] = tuple(example for _, _, example in _TABLE)

_LOOSE = re.compile(
    rf"{_POLITE}(?:forget|delete|remove|erase|wipe) (?:about )?(?P<about>[^.!?\n]{{2,80}}?){_AFTER}", re.IGNORECASE
)
"""What may be a request or not ("Delete the old gym", "Forget about dinner"): read as one only where it is known to be."""


def order_in(text: str, *, meant: bool = False) -> Order | None:
    """Return the request in words; None where they are none. `meant`: the words are known to be a request, so ambiguous ones are
    read as such."""
    words = " ".join(text.replace("’", "'").split())
    if len(words) > LONGEST:
        return None
    for made, pattern in _ORDERS:
        if (match := pattern.fullmatch(words)) is not None:
            return made(match)
    if meant and (match := _LOOSE.fullmatch(words)) is not None:
        return _forget(match)
    return None
