"""What a language model is told, as files with versions: a change in wording is a new file, so that it can be measured."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_PLACE = re.compile(r"\{\{(\w+)\}\}")


def prompt(name: str, folder: str = __name__, /, **values: str) -> str:
    """Return the prompt in `<name>.md` of a package, with `{{key}}` replaced by what is given. Raise `KeyError` for a value that
    is missing.

    Values are put in once and not looked into: what stands in them cannot name another.
    """
    return _PLACE.sub(lambda match: values[match[1]], _text(name, folder)).strip()


@cache
def _text(name: str, folder: str) -> str:
    return files(folder).joinpath(f"{name}.md").read_text(encoding="utf-8")
