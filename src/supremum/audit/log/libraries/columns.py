"""Tables of columns: where each column comes from, by its name."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, Final

from ....core.dtypes import DType
from ...model.provenance import Origin

LIBRARY: Final = "pandas"
"""What tables compute with."""

INDEXERS: Final = ("at", "iat", "iloc", "loc")
"""The attributes of a table that take rows and columns of it, or store them."""


def is_plain_table(value: Any) -> bool:
    """Return whether a value is a table of the very class, of which no code of a program runs."""
    library = sys.modules.get(LIBRARY)
    return library is not None and type(value) is vars(library).get("DataFrame")


def widens(table: Any, others: Sequence[Any]) -> bool:
    """Return whether a table has float64, as a merge makes it of integers, and no other one has."""
    if not all(map(is_plain_table, (table, *others))):
        return False
    return _has_float64(table) and not any(map(_has_float64, others))


def _has_float64(table: Any) -> bool:
    return any(d == "float64" for d in table.dtypes)


class Columns:
    """The origins of the columns of the tables that are alive."""

    def __init__(self) -> None:
        self._of: dict[int, tuple[weakref.ref[Any], dict[Hashable, Origin]]] = {}
        self._named: dict[Hashable, Origin | None] = {}

    def of(self, table: Any) -> Mapping[Hashable, Origin]:
        """Return the origins that are known of a table's columns."""
        entry = self._of.get(id(table))
        return entry[1] if entry is not None and entry[0]() is table else {}

    def of_others(
        self, tables: Sequence[Any], origin_of: Callable[[Any], Origin | None]
    ) -> dict[Hashable, Origin]:
        """Return the origins of the columns that the first of some tables does not have."""
        found: dict[Hashable, Origin] = {}
        for table in tables[1:] if all(map(is_plain_table, tables)) else ():
            known, whole = self.of(table), origin_of(table)
            for name in table.columns.difference(tables[0].columns, sort=False):
                if (origin := known.get(name, whole)) is not None:
                    found.setdefault(name, origin)
        return found

    def put(self, table: Any, name: Hashable, origin: Origin) -> None:
        """Record where a column comes from."""
        self.take_over(table, {**self.of(table), name: origin})
        # a name that has had two causes tells of none
        same = self._named.setdefault(name, origin) is origin
        self._named[name] = origin if same else None

    def take_over(self, table: Any, columns: Mapping[Hashable, Origin]) -> None:
        """Record that a table has the columns of another."""
        number, of = id(table), self._of

        def forget(gone: weakref.ref[Any]) -> None:
            if number in of and of[number][0] is gone:
                del of[number]

        of[number] = weakref.ref(table, forget), dict(columns)

    def named(self, name: Hashable, d: DType) -> Origin | None:
        """Return the one origin that columns of a name have had, if it is one of a dtype."""
        origin = self._named.get(name)
        return origin if origin is not None and origin.dtype is d else None


def columns_in(arguments: tuple[Any, ...]) -> Iterator[tuple[Hashable, Any]]:
    """Yield the columns that the arguments of a call give, by their names."""
    for argument in arguments:
        if type(argument) is dict:
            for name, value in argument.items():
                # xarray's are pairs of dimensions and values
                parts = value if isinstance(value, tuple) else (value,)
                yield from ((name, part) for part in parts)
