"""What somebody whose word counts says is to change: "The vet says half a tablet for the cat from now on."

It is said by another, so it is not known that it is done, and ends nothing by itself. But who asks how much the cat gets is
served badly by the quarter tablet of before alone: so its owner is asked whether that still holds. English only.
"""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.tables import TABLES
from lattice_common.language.words import any_of

_OTHERS = ("school", "council", "hospital", "clinic", "pharmacist", "surgeon", "consultant", "nurse", "teacher", "health visitor")
_PROFESSIONS = {
    word.replace("_", " ")
    for word, role in TABLES["en"].roles.items()
    if role.kind == "person" and role.one and not role.kin and not role.several
}
_SAYS = r"(?:says?|said|wants|ordered|insists|(?:has |have )?told (?:me|us))"
_CHANGE = (
    r"(?:from now on|now|instead|no longer|any ?more|stop|start|switch|change|drop|raise|lower|increase|reduce|halve|half|double|"
    r"up to|down to|has to|have to|must|only|once|twice)"
)
_INSTRUCTED = lazy_regex(
    rf"^\W*(?:(?:the|my|our|his|her|their) )?(?:{any_of((*_PROFESSIONS, *_OTHERS))}|(?:dr|mr|mrs|ms)\.? \w+) "
    rf"{_SAYS}\b.*\b{_CHANGE}\b",
    re.IGNORECASE | re.DOTALL,
)

EXAMPLES = (
    ("The vet says half a tablet for the cat from now on.", True),
    ("Dr Anand told me to stop the ibuprofen.", True),
    ("My boss says I'm to start at eight now.", True),
    ("Tom says we should get rid of the cat now.", False),
    ("The vet says she has a lovely coat.", False),
)
"""Statements, and whether they are such instructions."""


def is_instruction(content: str) -> bool:
    """Return whether a statement is of this sort."""
    return _INSTRUCTED.search(content) is not None
