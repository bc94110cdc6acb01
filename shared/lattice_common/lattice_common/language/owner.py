"""Sentences of others about the owner: how a document names them, and its statements as the owner would say them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lattice_common.domain.atom import Atom

ADDRESSED = "you"
"""The word by which a letter addresses the owner."""


def named_in(text: str, names: Sequence[str]) -> str | None:
    """Return the first of the owner's names that stands in a text as written there, longer ones before shorter; None when none
    does.

    Whole words with their capitals: "Ada" is not in "Adamant", nor "Will" in "I will".
    """
    for name in sorted(names, key=len, reverse=True):
        if name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            return name
    return None


def learned_of_owner(atom: Atom) -> str | None:
    """Return what a document says of the owner, as the owner would say it; None for all other memories."""
    owner = atom.metadata.get("owner")
    return as_owner_says(atom.content, owner) if isinstance(owner, str) and atom.metadata.get("learned") is True else None


def as_owner_says(content: str, name: str) -> str:
    """Return the sentence with the owner in the first person where it names them: "Ada Miller's rent" is "my rent". Used to
    compare its claims with what the owner said; nobody reads it."""
    if name == ADDRESSED:
        content = re.sub(r"\b[Yy]ou are\b", "I am", content)
        content = re.sub(r"\b[Yy]ou were\b", "I was", content)
        return re.sub(r"\b[Yy]our\b", "my", re.sub(r"\b[Yy]ou\b", "I", content))
    content = re.sub(rf"\b[Tt]he ((?:[\w-]+ ){{0,2}}[\w-]+) of {re.escape(name)}(?![\w'’])", r"my \1", content)
    content = re.sub(rf"(?<!\w){re.escape(name)}['’]s(?!\w)", "my", content)
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "The user", content)
