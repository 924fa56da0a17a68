"""Suggested fixes of what particular libraries do: JAX's traces, tables and lazy arrays."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, Final

from ..log.libraries.columns import LIBRARY
from ..log.libraries.dask import SAYS
from ..log.libraries.pandas import MAKES, MERGES, MIXES, STACKS, TAKE_DTYPES, nullable
from ..model.locations import LOCATIONS, is_dtype, span_of
from ..model.names import Names
from ..model.provenance import Effect
from ..model.source_file import SourceFile, name_of, source_file
from .candidates import Candidate
from .spelling import CASTS, HOLE, Spelling, dtype_named, spell

_OBJECTS: Final = ("apply", "iterrows")
_TAKES_OBJECTS: Final = ("DataFrame",)
_ARRAYS: Final = ("array", "empty", "ones", "zeros")
_MAPS: Final = ("blockwise", "map_blocks", "map_overlap")


def is_of_table(effect: Effect) -> bool:
    """Return whether integers of a table became floats."""
    return bool(effect.parts) and effect.operands[0].library == LIBRARY


def reads_table(effect: Effect) -> bool:
    """Return whether integers of a table became floats as it was read."""
    return is_of_table(effect) and LOCATIONS[effect.location].name in TAKE_DTYPES


def of_table(effect: Effect, operand: ast.AST | None, call: ast.AST) -> Candidate | None:
    """Return a change that lets the integers of a table stay integers.

    Args:
        effect: what came of it.
        operand: the table, as it is written.
        call: what makes floats of them.
    """
    place = LOCATIONS[effect.location]
    if place.name in TAKE_DTYPES and isinstance(call, ast.Call):
        is_free = all(keyword.arg not in (None, "dtype") for keyword in call.keywords)
        columns = _columns(effect)
        return Candidate(call, keyword=f"dtype={columns}") if is_free and columns else None
    if place.name in MAKES and isinstance(call, ast.Call):
        return _of_objects(effect, call)
    if not isinstance(operand, ast.expr) or place.form != "call" or None in effect.spans:
        return None
    if place.name in _OBJECTS:
        return Candidate(operand, f"{HOLE}.astype(object)")  # a row of objects has each as it is
    if place.name in (*MIXES, "pivot_table"):
        return None
    if place.name == STACKS and operand is getattr(getattr(call, "func", None), "value", None):
        return None  # which of the tables it is, is not known
    if effect.operands[0].rank != 2:
        return Candidate(operand, f'{HOLE}.astype("{nullable(effect.operands[0].dtype)}")')
    return of_columns(effect, operand)


def _of_objects(effect: Effect, call: ast.Call) -> Candidate | None:
    """Return a table that is made of objects, whose integers then become some that may lack values.

    The other columns get the dtypes that they would have had.
    """
    columns = _columns(effect)
    if not columns or name_of(call) not in _TAKES_OBJECTS:
        return None
    if any(keyword.arg in (None, "dtype") for keyword in call.keywords):
        return None
    return Candidate(call, f"{HOLE}.astype({columns}).infer_objects()", keyword="dtype=object")


def of_columns(
    effect: Effect, table: ast.expr, some: Sequence[Any] | None = None
) -> Candidate | None:
    """Return a cast of columns of a table, or some of them, that will lack values to integers."""
    columns, place = _columns(effect, some), LOCATIONS[effect.location]
    if place.name in MERGES and (call := source_file(place.file).expression(place.span)):
        keys = {n.value for n in ast.walk(call) if isinstance(n, ast.Constant)}
        if not keys.isdisjoint(effect.parts):
            return None  # which have to be of the same dtype on both sides
    return Candidate(table, f"{HOLE}.astype({columns})") if columns else None


def _columns(effect: Effect, some: Sequence[Any] | None = None) -> str:
    """Return the dtypes in which columns stay integers, as Python; ``""`` if names are no text."""
    wide = effect.enough or nullable(effect.operands[0].dtype)
    parts = effect.parts if some is None else some
    names = [name for name in parts if isinstance(name, str)]
    written = ", ".join(f'"{name}": "{wide}"' for name in names)
    return f"{{{written}}}" if len(names) == len(parts) else ""


def casts_columns(node: ast.AST) -> bool:
    """Return whether a call names the columns of a table that it casts, each with a dtype."""
    if not isinstance(node, ast.Call) or name_of(node) != "astype":
        return False
    return any(isinstance(x, ast.Dict) for x in node.args[:1])


def uncast(call: ast.AST, effect: Effect, names: Names) -> list[Candidate]:
    """Return changes of such a call that leave columns the dtype that the first of them has."""
    given = call.args[0] if isinstance(call, ast.Call) else None
    if not isinstance(given, ast.Dict) or effect.result is None:
        return []
    own = effect.operands[0]
    new = spell(own.dtype, own.library, names)
    named = [one for one in given.values if dtype_named(one, names) is effect.result]
    return [Candidate(one, new.text, needs=new.needs) for one in named]


def of_number(node: ast.expr, effect: Effect, spelled: Spelling) -> Candidate | None:
    """Return a change of a Python number that a compiled function began with."""
    if effect.result is not None and effect.result.weak:
        value = node.value if isinstance(node, ast.Constant) else None
        return Candidate(node, f"{value}.0") if type(value) is int else None
    return None if spelled.is_text else Candidate.of(node, spelled, f"{{}}({HOLE})")


def of_meta(call: ast.expr | ast.stmt, names: Names, spelled: Spelling) -> Candidate | None:
    """Return a change of what a call says that its lazy result will be."""
    if not isinstance(call, ast.Call) or any(k.arg is None for k in call.keywords):
        return None
    if name_of(call) in _ARRAYS:
        return _of_array(call, spelled)
    given = {k.arg: k.value for k in call.keywords if k.arg in SAYS}
    if not given and name_of(call) in _MAPS:
        return Candidate(call, keyword=f"dtype={spelled.text}", needs=spelled.needs)
    if len(given) != 1 and "dtype" not in given:
        return None
    name = "dtype" if "dtype" in given else next(iter(given))  # which an array beside it gets
    return _of_said(str(name), given[name], names, spelled)


def _of_said(name: str, value: ast.expr, names: Names, spelled: Spelling) -> Candidate | None:
    """Return a change of an argument that says what a lazy result will be."""
    if name == "dtype":  # one that is handed over is the caller's to change
        is_known = is_dtype(value) or dtype_named(value, names) is not None
        return Candidate.of(value, spelled) if is_known else None
    if name == "output_dtypes":
        one = value.elts if isinstance(value, (ast.List, ast.Tuple)) else []
        return Candidate.of(one[0], spelled) if len(one) == 1 else None
    if isinstance(value, ast.Call) and name_of(value) in _ARRAYS:
        return _of_array(value, spelled)
    return Candidate.of(value, spelled, f"{HOLE}.astype({{}})")


def _of_array(call: ast.Call, spelled: Spelling) -> Candidate:
    """Return a change of the dtype of an array that stands for a lazy one."""
    written = next((k.value for k in call.keywords if k.arg == "dtype"), None)
    if written is not None:
        return Candidate(written, spelled.text, needs=spelled.needs)
    return Candidate(call, keyword=f"dtype={spelled.text}", needs=spelled.needs)


def of_undone_cast(node: ast.AST, source: SourceFile) -> Candidate | None:
    """Return an operation that is cast as a whole in place of one operand, if one is."""
    if not isinstance(node, ast.BinOp):
        return None
    casts = [n for n in (node.left, node.right) if isinstance(n, ast.Call) and name_of(n) in CASTS]
    if len(casts) != 1 or not isinstance(casts[0].func, ast.Attribute):
        return None
    cast, value = source.text(span_of(casts[0])), source.text(span_of(casts[0].func.value))
    before, found, after = source.text(span_of(node)).partition(cast)
    whole = f"({before}{value}{after}){cast[len(value) :]}"
    return Candidate(node, whole) if found else None
