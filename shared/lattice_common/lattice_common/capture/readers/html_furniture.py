"""What of a web page is its site and not its text: menus, banners about cookies, buttons to share, what else there is to read.

By the names that people give to such parts. A name counts only when nothing in it speaks of anything else ("cookie-banner", not
"has-sidebar"), and parts that hold the text itself are never looked at. Whoever reads a page looks whether most of it went.
"""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import re
from collections.abc import Mapping

_LOOKED_AT = frozenset("div section ul ol dl p span a sup form table aside".split())
_ROLES = frozenset("navigation contentinfo search dialog alertdialog menubar toolbar tooltip".split())
_FURNITURE = frozenset(
    """nav navbar navigation breadcrumb breadcrumbs cookie cookies consent gdpr ccpa sidebar share sharing social related
    recommended newsletter subscribe signup advert adverts advertisement ads sponsored promo pagination pager skip masthead
    paywall popup popover tooltip toolbar""".split()
)
_BESIDE = frozenset(
    """site page main global primary secondary top bottom left right mobile desktop header footer container wrapper wrap inner
    outer bar banner notice box block section area list links link buttons button icons icon media form widget posts post
    articles article stories items overlay modal message content module component panel region row group to js the and
    menu""".split()
)
_SITES = frozenset("main site nav mobile top primary header footer user global dropdown".split())
"""Of what a menu, a header or a footer is, where it is not one of dishes, of a letter, of an article."""
_NAMED = frozenset(
    """mw-editsection mw-jump-link navbox catlinks printfooter noprint no-print d-print-none sr-only visually-hidden
    screen-reader-text skip-link toc headerlink hash-link anchor-link""".split()
)
"""What wikis and other programs call such parts."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


def is_furniture(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """Return whether the part of a page that begins with this tag is none of its text."""
    if tag not in _LOOKED_AT:
        return False
    if (attributes.get("role") or "").lower() in _ROLES:
        return True
    names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"[:500].split()
    if tag == "sup":
        return "reference" in names  # [1]
    return any(name.lower() in _NAMED or (tag != "a" and _names_furniture(name)) for name in names)


def _names_furniture(name: str) -> bool:
    words = {word.lower() for word in _WORD.findall(name)}
    if words and words <= _FURNITURE | _BESIDE and words & _FURNITURE:
        return True
    of_site = words & {"menu", "header", "footer"}
    return bool(of_site) and bool((words - of_site) & _SITES) and words <= _BESIDE | _SITES
