"""How DuckDB is asked: by the types of the results of queries, which are not run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from ...core.catalogue import WRITTEN
from ...core.functions import FUNCTIONS, OPERAND_SLOT
from ...core.operands import Operand
from ...core.systems.duckdb import NAMES_OF_TYPES
from ..calls import LackingError
from ..library import Library

TYPES = dict(NAMES_OF_TYPES)
NAMES = {theirs: ours for ours, theirs in NAMES_OF_TYPES}

# What SQL writes otherwise; in it, letters are operands.
SQL = {
    "where": "CASE WHEN c THEN x ELSE y END",
    "concat": "x UNION ALL SELECT y",
    "equal": "x = y",
    "bitwise_xor": "xor(x, y)",
    "logical_and": "x AND y",
    "logical_or": "x OR y",
    "logical_not": "NOT x",
    "maximum": "greatest(x, y)",
    "minimum": "least(x, y)",
    "mean": "avg(x)",
    "median": "median(x)",
    "prod": "product(x)",
    "std": "stddev_pop(x)",
    "var": "var_pop(x)",
    "all": "bool_and(x)",
    "any": "bool_or(x)",
}


class DuckDB(Library):
    """DuckDB, whose arrays here are the columns of an empty table."""

    @cached_property
    def connection(self) -> Any:
        """A database with a column of each type."""
        import duckdb

        made = duckdb.connect()
        columns = ", ".join(f"{name}_ {type_}" for name, type_ in TYPES.items())
        made.execute(f"CREATE TABLE t ({columns})")
        return made

    def make(self, op: Operand) -> str:
        """Return how an operand is written."""
        if not op.is_python:
            return f"{op.dtype}_"
        if isinstance(op.number, float):
            return f"{op.number:e}"  # without an exponent it is a decimal
        return str(op.value)

    def ask(self, *operands: str) -> str:
        """Return the type of a column that has them one below the other."""
        return self._type_of(" UNION ALL SELECT ".join("x" * len(operands)), operands)

    def operate(self, function: str, *operands: str) -> str:
        """Return the type of what an operator or a function gives."""
        known = FUNCTIONS[function]
        written = SQL.get(function) or WRITTEN.get(function)
        return self._type_of(written or f"{self._own_name(known.name)}{known.call}", operands)

    def _own_name(self, name: str) -> str:
        spellings = (name, *FUNCTIONS[name].spellings)
        found = next((x for x in spellings if x in self.functions), None)
        if found is None:
            raise LackingError(f"DuckDB does not have {name}", name=name)
        return found

    @cached_property
    def functions(self) -> frozenset[str]:
        """The names of its functions."""
        asked = "SELECT DISTINCT function_name FROM duckdb_functions()"
        return frozenset(name for (name,) in self.connection.execute(asked).fetchall())

    def _type_of(self, text: str, operands: Sequence[str]) -> str:
        left: Iterator[str] = iter(operands)
        filled = re.sub(r"\bc\b", "bool_", re.sub(OPERAND_SLOT, lambda _: next(left), text))
        query = f"SELECT {filled} FROM t".replace(" UNION ALL", " FROM t UNION ALL")  # noqa: S608  # of columns and numbers
        return NAMES[str(self.connection.sql(query).types[0])]


LIBRARY = DuckDB(
    "duckdb",
    "duckdb==2.0.1",
    ranks=(1,),
    scalars=(True, 1, 300, -1, 2**31, 2**63, 2**70, 1.0, 1e300),
    roots=("duckdb",),
)
