"""JAX: what is traced has the causes of what was passed for it, and what is traced a second time.

`jax.jit` traces a function once for each signature: the structure of its arguments, and the shape,
dtype and weak type of each array in them. What each call is given is kept here, so no private part
of JAX is asked, and none of its settings changed: `jax_explain_cache_misses` logs in words that
differ from release to release, and does not know where a dtype was introduced. Another shape is
meant; another dtype or weak type is often an accident of the initial value.
"""

from __future__ import annotations

import inspect
import re
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from math import inf
from types import FunctionType
from typing import Any, Final, NamedTuple

from ....core.dtypes import DType
from ....core.dtypes import dtype as dtype_of
from ....core.errors import SupremumError
from ....core.operands import Operand, operand
from ....core.systems import system
from ...model.dtypes import Violation, bits, family, is_strong
from ...model.interruptions import is_interruption
from ...model.locations import DTYPE_OF, LOCATIONS
from ...model.provenance import Effect, Origin
from ..calls import elements, function_of
from ..operation_checks import OperationCheck
from ..tracked_types import (
    MAPPING,
    MAYBE_WEAK,
    SEQUENCE,
    is_array,
    is_tracer,
    kind_of,
)
from ..values.recompute import is_library
from .jax_compiled import compiled, examine_of
from .jax_loops import ARRAYS, FLAG, LIBRARY
from .jax_sums import with_sums
from .listeners import Event, Findings, Listener

_MOST_LOOKS: Final = 64
_MOST_LEAVES: Final = 256
_MOST_SIGNATURES: Final = 64
_MOST_FUNCTIONS: Final = 1_024
_WIDE: Final = ("float64", "complex128")
_NUMBERS = (bool, int, float, complex)
_RUN_FUNCTIONS: Final = frozenset(
    {"scan", "map", "fori_loop", "while_loop", "cond", "switch", "associative_scan"}
)


