"""Errors about dtypes: what a library says of the dtypes that it refuses.

Only sentences that a library has for dtypes are known; any other error is not about them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from ...core.dtypes import DType, by_name
from ...core.errors import SupremumError
from ..checks import checks


class Refusal(NamedTuple):
    """What an error says of dtypes.

    Attributes:
        sort: ``"number"``: a Python number has no place in a dtype; ``"cast"``: values are not
            cast to where they are to go; ``"output"``: nor is what an operation gives;
            ``"same"``: operands have to have one dtype; ``"carry"``: what a loop of JAX hands on
            changes its dtype; ``"integers"``, ``"floats"``: an operand has to be of that kind;
            ``"target"``: what a loss compares with has to be classes; ``"power"``: an integer to
            a negative power; ``"other"``: a function does not take these dtypes.
        got: the dtype that was refused, if the error names it.
        want: the dtype that is wanted, if the error names it.
        number: the number that has no place.
        part: which part of a carry it is, such as ``carry[1]``.
    """

    sort: str
    got: DType | None = None
    want: DType | None = None
    number: int | None = None
    part: str = ""


_SAID: Final = {
    "number": (
        "Python integer {number} out of bounds for {want}",
        "Python int too large to convert to C",
        "value cannot be converted to type {want} without overflow",
        "An overflow was encountered while parsing an argument to a jitted computation",
    ),
    "output": (
        "Cannot cast ufunc ... from dtype('{got}') to dtype('{want}')",
        "result type {got} can't be cast to the desired output type {want}",
    ),
    "cast": (
        "Cannot cast array data from dtype('{got}') to dtype('{want}')",
        "Cannot cast scalar from dtype('{got}') to dtype('{want}')",
        "Index put requires ... got {want} for the destination and {got} for the source",
        "index_...(): self ({want}) and source ({got}) must have the same scalar type",
        "scatter...(): Expected self.dtype to be equal to src.dtype",
        "Found dtype {got} but expected {want}",
        "Tensor conversion requested dtype {want} for Tensor with dtype {got}",
    ),
    "same": (
        "... must have the same dtype",
        "... to have the same dtype",
        "... to have same dtype",
        "... all inputs must share same datatype",
        "expected scalar type {want} but found {got}",
        "expected dtype {want} for ... but got dtype {got}",
        "Input type ({got}) and ... type ({want}) should be the same",
        "... input dtype (...) does not match weight dtype (...)",
        "lax... requires arguments to have the same dtypes",
        "Input dtypes ... have no available implicit dtype promotion path",
        "... as input ... was expected to be a... {want} tensor but is a... {got} tensor",
        "... Op has type {got} that does not match type {want} of argument",
    ),
    "integers": (
        "arrays used as indices must be of integer",
        "only integers, slices ... are valid indices",
        "expected a sequence of integers or a single integer, got 'np.float",
        "'numpy.{got}' object cannot be interpreted as an integer",
        "Expected tensor ... to have one of the following scalar types: Long, Int; but got",
        "tensors used as indices must be long",
        "... Expected dtype int32/int64 for index",
        "one_hot is only applicable to index tensor",
        "Indexer must have integer or boolean type, got indexer with type {got}",
    ),
    "floats": (
        "array type {got} is unsupported in linalg",
        "... could not infer output dtype. Input dtype must be either a floating point",
        "... Expected a floating point or complex tensor as input. Got {got}",
        "... only supports floating-point dtypes for input, got: {got}",
        "Only Tensors of floating point and complex dtype can require gradients",
        "... Low precision dtypes not supported. Got {got}",
        "... requires real- or complex-valued inputs ... but got {got}",
        "\"...\" not implemented for '{got}'",
        "Cannot convert ... to EagerTensor of dtype {got}",
        "Value for attr ... of {got} is not in the list of allowed values",
    ),
    "target": ("expected target dtype to be {want} or Byte, but got {got}",),
    "power": ("Integers to negative integer powers are not allowed",),
    "carry": (
        "The input carry {part} has type {want}[... has type {got}[..., so the dtypes do not match",
    ),
    "other": (
        "numpy boolean subtract",
        "The numpy boolean negative",
        "ufunc ... not supported for the input types",
        "ufunc ... did not contain a loop",
        "ufunc ... cannot use operands with types",
        "Subtraction, the `-` operator, with",
        "... but the corresponding output of ... so the dtypes do not match",
    ),
}
"""What libraries say, by sort: a line starts so. Three dots stand for anything on it."""


_NAME: Final = r"(?:unsigned )?(?:c10::)?\w+"


def _pattern(sentence: str) -> re.Pattern[str]:
    """Return what finds a sentence in a message."""
    text = re.escape(sentence).replace(re.escape("..."), ".*?")
    for name, words in (
        ("number", r"-?\d+"),
        ("part", r"(?:component )?\S+"),
        ("got", _NAME),
        ("want", _NAME),
    ):
        text = text.replace(re.escape(f"{{{name}}}"), f"(?P<{name}>{words})")
    return re.compile(f"^{text}", re.MULTILINE)


@cache
def _sentences() -> list[tuple[str, re.Pattern[str]]]:
    """Return the sorts of what libraries say, with what finds it; few programs stop."""
    return [(sort, _pattern(one)) for sort, sentences in _SAID.items() for one in sentences]


_BUILTIN: Final = (
    TypeError, RuntimeError, OverflowError, IndexError, ValueError, NotImplementedError,
)  # fmt: skip
_LIBRARIES: Final = ("numpy", "jax", "torch", "tensorflow", "keras", "pandas")
_LONGEST: Final = 100_000  # characters of a message that are read

_C_NAMES: Final = {
    "double": "float64", "float": "float32", "half": "float16", "long": "int64", "int": "int32",
    "short": "int16", "char": "int8", "byte": "uint8", "unsigned char": "uint8", "boolean": "bool",
    "complexfloat": "complex64", "complexdouble": "complex128",
}  # fmt: skip


def refusal(error: BaseException) -> Refusal | None:
    """Return what an error says of dtypes, or None if it is not about them.

    >>> refusal(OverflowError("Python integer 300 out of bounds for uint8")).number
    300
    >>> refusal(ValueError("operands could not be broadcast together with shapes (3,) (4,)"))
    """
    kind = type(error)
    if not isinstance(error, Exception) or (
        kind not in _BUILTIN and kind.__module__.partition(".")[0] not in _LIBRARIES
    ):
        return None
    text = message(error)
    for sort, pattern in _sentences():
        found = pattern.search(text)
        if found is not None:
            named = found.groupdict()
            number = named.get("number") or ""
            got, want = (_dtype(named.get(name)) for name in ("got", "want"))
            if sort == "floats" and got is not None and _is_wide_float(got):
                return Refusal("integers", got, want)  # it is to be an index, or a count
            value = int(number) if 0 < len(number) <= _DIGITS else None
            return Refusal(sort, got, want, value, named.get("part") or "")
    return None


_DIGITS: Final = 1_000  # of a number that is read: Python refuses more than some thousand
_SINGLE: Final = 32  # bits of single precision


def message(error: BaseException) -> str:
    """Return what an error says; ``""`` if it cannot say it."""
    try:
        return str(error)[:_LONGEST]
    except Exception:  # noqa: BLE001  # an error may be of any class
        return ""


def _dtype(name: str | None) -> DType | None:
    """Return the dtype that a library's error names, in its own way."""
    if name is None:
        return None
    plain = name.removeprefix("c10::").lower()
    known = _C_NAMES.get(plain, plain)
    try:
        return by_name(known)
    except SupremumError:
        return None


def _is_wide_float(d: DType) -> bool:
    return not is_integer(d) and (d.bits or 0) >= _SINGLE


def is_integer(d: DType) -> bool:
    """Tell whether a dtype has whole numbers, truth values included."""
    return d.kind == "bool" or checks.family(d) == "integer"
