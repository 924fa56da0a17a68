"""Rows: what operations did with values of one origin, each counted, and what they say of it.

Rows are counted while a program runs, and read afterwards: whether a width is meant, and what
became of it, are functions of rows alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from ...core.functions import Function, facts_of
from .locations import LOCATIONS, Location, Span

OPERAND: Final = "operand"
CAST: Final = "cast"
STORED: Final = "stored"
FILLED: Final = "filled"
ADDED_TO: Final = "added to"
TOO_NARROW: Final = "too narrow"
"""What a value is to an operation: an operand, what is cast to a dtype with less room, what is
stored, what something as wide is stored in, what something is put into by an operator in place,
what something wider is stored in."""

COPIES: Final = ("copy_", "copyto")
"""Functions that put one array into another as it is, as a store does."""

SOLVES: Final = ("linalg", "estimate")
_PRECISE: Final = (*SOLVES, "norm", "transform", "cumulative")
"""The categories of functions that take precision: those that solve, and others."""

_HANDING_ON: Final = ("shape", "part", "cast", "conversion")
"""The categories of functions that compute nothing of the values that they are given."""

_OFTEN: Final = 4  # times as many places compute among a width as it meets narrower values at

_NEARLY_ALL: Final = 12  # times as many

_OF_ERRORS: Final = frozenset({"abs", "fabs", "square", "power", "sqrt", "true_divide", "log10"})


class Row(NamedTuple):
    """What an operation does with a value.

    Attributes:
        location: the index of the operation's place.
        span: which of the place's spans the value is written at.
        role: what the value is to the operation: `OPERAND`, `CAST`, `STORED`, `FILLED`, `ADDED_TO`,
            `TOO_NARROW`.
        violates: whether something is found of the operation, as where it meets a narrower dtype.
        follows: whether the value was computed with one that met something narrower before.
        is_first: whether it is the very value that was introduced, and not computed of that.
        needs_digits: whether its numbers have no place in the narrower dtype that they meet.
        crosses: whether what comes out is of another library.
        is_beside: whether another operand is as wide, which met nothing narrower before.
    """

    location: int
    span: int
    role: str
    violates: bool = False
    follows: bool = False
    is_first: bool = False
    needs_digits: bool = False
    crosses: bool = False
    is_beside: bool = False

    @property
    def place(self) -> Location:
        """The operation's place."""
        return LOCATIONS[self.location]

    @property
    def known(self) -> Function:
        """What is known of the operation by its name."""
        return facts_of(self.place.name)

    @property
    def is_own(self) -> bool:
        """Whether a value is computed with that met nothing narrower, here or before."""
        return self.role == OPERAND and not self.violates and not self.follows

    @property
    def is_replaced(self) -> bool:
        """Whether what the operation makes of a value takes its place, as a total does."""
        return self.role == OPERAND and not self.follows and self.place.replaces == self.span


Rows = dict[Row, int]
"""How often there was each row."""


def add(rows: Rows, more: Rows) -> None:
    """Add how often there were some rows to others."""
    for row, count in list(more.items()):
        rows[row] = rows.get(row, 0) + count


def less(rows: Rows, before: Rows) -> Rows:
    """Return how often there was each row since; those that were known before stay."""
    return {row: count - before.get(row, 0) for row, count in list(rows.items())}


def renumbered(rows: Rows, number_of: Callable[[int], int]) -> Rows:
    """Return rows with other numbers of their locations."""
    return {row._replace(location=number_of(row.location)): n for row, n in rows.items()}


def is_filled(rows: Iterable[Row]) -> bool:
    """Return whether what is stored in an array is as wide as itself.

    >>> is_filled([Row(0, 0, STORED)]), is_filled([Row(0, 0, FILLED), Row(1, 0, OPERAND)])
    (False, True)
    """
    return any(row.role in (FILLED, ADDED_TO) for row in rows)


def is_computed(rows: Iterable[Row]) -> bool:
    """Return whether anything is computed with what was introduced, other than to reduce it."""
    found = [*rows]
    used = (
        row.known for row in found
        if row.role == OPERAND and row.is_first and row.place.form != "store"
    )  # fmt: skip
    is_reduced = all(known.reduces or known.category in _HANDING_ON for known in used)
    added = (row.place.name for row in found if row.role == ADDED_TO)
    return not is_reduced or any(name not in COPIES for name in added)


def is_total(rows: Iterable[Row], *, scalar: bool) -> bool:
    """Return whether something is added in place, or what arithmetic makes of an array replaces it.

    Args:
        rows: the rows.
        scalar: whether they are of scalars.
    """
    return any(row.role == ADDED_TO or (not scalar and row.is_replaced) for row in rows)


