"""Functions that JAX compiles again for an argument of another dtype."""

from __future__ import annotations

from .kind import Kind, Wanted, first_remark

KIND = Kind(
    name="retracing",
    order=100,
    severity="warning",
    meaning="a function is compiled again for an argument of another dtype",
    remedy="give the argument of the first call the dtype that it has later",
    headline=first_remark,
    wants=Wanted.RESULT,
    is_of_library=True,
    names_introduction=False,
)
