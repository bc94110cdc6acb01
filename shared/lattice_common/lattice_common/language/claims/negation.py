"""Whether a text denies what another says.

A negation denies the few content words after it, up to the end of its clause. Words are compared by their stems, so "doesn't eat
meat" and "never eats meat" agree; "avoids meat" counts as a denial as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.text import stems_of
from lattice_common.language.vocabulary import vocabulary

_NEGATIONS = vocabulary(
    """not no never none nothing nobody nowhere neither nor without cannot can't don't doesn't didn't won't wouldn't isn't
    aren't wasn't weren't couldn't shouldn't haven't hasn't hadn't ain't mustn't needn't dont doesnt didnt wont cant isnt
    wasnt hardly barely nicht kein keine keinen nie niemals ohne pas jamais sans nunca sin senza не нет никогда без"""
)
_DENIES = lazy_regex(
    r"(?:dislik|hat(?:e|es|ed|ing)$|avoid|refus|fail|lack|stop|quit|lost$|unable|reject|den(?:y|"
    r"ies|ied)|declin|cancel|skip|abstain"
    r"|detest|loath|despis)"
)
"""Words by which a sentence denies what follows without "not"."""

_IMPLIES = lazy_regex(
    r"\b(?:miss(?:es|ed|ing)?|un\w{4,}|dis\w{4,}|free|absen\w+|instead|rather|allergic|intoleran\w*|"
    r"only|except|exclud\w*|few|little|zero|"
    r"im\w{5,}|in(?:capable|active|complete|correct|accurate)|away|(?:give|gave|given|giving) up|"
    r"non\w+|former\w*|used to|ex|ended|left)\b",
    re.IGNORECASE,
)
"""Weaker forms: enough to paraphrase a negation, too weak to be held against a text."""

_IDIOM = lazy_regex(
    r"\b(?:can(?:'t|not| not) (?:wait|help|stop|get enough|believe)|could(?:n't| not) (?:be happier|"
    r"agree more|wait|stop|help)|not (?:only|just|to mention|"
    r"too (?:bad|long)|bad)|no (?:problem|doubt|wonder|worries|matter|less than|more than|pun|pressure)|"
    r"nothing (?:like|beats|better|but)|why not|whether or not|"
    r"do(?:n't| not) (?:worry|mind|forget)|never (?:forget|gets? old|mind)|(?:won't|will not|can't|"
    r"cannot|'ll never|will never) forget|"
    r"not (?:gonna|going to) lie|if not|or not|no longer than|not sure)\b",
    re.IGNORECASE,
)
"""Negations that deny nothing, or nothing that a paraphrase would keep."""

_CLAUSE = lazy_regex(
    r"[.!?;:,…()\n›]|\s[-–—]+\s|\b(?:but|because|although|though|however|while|whereas|so|and|which|"
    r"who|since|as|if|when|until|aber|mais|pero|но)\b",
    re.IGNORECASE,
)
_TOKEN = lazy_regex(r"[^\W_]+(?:'[^\W_]+)*")
SCOPE = 3
"""Content words that a negation denies."""


@dataclass(frozen=True, slots=True)
class Polarity:
    """Stems said and stems denied; `heads` are the first that each negation denies. `hedged`: it also denies in weaker words;
    `weak` are the stems of these."""

    said: frozenset[str]
    denied: frozenset[str]
    heads: frozenset[str]
    negations: int
    hedged: bool
    weak: frozenset[str] = frozenset()


@lru_cache(maxsize=1_024)
def polarity(text: str) -> Polarity:
    """Return the stems that `text` says and denies."""
    straight = _IDIOM.sub(" ", text.replace("’", "'"))
    said: set[str] = set()
    denied: set[str] = set()
    heads: set[str] = set()
    negations = 0
    weak: set[str] = {stem for match in _IMPLIES.finditer(straight) for stem in stems_of(match[0].lower())}
    weaker = bool(_IMPLIES.search(straight))
    for clause in _CLAUSE.split(straight):
        reach = 0
        for match in _TOKEN.finditer(clause):
            word = match[0].lower()
            if word in _NEGATIONS:
                negations += 1
                reach = SCOPE
                continue
            stems = stems_of(word)
            if _DENIES.match(word):
                weaker = True
                weak.update(stems)
                if reach == SCOPE:
                    heads.update(stems)
                    denied.update(stems)
                else:
                    said.update(stems)
                # A denied denial ("doesn't hate") says nothing that can be compared.
                reach = 0 if reach else SCOPE
                continue
            for stem in stems:
                if reach == SCOPE:
                    heads.add(stem)
                if reach > 0:
                    denied.add(stem)
                    reach -= 1
                else:
                    said.add(stem)
    return Polarity(frozenset(said), frozenset(denied), frozenset(heads), negations, weaker, frozenset(weak))


def contradiction(claim: str, quote: str, context: str) -> str | None:
    """Return the word by which `claim` denies what `quote` says, or says what `quote` denies; None where they agree.

    `context` (the question replied to, headings) may license a negation, never demand one.
    """
    ours, theirs = polarity(claim), polarity(" ".join(quote.split()))
    if not (ours.negations or theirs.negations or ours.hedged or theirs.hedged):
        return None
    around = polarity(context) if context else None
    if added := _added(ours, theirs, around):
        return added
    dropped = sorted((theirs.denied - theirs.said) & (ours.said - ours.denied))
    if dropped and not ours.negations and not ours.hedged:
        return dropped[0]
    heads = sorted((theirs.heads - theirs.said) & (ours.said - ours.denied))
    # A word that the quote denies is said without denial: "not vegetarian, avoids milk" does not excuse "vegetarian".
    return heads[0] if heads and not ours.hedged else None


def _added(ours: Polarity, theirs: Polarity, around: Polarity | None) -> str | None:
    denied_there = theirs.denied | (around.denied if around else frozenset())
    flipped = sorted((ours.heads & theirs.said) - denied_there)
    if flipped and not theirs.hedged:
        return flipped[0]
    # "Not allergic" denies the word by which the other hedges.
    if undone := sorted(set(flipped) & theirs.weak):
        return undone[0]
    licensed = theirs.negations or theirs.hedged or (around is not None and (around.negations or around.hedged))
    if ours.negations and not licensed:
        return "not"
    return None
