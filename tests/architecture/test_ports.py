"""Every port has a contract suite, and every adapter of it runs through that suite.

What is an adapter is read from the code: a class of `adapters/` that has all the members of a port's Protocol.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import io
import pkgutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

import lattice_common.adapters
import lattice_common.ports
import pytest
from source_tree import COMMON, ROOT, imported_names, relative

CONTRACTS = ROOT / "tests" / "contract"

OPENED_BY = {
    "FastembedEmbedder": "open_embedder",
    "FastembedReranker": "open_reranker",
    "FileUpload": "FileJournal",
    "MemoryUpload": "MemoryJournal",
    "WriterQueue": "open_embedded",
}
"""Adapters that a suite gets from the function which makes them, as the product does."""


@functools.cache
def port_modules() -> list[str]:
    return sorted(path.stem for path in (COMMON / "ports").glob("*.py") if path.stem != "__init__")


@functools.cache
def protocols_of(port: str) -> list[type]:
    """The Protocols that a port's module defines."""
    module = importlib.import_module(f"lattice_common.ports.{port}")
    defined = [each for _, each in inspect.getmembers(module, inspect.isclass) if each.__module__ == module.__name__]
    return [each for each in defined if Protocol in each.__mro__]


@functools.cache
def members_of(protocol: type) -> set[str]:
    """What an implementation has to have, what the Protocol inherits included."""
    return {name for each in protocol.__mro__ if Protocol in each.__mro__ for name in vars(each) if not name.startswith("_")}


def classes_of_adapters() -> Iterator[type]:
    for found in pkgutil.walk_packages(lattice_common.adapters.__path__, "lattice_common.adapters."):
        module = importlib.import_module(found.name)
        for _, each in inspect.getmembers(module, inspect.isclass):
            # Any stream has `read` and `close`, which are all that a document reader has.
            if each.__module__ == module.__name__ and not each.__name__.startswith("_") and not issubclass(each, io.IOBase):
                yield each


def ports_of(adapter: type) -> set[str]:
    """The ports that a class is an adapter of.

    A Protocol that is wholly in another which the class has, too, says nothing: a dense index has all that a lexical one has.
    """
    had = [
        (port, members)
        for port in port_modules()
        for members in map(members_of, protocols_of(port))
        if members <= set(dir(adapter))
    ]
    return {port for port, members in had if not any(members < larger for _, larger in had)}


@functools.cache
def adapters() -> Mapping[str, frozenset[str]]:
    """Names of the classes that are adapters, by their port."""
    found: dict[str, set[str]] = {port: set() for port in port_modules()}
    for each in classes_of_adapters():
        for port in ports_of(each):
            found[port].add(each.__name__)
    return {port: frozenset(names) for port, names in found.items()}


def adapters_of(port: str) -> frozenset[str]:
    return adapters()[port]


def suite_of(port: str) -> Path:
    return CONTRACTS / f"test_{port}.py"


@pytest.mark.parametrize("port", port_modules())
def test_a_port_is_a_protocol_with_members(port: str) -> None:
    assert protocols_of(port)
    assert all(members_of(protocol) for protocol in protocols_of(port))


@pytest.mark.parametrize("port", port_modules())
def test_a_port_has_an_adapter_in_memory_and_another_that_is_shipped(port: str) -> None:
    adapters = adapters_of(port)
    in_memory = {name for path in (COMMON / "adapters" / "memory").glob("*.py") for name in adapters if defines(path, name)}
    assert in_memory, f"ports/{port}.py has no twin in adapters/memory"
    assert adapters - in_memory, f"ports/{port}.py has no adapter beside the one in memory"


def defines(path: Path, name: str) -> bool:
    return f"\nclass {name}" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("port", port_modules())
def test_every_adapter_of_a_port_runs_through_its_contract_suite(port: str) -> None:
    suite = suite_of(port)
    assert suite.exists(), f"write {relative(suite)}: what ports/{port}.py promises, on every adapter"
    imported = {name for _, name in imported_names(suite)}
    missing = {name for name in adapters_of(port) if not {name, OPENED_BY.get(name)} & imported}
    assert not missing, f"{relative(suite)} does not run on {', '.join(sorted(missing))}"


def test_the_search_for_adapters_finds_those_that_are_known() -> None:
    assert adapters_of("clock") == {"FixedClock", "SystemClock"}
    assert {"FileJournal", "MemoryJournal"} <= adapters_of("journal")
