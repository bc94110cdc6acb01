"""Rows are listed while the writer takes some away: only rows that exist are among them."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
from lattice_common.adapters.embedded.columns import ColumnStore

ROWS = 4_096
ROUNDS = 20_000


def test_rows_that_go_while_they_are_listed_leave_no_others() -> None:
    alive = np.ones(ROWS, dtype=bool)
    columns = replace(ColumnStore().columns(), count=ROWS, alive=alive)
    over = threading.Event()

    def goes_and_comes() -> None:
        while not over.is_set():
            alive[ROWS // 2 :] = False
            alive[ROWS // 2 :] = True

    writer = threading.Thread(target=goes_and_comes)
    writer.start()
    try:
        for _ in range(ROUNDS):
            rows = columns.living()
            assert rows[-1] < ROWS
            assert rows[0] == 0
            assert (np.diff(rows) > 0).all()
    finally:
        over.set()
        writer.join()
