"""Arrays whose results follow the rules you choose, whatever library computes them."""

from ..core.errors import refuse_calls
from .array import Array, DataType
from .decide import rules
from .space import Namespace, namespace

__all__ = ["Array", "DataType", "Namespace", "namespace", "rules"]


def __dir__() -> list[str]:
    return __all__


refuse_calls(__name__, "namespace('numpy').asarray([1, 2])")
