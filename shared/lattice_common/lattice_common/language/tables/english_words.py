"""English words of any sentence, by their sort. Lists of rules are made of these, with what each adds and leaves out."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = _words("a an the")
SUBJECTS = _words("i you he she it we they")
OBJECTS = _words("me him her us them")
POSSESSIVES = _words("my your his its our their")
POSSESSED = _words("mine yours hers ours theirs")
REFLEXIVES = _words("myself yourself yourselves himself herself itself ourselves themselves")
POINTING = _words("this that these those")
QUESTION_WORDS = _words("who whom whose which what when where why how")
BEING = _words("am is are was were be been being")
HELPING = _words("have has had do does did can could will would")
MODALS = _words("shall should may might must")
NEGATED = _words(
    """isn't aren't wasn't weren't don't doesn't didn't won't wouldn't can't cannot couldn't shouldn't haven't hasn't hadn't
    ain't"""
)
"""Helping verbs that deny."""
LINKING = _words("and but or so")
SUBORDINATING = _words("if because as while since until before after")
PREPOSITIONS = _words("at by for from in of on to with")
FURTHER_PREPOSITIONS = _words("about into through during between over under up down out off")
QUANTITIES = _words("all any both each few more most some such")
DENYING = _words("no not nor")
ANYBODY = _words("everyone everybody someone somebody anyone nobody")
PLACES = _words("here there")
ORDER = _words("again further then once")
DAYS = _words("today yesterday tomorrow")
AROUND_NOUNS = ARTICLES | POINTING | LINKING | SUBORDINATING | PREPOSITIONS
AROUND_CLAUSES = LINKING | SUBORDINATING | PREPOSITIONS | PLACES | DAYS
