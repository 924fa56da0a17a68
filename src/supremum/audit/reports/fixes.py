"""What to type instead: for each cause, the line that keeps the dtype that was there."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ...core.dtype_names import by_name
from ...core.dtypes import DType
from ...core.functions import function
from ...core.libraries import libraries
from ...core.operands import Operand
from ..analysis import checks
from ..model.locations import LOCATIONS
from ..model.provenance import Effect, Origin

_LARGER = ("float16", "float32", "float64", "int16", "int32", "int64")

# What an operation does by itself, whatever its operands come from.
_OF_THE_OPERANDS = ("mixed-kind", "precision-loss", "overflow-risk", "narrowing-store")

_ARITHMETIC = (
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult,
)  # fmt: skip


def suggest(origin: Origin, effect: Effect, want: DType) -> str:
    """Return the code to type instead of the cause.

    Args:
        origin: the cause.
        effect: what came of it first.
        want: the dtype that would have stayed.
    """
    location = LOCATIONS[origin.location]
    spell = _speller(origin, location.file)
    if effect.kind == "value-changed":
        return _larger(effect, origin, spell)
    if origin.operand is not None:
        return _cast(location.operand_text(origin.operand), want, origin, spell)
    if effect.kind == "weak-lost":
        return _weak(location.text, spell)
    here = effect.location == origin.location
    other = ""
    if here and effect.kind in _OF_THE_OPERANDS:
        other = _with_cast(effect, effect.against, want, origin, spell)
    elif origin.explicit or origin.from_numbers:
        other = _renamed(location.text, origin.dtype, want, spell)
    if not other and not (origin.explicit or origin.from_numbers):
        other = _with_dtype(location.text, want, origin, spell)
    computes = effect.operator or location.form != "call"
    if not other and here and effect.kind == "widening" and computes:
        others = [i for i, op in enumerate(effect.operands) if _differs(op, want)]
        other = _with_cast(effect, others[0], want, origin, spell) if len(others) == 1 else ""
    if not other and origin.scalar and origin.library == "NumPy":
        other = f"{spell(want)}({location.text})"
    return other or _cast(location.text, want, origin, spell)


def _weak(text: str, spell: Callable[[DType], str]) -> str:
    """Return a call that makes an array of a Python number, and leaves it weak."""
    numbers = re.sub(r"^[\w.]+\(|,\s*dtype=.*|\)$", "", text)
    return f"{spell(by_name('float32')).rpartition('.')[0]}.asarray({numbers})"


def effect_operand(effect: Effect, index: int) -> int:
    """Return which of the spans of a place an operand is written at."""
    return effect.spans[index]


def _speller(origin: Origin, file: str) -> Callable[[DType], str]:
    """Return a function that writes a dtype as the file would."""
    if origin.library == "pandas":
        return lambda d: f'"{d}"'
    module, alias = _imported_as(origin.library)
    found = re.search(
        rf"^\s*import\s+{re.escape(module)}(?:\s+as\s+(\w+))?\s*(?:$|#)",
        "".join(linecache.getlines(file)),
        re.MULTILINE,
    )
    name = (found[1] or module) if found else alias
    if module == "numpy":
        return lambda d: f"{'ml_dtypes' if _OF_ML_DTYPES.match(d.name) else name}.{d}"
    return lambda d: f"{name}.{d}"


_OF_ML_DTYPES = re.compile(r"bfloat|bcomplex|float[468]_|u?int[124]$|complex32$")


def _differs(operand: Operand, want: DType) -> bool:
    """Tell whether an operand would have to be cast, for a result to have some dtype."""
    d = operand.dtype
    return bool(not operand.weak and checks.family(d)) and d not in (want, want.part)


def _with_cast(
    effect: Effect, index: int, want: DType, origin: Origin, spell: Callable[[DType], str]
) -> str:
    """Return the text of a place with one operand of it cast, or ``""`` where it is not written."""
    place, operand = LOCATIONS[effect.location], effect.operands[index]
    span = effect_operand(effect, index)
    what = place.operand_text(span)
    if not what or effect.spans.count(span) > 1 or re.match(r"[\[{*]", what):
        return ""
    if operand.is_python:
        number = "int" if checks.family(want) == "integer" else spell(want)
        return place.with_operand(span, f"{number}({what})")
    d = want.part if operand.dtype.kind != "complex" else want
    return place.with_operand(span, _cast(what, d, origin, spell))


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
    new, count = re.subn(rf"\b(?:\w+\.)+{was}\b", spell(want), text)
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
        calls = _computed_with(tree)
        call = next((n for n in calls if _makes(n, origin.library) and not _has_dtype(n)), None)
    if call is None or _has_dtype(call) or checks.family(want) != "inexact":
        return ""
    end = call.end_col_offset or 0
    raw = text.encode()
    before = raw[: end - 1].rstrip().removesuffix(b",")
    given = b", " if call.args or call.keywords else b""
    return (before + given + f"dtype={spell(want)})".encode() + raw[end:]).decode()


def _computed_with(tree: ast.expr) -> Iterator[ast.Call]:
    """Yield the calls whose results some arithmetic is done with."""
    if isinstance(tree, ast.Call):
        yield tree
    elif isinstance(tree, ast.UnaryOp):
        yield from _computed_with(tree.operand)
    elif isinstance(tree, ast.BinOp) and isinstance(tree.op, _ARITHMETIC):
        yield from _computed_with(tree.left)
        yield from _computed_with(tree.right)
    elif isinstance(tree, ast.Compare):
        for side in (tree.left, *tree.comparators):
            yield from _computed_with(side)


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _has_dtype(call: ast.Call) -> bool:
    return any(k.arg == "dtype" for k in call.keywords)


def _imported_as(library: str) -> tuple[str, str]:
    """Return the module with a library's dtypes, and its alias; NumPy's if it has no rules."""
    known = {facts.title: facts.import_as for facts in libraries().values()}
    return known.get(library, ("numpy", "np"))


def _makes(call: ast.Call, library: str) -> bool:
    """Tell whether a call makes an array of some dtype by default, and takes another one."""
    known = function(_name(call))
    return known is not None and known.makes_arrays and _takes_dtype(None, _name(call), library)


def _takes_dtype(called: Any, name: str, library: str) -> bool:
    known = function(name)
    if known is None or not known.takes_dtype:
        return False
    if called is None:
        called = getattr(sys.modules.get(_imported_as(library)[0]), name, None)
    if called is None:
        return not known.makes_arrays
    owner = getattr(called, "__self__", None) or getattr(called, "__objclass__", None)
    if "RandomState" in f"{owner} {called}":  # the old generator's functions take none
        return False
    try:
        parameters = inspect.signature(called).parameters
    except (TypeError, ValueError):
        return True  # it is written in C, and the catalogue knows it
    return "dtype" in parameters or any(
        p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values()
    )


def _larger(effect: Effect, origin: Origin, spell: Callable[[DType], str]) -> str:
    """Return a cast to the first dtype that has a place for a number."""
    value = effect.operands[effect.against].value
    other = next(i for i in range(len(effect.operands)) if i != effect.against)
    d = effect.operands[other].dtype
    for name in _LARGER if LOCATIONS[effect.location].form not in ("store", "in place") else ():
        wider = by_name(name)
        same = checks.family(wider) == checks.family(d)
        if same and checks.bits(wider) > checks.bits(d) and checks.holds(value or 0, wider):
            cast = _with_cast(effect, other, wider, origin, spell)
            return cast or f"a number that {d} holds"
    return f"a number that {d} holds"
