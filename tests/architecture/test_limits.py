"""How long a function may be, and how many fields a class may have; the linter holds complexity (`max-complexity`).

A file may be as long as its one idea. What is too long is two things: no function is an exception, and classes that are name one
field for each of a record's. Those are listed with the number they have, which only becomes smaller.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from source_tree import nodes, product_files, relative

LONGEST_FUNCTION = 60
"""Lines of a body."""
MOST_FIELDS = 12
"""Attributes that methods set of their own object, and fields that a class declares."""
REPLIES = ("api_schema/", "lattice_mcp/results.py")
"""What the API and its tools reply, in a field each as their readers are promised it; a reply may be as wide as what it tells."""
WIDER = {
    # What stands in files: the format names a field for each.
    "domain/atom.py Atom": 42,
    "domain/capture.py Capture": 20,
    "domain/receipt.py Receipt": 17,
    "domain/passage.py Passage": 17,
    "domain/chat.py ChatTurn": 13,
    "ports/journal.py Plan": 14,
    # An atom again: before it is proved, and as columns of all atoms.
    "domain/segment.py Candidate": 22,
    "ports/catalogue.py Columns": 30,
    # What is shown of how it runs, a field for each of a reply's.
    "upkeep/status.py Status": 15,
    "lattice_api/operations.py Operations": 18,
    # Settings and constants, a field each.
    "lattice_common/settings.py Settings": 99,
    "readers/limits.py Limits": 14,
    # Tables of a language, a field for each list of words.
    "language/table.py Belonging": 29,
    "language/table.py Table": 20,
    "questions/asked_together.py _Words": 32,
    # What is known of one question, statement or search, to which every stage adds its own.
    "recall/question.py Search": 17,
    "recall/question.py Question": 13,
    "slots/claim.py Claim": 13,
}


def long_functions() -> Iterator[str]:
    """The place of every function whose body is longer than the limit."""
    for path in product_files():
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.body[0].lineno + 1
                if lines > LONGEST_FUNCTION:
                    yield f"{relative(path)}:{node.lineno} has {lines} lines"


def fields_of(node: ast.ClassDef) -> set[str]:
    """Return what a class declares, as data classes do, and what its methods set of `self`."""
    declared = {
        each.target.id
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
        if not ast.unparse(each.annotation).startswith("ClassVar")
    }
    return declared | {
        each.attr
        for made in node.body
        if isinstance(made, ast.FunctionDef | ast.AsyncFunctionDef)
        for each in ast.walk(made)
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
        if isinstance(each.value, ast.Name) and each.value.id == "self"
    }


def wide_classes() -> Iterator[tuple[str, int]]:
    """Yield the place and name of every class with more fields than the limit, and how many these are."""
    for path in product_files():
        for node in nodes(path):
            if isinstance(node, ast.ClassDef) and (count := len(fields_of(node))) > MOST_FIELDS:
                yield f"{relative(path)} {node.name}", count


def test_no_function_is_longer_than_a_screen() -> None:
    assert list(long_functions()) == []


def test_no_class_has_more_fields_than_a_reader_can_hold() -> None:
    found = {each: count for each, count in wide_classes() if not any(reply in each for reply in REPLIES)}
    assert {name: count for name, count in found.items() if count > next(map(WIDER.get, keys(name)), 0)} == {}


def keys(name: str) -> Iterator[str]:
    """Yield the entry of `WIDER` that is for a class."""
    return (key for key in WIDER if name.endswith(key))


def test_no_exception_is_kept_that_nothing_needs() -> None:
    found = dict(wide_classes())
    assert [key for key in WIDER if not any(name.endswith(key) for name in found)] == []


def test_fields_are_counted_however_they_are_declared() -> None:
    declared = ast.parse(
        "class A(NamedTuple):\n a: int\n b: int = 0\n c: ClassVar[int] = 1\n def d(self):\n  self.e = self.f"
    ).body[0]
    assert isinstance(declared, ast.ClassDef)
    assert fields_of(declared) == {"a", "b", "e"}
