"""What tests reach into: what is private in the product, and what they put in the place of something of it. Both are counted by
file, so that they become fewer and never more: an argument, or what everybody can see, is nearly always as good."""

from __future__ import annotations

import ast
from collections import Counter

from source_tree import ROOT, all_python_files, nodes, relative

PRIVATE = {
    "tests/contract/test_catalogue.py": 1,  # a disk that fails while a catalogue is made anew
    "tests/contract/test_catalogue_followed.py": 2,  # a connection that was opened on a torn file
    "tests/contract/test_graph_loading.py": 9,  # two graphs are the same by all that they hold
    "tests/contract/test_lexical_index.py": 1,  # an engine whose disk fails
    "tests/contract/test_progress.py": 3,  # who waits, and is not woken
    "tests/crash/month_store.py": 1,  # the disk's clock, which a simulated month has not
    "tests/pipeline/test_model_turns.py": 3,  # that a part is not waited for any more
    "tests/pipeline/test_redo.py": 1,  # a defect that is put in, and has to be found
    "tests/property/test_journal_crash.py": 2,  # what the system closes when a process dies
    "tests/services/test_backup_schedule.py": 1,  # a backup as an older version made it
    "tests/services/test_storage.py": 1,  # an engine that finds no memory
    "tests/unit/test_letter_of_many_headers.py": 1,  # how often something is looked for
}
OF_OTHERS = {"_exit", "_p", "_r", "_element"}
"""Of `os`, and of what writes Word's documents."""

OF_THE_SYSTEM = {
    "os",
    "sys",
    "time",
    "socket",
    "socket.socket",
    "subprocess",
    "Path",
    "'fcntl.flock'",
    "'onnxruntime.InferenceSession'",
}
"""What is put in the place of these stands for a disk, a clock, a network or a processor that the test cannot have."""
REPLACED = {
    "tests/contract/test_catalogue.py": 1,
    "tests/contract/test_catalogue_followed.py": 1,
    "tests/pipeline/test_feedback.py": 1,
    "tests/pipeline/test_forget.py": 4,
    "tests/pipeline/test_hand_and_writer.py": 1,
    "tests/pipeline/test_ingest_stages.py": 1,
    "tests/pipeline/test_never_stuck.py": 1,
    "tests/pipeline/test_redo.py": 3,
    "tests/pipeline/test_together.py": 2,
    "tests/services/test_api_connections.py": 1,
    "tests/services/test_api_refusals.py": 2,
    "tests/services/test_backup_schedule.py": 3,
    "tests/services/test_hand_edits_live.py": 1,
    "tests/services/test_storage.py": 3,
    "tests/unit/test_letter_of_many_headers.py": 1,
}

TESTS = [path for path in all_python_files() if path.is_relative_to(ROOT / "tests")]


def is_private(node: ast.AST) -> bool:
    if not isinstance(node, ast.Attribute) or not node.attr.startswith("_") or node.attr.startswith("__"):
        return False
    return node.attr not in OF_OTHERS and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))


def is_replacement(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "setattr":
        return False
    return ast.unparse(node.args[0]) not in OF_THE_SYSTEM


def test_no_more_is_read_of_what_is_private_than_was() -> None:
    assert Counter(relative(path) for path in TESTS for node in nodes(path) if is_private(node)) == PRIVATE


def test_no_more_of_the_product_is_replaced_than_was() -> None:
    assert Counter(relative(path) for path in TESTS for node in nodes(path) if is_replacement(node)) == REPLACED


def test_both_are_told_from_what_is_allowed() -> None:
    assert is_private(ast.parse("store._root").body[0].value)  # type: ignore[attr-defined]
    assert not is_private(ast.parse("self._root").body[0].value)  # type: ignore[attr-defined]
    assert is_replacement(ast.parse("monkeypatch.setattr(pipeline, 'STAGES', ())").body[0].value)  # type: ignore[attr-defined]
    assert not is_replacement(ast.parse("patch.setattr(os, 'fsync', eio)").body[0].value)  # type: ignore[attr-defined]
