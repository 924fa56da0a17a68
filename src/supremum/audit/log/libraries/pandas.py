"""pandas: columns of integers that become floats where rows are read, joined, moved or taken out.

A column of integers has no place for a missing value, and a row with a float in it is one of
floats: pandas makes float64 of both, which has no place for most integers beyond 2**53.
"""

from __future__ import annotations

import ast
import re
import sys
import weakref
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ....core.dtypes import DType, by_name, dtype, names
from ....core.operands import Operand, operand
from ...model.dtypes import family, survive
from ...model.locations import Location
from ...model.provenance import Effect
from ...model.source_file import SourceFile, name_of, source_file
from ..calls import elements, function_of
from ..operation_checks import OperationCheck
from ..tracked_types import FRAME, INDEXER, MAPPING, NDARRAY, SEQUENCE, kind_of
from ..values.looks import lost_in
from ..values.questions import has_few_digits
from .columns import LIBRARY
from .listeners import Event, Findings, Listener

_MOST_COLUMNS = 64
_WHERE_MISSING: Final = "where a value is missing"
_AMONG_OTHERS: Final = ("among floats", "make those integers, too")
_INT64: Final = by_name("int64")
_UINT64: Final = by_name("uint64")
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

STACKS: Final = "concat"
"""The function that puts tables one below the other."""

FILLS: Final = frozenset(
    f"{side}{name}" for side in ("", "r") for name in ("add", "floordiv", "mod", "mul", "sub")
)
"""Arithmetic of pandas that gives integers of integers, and may be told what to fill in."""

MERGES: Final = ("join", "merge", "merge_asof", "merge_ordered")
_KEYS: Final = {
    "join": ("on",),
    "merge": ("how", "on", "left_on", "right_on", "left_index", "right_index"),
    "merge_ordered": ("on", "left_on", "right_on"),
}
"""How merges are told what to compare, in the order behind the tables.

`merge_asof` refuses keys of different dtypes.
"""

_GIVES_FLOATS: Final = ("true_divide", "power")
_PIVOTS: Final = ("pivot", "pivot_table")
_GIVES_ROWS: Final = frozenset({"apply", "iterrows"})
_GROUPED: Final = frozenset(
    {
        "Rolling", "Expanding", "ExponentialMovingWindow", "Window", "SeriesGroupBy",
        "DataFrameGroupBy", "RollingGroupby", "ExpandingGroupby", "DatetimeIndexResampler",
    }
)  # fmt: skip
"""Classes that stand for groups or windows of rows of a table."""

_NARROW: Final = ("float16", "float32")
MAKES: Final = frozenset({"DataFrame", "from_dict"})
_READS: Final = frozenset({*MAKES, "from_records", "json_normalize"})
_IDENTIFIER: Final = re.compile(
    r"(?:^|[_ ])(?:id|ids|code|key|zip)$|[a-z](?:Id|ID)s?$", re.IGNORECASE
)
_NULLABLE: Final = re.compile(r"\.astype\(.*\bU?Int(?:8|16|32|64)\b")
TAKE_DTYPES: Final = frozenset({"read_csv", "read_excel", "read_fwf", "read_html", "read_table"})
_NUMBERS: Final = frozenset(name for name in names() if family(by_name(name)))
_EXACT: Final = 2**53
_MOST: Final = 2.0**64
_SIGNED: Final = 2.0**63
_DIGITS: Final = 12  # what is large and has no more is measured rather than counted
_REMEDIES: Final = {
    "pivot_table": '"Int64" with aggfunc="first" keeps integers',
    "iterrows": "itertuples() gives each value as it is",
    "apply": "the columns by themselves, or astype(object) before, keep integers",
    "item": "itertuples(), or astype(object) before, keeps integers",
    "T": "astype(object) before keeps integers",
    "transpose": "astype(object) before keeps integers",
    "values": "the columns by themselves keep integers",
    "to_numpy": "the columns by themselves keep integers",
    "read_json": 'the module json, and "Int64" for the column, keep integers',
    "json_normalize": '"Int64" for a column that is made by itself keeps integers',
    **dict.fromkeys(
        (*MAKES, "from_records"), '"Int64" for a column that is made by itself keeps integers'
    ),
}


