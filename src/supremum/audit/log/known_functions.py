"""What is known of functions and arrays as they are at hand: from the catalogue, and the rules."""

from __future__ import annotations

import sys
from typing import Any, Final

from ...core.deciding import rules_as_set
from ...core.dtypes import is_name
from ...core.functions import Function, canonical, facts_of
from ...core.libraries import Library, library_of_module, library_titled
from ...core.operands import SCALAR_LIBRARY
from ...core.system import PromotionSystem
from .tracked_types import is_ufunc

_PACKAGE = __name__.partition(".")[0]

FLOAT_CONSTRUCTORS: Final = ("Tensor", "FloatTensor", "HalfTensor", "BFloat16Tensor")
"""Constructors of PyTorch that give one dtype of floats, whatever they are given."""


def known_call(name: str, base: Any) -> Function:
    """Return the facts of a function that is called, which may be a method such as ``add.reduce``.

    Args:
        name: what it is called.
        base: its module or object, or itself.
    """
    if is_ufunc(base):
        # both give as many dtypes
        method = facts_of(f"{base.__name__}.{name.replace('reduceat', 'accumulate')}")
        return method if method.name else facts_of(name)
    return facts_of(name)


def converts(name: str) -> bool:
    """Return whether a function is called for the sake of a dtype, or makes an array."""
    # a short code is more likely what a program calls a function of its own
    return facts_of(name).converts or (len(name) > 2 and is_name(name))


def is_known(function: Any, result: Any) -> bool:
    """Return whether a function is an array library's own, and does what its name says there."""
    module = getattr(function, "__module__", None)
    if not isinstance(module, str):
        return True
    root = _root(module)
    own = module.startswith(f"{_PACKAGE}.") or root == _root_of(result)
    return own or library_of_module(root) is not None


def has_hooks(function: Any) -> bool:
    """Return whether a module of PyTorch calls the program: by hooks, or parametrizations."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(function, torch.nn.Module):
        return False
    own = [vars(part) for part in function.modules()]
    every = vars(torch.nn.modules.module)
    return any(
        bool(value) and ("_hooks" in name or (name == "_modules" and "parametrizations" in value))
        for names in (*own, every)
        for name, value in names.items()
        if isinstance(value, dict)
    )


def rules_of(array: Any) -> PromotionSystem | None:
    """Return the rules that an array's library follows, as it is set now.

    A library without rules of its own follows those of the library that its dtypes come from.
    """
    library = library_of(array) or library_of(array.dtype)
    return rules_as_set(library) if library is not None else None


def rules_titled(title: str) -> PromotionSystem:
    """Return the rules that a library of a title follows, as it is set now; or else NumPy's."""
    library = library_titled(title)
    return rules_as_set(library if library.modules else library_titled(SCALAR_LIBRARY))


def as_known(function: str, rules: PromotionSystem | None) -> str | None:
    """Return what the catalogue calls a function, or None if the rules do not have it."""
    return canonical(function) if rules is not None and rules.rule(function) is not None else None


def library_of(value: Any) -> Library | None:
    """Return the library that an object comes from, or None if it has no rules."""
    return library_of_module(_root_of(value))


def _root_of(value: Any) -> str:
    return _root(type(value).__module__)


def _root(module: str) -> str:
    return module.partition(".")[0]
