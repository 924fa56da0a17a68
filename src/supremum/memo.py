"""Remembering answers: which operands may be keys, and a store of bounded size.

Keys lie: ``True == 1 == 1.0``, and TensorFlow's ``tf.float32 == 1`` with the same hash. So operands
are told apart by their types as well, or are kept out of the stores that look them up as they come.
The stores are plain dictionaries, which threads may share.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, TypeVar

from supremum.dtypes import DType
from supremum.operands import PYTHON_SCALARS, Operand

Key = TypeVar("Key", bound=Hashable)

LIMIT: Final = 4096
"""How many answers a store keeps; a full one starts afresh."""

Pairs = dict[Any, dict[Any, DType]]
"""A store of the answers for pairs: by the first one, then by the second."""


def remember_pair(known: Pairs, a: Any, b: Any, answer: DType) -> DType:
    """Keep the answer for a pair and return it."""
    if sum(map(len, list(known.values()))) >= LIMIT:
        known.clear()
    known.setdefault(a, {})[b] = answer
    return answer


def remember(known: dict[Key, DType], key: Key, answer: DType) -> DType:
    """Keep an answer and return it; under a key without a hash it is not kept."""
    try:
        if len(known) >= LIMIT:
            known.clear()
        known[key] = answer
    except TypeError:
        pass
    return answer


def is_honest(x: Any) -> bool:
    """Tell whether a dtype or its name is equal to no number, and so may be a key as it comes."""
    return isinstance(x, (str, DType, type)) or type(x).__module__.startswith(("numpy", "torch"))


def is_plain(x: Any, *, valued: bool = False) -> bool:
    """Tell whether an operand's type, dtype and rank say all that it is, but for Python's numbers.

    Args:
        x: any operand.
        valued: whether the value of a scalar of NumPy counts too.
    """
    if type(x) in PYTHON_SCALARS:
        return True
    if valued and getattr(x, "ndim", None) == 0:
        return False
    has_dtype = (
        not isinstance(x, (type, str, DType, Operand)) and getattr(x, "dtype", None) is not None
    )
    return has_dtype and not hasattr(x, "weak_type")


def pair_key(a: Any, b: Any, *, ranked: bool, valued: bool) -> tuple[Any, ...]:
    """Return what the answer for a pair of plain operands depends on; see `key_of`."""
    key = (
        type(a), getattr(a, "dtype", a if valued else None),
        type(b), getattr(b, "dtype", b if valued else None),
    )  # fmt: skip
    return (*key, getattr(a, "ndim", None), getattr(b, "ndim", None)) if ranked else key


def key_of(x: Any, *, ranked: bool, valued: bool) -> tuple[Any, ...]:
    """Return what an answer depends on, of one operand.

    Args:
        x: any operand.
        ranked: whether its number of dimensions counts.
        valued: whether the value of a scalar counts, Python's or NumPy's.
    """
    kind = type(x)
    if kind in PYTHON_SCALARS:
        # rules without values look at those that no int64 holds all the same, as NumPy does
        matters = valued or (kind is int and not -(1 << 63) <= x < 1 << 63)
        return (kind, x) if matters else (kind,)
    if kind in (DType, Operand) or isinstance(x, type):
        return (kind, x)
    key = (kind, getattr(x, "dtype", x), getattr(x, "weak_type", False))
    if not ranked:
        return key
    rank = getattr(x, "ndim", None)
    # other libraries' arrays have no value before they are computed
    value = x.item() if valued and rank == 0 and kind.__module__ == "numpy" else None
    return (*key, rank, value)
