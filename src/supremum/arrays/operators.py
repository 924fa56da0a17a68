"""The operators of arrays, and their parts: methods that compute, so the engine is below them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final

from ..core.evaluation.calls import is_squared
from ..core.operands import operand
from .array import Array, NoMethod
from .decide import IN_FORCE
from .functions import COMPARISONS, METHODS
from .indexing import part, store
from .operand import OPERANDS, is_array
from .operations import function_of_one, function_of_two, operate, operate_in_place
from .views import viewed


def _refused(name: str, other: Any) -> Any:
    """Leave an operator to the other operand's class, except for lists, which would concatenate."""
    if isinstance(other, (list, tuple)):
        kind = type(other).__name__
        raise TypeError(f"{name} does not take a {kind}; convert it first, with xp.asarray(y)")
    return NotImplemented


def _operator(name: str) -> Callable[[Array, Any], Any]:
    function = function_of_two(name)

    def method(self: Array, other: Any, /) -> Any:
        if isinstance(other, OPERANDS) or is_array(other):
            return function(self.engine, self, other)
        return _refused(name, other)

    return method


def _reflected(name: str) -> Callable[[Array, Any], Any]:
    def method(self: Array, other: Any, /) -> Any:
        if isinstance(other, OPERANDS) or is_array(other):
            return operate(self.engine, name, (other, self))
        return _refused(name, other)

    return method


def _in_place(name: str) -> Callable[[Array, Any], Any]:
    def method(self: Array, other: Any, /) -> Any:
        engine, native = self.engine, self.native
        is_own = type(other) is type(self) and other.engine is engine
        is_alone = self.sharing is None or not self.sharing.copies
        if is_own and is_alone and engine.within and IN_FORCE.get() is None:
            try:
                run = engine.within[name][self.key][other.key]
                if run(native, other.native) is native:
                    return self
            except FloatingPointError:  # of what is written already
                raise
            except Exception:  # noqa: BLE001, S110  # it is new, or refused, which is said there
                pass
        if isinstance(other, OPERANDS) or is_array(other):
            return operate_in_place(self.engine, name, self, other)
        return _refused(name, other)

    return method


def _unary(name: str) -> Callable[[Array], Array]:
    function = function_of_one(name)

    def method(self: Array, /) -> Array:
        return function(self.engine, self)

    return method


def _power() -> Callable[[Array, Any], Any]:
    plain, square = _operator("pow"), function_of_one("square")

    def method(self: Array, other: Any, /) -> Any:
        if type(other) is not int:
            return plain(self, other)
        if other == 2 and self.key.dtype.kind == "bool" and _squares(self):
            return square(self.engine, self)
        return operate(self.engine, "pow", (self, other))

    return method


def _squares(x: Array) -> bool:
    """Return whether the square of an array is that of the function, by the rules."""
    return is_squared([operand(x), operand(2)], x.engine.decider.given)


def _stack_transposed(self: Array) -> Array:
    """The transpose of a matrix, or of each matrix of a stack."""
    native = self.native
    if type(native) is self.engine.native_type and native.ndim > 1:
        return viewed(self, native.mT)
    return self.engine.namespace.matrix_transpose(self)  # type: ignore[no-any-return]  # it is an array


def _transposed(self: Array) -> Array:
    """The transpose of a matrix."""
    native = self.native
    if native.ndim != 2:
        raise ValueError(f"T requires 2 dimensions, got {native.ndim}; use mT or permute_dims")
    if type(native) is self.engine.native_type:
        return viewed(self, native.T)
    return _stack_transposed(self)


def _contains(self: Array, value: Any) -> bool:
    found = operate(self.engine, "equal", (self, value))
    return bool(self.engine.call("any", found.key.dtype, found.native))


def add_operators() -> None:
    """Give arrays their operators."""
    made: dict[str, Callable[..., Any]] = {
        "__getitem__": part,
        "__setitem__": store,
        "__contains__": _contains,
        "__neg__": _unary("negative"),
        "__pos__": _unary("positive"),
        "__abs__": _unary("abs"),
        "__invert__": _unary("bitwise_invert"),
    }
    for name, function in METHODS.items():
        made[f"__{name}__"] = _operator(function)
        made[f"__r{name}__"] = _reflected(function)
        made[f"__i{name}__"] = _in_place(function)
    for name, function in COMPARISONS.items():
        made[f"__{name}__"] = _operator(function)
    made["__pow__"] = _power()
    setattr(Array, "T", property(_transposed))  # noqa: B010  # to mypy it is there
    setattr(Array, "mT", property(_stack_transposed))  # noqa: B010  # the same
    for name, method in made.items():
        if method not in (part, store):
            method.__name__, method.__qualname__ = name, f"Array.{name}"
        setattr(Array, name, method)


_OF_OTHERS: Final[Mapping[str, str]] = {
    "numpy": "np.asarray(x)",
    "unwrap": "np.asarray(x), torch.as_tensor(x) or another library's own",
}
"""Methods of other libraries' arrays, with what to type."""


def add_hints(names: AbstractSet[str]) -> None:
    """Let arrays say what to type for the namespace's functions, which are no methods of theirs."""
    for name in names - vars(Array).keys():
        setattr(Array, name, NoMethod(name))
    for name, instead in _OF_OTHERS.items():
        setattr(Array, name, NoMethod(name, instead))
