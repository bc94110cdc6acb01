"""What is known of a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Language: TypeAlias = Literal["en", "de", "fr", "es", "it", "ru", "ja", "zh"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Words in small letters, with what they mean. What nothing in the product asks for stands empty."""

    months: Mapping[str, int] = field(default_factory=dict)
    """1 to 12."""
    short_months: Mapping[str, int] = field(default_factory=dict)
    """Without the full stop; those that the language has to itself or writes as English does."""
    weekdays: Mapping[str, int] = field(default_factory=dict)
    """0, Monday, to 6."""
    short_weekdays: Mapping[str, int] = field(default_factory=dict)
    seasons: Mapping[str, int] = field(default_factory=dict)
    """The month in which one begins: meteorological, northern half of the earth."""
    days: Mapping[str, int] = field(default_factory=dict)
    """Days by their distance from today."""
    stretches: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """The same in other units, in languages that have one word for it: unit and distance."""
    units: Mapping[str, str] = field(default_factory=dict)
    """Units of the calendar, by their English names."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Cardinals of one word, in order."""
    ordinals: Mapping[str, int] = field(default_factory=dict)
    times: Mapping[str, int] = field(default_factory=dict)
    """How often."""
    scales: Mapping[str, int] = field(default_factory=dict)
    """What a number is multiplied by."""
    about: Mapping[str, int] = field(default_factory=dict)
    """Numbers that are a guess by their own words, and what is meant by them."""
