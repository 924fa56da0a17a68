"""What dtype comes out, and why: type promotion for Python's array libraries.

>>> import supremum
>>> supremum.result_type("int32", "float16", 1.0)
supremum.dtype('float16')
"""

from typing import TYPE_CHECKING, Any

from supremum.dtypes import DType, names
from supremum.errors import (
    AmbiguousJoinError,
    CycleError,
    DTypeError,
    LatticeError,
    NoJoinError,
    PromotionError,
    RulesError,
    SupremumError,
)
from supremum.explain import Explanation
from supremum.lattice import Lattice
from supremum.operands import Operand, dtype, operand
from supremum.system import PromotionSystem
from supremum.systems import explain, options, promote_types, result_type, system, systems
from supremum.table import Table

if TYPE_CHECKING:
    from supremum import audit, compare, conformance, criteria, laws, show

__version__ = "0.1.0"

__all__ = [
    "AmbiguousJoinError",
    "CycleError",
    "DType",
    "DTypeError",
    "Explanation",
    "Lattice",
    "LatticeError",
    "NoJoinError",
    "Operand",
    "PromotionError",
    "PromotionSystem",
    "RulesError",
    "SupremumError",
    "Table",
    "audit",
    "compare",
    "conformance",
    "criteria",
    "dtype",
    "explain",
    "laws",
    "names",
    "operand",
    "options",
    "promote_types",
    "result_type",
    "show",
    "system",
    "systems",
]


def __getattr__(name: str) -> Any:
    # these take longer to load than all the rest, and few programs need them
    if name in ("audit", "compare", "conformance", "criteria", "laws", "show"):
        from importlib import import_module

        return import_module(f"supremum.{name}")
    raise AttributeError(f"module 'supremum' has no attribute {name!r}")
