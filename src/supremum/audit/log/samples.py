"""Samples of what operations gave, by which two runs of a program are compared.

Of the first results at each location, and then of the second, fourth, eighth and so on, some
elements are kept as they were at the time. A location that goes on for long is looked at no more
once it is settled, so that samples end before. Those that other threads reach, as Dask's do, are
reached in no order, and have none.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from ...core.functions import facts_of
from ..model.interruptions import error_of_program
from ..model.locations import LOCATIONS
from .calls import arrays_in
from .settled import AFTER
from .tracked_types import SEQUENCE, is_array, kind_of
from .values.at_hand import as_numpy

_ELEMENTS: Final = 32
_ROWS: Final = 4_000
_WHOLE: Final = 1 << 14  # elements of which the largest is looked for


class Sample(NamedTuple):
    """Some elements of a result.

    Attributes:
        time: how often there was one at the location, with this one.
        kind: ``"b"``, ``"i"``, ``"u"``, ``"f"`` or ``"c"``, as NumPy says it.
        shape: the shape of the result.
        scale: the largest number of it, or of the operands of a sum or difference.
        values: the elements; of complex ones both parts.
    """

    time: int
    kind: str
    shape: list[int]
    scale: float
    values: list[float]


class SampledRow(NamedTuple):
    """What an operation at a location gave.

    Attributes:
        file: the name of the file.
        line: the line in it.
        name: the function.
        samples: some of its results.
    """

    file: str
    line: int
    name: str
    samples: list[Sample]


def read_samples(path: Path) -> tuple[list[SampledRow], list[str]]:
    """Return the samples that a file has, and the files that the program opened to write."""
    found = json.loads(path.read_text(encoding="utf-8"))
    rows = [
        SampledRow(file, line, name, [Sample(*sample) for sample in samples])
        for file, line, name, samples in found["rows"]
    ]
    return rows, found["written"]


def _heard_writes(written: dict[str, None], event: str, arguments: tuple[Any, ...]) -> None:
    """Note which files are opened to be written, as Python tells of it."""
    if event == "open" and isinstance(arguments[0], str):
        mode, flags = arguments[1], arguments[2]
        writes = isinstance(mode, str) and not {*"wax+"}.isdisjoint(mode)
        if writes or (isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)):
            written[os.path.realpath(arguments[0])] = None


class Samples:
    """Observes the operations of a program, and keeps samples of what they gave."""

    def __init__(self) -> None:
        self._times: dict[int, int] = {}
        self._rows: dict[int, SampledRow] = {}
        self._written: dict[str, None] = {}
        self._thread = threading.get_ident()
        self._unordered: set[int] = set()  # locations that other threads reach
        sys.addaudithook(partial(_heard_writes, self._written))

    def write(self, path: str) -> None:
        """Write the samples down, in the order in which locations were first reached."""
        rows = [
            row._replace(samples=[]) if location in self._unordered else row
            for location, row in self._rows.items()
        ]
        found = {"rows": rows, "written": list(self._written)}
        Path(path).write_text(json.dumps(found), encoding="utf-8")

    def observer(self, what: str) -> Callable[..., None]:
        """Return what observes the operations of one of `OPERATIONS`."""
        return partial(self._observe, what)

    def _observe(self, what: str, location: int, *operation: Any) -> None:
        """Observe an operation, as one of `OPERATIONS` of a recorder is told of it.

        A part of a value has nothing new.
        """
        if what == "taken":
            return
        result = operation[-1] if what == "stored" else operation[0]
        operands = operation[1:] if what in ("operated", "changed") else ()
        try:
            for one in arrays_in(result) if kind_of(result) == SEQUENCE else [result]:
                self._look(location, one, operands)
        except Exception as error:  # noqa: BLE001  # whatever values do when they are looked at
            of_program = error_of_program(error)
            if of_program is not None:
                raise of_program from None

    def _look(self, location: int, result: Any, operands: tuple[Any, ...]) -> None:
        if threading.get_ident() != self._thread:
            self._unordered.add(location)
        time = self._times.get(location, 0) + 1
        if time < AFTER and len(self._rows) < _ROWS and is_array(result):
            self._times[location] = time
            if time & (time - 1) == 0:
                self._keep(location, result, operands, time)

    def _keep(self, location: int, result: Any, operands: tuple[Any, ...], time: int) -> None:
        row = self._rows.get(location)
        if row is None:
            place = LOCATIONS[location]
            if facts_of(place.name).converts or "empty" in place.name:  # it computes nothing
                return
            row = SampledRow(Path(place.file).name, place.line, place.name, [])
            self._rows[location] = row
        differs = row.name in ("add", "subtract")
        if (found := _sample(time, result, operands if differs else ())) is not None:
            row.samples.append(found)


def _sample(time: int, result: Any, operands: tuple[Any, ...]) -> Sample | None:
    """Return a sample of a value, or None if it is not at hand, or has no numbers."""
    numpy = sys.modules["numpy"]
    value = as_numpy(result)
    if value is None:
        return None
    value = numpy.asarray(value)
    kind = value.dtype.kind
    if kind == "V" and value.dtype.names is None:  # bfloat16, and its like
        kind = "f"
    if kind not in "biufc":
        return None
    with numpy.errstate(all="ignore"):
        largest = [_largest(number) for number in (value, *map(as_numpy, operands))]
        elements = _some(value, _ELEMENTS)
        wide = elements.astype(numpy.complex128 if kind == "c" else numpy.float64)
        numbers = [*wide.real.tolist(), *(wide.imag.tolist() if kind == "c" else [])]
    return Sample(time, kind, list(value.shape), max(largest), numbers)


def _largest(value: Any) -> float:
    """Return the largest magnitude among the finite numbers of a value, or of some of them."""
    numpy = sys.modules["numpy"]
    if value is None:
        return 0.0
    value = numpy.asarray(value)
    some = value if value.size <= _WHOLE else _some(value, _WHOLE)
    sizes = numpy.abs(some.astype(numpy.complex128 if value.dtype.kind == "c" else numpy.float64))
    return float(numpy.max(sizes, initial=0.0, where=numpy.isfinite(sizes)))


def _some(value: Any, count: int) -> Any:
    """Return elements that are evenly spread over an array."""
    if not value.ndim:
        return value.reshape(1)
    return value.flat[:: max(1, -(-value.size // count))]
