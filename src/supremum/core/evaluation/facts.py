"""What arrays and dtypes say of themselves in an expression: lengths, limits, and dtypes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isnan, prod
from typing import Any, Final

from ..dtypes import DType
from ..operands import Operand
from ..shapes import Shape

_Length = Callable[[Shape, int], float]

ATTRIBUTES: Final[Mapping[str, _Length]] = {
    "ndim": lambda shape, _: len(shape),
    "size": lambda shape, _: prod(shape),
    "itemsize": lambda _, size: size,
    "nbytes": lambda shape, size: prod(shape) * size,
}
"""The attributes of arrays that are ints, by the shape and the bytes of an element."""

METHODS: Final[Mapping[str, _Length]] = {
    "dim": ATTRIBUTES["ndim"],
    "numel": ATTRIBUTES["size"],
    "nelement": ATTRIBUTES["size"],
    "element_size": ATTRIBUTES["itemsize"],
    "__len__": lambda shape, _: shape[0],
}
"""The methods of arrays that give one, and functions of that name."""

FUNCTIONS: Final[Mapping[str, _Length]] = {
    "size": ATTRIBUTES["size"], "ndim": ATTRIBUTES["ndim"], "numel": ATTRIBUTES["size"],
}  # fmt: skip
"""The functions of modules that give one."""

COMPARED: Final = ("allclose", "array_equal", "array_equiv")
"""The functions that say in one bool how arrays compare, which JAX gives as an array."""

TRUTHS: Final = (*COMPARED, "isscalar", "is_tensor", "isdtype",
                 "issubdtype", "is_floating_point", "is_complex", "can_cast", "isrealobj",
                 "iscomplexobj")  # fmt: skip
"""The functions that say whether something holds of all operands."""

SHARED: Final = ("from_numpy",)
"""The functions of modules that make their own array of one of NumPy, in its memory."""

DTYPES_OF: Final = ("result_type", "promote_types", "dtype")
"""The functions of modules that give a dtype."""

INFOS: Final = ("finfo", "iinfo")
"""The functions that give the limits of a dtype."""

_OF_FLOATS: Final = (
    "eps", "epsneg", "max", "min", "tiny", "smallest_normal", "smallest_subnormal", "resolution",
)  # fmt: skip
_OF_BITS: Final = ("bits", "nmant", "nexp", "precision", "iexp", "maxexp", "minexp")


def length(read: _Length, x: Operand) -> Any:
    """Return an int that an array says of itself, or the type of it if it is not known."""
    if x.shape is None:
        return int
    found = read(x.shape, (x.dtype.bits or 8) // 8)
    return int if isnan(found) else int(found)


def limits_of(info: str, d: DType) -> DType | None:
    """Return the dtype of which limits are asked: of complex numbers that of a part, or None."""
    if info == "iinfo":
        return d if d.kind in ("signed", "unsigned") else None
    return d.part if d.kind in ("float", "complex") else None


def limit(d: DType, name: str) -> Any:
    """Return a limit of a dtype: an int, `int` or `float` if it is not known, or None."""
    if d.kind in ("signed", "unsigned"):
        signed = d.kind == "signed"
        bits = d.bits or 0
        known = {
            "max": 2 ** (bits - signed) - 1,
            "min": -(2 ** (bits - 1)) if signed else 0,
            "bits": bits,
        }
        return known.get(name)
    if name in _OF_BITS:
        return int
    return float if name in _OF_FLOATS else None
