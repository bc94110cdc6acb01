"""The documents say what is there: settings, files, commands, tests. And nothing that is ours alone to know."""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from lattice_api.token_file import Session, Token
from lattice_cli.app import app
from lattice_common.composition.memory import open_in_memory
from lattice_common.domain.capture import Action, Capture, Command, Original, Place, SourceType, Turn
from lattice_common.domain.forgetting import Erasure
from lattice_common.domain.reading import Reading
from lattice_common.domain.receipt import AtomChange, Receipt
from lattice_common.ingest.pipeline import STAGES
from lattice_common.ports.journal import AgainMark, Plan
from lattice_common.settings import Settings, setting_names, settings_page
from source_tree import COMMON, PACKAGES, ROOT, kept_paths, nodes, product_files, relative, syntax
from typer.main import get_command

from infra.api_page import api_page
from infra.generated import DEPLOYMENT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
ALL = {path: path.read_text(encoding="utf-8") for path in PAGES}

NOT_IN_THE_TREE = re.compile(
    r"^infra/compose\.digests\.yml$|^(journal|atoms|trash|archive|inbox|graph|index|logs|bot|spaces)/|^~|^\.[a-z]+(\.|$)|^/|\*|<|>|…|\{"
)
"""What looks like a path and is one of the data folder, of the user's machine, of the web, or a pattern."""


def test_the_configuration_page_is_made_from_the_settings() -> None:
    written = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert written == settings_page(), "run `make docs`"


def test_the_page_of_the_api_is_made_from_its_routes_and_shapes() -> None:
    written = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert written == api_page(), "run `make docs`"


@pytest.mark.parametrize("name", setting_names())
def test_every_setting_is_explained(name: str) -> None:
    assert f"## `{name}`\n" in settings_page()


def test_every_setting_sets_something() -> None:
    read = {
        node.attr
        for path in product_files()
        if path.name != "settings.py"
        for node in nodes(path)
        if isinstance(node, ast.Attribute)
    }
    # These are asked for by what knows their default, and what else belongs to them.
    assert Settings.model_fields.keys() - read - {"inbox_dir", "redis_url", "redis_user", "redis_password"} == set()


def links_in(text: str) -> Iterator[str]:
    """Targets of `[…](…)` that are not on the web, without their `#section`."""
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target) and not target.startswith("#"):
            yield target.partition("#")[0]


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_every_link_leads_somewhere(page: Path) -> None:
    broken = [target for target in links_in(ALL[page]) if not (page.parent / target).exists()]
    assert broken == []


def named_paths(text: str) -> Iterator[str]:
    """What stands between backticks and looks like a file or a folder of this repository."""
    for named in re.findall(r"`([^`\s]+)`", text):
        name = named.removeprefix("./").partition("::")[0].rstrip("/")
        if ("/" in name or re.search(r"\.(py|md|json|yaml|toml|lock)$", name)) and not NOT_IN_THE_TREE.search(name):
            yield name


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_every_file_that_is_named_is_there(page: Path) -> None:
    kept = kept_paths()
    ends = {path.rpartition("/")[2] for path in kept}
    missing = []
    for name in named_paths(ALL[page]):
        whole = name in kept or any(path.endswith((f"/{name}", f"/{name}.py")) for path in kept)
        if not whole and not ("/" not in name and name in ends | DATA_FILES | OF_OTHERS) and not is_address(name):
            missing.append(name)
    assert missing == []


DATA_FILES = {"subjects.json", "access.json", "manifest.json", "nodes.jsonl", "edges.jsonl", "rejected.jsonl", "made-by.json"}
"""Files of the data folder that documents speak of by their name alone."""
OF_OTHERS = {"user.json", "result.json", "message_feedback.json", "shared_conversations.json", "model_comparisons.json"}
"""Files of other programs' exports."""


def is_address(name: str) -> bool:
    """An HTTP path, a URL, a type of content."""
    return "://" in name or name.startswith(("api/", "application/", "text/"))


