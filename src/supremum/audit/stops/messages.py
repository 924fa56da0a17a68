"""Errors about dtypes that no rule of promotion can tell: the sentences of each library."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from ...core.dtypes import DType, by_name, names
from ...core.errors import SupremumError, did_you_mean
from ...core.libraries import library_of_module
from ..model.dtypes import SINGLE, family


class Refusal(NamedTuple):
    """Why the dtypes of an operation were refused.

    Attributes:
        sort: ``"number"``: a Python number does not fit in a dtype; ``"cast"``: values are not
            cast to where they are to go; ``"output"``: nor is what an operation gives;
            ``"exact"``: an output must have the dtype of the result; ``"same"``: operands must
            have one dtype; ``"carry"``: what a loop of JAX hands on changes its dtype;
            ``"integers"``, ``"floats"``: an operand must be of that kind; ``"target"``: what a
            loss compares with must be classes, or a tangent must be as what it is one of;
            ``"power"``: an integer to a negative power; ``"into"``: an array has no place for what
            is stored;
            ``"range"``: values do not fit in a dtype; ``"missing"``: NaN is not an integer;
            ``"order"``: the bytes of values are in the order of other machines;
            ``"other"``: a function does not take these dtypes.
        got: the dtype that was refused, if it is known.
        want: the dtype that is wanted, if it is known.
        number: the number that does not fit.
        part: which part of a carry it is, such as ``carry[1]``, or which column of tables.
        at: which of the spans of its location the operand is written at that is refused, or None.
        line: the line of the error's message that says so, or ``""`` if the rules do.
    """

    sort: str
    got: DType | None = None
    want: DType | None = None
    number: int | None = None
    part: str = ""
    at: int | None = None
    line: str = ""


class Message(NamedTuple):
    """What a library says of dtypes.

    Attributes:
        library: the library.
        release: the release that was seen to say so.
        sort: the sort of refusal.
        sentence: how a line of it starts. Three dots stand for anything on it, and a word in
            braces for what it names: see `Refusal`.
    """

    library: str
    release: str
    sort: str
    sentence: str


_OF_NUMPY: Final = """
number   | Python integer {number} out of bounds for {want}
output   | Cannot cast ufunc ... output from dtype('{got}') to dtype('{want}')
cast     | Cannot cast ... from dtype('{got}') to dtype('{want}')
exact    | Supplied output array has the wrong type. Expected {got}, got {want}
integers | ... integer ...or boolean
integers | '...{got}' object cannot be interpreted as an integer
integers | expected a sequence of integers or a single integer, got 'np.float
power    | Integers to negative integer powers are not allowed
other    | ufunc ...types
other    | Cannot interpret '...ype()' as a data type
"""
_OF_PYTHON: Final = """
number   | Python int too large to convert to C
missing  | cannot convert float NaN to integer
integers | slice indices must be integers or None
"""
_OF_PYTORCH: Final = """
number   | value cannot be converted to type {want} without overflow
output   | result type {got} can't be cast to the desired output type {want}
cast     | Found dtype {got} but expected {want}
target   | expected target dtype to be {want} or Byte, but got {got}
integers | tensors used as indices must be long
order    | given numpy array has byte order different from the native byte order
floats   | Only Tensors of floating point and complex dtype can require gradients
"""
_OF_JAX: Final = """
number   | Python int {number} too large to convert to {want}
number   | An overflow was encountered while parsing an argument to a jitted computation
carry    | The input carry {part} has type {want}[... has type {got}[..., so the dtypes do not match
carry    | ...* the input carry {part} has type {want}[... has type {got}[..., so the dtypes do not
order    | Dtype >... is not a valid JAX array type
target   | primal and tangent ...Got primal dtype {want} and ... but got tangent dtype {got} instead
same     | Input dtypes ... have no available implicit dtype promotion path
floats   | ... requires real- or complex-valued inputs ... but got {got}
other    | ... output of ... has type {got}[... but the corresponding output of ... has type {want}[
"""
_OF_TENSORFLOW: Final = """
cast     | Tensor conversion requested dtype {want} for Tensor with dtype {got}
same     | ... Op has type {got} that does not match type {want} of argument
same     | cannot compute ... was expected to be a {want} tensor but is a {got} tensor
"""
_OF_PANDAS: Final = """
cast     | Invalid value '...' for dtype '{want}'
missing  | Cannot convert non-finite values (NA or inf) to integer
order    | Big-endian buffer not supported on little-endian compiler
other    | You are trying to merge on {got} and {want} columns for key '{part}'
other    | Cannot perform reduction '...' with string dtype
"""
_OF_OTHERS: Final = {
    "SciPy 1.17.1": """
order    | scipy.sparse does not support dtype >
cast     | scipy.sparse does not support dtype {got}
""",
    "scikit-learn 1.9.1": "range | Input ... infinity or a value too large for dtype('{want}')",
    "numba 0.68.1": "same | Cannot unify array({want}, ...) and array({got}, ...) for",
}

MESSAGES: Final = tuple(
    Message(*title.split(), *map(str.strip, line.split("|")))
    for title, lines in {
        "Python 3.11": _OF_PYTHON, "NumPy 2.4.6": _OF_NUMPY, "PyTorch 2.13.0": _OF_PYTORCH,
        "JAX 0.10.2": _OF_JAX, "TensorFlow 2.21.0": _OF_TENSORFLOW, "pandas 3.1.1": _OF_PANDAS,
        **_OF_OTHERS,
    }.items()
    for line in lines.strip().splitlines()
)  # fmt: skip
"""What libraries say of dtypes where no rule can tell, each with the release it was seen in."""


_NAME: Final = r"(?:unsigned )?(?:c10::|torch\.)?\w+"


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
def _patterns() -> list[tuple[Message, re.Pattern[str]]]:
    """Return what finds each sentence; few programs stop."""
    return [(one, _pattern(one.sentence)) for one in MESSAGES]


_BUILTIN: Final = (
    TypeError, RuntimeError, OverflowError, IndexError, ValueError, NotImplementedError,
)  # fmt: skip
_OTHERS: Final = frozenset(title.partition(" ")[0] for title in _OF_OTHERS)
_LONGEST: Final = 100_000  # characters of a message that are read

_C_NAMES: Final = {
    "double": "float64", "float": "float32", "half": "float16", "long": "int64", "int": "int32",
    "short": "int16", "char": "int8", "byte": "uint8", "unsigned char": "uint8", "boolean": "bool",
    "complexfloat": "complex64", "complexdouble": "complex128",
}  # fmt: skip


def is_possible(error: BaseException) -> bool:
    """Return whether an exception is of a class that libraries raise for dtypes."""
    kind = type(error)
    root = kind.__module__.partition(".")[0]
    is_theirs = kind in _BUILTIN or root in _OTHERS or library_of_module(root) is not None
    return isinstance(error, Exception) and is_theirs


def by_message(error: BaseException) -> Refusal | None:
    """Return what the message of an exception says of dtypes, or None if it says nothing of them.

    >>> by_message(OverflowError("Python integer 300 out of bounds for uint8")).number
    300
    >>> by_message(ValueError("operands could not be broadcast together with shapes (3,) (4,)"))
    """
    text = message(error)
    for (_, _, sort, _), pattern in _patterns() if is_possible(error) else ():
        found = pattern.search(text)
        if found is not None:
            named = found.groupdict()
            number, part = (named.get(name) or "" for name in ("number", "part"))
            got, want = (_dtype(named.get(name)) for name in ("got", "want"))
            # a wide float that is refused is to be an index, or a count
            is_index = sort == "floats" and got is not None and _is_wide_float(got)
            value = int(number) if 0 < len(number) <= _DIGITS else None
            line = text[found.start() :].partition("\n")[0].strip(" *;")
            return Refusal("integers" if is_index else sort, got, want, value, part, line=line)
    return None


_DIGITS: Final = 1_000  # of a number that is read: Python refuses more than some thousand


_COLOUR: Final = re.compile(r"\x1b\[[\d;]*m")  # in which Keras quotes an error


def message(error: BaseException) -> str:
    """Return what an error says, without colours; ``""`` if it cannot say it."""
    try:
        return _COLOUR.sub("", str(error)[:_LONGEST])
    except Exception:  # noqa: BLE001  # an error may be of any class
        return ""


_OF_DTYPES: Final = re.compile(
    r"\bdtypes?\b|\bdata[ -]?types?\b|\bscalar ?types?\b|[A-Z][a-z]+Tensor\b|\bbool(?:ean)?\b|"
    r"\b(?:u?int|b?float|complex)\d+\b",
    re.IGNORECASE,
)
_BYTE: Final = 8  # bits
_MISSPELT: Final = re.compile(r"'([a-z]+\d+)'")


def speaks_of_dtypes(error: BaseException) -> bool:
    """Return whether the first line of what a library says has a word for dtypes.

    >>> speaks_of_dtypes(RuntimeError("masked_fill_ only supports boolean masks"))
    True
    >>> speaks_of_dtypes(ValueError("invalid literal for int() with base 10: 'x'"))
    False
    """
    return is_possible(error) and _OF_DTYPES.search(_first_line(error)) is not None


def meant_dtype(error: BaseException) -> str:
    """Return the tail of a message about a dtype that an error quotes, misspelt; else ``""``.

    >>> meant_dtype(TypeError("data type 'flaot32' not understood"))
    '; did you mean float32?'
    """
    found = _MISSPELT.search(_first_line(error))
    if found is None or found[1] in names():
        return ""
    usual = [name for name in names() if name.isalnum() and (by_name(name).bits or 0) >= _BYTE]
    return did_you_mean(found[1], usual)[0]


_CLASS: Final = re.compile(r"\s*(?:Traceback \(most recent|[\w.]*(?:Error|Exception)\b:?)\s*")


def explained_by(text: str) -> str:
    """Return what to type for a text that is the message of an error; ``""`` for other texts.

    >>> explained_by("TypeError: integer argument expected, got float32")
    'it is the message of an error; type supremum why FILE for its program'
    >>> explained_by("np.sum(int8[3], axis=3)")
    ''
    """
    named = _CLASS.match(text)
    error = RuntimeError(text[named.end() :] if named else text)
    found = by_message(error)
    if not (found or named):  # an expression speaks of dtypes, too
        return ""
    if not (found or speaks_of_dtypes(error)):
        what = "it is the message of an error, which says nothing of dtypes"
        return f"{what}; supremum why FILE explains those that do"
    dtypes = [str(d) for d in (found.got, found.want) if d] if found else []
    about = f" about {' and '.join(dtypes)}" if dtypes else ""
    return f"it is the message of an error{about}; type supremum why FILE for its program"


def _first_line(error: BaseException) -> str:
    return message(error).strip().partition("\n")[0]


def _dtype(name: str | None) -> DType | None:
    """Return the dtype that a library's error names, in its own way."""
    if name is None:
        return None
    plain = name.removeprefix("c10::").removeprefix("torch.").removesuffix("Tensor").lower()
    known = _C_NAMES.get(plain, plain)
    try:
        return by_name(known)
    except SupremumError:
        return None


def _is_wide_float(d: DType) -> bool:
    return not is_integer(d) and (d.bits or 0) >= SINGLE


def is_integer(d: DType) -> bool:
    """Return whether a dtype has whole numbers, truth values included."""
    return d.kind == "bool" or family(d) == "integer"
