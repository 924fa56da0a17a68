"""The modules that read bytecode: each is given the plain code of what has probes."""

from __future__ import annotations

import marshal
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any, Final
from weakref import WeakSet

from . import dynamo
from .plain_code import plain


def _numba(module: ModuleType) -> None:
    """Let Numba read plain code, however it was handed a function."""
    code_of: Callable[[Any], Any] = module.get_code_object

    @wraps(code_of)
    def get_code_object(function: Any) -> Any:
        code = code_of(function)
        if not isinstance(code, CodeType):
            return code
        read = plain(code)
        # Numba asks the function itself for the names of a closure's variables
        if read is not code and read.co_cellvars + read.co_freevars:
            function.__code__ = read
        return read

    vars(module)["get_code_object"] = get_code_object


def _marshal(module: ModuleType) -> None:
    """Let code be written as bytes, as Keras writes a function."""

    def taught(write: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(write)
        def write_plain(value: Any, *given: Any, **named: Any) -> Any:
            return write(plain(value) if isinstance(value, CodeType) else value, *given, **named)

        return write_plain

    vars(module).update(dumps=taught(marshal.dumps), dump=taught(marshal.dump))


_READERS: Final[Mapping[str, Callable[[ModuleType], None]]] = {
    "marshal": _marshal,
    "numba.core.bytecode": _numba,
    "torch._dynamo.symbolic_convert": dynamo.teach,
}

_taught: WeakSet[ModuleType] = WeakSet()


def _teach(module: ModuleType) -> None:
    if module not in _taught:
        _taught.add(module)
        _READERS[module.__name__](module)


def teach_loaded() -> None:
    """Let the modules that are there already read plain code."""
    for name in _READERS:
        module = sys.modules.get(name)
        if module is not None:
            _teach(module)


class _Loader(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        _teach(module)


def find_spec(
    fullname: str, path: Sequence[str] | None, target: ModuleType | None
) -> ModuleSpec | None:
    """Return the specification of a module that reads bytecode, or None for any other module."""
    if fullname not in _READERS:
        return None
    spec = PathFinder.find_spec(fullname, path, target)
    if spec is not None and spec.origin and type(spec.loader) is SourceFileLoader:
        spec.loader = _Loader(fullname, spec.origin)
    return spec
