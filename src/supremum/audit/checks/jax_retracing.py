"""Functions that JAX compiles: when one is traced again since an argument's dtype differs.

`jax.jit` traces a function once for each signature: the structure of its arguments, and the shape,
dtype and weak type of each array in them. What each call is given is kept here, so no private part
of JAX is asked. Another shape is meant; another dtype or weak type is often an accident of the
initial value.
"""

from __future__ import annotations

import inspect
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any, Final, NamedTuple

from ...core.dtypes import DType
from ...core.errors import SupremumError
from ...core.operands import Operand, operand
from ...core.systems import system
from ..model.interruptions import is_interruption
from ..model.locations import Location
from ..model.provenance import Origin
from .calls import function_of
from .checks import family
from .jax_tracers import is_traced
from .tracked_types import is_array

MOST_LOOKS: Final = 64
"""How many calls at one place are looked at."""

_MOST_LEAVES = 256
_MOST_SIGNATURES = 64
_MOST_FUNCTIONS = 1_024
_NUMBERS = (bool, int, float, complex)


class Leaf(NamedTuple):
    """What JAX sees of one array or number among the arguments of a call.

    Attributes:
        dtype: its dtype, as JAX takes it.
        weak: whether it is weakly typed.
        shape: its shape.
    """

    dtype: DType
    weak: bool
    shape: tuple[int, ...]

    @property
    def text(self) -> str:
        """How a report names it."""
        return f"{self.dtype}* (weak)" if self.weak else f"{self.dtype}"


class Given(NamedTuple):
    """An argument as it was given to a call.

    Attributes:
        leaf: what JAX sees of it.
        operand: the value as it was read.
        origin: where its dtype was born, or None if that is not known.
        location: the place of the call.
        argument: which of the call's arguments it is in.
        parts: where in that argument it is: keys, indices and names of attributes.
        is_result: whether it came out of the same function before.
    """

    leaf: Leaf
    operand: Operand
    origin: Origin | None
    location: int
    argument: int
    parts: tuple[Any, ...]
    is_result: bool


class Retrace(NamedTuple):
    """A trace that another dtype or weak type was the reason for.

    Attributes:
        cause: the argument, of this call or of an earlier one, that is another than it should be.
        now: the argument of this call.
        want: the dtype that the cause should have.
        told: what happened, in words.
    """

    cause: Given
    now: Given
    want: DType
    told: str


class _Function:
    """A compiled function: the signatures that it was called with, and what it gave last."""

    def __init__(self, function: Any, name: str) -> None:
        self.function = weakref.ref(function)
        self.name = name
        self.signatures: dict[Any, dict[Any, list[Given]]] = {}
        self.count = 0
        self.results: dict[int, weakref.ref[Any]] = {}
        self.went_back = False

    def gave(self, value: Any) -> bool:
        """Tell whether a value is part of what the function returned last."""
        entry = self.results.get(id(value))
        return entry is not None and entry() is value


class Retraces:
    """Hears of the calls of compiled functions, and finds what is traced again."""

    def __init__(self) -> None:
        self._functions: dict[int, _Function] = {}

    def called(
        self,
        location: int,
        place: Location,
        operation: tuple[Any, Any, Sequence[Any]],
        origin_of: Callable[[Any], Origin | None],
    ) -> Retrace | None:
        """Hear of a call; returns what was found, if this one is traced for it.

        Args:
            location: the number of the place.
            place: where it is.
            operation: what the call gave, its function or object, and its arguments.
            origin_of: gives where a value has its dtype from.
        """
        result, base, arguments = operation
        function = compiled(base, place.name)
        if function is None:
            return None
        known = self._known(function, place.name)
        flat = _flat(arguments)
        if known is None or flat is None or any(is_traced(value) for _, value in flat[0]):
            return None
        leaves, structure = flat
        given = [
            Given(
                leaf, operand(value), origin_of(value), location, *_where(path), known.gave(value)
            )
            for path, value in leaves
            if (leaf := _leaf(value)) is not None
        ]
        keywords = tuple(word for word in place.keywords if word)
        before = known.signatures.setdefault(
            (structure, keywords, *(g.leaf.shape for g in given)), {}
        )
        signature = tuple((g.leaf.dtype, g.leaf.weak) for g in given)
        found = None
        if signature not in before and len(before) < _MOST_SIGNATURES:
            known.count += 1
            found = _compared(known, [*before.values()][::-1], given)
        elif signature in before and (last := next(reversed(before))) != signature:
            found = _went_back(known, before[last], given)
        if found is not None:
            name = _argument(function, base, place, found.now)
            found = found._replace(told=f"{known.name} is traced again: {name} {found.told}")
        # the last one that was called comes last
        before[signature] = before.pop(signature, given)
        known.results = dict(_referred(result))
        return found

    def _known(self, function: Any, name: str) -> _Function | None:
        known = self._functions.get(id(function))
        if known is None or known.function() is not function:
            if len(self._functions) >= _MOST_FUNCTIONS:
                self._functions.clear()
            try:
                known = _Function(function, getattr(function, "__name__", "") or name)
            except TypeError:  # it takes no weak references
                return None
            self._functions[id(function)] = known
        return known


