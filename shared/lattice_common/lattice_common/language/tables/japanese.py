"""Japanese."""

from __future__ import annotations

from lattice_common.language.table import Table

TABLE = Table(
    stretches={
        "一昨日": ("day", -2), "昨日": ("day", -1), "今日": ("day", 0), "明日": ("day", 1), "明後日": ("day", 2),
        "先週": ("week", -1), "今週": ("week", 0), "来週": ("week", 1), "先月": ("month", -1), "今月": ("month", 0),
        "来月": ("month", 1), "去年": ("year", -1), "昨年": ("year", -1), "今年": ("year", 0), "来年": ("year", 1),
    },
)  # fmt: skip
