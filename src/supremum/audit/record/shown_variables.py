"""The variables of a frame as the program may see them, and those of the probes."""

from __future__ import annotations

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
    """Tell whether a name is that of a temporary variable.

    >>> is_ours("@1"), is_ours("x")
    (True, False)
    """
    return type(name) is str and name[:1] == "@" and name[1:].lstrip("c").isdecimal()


def temporaries(frame: FrameType) -> dict[str, Any]:
    """Return the temporary variables of a frame, of which a module's are not among its own."""
    import ctypes

    code = frame.f_code
    ours = [name for name in code.co_varnames + code.co_cellvars if is_ours(name)]
    read = getattr(ctypes.pythonapi, "PyFrame_GetVar", None)
    if read is None:  # it is new in Python 3.12
        names = frame.f_locals
        found = {name: names[name] for name in ours if name in names}
        if names is frame.f_globals:
            for name in found:
                del names[name]
        return found
    read.argtypes, read.restype = [ctypes.py_object, ctypes.py_object], ctypes.py_object
    values = {}
    for name in ours:
        with suppress(NameError):  # it is not bound
            values[name] = read(frame, name)
    return values
