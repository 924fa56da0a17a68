"""Functions and modules of array libraries that make of finite numbers what is not finite.

Whatever they compute, they are called again on copies of a wider dtype: if that gives numbers, few
bits are why.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from inspect import getattr_static
from types import ModuleType
from typing import Any, Final

from ....core.dtypes import DType, dtype
from ....core.functions import facts_of
from ....core.libraries import library_of_module
from ...model.interruptions import is_interruption
from ...model.locations import Location
from ...model.silence import silence
from ..calls import elements, function_of, is_data, is_dtype_object
from ..known_functions import has_hooks
from ..tracked_types import is_array
from . import again, questions
from .at_hand import as_numpy, in_dtype, is_small
from .recompute import Change, count_of, first

_RANDOM: Final = ("dropout", "rrelu", "gumbel", "multinomial")
"""Parts of the names of what draws random numbers, which the catalogue does not know."""


def look(place: Location, result: Any, operands: Sequence[Any], _times: int = 0) -> Change | None:
    """Look at what a function of a library gave; see `Examine`.

    It is called again as it was, too: what draws random numbers may give others. A module of
    PyTorch is copied; what it is given cannot have another dtype than its parameters.
    """
    numpy, found = sys.modules["numpy"], as_numpy(result)
    if found is None or not is_small(found) or numpy.isfinite(found).all():
        return None
    base, *arguments = operands
    called = _called(place, base, arguments)
    given = [*([base] if is_array(base) else []), *arguments]
    arrays = [*filter(is_array, elements(given))]  # what is made of none may be any bits
    if called is None or not arrays or not all(map(_is_finite, arrays)):
        return None
    own = dtype(result.dtype)
    if any(type(x) in (int, float) and abs(x) > own.max for x in arguments):
        return None  # that the number has no place is another finding
    d = questions.wider(own, 0.0)
    with silence(), _nothing_drawn():
        once = _computed(called, place, arguments, base, None)
        other = _computed(called, place, arguments, base, d)
    if once is None or other is None or not once.shape == other.shape == found.shape:
        return None
    lost = ~numpy.isfinite(found) & ~numpy.isfinite(once) & numpy.isfinite(other)
    if not lost.any():
        return None
    at = first(lost)
    gives = f"gives {found[at]} in {own}, {other[at]:.7g} in {d}"
    some = count_of(int(lost.sum()), lost.size)
    enough = None if isinstance(called, _Module) else d
    return Change("float-overflow", f"{place.name} {gives}{some}", enough)


class _Module:
    """A module of PyTorch's own, which is copied to be called."""

    def __init__(self, module: Any) -> None:
        self.module = module

    def in_dtype(self, d: DType | None) -> Callable[..., Any]:
        """Return a copy whose parameters have another dtype, if one is named."""
        own = copy.deepcopy(self.module)
        return own if d is None else own.to(getattr(sys.modules["torch"], d.name))  # type: ignore[no-any-return]  # it is called


def _called(place: Location, base: Any, arguments: Sequence[Any]) -> Any:
    """Return what a place calls if it only computes, and is a library's own; else None."""
    name = place.name
    is_plain = {"*", "**", "out"}.isdisjoint(place.keywords) and not name.endswith("_")
    draws = facts_of(name).draws or any(part in name for part in _RANDOM)
    if not is_plain or draws or not all(map(_is_plain, arguments)):
        return None
    module = _module_of(base, name)
    if module is not None:
        return _Module(module)
    function = function_of(base, name)
    owner = base.__name__ if isinstance(base, ModuleType) else type(base).__module__
    root = (getattr(function, "__module__", None) or owner).partition(".")[0]
    is_known = library_of_module(root) is not None or again.may_be(function)
    return function if callable(function) and is_known else None


def _is_plain(value: Any) -> bool:
    """Return whether an argument is data, or a dtype."""
    return is_data(value) or is_dtype_object(value)


def _module_of(base: Any, name: str) -> Any:
    """Return the module of PyTorch that a call is of, if all of it is PyTorch's own; else None."""
    torch = sys.modules.get("torch")
    nn = getattr(torch, "nn", None)
    if nn is None or isinstance(base, ModuleType):
        return None
    parts = getattr_static(base, "_modules", None)
    found = parts.get(name) if type(parts) is dict else None
    found = found if found is not None else getattr_static(base, name, base)
    if not isinstance(found, nn.Module):
        return None
    of_torch = all(type(part).__module__.startswith("torch.nn.") for part in found.modules())
    draws = any(
        word in type(part).__name__.lower() and part.training
        for part in found.modules() for word in _RANDOM
    )  # fmt: skip
    tensors = [*found.parameters(), *found.buffers()]
    is_plain = of_torch and not has_hooks(found) and not draws and all(map(_is_finite, tensors))
    return found if is_plain else None


def _is_finite(value: Any) -> bool:
    """Return whether all numbers of an array are at hand, and finite."""
    x = as_numpy(value)
    if x is None or not is_small(x):
        return False
    return x.dtype.kind not in "fc" or bool(sys.modules["numpy"].isfinite(x).all())


def _computed(
    called: Any, place: Location, arguments: Sequence[Any], base: Any, d: DType | None
) -> Any:
    """Return what a call gives, of arrays of a wider dtype if one is named; else None."""
    try:
        function = called.in_dtype(d) if isinstance(called, _Module) else called
        given = [_in(value, d) for value in arguments]
        pairs = [*zip(given, place.keywords, strict=True)]
        own = [_in(base, d)] if is_array(base) else []
        found = function(
            *own, *(x for x, word in pairs if not word), **{word: x for x, word in pairs if word}
        )
    except Exception as error:
        if is_interruption(error):
            raise
        return None
    return as_numpy(found)


def _in(value: Any, d: DType | None) -> Any:
    """Return a value whose floats have a wider dtype, if one is named; a dtype, too."""
    if type(value) in (list, tuple):
        return type(value)(_in(part, d) for part in value)
    if not is_array(value):
        return value
    own = dtype(value.dtype)
    is_narrow = d is not None and own.kind == "float" and (own.bits or 0) < (d.bits or 0)
    return in_dtype(value, d if is_narrow and d is not None else own)


@contextmanager
def _nothing_drawn() -> Iterator[None]:
    """Let PyTorch follow no gradient, and draw the random numbers that it would have drawn."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    with torch.no_grad(), torch.random.fork_rng(devices=()):
        yield
