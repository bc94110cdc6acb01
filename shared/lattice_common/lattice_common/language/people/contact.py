"""What an entry of an address book says about who is who: that there is somebody of this name, a nickname, and who is related.

An entry is one statement with the names of its columns: "Name: Jonas Weber; Nickname: Joni; Related: Ida Weber (spouse)".
"""

from __future__ import annotations

from collections.abc import Iterator

from lattice_common.domain.atom import Atom
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.people.words import key_of, role_named
from lattice_common.language.table import EntityKind

_FIELD = lazy_regex(r"(?:^|; )(?P<name>Name|Nickname|Organisation|Related): (?P<said>.*?)(?=; [A-Z][a-z-]+(?:-mail)?: |$)")
_RELATED = lazy_regex(r"(?P<name>[^()]{2,80}?)(?: \((?P<role>[^()]{2,40})\))?$")


def is_contact(atom: Atom) -> bool:
    """Return whether an atom is an entry of an address book."""
    return atom.source_type == "vcf" and atom.content.startswith("Name: ")


def said_of(content: str) -> Iterator[tuple[str, str, str, str, EntityKind]]:
    """Yield what an entry says: a name, another name of the same or "", whose role it has or "", the role's word or "", and the
    kind."""
    fields = {found["name"]: found["said"].strip() for found in _FIELD.finditer(content)}
    name = fields.get("Name", "")
    if not key_of(name):
        return
    firm = key_of(fields.get("Organisation", "").partition(",")[0]) == key_of(name)
    yield name, "", "", "", "organisation" if firm else "person"
    for nickname in filter(None, (each.strip() for each in fields.get("Nickname", "").split(";"))):
        if key_of(nickname) and key_of(nickname) != key_of(name):
            yield name, nickname, "", "", "unknown"
    for each in fields.get("Related", "").split(";"):
        found = _RELATED.match(each.strip())
        if found is not None and key_of(found["name"]):
            word = (found["role"] or "").lower()
            known = role_named(word) is not None
            yield found["name"], "", key_of(name) if known else "", word if known else "", "person"
