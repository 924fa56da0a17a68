"""xarray: what becomes of integers where labels do not match, coordinates, and stores by labels."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Final

from ....core.dtypes import by_name, dtype
from ....core.losses import loses_precision
from ....core.operands import operand
from ...model.provenance import Effect
from ..calls import elements
from ..operation_checks import OperationCheck
from ..tracked_types import INDEXER, TYPES, is_array, kind_of
from .columns import columns_in
from .listeners import Event, Findings, Listener
from .pandas import Converted, converted, holds_it, write

_MASKS: Final = "where"
_FILLS: Final = {
    _MASKS: "a number for `other` keeps integers",
    **dict.fromkeys(
        ("align", "broadcast", "combine_first", "concat", "merge", "reindex", "reindex_like",
         "shift", "unstack"),
        "a number for `fill_value` keeps integers",
    ),
}  # fmt: skip
"""Functions that leave values as they are, and may leave some out, with what keeps integers."""

_JOINS: Final = frozenset(
    {"align", "combine_by_coords", "combine_first", "combine_nested", "concat", "merge",
     "reindex_like", "where"}
)  # fmt: skip
"""Functions that hold labels against each other."""

LIBRARY: Final = "xarray"
_FLOAT32: Final = by_name("float32")
_FLOAT64: Final = by_name("float64")


class Xarray(Listener):
    """Finds integers that become floats where labels do not match, and follows coordinates."""

    most_looks = 64  # part by part, an array is filled in a loop

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings)
        TYPES[type(sys.modules["xarray"].DataArray(0).loc)] = INDEXER

    def called(self, event: Event) -> None:
        """Record which variables a call makes floats of; note where coordinates come from."""
        if _is_labelled(event.result):
            for name, value in columns_in(event.arguments):
                origin = self.findings.values.get(value) if is_array(value) else None
                if origin is not None:
                    self.findings.columns.put(event.result, name, origin)
        if event.place.name in _FILLS:
            write(self.findings, event, _of_missing(event), LIBRARY)
        if event.place.name in _JOINS:
            self._find_labels_apart(event)

    def stored(self, event: Event) -> None:
        """Record what is about to be stored in an array by its labels."""
        into = getattr(event.base, "data_array", None) if kind_of(event.base) == INDEXER else None
        if into is not None:
            self.findings.put_into(event.location, into, event.arguments[1], in_place=False)

    def judged(self, event: Event, check: OperationCheck) -> None:  # noqa: ARG002  # as the base class has it
        """Look at the labels that an operator holds against each other."""
        if event.place.form == "operator" and _is_labelled(event.result):
            self._find_labels_apart(event)

    def _find_labels_apart(self, event: Event) -> None:
        """Record labels of two widths that would be the same in one, and do not match."""
        labels: dict[Any, list[tuple[Any, Any]]] = {}
        for one in _parts((event.base, *event.arguments)):
            for name in one.indexes if hasattr(type(one), "indexes") else ():
                labels.setdefault(name, []).append((one, one.coords[name]))
        for name, those in labels.items():
            narrow, wide = (
                next((pair for pair in those if pair[1].dtype == width), None)
                for width in (_FLOAT32.name, _FLOAT64.name)
            )
            if narrow is None or wide is None or not (apart := _apart(narrow[1], wide[1])):
                continue
            of = self.findings.columns.of(narrow[0]).get(name)
            facts = {"library": LIBRARY}
            origin = of or self.findings.origin(event.location, None, _FLOAT32, facts)
            remark = (
                f"{name!r} is float32 and float64, and {apart:,} of {wide[1].size:,} labels "
                "do not match for it"
            )
            effect = Effect(
                "precision-loss", event.location, (operand(narrow[1].to_numpy()),), _FLOAT64, 0,
                spans=[event.span_of(narrow[0]) or 0], remark=remark,
            )  # fmt: skip
            self.findings.found(origin, effect)

    def is_column(self, value: Any) -> bool:
        """Return whether a value is an array with coordinates."""
        return _is_labelled(value)


def _of_missing(event: Event) -> Iterator[Converted]:
    """Yield the variables of integers that lack values in what a call gives."""
    results = list(_parts(event.result))
    given = [one for one in _parts((event.base, *event.arguments)) if _variables(one)]
    in_turn = len(results) == len(given)  # as `align` gives one for each
    for index, one in enumerate(given):
        made = [
            pair
            for r in (results[index : index + 1] if in_turn else results)
            for pair in _variables(r)
        ]
        for name, values in _variables(one):
            floats = [v for n, v in made if n == name and v.dtype.kind == "f"]
            found = next((v for v in floats if holds_it(name, values, v)), None)
            if values.dtype.kind in "iu" and found is not None:
                remedy, into = _FILLS[event.place.name], dtype(found.dtype)
                if event.place.name == _MASKS and not loses_precision(dtype(values.dtype), into):
                    continue  # a mask is there to leave values out
                stays = event.place.name == _MASKS and found.shape == values.shape
                kept = found.notnull().to_numpy() if stays else ...
                where = "where a value is missing"
                yield converted(name, values, one, where, remedy, into=into, kept=kept)


def _apart(narrow: Any, wide: Any) -> int:
    """Return how many labels do not match that would in single precision, if all of them would."""
    one, other = narrow.to_numpy(), wide.to_numpy()
    same = one.shape == other.shape and bool((one == other.astype(one.dtype)).all())
    return int((one != other).sum()) if same else 0


def _is_labelled(value: Any) -> bool:
    """Return whether a value is an array with coordinates."""
    return issubclass(type(value), sys.modules["xarray"].DataArray)


def _parts(values: Any) -> Iterator[Any]:
    yield from elements(values) if isinstance(values, (tuple, list)) else (values,)


def _variables(value: Any) -> list[tuple[Any, Any]]:
    """Return the arrays in an array or a data set that are in memory, with their names."""
    found = [(value.name, value)] if _is_labelled(value) else []
    if issubclass(type(value), sys.modules["xarray"].Dataset):
        found = list(value.data_vars.items())
    # to ask another one for its values would compute it, or read a file
    return [(n, a) for n, a in found if a.chunks is None and a.variable._in_memory]  # noqa: SLF001  # nothing else tells
