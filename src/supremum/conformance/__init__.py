"""How far live libraries agree with the rules that describe them."""

from ..core.errors import refuse_calls
from .library import conformable
from .measure import conform
from .measured import Difference, Group, Measured, write
from .module import conform_module

__all__ = [
    "Difference",
    "Group",
    "Measured",
    "conform",
    "conform_module",
    "conformable",
    "write",
]


def __dir__() -> list[str]:
    return __all__


refuse_calls(__name__, "conformance.conform('numpy')")