@functools.cache
def names_of_tests() -> frozenset[str]:
    """Return the names of all tests and of their files."""
    files = sorted((ROOT / "tests").rglob("*.py"))
    defined = {
        name for path in files for name in re.findall(r"^\s*(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
    }
    return frozenset(defined | {path.stem for path in files})


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_every_test_that_is_named_is_there(page: Path) -> None:
    named = set(re.findall(r"\btest_\w+(?!\w*\.py)", ALL[page]))
    assert named - names_of_tests() == set()


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_every_make_command_is_in_the_makefile(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:^|`|\s{4})make ([a-z-]+)", ALL[page], re.MULTILINE))
    assert named - targets == set()


@functools.cache
def commands() -> set[str]:
    """What `lattice` can be told, read from the functions and groups that its app is given."""
    app = syntax(next(package for package in PACKAGES if package.name == "lattice_cli") / "app.py")
    words = set()
    for node in ast.walk(app):
        if not isinstance(node, ast.Call):
            continue
        named = [each.value.value for each in node.keywords if each.arg == "name" and isinstance(each.value, ast.Constant)]
        words |= {str(name) for name in named}
        if isinstance(node.func, ast.Call) and node.args and isinstance(node.args[0], ast.Attribute):
            words.add(node.args[0].attr)
    return words


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_every_command_of_lattice_that_is_named_is_there(page: Path) -> None:
    named = set(re.findall(r"(?:`|^|^ {4}|&& )lattice ([a-z]+)", ALL[page], re.MULTILINE))
    assert named - commands() == set()


@functools.cache
def command_line() -> Any:
    """Return the commands of `lattice` as click has them; made once, for it takes as long as a start of the program."""
    return get_command(app)


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_every_option_of_lattice_that_is_named_is_there(page: Path) -> None:
    missing = []
    for line in re.findall(r"(?:`|\$ |^ {4}|&& | )lattice ([a-z][^`\n|>#]*)", ALL[page], re.MULTILINE):
        command: Any = command_line()
        words = line.split()
        while words and words[0] in getattr(command, "commands", {}):
            command = command.commands[words.pop(0)]
        options = {option for each in command.params for option in each.opts} | {"--help", *INSPECTORS}
        missing += [word for word in words if word.startswith("--") and word.partition("=")[0].rstrip(".,;:)") not in options]
    assert missing == []


INSPECTORS = {"--method"}
"""Of the MCP inspector, which is told of `lattice mcp` on the same line."""


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_settings_that_are_named_exist(page: Path) -> None:
    named = set(re.findall(r"LATTICE_[A-Z_]+[A-Z]", ALL[page]))
    known = {
        *setting_names(),
        *(f"{name}_FILE" for name in setting_names()),
        *DEPLOYMENT,
        "LATTICE_BENCH_DATA",
        "LATTICE_OSV_DATABASE",
        "LATTICE_GREETING",  # docs/extending.md makes it
    }
    assert named - known == set()


def test_the_readme_begins_with_the_commands() -> None:
    readme = ALL[ROOT / "README.md"]
    assert readme.index("make run") < readme.index("\n## ")
    assert readme.index("make test") < readme.index("\n## ")


def test_every_decision_has_its_number_date_and_parts() -> None:
    for page in sorted((ROOT / "docs" / "decisions").glob("*.md")):
        text = ALL[page]
        assert re.match(rf"# {int(page.name[:4])}\. ", text), page.name
        assert {"## Context", "## Decision", "## Consequences"} <= set(text.splitlines()), page.name


def test_the_data_format_names_every_field_of_the_journal_and_of_the_tokens() -> None:
    """Of captures, commands, plans, receipts, readings and marks; and the types of sources."""
    kept = (Capture, Turn, Original, Place, Command, Reading, Plan, Erasure, Receipt, AtomChange, AgainMark, Token, Session)
    fields = {field.name for kind in (*kept, *get_args(Action)) for field in dataclasses.fields(kind)}
    commands = {re.sub(r"(?<!^)(?=[A-Z])", "_", action.__name__).lower() for action in get_args(Action)}
    named = set(re.findall(r"`([a-z0-9_]+)`", ALL[ROOT / "docs" / "data-format.md"]))
    assert {*fields, *commands, *get_args(SourceType)} - named == set()


def test_the_architecture_lists_the_stages_of_ingest_and_recall_in_their_order() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = page.partition("`STAGES` in `ingest/pipeline.py`:")[2].partition(".")[0]
    assert re.findall(r"\w+", listed) == [name for name, _ in STAGES]
    with open_in_memory(Settings(_env_file=None, embed_model="none")) as product:  # type: ignore[call-arg]
        stages = [name for name, _ in product.recall.stages]
    assert re.findall(r"^\d+\. \*\*(\w+)\*\*", page.partition("## Recall")[2], re.MULTILINE) == stages


def test_every_module_of_the_glossary_defines_what_it_stands_beside() -> None:
    """A word whose module is named has a class, a function or a constant there that is called so."""
    glossary = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Glossary")[2].partition("\n## ")[0]
    named = re.findall(r"^\| \*\*(\w+)\*\* \|.*`(\w+/\w+\.py)` \|$", glossary, re.MULTILINE)
    assert named
    for word, module in named:
        assert re.search(rf"\b{word}s?\b", (COMMON / module).read_text(encoding="utf-8"), re.IGNORECASE), (word, module)
