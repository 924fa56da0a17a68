"""Arrays whose results follow the rules you choose, whatever library computes them."""

from supremum.arrays.array import Array
from supremum.arrays.context import rules
from supremum.arrays.data_type import DataType
from supremum.arrays.space import Namespace, namespace

__all__ = ["Array", "DataType", "Namespace", "namespace", "rules"]
