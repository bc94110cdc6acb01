"""English words of any sentence, by their sort. Lists of rules are made of these, with what each adds and leaves out."""

from __future__ import annotations

from lattice_common.language.vocabulary import vocabulary

ARTICLES = vocabulary("a an the")
SUBJECTS = vocabulary("i you he she it we they")
OBJECTS = vocabulary("me him her us them")
POSSESSIVES = vocabulary("my your his its our their")
POSSESSED = vocabulary("mine yours hers ours theirs")
REFLEXIVES = vocabulary("myself yourself yourselves himself herself itself ourselves themselves")
POINTING = vocabulary("this that these those")
QUESTION_WORDS = vocabulary("who whom whose which what when where why how")
BEING = vocabulary("am is are was were be been being")
HELPING = vocabulary("have has had do does did can could will would")
MODALS = vocabulary("shall should may might must")
NEGATED = vocabulary(
    """isn't aren't wasn't weren't don't doesn't didn't won't wouldn't can't cannot couldn't shouldn't haven't hasn't hadn't
    ain't"""
)
"""Helping verbs that deny."""
LINKING = vocabulary("and but or so")
SUBORDINATING = vocabulary("if because as while since until before after")
PREPOSITIONS = vocabulary("at by for from in of on to with")
FURTHER_PREPOSITIONS = vocabulary("about into through during between over under up down out off")
QUANTITIES = vocabulary("all any both each few more most some such")
DENYING = vocabulary("no not nor")
ANYBODY = vocabulary("everyone everybody someone somebody anyone nobody")
PLACES = vocabulary("here there")
ORDER = vocabulary("again further then once")
DAYS = vocabulary("today yesterday tomorrow")
AROUND_NOUNS = ARTICLES | POINTING | LINKING | SUBORDINATING | PREPOSITIONS
AROUND_CLAUSES = LINKING | SUBORDINATING | PREPOSITIONS | PLACES | DAYS
