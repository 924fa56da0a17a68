"""Four libraries with the exported module in place of their own lattice or table.

Each function is what the library would have instead: `LATTICE` is the module that
``supremum export`` writes, as a vendored file. `adopt` puts it there; nothing else changes.
"""

from __future__ import annotations

import sys
from functools import cache
from types import ModuleType
from typing import Any

import pytest  # noqa: TC002  # a test helper

from supremum import export


def module(name: str, modes: tuple[str, ...] = ()) -> Any:
    """Return the exported module of a system."""
    made = ModuleType(f"promotion_of_{name.partition(':')[0].replace('-', '_')}")
    exec(compile(export.render(name, modes=modes), made.__name__, "exec"), made.__dict__)
    return made


def keras(patch: pytest.MonkeyPatch) -> None:
    """Replace the lattice of Keras: its arrows, their closure and the bound itself."""
    from keras.src.backend.common import dtypes

    promotion = module("keras")
    ours = {"int": "int*", "float": "float*"}
    # Keras tells weak dtypes by identity, so these are its own strings
    theirs = {ours[weak]: weak for weak in dtypes.WEAK_TYPES}

    # what Keras would have instead
    @cache
    def _least_upper_bound(*nodes: str) -> str:
        for dtype in nodes:
            if ours.get(dtype, dtype) not in promotion.DTYPES:
                raise ValueError(f"{dtype=} is not a valid dtype for Keras type promotion.")
        found = promotion.promote_types(*[ours.get(n, n) for n in nodes])
        return theirs.get(found, found)

    patch.setattr(dtypes, "_least_upper_bound", _least_upper_bound)


def tinygrad(patch: pytest.MonkeyPatch) -> None:
    """Replace the lattice of tinygrad and its upper bounds."""
    from tinygrad import dtype

    promotion = module("tinygrad")
    names = {
        "int*": "weakint", "float*": "weakfloat", "float8_e4m3fn": "fp8e4m3",
        "float8_e5m2": "fp8e5m2", "float8_e4m3fnuz": "fp8e4m3fnuz",
        "float8_e5m2fnuz": "fp8e5m2fnuz",
    }  # fmt: skip
    ours = {}
    for name in promotion.DTYPES:
        ours[getattr(dtype.dtypes, names.get(name, name))] = name
    theirs = {name: d for d, name in ours.items()}

    # what tinygrad would have instead
    @cache
    def least_upper_dtype(*ds: Any) -> Any:
        return theirs[promotion.promote_types(*[ours[d] for d in ds])]

    own = dtype.least_upper_dtype
    for loaded in list(sys.modules.values()):
        if getattr(loaded, "__dict__", {}).get("least_upper_dtype") is own:
            patch.setattr(loaded, "least_upper_dtype", least_upper_dtype)


def array_api_strict(patch: pytest.MonkeyPatch) -> None:
    """Replace the table of array-api-strict."""
    from array_api_strict import _dtypes

    promotion = module("array-api")
    theirs = {str(d).rpartition(".")[2]: d for d in _dtypes._all_dtypes}
    ours = {d: name for name, d in theirs.items()}

    # what array-api-strict would have instead
    def _result_type(type1: Any, type2: Any) -> Any:
        try:
            return theirs[promotion.promote_types(ours[type1], ours[type2])]
        except (KeyError, promotion.PromotionError):
            msg = f"{type1} and {type2} cannot be type promoted together"
            raise TypeError(msg) from None

    own = _dtypes._result_type
    for loaded in list(sys.modules.values()):
        if getattr(loaded, "__dict__", {}).get("_result_type") is own:
            patch.setattr(loaded, "_result_type", _result_type)


def jax(patch: pytest.MonkeyPatch) -> None:
    """Replace the lattices of JAX, and the bound itself."""
    import numpy as np
    from jax._src import dtypes

    promotion = module("jax", MODES)
    weak = {type_: f"{type_.__name__}*" for type_ in dtypes._weak_types}
    ours = {**{d: np.dtype(d).name for d in dtypes._jax_types}, **weak}
    theirs = {name: d for d, name in ours.items()}

    # what JAX would have instead
    @cache
    def _least_upper_bound(mode: Any, x64: bool, *nodes: Any) -> Any:
        names = [ours[n] for n in nodes]
        try:
            return theirs[promotion.promote_types(*names, x64=x64, mode=mode.value)]
        except promotion.PromotionError as error:
            raise dtypes.TypePromotionError(str(error)) from None

    patch.setattr(dtypes, "_least_upper_bound", _least_upper_bound)


MODES = ("x64", "mode")
ADOPTIONS = {
    "keras": keras,
    "tinygrad": tinygrad,
    "array_api_strict": array_api_strict,
    "jax": jax,
}