class Pandas(Listener):
    """Finds columns of integers that become floats, and follows columns by their names."""

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings)
        self._stores: list[tuple[int, weakref.ref[Any], dict[Any, tuple[Operand, bool]]]] = []

    def called(self, event: Event) -> None:
        """Record which columns a call converts."""
        self._write(event, of_keys(event))
        self._write(event, of_call(event))
        self._write(event, _of_grouped(event))

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
        table = getattr(base, "obj", None) if kind_of(base) == INDEXER else base
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

    def judged(self, event: Event, check: OperationCheck) -> None:  # noqa: ARG002  # as others take
        """Record that rows are aligned, some of which have no partner."""
        if event.place.form == "operator":
            self._write(event, _of_aligned(event))

    def is_column(self, value: Any) -> bool:
        """Return whether a value is a column of a table."""
        return _is_column(value)

    def _write(self, event: Event, found: Iterable[Converted]) -> None:
        write(self.findings, event, found)


def write(
    findings: Findings, event: Event, found: Iterable[Converted], library: str = LIBRARY
) -> None:
    """Record which columns of integers were converted: those that lose values first.

    Args:
        findings: the recorder.
        event: the call, or what was taken or stored.
        found: the columns.
        library: whose they are.
    """
    columns = sorted(
        (one for one in found if not one.survives or one.name not in _cast_back(event.place.file)),
        key=lambda one: one.survives,
    )
    if not columns:
        return
    first, place = columns[0], event.place
    span = event.span_of(first.table)
    facts = {
        "library": library,
        "function": function_of(event.base, place.name) if place.form == "call" else None,
        "several": not first.widens or kind_of(event.result) == FRAME,
    }
    alike = [  # which are cast at once
        c.name for c in columns
        if (c.is_named, c.enough) == (first.is_named, first.enough) and c.table is first.table
    ]  # fmt: skip
    is_written = span is not None or place.name in (*TAKE_DTYPES, *MAKES, STACKS)
    effect = Effect(
        first.kind, event.location, (first.operand,), first.into, 0, spans=[span or 0],
        remark=first.remark, enough=first.enough,
        parts=alike if is_written and not first.is_named else (),
    )  # fmt: skip
    findings.found(findings.origin(event.location, None, first.into, facts), effect)


class Converted(NamedTuple):
    """A column of integers that becomes one of floats, or of narrower integers.

    Attributes:
        name: how the column is called.
        operand: the column as it was read.
        table: the table that it is in, or the column itself.
        survives: whether the dtype has a place for each of its values.
        remark: what happens, and what to do about it.
        into: the dtype that it becomes.
        enough: the dtype that has a place for it and the others; None for that with missing values.
        is_named: whether the program names that.
        widens: whether floats become wider.
    """

    name: Any
    operand: Operand
    table: Any
    survives: bool
    remark: str
    into: DType = _FLOAT64
    enough: DType | None = None
    is_named: bool = False
    widens: bool = False

    @property
    def kind(self) -> str:
        """The kind of finding."""
        if self.widens:
            return "widening"
        if self.survives:
            return "mixed-kind"
        return "wraparound" if family(self.into) == "integer" else "precision-loss"


def is_table(value: Any) -> bool:
    """Return whether a value is a table of pandas, or a column of one."""
    return _is_frame(value) or _is_column(value)


def _is_frame(value: Any) -> bool:
    return kind_of(value) == FRAME and type(value).__module__.startswith("pandas")


def _is_column(value: Any) -> bool:
    return issubclass(type(value), sys.modules["pandas"].Series)


