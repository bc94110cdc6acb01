"""House rules that a linter does not know, read from the syntax."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from lattice_common.domain.event import Event
from source_tree import COMMON, PACKAGES, all_python_files, nodes, product_files, relative, syntax

READS_THE_ENVIRONMENT = {
    "shared/lattice_common/lattice_common/settings.py": "the one reader of settings",
    "shared/lattice_common/lattice_common/__init__.py": "writes there what keeps libraries from reporting home",
    "services/worker/lattice_worker/prepare.py": "whose the folders shall be, of the container it runs in; no service's setting",
    "services/cli/lattice_cli/target.py": "four settings for quick commands; a test holds its answers to those of the settings",
    "services/cli/lattice_cli/autostart.py": "hands on to a service what the shell that installs it has set",
    "services/cli/lattice_cli/edit.py": "VISUAL and EDITOR, which are the user's and no setting of ours",
    "shared/lattice_common/lattice_common/adapters/files/converters.py": "PATH, LANG: handed on to programs of the system",
    "shared/lattice_common/lattice_common/adapters/files/reader_host.py": "TZ, TZDIR: the system's clock, handed on to a reader",
    "shared/lattice_common/lattice_common/model_gate.py": "where the language model is, in a process that loads nothing else",
    "shared/lattice_common/lattice_common/healthcheck.py": "LATTICE_OWNERS, with nothing of ours loaded: it runs every 15 s",
    "services/cli/lattice_cli/page.py": "DISPLAY, which is the desktop's and no setting: whether there is a browser to open",
}

NOT_NAMES = {"utils", "util", "helpers", "helper", "manager", "processor", "runner", "service", "base", "misc", "data", "info"}


def attribute_chain(node: ast.AST) -> str:
    """`os.environ.get` of the expression that is written so; empty for others."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def reads_environment(path: Path) -> bool:
    for node in nodes(path):
        if attribute_chain(node).startswith(("os.environ", "os.getenv")):
            return True
        if (
            isinstance(node, ast.ImportFrom)
            and node.module == "os"
            and {"environ", "getenv"} & {each.name for each in node.names}
        ):
            return True
    return False


def test_only_the_settings_read_the_environment() -> None:
    assert {relative(path) for path in product_files() if reads_environment(path)} == READS_THE_ENVIRONMENT.keys()


def swallowed(path: Path) -> Iterator[int]:
    """Lines at which everything is caught, and nothing done about it."""
    for node in nodes(path):
        if isinstance(node, ast.ExceptHandler):
            caught = {attribute_chain(each) for each in ast.walk(node.type)} if node.type else {"BaseException"}
            idle = all(isinstance(each, (ast.Pass, ast.Continue)) for each in node.body)
            if caught & {"Exception", "BaseException"} and idle:
                yield node.lineno
        suppresses = isinstance(node, ast.Call) and attribute_chain(node.func).endswith("suppress")
        if suppresses and {attribute_chain(each) for each in node.args} & {"Exception", "BaseException"}:
            yield node.lineno


def test_no_exception_is_swallowed() -> None:
    assert [f"{relative(path)}:{line}" for path in product_files() for line in swallowed(path)] == []


TELLS_CLASSES_APART = {
    "shared/lattice_common/lattice_common/adapters/embedded/rust_engine.py": "a panic's class cannot be imported",
    "shared/lattice_common/lattice_common/logs.py": "the log, which names them",
    "services/cli/lattice_cli/hook.py": "an error of a module that a quick hook does not load",
}


def names_a_class(path: Path) -> Iterator[int]:
    """Lines at which an error, caught or handed over, is named by its class, or as Python writes it (`{error!r}`), other than as
    an argument of `log.…`."""
    for place in nodes(path):
        for name in errors_in(place):
            logged = {
                id(each)
                for call in ast.walk(place)
                if isinstance(call, ast.Call) and attribute_chain(call.func).startswith("log.")
                for each in ast.walk(call)
            }
            for node in ast.walk(place):
                is_class = isinstance(node, ast.Attribute) and node.attr == "__name__" and is_of_class(node.value, name)
                is_repr = isinstance(node, ast.FormattedValue) and node.conversion == ord("r") and is_name(node.value, name)
                if (is_class or is_repr) and id(node) not in logged:
                    yield node.lineno


