"""The page's modules as few files, made when the product starts: there is no build step, and nothing that somebody could forget.

A browser fetches six files at once and waits for a round trip each time, so a page of thirty modules is slow wherever a network
is. All that the page imports at its start is therefore one script: each module is a function that is called once, in the order
of their imports, and gives what it exports. What a conversation needs is a second one, which only Today waits for. A module that
is fetched later, a view, takes what it needs of them from there.

The forms that are understood are those that are written here and in what is vendored; another one is a `ValueError` at the start.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from lattice_api.page_squeezed import joined

VENDORED = "/vendor/"
"""What others wrote stays as it is, with its licence."""

_AT = r"(?:^|(?<=[;}]))"
_FROM = r"""\s*from\s*["']([^"']+)["'];?"""
_IMPORT = re.compile(rf"""{_AT}import\s*(?:(\{{[^}}]*\}}|\*\s*as\s+[\w$]+){_FROM}|["']([^"']+)["'];?)""", re.MULTILINE)
_PASSED_ON = re.compile(rf"{_AT}export\s*(\{{[^}}]*\}}|\*){_FROM}", re.MULTILINE)
_LISTED = re.compile(rf"{_AT}export\s*\{{([^}}]*)\}};?", re.MULTILINE)
_DEFAULT = re.compile(r"\bas default\b")
_DECLARED = re.compile(r"^export (?=(?:const|class|function|async function)\b\*? ?\*?([\w$]+)?)", re.MULTILINE)
_NAME = re.compile(r"(?:const|class|async function\*?|function\*?) ([\w$]+)")
_LEFT = re.compile(rf"{_AT}(?:import\b(?!\()|export\b(?!\())[^\n]{{0,60}}", re.MULTILINE)

Read = Callable[[str], str]
"""The source of a module by its address."""

Scripts = Mapping[str, Sequence[str]]
"""What is put together: the modules of each script by its address, in the order of `modules_of`. A later script may need those of
earlier ones."""

Imported = Callable[[str], Sequence[str]]
"""The addresses that a module imports (`imports_of`) by its own."""


class _Names(NamedTuple):
    theirs: str
    ours: str


def imports_of(address: str, source: str) -> list[str]:
    """Return the addresses of the modules that a module names, in the order in which it names them."""
    named = sorted([*_IMPORT.finditer(source), *_PASSED_ON.finditer(source)], key=lambda each: each.start())
    return [resolved(address, _named_by(match)) for match in named]


def modules_of(entry: str, imported: Imported) -> list[str]:
    """Return the addresses of a module and of all that it imports, directly or not, each after those that it imports. Raise
    `ValueError` for modules that import each other."""
    order: list[str] = []
    open_: list[str] = []

    def visit(address: str) -> None:
        if address in order:
            return
        if address in open_:
            raise ValueError(f"{address} imports itself, by way of {open_[-1]}")
        open_.append(address)
        for each in imported(address):
            visit(each)
        open_.pop()
        order.append(address)

    visit(entry)
    return order


def bundle(script: str, scripts: Scripts, read: Read) -> str:
    """Return one script of all its modules. It exports an object for each, and by default what its last one does."""
    variables = _variables(scripts)
    parts, needed = [], list[str]()
    for address in scripts[script]:
        source = read(address)
        needed += (target for target in imports_of(address, source) if target not in scripts[script])
        body = _as_function(address, source, variables)
        parts.append(f"const {variables[address]}=(()=>{{\n{body if VENDORED in address else joined(body)}}})();")
    given = ",".join(variables[address] for address in scripts[script])
    last = scripts[script][-1]
    default = f"export default {variables[last]}.default;" if _DEFAULT.search(read(last)) else ""
    return "\n".join([*_fetched(needed, scripts), *parts, f"export{{{given}}};{default}", ""])


def beside(address: str, source: str, scripts: Scripts) -> str:
    """Return a module that is fetched later, with its imports of what is in `scripts` taken from there."""
    variables = _variables(scripts)
    needed: list[str] = []

    def taken(match: re.Match[str]) -> str:
        target = resolved(address, _named_by(match))
        if target not in variables:
            return match[0]
        needed.append(target)
        return _taken(match, variables[target])

    body = _IMPORT.sub(taken, source)
    return "\n".join([*_fetched(needed, scripts), body])


def _fetched(needed: Sequence[str], scripts: Scripts) -> Iterator[str]:
    """Yield an import for each script that holds some of the modules that are needed."""
    variables = _variables(scripts)
    for script, modules in scripts.items():
        names = dict.fromkeys(variables[address] for address in needed if address in modules)
        if names:
            yield f'import{{{",".join(names)}}}from"{script}";'


def resolved(address: str, name: str) -> str:
    """Return the address of a module that another one names."""
    if name.startswith("/"):
        return name
    parts: list[str] = []
    for part in (PurePosixPath(address).parent / name).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return str(PurePosixPath(*parts))


def _variables(scripts: Scripts) -> dict[str, str]:
    modules = (address for modules in scripts.values() for address in modules)
    return {address: f"$${number}" for number, address in enumerate(modules)}


def _as_function(address: str, source: str, variables: Mapping[str, str]) -> str:
    given: list[str] = []

    def passed_on(match: re.Match[str]) -> str:
        variable = variables[resolved(address, match[2])]
        if match[1] == "*":
            given.append(f"...{variable}")
        else:
            given.extend(f"{ours}:{variable}.{theirs}" for theirs, ours in _names(match[1]))
        return ""

    def listed(match: re.Match[str]) -> str:
        given.extend(theirs if theirs == ours else f"{theirs}:{ours}" for ours, theirs in _names(match[1]))
        return ""

    body = _IMPORT.sub(lambda match: _taken(match, variables[resolved(address, _named_by(match))]), source)
    body = _LISTED.sub(listed, _PASSED_ON.sub(passed_on, body))
    for match in _DECLARED.finditer(body):
        named = _NAME.match(body, match.end())
        if named is None:
            raise ValueError(f"{address} exports what has no name: {body[match.start() : match.end() + 60]}")
        given.append(named[1])
    body = _DECLARED.sub("", body)
    if (left := _LEFT.search(body)) is not None:
        raise ValueError(f"{address} imports or exports in a way that is not understood: {left[0]}")
    return f"{body.rstrip()}\nreturn{{{','.join(given)}}};"


def _taken(match: re.Match[str], variable: str) -> str:
    """Return the declaration of what an import takes from the object that the module became."""
    what = match[1]
    if what is None:
        return ""
    if what.startswith("*"):
        return f"const {what.split()[-1]}={variable};"
    inside = ",".join(theirs if theirs == ours else f"{theirs}:{ours}" for theirs, ours in _names(what))
    return f"const{{{inside}}}={variable};"


def _named_by(match: re.Match[str]) -> str:
    return next(group for group in reversed(match.groups()) if group)


def _names(braces: str) -> list[_Names]:
    """Return `{a, b as c}` as pairs."""
    pairs = [each.split(" as ") for each in braces.strip("{} \n").split(",") if each.strip()]
    return [_Names(pair[0].strip(), pair[-1].strip()) for pair in pairs]