def of_call(event: Event) -> Iterator[Converted]:
    """Yield the columns of integers that a call converts."""
    name, base = event.place.name, event.base
    if name.startswith("read_") or name in _READS:
        made_by = function_of(base, name)
        is_own = str(getattr(made_by, "__module__", LIBRARY)).partition(".")[0] == LIBRARY
        return _of_reading(event) if is_own else iter(())
    if name in _GIVES_ROWS and _is_frame(base):
        by_row = name == "iterrows" or _axis(event.place, event.arguments) in (1, "columns")
        return _of_rows(base, name) if by_row else iter(())
    if name in MIXES and is_table(base):
        is_named = "dtype" in event.place.keywords
        return (x for x in of_part(name, event.result, base) if not (is_named and x.survives))
    if name == "astype" and _is_frame(base) and _is_frame(event.result):
        return _of_cast(event.result, base)
    if name in FILLS and is_table(base):
        return _of_filled(event)
    may_lack = name in MAY_LACK_VALUES and is_table(event.result)
    return _of_missing(event) if may_lack else iter(())


def _of_reading(event: Event) -> Iterator[Converted]:
    """Yield the columns that were read as floats since values are missing among integers."""
    place, name = event.place, event.place.name
    if not _is_frame(event.result):
        return
    words = dict(zip(place.keywords, event.arguments, strict=False))
    given = words.get("dtype")
    for number, (column, values) in enumerate(_columns(event.result)):
        is_named = given is not None and (type(given) is not dict or column in given)
        if is_named or not _is_float64(values.dtype) or not _is_whole(values):
            continue
        if name in MAKES and not _has_integers(event.arguments, column, number):
            continue
        large = values[values.abs() >= _EXACT].tolist()
        survives = all(has_few_digits(value, _DIGITS) for value in large)
        of_column = f'dtype={{"{column}": "Int64"}} keeps integers'
        remedy = (
            of_column if name in TAKE_DTYPES else 'dtype_backend="numpy_nullable" keeps integers'
        )
        d = _INT64 if values.abs().max() < _SIGNED else _UINT64
        read = operand(values)._replace(dtype=d, text=d.name).ranked(2)
        text = _what_becomes(
            read, column, _WHERE_MISSING, _REMEDIES.get(name, remedy), survives=survives
        )
        is_kept = survives and not (name in TAKE_DTYPES and _identifies(column))
        is_named = is_kept or name not in (*TAKE_DTYPES, *MAKES)
        yield Converted(column, read, event.result, survives, text, is_named=is_named)


def _identifies(column: Any) -> bool:
    """Return whether a column has a name of what is compared and printed, but not computed with."""
    return isinstance(column, str) and _IDENTIFIER.search(column) is not None


def _has_integers(arguments: Sequence[Any], column: Any, number: int) -> bool:
    """Return whether a column that a table is made of has integers of Python, and no floats.

    Args:
        arguments: what the table is made of: rows, or a dictionary of columns.
        column: the name of the column.
        number: its position.
    """
    data = arguments[0] if arguments else None
    found: Any = data.get(column) if type(data) is dict else None
    if type(data) is list:
        named = [row.get(column) for row in data if type(row) is dict]
        found = [*named, *(r[number] for r in data if type(r) in (list, tuple) and number < len(r))]
    types = set(map(type, found)) if type(found) in (list, tuple) else set()
    return int in types and float not in types


def _is_whole(values: Any) -> bool:
    """Return whether floats are integers but for the missing ones, of which there are some."""
    known = values.dropna()
    is_part = 0 < len(known) < len(values)
    return is_part and bool((known == known.round()).all() and known.abs().max() <= _MOST)


def _of_cast(result: Any, table: Any) -> Iterator[Converted]:
    """Yield the columns, integers first, that are cast to a dtype without a place for some."""
    # a nullable dtype refuses what it has no place for
    after = {n: dtype(v.dtype) for n, v in _columns(result) if str(v.dtype) in _NUMBERS}
    integers = [(n, v) for n, v in _integers(table) if n in after]
    lost = [(n, v) for n, v in integers if not survive(v.to_numpy(), after[n])]
    doubles = [(n, v) for n, v in _columns(table) if n in after and _is_float64(v.dtype)]
    lost += [(n, v) for n, v in doubles if lost_in(v.to_numpy(), after[n]) is not None]
    for name, values in lost:
        read, into = operand(values).ranked(2), after[name]
        remedy = f"leave it {read.dtype}"
        remark = _what_becomes(read, name, "", remedy, survives=False, into=into)
        yield Converted(name, read, table, False, remark, into, is_named=True)


