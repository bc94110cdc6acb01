"""How long something takes of the processor, by itself."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def processor_seconds(do: Callable[[], object]) -> float:
    """Run it without a collection in between: one of the whole heap that thousands of tests left is a quarter of a second."""
    gc.disable()
    try:
        began = time.thread_time()
        do()
        return time.thread_time() - began
    finally:
        gc.enable()
