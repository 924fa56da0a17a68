"""Where rules come from: arrows, tables, and the files in which users write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

from supremum import files
from supremum.dtypes import DType, from_code
from supremum.errors import DTypeError, LatticeError, RulesError
from supremum.lattice import Lattice
from supremum.operands import dtype
from supremum.table import REFUSED, Table

if TYPE_CHECKING:
    from pathlib import Path


class FromData:
    """What makes rules out of data; `PromotionSystem` is one."""

    if TYPE_CHECKING:

        def __init__(self, name: str, join: Any, **about: Any) -> None: ...

        @property
        def dtypes(self) -> tuple[DType, ...]:
            """The dtypes that the rules know."""

    @classmethod
    def from_lattice(
        cls, arrows: Lattice[Any] | Mapping[Any, Iterable[Any]] | str, name: str = "", **about: Any
    ) -> Self:
        """Return rules that join on a lattice.

        Args:
            arrows: a `Lattice`, or what it is built from, over dtypes, their full names, or the
                short codes that count bits (``i8 -> i16``).
            name: what to call the rules.
            about: what the class itself takes.
        """
        if isinstance(arrows, str):
            return cls(name or "unnamed", Lattice(arrows, node=from_code), **about)
        given = arrows.arrows if isinstance(arrows, Lattice) else arrows
        merged: dict[DType, list[DType]] = {}
        for node, ups in given.items():
            merged.setdefault(_coded(node), []).extend(map(_coded, ups))
        return cls(name or "unnamed", Lattice(merged), **about)

    @classmethod
    def from_table(
        cls, table: Table[Any] | Mapping[Any, Mapping[Any, Any]] | str, name: str = "", **about: Any
    ) -> Self:
        """Return rules that look pairs up in a table.

        Args:
            table: a `Table`, the text that `Table.parse` reads, or a mapping of rows to columns
                to answers in which ``"-"`` is a refusal; names as in `from_lattice`.
            name: what to call the rules.
            about: what the class itself takes.
        """
        if isinstance(table, str):
            table = Table.parse(table)
        if isinstance(table, Table):
            return cls(name or "unnamed", table.map(_coded), **about)
        if len(set(map(_coded, table))) < len(table):
            raise LatticeError(
                f"two rows of the table name one dtype: {', '.join(map(str, table))}"
            )
        cells = {
            (_coded(a), _coded(b)): _coded(c)
            for a, row in table.items()
            for b, c in row.items()
            if c != REFUSED
        }
        return cls(name or "unnamed", Table(map(_coded, table), cells), **about)

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Return the rules that a file describes.

        Args:
            path: arrow text, or a TOML file (``.toml``) with ``arrows`` or ``table``, both texts,
                and any of ``name``, ``version``, ``source`` and the table ``[widths]``.

        Raises:
            RulesError: where there is no such file, or it does not describe rules; with its line.
        """
        form, text, about = files.read(path)
        build = cls.from_lattice if form == "arrows" else cls.from_table
        try:
            built = build(text, **about, setting={"file": str(path)})
        except (LatticeError, DTypeError) as error:
            raise RulesError(f"{path}: {error}", path) from error
        if not built.dtypes:
            raise RulesError(f"{path}: there are no arrows in it; write 'i8 -> i16'", path)
        return built


def _coded(node: Any) -> DType:
    return from_code(node) if isinstance(node, str) else dtype(node)