def of_keys(event: Event) -> Iterator[Converted]:
    """Yield the keys of a merge that are integers, and are paired with floats that they are not."""
    if event.place.name not in _KEYS or not is_table(event.result):
        return
    is_method, is_join = is_table(event.base), event.place.name == "join"
    left = event.base if is_method else event.argument(0, "left")
    right = event.argument(0 if is_method else 1, "other" if is_join else "right")
    pairs = (pair for table in _tables([right]) for pair in _pairs(event, left, table))
    for (table, integers), (_, floats) in (s for pair in pairs for s in (pair, pair[::-1])):
        if paired := _mispaired(integers, floats):
            read, (own, other) = operand(integers).ranked(2), paired
            remark = (
                f"{read.dtype} {integers.name!r} becomes float64 beside {floats.dtype} "
                f"{floats.name!r}: {own} is paired with {other}; make both integers at their source"
            )
            yield Converted(integers.name, read, table, False, remark, is_named=True)


_Key = tuple[Any, Any]  # a table, and one of its keys as an index


def _pairs(event: Event, left: Any, right: Any) -> list[tuple[_Key, _Key]]:
    """Return which keys of two tables a merge compares."""
    function, first = event.place.name, 1 if is_table(event.base) else 2  # behind the tables
    words = enumerate(_KEYS[function], first)
    given = {word: event.argument(position, word) for position, word in words}
    on = given["on"]
    if given.get("how") == "cross":
        return []
    sides: tuple[Any, Any] = on, on
    if function == "join":
        sides = on, None
    elif on is None:
        sides = given["left_on"], given["right_on"]
        if all(side is None for side in sides) and not given.get("left_index"):
            common = [*_framed(left).columns.intersection(_framed(right).columns)]
            sides = common, common
    tables = zip((left, right), sides, strict=True)
    keys = ([(table, key) for key in _by_name(table, names)] for table, names in tables)
    return [*zip(*keys, strict=False)]


def _by_name(table: Any, names: Any) -> list[Any]:
    """Return the keys of some names, or arrays, of a table: by default the levels of its index."""
    frame, make = _framed(table), sys.modules["pandas"].Index
    levels = frame.index
    if names is None:
        return [levels.get_level_values(level) for level in range(levels.nlevels)]
    found = []
    for key in names if isinstance(names, list) else [names]:
        if not isinstance(key, Hashable):
            found.append(make(key))
        elif key in frame.columns:
            found.append(make(frame[key]))
        elif key in levels.names:
            found.append(levels.get_level_values(key))
    return found


def _framed(table: Any) -> Any:
    return table.to_frame() if _is_column(table) else table


def _mispaired(integers: Any, floats: Any) -> tuple[int, int] | None:
    """Return an integer among some keys, and the whole float that is taken for it; None without."""
    if integers.dtype.kind not in "iu" or floats.dtype.kind != "f":
        return None
    numpy = sys.modules["numpy"]
    exact = integers.dropna().to_numpy(f"{nullable(operand(integers).dtype)}".lower())
    if survive(exact, _FLOAT64):
        return None
    near, most = exact.astype("float64"), float(numpy.iinfo(exact.dtype).max)
    with numpy.errstate(all="ignore"):
        changes = (near >= most) | (near.astype(exact.dtype) != exact)
    changes &= numpy.isin(near, floats.dropna().to_numpy("float64"))
    first = int(changes.argmax())
    return (int(exact[first]), int(near[first])) if changes[first] else None


