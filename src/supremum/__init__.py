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
    from supremum import arrays, audit, compare, conformance, criteria, laws, show
    from supremum.arrays import namespace, rules

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
    "arrays",
    "audit",
    "compare",
    "conformance",
    "criteria",
    "dtype",
    "explain",
    "laws",
    "names",
    "namespace",
    "operand",
    "options",
    "promote_types",
    "result_type",
    "rules",
    "show",
    "system",
    "systems",
]


def __getattr__(name: str) -> Any:
    # these take longer to load than all the rest, and few programs need them
    if name in ("arrays", "audit", "compare", "conformance", "criteria", "laws", "show"):
        from importlib import import_module

        return import_module(f"supremum.{name}")
    if name in ("namespace", "rules"):
        from supremum import arrays

        return getattr(arrays, name)
    raise AttributeError(f"module 'supremum' has no attribute {name!r}")
