"""Design of lattices: the best ones under a spec, proven by a constraint solver."""

from .asking import NEVER, Spec, read, spec
from .contradictions import ContradictionError
from .costs import COSTS, FRONT, costs_of
from .front import Front, Point, Standing, pareto, standing
from .insertion import NEVER as INSERTED_NEVER
from .insertion import Places, insert
from .result import Design, Found
from .searching import search

__all__ = [
    "COSTS",
    "FRONT",
    "INSERTED_NEVER",
    "NEVER",
    "ContradictionError",
    "Design",
    "Found",
    "Front",
    "Places",
    "Point",
    "Spec",
    "Standing",
    "costs_of",
    "insert",
    "pareto",
    "read",
    "search",
    "spec",
    "standing",
]
