"""pandas: integers that become floats where rows are joined, moved or taken out.

A column of integers has no place for a missing value, and a row with a float in it is one of
floats: pandas makes float64 of both, which has no place for most integers beyond 2**53.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from ...core.dtypes import by_name
from ...core.operands import Operand, operand
from ..checks.calls import elements, function_of
from ..checks.checks import survive
from ..checks.tracked_types import FRAME, INDEXER, MAPPING, NDARRAY, SEQUENCE, is_array, kind_of
from ..model.locations import Location
from ..model.provenance import Origin
from .columns import columns_in
from .listeners import Event, Findings, Listener

_MOST_COLUMNS = 64
_FLOAT64: Final = by_name("float64")

MAY_LACK_VALUES: Final = frozenset(
    {
        "align", "asfreq", "combine_first", "concat", "explode", "first", "join", "last", "map",
        "mask", "merge", "merge_asof", "merge_ordered", "nth", "pivot", "pivot_table", "reindex",
        "reindex_like", "replace", "shift", "unstack", "where",
    }
)  # fmt: skip
"""Functions of pandas that leave values as they are, and may leave some out."""

MIXES: Final = frozenset({"T", "melt", "stack", "to_numpy", "transpose", "values"})
"""Functions and attributes that put columns of several dtypes into one."""

_PIVOTS: Final = ("pivot", "pivot_table")
_GIVES_ROWS: Final = frozenset({"apply", "iterrows"})
_MENDS: Final = {
    "pivot_table": '"Int64" with aggfunc="first" keeps integers',
    "iterrows": "itertuples() gives each value as it is",
    "apply": "the columns by themselves, or astype(object) before, keep integers",
    "item": "itertuples(), or astype(object) before, keeps integers",
    "T": "astype(object) before keeps integers",
    "transpose": "astype(object) before keeps integers",
    "values": "the columns by themselves keep integers",
    "to_numpy": "the columns by themselves keep integers",
}


class Pandas(Listener):
    """Finds columns of integers that become floats, and follows columns by their names."""

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings)
        self._stores: list[tuple[int, weakref.ref[Any], dict[Any, tuple[Operand, bool]]]] = []

    def called(self, event: Event) -> None:
        """Record which columns a call makes floats of; note where coordinates come from."""
        if _is_labelled(event.result):
            for name, value in columns_in(event.arguments):
                origin = self.findings.values.get(value) if is_array(value) else None
                if origin is not None:
                    self.findings.columns.put(event.result, name, origin)
        self._write(event, of_call(event.place, event.result, event.base, event.arguments))

    def part(self, event: Event) -> None:
        """Record which columns an attribute, or a row, makes floats of."""
        kind = kind_of(event.base)
        if kind == INDEXER:
            self._write(event, of_row(event.result, event.base))
        elif kind == FRAME:
            self._write(event, of_part(event.place.name, event.result, event.base))

    def stored(self, event: Event) -> None:
        """Keep what a table has, before something is stored in it."""
        self.end()
        base, (index, value) = event.base, event.arguments
        table = base.obj if kind_of(base) == INDEXER else base
        if not is_table(table):
            return
        known = before(table if table is not base else value)
        if table is base:  # a column, whose rows are aligned with those of the table
            columns = list(known.values()) if type(index) is str else []
            known = {index: columns[0]} if len(columns) == 1 else {}
        if known:
            self._stores.append((event.location, weakref.ref(table), known))

    def end(self) -> None:
        """Record what became floats of the integers in tables that something was stored in."""
        stores, self._stores = self._stores, []
        for location, reference, known in stores:
            table = reference()
            if table is not None:
                self._write(Event(location, None, table), after(table, known))

    def origin_of(
        self,
        value: Any,
        operand: Operand,
        introduce: Callable[[], Origin],  # noqa: ARG002  # as it is called
    ) -> Origin | None:
        """Return the one origin that columns of a name have had, if a value is such a column."""
        if not (_is_column(value) or _is_labelled(value)):
            return None
        column = self.findings.columns.named(value.name)
        return column if column is not None and column.dtype is operand.dtype else None

    def _write(self, event: Event, found: Iterable[Converted]) -> None:
        """Record which columns of integers became floats: those that lose values first."""
        columns = sorted(found, key=lambda one: one.survives)
        if not columns:
            return
        first, place = columns[0], event.place
        span = _span_of(first.table, place, event.base, event.arguments)
        facts = {
            "library": "pandas",
            "function": function_of(event.base, place.name) if place.form == "call" else None,
            "several": True,
        }
        self.findings.write(
            "mixed-kind" if first.survives else "precision-loss",
            self.findings.origin(event.location, None, _FLOAT64, facts),
            event.location, first.operand, span or 0, result=_FLOAT64, told=first.told,
            parts=[c.name for c in columns if c.survives is first.survives and span is not None],
        )  # fmt: skip


def _span_of(table: Any, place: Location, base: Any, arguments: Sequence[Any]) -> int | None:
    """Return which of the spans of a location a table is written at, if it is written there."""
    if base is table:
        return 0
    for index, argument in enumerate(arguments):
        if argument is table:
            return index + 1
        first = place.lists[index] if index < len(place.lists) else 0
        for at, element in enumerate(elements(argument) if first else ()):
            if element is table:
                return first + at
    return None


class Converted(NamedTuple):
    """A column of integers that becomes one of floats.

    Attributes:
        name: how the column is called.
        operand: the column as it was read.
        table: the table that it is in, or the column itself.
        survives: whether float64 has a place for each of its values.
        told: what happens, and what to do about it.
    """

    name: Any
    operand: Operand
    table: Any
    survives: bool
    told: str


def is_table(value: Any) -> bool:
    """Tell whether a value is a table of pandas, or a column of one."""
    return _is_frame(value) or _is_column(value)


def _is_frame(value: Any) -> bool:
    return kind_of(value) == FRAME and type(value).__module__.startswith("pandas")


def _is_column(value: Any) -> bool:
    return issubclass(type(value), sys.modules["pandas"].Series)


def _is_labelled(value: Any) -> bool:
    """Return whether a value is an array of xarray's with coordinates."""
    xarray = sys.modules.get("xarray")
    return xarray is not None and issubclass(type(value), xarray.DataArray)