def errors_in(place: ast.AST) -> Iterator[str]:
    """Names of the errors that a handler catches, or a function is given."""
    if isinstance(place, ast.ExceptHandler) and place.name is not None:
        yield place.name
    if isinstance(place, ast.FunctionDef | ast.AsyncFunctionDef):
        for each in (*place.args.args, *place.args.kwonlyargs):
            if each.annotation is not None and re.search(r"(Error|Exception)\b", ast.unparse(each.annotation)):
                yield each.arg


def is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def is_of_class(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "__class__" and is_name(node.value, name)
    return isinstance(node, ast.Call) and is_name(node.func, "type") and len(node.args) == 1 and is_name(node.args[0], name)


def test_what_was_caught_is_named_by_its_class_in_the_log_alone() -> None:
    named = [f"{relative(path)}:{line}" for path in product_files() for line in names_a_class(path)]
    assert {each.partition(":")[0] for each in named} == TELLS_CLASSES_APART.keys(), named


def test_nothing_that_is_shipped_prints() -> None:
    printing = [
        f"{relative(path)}:{node.lineno}"
        for path in product_files()
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"print", "breakpoint", "input"}
    ]
    assert printing == []


def logged_words() -> set[str]:
    """The first argument of every `log.info("…")` and its kin."""
    words = set()
    for path in product_files():
        for node in nodes(path):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            owner, level = attribute_chain(node.func.value), node.func.attr
            if owner in {"log", "_log"} and level in {"debug", "info", "warning", "exception"} and node.args:
                word = node.args[0]
                assert isinstance(word, ast.Constant), f"{relative(path)}:{node.lineno} logs something that is not one word"
                words.add(str(word.value))
    return words


def test_the_vocabulary_of_the_log_is_what_is_logged() -> None:
    assert logged_words() == set(get_args(Event))


def test_nothing_that_is_shipped_has_a_name_that_says_nothing() -> None:
    named = {path.stem if path.stem != "__init__" else path.parent.name: path for path in product_files()}
    assert [relative(path) for name, path in named.items() if NOT_NAMES & set(name.strip("_").split("_"))] == []


def test_every_module_says_what_it_is() -> None:
    silent = [
        relative(path)
        for path in product_files()
        if syntax(path).body and ast.get_docstring(syntax(path)) is None and path.name != "__init__.py"
    ]
    assert silent == []


VERBS = """
Abort Accept Act Add Adjust Adopt Advance Align Allow Announce Answer Append Apply Apportion Archive Ask Assert Assign Assume
Attach Await Become Begin Bind Blank Block Bring Build Cache Calibrate Call Cancel Carry Change Check Choose Clean Clear Close
Collect Combine Commit Compare Complete Compose Compute Confirm Connect Consider Consume Continue Convert Copy Correct Count Cover
Create Cut Decide Decode Define Delete Derive Describe Detach Detect Disable Discard Dispatch Divide Do Doubt Download Drain Draw
Drop Edit Emit Empty Encode Encrypt End Enrich Ensure Enter Erase Estimate Examine Exclude Exit Expand Explain Export Extend
Extract Fetch File Fill Filter Find Finish Flush Fold Follow Forget Format Freeze Gather Give Go Grant Ground Group Guard Guess
Handle Have Hold Import Include Index Insert Inspect Install Invoke Iterate Join Journal Judge Keep Kill Learn Leave Lend Let
Limit Link List Load Lock Log Look Lower Make Map Mark Match Measure Merge Migrate Move Name Normalise Note Notice Notify Observe
Offer Open Order Overwrite Pair Parse Pass Pause Perform Pick Place Plan Poll Prefer Prefix Prepare Preserve Preview Print Process
Produce Propose Protect Prove Provide Prune Publish Push Put Queue Quote Raise Rank Reach React Read Rebuild Receive Record
Recover Redact Redirect Reduce Refresh Refuse Reject Relate Release Remember Remove Rename Render Reorder Repeat Replace Report
Require Reset Resolve Restore Resume Retire Retry Return Reverse Revoke Reword Rewrite Ring Run Save Say Scan Score Seal Search
See Select Send Serve Set Settle Shape Share Shelve Shift Shorten Show Shrink Sign Skip Sleep Sort Split Spread Squeeze Start Stop
Store Strip Subtract Suggest Sum Summarise Supersede Survey Swap Sweep Take Tell Test Trace Track Train Transcribe Translate Treat
Trim Try Turn Undo Unfreeze Unlock Unpack Unwrap Update Upsert Use Validate Verify Visit Wait Wake Walk Watch Weigh Wrap Write
Yield
"""
"""What a docstring of a function begins with: a verb that is missing may be added, a noun may not."""


