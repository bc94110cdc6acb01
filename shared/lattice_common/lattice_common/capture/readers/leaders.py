"""Rows of dots that lead the eye from a label to its value: "Arrival .......... Saturday, 6 February 2027".

Old booking systems, menus and tables of contents are set so. Dots end no sentence there, and say nothing: a label and its value
become "Arrival: Saturday, 6 February 2027"; a title and the page that it is on stay apart, for they are no statement.
"""

from __future__ import annotations

import re

_DOTS = r"(?:(?:\.[ \t]?){5,}|(?:…[ \t]?){2,}|(?:·[ \t]?){5,})"
_LEADERS = re.compile(rf"\s*{_DOTS}\s*")
_PAIR = re.compile(rf"(?m)^(?P<label>[ \t]*[^\W\d_][^\n!?…]{{0,60}}?):?[ \t]+{_DOTS}[ \t]*(?P<value>[^\s.…·][^\n]*)$")
_ON_PAGE = re.compile(r"\w{1,6}\Z")
"""What a table of contents has behind its dots: the number of a page, also in Roman numerals."""


def with_pairs_of_leaders(text: str) -> str:
    """Return a text with each line of a label, dots and a value as "Label: value"; numbers alone may be those of pages."""
    if "..." not in text and ". ." not in text and "……" not in text and "··" not in text:
        return text
    return _PAIR.sub(lambda found: found[0] if _ON_PAGE.match(found["value"]) else f"{found['label']}: {found['value']}", text)


def without_leaders(line: str) -> str:
    """Return a line of a page without its row of dots: "Soup: 4.50", and of a table of contents "Tools … 12"."""
    if "..." not in line and ". ." not in line:
        return line
    return _LEADERS.sub(" … ", with_pairs_of_leaders(line))
