"""Chinese, beside the words that it writes as Japanese does."""

from __future__ import annotations

from lattice_common.language.table import Table

TABLE = Table(
    stretches={
        "前天": ("day", -2), "昨天": ("day", -1), "今天": ("day", 0), "明天": ("day", 1), "后天": ("day", 2),
        "上周": ("week", -1), "下周": ("week", 1), "明年": ("year", 1),
    },
)  # fmt: skip
