"""A recorder that hears of what particular libraries do: JAX's traces, tables, lazy arrays.

What each does is found by a module of its own in `checks`; here it is written down. A place is
looked at a few times only, and nothing lazy is computed for it.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from ...core.dtypes import DType, by_name
from ...core.dtypes import dtype as dtype_of
from ...core.operands import Operand
from ...core.operands import operand as operand_of
from ..checks import autocast, calls, checks, table_columns
from ..checks.jax_retracing import MOST_LOOKS, Retraces
from ..checks.lazy_arrays import Lazies
from ..checks.operation_checks import OperationCheck
from ..checks.table_columns import Converted
from ..checks.tracked_types import FRAME, INDEXER, is_array, kind_of
from ..model.locations import LOCATIONS, Location
from ..model.provenance import Effect, Origin
from ..source.flow import is_made_elsewhere
from .base import Settings
from .dataframes import given
from .tracing import TracingRecorder

_LOOKS: Final = 8
_FLOAT32_BITS: Final = 32
_CASTS: Final = ("astype", "double", "float", "to", "type")
_FLOAT64: Final = by_name("float64")


class LibraryRecorder(TracingRecorder):
    """Keeps what is known of compiled functions, tables and lazy arrays."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self._retraces = Retraces()
        self._lazies = Lazies()
        self._region: Location | None = None
        self._ranges: dict[int, range] = {}
        self._last_cast: tuple[Location, Origin | None] | None = None
        self._looks_at_jax = False
        self._looks: dict[int, int] = {}
        self._stores: list[tuple[int, weakref.ref[Any], dict[Any, tuple[Operand, bool]]]] = []

    def ran(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Hear of a call that counts whatever it gives."""
        try:
            self._heard_call(location, result, base, arguments)
        except Exception as error:  # noqa: BLE001  # the program goes on, whatever fails here
            self._fail(location, error)

    def _cast_back(self, place: Location, origin: Origin | None) -> None:
        """Note that a statement converts what it has just computed."""
        self._last_cast = place, origin
        if origin is None:
            return
        # what makes float64 whatever it is given is its own origin, and widens others
        made = self._widenings.get(origin.location, ()) if origin.operand is None else ()
        for effect in {id(m): m for m in (*origin.effects.values(), *made)}.values():
            computed = LOCATIONS[effect.location]
            if computed.span in place.spans and computed.file == place.file:
                effect.cast_back += 1

    def _heard_call(
        self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]
    ) -> None:
        """Hear of a call, before anything else is known of it."""
        looks = self._looks.get(location, 0)
        if looks >= MOST_LOOKS:
            return
        self._looks[location] = looks + 1
        modules = sys.modules
        if "jax" in modules:
            if not self._looks_at_jax:
                self._looks_at_jax = True
                kind_of(modules["jax"].jit(abs))  # such functions are known from now on
            self._retraced(location, result, base, arguments)
        if looks >= _LOOKS:
            return
        place = LOCATIONS[location]
        if place.name == "autocast":
            self._region = place
        self._rounded(location, place, (result, base, arguments))
        if type(result).__name__ == "DataArray":
            for name, value in given(arguments):  # its coordinates
                origin = self.values.get(value) if is_array(value) else None
                if origin is not None:
                    self.columns.put(result, name, origin)
        if "dask" in modules:
            self._computed(location, (result, base, arguments))
        if "pandas" in modules:
            found = table_columns.of_call(place, result, base, arguments)
            self._became_floats(location, base, arguments, found)

    def _heard_part(self, location: int, result: Any, whole: Any) -> None:
        """Hear of a part of a table, or of a lazy array."""
        looks = self._looks.get(location, 0)
        if looks >= _LOOKS or "pandas" not in sys.modules:
            return
        self._looks[location] = looks + 1
        try:
            if kind_of(whole) < FRAME:
                self._computed(location, (result, whole, ()))
            elif kind_of(whole) == INDEXER:
                self._became_floats(location, whole, (), table_columns.of_row(result, whole))
            else:
                found = table_columns.of_part(LOCATIONS[location].name, result, whole)
                self._became_floats(location, whole, (), found)
        except Exception as error:  # noqa: BLE001  # the same
            self._fail(location, error)

    def _heard_store(self, location: int, index: Any, base: Any, value: Any) -> None:
        """Hear of what is about to be stored in a table: what became of it shows afterwards."""
        self.look_back()
        looks = self._looks.get(location, 0)
        if looks >= _LOOKS or "pandas" not in sys.modules:
            return
        self._looks[location] = looks + 1
        try:
            table = base.obj if kind_of(base) == INDEXER else base
            if not table_columns.is_table(table):
                return
            known = table_columns.before(table if table is not base else value)
            if table is base:  # a column, whose rows are aligned with those of the table
                columns = list(known.values()) if type(index) is str else []
                known = {index: columns[0]} if len(columns) == 1 else {}
            if known:
                self._stores.append((location, weakref.ref(table), known))
        except Exception as error:  # noqa: BLE001  # the same
            self._fail(location, error)

    def look_back(self) -> None:
        """Look at what became of the tables that something was stored in."""
        stores, self._stores = self._stores, []
        for location, ref, known in stores:
            table = ref()
            if table is None:
                continue
            try:
                self._became_floats(location, table, (), table_columns.after(table, known))
            except Exception as error:  # noqa: BLE001  # the same
                self._fail(location, error)

    def _remark(
        self, kind: str, location: int, check: OperationCheck, values: Sequence[Any]
    ) -> str:
        """Return in which region of `torch.autocast` a wider float comes back, and beside what."""
        if kind != "autocast" or check.into is None:
            return super()._remark(kind, location, check, values)
        region, file = self._region, LOCATIONS[location].file
        where = f" of {_line(region, file)}" if region is not None else ""
        told = f"in `torch.autocast`{where}, {check.into} comes back"
        for op, place in zip(check.operands, check.places, strict=True):
            origin = self.values.get(values[place])
            if origin is not None and op.dtype is not check.into:
                cast = LOCATIONS[origin.location]
                told += f"; {cast.text} of {_line(cast, file)} gave {op.dtype}"
        return told

    def _cause_of(
        self, location: int, check: OperationCheck, index: int | None, values: Sequence[Any]
    ) -> Origin:
        """Return the cause of a violation: the operation itself if it undoes a cast of its own.

        If half precision meets what has to be wider, it is the use of that; see `sides`.
        """
        if index is not None and self._undoes_cast(location, check):
            check.made_by = super()._cause_of(location, check, None, values)
            return check.made_by
        cause = super()._cause_of(location, check, index, values)
        if index is None or not self._is_use(location, check, index, cause):
            return cause
        facts = {"library": cause.library}
        check.made_by = self.origin(location, check.spans[index], cause.dtype, facts)
        return check.made_by

    def _is_use(self, location: int, check: OperationCheck, index: int, cause: Origin) -> bool:
        """Tell whether an operand is made for more than this, and widens half precision here."""
        widened = next((v for v in check.violations if v.kind == "widening"), None)
        place, at = LOCATIONS[location], check.spans[index]
        if widened is None or widened.cause != index or at >= len(place.spans):
            return False
        narrow, wide = check.operands[widened.against], check.operands[index]
        return (
            cause.operand is None
            and not cause.from_numbers
            and not cause.of(["widening"])  # it is a mistake already
            and narrow.library == wide.library == cause.library
            and checks.bits(narrow.dtype) < checks.bits(wide.dtype) == _FLOAT32_BITS
            and is_made_elsewhere(place, place.spans[at], LOCATIONS[cause.location])
        )

    def _undoes_cast(self, location: int, check: OperationCheck) -> bool:
        """Tell whether an operand was cast back to what it once was, beside a wider one.

        So it is in ``weight * hidden.to(dtype)``, where `hidden` was made float32 to compute with.
        """
        if self._last_cast is None or check.operator is None:
            return False
        (cast, origin), place = self._last_cast, LOCATIONS[location]
        against = [check.spans[v.against] for v in check.violations if v.kind == "widening"]
        if origin is None or cast.file != place.file or not against:
            return False
        was_widened = LOCATIONS[origin.location].name in _CASTS
        is_operand = any(place.spans[i] == cast.span for i in against if i < len(place.spans))
        return is_operand and was_widened and origin.dtype is check.into

    def _rounded(self, location: int, place: Location, operation: tuple[Any, Any, Any]) -> None:
        """Write down where a float makes, or is made of, more integers than it has a place for."""
        result, base, arguments = operation
        integers = autocast.integers_of(place, result, arguments)
        if integers is not None:
            self._ranges[location] = integers
            made: DType | None = dtype_of(result.dtype)
        else:
            made = autocast.narrowed(place, result, base) if self._ranges else None
            of = self.values.get(base) if made is not None else None
            integers = self._ranges.get(of.location) if of is not None else None
        if integers is None or made is None or not autocast.rounds(integers, made):
            return
        read = operand_of(result)
        facts = {"library": read.library, "function": calls.function_of(base, place.name)}
        facts["explicit"] = True
        enough = "float32" if read.dtype.bits != _FLOAT32_BITS else "float64"
        self._written(
            "precision-loss", self.origin(location, None, made, facts), location, read, [0],
            result=made, told=f"{made} has no place for some of {len(integers):,} integers, which "
            f"are rounded; make them {enough}, and cast what is computed of them",
        )  # fmt: skip

    def _computed(self, location: int, operation: tuple[Any, Any, Sequence[Any]]) -> None:
        """Write down which lazy arrays computed another dtype than they said."""
        for found in self._lazies.called(location, LOCATIONS[location], operation):
            made = found.made.location if found.made is not None else location
            says, computed = dtype_of(found.says), dtype_of(found.computed)
            facts = {"library": "Dask", "explicit": found.made is not None and found.made.is_told}
            origin = self._widened_at(made, says) or self.origin(made, None, says, facts)
            self._written(
                "meta-mismatch", origin, location,
                operand_of(found.array)._replace(dtype=says), [0],
                result=computed, told=f"{says} is said, {computed} is computed",
            )  # fmt: skip

    def _widened_at(self, location: int, dtype: DType) -> Origin | None:
        """Return what made an array of a dtype at a place, if it is another value there."""
        origins = [o for o in self.origins.values() if o.dtype is dtype]
        return next((o for o in origins if ("widening", location) in o.effects), None)

    def _became_floats(
        self, location: int, base: Any, arguments: tuple[Any, ...], found: Iterable[Converted]
    ) -> None:
        """Write down which columns of integers became floats: those that lose values first."""
        columns = sorted(found, key=lambda one: one.survives)
        if not columns:
            return
        first, place = columns[0], LOCATIONS[location]
        span = _span_of(first.table, place, base, arguments)
        facts = {
            "library": "pandas",
            "function": calls.function_of(base, place.name) if place.form == "call" else None,
            "several": True,
        }
        self._written(
            "mixed-kind" if first.survives else "precision-loss",
            self.origin(location, None, _FLOAT64, facts),
            location, first.operand, [span or 0], result=_FLOAT64, told=first.told,
            parts=[c.name for c in columns if c.survives is first.survives and span is not None],
        )  # fmt: skip

    def _retraced(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Write down which argument a compiled function is traced again for."""
        place = LOCATIONS[location]
        operation = result, base, arguments
        found = self._retraces.called(location, place, operation, self.values.get)
        if found is None:
            return
        cause, now = found.cause, found.now
        # what made it strong by a number of Python's is named already
        decides = now.origin is not None and now.origin.of(["weak-type-lost"])
        origin = now.origin if decides else cause.origin
        if origin is None:
            facts = {"library": "JAX", "scalar": cause.operand.form == "scalar"}
            facts["from_numbers"] = cause.operand.is_python
            origin = self.origin(cause.location, cause.argument + 1, cause.leaf.dtype, facts)
        effect = self._written(
            "retracing", origin, location, now.operand, [now.argument + 1],
            result=found.want, told=found.told, parts=cause.parts,
        )  # fmt: skip
        if effect is not None:
            effect.told = found.told

    def _written(
        self,
        kind: str,
        origin: Origin,
        location: int,
        operand: Operand,
        spans: Sequence[int],
        *,
        result: DType,
        told: str,
        parts: Sequence[Any] = (),
    ) -> Effect | None:
        """Write one thing down; returns it, or None if it is allowed at its place."""
        check = OperationCheck((operand,), (0,))
        check.result = check.into = result
        check.spans = spans
        self._found(kind, origin, location, check, against=0, told=told, parts=parts)
        return origin.effects.get((kind, location))


def _line(place: Location, file: str) -> str:
    """Return where a place is, seen from a file."""
    return f"line {place.line}" if place.file == file else f"{Path(place.file).name}:{place.line}"


def _span_of(table: Any, place: Location, base: Any, arguments: Sequence[Any]) -> int | None:
    """Return which of the spans of a place a table is written at, if it is written out there."""
    if base is table:
        return 0
    for index, argument in enumerate(arguments):
        if argument is table:
            return index + 1
        first = place.lists[index] if index < len(place.lists) else 0
        for at, element in enumerate(calls.elements(argument) if first else ()):
            if element is table:
                return first + at
    return None