def _of_missing(event: Event) -> Iterator[Converted]:
    """Yield the columns of integers that lack values in what a call gives."""
    place, result, name = event.place, event.result, event.place.name
    tables = [*_tables(_given(name, event.base, event.arguments))]
    for side, table in enumerate(tables):
        for column, values in _integers(table):
            if name in _PIVOTS and not _is_pivoted(place, event.arguments, column):
                continue
            if name == "pivot_table" and _survives(values):
                continue  # means are floats
            called = _called(event, tables, side, column)
            if name == "concat" and (both := _of_both_signs(tables, column, result)):
                if values.dtype.kind == "i":  # the other one is beyond it
                    yield _beside_unsigned(column, values, table, both)
                continue
            found = [x for x in _floats(result, called, name) if holds_it(called, values, x)]
            if found:
                lacks = any(x.isna().any() for x in found)
                where, remedy = (_WHERE_MISSING, "") if lacks else _AMONG_OTHERS
                yield converted(column, values, table, where, _REMEDIES.get(name, remedy))
    if name == STACKS:
        yield from _of_nullable(tables, result)


def _of_nullable(tables: Sequence[Any], result: Any) -> Iterator[Converted]:
    """Yield the columns of integers that may lack values, and become such floats beside others."""
    made = dict(_parts(result))
    for table in tables:
        for column, values in _parts(table):
            became = made[column].dtype if column in made else None
            if (str(values.dtype), str(became)) != ("Int64", "Float64"):
                continue
            if survive(values.dropna().to_numpy("int64"), _FLOAT64):
                continue
            read = operand(values)._replace(dtype=_INT64, text=_INT64.name)
            remark = _what_becomes(
                read, column, "beside floats", '"Int64" for both keeps integers', survives=False
            )
            yield Converted(
                column, read.ranked(2), table, survives=False, remark=remark, is_named=True
            )


def _of_both_signs(tables: Sequence[Any], name: Any, result: Any) -> list[Any]:
    """Return columns of a name, some of them unsigned, that become float64 together; or none."""
    columns = [dict(_integers(table)).get(name) for table in tables]
    is_mixed = len({x.dtype.kind for x in columns if x is not None}) > 1
    if not is_mixed or any(x is None for x in columns):
        return []
    made = [x for x in _floats(result, name, "concat") if not x.isna().any()]
    return columns if made else []


def _beside_unsigned(name: Any, values: Any, table: Any, both: Sequence[Any]) -> Converted:
    """Return what becomes of a signed column that is put below an unsigned one, or above it."""
    other = max((x for x in both if x.dtype.kind == "u"), key=lambda x: x.dtype.itemsize)
    unsigned, is_positive = operand(other).dtype, bool((values >= 0).all())
    remedy = f"{unsigned} for both keeps integers" if is_positive else "object keeps integers"
    survives, read = all(map(_survives, both)), operand(values)
    remark = _what_becomes(read, name, f"beside {unsigned}", remedy, survives=survives)
    return Converted(
        name, read.ranked(2), table, survives, remark, enough=unsigned if is_positive else None,
        is_named=not is_positive,
    )  # fmt: skip


def _of_filled(event: Event) -> Iterator[Converted]:
    """Yield the columns of integers that become floats where rows are aligned, and filled in."""
    given = dict(zip(event.place.keywords, event.arguments, strict=False))
    fill, result = given.get("fill_value"), event.result
    if type(fill) is not int or not is_table(result):
        return
    tables = [x for x in (event.base, *event.arguments) if is_table(x)]
    own = [dict(_integers(table)) for table in tables]
    for name, values in _parts(result):
        sides = [next(iter(x.values())) if _is_column(t) else x.get(name)
                 for t, x in zip(tables, own, strict=True) if x]  # fmt: skip
        integers = [side for side in sides if side is not None]
        is_made = len(integers) == len(tables) > 1 and _is_float64(values.dtype)
        if is_made and not (_survives(integers[0]) and _is_cast(event.place)):
            remedy = f'astype("{integers[0].dtype}") after it gives integers again'
            yield converted(name, integers[0], tables[0], "where rows are aligned", remedy)


