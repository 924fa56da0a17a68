"""What a namespace lacks: NumPy computes the values, and our rules give the dtypes.

NumPy gets arrays of its own. A result with the dtype that NumPy's rules give to the function and
its operands is cast to the one that our rules give to them. If it has another one, an option had a
part in it that no rule describes, and the call is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from ..core.dtypes import DType
from ..core.errors import SupremumError
from ..core.functions import FUNCTIONS, canonical
from ..core.systems import system
from .array import Array, as_dtype
from .decide import Decision
from .operand import as_operand

_RULES: Final = system("numpy")

_LISTED_AS: Final[Mapping[str, str]] = {"sliding_window_view": "same", "unique": "unique_all"}
"""Functions whose results are those of another one in the catalogue."""

_STORING: Final = frozenset(
    {"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"}
)
"""Functions that change their first argument, and return nothing."""

_LEAST: Final[Mapping[str, str]] = {
    "signed": "int8", "unsigned": "uint8", "float": "float32", "complex": "complex64",
}  # fmt: skip
"""The dtypes of NumPy that hold those of ml_dtypes."""

_KINDS: Final = "biufc"


class Call(NamedTuple):
    """A call of a function of NumPy.

    Attributes:
        title: how messages name it, such as ``np.median``.
        name: its name, which the catalogue may have.
        run: the function.
        args: what it is given by position.
        given: what it is given by name.
        arguments: the arguments of its parameters, in their order.
    """

    title: str
    name: str
    run: Callable[..., Any]
    args: Sequence[Any]
    given: Mapping[str, Any]
    arguments: Sequence[Any]


def by_values(xp: Any, call: Call) -> Any:
    """Return what NumPy gives for a call, in the dtypes that the rules of a namespace give.

    Raises:
        PromotionError: if the rules refuse the operands.
        TypeError: if no rule says what the call gives, or the values of an array are not known.
    """
    if call.name in _STORING:
        return store(xp, call)
    if not has_rule(xp, call.name):
        raise not_supported(xp, call.title)
    typing = _Typing(xp, call)
    given = dict(call.given)
    if typing.asked is not None:
        given["dtype"] = typing.asked.to("numpy")
    return typing.result(call.run(*typing.values(call.args), **typing.values(given)))


def values_of(xp: Any, title: str, x: Array) -> Any:
    """Return an array of NumPy with the values of an array of a namespace.

    Raises:
        PromotionError: if it is of another namespace.
        TypeError: if its values are not known, or would lose a gradient.
    """
    try:
        return xp.engine.backend.values(as_operand(xp.engine, x).native)
    except TypeError as error:
        raise TypeError(f"{title} of {xp} needs the values of its arrays: {error}") from error


def plain(x: Any) -> Any:
    """Return arrays of ours, which may be in lists, as those of NumPy."""
    if isinstance(x, (list, tuple)):
        return type(x)(map(plain, x))
    return np.asarray(x) if hasattr(x, "__array_namespace__") else x


def stored(found: Any, out: Any, *, is_spread: bool = False) -> Any:
    """Return an array after a result was put into it, which may not change its kind.

    Args:
        found: the result.
        out: an array of the namespace or of NumPy.
        is_spread: whether the result may be broadcast.

    Raises:
        PromotionError: if that would change the kind of an array of the namespace.
        TypeError: the same, of NumPy.
        ValueError: if the shapes differ.
    """
    if not is_spread and np.shape(found) != np.shape(out):
        raise ValueError(f"a result of shape {np.shape(found)} is not put into {np.shape(out)}")
    if isinstance(out, Array):
        out[...] = found
    else:
        np.copyto(out, plain(found), casting="same_kind")
    return out


def has_rule(xp: Any, name: str) -> bool:
    """Tell whether the rules of a namespace say what a function of NumPy gives, and NumPy's do."""
    listed = _listed(name, 0) or ""
    return all(rules.rule(listed) is not None for rules in (_RULES, xp.engine.decider.rules))


