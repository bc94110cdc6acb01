"""Arrows point inwards, and importing does nothing but import."""

from __future__ import annotations

import configparser
import json
import re
import subprocess
import sys
import textwrap

import pytest
from source_tree import COMMON, PACKAGES, ROOT

pytestmark = pytest.mark.lengthy

OUTSIDE_THE_LAYERS = {
    "__init__": "the version",
    "api_schema": "in the client's contract",
    "causes": "what an error says of itself, known to everybody but the domain",
    "client": "has a contract of its own",
    "client_httpx": "in the client's contract",
    "client_replies": "in the client's contract",
    "client_wire": "in the client's contract",
    "healthcheck": "a program of its own, that imports nothing of ours",
    "model_gate": "a program of its own, that imports nothing of ours",
    "drop": "what doors leave in the inbox while the server is away, in the form that `capture` reads",
    "errors": "the error tree, known to everybody but the domain",
    "failures": "what went wrong, counted by a closed list, for `lattice` and the composition roots",
    "http_connection": "how the doors over HTTP listen",
    "listening": "how doors get their port",
    "logs": "known to everybody but the domain",
    "periodic": "a thread that repeats a step, for the doors and services that have one",
    "origins": "the names and the pages that the two doors over HTTP take for their own",
    "token_strength": "what those two doors ask of a token that the owner chose",
    "wrong_tries": "what they count of guesses",
    "settings": "read by the composition roots and the doors",
    "spaces": "whose memories a deployment has, and which settings are each one's: read beside the settings",
}
"""Modules of `lattice_common` that no layer holds, and why."""


def test_the_import_contracts_hold() -> None:
    # In a process of its own: it turns off every logger that is there, and tests of the log would find nothing.
    script = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(sys.argv[1], no_cache=True))"
    done = subprocess.run(
        [sys.executable, "-c", script, str(ROOT / ".importlinter")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_module_of_the_library_is_in_a_layer_or_has_a_reason_not_to_be() -> None:
    contracts = configparser.ConfigParser()
    contracts.read(ROOT / ".importlinter")
    layers = contracts["importlinter:contract:layers"]["layers"].replace("|", " ").split()
    layered = {name.removeprefix("lattice_common.") for name in layers if name.startswith("lattice_common.")}
    there = {
        path.stem for path in COMMON.iterdir() if path.suffix == ".py" or (path.is_dir() and (path / "__init__.py").exists())
    }
    assert there == layered | OUTSIDE_THE_LAYERS.keys()


def test_the_drawing_of_the_composition_root_names_its_modules_and_no_other() -> None:
    section = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Composition")[2]
    drawing = section.split("```")[1]
    modules = {path.stem for path in (COMMON / "composition").glob("*.py")} - {"__init__"}
    functions = {
        name for path in (COMMON / "composition").glob("*.py") for name in re.findall(r"^def (open_\w+)", path.read_text(), re.M)
    }
    drawn = set(re.findall(r"\w+", drawing))
    assert modules <= drawn
    assert {word for word in drawn if word.startswith("open_")} <= functions


def test_every_package_that_is_shipped_is_held_by_the_contracts() -> None:
    contracts = configparser.ConfigParser()
    contracts.read(ROOT / ".importlinter")
    assert contracts["importlinter"]["root_packages"].split() == [package.name for package in PACKAGES]


WATCHED_IMPORT = """
import importlib, json, os, pkgutil, sys, traceback

sys.dont_write_bytecode = True
WATCHED = {
    "sqlite3.connect", "socket.__new__", "socket.connect", "socket.bind", "subprocess.Popen", "_thread.start_new_thread",
    "os.mkdir", "os.remove", "os.rename", "os.system",
}
seen = []

def watch(event, arguments):
    writes = event == "open" and (arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)) != 0
    if writes or event in WATCHED:
        where = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_stack() if "lattice_" in frame.filename]
        seen.append([event, repr(arguments)[:200], where[-1:]])

sys.addaudithook(watch)
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
print(json.dumps(seen))
"""


def seen_while_importing(*packages: str) -> list[list[object]]:
    """What the interpreter saw of files, sockets, processes and threads while these packages were imported, all of them."""
    answer = subprocess.run([sys.executable, "-c", WATCHED_IMPORT, *packages], capture_output=True, text=True, check=True)
    seen: list[list[object]] = json.loads(answer.stdout)
    return seen


ALLOWED = "opensearch_connection.py"
"""Its client's urllib3 opens a socket when it is imported, and closes it, to see whether there is IPv6. It connects to nothing,
and only server mode imports it."""


def test_importing_the_product_opens_no_engine_file_socket_process_or_thread() -> None:
    seen = seen_while_importing(*(package.name for package in PACKAGES))
    assert [each for each in seen if ALLOWED not in str(each[2])] == []


def test_the_watch_over_imports_sees_an_engine_that_is_opened() -> None:
    script = WATCHED_IMPORT.replace("print(json", "import sqlite3; sqlite3.connect(':memory:').close()\nprint(json")
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert [event for event, *_ in json.loads(answer.stdout)] == ["sqlite3.connect"]


HEAVY = (
    "numpy",
    "tantivy",
    "fastembed",
    "onnxruntime",
    "qdrant_edge",
    "fastapi",
    "uvicorn",
    "pydantic",
    "rich",
    "lattice_common.api_schema",
)


@pytest.mark.parametrize("module", ["lattice_common.client", "lattice_cli.lc", "lattice_cli.app"])
def test_the_client_and_the_command_line_load_nothing_heavy(module: str) -> None:
    script = textwrap.dedent(f"""
        import sys
        import {module}
        print([name for name in {HEAVY!r} if name in sys.modules])
    """)
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
