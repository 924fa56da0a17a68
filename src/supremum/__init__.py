"""What dtype results, and why: type promotion for Python's array libraries.

>>> import supremum
>>> supremum.result_type("int32", "float16", 1.0)
supremum.dtype('float16')
"""

from typing import TYPE_CHECKING, Any

from .core.dtype_names import names
from .core.dtypes import DType, define
from .core.errors import (
    AmbiguousJoinError,
    CycleError,
    DTypeError,
    ExpressionError,
    LatticeError,
    NoJoinError,
    PromotionError,
    RulesError,
    SupremumError,
)
from .core.explanation import Explanation, Settled, Taken
from .core.fold import Fold
from .core.function_rules import FunctionRule
from .core.lattice import Lattice
from .core.operands import Operand, dtype, operand
from .core.system import PromotionSystem
from .core.systems import explain, options, promote_types, result_type, system, systems
from .core.table import Table

if TYPE_CHECKING:
    from . import arrays, audit, conformance, design, export, show
    from .arrays import namespace, random, rules
    from .arrays.evaluation import compare_function, eval_dtypes
    from .core.compare import compare
    from .core.criteria import criteria
    from .core.differences import diff
    from .core.laws import laws
    from .core.tables import table

__version__ = "0.1.0"

__all__ = [
    "AmbiguousJoinError",
    "CycleError",
    "DType",
    "DTypeError",
    "Explanation",
    "ExpressionError",
    "Fold",
    "FunctionRule",
    "Lattice",
    "LatticeError",
    "NoJoinError",
    "Operand",
    "PromotionError",
    "PromotionSystem",
    "RulesError",
    "Settled",
    "SupremumError",
    "Table",
    "Taken",
    "arrays",
    "audit",
    "compare",
    "compare_function",
    "conformance",
    "criteria",
    "define",
    "design",
    "diff",
    "dtype",
    "eval_dtypes",
    "explain",
    "export",
    "laws",
    "names",
    "namespace",
    "operand",
    "options",
    "promote_types",
    "random",
    "result_type",
    "rules",
    "show",
    "system",
    "systems",
    "table",
]

# These take longer to load than all the rest, and few programs need them: each with its module.
_LATER = {
    "arrays": "arrays", "audit": "audit", "conformance": "conformance", "design": "design",
    "export": "export", "show": "show", "namespace": "arrays", "random": "arrays",
    "rules": "arrays",
    "compare": "core.compare", "diff": "core.differences", "compare_function": "arrays.evaluation",
    "eval_dtypes": "arrays.evaluation", "criteria": "core.criteria", "laws": "core.laws",
    "table": "core.tables",
}  # fmt: skip


if not TYPE_CHECKING:  # to whom other names are mistakes

    def __getattr__(name: str) -> Any:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        module = import_module(f".{_LATER[name]}", __name__)
        return module if name == _LATER[name] else getattr(module, name)


def __dir__() -> list[str]:
    return sorted(__all__)


def load_ipython_extension(shell: Any) -> None:
    """Watch the cells of a notebook, as ``%load_ext supremum`` asks for."""
    from .audit.notebook import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """Let the cells of a notebook run as before, as ``%unload_ext supremum`` asks for."""
    from .audit.notebook import unload

    unload(shell)
