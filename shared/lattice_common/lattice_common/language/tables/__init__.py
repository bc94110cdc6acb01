"""The languages that are known, one a file."""

from __future__ import annotations

from collections.abc import Mapping

from lattice_common.language.table import Language, Table
from lattice_common.language.tables import chinese, english, french, german, italian, japanese, portuguese, russian, spanish

TABLES: Mapping[Language, Table] = {
    "en": english.TABLE,
    "de": german.TABLE,
    "fr": french.TABLE,
    "es": spanish.TABLE,
    "it": italian.TABLE,
    "pt": portuguese.TABLE,
    "ru": russian.TABLE,
    "ja": japanese.TABLE,
    "zh": chinese.TABLE,
}
