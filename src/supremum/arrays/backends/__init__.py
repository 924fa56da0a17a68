"""The libraries that compute: each is asked for what it does best, and hears of no mixed dtypes."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from supremum.arrays.backends.base import Backend
from supremum.errors import RulesError, did_you_mean

NAMES: Final = ("numpy", "torch", "jax", "dask", "cupy")
_loaded: dict[str, Backend] = {}


def load(name: str) -> Backend:
    """Return a backend, which imports its library.

    Raises:
        RulesError: for an unknown one.
        ImportError: where the library is not installed, with what to type.
    """
    if name not in NAMES:
        hint, close = did_you_mean(name, list(NAMES))
        known = hint or f"; there are {', '.join(NAMES)}"
        raise RulesError(f"there is no backend {name!r}{known}", name, close)
    if name not in _loaded:
        try:
            module = import_module(f"supremum.arrays.backends.{name}")
        except ImportError as error:
            missing = (error.name or name).partition(".")[0]
            extra = "dask" if name == "dask" else "arrays"
            also = "" if missing in ("numpy", "ml_dtypes", "array_api_compat", "dask") else missing
            what = " ".join(filter(None, (f"'supremum[{extra}]'", also)))
            msg = f"the {name} backend needs {missing}, which is not installed: pip install {what}"
            raise ImportError(msg, name=missing) from None
        _loaded[name] = module.BACKEND
    return _loaded[name]