def is_state(rows: Iterable[Row], results: Iterable[Row]) -> bool:
    """Return whether values are a state: what is computed of it is added to one that is as wide.

    Args:
        rows: those of the values.
        results: those of what an operation makes of them.

    >>> added, stored = Row(0, 0, ADDED_TO), Row(1, 1, STORED)
    >>> is_state([added], [stored]), is_state([], [stored]), is_state([added], [])
    (True, False, False)
    """
    used = [
        row for row in results if row.violates or not (row.follows and row.place.form == "operator")
    ]
    is_changed = any(row.role == ADDED_TO for row in rows)
    return is_changed and bool(used) and all(row.role == STORED for row in used)


def is_gathered(results: Iterable[Row]) -> bool:
    """Return whether all that comes of an operation is added in place to what is as wide."""
    steps = ("elementwise", "reduction")
    used = [r for r in results if not (r.follows and r.known.category in steps)]
    added = [row for row in used if row.role == STORED and row.place.form == "in place"]
    return bool(used) and len(added) == len(used)


def meets_its_like(rows: Iterable[Row]) -> bool:
    """Return whether values are computed with others of their dtype, which would keep it."""
    return any(row.is_beside and row.role == OPERAND for row in rows)


def stays(rows: Iterable[Row]) -> bool:
    """Return whether nearly all places where something is done with values keep their width."""
    known = list(rows)
    narrow = violating(known)
    return own(known) >= _NEARLY_ALL * len(narrow) > 0


def is_taken_in(rows: Rows, results: Iterable[Row]) -> bool:
    """Return whether a width is meant, and what comes of an operation goes to what is as wide.

    So it is with measurements in single precision that a state in double precision takes in.

    Args:
        rows: those of the values.
        results: those of what an operation makes of them, in the order in which they came up.
    """
    first = next((row for row in results if row.role == OPERAND), None)
    if first is None or first.violates:
        return False
    if first.known.category in SOLVES:
        return own(rows) > len(violating(rows))
    return first.is_beside and own(rows) > _OFTEN * len(violating(rows))


def violating(rows: Iterable[Row]) -> set[int]:
    """Return the places where something is found of values."""
    return {row.location for row in rows if row.violates}


def is_precise(rows: Iterable[Row]) -> bool:
    """Return whether values go to a function that takes precision, or are added up."""
    return any(
        (_takes_precision(row) and (row.violates or not row.follows))
        or (row.is_own and row.is_first and row.known.adds_up)
        or row.is_replaced
        for row in rows
    )


def is_added_up(rows: Iterable[Row]) -> bool:
    """Return whether values go to running sums, or to what solves for them."""
    used = (row for row in rows if row.role == OPERAND and not row.violates)
    return any(row.known.category in (*SOLVES, "cumulative") for row in used)


def is_worked_on(rows: Iterable[Row]) -> bool:
    """Return whether values go to a function that takes precision before they meet others."""
    return any(row.is_own and _takes_precision(row) for row in rows)


def own(rows: Iterable[Row]) -> int:
    """Return at how many places something is computed among a width, before it meets others."""
    return len({row[:2] for row in rows if row.is_own and not _is_handed_on(row)})


def crossing(rows: Iterable[Row]) -> int | None:
    """Return where values went over to another library, or None if that is not one place."""
    found = {row.location for row in rows if row.crosses}
    return found.pop() if len(found) == 1 else None


def casts(each: Iterable[Rows]) -> Rows:
    """Return how often there was each cast: a place may cast what several values went into."""
    found: Rows = {}
    for rows in each:
        for row, count in list(rows.items()):
            if row.role == CAST:
                found[row] = max(count, found.get(row, 0))
    return found


def is_cast(rows: Iterable[Row]) -> bool:
    """Return whether all that is done with values is to cast them to a dtype with less room."""
    return {row.role for row in rows} == {CAST}


def is_narrowed(rows: Iterable[Row]) -> bool:
    """Return whether values, or what comes of them, are cast to a dtype with less room."""
    return any(row.role == CAST for row in rows)


def cast_back(rows: Rows, place: Location) -> int:
    """Return how often what a place gives, or what is computed of it there, is cast at once.

    Args:
        rows: the casts.
        place: the place.
    """
    around = (row for row in rows if row.place.file == place.file)
    return sum(rows[row] for row in around if any(_is_in(place.span, s) for s in row.place.spans))


def is_measured(rows: Iterable[Row]) -> bool:
    """Return whether nothing of values is asked but their size, as of an error."""
    used = [row for row in rows if row.role != CAST]
    sizes = [row for row in used if row.known.category in ("reduction", "norm")]
    others = {row.known.name if row.role == OPERAND else row.role for row in used}
    return bool(sizes) and others <= _OF_ERRORS | {row.known.name for row in sizes}


def _is_in(span: Span, around: Span | None) -> bool:
    """Return whether a span is another one, or a part of it."""
    return around is not None and around[:2] <= span[:2] and span[2:] <= around[2:]


def _takes_precision(row: Row) -> bool:
    return row.role == OPERAND and row.known.category in _PRECISE


def _is_handed_on(row: Row) -> bool:
    """Return whether nothing is computed of a value, or it is handed to a class."""
    return row.known.category in _HANDING_ON or row.place.name[:1].isupper()