def of_call(
    place: Location, result: Any, base: Any, arguments: Sequence[Any]
) -> Iterator[Converted]:
    """Yield the columns of integers that a call makes floats of."""
    name = place.name
    if name in _GIVES_ROWS and _is_frame(base):
        by_row = name == "iterrows" or _axis(place, arguments) in (1, "columns")
        yield from _of_rows(base, name) if by_row else ()
        return
    if name in MIXES and is_table(base):
        yield from of_part(name, result, base)
        return
    if name not in MAY_LACK_VALUES or not is_table(result):
        return
    given = _given(name, base, arguments)
    for table in _tables(given):
        for column, values in _integers(table):
            if name in _PIVOTS and not _is_pivoted(place, arguments, column):
                continue
            if name == "pivot_table" and _survives(values):
                continue  # means are floats
            if any(_holds_it(column, values, found) for found in _floats(result, column, name)):
                yield _converted(
                    column, values, table, "where a value is missing", _MENDS.get(name, "")
                )


def of_part(name: str, result: Any, table: Any) -> Iterator[Converted]:
    """Yield the columns of integers that an attribute of a table has among floats."""
    if name not in MIXES or not _is_frame(table):
        return
    is_float = (
        result.dtype == "float64"
        if kind_of(result) == NDARRAY or _is_column(result)
        else _is_frame(result) and any(_is_float64(d) for d in result.dtypes[:_MOST_COLUMNS])
    )
    for column, values in _integers(table) if is_float else ():
        yield _converted(column, values, table, "among floats", _MENDS.get(name, ""))


def of_row(result: Any, indexer: Any) -> Iterator[Converted]:
    """Yield the columns of integers of which one row is a column of floats."""
    table = indexer.obj
    of_row = _is_frame(table) and _is_column(result) and result.index.equals(table.columns)
    if of_row and _is_float64(result.dtype):
        yield from _of_rows(table, "item")


def before(table: Any) -> dict[Any, tuple[Operand, bool]]:
    """Return what a table, or a column, has of integers, before something is stored."""
    columns = _integers(table) if is_table(table) else ()
    return {name: (operand(values), _survives(values)) for name, values in columns}


def after(table: Any, known: dict[Any, tuple[Operand, bool]]) -> Iterator[Converted]:
    """Yield what became floats of the integers that a table had."""
    for name, (read, survives) in known.items():
        values = table.get(name) if _is_frame(table) else table
        if _is_column(values) and _is_float64(values.dtype):
            told = _told(read, name, "where a value is missing", "", survives=survives)
            yield Converted(name, read, table, survives, told)


