"""The variables of a frame as the program may see them, and those of the probes."""

from __future__ import annotations

import gc
from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from types import FrameType
from typing import Any


class Shown(MutableMapping[str, Any]):
    """The variables of a frame from Python 3.13 on, as its own view of them, but for ours."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def __getitem__(self, name: str) -> Any:
        return self._frame[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._frame[name] = value

    def __delitem__(self, name: str) -> None:
        del self._frame[name]

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._frame if not is_ours(name))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __or__(self, other: Any) -> Any:
        return dict(self) | other

    def __ror__(self, other: Any) -> Any:
        return other | dict(self)

    def __repr__(self) -> str:
        return repr(dict(self))

    def copy(self) -> dict[str, Any]:
        """Return them as a dictionary."""
        return dict(self)


def is_ours(name: Any) -> bool:
    """Return whether a name is that of a temporary variable.

    >>> is_ours("@1"), is_ours("x")
    (True, False)
    """
    return type(name) is str and name[:1] == "@" and name[1:].lstrip("c").isdecimal()


def temporaries(frame: FrameType) -> dict[str, Any]:
    """Return the temporary variables of a frame that an exception left behind."""
    of_module = frame.f_locals is frame.f_globals
    names = _of_module(frame) if of_module else frame.f_locals
    return {name: value for name, value in names.items() if is_ours(name)}


def _of_module(frame: FrameType) -> dict[str, Any]:
    """Return the variables of a module's frame that are not its names."""
    code, names = frame.f_code, frame.f_locals
    own = code.co_varnames + code.co_cellvars
    bound = {name: value for name in own for value in _read(frame, name)}
    for name in [name for name in names if is_ours(name)]:
        del names[name]  # they are copied there as they are read
    free = [name for name in code.co_freevars if is_ours(name)]
    if free:  # nobody else reads them; those with low numbers are bound first
        kept = gc.get_referents(frame)
        first = next((n for n, value in enumerate(kept, 1) if value is code), len(kept))
        bound |= zip(free, kept[first + len(bound) :], strict=False)
    return bound


def _read(frame: FrameType, name: str) -> Iterator[Any]:
    """Yield a variable of a module's frame, if it is bound."""
    import ctypes

    read = getattr(ctypes.pythonapi, "PyFrame_GetVar", None)
    if read is None:  # it is new in Python 3.12
        yield from (value for key, value in frame.f_locals.items() if key == name)
        return
    read.argtypes, read.restype = [ctypes.py_object, ctypes.py_object], ctypes.py_object
    with suppress(NameError):
        yield read(frame, name)
