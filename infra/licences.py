"""Under which licence everything is that Lattice is made of: `python -m infra.licences` (or `make licences`).

Looked at is every Python package that is installed here, what is shipped and what only development needs, every package that an
image or another system has instead (as uv.lock has it), the page's scripts and the images of others. infra/licences.toml has the
licences that may be used, those that may not and why, what packages call them, and what a person read where a package says
nothing or needs a decision of its own. A licence that is in neither list fails, and so does an entry that nothing needs any more:
with the package's name and what to do. The packages of the system in an image (Debian's) keep their own, and are not looked at.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, Protocol

from license_expression import ExpressionError, LicenseWithExceptionSymbol, get_spdx_licensing
from packaging.utils import canonicalize_name

from infra.parts import IMAGES, ROOT, base, engines, python_parts, vendored

LISTED = ROOT / "infra" / "licences.toml"
_CLASSIFIER = "License :: "
_UMBRELLA = "OSI Approved"
"""A classifier that says nothing more than that there is a licence."""

Kind = Literal["package", "script", "image"]


class Told(Protocol):
    """What the metadata of a package answer, by the name of a field."""

    def get(self, name: str) -> str | None: ...

    def get_all(self, name: str) -> list[str] | None: ...


@dataclass(frozen=True, slots=True)
class Part:
    """Something that is used; `told` is what it says of its licence, in its own words."""

    kind: Kind
    name: str
    version: str
    told: str | None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a person read of a part: under which licence it is, whether that is excused here though it is in no list of allowed
    ones, and what the part itself said of it then."""

    licence: str
    excused: bool
    told: str | None


@dataclass(frozen=True, slots=True)
class Policy:
    """What infra/licences.toml says."""

    allowed: frozenset[str]
    forbidden: Mapping[str, str]
    """Why each may not be used."""
    names: Mapping[str, str]
    """SPDX expressions by what packages call them."""
    read: Mapping[tuple[Kind, str], Reading]
    """By part."""


def policy(file: Path = LISTED) -> Policy:
    """Read the list. Raises `SystemExit` for an entry that is not whole."""
    listed = tomllib.loads(file.read_text(encoding="utf-8"))
    read: dict[tuple[Kind, str], Reading] = {}
    kinds: tuple[Kind, ...] = ("package", "script", "image")
    for kind in kinds:
        for each in listed.get(kind, ()):
            if not (each.get("name") and each.get("licence") and each.get("why")):
                raise SystemExit(f"{file.name}: an entry of [[{kind}]] has no name, licence or why: {each}")
            read[kind, _key(kind, each["name"])] = Reading(each["licence"], bool(each.get("excused")), each.get("told"))
    return Policy(
        frozenset(listed["allowed"]), listed["forbidden"], {key.casefold(): name for key, name in listed["names"].items()}, read
    )


def _key(kind: Kind, name: str) -> str:
    return canonicalize_name(name) if kind == "package" else name


def told_by(package: Told) -> str | None:
    """Return what a package says of its licence: an expression before words of its own, these before a classifier (which tells
    no versions apart); None for nothing."""
    if expression := package.get("License-Expression"):
        return expression
    if words := (package.get("License") or "").strip().partition("\n")[0].strip():
        return words
    classifiers = [each for each in package.get_all("Classifier") or () if each.startswith(_CLASSIFIER)]
    said = {each.rpartition(" :: ")[2] for each in classifiers} - {_UMBRELLA}
    return said.pop() if len(said) == 1 else None


def installed() -> list[Part]:
    """Return every package of the environment but our own."""
    found: dict[str, Part] = {}
    for each in metadata.distributions():
        name = str(each.metadata["Name"])
        if name != "lattice" and not name.startswith("lattice-"):
            found[canonicalize_name(name)] = Part("package", name, each.version, told_by(each.metadata))  # type: ignore[arg-type]  # typeshed's `get` has no such shape
    return [found[name] for name in sorted(found)]


@cache
def shipped() -> Mapping[str, str]:
    """Return the version of every Python package of every image, whatever system or Python it is for, by its name."""
    return {canonicalize_name(part.name): part.version for image in IMAGES for part in python_parts(image)}


def others() -> list[Part]:
    """Return the page's scripts and the images of others, of whose licences only the list speaks."""
    images = {image.rpartition(":")[0]: image.rpartition(":")[2] for image in (base(), *engines().values())}
    scripts = [Part("script", each.name, each.version, None) for each in vendored()]
    return [*scripts, *(Part("image", name, version, None) for name, version in sorted(images.items()))]


def faults(parts: Iterable[Part], rules: Policy) -> list[str]:
    """Return what is wrong, a sentence each with what to do."""
    found, used = [], set()
    for part in parts:
        key = (part.kind, _key(part.kind, part.name))
        used.add(key)
        reading = rules.read.get(key)
        if reading is None:
            fault = fault_of(part.told, rules)
        elif part.told is not None and reading.told != part.told:
            fault = f"it says “{part.told}” now, and said “{reading.told}” when it was read: read it again, for {LISTED.name}"
        else:
            fault = fault_of(reading.licence, rules, excused=reading.excused)
        if fault:
            found.append(f"{part.name} {part.version}: {fault}")
    left = sorted(rules.read.keys() - used)
    return [*found, *(f"{name}: {LISTED.name} has an entry for it, and nothing uses it: take that out" for _, name in left)]


def fault_of(told: str | None, rules: Policy, *, excused: bool = False) -> str | None:
    """Return what is wrong with a licence and what to do; None where it may be used."""
    if told is None:
        return f"it does not say under which licence it is. Read that in its sources, and write it into {LISTED.name}"
    expression = rules.names.get(told.casefold(), told)
    try:
        parsed = get_spdx_licensing().parse(expression, validate=True)
    except ExpressionError:
        return f"“{told[:80]}” is no known licence. Read it, and write into [names] of {LISTED.name} which it is"
    bad = _bad(parsed, rules)
    if not bad or excused:
        return None
    why = [f"{each} may not be used: {rules.forbidden[each]}" for each in bad if each in rules.forbidden]
    if why:
        return f"{'; '.join(why)}. Take another package, or one that is excused with a reason in {LISTED.name}"
    return f"{' and '.join(bad)} is not in the list. Read it, and write into {LISTED.name} whether it is allowed or forbidden"


def _bad(parsed: Any, rules: Policy) -> list[str]:
    """Return the licences that stand in the way: all of those joined by AND have to be allowed, and one of those by OR."""
    arguments = getattr(parsed, "args", ())
    if not arguments or isinstance(parsed, LicenseWithExceptionSymbol):
        return [] if str(parsed) in rules.allowed else [str(parsed)]
    each = [_bad(argument, rules) for argument in arguments]
    if parsed.operator.strip() == "OR" and not all(each):
        return []
    return [licence for bad in each for licence in bad]


def main(arguments: Sequence[str] | None = None) -> None:
    """Say what is wrong, and end with 1 for it."""
    argparse.ArgumentParser(description=__doc__).parse_args(arguments)
    here = installed()
    names = {canonicalize_name(part.name) for part in here}
    elsewhere = [Part("package", name, version, None) for name, version in sorted(shipped().items()) if name not in names]
    every = [*here, *elsewhere, *others()]
    found = faults(every, policy())
    sys.stdout.write("".join(f"{each}\n" for each in found))
    sys.stdout.write(f"{len(every)} parts, {len(shipped())} of them packages that are shipped: {len(found)} to look at\n")
    if found:
        sys.exit(1)


if __name__ == "__main__":
    main()
