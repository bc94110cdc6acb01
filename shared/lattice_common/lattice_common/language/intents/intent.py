"""Whether words are to be remembered, answered, or carried out. By rules: the same words always have the same intent.

`certain_intent` decides what is beyond doubt. `intent_of` guesses, where there is no judge.

A wrong guess costs little: nothing is lost either way, and the box shows what it will do before it does it.
"""

from __future__ import annotations

import re

from lattice_common.domain.intent import Intent
from lattice_common.language.intents.asking import asks_unmarked, may_tell
from lattice_common.language.intents.commands import order_in
from lattice_common.language.intents.errands import is_errand
from lattice_common.language.intents.of_product import sign_of
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.keep import ORDER
from lattice_common.language.sentences.news import announced
from lattice_common.language.tables.english_words import HELPING, MODALS, NEGATED, QUESTION_WORDS, SUBJECTS
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import any_of

_BEGINNING_QUESTIONS = (QUESTION_WORDS | HELPING | MODALS | NEGATED) - vocabulary(
    "must ain't cannot couldn't hadn't hasn't haven't shouldn't wouldn't"
)
_QUESTION_WORDS = rf"{any_of(_BEGINNING_QUESTIONS)}|is|are|am|was|were|what's|who's|where's|when's|how's|whats|wheres"
_PLEASE = r"(?:please |can you |could you |would you |will you )*"
_ELSEWHERE = (
    r"wer|wem|wen|wessen|wann|wo|woher|wohin|warum|wieso|weshalb|wie (?:hei(?:ß|ss)t|alt|viele?|lange|oft|ist|war|hoch|weit)|"
    r"wie (?:groß|teuer)|welche[rsnm]?|qui|où|pourquoi|combien|quel(?:le)?s?|est-ce|qu['’]est-ce|quién|cuándo|dónde|"
    r"por qué|cómo|cuánt[oa]s?|cuál|"
    r"chi|dove|perché|quant[oaie]|кто|где|куда|почему|зачем|сколько|как зовут|как[ао][йяе]|какие|чей|"
    r"(?:quand|quando|когда)(?! (?:j['’]|(?:je|nous|on|il|elle|ero|eravamo|sono|io|я|мы|он|она|они)\b))"
)
"""Question words of other languages."""
_ASKS = lazy_regex(
    rf"^(?:(?:and|but|so|ok|okay|hey|well|und|aber|et|y|e|и|а)[,\s]+)?¿?(?:(?:{_QUESTION_WORDS}|{_ELSEWHERE})\b"
    rf"|{_PLEASE}(?:tell me|show me|give me|find(?! out)|search|look up|list|remind me (?:what|when|where|who|how|which)|"
    r"do you (?:know|remember)|summari[sz]e)\b)",
    re.IGNORECASE,
)
_TELLS = lazy_regex(
    rf"^{_PLEASE}(?:remember|note|save|write down|jot down|keep in mind|remind me to|fyi|don['’]t forget|for the record|"
    r"correction|reminder)\b"
    r"|^(?:(?:kannst|könntest) du )?(?:bitte )?(?:dir )?(?:merken?|merk|notiere?n?|schreib\w*)\b|^(?:запомни|запиши|"
    r"recuerda|anota|souviens-toi|retiens|ricorda|annota)\b",
    re.IGNORECASE,
)
_LOOKS_BACK = lazy_regex(r"^remember (?:when|what|where|who|how|why|which|if|whether|that\?|this\?|it\?)", re.IGNORECASE)
# "What a day!", "Have to call Ada", "Will's number is …", "May 3 is her birthday": they begin like questions, but are none.
_AUXILIARY = (
    r"is|are|am|was|were|do|does|did|will|would|can|could|should|shall|may|might|must|has|have|had|isn['’]t|aren['’]t|"
    r"wasn['’]t|weren['’]t|don['’]t|doesn['’]t|didn['’]t|won['’]t|can['’]t|exactly|else|again|next|not|no|and|or|to|in|on|at|about"
)
_NO_QUESTION = lazy_regex(
    r"^(?:what (?:a|an)\b|how (?:nice|lovely|great|sad)\b(?! (?:is|are|was|were|do|does|did)\b)|"
    rf"(?:have|has|had) (?:to|a|an|been)\b|may \d|will['’]s\b|whenever\b|(?:when|where) (?!(?:{_AUXILIARY})\b)\w+ \w|what i\b|"
    r"which (?:is|was) (?:why|nice)\b|"
    r"which i\b|who (?:cares|knew|would have)\b|was für (?:ein|eine)\b|(?:can['’]?t|cannot|couldn['’]?t) (?:believe|find|wait)\b|"
    r"could be\b|would love\b|will (?:be|call)\b)",
    re.IGNORECASE,
)
_HEADED = lazy_regex(r"^[^?:\n]{2,60}:\s+(?=\S)")
"""A heading with its text: "How to make pasta: boil water"."""
_AGREED = lazy_regex(r"[,\s]\s{0,3}(?:ok|okay|alright|all right|got it|gell|klar)\s?\?+$", re.IGNORECASE)
"""Questions that ask only for agreement."""
_QUESTION_MARKS = ("?", "？", "؟", "\u037e")