def _compared(known: _Function, before: list[list[Given]], given: list[Given]) -> Retrace | None:
    """Return which argument a trace is for, if it differs from that of an earlier call."""
    for earlier in before:
        for then, now in zip(earlier, given, strict=True):
            cause = _cause(then, now)
            if cause is not None:
                other = now if cause is then else then
                both = then.leaf.weak and now.leaf.weak
                want = other.operand.weak_dtype if both else other.leaf.dtype
                times = f"traced {known.count} times"
                told = f"is {then.leaf.text} first, {now.leaf.text} then: {times}"
                return Retrace(cause, now, want, told)
    return None


def _went_back(known: _Function, before: list[Given], given: list[Given]) -> Retrace | None:
    """Return which argument goes back and forth between two integers at one call, if one does.

    Integers of another width may be meant, but not if the next call has those of before again.
    """
    pairs = zip(before, given, strict=True)
    changed = [(then, now) for then, now in pairs if then.leaf[:2] != now.leaf[:2]]
    if len(changed) != 1:
        return None
    (then, now), weak = changed[0], any(one.leaf.weak for one in changed[0])
    integers = family(then.leaf.dtype) == family(now.leaf.dtype) == "integer"
    if weak or not integers or then.location != now.location or known.went_back:
        return None
    known.went_back = True  # once is enough: from then on each is the other one in turn
    told = f"is {now.leaf.text}, {then.leaf.text}, and {now.leaf.text} again: "
    return Retrace(then, now, now.leaf.dtype, f"{told}traced {known.count} times")


def compiled(base: Any, name: str) -> Any:
    """Return the function that a call runs if it is one that `jax.jit` made, else None."""
    if type(base).__name__ == "PjitFunction":
        return base
    function = function_of(base, name)
    if function is None and not isinstance(base, type):
        try:
            function = object.__getattribute__(base, "__dict__").get(name)
        except (AttributeError, TypeError):
            return None
    return function if type(function).__name__ == "PjitFunction" else None


def _cause(then: Given, now: Given) -> Given | None:
    """Return which of two values that differ is the accident, or None if both may be meant."""
    one, other = then.leaf, now.leaf
    if one[:2] == other[:2]:
        return None
    if one.dtype is other.dtype:
        return then if one.weak else now
    if now.is_result:
        return then  # it began as something else than what it becomes
    integers = [g for g in (then, now) if family(g.leaf.dtype) == "integer"]
    if len(integers) != 1 or not integers[0].leaf.weak:
        return None
    other = now.leaf if integers[0] is then else then.leaf
    return integers[0] if family(other.dtype) == "inexact" else None


def _flat(arguments: Sequence[Any]) -> tuple[list[tuple[Any, Any]], Any] | None:
    """Return the leaves of some arguments with their paths, and their structure, as JAX has it."""
    jax = sys.modules.get("jax")
    if jax is None:
        return None
    try:
        leaves, structure = jax.tree_util.tree_flatten_with_path(tuple(arguments))
        hash(structure)
    except Exception as error:  # what is no tree to JAX may be static here
        if is_interruption(error):
            raise
        return None
    return (leaves, structure) if len(leaves) <= _MOST_LEAVES else None


def _leaf(value: Any) -> Leaf | None:
    """Return what JAX sees of a value, or None for what it does not compute with."""
    if not isinstance(value, _NUMBERS) and not is_array(value):
        return None
    try:
        read = operand(value)
    except SupremumError:  # its dtype is of no interest: a key of random numbers
        return None
    # JAX takes a number as weak, and 64-bit types as narrower ones unless they are switched on
    rules = system("jax", x64=bool(sys.modules["jax"].config.jax_enable_x64))
    weak = read.weak and type(value) is not bool
    return Leaf(rules.result_type(read), weak, tuple(getattr(value, "shape", ())))


def _where(path: Sequence[Any]) -> tuple[int, tuple[Any, ...]]:
    """Return which argument a path leads into, and where in it."""
    steps: list[Any] = [
        next((getattr(key, n) for n in ("key", "idx", "name") if hasattr(key, n)), "")
        for key in path
    ]
    return int(steps[0]), tuple(s if type(s) in (str, int) else str(s) for s in steps[1:])


def _argument(function: Any, base: Any, place: Location, given: Given) -> str:
    """Return how an argument is called, with the part of it that is meant."""
    name = place.keywords[given.argument].strip("*")
    if not name:
        of_object = function is not base and not isinstance(base, (ModuleType, type))
        try:
            names = list(inspect.signature(function).parameters)[of_object:]
        except (TypeError, ValueError):
            names = []
        known = given.argument < len(names)
        name = names[given.argument] if known else f"argument {given.argument + 1}"
    return name + "".join(f"[{part!r}]" for part in given.parts)


def _referred(result: Any) -> Iterator[tuple[int, weakref.ref[Any]]]:
    flat = _flat((result,))
    for _, value in flat[0] if flat is not None else ():
        if is_array(value):
            try:
                yield id(value), weakref.ref(value)
            except TypeError:
                continue
