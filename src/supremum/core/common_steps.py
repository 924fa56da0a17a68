"""Parts that the rules of several libraries share: states of folds, refusals and advice."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .dtypes import DType, by_name, from_code
from .errors import NoJoinError, short
from .operands import SCALAR_LIBRARY, Operand
from .steps import Classified, Classify, Settle, Settled, ToWidths, fits, numbers_are_weak


class State(NamedTuple):
    """What some operands give so far, in a fold.

    Attributes:
        node: the dtype.
        why: a remark on the step that led to it.
        seen: what the next step must know besides, as each fold says.
        refusal: what is raised unless another operand follows.
    """

    node: DType
    why: str = ""
    seen: Any = None
    refusal: NoJoinError | None = None


class Advice(NamedTuple):
    """Why nodes have no join, as rows: the codes of dtypes, and a sentence if one is among them.

    >>> Advice((("u64", "u64 is lonely"), ("*", "who knows")))([by_name("uint64")])
    'u64 is lonely'
    """

    rows: tuple[tuple[str, str], ...]

    def __call__(self, nodes: Sequence[DType]) -> str | None:
        """Return the sentence of the first row that has one of the nodes, or None."""
        return next((why for codes, why in self.rows if _has(codes, nodes)), None)


def _has(codes: str, nodes: Sequence[DType]) -> bool:
    return codes == "*" or any(from_code(code) in nodes for code in codes.split())


# numbers


class WithoutScalars(NamedTuple):
    """A first step: numbers are weak, and scalars of NumPy are refused."""

    library: str

    def __call__(self, op: Operand, operands: Sequence[Operand]) -> Classified:
        """Return what an operand is."""
        if op.form == "scalar":
            what = f"how {self.library} treats {op.text} of {op.library} is not modelled"
            raise NoJoinError(f"{what}; pass a Python number")
        return numbers_are_weak(op, operands)


class Converting(NamedTuple):
    """A first step: what is NumPy's takes the dtype of the library's own array that it meets.

    Attributes:
        library: the title of the library.
        classify: the step for all else.
        forms: the forms of what is converted.
        from_left: whether what is NumPy's may come first; if not, NumPy takes over.
    """

    library: str
    classify: Classify
    forms: tuple[str, ...] = ("array",)
    from_left: bool = False

    def __call__(self, op: Operand, operands: Sequence[Operand]) -> Classified:
        """Return what an operand is."""
        met = next((x for x in operands if x.library == self.library and x.form == "array"), None)
        if met is None or op.library != SCALAR_LIBRARY or op.form not in self.forms:
            return self.classify(op, operands)
        if op is operands[0] and not self.from_left:
            raise NoJoinError(f"{op.library} takes over beside its arrays; convert {op.text} first")
        what = f"{op.describe()} of {op.library}, which {self.library} converts to {met.dtype}"
        return Classified(op, met.dtype, what)


def is_number(x: Classified) -> bool:
    """Return whether an operand is a number without a dtype."""
    return x.node.weak or x.operand.is_python


def has_no_dimensions(x: Classified) -> bool:
    """Return whether an operand is a scalar or a 0-d array."""
    return x.operand.rank == 0


class Refusing(NamedTuple):
    """A last step that refuses operands before another one settles.

    Attributes:
        why: the reason.
        refuses: whether an operand is one of those.
        quantity: `all` if the others may stand beside an array, `any` if they may not.
        settle: the step that follows; by default weak results take a width.
    """

    why: str
    refuses: Callable[[Classified], bool]
    quantity: Callable[[list[bool]], bool] = all
    settle: Settle = ToWidths()

    def __call__(self, node: DType, classified: Sequence[Classified]) -> Settled:
        """Return what becomes of a node."""
        if self.quantity([self.refuses(x) for x in classified]):
            raise NoJoinError(self.why)
        return self.settle(node, classified)


# Python's ints


def fits_64_bits(value: int) -> str | None:
    """Return why an int fits neither a signed nor an unsigned integer of 64 bits, or None."""
    return None if -(2**63) <= value < 2**64 else f"{short(value)} does not fit 64 bits"


def fits_float(value: int) -> str | None:
    """Return why an int is too large for any float of 64 bits and fewer, or None."""
    largest = 2**1024 - 2**970  # and what rounds to it
    return None if abs(value) < largest else f"{short(value)} is too large for a float"


def is_single(value: float) -> bool:
    """Return whether float32 holds a number exactly."""
    try:
        held: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return False
    return held == value


class MustFit(NamedTuple):
    """Why a function does not take a Python int: it must fit one dtype."""

    dtype: DType

    def __call__(self, value: int, *_: object) -> str | None:
        """Return the reason, or None."""
        return fits(value, self.dtype)


INT32, INT64 = by_name("int32"), by_name("int64")
