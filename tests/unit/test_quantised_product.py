"""Linear layers in 8 bits: what their numbers stand for, and how far off a product of them may be."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from lattice_common.adapters.models.exact_sessions import PRODUCT, products_overflow
from lattice_common.adapters.models.quantised_product import QuantisedProduct, quantised
from onnx import load_model_from_string

Floats = npt.NDArray[np.float32]

INPUTS, OUTPUTS, TEXTS = 24, 5, 3


def _product(made: QuantisedProduct, features: Floats) -> npt.NDArray[np.float64]:
    """What the graph computes: in whole numbers, but for the exceptions."""
    scaled = features if made.divisors is None else features / made.divisors
    numbers = np.clip(np.rint(scaled / made.step) + made.zero, 0, 255).astype(np.int64) - made.zero
    sums = (numbers @ made.weights.astype(np.int64)).astype(np.float64) * made.step * made.scales
    exact = features[:, made.exceptions].astype(np.float64) @ made.exception_weights
    return np.asarray(sums + exact)


def _most_off(made: QuantisedProduct, matrix: Floats, features: Floats) -> npt.NDArray[np.float64]:
    """A number of the input is off by half a step at most (a whole one where the range's end is cut), a weight by half of its."""
    divisors = np.ones(INPUTS) if made.divisors is None else made.divisors.astype(np.float64)
    inputs, weights = made.step * divisors, made.scales[:, np.newaxis] / divisors
    of_input, of_weights = inputs @ np.abs(matrix).T, (np.abs(features) + inputs) @ np.abs(weights).T * 0.5
    bound: npt.NDArray[np.float64] = (of_input + of_weights) * 1.001 + 1e-3 * np.abs(features) @ np.abs(matrix).T + 1e-4
    return bound


@given(
    arrays(np.float32, (OUTPUTS, INPUTS), elements=st.floats(-4, 4, width=32)),
    arrays(np.float32, (TEXTS, INPUTS), elements=st.floats(-8, 8, width=32)),
    st.booleans(),
    st.integers(0, 4),
)
def test_a_product_is_off_by_half_steps_only(matrix: Floats, features: Floats, smoothed: bool, exceptions: int) -> None:
    made = quantised(matrix, np.abs(features).max(axis=0), smoothed=smoothed, exceptions=exceptions)
    off = np.abs(_product(made, features) - features.astype(np.float64) @ matrix.T)
    assert (off <= _most_off(made, matrix, features)).all()


def test_one_large_feature_spoils_the_others_unless_it_is_smoothed_or_excepted() -> None:
    rng = np.random.default_rng(5)
    matrix = rng.normal(size=(OUTPUTS, INPUTS)).astype(np.float32)
    features = rng.normal(size=(200, INPUTS)).astype(np.float32)
    features[:, 7] *= 200
    largest, exact = np.abs(features).max(axis=0), features.astype(np.float64) @ matrix.T

    def off(made: QuantisedProduct) -> float:
        return float(np.abs(_product(made, features) - exact).mean())

    plain = off(quantised(matrix, largest))
    assert off(quantised(matrix, largest, exceptions=1)) < plain / 20
    assert off(quantised(matrix, largest, smoothed=True)) < plain / 1.5


def test_a_range_to_one_side_takes_steps_half_as_long() -> None:
    matrix, largest = np.ones((OUTPUTS, INPUTS), np.float32), np.full(INPUTS, 6.0, np.float32)
    both, one = quantised(matrix, largest), quantised(matrix, largest, lowest=-0.17)
    assert one.step < both.step * 0.52
    assert (both.zero, one.zero) == (128, 7)


def test_features_and_weights_that_are_always_zero_stay_zero() -> None:
    made = quantised(np.zeros((OUTPUTS, INPUTS), np.float32), np.zeros(INPUTS, np.float32), smoothed=True, exceptions=2)
    assert np.isfinite(made.scales).all()
    assert made.step > 0
    np.testing.assert_array_equal(_product(made, np.zeros((2, INPUTS), np.float32)), 0)


def test_whether_products_overflow_is_found_out_with_a_product() -> None:
    probe = load_model_from_string(PRODUCT)
    assert [node.op_type for node in probe.graph.node] == ["MatMulInteger"]
    assert products_overflow() in (True, False)


def test_a_wrong_product_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Saturating:
        def __init__(self, *_: object, **__: object) -> None: ...

        def run(self, _: object, given: dict[str, npt.NDArray[np.int64]]) -> list[npt.NDArray[np.int64]]:
            pairs = given["a"].astype(np.int64)[:, ::2, np.newaxis] * given["b"].astype(np.int64)[::2]
            return [np.clip(2 * pairs, None, 32_767).sum(axis=1)]

    monkeypatch.setattr("onnxruntime.InferenceSession", Saturating)
    assert products_overflow.__wrapped__() is True
