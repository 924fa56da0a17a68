"""How numba is asked: by the type that it infers for what a function returns.

Each question is a function of its own, such as ``def asked(a): return a + 1.0``, with Python
numbers written out beside arrays and scalars. Its types are inferred, and no machine code is made,
but for functions that numba itself has in Python: that takes milliseconds.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, Final

from ...core.catalogue import WRITTEN
from ...core.dtypes import DType, by_name, dtype
from ...core.functions import FUNCTIONS
from ...core.operands import Operand
from ..calls import find
from ..library import Library

_SELECTORS: Final = {
    letter: Operand(letter, by_name(name), False, "array", shape=(3,))
    for letter, name in (("c", "bool"), ("i", "int64"))
}


class Numba(Library):
    """Numba, of whose operands only the types matter."""

    def more(self, dtypes: Sequence[DType]) -> list[Operand]:
        """Return NumPy's scalars."""
        return [Operand(f"{d}()", d, False, "scalar", "NumPy", ()) for d in dtypes]

    def make(self, op: Operand) -> Operand:
        """Return the operand itself."""
        return op

    def ask(self, *operands: Operand) -> str:
        """Return the dtype of a sum, from the left."""
        return _dtype_of(Asked(" + ".join("x" * len(operands)), operands))

    def operate(self, function: str, *operands: Operand) -> str:
        """Return the dtype that an operator, or a function of NumPy, gives."""
        return _dtype_of(self.asked(function, operands))

    def asked(self, function: str, operands: Sequence[Operand]) -> Asked:
        """Return the function to compile that asks about one of the catalogue."""
        known = FUNCTIONS[function]
        if known.name in WRITTEN:
            return Asked(WRITTEN[known.name], operands)
        called = find(self.namespaces(), known, self.names)
        _, bracket, number = known.name.partition("[")
        call = self.calls.get(function, known.call).replace(",...", "")
        return Asked(f"f{call}{bracket}{number}", operands, called)


class Asked(ast.NodeTransformer):
    """A function to compile, which evaluates an expression.

    Attributes:
        function: the function.
        types: the types of its arguments, as numba has them.

    Args:
        text: the expression, or an operator in place; each letter is the next operand.
        operands: arrays and scalars, which are arguments, and Python numbers, which are not,
            unless there are no others: Python would compute what it gives.
        called: what it calls as ``f``.
    """

    def __init__(self, text: str, operands: Sequence[Operand], called: Any = None) -> None:
        self._left = iter(operands)
        self._writes_numbers = not all(x.is_python for x in operands)
        self._arguments: list[Operand] = []
        (statement,) = self.visit(ast.parse(text)).body
        lines = [ast.unparse(statement)]
        if isinstance(statement, ast.AugAssign):
            lines.append(ast.unparse(statement.target))
        lines[-1] = f"return {lines[-1]}"
        names = ", ".join(f"a{i}" for i in range(len(self._arguments)))
        made: dict[str, Any] = {"f": called}
        exec(f"def asked({names}):\n  " + "\n  ".join(lines), made)  # noqa: S102  # of the catalogue's calls
        self.function: Callable[..., Any] = made["asked"]
        self.types = tuple(map(_type_of, self._arguments))

    def visit_Name(self, node: ast.Name) -> ast.expr:  # as ast calls it
        """Return what a letter stands for."""
        if node.id == "f":
            return node
        x = _SELECTORS.get(node.id) or next(self._left)
        if x.is_python and self._writes_numbers:
            return ast.Constant(x.value)
        self._arguments.append(x)
        return ast.Name(f"a{len(self._arguments) - 1}", node.ctx)

    def visit_List(self, node: ast.List) -> ast.expr:  # as ast calls it
        """Return a tuple, which may have arrays of several types."""
        return ast.Tuple([self.visit(part) for part in node.elts], node.ctx)


def _type_of(x: Operand) -> Any:
    import numba

    if x.is_python:
        return numba.typeof(x.value)
    own = numba.from_dtype(x.dtype.to("numpy"))
    return own if x.form == "scalar" else numba.types.Array(own, x.rank or 0, "C")


def _dtype_of(asked: Asked) -> str:
    """Return the name of the dtype that numba infers; raises where it infers none."""
    from numba.core import compiler, registry, typed_passes

    target = registry.cpu_target
    target.typing_context.refresh()
    target.target_context.refresh()
    found: Any = typed_passes.type_inference_stage(
        target.typing_context, target.target_context, compiler.run_frontend(asked.function),
        asked.types, None,
    ).return_type  # fmt: skip
    return dtype(str(getattr(found, "dtype", found))).name


LIBRARY = Numba(
    "numba",
    "numba==0.68.1 numpy==2.4.6",
    scalars=(True, 1, 300, 2**63, 2**70, 1.0, 1j),
    roots=("numpy", "numpy.linalg"),
    names={"cumulative_sum": "cumsum", "cumulative_prod": "cumprod"},
    function_scalars=(True, 1, 1.0, 1j),
    scalars_alone=True,
)
