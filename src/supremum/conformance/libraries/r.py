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
        known = FUNCTIONS[function]
        call = self.calls.get(known.name, known.call)
        own = None if known.name in self.names else WRITTEN.get(known.name)
        text = own or f"{self.names.get(known.name, known.name)}{call}"
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
    calls={"concat": "(x,y)"},
    names={
        "floor_divide": "`%/%`", "remainder": "`%%`", "power": "`^`", "matmul": "`%*%`",
        "logical_and": "`&`", "logical_or": "`|`", "logical_xor": "xor", "logical_not": "`!`",
        "cumulative_sum": "cumsum", "cumulative_prod": "cumprod", "maximum": "pmax",
        "minimum": "pmin", "isnan": "is.nan", "isfinite": "is.finite", "isinf": "is.infinite",
        "ceil": "ceiling", "conj": "Conj", "real": "Re", "imag": "Im", "std": "sd",
        "argmax": "which.max", "argsort": "order", "concat": "c", "flip": "rev",
    },
)  # fmt: skip
