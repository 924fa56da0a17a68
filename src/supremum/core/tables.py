"""The table of some rules: the answer for every pair of dtypes."""

from __future__ import annotations

from typing import Any

from .dtypes import DType
from .operands import dtype
from .system import PromotionSystem
from .systems import DEFAULT, system
from .table import Table


def table(rules: str | PromotionSystem = DEFAULT, *dtypes: Any) -> Table[DType]:
    """Return what every ordered pair of dtypes promotes to.

    Args:
        rules: rules or their name.
        dtypes: the dtypes to keep; by default all that the rules have.

    Raises:
        RulesError: for unknown rules.
        DTypeError: for something that is not a dtype.

    >>> table("numpy", "int8", "uint8")["int8", "uint8"]
    supremum.dtype('int16')
    """
    whole = system(rules).table()
    return whole.only(map(dtype, dtypes)) if dtypes else whole
