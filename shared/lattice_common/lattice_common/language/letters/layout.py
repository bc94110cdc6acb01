"""Words that programs set on pages and sheets, and that say nothing (numbers of pages, names of sheets); how letters greet."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex

_PAGE = r"page|seite|p\.|pag\.|página|pagina|strona|стр\."
_NUMBER = r"\s*\d{1,4}(?:\s*(?:/|of|von|de|di|van|z)\s*\d{1,4})?\W*"
PAGE = lazy_regex(rf"\W*(?:{_PAGE}){_NUMBER}", re.IGNORECASE)
PAGE_OR_NUMBER = lazy_regex(rf"\W*(?:{_PAGE})?{_NUMBER}", re.IGNORECASE)
"""What stands at the edge of a page: the number with or without a word for it."""

SHEETS = r"sheet|tabelle|feuille|feuil|foglio|hoja|planilha|blad|лист|arkusz"
UNNAMED_SHEET = lazy_regex(rf"(?:{SHEETS})\s?\d*", re.IGNORECASE)
"""What programs call a sheet that nobody named."""

GREETS = lazy_regex(r"(?:dear|hi|hello|hallo|liebe[rs]?|sehr geehrte[rs]?|guten tag)\b[^.!?]{0,60},$", re.IGNORECASE)
