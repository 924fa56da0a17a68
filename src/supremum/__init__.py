"""What dtype comes out, and why: type promotion for Python's array libraries.

>>> import supremum
>>> supremum.result_type("int32", "float16", 1.0)
supremum.dtype('float16')
"""

from supremum import criteria, laws
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
    "criteria",
    "dtype",
    "explain",
    "laws",
    "names",
    "operand",
    "options",
    "promote_types",
    "result_type",
    "system",
    "systems",
]