class Jax(Listener):
    """Charges traced values to what was passed for them, and finds what is traced again."""

    most_looks = inf  # a trace may end at any call

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings)
        kind_of(sys.modules["jax"].jit(abs))  # such functions are known from now on
        # Tracers that are seen first, and whether they are weak, until their call has ended.
        self._pending: dict[tuple[int, bool], tuple[Origin, bool]] = {}
        # What traced values of a dtype come from, in the call that runs and in the last one.
        self._made: dict[str, Origin] = {}
        self._made_before: dict[str, Origin] = {}
        self._gave: dict[tuple[int, str], tuple[Any, Origin]] = {}
        self._functions: dict[int, _Function] = {}

    # what is traced

    def called(self, event: Event) -> None:
        """Find the causes of what was traced, what is traced again, and what ``x.at[i]`` stores."""
        if self._pending:
            self._link(event)
        if any(is_array(value) and not _is_traced(value) for value in _results(event.result)):
            self._made_before, self._made = self._made, {}
        into = _updated(event.base)
        if into is not None and event.arguments:
            computes = event.place.name != "set"
            self.findings.put_into(
                event.location, into, event.arguments[0], in_place=computes, settles=False
            )
        if event.looks < _MOST_LOOKS:
            self._look_for_traces(event)
        if not event.looks:
            self._look_at_dtype(event)

    def _look_at_dtype(self, event: Event) -> None:
        """Record a dtype of 64 bits that a call names, where JAX gives 32 without asking."""
        asked = _asked(event)
        if asked is None or kind_of(event.result) != MAYBE_WEAK:
            return
        given = operand(event.result).dtype
        if family(asked) != family(given) or bits(given) >= bits(asked):
            return
        read = [x for x in (event.base, *event.arguments) if is_array(x)][:1]
        remark = f"{asked} is asked for, and {given} comes: JAX has no other without {FLAG}"
        facts = {"library": LIBRARY, "explicit": True}
        effect = Effect(
            "precision-loss", event.location, tuple(map(operand, read)), given, 0,
            remark=remark, spans=[event.span_of(x) or 0 for x in read],
        )  # fmt: skip
        origin = self.findings.origin(event.location, None, given, facts)
        self.findings.found(origin, effect)

    def origin_of(
        self, value: Any, operand: Operand, introduce: Callable[[], Origin]
    ) -> Origin | None:
        """Return a new origin of a tracer, whose cause is found once its call has ended."""
        if not _is_traced(value):
            return None
        origin = introduce()
        self._pending[origin.index, operand.weak] = origin, operand.weak
        return origin

    def made(self, result: Any, origin: Origin, dtype: DType) -> None:
        """Note where traced values of a dtype come from."""
        if _is_traced(result):
            self._made[dtype.name] = origin

    def judged(self, event: Event, check: OperationCheck) -> None:
        """Note what was traced for a call, which gave its result its dtype, if it was."""
        self._judge_values(event, check)
        if event.base is None and not event.arguments:  # as of a store
            _judge_update(check)
        place, dtype = event.place, check.result
        is_new = place.form == "call" and not check.sources and kind_of(event.result) == MAYBE_WEAK
        function = function_of(event.base, place.name)
        if not is_new or dtype is None or _is_traced(event.result):
            return
        if not _runs_code(function, place.name):
            return
        made = self._made_before.get(dtype.name)
        key = id(function), dtype.name
        if made is None and function is not None and key in self._gave:
            made = self._gave[key][1]
        if made is not None:
            check.made_by, check.violations = made, ()
            self._gave[key] = function, made

    def _judge_values(self, event: Event, check: OperationCheck) -> None:
        """Have the values looked at that a compiled function of the program, or a loop, gives."""
        if event.place.form != "call" or check.into is None:
            return
        name = event.place.name
        function, several = compiled(event.base, name), bool(check.facts.get("several"))
        if function is not None and not is_library(function):
            check.examine = examine_of(check.into, several=several)
            if several or check.into.kind == "float":
                check.examine = with_sums(check.examine)
        elif name in ARRAYS and is_library(function_of(event.base, name)):
            check.examine = with_sums(None)

    def _link(self, event: Event) -> None:
        """Find the causes of tracers among the arguments of the call that traced them."""
        name = event.place.name
        if not _runs_code(function_of(event.base, name), name):
            return
        flat = _flat(event.arguments)
        leaves = [leaf for leaf in flat[0] if is_array(leaf[1])] if flat is not None else []
        passed = [value for _, value in leaves]
        keys = [next(iter(_where(path)[1][-1:]), None) for path, _ in leaves]
        pending = dict(self._pending)
        if any(map(_is_traced, passed)):  # it is traced itself, and what it runs is within it
            inside = _is_in(event.arguments)
            pending = {key: one for key, one in pending.items() if inside(one[0])}
        for key, (origin, weak) in pending.items() if passed else ():
            del self._pending[key]
            causes = map(self._cause(origin, weak), _called_alike(keys, passed, origin))
            cause = next((c for c in causes if c is not None), None)
            if cause is not None and cause is not origin:
                self.findings.merge(origin, cause)

    def _cause(self, origin: Origin, weak: bool) -> Callable[[Any], Origin | None]:
        def cause(value: Any) -> Origin | None:
            found = self.findings.values.get(value)
            is_weak = kind_of(value) == MAYBE_WEAK and bool(value.weak_type)
            alike = found is not None and found.dtype is origin.dtype and is_weak is weak
            return found if alike else None

        return cause

    # what is traced again

    def _look_for_traces(self, event: Event) -> None:
        """Record which argument a compiled function of a program is traced again for."""
        function = compiled(event.base, event.place.name)
        if function is None or is_library(function):  # which has a trace for each dtype
            return
        known = self._known(function, event.place.name)
        flat = _flat(event.arguments) if known is not None else None
        if known is None or flat is None or any(_is_traced(value) for _, value in flat[0]):
            return
        leaves, structure = flat
        given = [
            Given(*leaf, self.findings.values.get(value), event.location, *_where(path),
                  known.gave(value))
            for path, value in leaves
            if (leaf := _leaf(value)) is not None
        ]  # fmt: skip
        keywords = tuple(word for word in event.place.keywords if word)
        found = known.called((structure, keywords, *(g.shape for g in given)), given)
        known.results = dict(_references(event.result))
        if found is not None:
            remark = f"{known.name} is traced again: {_argument(function, event, found.now)}"
            self._write(event.location, found, f"{remark} {found.remark}")

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

    def _write(self, location: int, found: Retrace, remark: str) -> None:
        cause, now = found.cause, found.now
        # what made it strong by a number of Python's is named already
        made = now.origin if now.origin is not None and now.origin.from_numbers else None
        origin = made if made is not None and made.of(["weak-type-lost"]) else cause.origin
        if origin is None:
            facts = {"library": "JAX", "scalar": cause.operand.form == "scalar"}
            facts["from_numbers"] = cause.operand.is_python
            origin = self.findings.origin(cause.location, cause.argument + 1, cause.dtype, facts)
        effect = Effect(
            "retracing", location, (now.operand,), found.want, 0, spans=[now.argument + 1],
            remark=remark, parts=cause.parts,
        )  # fmt: skip
        if (kept := self.findings.found(origin, effect)) is not None:
            kept.remark = remark  # the last one says how often it is traced


