"""What is measured, whatever it is, and what all of them are given.

Nothing here needs the product: peers are measured in an environment that has only Lattice's embedder of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

from lattice_common.adapters.models.open_embedder import open_embedder
from lattice_common.ports.embedder import Embedder
from platformdirs import user_cache_path

THREADS = 2
"""Of the embedder, for every system: the machine that is meant has two cores."""


@dataclass(frozen=True, slots=True)
class Told:
    """A text as a peer is told it: an id, one string, and when it was said."""

    id: str
    text: str
    at: str | None


class System(Protocol):
    """A memory in a folder of its own."""

    def version(self) -> str:
        """What is measured, with the versions that matter."""
        ...

    def tell(self, texts: Sequence[Told]) -> None:
        """Take the texts in, one by one; when this returns all of them can be found."""
        ...

    def settle(self) -> None:
        """Do what is left to do with what was told, if anything is."""
        ...

    def find(self, question: str, limit: int) -> list[str]:
        """The ids of the texts that the first `limit` results come from, best first."""
        ...

    def close(self) -> None:
        """Write what is not yet written."""
        ...


def embedder() -> Embedder:
    """The packaged model as the product runs it, without its glosses of other languages: all texts here are English."""
    opened = open_embedder("all-MiniLM-L6-v2", cache_dir=user_cache_path("lattice") / "models", threads=THREADS, glosses="no")
    assert opened is not None
    return opened


def versions(*packages: str) -> str:
    return ", ".join(f"{package} {version(package)}" for package in packages)


def made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
