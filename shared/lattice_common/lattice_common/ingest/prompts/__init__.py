"""The words that a language model is asked with: one file for each source type, what all share, and their versions.

The first line of a file is its version; it counts up when the file's words change. An atom's `extractor` names both versions of
the words that it was found with (`model:llama3:chat-1.1`), so that what older words found can be told.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from lattice_common.domain.formats import PROMPTS


@dataclass(frozen=True, slots=True)
class Prompt:
    """`version` is `<file>-<its version>.<version of what all share>`."""

    version: str
    words: str


@cache
def prompt_for(source_type: str) -> Prompt:
    """Return how to read a text of this type; one that is not known is read as plain text."""
    name = "chat" if source_type == "chat" else PROMPTS.get(source_type, "plain")
    shared, own = _read("facts"), _read(name)
    return Prompt(f"{name}-{own.version}.{shared.version}", f"{shared.words}\n{own.words}")


@cache
def supersede_prompt() -> Prompt:
    """Return how to choose among older statements."""
    read = _read("supersede")
    return Prompt(f"supersede-{read.version}", read.words)


def _read(name: str) -> Prompt:
    head, _, words = files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8").partition("\n")
    return Prompt(head.removeprefix("version:").strip(), words.strip() + "\n")
