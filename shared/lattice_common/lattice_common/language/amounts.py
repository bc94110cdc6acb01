"""Amounts of money, and of other things that are counted in one unit, in the words of a statement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.text import stem

_SIGNS = {"€": "euros", "$": "dollars", "£": "pounds"}
_CURRENCIES = {
    "euro": "euros", "euros": "euros", "eur": "euros", "dollar": "dollars", "dollars": "dollars", "usd": "dollars",
    "pound": "pounds", "pounds": "pounds", "quid": "pounds", "gbp": "pounds", "franc": "francs", "francs": "francs",
    "chf": "francs", "zloty": "zloty", "pln": "zloty", "kroner": "kroner", "kronor": "kronor", "kr": "kroner", "nok": "kroner",
    "dkk": "kroner", "sek": "kronor", "yen": "yen", "rupees": "rupees", "lira": "lira", "pesos": "pesos", "forint": "forint",
    "koruna": "koruna", "czk": "koruna",
}  # fmt: skip
_FIGURE = r"\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?"
_AMOUNT = lazy_regex(
    rf"(?P<sign>[€$£]) ?(?P<after>{_FIGURE})(?![\d.,]*\d)|(?<![\d.,])(?P<before>{_FIGURE}) ?(?P<unit>[€$£]|[a-z]+)"
)
CURRENCY_WORDS = frozenset(_CURRENCIES)
FIGURE = lazy_regex(_FIGURE)
PAID = lazy_regex(
    r"(?:\b(?:paid|pay|costs?|charged?|charges|wanted|wants|spent|took|came to|for|another|about|repairs?|plus) "
    rf"(?:(?:us|me|him|her|them|about|another) )*|[,:] (?:another )?)(?P<bare>{_FIGURE})(?![\d.,:]*[\d%])"
    r"(?= ?(?:[.,;!)]|$|this time\b|plus\b|and\b|for\b|at\b|from\b|in all\b|back\b))"
)
"""An amount without a currency: "the tuner came, 75", "the fitter wants 900 for the labour"."""
MOVED = lazy_regex(
    rf"(?<!\bon )(?<!\bat )(?<!\bby )(?<!\bthe )(?<![\w.,:/-])(?P<bare>{_FIGURE})(?![\d.,:/]*[\d%])"
    r"(?= ?(?:[.,;!)]|$|more\b|of (?:what|it|the|that|his|her|their)\b|(?:for|to|from|off|back|and|on|in|today|last)\b))"
)
"""An amount without a currency, of money that changed hands: "gave me another 50 of what he owes"."""
_YEAR = range(1900, 2101)
_RATE = lazy_regex(r"^ ?(?:a|an|per|each|every|/) ?(?:hour|day|night|week|month|quarter|year|piece|person|head|kilo|litre|metre)")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as it is written, its value, and its unit, which is empty where it goes without saying."""

    figure: str
    value: Decimal
    unit: str


def amounts_in(content: str, wanted: str | None, *, bare: re.Pattern[str] | None = None) -> Iterator[Amount]:
    """Yield each amount of money, or of what is wanted; a rate is none. `bare` finds those whose currency goes
    without saying."""
    lowered = content.lower()
    found: dict[int, Amount] = {}
    for match in _AMOUNT.finditer(lowered):
        name = "after" if match["after"] else "before"
        word = match["sign"] or match["unit"]
        currency = _SIGNS.get(word) or _CURRENCIES.get(word)
        unit = currency if wanted is None else word if stem(word) == wanted else None
        if unit and not _RATE.match(lowered[match.end() :]):
            found[match.start(name)] = Amount(match[name], _number(match[name]), unit)
    for match in bare.finditer(lowered) if bare is not None else ():
        value = _number(match["bare"])
        if value not in _YEAR:
            found.setdefault(match.start("bare"), Amount(match["bare"], value, ""))
    yield from (found[at] for at in sorted(found))


def _number(figure: str) -> Decimal:
    """Return the value of a number as people write it: 1,200 and 1.200 and 1 200 are thousands, 12,50 and 12.50 are not."""
    groups = re.split(r"[.,' ]", figure)
    if len(groups) > 1 and len(groups[-1]) < 3:
        return Decimal(f"{''.join(groups[:-1])}.{groups[-1]}")
    return Decimal("".join(groups))


SUM = lazy_regex(
    r"(?:(?:grand|sub|sum|net|gross|order|invoice|closing|opening|new|old|amount|total|balance|carried|brought)[ -]?){0,2}"
    r"(?:totals?|sum|balance|amount|due|forward|vat|tax|payable)\b(?! \w*chol)|"
    r"(?:zwischen|end|gesamt|rechnungs|netto|brutto)?(?:summe|betrag|saldo|gesamt|netto|brutto|mwst|ust|übertrag)\b|"
    r"(?:sous-?total|montant|solde|tva|net à payer)\b|(?:suma|importe|saldo|iva|subtotal)\b|(?:totale|imponibile|importo)\b|"
    r"(?:totaal|subtotaal|btw|bedrag)\b|(?:razem|suma|kwota)\b",
    re.IGNORECASE,
)
"""How the label of a sum, a tax, a balance or what is due begins, in seven languages."""
