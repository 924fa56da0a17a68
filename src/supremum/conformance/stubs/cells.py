"""The cells that stubs are asked about, and what the library itself gives for each."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import product
from typing import Any, Final, NamedTuple

from ...core.catalogue import WRITTEN
from ...core.dtypes import by_name
from ...core.functions import OPERAND_SLOT, chain, facts_of
from ...core.operands import parse
from ...core.systems import system, systems
from ...core.table import REFUSED
from ..measure import said
from ..questions import Question
from .revealed import ANY, dtypes_of, short

DTYPES: Final = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
"""The dtypes that are asked about."""

NUMBERS: Final = ("2", "2.0", "2j")
"""The Python numbers that operators are asked about beside arrays."""

OPERATORS: Final = {name: written for name, written in WRITTEN.items() if name != "iadd"}
"""The operators that NumPy's stubs are asked about."""


VERDICTS: Final = ("exact", "vague", "unknown", "wrong", "rejected", "accepted")
"""How a type may agree with what the library gives."""

BAD: Final = ("wrong", "rejected", "accepted")
"""The verdicts of differences: of types that are not those of what runs."""


LIBRARIES: Final = {
    "numpy": """
        sum prod cumsum mean std var median max argmax all diff sort quantile
        sqrt exp sin floor sign abs round isfinite conj real square linalg.inv linalg.norm fft.fft
        where concatenate maximum arctan2 matmul dot vdot outer kron
    """,
    "scipy": """
        special.expit special.logit special.erf special.erfc special.gammaln special.psi
        special.ndtr special.i0 special.i1 special.entr special.xlogy special.zeta
        special.gammainc special.softmax special.log_softmax special.logsumexp
        fft.fft fft.ifft fft.rfft fft.irfft fft.hfft
        linalg.inv linalg.det linalg.pinv linalg.solve linalg.cholesky linalg.svdvals linalg.norm
    """,
}
"""The functions that are asked about, by library: those that take arrays alone."""


class Cell(NamedTuple):
    """A function or an operator with its operands, and what is said of them.

    Attributes:
        function: its name in the catalogue.
        operands: the operands as they are written: ``float32[3]``, ``float32[]``, ``2``.
        text: the expression.
        library: what the library gives: a dtype, ``"Python bool"`` and the like, ``"-"`` for a
            refusal.
        rules: the answer of the rules, likewise, or ``""`` without rules.
        revealed: the type as a checker writes it, ``"-"`` if it rejects the expression.
    """

    function: str
    operands: tuple[str, ...]
    text: str
    library: str = ""
    rules: str = ""
    revealed: str = ""

    @property
    def code(self) -> str:
        """The expression in Python, with a variable for each array and scalar.

        >>> Cell("add", ("int8[3]", "bool[]"), "int8[3] + bool[]").code
        'int8_3 + bool_'
        """
        return re.sub(
            r"\b([a-z]+\d*)\[([3,]*)\]", lambda m: f"{m[1]}_{m[2][:1]}{m[2][2:]}", self.text
        )

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the operands, in one order, and Python numbers as they are.

        >>> Cell("add", ("int8[3]", "float32[]", "2j"), "").kinds
        ('2j', 'float', 'signed')
        """
        names = [text.partition("[")[0] for text in self.operands]
        return tuple(sorted({n if n in NUMBERS else by_name(n).kind for n in names}))

    @property
    def stated(self) -> str:
        """The type, as short as it can be."""
        return short(self.revealed)

    @property
    def verdict(self) -> str:
        """How the type agrees with the library, one of `VERDICTS`."""
        stated = dtypes_of(self.revealed)
        if self.library == REFUSED:
            return "accepted" if stated else "exact"
        if not stated:
            return "rejected"
        if stated == {self.library}:
            return "exact"
        if stated == {ANY}:
            return "unknown"
        return "vague" if stated & {self.library, ANY} else "wrong"


_ARRAYS: Final = [f"{name}[3]" for name in DTYPES]
_MATRICES: Final = [f"{name}[3,3]" for name in DTYPES]
_SCALARS: Final = [f"{name}[]" for name in DTYPES]


def cells(library: str, *, functions: bool = True) -> Iterator[Cell]:
    """Return every cell of a library: its functions and, if it has rules, the operators."""
    for name, written in OPERATORS.items() if library in systems() else ():
        given = _pairs(name) if "y" in written else product(_ARRAYS)
        yield from (_cell(name, written, operands) for operands in given)
    for spelling in LIBRARIES[library].split() if functions else ():
        known = facts_of(spelling)
        letters = re.findall(OPERAND_SLOT, known.call)
        slots = known.call.replace("(c", "(bool[3]").replace(",", ", ")
        call = f"{library}.{spelling}{slots}"
        for operands in product(*(_MATRICES if letter in "mn" else _ARRAYS for letter in letters)):
            yield _cell(known.name, call, operands)


def _pairs(operator: str) -> Iterator[tuple[str, ...]]:
    """Return the operands of an operator: arrays, and beside them numbers and NumPy's scalars."""
    yield from product(_ARRAYS, _ARRAYS)
    if facts_of(operator).category == "elementwise":
        yield from product(_ARRAYS, [*NUMBERS, *_SCALARS])
        if "equal" not in chain(operator):  # there Python's own stubs state the type: a bool
            yield from product(NUMBERS, _ARRAYS)


def _cell(function: str, call: str, operands: Sequence[str]) -> Cell:
    left = iter(operands)
    return Cell(function, tuple(operands), re.sub(OPERAND_SLOT, lambda _: next(left), call))


def variables() -> dict[str, tuple[str, Any]]:
    """Return the variables of the cells: each with its type in Python, and with its value."""
    np = import_module("numpy")
    found = {}
    for name in DTYPES:
        scalar, array = f"numpy.{name}", f"numpy.typing.NDArray[numpy.{name}]"
        found[f"{name}_"] = scalar, np.ones((), name)[()]
        found[f"{name}_3"] = array, np.ones(3, name)
        found[f"{name}_33"] = array, np.eye(3, dtype=name)
    return found


def modules(library: str) -> list[str]:
    """Return what a program of its cells imports."""
    paths = [f"{library}.{name}".rpartition(".")[0] for name in LIBRARIES[library].split()]
    return list(dict.fromkeys(["numpy", *paths]))


def answered(library: str, asked: Sequence[Cell]) -> Iterator[Cell]:
    """Return cells with the answers of the library and of the rules, if it has some."""
    rules = system(library) if library in systems() else None
    namespace = {name: value for name, (_, value) in variables().items()}
    for name in modules(library):
        exec(f"import {name}", namespace)  # noqa: S102  # of the table above
    for cell in asked:
        question = Question(tuple(map(parse, cell.operands)), cell.function)
        yield cell._replace(
            library=_given(cell.code, namespace), rules=said(rules, question) if rules else ""
        )


def _given(code: str, namespace: dict[str, Any]) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = eval(code, namespace)  # noqa: S307  # made of the tables above
        except Exception:  # noqa: BLE001  # whatever the library raises is a refusal
            return REFUSED
    return found.dtype.name if hasattr(found, "dtype") else f"Python {type(found).__name__}"
