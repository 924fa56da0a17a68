"""How PyTensor is asked: by graphs of variables, which are not compiled."""

from __future__ import annotations

from typing import Any

from ...core.dtypes import DType
from ..library import Library


class PyTensor(Library):
    """PyTensor, whose arrays here are variables without values."""

    def configure(self, **setting: Any) -> None:
        """Set what floats are cast to."""
        import pytensor

        pytensor.config.floatX = setting["floatx"]
        pytensor.config.cast_policy = setting["cast_policy"]

    def filled(self, values: Any, d: DType) -> Any:
        """Return a variable with the shape of some values."""
        import numpy as np
        import pytensor.tensor as pt

        return pt.tensor("x", dtype=d.name, shape=np.shape(values))

    def ask(self, *operands: Any) -> str:
        """Return the dtype of a sum."""
        import pytensor.tensor as pt

        return self.name_of(pt.add(*operands))


LIBRARY = PyTensor(
    "pytensor",
    "pytensor==2.38.2",
    settings=(
        {"floatx": "float64", "cast_policy": "custom"},
        {"floatx": "float32", "cast_policy": "custom"},
        {"floatx": "float64", "cast_policy": "numpy+floatX"},
        {"floatx": "float32", "cast_policy": "numpy+floatX"},
    ),
    scalars=(True, 1, -1, 300, 2**31, 2**62, 2**63, 2**70, 1.0, 0.1, 1e300, 1j),
    calls={"reshape": "(x,(3,))"},
    unasked=("arange",),  # which takes numbers alone
    names={"true_divide": "true_div", "floor_divide": "int_div"},
    roots=("pytensor.tensor", "pytensor.tensor.linalg", "pytensor.tensor.fft"),
)