def opened_by_no_verb(path: Path) -> Iterator[str]:
    """Yield the functions that say what they are instead of what they do; an `__init__` may speak of its arguments alone."""
    verbs = frozenset(VERBS.split())
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name != "__init__":
            told = (ast.get_docstring(node) or "Return").split(maxsplit=1)[0].strip(".,:;")
            if told not in verbs:
                yield f"{relative(path)}:{node.lineno} {node.name}: {told}"


def test_every_docstring_of_a_function_says_what_it_does() -> None:
    assert [each for path in product_files() for each in opened_by_no_verb(path)] == []


def test_composition_passes_values_instead_of_names_that_are_bound_later() -> None:
    """A nested function sees whatever the names around it come to mean; a method or `partial` says what it was given."""
    nested = [
        f"{relative(path)}:{inner.lineno} {inner.name}"
        for path in product_files()
        if COMMON / "composition" in path.parents
        for outer in nodes(path)
        if isinstance(outer, ast.FunctionDef)
        for inner in ast.walk(outer)
        if isinstance(inner, ast.FunctionDef) and inner is not outer
    ]
    assert nested == []


UNFORMATTED = {"bench": 14, "infra": 1, "services": 0, "shared": 65, "tests": 102}
"""How often formatting is switched off, by folder, for tables that read as such. These only become fewer."""


def test_formatting_is_switched_off_no_more_often_than_it_was() -> None:
    found = Counter(
        relative(path).split("/")[0]
        for path in all_python_files()
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.rstrip().endswith(("# fmt: skip", "# fmt: off"))
    )
    assert {folder: count for folder, count in found.items() if count > UNFORMATTED[folder]} == {}


def test_a_promise_of_work_names_its_issue() -> None:
    marks = ("TO" + "DO", "FIX" + "ME", "XX" + "X")
    promised = [
        f"{relative(path)}:{number}"
        for path in all_python_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if any(re.search(rf"\b{mark}\b", line) for mark in marks) and "#" not in line.partition(marks[0])[2]
    ]
    assert promised == []


def test_no_port_and_no_value_of_the_domain_is_any() -> None:
    loose = [
        f"{relative(path)}:{node.lineno}"
        for folder in ("ports", "language", "domain")
        for path in sorted((COMMON / folder).rglob("*.py"))
        for node in nodes(path)
        if isinstance(node, ast.Name) and node.id == "Any"
    ]
    assert loose == []


def test_what_is_shipped_is_typed() -> None:
    assert [package.name for package in PACKAGES if not (package / "py.typed").exists()] == []


def compiled_at_import(path: Path) -> Iterator[int]:
    """Lines at which a module compiles a pattern while it is imported, and not in a function that is called later."""
    todo: list[ast.AST] = list(syntax(path).body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        if isinstance(node, ast.Call) and attribute_chain(node.func) == "re.compile":
            yield node.lineno
        todo.extend(ast.iter_child_nodes(node))


def test_patterns_of_the_language_are_compiled_when_they_are_first_used() -> None:
    """`language.patterns.lazy_regex`: six hundred of them were a third of what importing the product took."""
    rules = sorted((COMMON / "language").rglob("*.py"))
    assert len(rules) > 50
    assert [f"{relative(path)}:{line}" for path in rules for line in compiled_at_import(path)] == []


def test_a_pattern_that_is_compiled_at_import_is_noticed(tmp_path: Path) -> None:
    written = tmp_path / "rules.py"
    written.write_text("import re\nONE = {'a': re.compile('a')}\n\ndef later():\n    return re.compile('b')\n")
    assert list(compiled_at_import(written)) == [2]
