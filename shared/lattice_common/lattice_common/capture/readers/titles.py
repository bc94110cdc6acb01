"""What looks like a heading and is none: totals, page numbers, the heads of columns."""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import re

from lattice_common.language.amounts import SUM
from lattice_common.language.letters.layout import PAGE

_FIGURE = re.compile(r"[\s:=.]*(?:[A-Z]{3}|[€$£¥])?\s?-?\d[\d.,'’ ]*(?:[A-Z]{3}|[€$£¥])?\W*|.{0,40}?\d[.,]\d\d\W*")
_WITH_AMOUNT = re.compile(
    r"(?:[€$£¥]|\b(?:EUR|USD|GBP|CHF|PLN))\s?-?\d[\d.,'’ ]*\W*\Z|\d[.,]\d\d\s?(?:[€$£¥]|EUR|USD|GBP|CHF|PLN|zł)\W*\Z"
)
_COLUMNS = frozenset(
    """item items description qty quantity price unit amount total date balance hours rate no no. pos pos. debit credit tax vat
    name text details reference ref sum cost value each discount code sku product service
    artikel bezeichnung beschreibung menge anzahl einzelpreis preis betrag gesamt gesamtpreis summe datum saldo soll haben nr
    nr. einheit mwst stück buchungstext valuta wert verwendungszweck
    désignation quantité prix montant unitaire libellé débit crédit solde
    descripción cantidad precio importe unidad fecha concepto cargo abono
    descrizione quantità prezzo importo data dare avere""".split()
)
FEWEST_COLUMNS = 3


def is_title(text: str) -> bool:
    """Return whether words that are set as a heading may be one."""
    words = " ".join(text.split())
    if PAGE.fullmatch(words) or _WITH_AMOUNT.search(words):
        return False
    total = SUM.match(words)
    if total and (_FIGURE.fullmatch(words, total.end()) or not words[total.end() :].strip(" :.")):
        return False
    named = words.lower().replace("/", " ").split()
    return not (len(named) >= FEWEST_COLUMNS and all(name.strip(":().,") in _COLUMNS or name in _COLUMNS for name in named))
