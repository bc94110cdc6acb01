"""Tests, benchmarks and training use only modules and names that exist: mypy reads what is shipped and infra, and this the rest.

Read from the syntax, so that nothing is imported, and a module that only one slow suite uses is checked with the quick tests.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from source_tree import PACKAGES, ROOT, all_python_files, product_files, relative, syntax

pytestmark = pytest.mark.lengthy

OURS = {
    **{package.name: package for package in PACKAGES},
    **{name: ROOT / name for name in ("bench", "infra", "tests", "train")},
}
"""The folder of each package whose names are known."""
OPTIONAL = {"torch", "safetensors", "lightgbm", "rustworkx", "faker", "basic_memory", "mem0"}
"""Packages of the groups `train` and `rank`, and those that benchmarks compare with where somebody installs them."""
ON_THE_PATH = {"bench/reconcile.py": "tests/pipeline"}
"""Programs that put a folder of tests on their path."""
NO_MODULE = {"lattice_common.test": "a logger's name in tests of the log"}
"""Strings that are written like the name of a module."""
EVERY_MODULE_HAS = {"__file__", "__name__", "__path__", "__doc__", "__dict__"}

WHERE = re.compile(r"lattice_\w+(?:\.\w+)+")
IMPORTED_IN_TEXT = re.compile(r"\bfrom (lattice_[\w.]+) import ([\w, ]+)|\bimport (lattice_[\w.]+)")
"""In programs that a test hands to another interpreter."""


@functools.cache
def found_module(name: str) -> Path | None:
    """Return the file, or the folder, of one of our modules by its dotted name; None where there is none. As in Python, a module
    is found before a folder of its name that is no package."""
    top, *below = name.split(".")
    path = OURS[top].joinpath(*below)
    candidates = (path / "__init__.py", path.with_suffix(".py"))
    found = next((each for each in candidates if each.exists()), None)
    return path if found is None and path.is_dir() else found


def bound(body: list[ast.stmt]) -> Iterator[str]:
    """Yield every name that a module binds when it is imported, also below an `if`, a `try` or a `with`."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
            yield from (name for each in ast.walk(node) if isinstance(each, ast.Global) for name in each.names)
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)
            continue
        yield from (each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
        for inner in ("body", "orelse", "finalbody"):
            yield from bound(getattr(node, inner, []))
        for handler in getattr(node, "handlers", []):
            yield from bound(handler.body)


@functools.cache
def names_of(path: Path) -> frozenset[str]:
    """Return the names that can be taken from a module, with those of the modules in its folder."""
    folder = path if path.is_dir() else path.parent
    inside = {each.stem for each in folder.iterdir()} if path.is_dir() or path.name == "__init__.py" else set()
    return frozenset({*inside, *EVERY_MODULE_HAS, *(() if path.is_dir() else bound(syntax(path).body))})


def beside(name: str, folders: tuple[Path, ...]) -> Path | None:
    """Return the module that a test finds in its own folder or in one above it, as pytest puts these on the path."""
    return next((path for folder in folders if (path := folder / f"{name}.py").exists()), None)


def owned(module: str, folders: tuple[Path, ...]) -> tuple[bool, Path | None]:
    """Return whether a module is one of ours, and its file where it exists."""
    near = beside(module, folders)
    ours = module.split(".")[0] in OURS
    return (ours or near is not None), near or (found_module(module) if ours else None)


def wrong_imports(nodes: list[ast.AST], folders: tuple[Path, ...]) -> Iterator[str]:
    """Yield every module, and every name taken from one of ours, that does not exist."""
    for node in nodes:
        if isinstance(node, ast.Import):
            wanted = [(alias.name, ()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            wanted = [(node.module, tuple(alias.name for alias in node.names))]
        else:
            continue
        for module, names in wanted:
            ours, path = owned(module, folders)
            if ours and path is None:
                yield f"{node.lineno}: no module {module}"
            elif path is not None:
                yield from (f"{node.lineno}: no {name} in {module}" for name in names if name not in names_of(path))
            elif not installed(module.split(".")[0]):
                yield f"{node.lineno}: no module {module}"


@functools.cache
def installed(top: str) -> bool:
    """Return whether a package of others can be imported here, or is optional."""
    known = top in sys.stdlib_module_names or top in OPTIONAL or top in sys.modules
    return known or importlib.util.find_spec(top) is not None


def modules_in_hand(nodes: list[ast.AST], folders: tuple[Path, ...]) -> Mapping[str, tuple[str, Path]]:
    """Return the names by which a file knows modules of ours, without those that it also binds to something else."""
    known: dict[str, tuple[str, Path]] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level and owned(node.module, folders)[0]:
            for alias in node.names:
                module = f"{node.module}.{alias.name}"
                if node.module.split(".")[0] in OURS and (path := found_module(module)) is not None:
                    known[alias.asname or alias.name] = (module, path)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                ours, path = owned(alias.name, folders)
                if ours and path is not None and (alias.asname or "." not in alias.name):
                    known[alias.asname or alias.name] = (alias.name, path)
    others = {each.id for each in nodes if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    others |= {each.arg for each in nodes if isinstance(each, ast.arg)}
    return {name: found for name, found in known.items() if name not in others}


def wrong_attributes(nodes: list[ast.AST], folders: tuple[Path, ...]) -> Iterator[str]:
    """Yield every `module.name`, and every `setattr(module, "name", …)`, of a module of ours that has no such name."""
    known = modules_in_hand(nodes, folders)
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            holder, name = node.value.id, node.attr
        elif isinstance(node, ast.Call) and len(node.args) > 1 and called(node) in {"setattr", "delattr", "object"}:
            first, second = node.args[:2]
            if not isinstance(first, ast.Name) or not isinstance(second, ast.Constant):
                continue
            holder, name = first.id, str(second.value)
        else:
            continue
        if holder in known and name not in names_of(known[holder][1]):
            yield f"{node.lineno}: no {name} in {known[holder][0]}"


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def wrong_texts(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield what a string names of ours that does not exist: `"lattice_x.y.name"`, and imports in programs as text."""
    for node in nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if WHERE.fullmatch(node.value) and node.value not in NO_MODULE and not named(node.value):
            yield f"{node.lineno}: no {node.value}"
        for source, names, plain in IMPORTED_IN_TEXT.findall(node.value):
            wanted = [f"{source}.{name.split(' as ')[0].strip()}" for name in names.split(",")] if source else [plain.strip(".")]
            yield from (f"{node.lineno}: no {each}" for each in wanted if each.split(".")[0] in OURS and not named(each))


def named(dotted: str) -> bool:
    """Return whether a dotted name is a module of ours, or begins with one that has the next name."""
    parts = dotted.split(".")
    for end in range(len(parts), 0, -1):
        if (path := found_module(".".join(parts[:end]))) is not None:
            return end == len(parts) or parts[end] in names_of(path)
    return False


def wrong_names(tree: ast.Module, folders: tuple[Path, ...] = ()) -> list[str]:
    """Return what a file uses of ours, or imports of others, that does not exist; each with its line."""
    nodes = list(ast.walk(tree))
    return [*wrong_imports(nodes, folders), *wrong_attributes(nodes, folders), *wrong_texts(nodes)]


def test_every_name_that_is_used_of_ours_exists() -> None:
    wrong = []
    for path in {*all_python_files(), *(ROOT / "train").rglob("*.py")} - {*product_files(), Path(__file__)}:
        folders = tuple(each for each in path.parents if ROOT / "tests" in (each, *each.parents))
        added = ON_THE_PATH.get(relative(path))
        found = wrong_names(syntax(path), (*folders, ROOT / added) if added else folders)
        wrong += [f"{relative(path)}:{each}" for each in found]
    assert wrong == []


@pytest.mark.parametrize(
    "source",
    [
        "from lattice_common.domain.atom import Molecule",
        "from lattice_common.domain.molecule import Atom",
        "import lattice_common.domain.molecule",
        "from no_module_of_anybody import something",
        "from lattice_common.domain import atom\natom.Molecule()",
        "from lattice_common.domain import atom\nmonkeypatch.setattr(atom, 'Molecule', None)",
        "monkeypatch.setattr('lattice_common.domain.atom.Molecule', None)",
        "run([python, '-c', 'import sys; from lattice_common.domain.atom import Atom, Molecule; print(1)'])",
    ],
)
def test_a_name_that_does_not_exist_is_found(source: str) -> None:
    assert len(wrong_names(ast.parse(source))) == 1


def test_a_name_that_exists_is_none_to_find() -> None:
    source = "from lattice_common.domain import atom\nimport bench.speed\natom.Atom\nrun('lattice_cli.app')\nimport pytest"
    assert wrong_names(ast.parse(source)) == []
