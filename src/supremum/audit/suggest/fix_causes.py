"""A cause where it is written, and the change of its code that mends it: none, if in doubt."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any, Final

from ...core.dtypes import DType, by_name
from ...core.functions import facts_of, function
from ...core.operands import Operand
from ..checks import checks, known_functions
from ..checks.stores import is_store, may_store
from ..kinds import FORBIDDEN, STOPPED, family
from ..model.locations import LOCATIONS, span_of
from ..model.provenance import Effect, Origin
from .fix_checks import (
    LARGER,
    NO_ARRAYS,
    REDUCTIONS,
    casts_alike,
    differs,
    is_added_to,
    is_between_rules,
    is_literal,
    keeps_dtype,
    leaves,
    literals_fit,
    narrows_well,
)
from .fix_edits import HOLE, Edit, SourceTree
from .fix_names import (
    Names,
    Spelling,
    dtype_argument,
    is_given,
    name_of,
    takes_dtype,
)
from .library_fixes import OF_LIBRARIES, is_of_table, of_meta, of_number, of_table, of_undone_cast

_OF_THE_OPERANDS = ("mixed-kind", "precision-loss", "overflow-risk", "narrowing-store")
"""What an operation does by itself, whatever its operands come from."""


_HAVE_ASTYPE: Final = {"NumPy", "CuPy", "JAX", "Dask", "pandas", "xarray", "MLX", "Paddle"}
_ARRAYS: Final = {
    "NumPy": ("numpy", "ndarray"), "PyTorch": ("torch", "Tensor"), "JAX": ("jax", "Array"),
    "pandas": ("pandas", "Series"),
}  # fmt: skip


def effect_operand(effect: Effect, index: int) -> int:
    """Return which of the spans of a place an operand is written at."""
    return effect.spans[index]


class Cause:
    """A cause where it is written, and the change that mends it.

    Attributes:
        needs: the import that the last spelled dtype lacks.
    """

    def __init__(
        self,
        source: SourceTree,
        node: ast.expr | ast.stmt,
        origin: Origin,
        effect: Effect,
        want: DType,
    ) -> None:
        self.source = source
        self.node = node
        self.origin = origin
        self.effect = effect
        self.want = want
        self.names = Names(source, node)
        self.here = effect.location == origin.location
        self.needs = ""
        self.explicit = origin.explicit
        self.called: Any = None
        self.name = ""
        if isinstance(node, ast.Call):
            inside = span_of(node) != LOCATIONS[origin.location].span
            called = None if inside else origin.function
            self.called = called or self.names.resolve(node.func)
            self.explicit = origin.explicit or (inside and origin.operand is None)
            self.name = name_of(node)

    def edit(self) -> Edit | None:
        """Return the change, or None if none is known to be right."""
        effect, origin, node = self.effect, self.origin, self.node
        if effect.kind == "value-changed":
            return self._with_larger()
        if self.here and is_between_rules(effect):
            return self._alike_in_both()
        if is_of_table(effect) or effect.kind in OF_LIBRARIES:
            return self._by_library()
        if origin.operand is not None:
            return self._seen()
        if effect.kind == "weak-type-lost":
            return self._left_weak()
        if self.here and effect.kind in _OF_THE_OPERANDS:
            stored = effect.operands[effect.against].dtype
            lost = effect.kind != "mixed-kind" and checks.family(stored) == "integer"
            # integers have no place there, whoever casts them
            return None if lost else self.with_cast(effect.against, self.want)
        if self.explicit and effect.kind != STOPPED and self._is_meant():
            return None
        if isinstance(node, ast.stmt):
            return self._with_one_cast()
        if isinstance(node, ast.Call):
            argument = dtype_argument(node, self.called, self.names)
            if argument is not None and is_given(argument, self.source):
                return None
            if not literals_fit(node, self.want, self.names):
                return None
        named = self.explicit or (origin.from_numbers and origin.scalar)
        if isinstance(node, ast.Call) and self.names.dtype_named(node.func) is origin.dtype:
            named = True
        other = self.renamed() if named else self.with_dtype()
        return other or self._with_one_cast() or self._converted()

    def _by_library(self) -> Edit | None:
        """Return a change of what makes a compiled function or a lazy array find another dtype."""
        node = self.node
        if is_of_table(self.effect):
            return of_table(self.effect, self._operand(self.effect.against))
        if self.effect.kind == "meta-mismatch":
            return of_meta(node, self.names, self.spelled())
        if self.effect.kind != "retracing" or not isinstance(node, ast.expr):
            return None
        if self.origin.from_numbers and self.origin.operand is not None:
            return of_number(node, self.effect, self.spelled())
        return self.renamed() or self.with_dtype() or self._cast(node, self.want, scalar=False)

    # the dtype is another one where the value is born

    def _is_meant(self) -> bool:
        """Tell whether the program widens on purpose: integers, sums, and what adds them up."""
        known = function(self.name)
        reduces = known is not None and known.category in REDUCTIONS
        adds = facts_of(self.name).is_accumulating or self.name in ("accumulate", "reduce")
        integer = checks.family(self.origin.dtype) == "integer"
        return reduces or adds or integer or is_added_to(self.source, self.node)

    def renamed(self) -> Edit | None:
        """Return a change of the dtype that is named, if it is spelled out."""
        call, was = self.node, self.origin.dtype
        if not isinstance(call, ast.Call) or keeps_dtype(self.name, self.called):
            return None
        if self.names.dtype_named(call.func) is was:
            new = self.spelled()
            return None if new.is_text else Edit(call.func, new.text)
        argument = dtype_argument(call, self.called, self.names, was)
        if argument is None or self.names.dtype_named(argument) is not was:
            return None
        if isinstance(argument, ast.Constant):
            quote = self.source.text(span_of(argument))[-1]
            return Edit(argument, f"{quote}{self.want}{quote}")
        return Edit(argument, self.spelled().text)

    def with_dtype(self) -> Edit | None:
        """Return a change that gives a dtype to the one function that makes the values."""
        if isinstance(self.node, ast.Call):
            call, called = self.node, self.called
        else:
            found = self._made_in()
            if found is None:
                return None
            call, called = found, self.names.resolve(found.func)
        name = name_of(call)
        known = function(name)
        if (
            known is None
            or known.category in (*REDUCTIONS, "random")
            or keeps_dtype(name, called)
            or not takes_dtype(called, name)
            or dtype_argument(call, called, self.names) is not None
            or any(isinstance(a, ast.Starred) for a in call.args)
            or any(k.arg is None for k in call.keywords)
            or not literals_fit(call, self.want, self.names)
        ):
            return None
        if checks.family(self.want) == "integer" and not is_literal(call):
            return None
        return Edit(call, keyword=f"dtype={self.spelled().text}")

    def _made_in(self) -> ast.Call | None:
        """Return the call that makes an array in some arithmetic, if the rest are numbers."""
        if not isinstance(self.node, ast.expr):
            return None
        parts = list(leaves(self.node))
        made = [n for n in parts if isinstance(n, ast.Call) and self._makes(n)]
        if len(made) != 1:
            return None
        rest = [n for n in parts if n is not made[0]]
        keep = {span_of(n) for n in self._kept_operands()}
        if all(span_of(n) in keep or self.names.is_plain(n) for n in rest):
            return made[0]
        return None

    def _kept_operands(self) -> Iterator[ast.expr]:
        """Yield the operands, at the place of the cause, that have the wanted dtype."""
        for i, operand in enumerate(self.effect.operands if self.here else ()):
            node = self._operand(i)
            if isinstance(node, ast.expr) and not differs(operand, self.want):
                yield from leaves(node)

    def _makes(self, call: ast.Call) -> bool:
        called, known = self.names.resolve(call.func), function(name_of(call))
        if known is None or not known.makes_arrays or not takes_dtype(called, name_of(call)):
            return False
        return dtype_argument(call, called, self.names) is None

    # or it is converted

    def _seen(self) -> Edit | None:
        """Return a cast of a value where it is first seen."""
        origin, node = self.origin, self.node
        if not isinstance(node, ast.expr) or not narrows_well(origin.dtype, self.want):
            return None
        if not self._is_array_there(origin.location, origin.operand or 0, origin.library):
            return None
        return self._cast(node, self.want, scalar=origin.scalar)

    def _is_array_there(self, location: int, index: int, library: str) -> bool:
        """Tell whether an operand is sure to be an array where it is written, not a list."""
        place = LOCATIONS[location]
        if place.form != "call" or (index > 1 and may_store(place.name)):
            return True
        if index == 0:  # the object, or something that is not written out
            module, name = _ARRAYS.get(library, ("", ""))
            arrays = getattr(sys.modules.get(module), name, None)
            return arrays is not None and hasattr(arrays, place.name)
        if facts_of(place.name).takes_list or index > len(place.keywords):
            return index > len(place.keywords)  # an element of a list that is written out
        return function(place.name) is not None

    def with_cast(self, index: int, want: DType) -> Edit | None:
        """Return a cast of one operand of the effect, where it is the cause."""
        effect, operand = self.effect, self.effect.operands[index]
        node = self._operand(index)
        at = effect_operand(effect, index)
        if not isinstance(node, ast.expr) or effect.spans.count(at) > 1:
            return None
        if operand.is_python:
            number = "int" if checks.family(want) == "integer" else self.spelled(want).text
            return Edit(node, f"{number}({HOLE})")
        d = want.part if operand.dtype.kind != "complex" else want
        if not self._is_array_there(effect.location, at, operand.library):
            return None
        # where the rules give the same dtype, the cast changes nothing
        given = effect.result or effect.operands[0].dtype
        if given not in (want, d) and not narrows_well(operand.dtype, d):
            return None
        if operand.dtype is d or d.weak or not _has_place(operand, d):
            return None
        scalar = operand.form == "scalar"
        return self._cast(node, d, scalar=scalar)

    def _with_one_cast(self) -> Edit | None:
        """Return a cast of the one operand of an operation that has another dtype."""
        effect = self.effect
        computes = effect.operator or LOCATIONS[self.origin.location].form != "call"
        if not self.here or effect.kind != "widening" or not computes:
            return None
        # it would be the wide operand's to mend if the other one were not cast right here
        if any(op.dtype is effect.result for op in effect.operands):
            return of_undone_cast(self.node, self.source)
        others = [i for i, op in enumerate(effect.operands) if differs(op, self.want)]
        return self.with_cast(others[0], self.want) if len(others) == 1 else None

    def _converted(self) -> Edit | None:
        """Return a cast of the result, which takes no other form."""
        node, origin = self.node, self.origin
        forbidden = any(family(m.kind) == FORBIDDEN for m in origin.effects.values())
        if not isinstance(node, ast.expr) or forbidden:  # it would be born all the same
            return None
        if self.here and self.effect.kind not in ("widening", "port-mismatch"):
            return None
        if self.here and not all(narrows_well(op.dtype, self.want) for op in self.effect.operands):
            return None
        if self.effect.kind != "port-mismatch" and not narrows_well(origin.dtype, self.want):
            return None
        return self._cast(node, self.want, scalar=origin.scalar)

    def _alike_in_both(self) -> Edit | None:
        """Return a cast of one operand with which both rules compute as it is done here."""
        for index, want in casts_alike(self.effect, known_functions.rules_of_numpy()):
            node, op = self._operand(index), self.effect.operands[index]
            if not isinstance(node, ast.expr):
                continue
            if op.is_python and not (new := self.spelled(want)).is_text:
                return Edit(node, f"{new.text}({HOLE})")
            return self._cast(node, want, scalar=op.form == "scalar")
        return None

    def _with_larger(self) -> Edit | None:
        """Return a cast to the first dtype that has a place for a number."""
        effect = self.effect
        if is_store(LOCATIONS[effect.location]):
            return None
        value = effect.operands[effect.against].value
        other = next(i for i in range(len(effect.operands)) if i != effect.against)
        d = effect.operands[other].dtype
        for name in LARGER:
            wider = by_name(name)
            same = checks.family(wider) == checks.family(d)
            if same and checks.bits(wider) > checks.bits(d) and checks.holds(value or 0, wider):
                return self.with_cast(other, wider)
        return None

    def _left_weak(self) -> Edit | None:
        """Return a call that makes an array of a Python number, and leaves it weak."""
        call = self.node
        if not isinstance(call, ast.Call) or not call.args:
            return None
        number = call.args[0]
        if not self.names.is_plain(number):
            return None
        module = self.spelled(by_name("float32")).text.rpartition(".")[0]
        return (
            Edit(call, f"{module}.asarray({self.source.text(span_of(number))})") if module else None
        )

    def _cast(self, node: ast.expr, want: DType, *, scalar: bool) -> Edit | None:
        """Return a cast of an expression."""
        if isinstance(node, NO_ARRAYS) or self._is_no_value(node) or _rounds_counts(node, want):
            return None
        new, library = self.spelled(want), self.origin.library
        if library == "PyTorch":
            return Edit(node, f"{HOLE}.to({new.text})")
        if library not in _HAVE_ASTYPE:
            return None
        if library not in ("NumPy", "CuPy"):
            return Edit(node, f"{HOLE}.astype({new.text})")
        if not scalar:
            return Edit(node, f"{HOLE}.astype({new.text}, copy=False)")
        known = function(name_of(node)) if isinstance(node, ast.Call) else None
        if new.is_text or (known is not None and known.category in (*REDUCTIONS, "index")):
            return Edit(node, f"{HOLE}.astype({new.text})")
        return Edit(node, f"{new.text}({HOLE})")  # which takes a Python number as well

    def _is_no_value(self, node: ast.expr) -> bool:
        return isinstance(self.names.resolve(node), (ModuleType, FunctionType, type))

    def _operand(self, index: int) -> ast.AST | None:
        """Return how an operand of the effect is written."""
        spans = LOCATIONS[self.effect.location].spans
        at = effect_operand(self.effect, index)
        span = spans[at] if at < len(spans) else None
        return self.source.find(span) if span is not None else None

    def spelled(self, want: DType | None = None) -> Spelling:
        """Return how a dtype is written here: by default, that which is wanted."""
        new = self.names.spell(want or self.want, self.origin.library)
        self.needs = new.needs
        return new


def _rounds_counts(node: ast.expr, want: DType) -> bool:
    """Tell whether numbers are counted up, which 16 bits have no place for."""
    calls = (n for n in ast.walk(node) if isinstance(n, ast.Call))
    counts = any(name_of(call) == "arange" for call in calls)
    return counts and checks.family(want) == "inexact" and checks.bits(want) < _SINGLE


_SINGLE: Final = 32  # bits


def _has_place(operand: Operand, d: DType) -> bool:
    """Tell whether the value of a scalar, if it is known, survives a cast."""
    return operand.value is None or checks.holds(operand.value, d)
