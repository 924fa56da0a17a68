"""What authors of rules need: the joins, the parts of a promotion system, and their errors.

>>> from supremum.custom import PromotionSystem
>>> camera = PromotionSystem.from_lattice("u8 -> u16 -> f32; i8 -> i16 -> f32", name="camera")
>>> camera.promote_types("uint8", "int16")
supremum.dtype('float32')
"""

from .core.analysis.criteria import criteria
from .core.dtypes import define
from .core.errors import AmbiguousJoinError, CycleError, LatticeError, NoJoinError, refuse_calls
from .core.fold import Fold
from .core.function_rules import FunctionRule
from .core.lattice import Lattice
from .core.operands import Operand, operand
from .core.steps import Classified, Settled
from .core.system import PromotionSystem
from .core.table import Table

__all__ = [
    "AmbiguousJoinError",
    "Classified",
    "CycleError",
    "Fold",
    "FunctionRule",
    "Lattice",
    "LatticeError",
    "NoJoinError",
    "Operand",
    "PromotionSystem",
    "Settled",
    "Table",
    "criteria",
    "define",
    "operand",
]


def __dir__() -> list[str]:
    return __all__


refuse_calls(__name__, "custom.PromotionSystem.from_file('mine.toml')")
