"""Text that does nothing wherever it is shown: no link that opens, no picture that loads (docs/security-checks.md, S11).

An address may carry away what stands beside it, and assistants show what they are given. So every address is taken apart, but for
those that stand, letter for letter, in what the owner said.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from lattice_common.domain.visible import visible

_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*://[^\s<>\"'`\\]*|\b(?:data|javascript|vbscript):[^\s<>]+|www\.[^\s<>\"'`\\]+", re.IGNORECASE
)
_TAG = re.compile(
    r"<(?=\s*/?(?:a|area|audio|base|body|button|embed|form|frame|html|iframe|image|img|input|link|meta|object|picture|script|source|"
    r"style|svg|track|video)\b)",
    re.IGNORECASE,
)
"""What opens a tag of HTML that leads somewhere or loads something; `vector<int>` is none."""
_TURN = re.compile(
    r"(?<!\w)<(?=\|\w|\s*/?(?:[a-z]+:)?(?:system|assistant|user|human|developer|tool\w*|function\w*|invoke|instructions?|prompt)\b)",
    re.IGNORECASE,
)
"""What opens a tag with which a model is told who speaks (`<system>`, `</tool_result>`, `<|im_start|>`); `List<User>` is none."""
_TRAILING = ".,;:!?)]}*_"


def addresses_in(text: str) -> set[str]:
    """Return every address in `text`, without the punctuation of the sentence around it."""
    return {found.rstrip(_TRAILING) for found in _ADDRESS.findall(text)}


def of_the_owner(atoms: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the addresses that the owner gave in these atoms."""
    told = [str(atom.get(name) or "") for atom in atoms if atom.get("trust") == "user" for name in ("content", "source_quote")]
    return {address for text in told for address in addresses_in(text)}


def defanged(text: str, known: Collection[str] = ()) -> str:
    """Return `text` with every address broken up that is not among `known`, without markdown or HTML that could load one,
    without tags by which a model is told who speaks, and without what nobody sees and a model reads."""

    def disarm(found: re.Match[str]) -> str:
        whole = found.group()
        return whole if whole.rstrip(_TRAILING) in known else _apart(whole)

    # Links last: an address that is taken apart may end where one would begin.
    return _loose(_ADDRESS.sub(disarm, _TURN.sub("‹", _TAG.sub("‹", visible(text)))))


def _loose(text: str) -> str:
    """Return the text with a space within `[words](target)`, `![words](target)` and `[name]: target`, which are links only
    without one."""
    return re.sub(r"\](?=[(\[:])", "] ", text)


def _apart(address: str) -> str:
    """Return an address that people can read and no program opens, nor any part of it: `hxxps[:]//evil.example`,
    `www[.]evil.example`."""
    apart = re.sub(r"http(?=s?://)", "hxxp", address, flags=re.IGNORECASE).replace("://", "[:]//")
    apart = re.sub(r"(data|javascript|vbscript):", r"\1[:]", apart, flags=re.IGNORECASE)
    return re.sub(r"(www)\.", r"\1[.]", apart, flags=re.IGNORECASE)


def defanged_atom(atom: Mapping[str, Any]) -> dict[str, Any]:
    """Return an atom fit to be handed on: the owner's own addresses stay, everybody else's are taken apart."""
    known = of_the_owner([atom])
    return {name: _defanged_value(value, known) for name, value in atom.items()}


def _defanged_value(value: Any, known: Collection[str]) -> Any:
    match value:
        case str():
            return defanged(value, known)
        case list():
            return [_defanged_value(each, known) for each in value]
        case dict():
            return {name: _defanged_value(each, known) for name, each in value.items()}
    return value