def not_supported(xp: Any, what: str, why: str = "") -> TypeError:
    """Return the error for a call that there is no rule for."""
    msg = f"{what} is not supported for arrays of {xp}{why and ', '}{why}"
    return TypeError(f"{msg}; use a function of the namespace, or np.asarray(x) for NumPy's rules")


def rule_name(function: str, method: str) -> str:
    """Return the name that the catalogue has for a ufunc, or for one of its methods."""
    base = "reduce" if method == "reduceat" else method
    name = function if method in ("__call__", "outer") else f"{function}.{base}"
    return canonical(name) or name


@cache
def _listed(name: str, index: int) -> str | None:
    """Return the name that the catalogue has for one of the results of a function."""
    known = canonical(name) or name
    known = _LISTED_AS.get(known, known)
    return next((x for x in (f"{known}[{index}]", known, f"{known}[0]") if x in FUNCTIONS), None)


def store(xp: Any, call: Call) -> None:
    """Change the first argument of a call as NumPy does."""
    array, *others = call.args
    is_ours = isinstance(array, Array)
    target = values_of(xp, call.title, array).copy() if is_ours else array
    call.run(target, *map(plain, others), **{key: plain(x) for key, x in call.given.items()})
    if is_ours:
        array[...] = target


class _Typing:
    """The dtypes of the results of one call.

    Attributes:
        asked: the dtype that the call asks for; None if the rules decide.
    """

    def __init__(self, xp: Any, call: Call) -> None:
        self.xp, self.call = xp, call
        asked = call.given.get("dtype")
        self.asked = None if asked is None else xp.engine.decider.own(as_dtype(asked))
        operands = [*_operands(call)]
        self.operands = [as_operand(xp.engine, as_numpy_does(xp, x)) for x in operands]
        self.natives = [_native(x) for x in operands]
        self.arrays = [x for x in _arrays((call.args, call.given)) if isinstance(x, Array)]
        self.is_others = bool(self.arrays) and not any(isinstance(x, Array) for x in operands)
        self.converted: list[Any] = []
        first = _listed(call.name, 0) or ""
        wanted = self.asked or xp.engine.decide(first, *self.operands).dtype
        if _numpy_gives(first, *self.natives) != (native := _least(wanted)):
            self.natives = [_widened(x, native) for x in self.natives]

    def values(self, x: Any) -> Any:
        """Return arguments with arrays of NumPy in the place of ours."""
        if isinstance(x, (list, tuple)):
            return type(x)(map(self.values, x))
        if isinstance(x, dict):
            return {key: self.values(y) for key, y in x.items()}
        if not isinstance(x, Array):
            return x
        found = values_of(self.xp, self.call.title, x)
        natives = (n for o, n in zip(self.operands, self.natives, strict=True) if o is x)
        found = found.astype(next(natives, _native(x)), copy=False)
        self.converted.append(found)
        return found

    def result(self, found: Any, index: int = 0, *, is_part: bool = False) -> Any:
        """Return results of NumPy as those of the namespace."""
        if isinstance(found, (list, tuple)):
            parts = [
                self.result(part, index if is_part else i, is_part=True)
                for i, part in enumerate(found)
            ]
            return type(found)(*parts) if hasattr(found, "_fields") else type(found)(parts)
        if not isinstance(found, (np.ndarray, np.generic)):
            return found
        name = _listed(self.call.name, index) or ""
        is_known = _numpy_gives(name, *self.natives) == found.dtype
        if self.is_others and FUNCTIONS[name].operands != 1 and is_known:
            return found  # of arrays of NumPy: a parameter that is ours has no part in it
        decided = self._decided(found.dtype, index)
        own = np.asarray(found)
        if any(np.may_share_memory(own, x) for x in self.converted):
            own = own.copy()  # on other backends it is one, too
        backend = self.xp.engine.backend
        device = backend.device(self.arrays[0].native) if self.arrays else None
        native = backend.make(own, decided.dtype, device)
        return self.xp.engine.wrap(native, decided.dtype, decided.weak)

    def _decided(self, found: Any, index: int) -> Decision:
        """Return the decision for a result of NumPy of some dtype."""
        decision = self._asked(found) if self.asked else self._by_rule(found, index)
        if decision is None:
            why = f"as no rule says that it gives {found}, which NumPy makes of these arguments"
            raise not_supported(self.xp, self.call.title, why)
        if _KINDS.index(found.kind) > _KINDS.index(_least(decision.dtype).kind):
            rules = self.xp.engine.rules.title
            why = f"as it gives {decision.dtype} under {rules} rules, and NumPy computes {found}"
            raise not_supported(self.xp, self.call.title, why)
        return decision

    def _asked(self, found: Any) -> Decision | None:
        d = self.asked
        return Decision(d, False, d) if d is not None and found == d.to("numpy") else None

    def _by_rule(self, found: Any, index: int) -> Decision | None:
        name = _listed(self.call.name, index) or ""
        if _numpy_gives(name, *self.natives) == found:
            return self.xp.engine.decide(name, *self.operands)  # type: ignore[no-any-return]  # a decision
        # an argument that is not an operand elsewhere, such as weights, may count as one
        arrays = self._counted()
        if FUNCTIONS[name].operands != 1 or len(arrays) < 2:
            return None
        joined = _numpy_gives("", *map(_native, arrays))
        if joined is None or _numpy_gives(name, joined) != found:
            return None
        shared = self.xp.engine.decider.rules.result_type(*arrays)
        return self.xp.engine.decide(name, shared)  # type: ignore[no-any-return]  # the same

    def _counted(self) -> list[Any]:
        """Return all arrays among the arguments, and lists of numbers as arrays."""
        found: list[Any] = []
        for x in (*self.call.args, *self.call.given.values()):
            is_list = isinstance(x, (list, tuple)) and not _arrays(x)
            found += [np.asarray(x)] if is_list else _arrays(x)
        return found


