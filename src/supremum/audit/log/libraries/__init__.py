"""What libraries do that is not a fact of a function: traces, lazy blocks, tables, empty lists.

Each has one file with a `Listener`, which a recorder binds once the program has imported the
library.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

from ..operation_checks import OperationCheck
from .listeners import FEW, Event, Findings, Listener

LISTENERS: Final = {
    "dask": "Dask",
    "jax": "Jax",
    "numpy": "Numpy",
    "pandas": "Pandas",
    "torch": "Torch",
    "xarray": "Xarray",
}
"""The class of each library's listener, by the module that the program imports.

The file has the name of the module, and is loaded with it alone.
"""


class Listeners:
    """The listeners of a recorder: those of the libraries that are imported.

    Args:
        findings: the recorder.
    """

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._all: list[Listener] = []
        self._bound: set[str] = set()  # the libraries that have a listener
        self._most_looks: float = FEW
        self._looks: dict[int, int] = {}  # how many events of a location there were

    def __iter__(self) -> Iterator[Listener]:
        return iter(self._all)

    def tell(
        self, what: str, location: int, result: Any, base: Any, arguments: tuple[Any, ...] = ()
    ) -> None:
        """Tell of an event, unless its location was looked at often enough.

        Args:
            what: the method that a listener has for it.
            location: the number of its location; this and what follows is as in an `Event`.
            result: what came out.
            base: the function's object or module, or the whole of a part.
            arguments: those of a call, or what is about to be stored.
        """
        looks = self._looks.get(location, 0)
        if looks >= self._most_looks:
            return
        self._looks[location] = looks + 1
        if looks < FEW:
            self._bind()
        event = Event(location, result, base, arguments, looks)
        for listener in self._all:
            if looks < listener.most_looks:
                try:
                    getattr(listener, what)(event)
                except Exception as error:  # noqa: BLE001  # the others are told, too
                    self._findings.fail(location, error)

    def judged(self, event: Event, check: OperationCheck) -> None:
        """Have all amend what was decided of an operation, the first time that it comes up."""
        self._bind()
        for listener in self._all:
            listener.judged(event, check)

    def _bind(self) -> None:
        for module, name in LISTENERS.items():
            if module not in self._bound and module in sys.modules:
                listener: type[Listener] = getattr(import_module(f".{module}", __name__), name)
                self._bound.add(module)
                self._all.append(listener(self._findings))
                self._most_looks = max(self._most_looks, listener.most_looks)
