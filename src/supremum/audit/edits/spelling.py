"""How a file spells dtypes, casts and arguments that name a dtype."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import Any, Final, NamedTuple

from ...core.dtypes import DType, dtype
from ...core.errors import SupremumError
from ...core.functions import facts_of, function
from ...core.libraries import ASTYPE, libraries, library_of_module, library_titled
from ...core.operands import Operand
from ..log.calls import parameters_of
from ..model.dtypes import family
from ..model.locations import span_of
from ..model.names import Names
from ..model.source_file import (
    SourceFile,
    all_assigned,
    is_kept_parameter,
    is_parameter,
    name_of,
    origins,
)

HOLE: Final = "_"
"""The name that stands for the expression itself in what takes its place."""

CASTS: Final = ("astype", "to", "type", "view", "cast")
"""Methods whose argument is a dtype in one library or another."""

_OF_ML_DTYPES = re.compile(r"bfloat|bcomplex|float[468]_|u?int[124]$|complex32$")


class Spelling(NamedTuple):
    """How a dtype is written.

    Attributes:
        text: the expression.
        needs: the import that the file lacks for it, or ``""``.
        is_text: whether it is a string, which cannot be called.
    """

    text: str
    needs: str = ""
    is_text: bool = False

    @property
    def module(self) -> str:
        """The module that the dtype is an attribute of, as it is written, or ``""``."""
        return self.text.rpartition(".")[0]


def spell(d: DType, library: str, names: Names) -> Spelling:
    """Return how a dtype of some library is written where some names are visible."""
    facts = library_titled(library)
    module, alias = facts.import_as
    if facts.dtypes_as_text:
        return Spelling(f'"{d}"', is_text=True)
    if module == "numpy" and _OF_ML_DTYPES.match(d.name):
        module = alias = "ml_dtypes"
    own = dict(facts.dtype_names).get(d.name, d.name)
    if imported := names.name_for(module):
        return Spelling(f"{imported}.{own}")
    if by_itself := names.name_for(f"{module}.{own}"):
        return Spelling(by_itself)
    if facts.reads_text:
        return Spelling(f'"{d}"', is_text=True)  # which needs no import
    needs = f"import {module}" + (f" as {alias}" if alias != module else "")
    return Spelling(f"{alias}.{own}", needs)


def cast(
    d: DType,
    library: str,
    names: Names,
    *,
    scalar: bool = False,
    unlike: bool = False,
    at_hand: Spelling | None = None,
) -> Spelling | None:
    """Return a cast to a dtype as a template, or None if the library has none that is known.

    Args:
        d: the dtype.
        library: the title of the library.
        names: the names that are visible there.
        scalar: whether a scalar is cast.
        unlike: whether what is cast is known to have another dtype.
        at_hand: the dtype as the function around has it, or None.
    """
    facts = library_titled(library)
    methods = dict(facts.cast_methods)
    if not facts.cast:
        return None
    if at_hand is not None and not scalar:
        return Spelling(facts.cast.format(x=HOLE, dtype=at_hand.text))
    if unlike and d.name in methods:
        return Spelling(f"{HOLE}.{methods[d.name]}()")
    new = spell(d, library, names)
    template = facts.cast.replace("copy=False", "").replace(", )", ")") if unlike else facts.cast
    if scalar and facts.casts_scalars:
        number = "int" if family(d) == "integer" else "float"
        template = f"{number}({{x}})" if unlike else "{dtype}({x})"
        template = ASTYPE if new.is_text and not unlike else template
    if new.module:  # by which a function of the library is called, too
        template = template.replace(f"{facts.import_as[1]}.", f"{new.module}.", 1)
    return new._replace(text=template.format(x=HOLE, dtype=new.text))


def at_hand(
    source: SourceFile,
    operands: Iterable[tuple[Operand, ast.expr | None]],
    d: DType,
    library: str,
    *,
    around: ast.AST | None = None,
    is_there: bool = False,
) -> Spelling | None:
    """Return a dtype as an operand has it that the function around it is given, or None.

    A literal is right for this run, and wrong for a caller with another width.

    Args:
        source: the file.
        operands: the operands, and where they are written.
        d: the dtype.
        library: the title of the library.
        around: what the dtype is written in, if not where the operand is.
        is_there: whether any variable of a function will do, as where operands have to be alike.
    """
    if not library_titled(library).names_own_dtype or family(d) != "inexact":
        return None
    kind = d, "array", library
    alike = (node for op, node in operands if (op.dtype, op.form, op.library) == kind and node)
    is_right = _is_variable if is_there else is_kept_parameter
    found = next((n for n in alike if is_right(source, n, around or n)), None)
    return Spelling(f"{source.text(span_of(found))}.dtype") if found is not None else None


def _is_variable(source: SourceFile, node: ast.expr, _around: ast.AST) -> bool:
    """Return whether an expression is a variable of a function, or what one has by a name."""
    root = node
    while isinstance(root, ast.Attribute) or _is_entry(root):
        root = root.value  # type: ignore[attr-defined]  # both have one
    return isinstance(root, ast.Name) and bool(source.functions(node))


def _is_entry(node: ast.expr) -> bool:
    """Return whether an expression takes what a dictionary has by a name: ``cache["k"]``."""
    key = node.slice if isinstance(node, ast.Subscript) else None
    return isinstance(key, ast.Constant) and isinstance(key.value, str)


def last_number(new: Spelling, library: str, own: str, *, is_least: bool) -> str:
    """Return how the last number of a dtype is written, as a library has it.

    Args:
        new: how the dtype is spelled.
        library: the title of the library.
        own: what is written for the dtype, which may be that of an array.
        is_least: whether it is the least, and not the largest.
    """
    end = "min" if is_least else "max"
    return library_titled(library).last.format(module=new.module, dtype=own, end=end)


def is_cast_method(call: ast.Call) -> bool:
    """Return whether a call is of a method that casts to one dtype, such as ``x.double()``."""
    of_object = isinstance(call.func, ast.Attribute) and not call.args
    return of_object and name_of(call) in _cast_methods()


@cache
def _cast_methods() -> frozenset[str]:
    known = libraries().values()
    return frozenset(method for library in known for _, method in library.cast_methods)


def dtype_named(node: ast.expr, names: Names) -> DType | None:
    """Return the dtype that an expression spells out, or None if it is computed."""
    if isinstance(node, ast.Constant):
        return _dtype_of(node.value) if isinstance(node.value, str) else None
    if isinstance(node, ast.Call):
        made = getattr(names.resolve(node.func), "__name__", "")
        of_one = made == "dtype" and len(node.args) == 1 and not node.keywords
        return dtype_named(node.args[0], names) if of_one else None
    return _dtype_of(names.resolve(node))


def _dtype_of(value: Any) -> DType | None:
    """Return the dtype that a value stands for, as the libraries read it."""
    numpy = sys.modules.get("numpy")
    try:
        of_python = any(value is t for t in (float, int, complex, bool))
        if numpy is not None and (of_python or isinstance(value, str)):
            value = numpy.dtype(value)
            return dtype(value) if value.isnative else None
        return None if value is None or isinstance(value, ModuleType) else dtype(value)
    except (SupremumError, TypeError, ValueError):
        return None


def dtype_argument(
    call: ast.Call, called: Any, names: Names, was: DType | None = None
) -> ast.expr | None:
    """Return the argument of a call that is its dtype, or None if it has none.

    Args:
        call: the call.
        called: the function, or None if it is not known.
        names: the names that are visible there.
        was: the dtype that it gives.
    """
    for keyword in call.keywords:
        if keyword.arg == "dtype":
            return keyword.value
    position = _position(called, name_of(call), call, names)
    if position is not None and position < len(call.args):
        before = call.args[: position + 1]
        return None if any(isinstance(a, ast.Starred) for a in before) else before[-1]
    if name_of(call) in CASTS:
        return next((a for a in call.args if dtype_named(a, names) is was is not None), None)
    return None


def named_dtype(call: ast.Call, called: Any, names: Names, was: DType) -> ast.expr | None:
    """Return where a call spells its dtype out: its function, or an argument; else None."""
    if dtype_named(call.func, names) is was:
        return call.func
    argument = dtype_argument(call, called, names, was)
    return argument if argument is not None and dtype_named(argument, names) is was else None


def named_for(source: SourceFile, variable: ast.expr, was: DType) -> Iterator[ast.expr]:
    """Yield where a dtype is spelled out that is assigned to a variable, or is its default."""
    if isinstance(variable, ast.Name):
        found = [one for one, rest in origins(source, variable, ()) if not rest]
        for one in [*found, *all_assigned(source, variable)]:
            if dtype_named(one, Names(source, one)) is was:
                yield one


def renamed(
    source: SourceFile, named: ast.expr, d: DType, library: str, names: Names
) -> Spelling | None:
    """Return another dtype in the place of one that is spelled out, in the same form."""
    if isinstance(named, ast.Constant):
        quote = source.text(span_of(named))[-1]
        return Spelling(f"{quote}{d}{quote}", is_text=True)
    new = spell(d, library, names)
    parent = source.parents.get(named)
    of_call = isinstance(parent, ast.Call) and parent.func is named
    return None if of_call and new.is_text else new


_SIGNATURE: Final = 400  # letters that a signature may have


def takes_dtype(called: Any, name: str) -> bool:
    """Return whether a function of an array library takes a dtype as a keyword."""
    known = function(name)
    if called is None or known is None or not known.takes_dtype:
        return False
    given = parameters_of(called)
    if given is None:  # it is written in C, and its documentation begins with what it takes
        return "dtype" in str(getattr(called, "__doc__", None) or "dtype")[:_SIGNATURE]
    if "dtype" in given:
        return True
    root = str(getattr(called, "__module__", "")).partition(".")[0]
    others = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in given.values())
    facts = library_of_module(root)
    # a method of a table hands its other arguments on to nothing that takes a dtype
    return others and facts is not None and not facts.dtypes_as_text


def is_given(node: ast.expr, source: SourceFile) -> bool:
    """Return whether an expression is a parameter of a function around it: a caller decides."""
    return any(is_parameter(node, function) for function in source.functions(node))


def _position(called: Any, name: str, call: ast.Call, names: Names) -> int | None:
    """Return the position of a call's dtype, or None if it has no such parameter."""
    owner = names.resolve(call.func.value) if isinstance(call.func, ast.Attribute) else None
    facts = library_of_module(getattr(owner, "__name__", ""))
    if facts is not None and facts.dtype_by_name:
        return None
    given = parameters_of(called)
    if given is None or "dtype" not in given:
        return facts_of(name).dtype_position if given is None or name in CASTS else None
    if given["dtype"].kind is inspect.Parameter.KEYWORD_ONLY:
        return facts_of(name).dtype_position  # NumPy takes it by position all the same
    found = list(given)
    of_object = isinstance(call.func, ast.Attribute) and owner is None
    return found.index("dtype") - (of_object and found[0] == "self")