def _called_alike(keys: Sequence[Any], passed: Sequence[Any], origin: Origin) -> list[Any]:
    """Return the arrays of some arguments, those first whose key is written where one is used."""
    place = LOCATIONS[origin.location]
    text = place.operand_text(origin.operand) if origin.operand is not None else ""

    def is_other(leaf: tuple[Any, Any]) -> bool:
        key, _ = leaf
        is_there = isinstance(key, str) and key in text
        return not (is_there and re.search(rf"\b{re.escape(key)}\b", text))

    return [value for _, value in sorted(zip(keys, passed, strict=True), key=is_other)]


class Given(NamedTuple):
    """An array or number among the arguments of a call, as JAX sees it.

    Attributes:
        dtype: its dtype.
        weak: whether it is weakly typed.
        shape: its shape.
        operand: the value as it was read.
        origin: where its dtype is introduced, or None if that is not known.
        location: the number of the location of the call.
        argument: which of the call's arguments it is in.
        parts: where in that argument it is: keys, indices and names of attributes.
        is_result: whether it came out of the same function before.
    """

    dtype: DType
    weak: bool
    shape: tuple[int, ...]
    operand: Operand
    origin: Origin | None
    location: int
    argument: int
    parts: tuple[Any, ...]
    is_result: bool

    @property
    def text(self) -> str:
        """How a report names it."""
        return f"{self.dtype}* (weak)" if self.weak else f"{self.dtype}"


class Retrace(NamedTuple):
    """A trace that another dtype or weak type was the reason for.

    Attributes:
        cause: the argument, of this call or of an earlier one, that is another than it should be.
        now: the argument of this call.
        want: the dtype that the cause should have.
        remark: what happened, in words.
    """

    cause: Given
    now: Given
    want: DType
    remark: str


class _Function:
    """A compiled function: the signatures that it was called with, and what it gave last."""

    def __init__(self, function: Any, name: str) -> None:
        self.function = weakref.ref(function)
        self.name = name
        self.signatures: dict[Any, dict[Any, list[Given]]] = {}
        self.traces = 0
        self.results: dict[int, weakref.ref[Any]] = {}
        self.went_back = False

    def gave(self, value: Any) -> bool:
        """Return whether a value is part of what the function returned last."""
        entry = self.results.get(id(value))
        return entry is not None and entry() is value

    def called(self, like: Any, given: list[Given]) -> Retrace | None:
        """Take note of a call; returns for which argument it is traced again, if it is.

        Args:
            like: the structure and shapes of its arguments.
            given: the arguments.
        """
        before = self.signatures.setdefault(like, {})
        signature = tuple((g.dtype, g.weak) for g in given)
        found = None
        if signature not in before and len(before) < _MOST_SIGNATURES:
            self.traces += 1
            pairs = (
                (then, now)
                for one in [*before.values()][::-1]
                for then, now in zip(one, given, strict=True)
            )
            found = next((f for pair in pairs if (f := self._compared(*pair)) is not None), None)
        elif signature in before and (last := next(reversed(before))) != signature:
            found = self._went_back(before[last], given)
        before[signature] = before.pop(signature, given)  # the last one that was called comes last
        return found

    def _compared(self, then: Given, now: Given) -> Retrace | None:
        """Return a trace if one of two values that differ is an accident."""
        cause = _cause(then, now)
        if cause is None:
            return None
        other = now if cause is then else then
        want = other.operand.weak_dtype if then.weak and now.weak else other.dtype
        remark = f"is {then.text} first, {now.text} then: traced {self.traces} times"
        return Retrace(cause, now, want, remark)

    def _went_back(self, before: list[Given], given: list[Given]) -> Retrace | None:
        """Return which argument goes back and forth between two integers at one call, if one does.

        Integers of another width may be meant, but not if the next call has those of before again.
        """
        pairs = zip(before, given, strict=True)
        changed = [(then, now) for then, now in pairs if then[:2] != now[:2]]
        if len(changed) != 1 or self.went_back:
            return None
        then, now = changed[0]
        if (
            any(g.weak or family(g.dtype) != "integer" for g in changed[0])
            or then.location != now.location
        ):
            return None
        self.went_back = True  # once is enough: from then on each is the other one in turn
        remark = f"is {now.text}, {then.text}, and {now.text} again: traced {self.traces} times"
        return Retrace(then, now, now.dtype, remark)


def _cause(then: Given, now: Given) -> Given | None:
    """Return which of two values that differ is the accident, or None if both may be meant."""
    if then[:2] == now[:2]:
        return None
    if then.dtype is now.dtype:
        return then if then.weak else now
    if now.is_result:
        return then  # it began as something else than what it becomes
    integers = [g for g in (then, now) if family(g.dtype) == "integer"]
    if len(integers) != 1 or not integers[0].weak:
        return None
    other = now if integers[0] is then else then
    return integers[0] if family(other.dtype) == "inexact" else None


