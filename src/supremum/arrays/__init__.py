"""Arrays whose results follow the rules you choose, whatever library computes them."""

from .array import Array
from .context import rules
from .data_type import DataType
from .random_numbers import Random, random
from .space import Namespace, namespace

__all__ = ["Array", "DataType", "Namespace", "Random", "namespace", "random", "rules"]
