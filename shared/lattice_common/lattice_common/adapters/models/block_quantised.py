"""Weight matrices in 8 bits, laid out as onnxruntime's operator `MatMulNBits` reads them.

Every block of 64 weights along the input has its own scale, and its numbers are whole steps of it on both sides of zero, which
is written as 128, the operator's zero where none is given. A weight is off by half a step at most: 0.4 % of the largest in its
block.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

BITS = 8
# Of 32, 64 and 128: 32 was slower, and with 128 a text's vector depended on what stood beside it in the batch.
BLOCK = 64

_ZERO = 128
_STEPS = 127
_SMALLEST = np.float32(np.finfo(np.float32).tiny * 256)


def quantised(matrix: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Numbers (out, in / 64, 64) and their scales (out, in / 64) for a matrix (out, in), `in` a multiple of 64.

    The matrix is about (numbers - 128) * scale.
    """
    blocks = matrix.reshape(matrix.shape[0], -1, BLOCK)
    largest = np.abs(blocks).max(axis=2)
    # A block of zeros, or of numbers so small that a step of them is none any more, is zeros of any step.
    scales = np.where(largest > _SMALLEST, largest / np.float32(_STEPS), np.float32(1)).astype("<f4")
    numbers = np.rint(blocks / scales[..., np.newaxis]) + _ZERO
    return numbers.astype(np.uint8), scales
