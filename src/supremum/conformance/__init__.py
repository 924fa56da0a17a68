"""How far live libraries agree with the rules that describe them."""

from .coverage import Coverage, coverable, coverage
from .measure import conform
from .measured import Difference, Group, Measured
from .module import conform_module
from .questions import conformable
from .write import write

__all__ = [
    "Coverage",
    "Difference",
    "Group",
    "Measured",
    "conform",
    "conform_module",
    "conformable",
    "coverable",
    "coverage",
    "write",
]
