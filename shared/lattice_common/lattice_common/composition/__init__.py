"""The composition root: settings in, a product out. Only here do adapters meet verbs.

`writer` composes what writes; `reader` and `read_only` compose what only reads; each uses `storage`, `engines` and `models`, and
`product` makes the `Lattice` over any of them. `memory.open_in_memory` does the same without a disk, for tests; `spaces` opens
the memories of several owners side by side.
"""

from __future__ import annotations

from lattice_common.composition.models import Model, load_model, model_for
from lattice_common.composition.read_only import ReadingOnly, open_as_it_can, open_reading_only
from lattice_common.composition.reader import Reader, open_reader
from lattice_common.composition.spaces import OpenSpaces, keep_first, open_space_readers, open_spaces
from lattice_common.composition.writer import Embedded, HeldLock, open_embedded, open_writer, take_lock

__all__ = [
    "Embedded",
    "HeldLock",
    "Model",
    "OpenSpaces",
    "Reader",
    "ReadingOnly",
    "keep_first",
    "load_model",
    "model_for",
    "open_as_it_can",
    "open_embedded",
    "open_reader",
    "open_reading_only",
    "open_space_readers",
    "open_spaces",
    "open_writer",
    "take_lock",
]
