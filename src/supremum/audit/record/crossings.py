"""Where values of one library went over to another."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final
from weakref import ref

from ..checks.operation_checks import OperationCheck
from ..model.provenance import Origin

_MOST: Final = 1_000  # values


class Crossings:
    """Keeps the locations where values of one library went over to another, the last ones."""

    def __init__(self) -> None:
        self._of: dict[int, tuple[ref[Any], int]] = {}

    def note(self, location: int, check: OperationCheck, result: Any, origin: Origin) -> None:
        """Note where a value goes over to another library, if it does so here."""
        before = check.operands[check.sources[0]].library
        if origin.library != before or before == check.facts["library"]:
            return
        origin.crossing = location
        if len(self._of) >= _MOST:
            self._of.clear()
        with suppress(TypeError):  # it takes no weak reference
            self._of[id(result)] = ref(result), location

    def of(self, value: Any, origin: Origin) -> int | None:
        """Return where a value went over, or where one of the same origin did last."""
        entry = self._of.get(id(value))
        return entry[1] if entry is not None and entry[0]() is value else origin.crossing