def _is_traced(value: Any) -> bool:
    """Return whether a value stands for one that is not there yet."""
    return is_tracer(type(value))


def _updated(base: Any) -> Any:
    """Return the array that ``array.at[index]`` refers to, or None if a value is not such."""
    is_update = type(base).__name__ == "_IndexUpdateRef"
    return base.array if is_update and type(base).__module__.startswith("jax") else None


def _judge_update(check: OperationCheck) -> None:
    """Find integers that an array of others takes: JAX warns of them, and is to refuse them.

    Integers of other libraries are meant to be stored in any, as long as they fit.
    """
    if check.facts.get("library") != LIBRARY or not is_strong(check.operands[1]):
        return
    into, value = (op.dtype for op in check.operands)
    are_integers = family(into) == family(value) == "integer"
    if are_integers and check.rules and check.rules.result_type(*check.operands) is not into:
        check.violations = [Violation("narrowing-store", 1, 1)]


def _is_in(functions: Sequence[Any]) -> Callable[[Origin], bool]:
    """Return a test of whether an origin is in the code of a function among some values."""
    codes = [f.__code__ for f in functions if isinstance(f, FunctionType)]
    lines = [(c.co_filename, [n for *_, n in c.co_lines() if n]) for c in codes]

    def inside(origin: Origin) -> bool:
        place = LOCATIONS[origin.location]
        return any(file == place.file and min(n) <= place.line <= max(n) for file, n in lines)

    return inside


def _runs_code(function: Any, name: str) -> bool:
    """Return whether a function may run code of the program on tracers."""
    own = str(getattr(function, "__module__", "")).startswith("jax")
    return not own or name in _RUN_FUNCTIONS


def _results(values: Any) -> Sequence[Any]:
    """Return what tuples, lists and dictionaries hold."""
    return elements(values) if kind_of(values) in (SEQUENCE, MAPPING) else (values,)


def _asked(event: Event) -> DType | None:
    """Return the dtype of 64-bit floats, or of their pairs, that a call names, or None."""
    place = event.place
    words = zip(place.keywords, event.arguments, strict=False)
    named = next((value for word, value in words if word in ("dtype", DTYPE_OF)), None)
    if place.name == "astype" and named is None:
        named = next(iter(event.arguments), None)
    if named is None or any(named is kind for kind in _NUMBERS):  # of any width
        return None
    try:
        asked = dtype_of(named)
    except SupremumError:
        return None
    return asked if asked.name in _WIDE else None


def _flat(arguments: Sequence[Any]) -> tuple[list[tuple[Any, Any]], Any] | None:
    """Return the leaves of some arguments with their paths, and their structure, as JAX has it."""
    try:
        leaves, structure = sys.modules["jax"].tree_util.tree_flatten_with_path(tuple(arguments))
        hash(structure)
    except Exception as error:  # what is not a tree to JAX may be static here
        if is_interruption(error):
            raise
        return None
    return (leaves, structure) if len(leaves) <= _MOST_LEAVES else None


def _leaf(value: Any) -> tuple[DType, bool, tuple[int, ...], Operand] | None:
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
    shape = tuple(value.shape) if is_array(value) else ()
    return rules.result_type(read), weak, shape, read


def _where(path: Sequence[Any]) -> tuple[int, tuple[Any, ...]]:
    """Return which argument a path leads into, and where in it."""
    steps: list[Any] = [
        next((getattr(key, n) for n in ("key", "idx", "name") if hasattr(key, n)), "")
        for key in path
    ]
    return int(steps[0]), tuple(s if type(s) in (str, int) else str(s) for s in steps[1:])


def _argument(function: Any, event: Event, given: Given) -> str:
    """Return how an argument is called, with the part of it that is meant."""
    name = event.place.keywords[given.argument].strip("*")
    if not name:
        held = any(x is function for x in getattr(event.base, "__dict__", {}).values())
        of_object = not held and function is not event.base and not isinstance(event.base, type)
        try:
            names = list(inspect.signature(function).parameters)[of_object:]
        except (TypeError, ValueError):
            names = []
        known = given.argument < len(names)
        name = names[given.argument] if known else f"argument {given.argument + 1}"
    return name + "".join(f"[{part!r}]" for part in given.parts)


def _references(result: Any) -> Iterator[tuple[int, weakref.ref[Any]]]:
    """Yield weak references to the arrays that a call returned, by their numbers."""
    flat = _flat((result,))
    for _, value in flat[0] if flat is not None else ():
        if is_array(value):
            try:
                yield id(value), weakref.ref(value)
            except TypeError:
                continue
