"""What kind of text it is, where nobody said so."""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import re

from lattice_common.domain.capture import Capture, SourceType

_BY_ENDING: dict[str, SourceType] = {
    "md": "markdown",
    "markdown": "markdown",
    "mdx": "markdown",
    "txt": "plain",
    "text": "plain",
    "log": "plain",
}
_CODE = frozenset(
    """py pyi js jsx ts tsx mjs java kt kts scala go rs c h cc cpp hpp cs rb php swift m sh bash zsh fish ps1 sql lua r jl pl
    ex exs erl hs clj ml vue svelte css scss tf proto""".split()
)
LOOKED_AT = 20_000
"""Characters from the beginning that are enough to tell."""

_MARKDOWN = re.compile(
    r"^(?:#{1,6} \S|[-*+] \[[ xX]\] |```|~~~|> \S|\|.*\|[ \t]*$|---[ \t]*$)|\[[^\]\n]{1,80}\]\([^)\n]{1,200}\)|"
    r"\*\*[^*\n]{1,80}\*\*",
    re.MULTILINE,
)
_STRONG_MARKDOWN = re.compile(r"\A---\n|^(?:#{1,6} \S|```|\|[ \t]*:?-{2,}|[-*+] \[[ xX]\] )", re.MULTILINE)
_BULLETS = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\S", re.MULTILINE)
_CODE_LINE = re.compile(
    r"[ \t]*(?:def |class |import |from [\w.]+ import |function |const |let |var |public |private |"
    r"return\b|if \(|for \(|while \(|#include|package |func |fn |"
    r"(?:for|if|elif|while|with|except|try|else)\b[^.!?]*:$|"
    r"SELECT |INSERT |CREATE |@\w+|[{}\])];?,?$|\w[\w.]* ?(?:=|\+=|:=) ?[\w\"'\[({]|\w[\w.]*\([^)]*\);?$)"
)


def source_type_of(capture: Capture) -> SourceType:
    """Return the type given, else the one of the title's ending, else that of the text's structure, else plain."""
    if capture.source_type is not None and capture.source_type != "chat":
        return capture.source_type
    ending = (capture.title or "").rpartition(".")[2].lower()
    if ending in _BY_ENDING:
        return _BY_ENDING[ending]
    if ending in _CODE or capture.source == "code":
        return "code"
    text = capture.text[:LOOKED_AT]
    if _looks_like_code(text):
        return "code"
    if _STRONG_MARKDOWN.search(text) or len(_MARKDOWN.findall(text)) >= 2 or len(_BULLETS.findall(text)) >= 2:
        return "markdown"
    return "plain"


_COMMENT_LINE = re.compile(r"[ \t]*(?:#|//|--\s|/?\*)")
_DEFINES = re.compile(
    r"(?m)^[ \t]*(?:async )?(?:def|class|function|func|fn|const|let|var|import|public|private|export)\b.*[:;({]"
)


def _looks_like_code(text: str) -> bool:
    """Return whether most lines are statements: half of at least four, or of three where one defines something. Comments count
    for neither side, and a fence around them is markdown's."""
    if "```" in text:
        return False
    lines = [line for line in text.splitlines() if line.strip()]
    stated = [line for line in lines if not _COMMENT_LINE.match(line)]
    least = 3 if _DEFINES.search(text) else 4
    return (
        len(lines) >= 4 and len(stated) >= least and sum(bool(_CODE_LINE.match(line[:200])) for line in stated) * 2 >= len(stated)
    )