def _operands(call: Call) -> Iterator[Any]:
    """Yield the operands of a call, by what the catalogue says of the function's arguments."""
    function = FUNCTIONS[_listed(call.name, 0) or ""]
    places, several = function.places, function.call.endswith("...)")
    for index, x in enumerate(call.arguments):
        place = places[index] if index < len(places) else "x" if several else None
        if place is None or x is None:
            continue
        is_list = index < len(places) and function.arguments[index].startswith("[")
        yield from _spread(x) if is_list else [x]


def _spread(x: Any) -> Iterator[Any]:
    """Yield the arrays of nested lists."""
    for y in x if isinstance(x, (list, tuple)) else (x,):
        is_nested = isinstance(y, (list, tuple)) and _arrays(y)
        yield from _spread(y) if is_nested else [y]


def as_numpy_does(xp: Any, x: Any) -> Any:
    """Return a list of numbers as an array, as NumPy does."""
    return xp.asarray(x) if isinstance(x, (list, tuple)) else x


def _arrays(x: Any) -> list[Any]:
    """Return the arrays among arguments, which may be in lists."""
    if isinstance(x, (list, tuple)):
        return [y for part in x for y in _arrays(part)]
    if isinstance(x, Mapping):
        return _arrays(list(x.values()))
    return [x] if isinstance(x, (Array, np.ndarray)) else []


def _native(x: Any) -> Any:
    """Return the dtype in which NumPy gets an operand; a Python number as it is."""
    if isinstance(x, Array):
        return _least(x.key.dtype)
    return np.asarray(x).dtype if isinstance(x, (list, tuple, np.ndarray)) else x


@cache
def _least(d: DType) -> Any:
    """Return the dtype of NumPy itself that holds one of ours."""
    native = d.to("numpy")
    return native if native.isbuiltin == 1 else np.dtype(_LEAST[d.kind])


def _widened(native: Any, wanted: Any) -> Any:
    """Return a dtype, or a wider one if it holds the values."""
    is_dtype = isinstance(native, np.dtype)
    return wanted if is_dtype and np.can_cast(native, wanted) else native


@lru_cache(maxsize=4096, typed=True)  # 1 and True are not alike
def _numpy_gives(name: str, *natives: Any) -> Any:
    """Return the dtype that NumPy's rules give, or None if they have no answer."""
    try:
        return _RULES.result_type(*natives, op=name or None).to("numpy")
    except SupremumError:
        return None