def _of_rows(table: Any, name: str) -> Iterator[Converted]:
    """Yield the columns of integers of a table whose rows are floats."""
    dtypes = list(table.dtypes)
    numpy = sys.modules["numpy"]
    if not all(isinstance(d, numpy.dtype) and d.kind in "iuf" for d in dtypes):
        return  # a row has objects, each as it is
    if dtypes and numpy.result_type(*dtypes) == numpy.float64:
        for column, values in _integers(table):
            yield _converted(column, values, table, "in rows with floats", _MENDS[name])


def _converted(name: Any, values: Any, table: Any, where: str, mend: str) -> Converted:
    read, survives = operand(values), _survives(values)
    told = _told(read, name, where, mend, survives=survives)
    return Converted(name, read._replace(rank=2 if _is_frame(table) else 1), table, survives, told)


def _told(read: Operand, name: Any, where: str, mend: str, *, survives: bool) -> str:
    called = f" {name!r}" if name is not None else ""
    lost = "" if survives else ", and some of its values change"
    mend = mend or f'"{nullable(read)}" keeps integers'
    return f"{read.dtype}{called} becomes float64 {where}{lost}; {mend}"


def nullable(read: Operand) -> str:
    """Return the dtype of pandas that has a place for integers and for missing values."""
    name = read.dtype.name
    return f"UI{name[2:]}" if name.startswith("u") else name.capitalize()


def _survives(values: Any) -> bool:
    return survive(values.to_numpy(), _FLOAT64)


def _is_float64(dtype: Any) -> bool:
    return str(dtype) == "float64"


def _integers(table: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the columns of a table that are integers of NumPy, by name."""
    numpy = sys.modules["numpy"]
    columns = [(table.name, table)] if _is_column(table) else [*_columns(table)]
    for name, values in columns:
        if isinstance(values.dtype, numpy.dtype) and values.dtype.kind in "iu":
            yield name, values


def _columns(table: Any) -> Iterator[tuple[Any, Any]]:
    for index, name in enumerate(table.columns[:_MOST_COLUMNS]):
        yield name, table.iloc[:, index]


def _given(name: str, base: Any, arguments: Sequence[Any]) -> list[Any]:
    if name == "map":  # what it maps to
        return [*arguments[:1]]
    whole = base.obj if type(base).__name__.endswith("GroupBy") else base
    return [whole, *arguments]


def _tables(values: Sequence[Any]) -> Iterator[Any]:
    for value in values:
        if kind_of(value) in (SEQUENCE, MAPPING):
            yield from filter(is_table, elements(value))
        elif is_table(value):
            yield value


def _floats(result: Any, name: Any, function: str) -> Iterator[Any]:
    """Yield the columns of float64 in a result that may be made of one of some name."""
    found = [(result.name, result)] if _is_column(result) else list(_columns(result))
    for known, values in found:
        of_it = (
            known == name
            or _is_column(result)
            or function in (*_PIVOTS, "unstack")
            or (function in ("merge", "join") and str(known).startswith(f"{name}_"))
        )
        if of_it and _is_float64(values.dtype):
            yield values


def _holds_it(name: Any, integers: Any, floats: Any) -> bool:
    """Tell whether some floats may be the integers: they are whole, and of their range."""
    known = floats.dropna()
    if known.empty:
        return bool(len(floats)) and bool(len(integers) == 0 or name == floats.name)
    if not len(integers):
        return False
    whole = bool((known == known.round()).all())
    low, high = float(integers.min()), float(integers.max())
    return whole and low <= known.min() and known.max() <= high


def _axis(place: Location, arguments: Sequence[Any]) -> Any:
    if "axis" in place.keywords:
        return arguments[place.keywords.index("axis")]
    by_position = [a for a, word in zip(arguments, place.keywords, strict=False) if not word]
    return by_position[1] if len(by_position) > 1 else 0


def _is_pivoted(place: Location, arguments: Sequence[Any], name: Any) -> bool:
    """Tell whether a column is among the values of a pivot."""
    given = dict(zip(place.keywords, arguments, strict=False))
    if "values" in given:
        values = given["values"]
        return bool(values == name) if not isinstance(values, list) else name in values
    used = [given.get("index"), given.get("columns")]
    return not any(u == name if not isinstance(u, list) else name in u for u in used)
