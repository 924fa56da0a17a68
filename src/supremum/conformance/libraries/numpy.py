"""How NumPy is asked: ``np.result_type``, and its operators on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Final

from ...core.dtypes import DType
from ...core.functions import FUNCTIONS
from ...core.operands import Operand
from ..library import Library

# These multiply Python objects if the dtypes do not join, and give one, or an array of them.
OF_OBJECTS: Final = ("dot", "inner", "vdot")


_RANDOM: Final = """
    rand randn random standard_normal standard_exponential normal uniform randint permutation choice
    exponential laplace gumbel logistic lognormal rayleigh integers
"""
NAMES: Final = {name: f"random.{name}" for name in _RANDOM.split()}
"""The functions that are in a module of their own."""

CALLS: Final = {"gradient": "(x)", "randint": "(3,size=3)"}  # the spacing decides nothing
"""How functions are called, if not as the catalogue has it."""


class NumPy(Library):
    """NumPy, of any version."""

    def within(self, **_: Any) -> AbstractContextManager[object]:
        """Return the context in which expressions are evaluated."""
        import numpy as np

        return np.errstate(all="ignore")

    def filled(self, values: Any, d: DType) -> Any:
        """Return an array of some values."""
        import numpy as np

        return np.array(values).astype(d.to("numpy"))

    def call(self, function: str, operands: Sequence[Any]) -> Any:
        """Return the result of a function as an array."""
        import numpy as np

        if FUNCTIONS[function].category == "store":
            left = operands[0].copy()
            left += operands[1]
            return left
        found = super().call(function, operands)
        if function in OF_OBJECTS and type(found) is float:
            raise TypeError(f"{function} makes objects of these operands")
        return np.asarray(found)


def _is_odd_ldexp(operands: Sequence[Operand]) -> bool:
    return type(operands[0].number) is int and operands[0].number >= 2**63


def _is_number(operands: Sequence[Operand]) -> bool:
    return operands[0].is_python


LIBRARY = NumPy(
    "numpy",
    "numpy==2.4.6 ml_dtypes==0.6.0",
    of_releases={"ml_dtypes": "ml_dtypes", "version": "numpy"},
    scalars=(True, 1, -1, 300, 2**63, 2**70, 1.0, 1e300, 1j),
    roots=("numpy", "numpy.linalg", "numpy.fft"),
    names=NAMES,
    calls=CALLS,
    # ldexp is refused of a first int beyond int64. The others give a Python number for one.
    unmodelled={"ldexp": _is_odd_ldexp, **dict.fromkeys(("real", "imag", "isreal"), _is_number)},
    has_expressions=True,
)