_EXCLAIMS = lazy_regex(
    r"(?:what an? (?:[\w-]+ ){0,3}[\w-]+|how (?:about that|nice|lovely|sad|annoying|typical))"
    r"(?:\s*[,:;!…]+|\s+[–—-])\s+(?=\S+\s+\S+\s+\S)",
    re.IGNORECASE,
)
"""A cry before what is told: "what a day: the boiler broke"."""

_TO_KEEP = lazy_regex(rf"^{_PLEASE}(?:remind me to|remember to)\b", re.IGNORECASE)
"""An errand to be remembered."""
_SENTENCE_END = lazy_regex(r"[.!?…。！？]\s")


def certain_intent(text: str) -> Intent | None:
    """Return the intent that is beyond doubt: a request, an explicit "remember that", or a single question,
    by its mark or its grammar; None for all else."""
    words = text.strip()
    if order_in(words) is not None:
        return "do"
    alone = "\n" not in words and not _SENTENCE_END.search(words)
    marked = words.endswith(_QUESTION_MARKS)
    if _tells_behind(words, alone=alone):
        return "tell"
    if is_errand(words):
        return "tell"
    if (kept := ORDER.match(words)) is not None or _TO_KEEP.match(words):
        return None if kept and marked else "tell"
    if may_tell(words):
        return None
    asks = not (_TELLS.match(words) or _AGREED.search(words)) if alone and marked else asks_unmarked(words)
    return "ask" if asks and sign_of(words) is None else None


def _tells_behind(words: str, *, alone: bool) -> bool:
    """Return whether something is told behind words that announce it, or behind a cry, and nothing is asked after them."""
    begin = announced(words)
    if begin is not None and words.endswith(_QUESTION_MARKS):
        return alone  # the mark belongs to the words before: "Did I tell you that …?"
    if begin is None and (cry := _EXCLAIMS.match(words)):
        begin = cry.end()
    return begin is not None and not words.endswith(_QUESTION_MARKS) and intent_of(words[begin:]) == "tell"


def intent_of(text: str) -> Intent:
    """Return `do` for what speaks of the product itself, `ask` for what ends in a question mark or begins as a question, `tell`
    for everything else."""
    words = text.strip()
    alone = "\n" not in words and not _SENTENCE_END.search(words)
    if _tells_behind(words, alone=alone):
        return "tell"
    if sign_of(words) in ("command", "question"):
        return "do"
    marked = words.startswith(_QUESTION_MARKS) or words.endswith(_QUESTION_MARKS)
    if _TELLS.match(words):
        return "ask" if marked and _LOOKS_BACK.match(words) else "tell"
    if agreed := _AGREED.search(words):
        return intent_of(words[: agreed.start()]) if agreed.start() else "ask"
    if marked:
        return "ask"
    if headed := _HEADED.match(words):
        return intent_of(words[headed.end() :])
    if "\n" in words or _NO_QUESTION.match(words):
        return "tell"
    return "ask" if _ASKS.match(words) else "tell"


SHORT = 6
"""Words: a longer text that asks nothing tells."""
_ENDS = (".", "!", "…", ":", "。", "！")
_SAYS = lazy_regex(
    r"\b(?:is|are|am|was|were|has|have|had|will|would|can|could|should|must|needs?|wants?|likes?|loves?|lives?|works?|"
    r"moved|went|bought|got|met|said|called|paid|saw|ate|\w{2,}ed|i'm|i've|i'll|it's|that's|he's|she's|we're|they're|don't|"
    r"doesn't|didn't|[A-Za-z]+'s (?:a|an|the|in|at|on|not))\b",
    re.IGNORECASE,
)
_EITHER = lazy_regex(
    rf"^(?:{any_of((HELPING | MODALS) - {'has', 'must', 'shall'})}|is|are|was|were)\b"
    rf"(?! (?:{any_of(SUBJECTS)}|there|my|our|his|her|their|(?-i:[A-Z])\w*)\b)",
    re.IGNORECASE,
)
"""An auxiliary without a subject: "will be late", "did the laundry"."""


def is_sure(text: str) -> bool:
    """Return whether the guess of `intent_of` is reliable: a question mark, a whole sentence or a command is; "Ada's birthday"
    and "will be late" are not."""
    words = text.strip()
    if any(mark in words[:-1] for mark in _QUESTION_MARKS) and not words.endswith(_QUESTION_MARKS) and not _TELLS.match(words):
        return False  # "Where is it? Under the pot." tells, "Where is it? I need it." asks
    marked = words.endswith((*_QUESTION_MARKS, *_ENDS)) or words.startswith(_QUESTION_MARKS)
    if not words or marked or "\n" in words or _TELLS.match(words):
        return True
    few = len(words.split()) <= SHORT
    if few and _EITHER.match(words):
        return False
    return intent_of(words) == "ask" or not few or bool(_SAYS.search(words)) or any(char.isdigit() for char in words)
