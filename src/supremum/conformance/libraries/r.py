"""How R is asked: one process of it evaluates expressions, and says what ``typeof`` gives."""

from __future__ import annotations

import re
import subprocess
from functools import cached_property
from shutil import which
from typing import Any, Final

from ...core.catalogue import WRITTEN
from ...core.dtypes import DType
from ...core.errors import DTypeError
from ...core.functions import FUNCTIONS, OPERAND_SLOT
from ..library import Library

_TYPES: Final = {
    "bool": "logical", "int32": "integer", "float64": "double", "complex128": "complex",
}  # fmt: skip
_LOOP: Final = """
    lines <- file("stdin", open = "r")
    while (length(line <- readLines(lines, 1)))
        cat(tryCatch(eval(parse(text = line)), error = function(e) "refused"), "\\n")
"""


class R(Library):
    """R, whose operands are texts."""

    def version(self) -> str:
        """Return the release that is installed."""
        if which("Rscript") is None:
            raise ModuleNotFoundError("No module named 'Rscript'", name="Rscript")
        return self._said("R.version.string").split()[2]

    def filled(self, values: Any, d: DType) -> str:
        """Return a vector of some values, or a matrix."""
        if d.name not in _TYPES:
            raise DTypeError(f"R has no {d}", d)
        rows = values if isinstance(values[0], list) else [values]
        text = ", ".join(str(int(x)) for row in rows for x in row)
        vector = f"as.{_TYPES[d.name]}(c({text}))"
        return vector if rows is not values else f"matrix({vector}, {len(rows)})"

    def ask(self, *operands: Any) -> str:
        """Return what a vector of some values has."""
        return self._evaluated(f"c({', '.join(map(_written, operands))})")

    def operate(self, function: str, *operands: Any) -> str:
        """Return what an operator or a function gives."""
        name = FUNCTIONS[function].name
        text = self.calls.get(name) or WRITTEN.get(name) or f"{name}{FUNCTIONS[name].call}"
        left = iter(operands)
        return self._evaluated(re.sub(OPERAND_SLOT, lambda _: _written(next(left)), text))

    def _evaluated(self, text: str) -> str:
        found = self._said(f"typeof({text})")
        return next(name for name, own in _TYPES.items() if own == found)

    def _said(self, text: str) -> str:
        self._process.stdin.write(f"{text}\n")
        self._process.stdin.flush()
        return str(self._process.stdout.readline()).strip()

    @cached_property
    def _process(self) -> Any:
        words, pipe = ["Rscript", "-e", _LOOP], subprocess.PIPE
        return subprocess.Popen(words, text=True, stdin=pipe, stdout=pipe)  # noqa: S603  # fixed


def _written(x: Any) -> str:
    """Return how R writes an operand: a Python number as it stands, without an L."""
    if isinstance(x, complex):
        return f"({x.real}+{x.imag}i)"
    return x if isinstance(x, str) else str(x).upper() if isinstance(x, bool) else f"({x})"


LIBRARY = R(
    "r",
    "R==4.2.2",
    ranks=(1,),
    scalars=(True, 1, -1, 2**40, 1.0, 1j),
    roots=("r",),
    calls={
        "floor_divide": "x %/% y", "remainder": "x %% y", "power": "x ^ y", "matmul": "m %*% n",
        "logical_and": "x & y", "logical_or": "x | y", "logical_xor": "xor(x, y)",
        "logical_not": "!x", "cumulative_sum": "cumsum(x)", "cumulative_prod": "cumprod(x)",
        "maximum": "pmax(x, y)", "minimum": "pmin(x, y)", "isnan": "is.nan(x)",
        "isfinite": "is.finite(x)", "isinf": "is.infinite(x)", "ceil": "ceiling(x)",
        "conj": "Conj(x)", "real": "Re(x)", "imag": "Im(x)", "std": "sd(x)",
        "argmax": "which.max(x)", "argsort": "order(x)", "concat": "c(x, y)", "flip": "rev(x)",
    },
)  # fmt: skip
