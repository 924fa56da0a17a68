"""How far live libraries agree with the rules that describe them."""

from .coverage import Coverage, coverable, coverage
from .library import conformable
from .measure import conform
from .measured import Difference, Group, Measured, write
from .module import conform_module

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


def __dir__() -> list[str]:
    return __all__