def _of_aligned(event: Event) -> Iterator[Converted]:
    """Yield the first column of integers that becomes floats as others lack some of its rows."""
    columns = [x for x in (event.base, *event.arguments) if _is_column(x)]
    is_pair = len(columns) == 2 and event.place.name not in _GIVES_FLOATS
    integers = [x for x in columns if any(_integers(x))]
    if is_pair and len(integers) == len(columns) and _is_column(event.result):
        lacks = _is_float64(event.result.dtype) and bool(event.result.isna().any())
        if lacks and not columns[0].index.equals(columns[1].index):
            remedy = "reindex(..., fill_value=0), with the rows of the other, keeps integers"
            yield converted(integers[0].name, integers[0], integers[0], "as rows differ", remedy)


def _is_cast(place: Location) -> bool:
    """Return whether what a call gives is cast right there."""
    around = source_file(place.file).around(place.span)
    return isinstance(around, ast.Attribute) and around.attr == "astype"


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
        yield converted(column, values, table, "among floats", _REMEDIES.get(name, ""))


def _cast_back(file: str) -> frozenset[Hashable]:
    """Return the columns that a program casts back.

    As by ``df["a"].fillna(0).astype("int64")``, or ``df["a"].astype("Int64")``.
    """
    return _cast_back_in(source_file(file))


@lru_cache(maxsize=16)
def _cast_back_in(source: SourceFile) -> frozenset[Hashable]:
    found: set[Hashable] = set()
    for node in ast.walk(source.tree):
        text = ast.unparse(node) if name_of(node) == "astype" else "float"
        if "float" in text:
            continue
        column = getattr(getattr(node, "func", None), "value", None)
        if isinstance(column, ast.Call) and name_of(column) == "fillna":
            column = getattr(column.func, "value", None)
        elif not _NULLABLE.search(text):
            continue
        key = getattr(column, "slice", None) or getattr(column, "attr", None)
        key = key.value if isinstance(key, ast.Constant) else key
        found |= {key} if isinstance(key, str) else set()
    return frozenset(found)


def of_row(result: Any, indexer: Any) -> Iterator[Converted]:
    """Yield the columns of integers of which one row is a column of floats."""
    table: Any = getattr(indexer, "obj", None)  # xarray's have none
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
            remark = _what_becomes(read, name, _WHERE_MISSING, "", survives=survives)
            yield Converted(name, read, table, survives, remark)


def _of_grouped(event: Event) -> Iterator[Converted]:
    """Yield the columns of floats that become wider as groups or windows of rows are taken.

    What is a few numbers, as the means of groups, takes no memory to speak of.
    """
    if type(event.base).__name__ not in _GROUPED or not is_table(event.result):
        return
    result = event.result
    whole: Any = getattr(event.base, "obj", None)
    if not is_table(whole) or 2 * len(result) < len(whole):
        return
    found = {name: values.dtype for name, values in _parts(result)}
    for name, values in _parts(whole):
        into = found.get(name)
        if str(values.dtype) in _NARROW and _is_float64(into):
            yield Converted(
                name, operand(values).ranked(2), whole, True, "", is_named=True, widens=True
            )


def _of_rows(table: Any, name: str) -> Iterator[Converted]:
    """Yield the columns of integers of a table whose rows are floats."""
    dtypes = list(table.dtypes)
    numpy = sys.modules["numpy"]
    if not all(isinstance(d, numpy.dtype) and d.kind in "iuf" for d in dtypes):
        return  # a row has objects, each as it is
    if dtypes and numpy.result_type(*dtypes) == numpy.float64:
        for column, values in _integers(table):
            yield converted(column, values, table, "in rows with floats", _REMEDIES[name])


def converted(
    name: Any, values: Any, table: Any, where: str, remedy: str, *,
    into: DType = _FLOAT64, kept: Any = ...,
) -> Converted:  # fmt: skip
    """Return what became of a column of integers, of those that are `kept`."""
    read, survives = operand(values), _survives(values, into, kept)
    remark = _what_becomes(read, name, where, remedy, survives=survives, into=into)
    rank = 2 if _is_frame(table) else 1
    return Converted(name, read.ranked(rank), table, survives, remark, into)


