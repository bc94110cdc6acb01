"""fastembed's custom models in sessions whose 8-bit products are exact on every processor.

Without VNNI instructions onnxruntime's products of unsigned by signed bytes add two in 16 bits, which may overflow: twice
255 · 127 does. An option makes it convert the weights and take a slower product. It takes that also where nothing overflows (1.8
times the time on an AMD EPYC 9005 with AVX-512 VNNI), so the product is tried first.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fastembed.text.custom_text_embedding import CustomTextEmbedding

# One node, `c = MatMulInteger(a, b)`, in operator set 17.
PRODUCT = (
    b'\x08\x08:>\n\x18\n\x01a\n\x01b\x12\x01c"\rMatMulInteger\x12\x01pZ\t\n'
    b"\x01a\x12\x04\n\x02\x08\x02Z\t\n\x01b\x12\x04\n\x02\x08\x03b\t\n\x01c\x12\x04\n\x02\x08\x06B\x04\n\x00\x10\x11"
)
# More than one register's worth of rows, sums and columns, so that it is the product that the model's layers come to.
_ROWS, _SUMMED, _COLUMNS = 16, 64, 32


@cache
def exact_text_embedding() -> type[CustomTextEmbedding]:
    """Return fastembed's class for custom models, changed to load them so."""
    # Importing fastembed takes 0.7 s and opens a socket: only who embeds should do so.
    from fastembed.text.custom_text_embedding import CustomTextEmbedding

    class ExactTextEmbedding(CustomTextEmbedding):
        @classmethod
        def add_extra_session_options(cls, session_options: Any, extra_options: dict[str, Any]) -> None:
            if products_overflow():
                session_options.add_session_config_entry("session.x64quantprecision", "1")
            share_memory(session_options)
            super().add_extra_session_options(session_options, extra_options)

    return ExactTextEmbedding


@cache
def products_overflow() -> bool:
    """Return whether products of the largest 8-bit numbers come out wrong on this processor. Takes 1 ms, once."""
    import onnxruntime  # 0.1 s, as above

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(PRODUCT, options, providers=["CPUExecutionProvider"])
    largest = {"a": np.full((_ROWS, _SUMMED), 255, np.uint8), "b": np.full((_SUMMED, _COLUMNS), 127, np.int8)}
    (sums,) = session.run(None, largest)
    return bool((sums != 255 * 127 * _SUMMED).any())


def share_memory(options: Any) -> None:
    """Let a session that is made with these options take the memory of its runs from one arena of the process.

    By itself each session keeps as much as its largest runs ever took: six of them, of texts of all lengths, 318 MB after 600
    runs, and still more with each; together 71 MB from the 150th run on, at the same time of the processor.
    """
    _register_arena()
    options.add_session_config_entry("session.use_env_allocators", "1")


@cache
def _register_arena() -> None:
    import onnxruntime  # 0.1 s, as above

    memory = onnxruntime.OrtMemoryInfo("Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT)
    # -1: as onnxruntime sets it by itself.
    growth = onnxruntime.OrtArenaCfg(
        {
            "max_mem": 0,
            "arena_extend_strategy": -1,
            "initial_chunk_size_bytes": -1,
            "max_dead_bytes_per_chunk": -1,
            "initial_growth_chunk_size_bytes": -1,
        }
    )
    onnxruntime.create_and_register_allocator(memory, growth)
