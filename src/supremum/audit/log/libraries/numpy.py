"""NumPy: an empty list is float64, and makes floats of the integers that it is joined to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ....core.dtypes import by_name
from ....core.operands import operand
from ...model.provenance import Effect
from ..calls import function_of
from ..tracked_types import NDARRAY, kind_of
from .listeners import Event, Listener

_JOINS: Final = frozenset(
    {"append", "concatenate", "column_stack", "dstack", "hstack", "stack", "union1d", "vstack"}
)
_FLOAT64: Final = by_name("float64")
_REMEDY: Final = "np.array(x, dtype=int) of it keeps integers"


class Numpy(Listener):
    """Finds integers that become floats beside an empty list, or an array that was made of one."""

    def called(self, event: Event) -> None:
        """Record what a function makes of the integers that it joins."""
        name = event.place.name
        if name not in _JOINS or kind_of(event.result) != NDARRAY or event.result.dtype.char != "d":
            return
        parts = _parts(event.arguments)
        empty = [x for x in parts if _is_empty(x)]
        others = [x for x in parts if not _is_empty(x)]
        if not (empty and others and all(map(_holds_integers, others))):
            return
        span = event.span_of(others[0]) or 0
        read = operand(others[0]) if kind_of(others[0]) == NDARRAY else operand(by_name("int64"))
        facts = {"library": "NumPy", "function": function_of(event.base, name), "several": True}
        what = "list" if type(empty[0]) is list else "array of float64"
        remark = f"an empty {what} makes floats of the integers beside it; {_REMEDY}"
        origin = self.findings.origin(event.location, None, _FLOAT64, facts)
        effect = Effect(
            "mixed-kind", event.location, (read,), _FLOAT64, 0, spans=[span], remark=remark
        )
        self.findings.found(origin, effect)


def _parts(arguments: Sequence[Any]) -> Sequence[Any]:
    """Return what a function joins: its first argument holds it, or it is the arguments."""
    first = arguments[0] if arguments else ()
    is_held = len(arguments) == 1 and type(first) in (list, tuple)
    return first if is_held else arguments[:2]


def _is_empty(value: Any) -> bool:
    if kind_of(value) == NDARRAY:
        return bool(value.size == 0 and value.dtype.char == "d")
    return type(value) is list and not value


def _holds_integers(value: Any) -> bool:
    if kind_of(value) == NDARRAY:
        return value.dtype.kind in "iu"
    return type(value) is list and set(map(type, value)) == {int}