def _what_becomes(
    read: Operand, name: Any, where: str, remedy: str, *, survives: bool, into: DType = _FLOAT64
) -> str:
    called = f" {name!r}" if name is not None else ""
    lost = "" if survives else ", and some of its values change"
    becomes = " ".join(filter(None, (f"{read.dtype}{called} becomes {into}", where)))
    remedy = remedy or f'"{nullable(read.dtype)}" keeps integers'
    return f"{becomes}{lost}; {remedy}"


def nullable(d: DType) -> str:
    """Return the dtype of pandas that has a place for the same numbers and for missing values."""
    name = d.name
    return f"UI{name[2:]}" if name.startswith("u") else name.capitalize()


def _survives(values: Any, into: DType = _FLOAT64, kept: Any = ...) -> bool:
    x = values.to_numpy()[kept]
    if survive(x, into):
        return True
    with sys.modules["numpy"].errstate(all="ignore"):  # the program must not notice
        return bool((x.astype(into.name).astype(x.dtype) == x).all())


def _is_float64(dtype: Any) -> bool:
    return str(dtype) == "float64"


def _integers(table: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the columns of a table that are integers of NumPy, by name."""
    numpy = sys.modules["numpy"]
    for name, values in _parts(table):
        if isinstance(values.dtype, numpy.dtype) and values.dtype.kind in "iu":
            yield name, values


def _parts(table: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the columns of a table by name, or the one that it is itself."""
    return iter([(table.name, table)]) if _is_column(table) else _columns(table)


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


def _called(event: Event, tables: Sequence[Any], side: int, name: Any) -> Any:
    """Return how a result calls a column of one of the tables that it is made of."""
    function = event.place.name
    given = dict(zip(event.place.keywords, event.arguments, strict=False))
    is_of_all = all(_is_frame(t) and name in t.columns for t in tables)
    if function not in MERGES or not is_of_all:
        return name
    usual = ("_x", "_y")
    if function == "join":
        usual = (given.get("lsuffix", ""), given.get("rsuffix", ""))
    suffixes = given.get("suffixes", usual)
    suffix = suffixes[side] if side < len(suffixes) else ""
    with_suffix = f"{name}{suffix or ''}"
    return with_suffix if with_suffix in event.result.columns else name


def _floats(result: Any, name: Any, function: str) -> Iterator[Any]:
    """Yield the columns of float64 in a result that may be made of one that it calls by a name."""
    for known, values in _parts(result):
        of_it = known == name or _is_column(result) or function in (*_PIVOTS, "unstack")
        if of_it and _is_float64(values.dtype):
            yield values


def holds_it(name: Any, integers: Any, floats: Any) -> bool:
    """Return whether some floats may be the integers: they are whole, and of their range."""
    whole, found = integers.to_numpy(), floats.to_numpy()
    known = found[found == found]  # noqa: PLR0124  # what is not missing
    if not known.size:
        return bool(found.size) and bool(whole.size == 0 or name == floats.name)
    if not whole.size or (known != known.round()).any():
        return False
    low, high = float(whole.min()), float(whole.max())
    return bool(low <= known.min() and known.max() <= high)


def _axis(place: Location, arguments: Sequence[Any]) -> Any:
    if "axis" in place.keywords:
        return arguments[place.keywords.index("axis")]
    by_position = [a for a, word in zip(arguments, place.keywords, strict=False) if not word]
    return by_position[1] if len(by_position) > 1 else 0


def _is_pivoted(place: Location, arguments: Sequence[Any], name: Any) -> bool:
    """Return whether a column is among the values of a pivot."""
    given = dict(zip(place.keywords, arguments, strict=False))
    if "values" in given:
        values = given["values"]
        return bool(values == name) if not isinstance(values, list) else name in values
    used = [given.get("index"), given.get("columns")]
    return not any(u == name if not isinstance(u, list) else name in u for u in used)
