"""The libraries that compute: each does what it does best, and never sees mixed dtypes."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Final

from ...core.errors import RulesError, did_you_mean
from .base import Backend

NAMES: Final = ("numpy", "torch", "jax", "dask", "cupy")
"""The backends that compute."""
DEFAULT: Final = NAMES[0]
"""The backend that computes unless another one is named."""

_loaded: dict[str, Backend] = {}


def of_module(module: object) -> str:
    """Return the backend that a library, as a module, is; the default for anything else.

    >>> import math
    >>> of_module(math), of_module("torch")
    ('numpy', 'numpy')
    """
    root = module.__name__.partition(".")[0] if isinstance(module, ModuleType) else ""
    return root if root in NAMES else DEFAULT


def load(name: str) -> Backend:
    """Return a backend, which imports its library.

    Raises:
        RulesError: for an unknown one.
        ImportError: if the library is not installed, with what to type.
    """
    if not isinstance(name, str):
        raise RulesError(f"`backend` must be a string such as {DEFAULT!r}, not {name!r}", name)
    if name not in NAMES:
        hint, close = did_you_mean(name, list(NAMES))
        more = hint or f"; the backends are {', '.join(NAMES)}"
        more = "; supremum.eval_dtypes follows code without data" if name == "abstract" else more
        raise RulesError(f"there is no backend {name!r}{more}", name, close)
    if name not in _loaded:
        try:
            module = import_module(f".{name}", __name__)
        except ImportError as error:
            missing = (error.name or name).partition(".")[0]
            extra = "dask" if name == "dask" else "arrays"
            also = "" if missing in ("numpy", "ml_dtypes", "array_api_compat", "dask") else missing
            what = " ".join(filter(None, (f"'supremum[{extra}]'", also)))
            msg = f"the {name} backend needs {missing}, which is not installed: pip install {what}"
            raise ImportError(msg, name=missing) from None
        _loaded[name] = module.BACKEND
    return _loaded[name]
