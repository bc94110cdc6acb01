"""A spreadsheet's numbers as people read them in its cells: dates, percentages, currencies, units, leading zeros.

Dates are ISO 8601 whatever the country of the sheet, months stay months ("March 2026"); thousands are not grouped, because the
sign between them differs from country to country. The codes are those of ECMA-376 part 1, section 18.8.31.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

from lattice_common.language.words import ENGLISH_MONTHS

BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: '"$"#,##0', 6: '"$"#,##0', 7: '"$"#,##0.00', 8: '"$"#,##0.00', 9: "0%",
    10: "0.00%", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm",
    21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 27: "yyyy-mm-dd", 30: "yyyy-mm-dd", 36: "yyyy-mm-dd", 50: "yyyy-mm-dd",
    57: "yyyy-mm-dd", 37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00", 42: '"$"#,##0', 44: '"$"#,##0.00', 45: "mm:ss",
    46: "[h]:mm:ss", 47: "mm:ss",
}  # fmt: skip
"""The codes that files name by number only (section 18.8.30)."""

_MONTHS = [month.capitalize() for month in ENGLISH_MONTHS]
_TOKEN = re.compile(
    r"\"(?P<quoted>[^\"]*)\"|\\(?P<escaped>.)|\[\$(?P<currency>[^\]-]*)[^\]]*\]|(?P<elapsed>\[(?:h+|m+|s+)\])|\[[^\]]*\]|[_*].|"
    r"(?P<clock>AM/PM|A/P)|(?P<digits>[0#?](?:[0#?,.]*[0#?.,])?)|(?P<power>E[+-])|(?P<date>[ymdhs]+)|(?P<general>General)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
LONGEST_CODE = 255
_EXACT = Context(prec=1000)
"""Digits enough for any number of a spreadsheet (15, and up to 308 noughts) with as many decimals as a code has room for."""
GENERAL_WIDTH = 11
"""Characters of a number in a cell without a format, its point counted: ECMA-376 part 1, section 18.8.30 (General)."""


@dataclass(frozen=True, slots=True)
class _Format:
    """What a code asks for. `dated` are the letters of its date parts; `decimals` is None for as many as there are."""

    before: str = ""
    after: str = ""
    decimals: int | None = None
    whole: int = 0
    scale: int = 0
    dated: str = ""
    elapsed: bool = False
    general: bool = False
    """Whether the cell has no format of its own: as many decimals as there is room for."""


def number_text(value: float, code: str, *, epoch_1904: bool = False) -> str:
    """Return `value` as a cell with the format `code` shows it."""
    form = _parsed(code[:LONGEST_CODE])
    if form.elapsed:
        return _elapsed(value, exact=form.dated == "s")
    if form.dated:
        return _moment(value, form.dated, epoch_1904=epoch_1904) or plain_number(value)
    # A spreadsheet reckons with 15 digits, and rounds halves away from zero.
    number = Decimal(f"{value:.15g}").scaleb(form.scale)
    shown = plain_number(float(number)) if form.scale else plain_number(value)
    if number.is_finite() and number != number.to_integral_value() and abs(number) < 10**15:
        decimals = form.decimals if form.decimals is not None else _general_decimals(number) if form.general else None
        if decimals is not None:
            shown = f"{_rounded(number, decimals):f}"
            shown = shown.rstrip("0").rstrip(".") if form.general and "." in shown else shown
    sign, digits = ("-", shown[1:]) if shown.startswith("-") else ("", shown)
    if form.whole > 1 and digits.isdigit():
        digits = digits.zfill(form.whole)
    return f"{sign}{form.before}{digits}{form.after}".strip()


def _general_decimals(number: Decimal) -> int:
    """Return how many decimals a cell without a format has room for: two at least, so that no amount loses its cents, and more
    where a number begins behind its point."""
    before = number.adjusted() + 1
    return max(2, GENERAL_WIDTH - 1 - max(1, before)) - min(0, before)


def _rounded(number: Decimal, decimals: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, _EXACT)


def plain_number(value: float) -> str:
    """Return a number without a format: 1 and not 1.0, 0.3 and not 0.30000000000000004, never with an exponent."""
    if value != value or value in (float("inf"), float("-inf")):
        return ""
    if value == int(value) and abs(value) < 10**15:
        return str(int(value))
    text = f"{Decimal(f'{value:.15g}'):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


@lru_cache(maxsize=512)
def _parsed(code: str) -> _Format:
    before, after, dated = "", "", ""
    decimals: int | None = None
    whole = scale = 0
    numeric = general = not code.strip()
    for match in _TOKEN.finditer(_first_section(code)):
        kind, text = match.lastgroup, match[0]
        if kind == "elapsed":
            return _Format(dated="s" if "s" in code.lower() else "h", elapsed=True)
        if kind in ("date", "clock"):
            dated += text.lower() if kind == "date" else ""
        elif kind == "digits":
            if numeric:
                # "000-00-0000", "# ?/?": literals among the digits. Shown without a format.
                return _Format()
            numeric, general = True, False
            digits, _, fraction = text.partition(".")
            decimals = len(re.sub(r"[^0#?]", "", fraction)) if "0" in text or fraction else 0
            whole = digits.count("0")
            scale = -3 * (len(text) - len(text.rstrip(",")))
        elif kind == "power":
            return _Format()
        elif kind == "general":
            numeric = general = True
        elif kind is not None:
            literal = match[kind]
            if literal == "%":
                scale += 2
            if numeric:
                after += literal
            else:
                before += literal
    if dated:
        return _Format(dated=dated)
    before, after = (" ".join(part.replace("(", "").replace(")", "").split(" ")) for part in (before, after))
    return _Format(before, after, decimals, whole, scale, general=general) if numeric else _Format()


def _first_section(code: str) -> str:
    """Return the format up to the first semicolon that is not quoted: the one of positive numbers."""
    quoted = False
    for at, char in enumerate(code):
        if char == '"':
            quoted = not quoted
        elif char == ";" and not quoted:
            return code[:at]
    return code


def _moment(value: float, letters: str, *, epoch_1904: bool) -> str | None:
    """Return the date, the time or both that the serial number `value` stands for; None outside of the calendar."""
    if not 0 <= value < 2_958_466:
        return None
    timed = "h" in letters or "s" in letters
    if not ("d" in letters or "y" in letters or ("m" in letters and not timed)):
        return _clock(value % 1, exact="s" in letters)
    # Excel's calendar has a 29 February 1900, which Lotus 1-2-3 had by mistake: before it, days are one further on.
    start = datetime(1904, 1, 1) if epoch_1904 else datetime(1899, 12, 30 if value >= 60 else 31)  # noqa: DTZ001 - a cell has no zone
    try:
        moment = start + timedelta(days=int(value))
    except OverflowError:
        return None
    clock = _clock(value % 1) if timed else ""
    if "d" not in letters and not timed:
        return f"{_MONTHS[moment.month - 1]} {moment.year}" if "m" in letters else str(moment.year)
    return f"{moment:%Y-%m-%d} {clock}" if clock and clock != "00:00" else f"{moment:%Y-%m-%d}"


def _clock(fraction: float, *, exact: bool = False) -> str:
    """Return a time of day, with its seconds where it has any, or the format is `exact`: "00:38:00" is no 38 seconds."""
    seconds = min(round(fraction * 86_400), 86_399)
    text = f"{seconds // 3600:02}:{seconds % 3600 // 60:02}"
    return f"{text}:{seconds % 60:02}" if seconds % 60 or exact else text


def _elapsed(value: float, *, exact: bool) -> str:
    seconds = round(abs(value) * 86_400)
    text = f"{'-' if value < 0 else ''}{seconds // 3600}:{seconds % 3600 // 60:02}"
    return f"{text}:{seconds % 60:02}" if seconds % 60 or exact else text
