"""What to type instead: for each cause, the line that keeps the dtype that was there."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
from collections.abc import Callable
from typing import Any

from supremum.audit import judge
from supremum.audit.functions import TAKES_DTYPE
from supremum.audit.origins import Meeting, Origin
from supremum.audit.sites import SITES
from supremum.dtypes import DType, by_name

_ALIASES = {
    "NumPy": ("numpy", "np"), "JAX": ("jax.numpy", "jnp"), "PyTorch": ("torch", "torch"),
    "Dask": ("numpy", "np"), "CuPy": ("cupy", "cp"), "xarray": ("numpy", "np"),
}  # fmt: skip
_LARGER = ("float16", "float32", "float64", "int16", "int32", "int64")

_OF_THE_OPERANDS = ("mixed-kind", "precision-loss", "overflow-risk")


def suggest(origin: Origin, meeting: Meeting, want: DType) -> str:
    """Return the code to type instead of the cause.

    Args:
        origin: the cause.
        meeting: what came of it first.
        want: the dtype that would have stayed.
    """
    site = SITES[origin.site]
    spell = _speller(origin, site.file)
    if meeting.kind == "value-changed":
        return _larger(meeting, origin, spell)
    if origin.operand is not None:
        return _cast(site.operand_text(origin.operand), want, origin, spell)
    if site.form == "store" or meeting.kind in _OF_THE_OPERANDS:
        place = SITES[meeting.site]
        spot = meeting_operand(meeting, meeting.against)
        what = place.operand_text(spot) or f"operand {meeting.against + 1}"
        return _cast(what, want, origin, spell)
    if meeting.kind == "weak-lost":
        return _weak(site.text, spell)
    if origin.explicit or origin.from_numbers:
        other = _renamed(site.text, origin.dtype, want, spell)
    else:
        other = _with_dtype(site.text, want, origin, spell)
    if not other and origin.scalar and origin.library == "NumPy":
        other = f"{spell(want)}({site.text})"
    return other or _cast(site.text, want, origin, spell)


def _weak(text: str, spell: Callable[[DType], str]) -> str:
    """Return a call that makes an array of a Python number, and leaves it weak."""
    numbers = re.sub(r"^[\w.]+\(|,\s*dtype=.*|\)$", "", text)
    return f"{spell(by_name('float32')).rpartition('.')[0]}.asarray({numbers})"


def meeting_operand(meeting: Meeting, index: int) -> int:
    """Return which of the spots of a place an operand is written at."""
    return meeting.spots[index]


def _speller(origin: Origin, file: str) -> Callable[[DType], str]:
    """Return a function that writes a dtype as the file would."""
    if origin.library == "pandas":
        return lambda d: f'"{d}"'
    module, alias = _ALIASES.get(origin.library, ("numpy", "np"))
    found = re.search(
        rf"^\s*import\s+{re.escape(module)}\s+as\s+(\w+)",
        "".join(linecache.getlines(file)),
        re.MULTILINE,
    )
    name = found[1] if found else alias
    if module == "numpy":
        return lambda d: (
            f"ml_dtypes.{d}" if d.name.startswith(("bfloat", "float8")) else f"{name}.{d}"
        )
    return lambda d: f"{name}.{d}"


def _cast(text: str, want: DType, origin: Origin, spell: Callable[[DType], str]) -> str:
    simple = re.fullmatch(r"[\w.]+|[\w.]+[(\[].*[)\]]", text) and _is_one(text)
    what = text if simple else f"({text})"
    if origin.library == "PyTorch":
        return f"{what}.to({spell(want)})"
    if origin.library in ("NumPy", "CuPy"):
        return f"{what}.astype({spell(want)}, copy=False)"
    return f"{what}.astype({spell(want)})"


def _is_one(text: str) -> bool:
    """Tell whether a text is one expression that takes an attribute as it is."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        return False
    return isinstance(tree, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))


def _renamed(text: str, was: DType, want: DType, spell: Callable[[DType], str]) -> str:
    """Return the text with another dtype named in it, or ``""`` where none is found."""
    new, count = re.subn(rf"\bnp\.{was}\b", spell(want), text)
    if count:
        return new
    new, count = re.subn(rf"\b{was}\b", str(want), text)
    if count:
        return new
    new, count = re.subn(r"(\(|dtype=)(float|complex|int)\b(?!\()", rf"\1{spell(want)}", text)
    return new if count else ""


def _with_dtype(text: str, want: DType, origin: Origin, spell: Callable[[DType], str]) -> str:
    """Return the text with a dtype given to the function that makes the values, or ``""``."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        return ""
    if isinstance(tree, ast.Call):
        call = tree if _takes_dtype(origin.function, _name(tree), origin.library) else None
    else:
        calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
        call = next((n for n in calls if _name(n) in _MAKES and not _has_dtype(n)), None)
    if call is None or _has_dtype(call) or judge.family(want) != "inexact":
        return ""
    end = call.end_col_offset or 0
    raw = text.encode()
    before = raw[: end - 1].rstrip().removesuffix(b",")
    given = b", " if call.args or call.keywords else b""
    return (before + given + f"dtype={spell(want)})".encode() + raw[end:]).decode()


_MAKES = frozenset({"arange", "zeros", "ones", "linspace", "full", "eye", "identity", "indices"})


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _has_dtype(call: ast.Call) -> bool:
    return any(k.arg == "dtype" for k in call.keywords)


def _takes_dtype(function: Any, name: str, library: str) -> bool:
    if name not in TAKES_DTYPE:
        return False
    owner = getattr(function, "__self__", None) or getattr(function, "__objclass__", None)
    if "RandomState" in f"{owner} {function}":  # the old generator's functions take none
        return False
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return library in _ALIASES
    return "dtype" in parameters or any(
        p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values()
    )


def _larger(meeting: Meeting, origin: Origin, spell: Callable[[DType], str]) -> str:
    """Return a cast to the first dtype that has a place for a number."""
    value = meeting.operands[meeting.against].value
    other = next(i for i in range(len(meeting.operands)) if i != meeting.against)
    d = meeting.operands[other].dtype
    what = SITES[meeting.site].operand_text(meeting_operand(meeting, other)) or "x"
    for name in _LARGER:
        wider = by_name(name)
        same = judge.family(wider) == judge.family(d)
        if same and judge.bits(wider) > judge.bits(d) and judge.holds(value or 0, wider):
            return _cast(what, wider, origin, spell)
    return f"a number that {d} holds"
