"""Design of lattices: the best ones under a spec, proven by a constraint solver."""

from ..core.errors import refuse_calls
from .asking import NEVER, Spec, read, spec
from .base import lattice_of
from .contradictions import ContradictionError
from .costs import COSTS, USUAL, costs_of
from .insertion import NEVER as INSERTED_NEVER
from .insertion import ORDER as INSERTED_ORDER
from .insertion import Places, insert
from .result import Design, Found
from .searching import search

__all__ = [
    "COSTS",
    "INSERTED_NEVER",
    "INSERTED_ORDER",
    "NEVER",
    "USUAL",
    "ContradictionError",
    "Design",
    "Found",
    "Places",
    "Spec",
    "costs_of",
    "insert",
    "lattice_of",
    "read",
    "search",
    "spec",
]


def __dir__() -> list[str]:
    return __all__


refuse_calls(__name__, "design.search(supremum.design.read('mine.toml'))")
