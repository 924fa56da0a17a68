"""How far live libraries agree with the rules that describe them."""

from .measure import Difference, Measured, conform
from .module import conform_module
from .questions import conformable
from .write import write

__all__ = ["Difference", "Measured", "conform", "conform_module", "conformable", "write"]
