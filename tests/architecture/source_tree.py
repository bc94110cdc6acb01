"""The tree as the tests of this folder look at it: files, their syntax, and the names in them."""

from __future__ import annotations

import ast
import functools
import gc
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMON = ROOT / "shared" / "lattice_common" / "lattice_common"
PACKAGES = (COMMON, *(ROOT / "services" / name / f"lattice_{name}" for name in ("api", "bot", "cli", "graph", "mcp", "worker")))
"""What is shipped."""


def relative(path: Path) -> str:
    """As it is named in messages, and in the lists of exceptions."""
    return path.relative_to(ROOT).as_posix()


@functools.cache
def product_files() -> tuple[Path, ...]:
    """Every Python file that is shipped."""
    return tuple(sorted(path for package in PACKAGES for path in package.rglob("*.py")))


@functools.cache
def all_python_files() -> tuple[Path, ...]:
    """Those, and the tests, benchmarks and scripts."""
    folders = (*PACKAGES, ROOT / "tests", ROOT / "bench", ROOT / "infra")
    return tuple(sorted(path for folder in folders for path in folder.rglob("*.py")))


@functools.cache
def syntax(path: Path) -> ast.Module:
    """The tree of a file, kept. A million nodes are no garbage: looking for it among them took longer than making them, and each
    test that comes after would look again."""
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"), str(path))
    finally:
        gc.freeze()
        gc.enable()


@functools.cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file's tree, kept: a walk over all files takes half a second."""
    return tuple(ast.walk(syntax(path)))


def imported_names(path: Path) -> Iterator[tuple[str, str]]:
    """(module, name) of every `from module import name` in a file, wherever it stands."""
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)


@functools.cache
def kept_paths() -> frozenset[str]:
    """Every file that version control knows or would take, and their folders; relative to the root."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    paths = {path for path in listed.stdout.splitlines() if (ROOT / path).exists()}
    return frozenset(paths | {parent.as_posix() for path in paths for parent in Path(path).parents})
