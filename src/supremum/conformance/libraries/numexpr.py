"""How NumExpr is asked: by expressions that it evaluates, with Python numbers written out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ...core.catalogue import WRITTEN
from ...core.dtypes import DType
from ...core.functions import FUNCTIONS, OPERAND_SLOT, Function
from ...core.operands import Operand
from ..calls import LackingError
from ..library import Library


class NumExpr(Library):
    """NumExpr, whose functions are those of its expressions."""

    def filled(self, values: Any, d: DType) -> Any:
        """Return an array of some values."""
        import numpy as np

        return np.array(values).astype(d.to("numpy"))

    def ask(self, *operands: Any) -> str:
        """Return the dtype of a sum."""
        return self._evaluated(" + ".join("x" * len(operands)), operands)

    def operate(self, function: str, *operands: Any) -> str:
        """Return the dtype of what an operator or a function gives."""
        known = FUNCTIONS[function]
        text = WRITTEN.get(function) or f"{_own_name(known)}{self.calls.get(function, known.call)}"
        return self._evaluated(text, operands)

    def _evaluated(self, text: str, operands: Sequence[Any]) -> str:
        import numexpr

        arrays = {"c": self.selectors["c"]}
        left: Iterator[Any] = iter(operands)

        def written(_: re.Match[str]) -> str:
            x = next(left)
            if isinstance(x, (bool, int, float, complex)):
                return f"({x})"
            arrays[f"a{len(arrays)}"] = x
            return f"a{len(arrays) - 1}"

        source = re.sub(OPERAND_SLOT, written, text)
        return self.name_of(numexpr.evaluate(source, local_dict=arrays, global_dict={}))


def _own_name(known: Function) -> str:
    """Return what NumExpr calls a function.

    Raises:
        LackingError: if it does not have it.
    """
    from numexpr.expressions import functions

    found = next((name for name in (known.name, *known.spellings) if name in functions), None)
    if found is None:
        raise LackingError(f"NumExpr does not have {known.name}", name=known.name)
    return found


def _has_number(operands: Sequence[Operand]) -> bool:
    return any(x.is_python for x in operands)


LIBRARY = NumExpr(
    "numexpr",
    "numexpr==2.14.2",
    ranks=(1,),
    scalars=(1, 300, 2**31, 1.0, 1j),
    roots=("numexpr",),
    calls={"round": "(x)"},
    unmodelled={"power": _has_number},
    function_scalars=(True, 1, -1, 300, 2**31, 2**62, 1.0, 1e300, 1j),
)
