"""What a library says if it does not support a dtype, and what to do about it."""

from __future__ import annotations

from typing import Any, Final

from ...core.dtypes import DType, by_name
from ...core.errors import DTypeError

# What to cast to if a library does not support a function for a dtype: the next one that holds its
# values.
_WIDER: Final = {
    "bool": "int8",
    "uint8": "int16",
    "uint16": "int32",
    "uint32": "int64",
    "float16": "float32",
    "bfloat16": "float32",
    "complex32": "complex64",
}
_NARROW: Final = {"float": "float32", "signed": "int32", "unsigned": "int32"}  # wider than the rest

# What libraries say if they do not support a dtype.
_REFUSING: Final = ("dtype", "array type", "input types", "not support", "not implemented for '")

# What libraries say of shapes that do not fit, where NumPy has a ValueError.
_MISMATCH: Final = (
    "must match", "need to match", "cannot be multiplied", "equal size", "for input of size",
    "incompatible shapes", "same shape", "reshape array", "numbers of dimensions",
    "shapes that differ",
)  # fmt: skip


def says_shapes(error: Exception) -> bool:
    """Return whether an error of a library is about shapes that do not fit each other."""
    return any(words in str(error) for words in _MISMATCH)


def says_dtype(error: Exception) -> bool:
    """Tell whether an error of a library is about dtypes that it does not support."""
    return any(words in str(error).lower() for words in _REFUSING)


def refusal(backend: Any, name: str, d: DType, error: Exception | None) -> DTypeError:
    """Return the error for a function that a library does not support for a dtype.

    Args:
        backend: the backend.
        name: the function.
        d: the dtype.
        error: what the library says.
    """
    lines = str(error or "").strip().splitlines()
    said = f" ({backend.library}: {lines[0].rstrip('.')})" if lines else ""
    wider = by_name(_WIDER.get(d.name) or _NARROW.get(d.kind, d.name))
    ways = []
    if wider is not d and (wider.bits or 0) > (d.bits or 0) and backend.has(wider):
        ways.append(f"cast to {wider} first, xp.astype(x, xp.{wider})")
    if backend.name != "numpy":
        ways.append("try the numpy backend")
    elif d.kind == "complex" and not ways:
        ways.append("take its real part first, xp.real(x)")
    msg = f"the {backend.name} backend does not support {name} for {d}{said}"
    made = DTypeError("; ".join(filter(None, (msg, ", or ".join(ways)))), d)
    made.__cause__ = error
    return made
