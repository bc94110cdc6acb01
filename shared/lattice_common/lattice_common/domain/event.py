"""The closed vocabulary of log events."""

from __future__ import annotations

from typing import Literal, TypeAlias

Event: TypeAlias = Literal[
    "stopped",
    "store_opened",
    "store_repaired",
    "index_emptied",
    "model_loaded",
    "model_missing",
    "capture_accepted",
    "capture_finished",
    "capture_failed",
    "capture_dead",
    "extraction_failed",
    "model_unavailable",
    "reading_again",
    "writer_waits",
    "writer_failed",
    "sweep",
    "atom_unreadable",
    "hand_edits_followed",
    "atoms_not_watched",
    "subjects_not_written",
    "selected",
    "answered",
    "request_failed",
    "inbox_taken",
    "inbox_left",
    "reader_started",
    "reader_killed",
    "file_reading",
    "file_read",
    "file_unreadable",
    "rebuilt",
    "trash_emptied",
    "graph_serves",
    "queue_away",
    "index_behind",
    "index_caught_up",
]
