"""What rewritten code calls: each probe hands a value on, and tells the recorder about it.

Whether there is a recorder is asked each time: code that was rewritten outlives it, and may run in
another process.

The probes of operations are made from one text, and share no function for what they have in common:
for a number, to call one takes as long as all that it would do.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final
from weakref import ref

from .settled import offer, withdraw
from .shown_variables import Shown, is_ours
from .tracked_types import COMPILED, FRAME, INDEXER, NDARRAY, NOTHING, TYPES, learn  # noqa: F401  # probes use all
from .warned import OVERFLOW_WARNINGS

if TYPE_CHECKING:
    from ..model.provenance import Origin
    from .formulas import Formula
    from .recorder import Recorder
    from .settled import Place

TYPE, STR = type, str
SLICE = slice

_recorder: Recorder | None = None
_followed: dict[int, tuple[ref[Any], Origin]] = {}
_freed: tuple[int, Origin | None] = (0, None)
# What was kept, by the number of an expression and the frame, which runs it once at a time.
_kept: dict[tuple[int, int], Any] = {}
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


def activate(recorder: Recorder | None) -> Recorder | None:
    """Let a recorder observe everything from now on, or none; returns the one before."""
    global _recorder, _followed  # noqa: PLW0603  # there is one at a time
    before, _recorder = _recorder, recorder
    if before is not None:
        before.count_all()
        withdraw(before.settled)
    if recorder is not None:
        offer(recorder.settled)
    _followed = recorder.values.followed if recorder is not None else {}
    OVERFLOW_WARNINGS.attach(recorder)
    return before


def active() -> Recorder | None:
    """Return the recorder that observes everything, or None."""
    return _recorder


_PROBE: Final = """
def {name}(place, {returned}, {operands}, _=None):
    t = type({subject})
    settled = place.settled
    if t is settled.{role} and {types} and settled.skips:
        {settled}
    if t is float or t is int or t is str or t is bool:
        place.plain = t
        return {returned}
    kind = TYPES.get(t) if type(t) is type else _of_metaclass(t)
    if kind is None:
        kind = learn(t)
    recorder = _recorder
    if recorder is not None:
        try:
            if {heard}:
                recorder.{hears}(place.number, {returned}, {operands})
            {otherwise}
        except Exception as error:  # the program goes on, whatever fails here
            recorder.fail(place.number, error)
    return {returned}
"""

# Numbers and scalars have no more to compare than their types.
_RESULT: Final = """
        if settled.result_dtype is None:
            settled.skips -= 1
            settled.last = result
            return result
        if result.dtype is settled.result_dtype and {dtypes}:
            settled.skips -= 1
            origin = settled.origin
            if origin is not None:
                _followed[id(result)] = ref(result), origin
            return result
"""
_STORE: Final = """
        if base.dtype is settled.left_dtype and {dtypes}:
            settled.skips -= 1
            return index
"""

_LEFT: Final = "(settled.left_dtype is None or {}.dtype is settled.left_dtype)"
_RIGHT: Final = "(settled.right_dtype is None or {}.dtype is settled.right_dtype)"
_NUMBER: Final = "(settled.number is None or left is settled.number or right is settled.number)"
_OF_TWO: Final = {
    "operands": "left, right",
    "types": "type(left) is settled.left and type(right) is settled.right",
    "dtypes": f"{_LEFT.format('left')} and {_RIGHT.format('right')} and {_NUMBER}",
    "heard": "NOTHING < kind <= FRAME or _is_heard(t, recorder)",
}


def _probe(name: str, hears: str, *, settled: str = _RESULT, **parts: str) -> Callable[..., Any]:
    """Return a probe.

    Args:
        name: what rewritten code calls it.
        hears: the method of the recorder that it calls.
        settled: what to do if the types are those that are settled.
        parts: the other parts of its text.
    """
    texts = {"returned": "result", "subject": "result", "role": "result", "otherwise": "", **parts}
    texts["settled"] = settled.strip().format(**texts)
    text = _PROBE.format(name=name, hears=hears, **texts)
    file = f"{__file__} {name}"  # a file of this package: its frames are not shown
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    exec(compile(text, file, "exec"), globals())  # noqa: S102  # as `dataclasses` makes methods
    made: Callable[..., Any] = globals()[name]
    return made


BINARY = _probe("BINARY", "operated", **_OF_TWO)
"""Take note of an operator."""

IN_PLACE = _probe("IN_PLACE", "changed", **_OF_TWO)
"""Take note of an operator in place."""

PART = _probe(
    "PART",
    "taken",
    operands="whole",
    types="type(whole) is settled.right",
    dtypes=_RIGHT.format("whole"),
    heard="kind is not NOTHING",
)
"""Take note of what a subscript, an attribute or a sign makes of a value."""

INDEX = _probe(
    "INDEX",
    "stored",
    returned="index",
    subject="base",
    role="left",
    operands="base, value",
    types="type(value) is settled.right",
    settled=_STORE,
    dtypes=_RIGHT.format("value"),
    heard="NOTHING < kind <= FRAME or kind == INDEXER",
)
"""Take note of what is about to be stored in part of a value."""

CALL = _probe(
    "CALL",
    "called",
    operands="base, arguments",
    types="type(base) is settled.left",
    dtypes=f"{_LEFT.format('base')} and _are_settled(arguments, settled.arguments)",
    heard="kind is not NOTHING",
    # of a metaclass nobody is asked, and another call would take as long as all the rest
    otherwise="elif type(type(base)) is type and TYPES.get(type(base)) == COMPILED: "
    "recorder.ran(place.number, result, base, arguments)",
)
"""Take note of a call."""


def OPENS(formula: Formula, *variables: Any) -> bool:  # noqa: N802  # a probe
    """Return whether a formula can be let go, though its variables are not what they were."""
    return formula.opens(variables)


def SEEN(formula: Formula, result: Any, *variables: Any) -> bool:  # noqa: N802  # a probe
    """Return whether what a formula gave need not be computed once more, with probes."""
    return formula.seen(result, variables)


def PASS(formula: Formula, result: Any, _: None = None) -> Any:  # noqa: N802  # a probe
    """Take note of what a formula gave that is let go."""
    settled = formula.last
    if settled is None or type(result) is not settled.result:
        formula.close()
        return result
    if settled.result_dtype is None:
        settled.last = result
    elif result.dtype is settled.result_dtype:
        origin = settled.origin
        if origin is not None:
            _followed[id(result)] = ref(result), origin
    else:
        formula.close()
        return result
    left = formula.open - 1
    if left > 0:
        formula.open = left
    else:
        formula.end()
    return result


def _are_settled(arguments: tuple[Any, ...], settled: Sequence[Any]) -> bool:
    """Return whether the arguments of a call are of the types and dtypes that are settled."""
    if len(arguments) != len(settled):
        return False
    number = 0  # zip takes as long as all the rest
    for of, dtype in settled:
        argument = arguments[number]
        if type(argument) is not of or (dtype is not None and argument.dtype is not dtype):
            return False
        number += 1  # noqa: SIM113
    return True


def _is_heard(t: type, recorder: Recorder) -> bool:
    """Return whether a recorder observes NumPy's bools, which comparisons of scalars give."""
    return recorder.hears_truths and t is not bool and t.__name__ in ("bool", "bool_")


def PUT(place: Place, result: Any, base: Any, arguments: tuple[Any, ...], _: None = None) -> Any:  # noqa: N802  # a probe
    """Take note of a call that may store what it is given."""
    recorder = _recorder
    if recorder is not None:
        try:
            if recorder.put(place.number, result, base, arguments):
                return result
        except Exception as error:  # noqa: BLE001  # as in the other probes
            recorder.fail(place.number, error)
    return CALL(place, result, base, arguments)


def _of_metaclass(t: type) -> int | None:
    """Return what values of a type are, as far as it is known without running its metaclass."""
    meta = type(t)
    plain = meta.__hash__ is type.__hash__ and meta.__eq__ is type.__eq__
    return TYPES.get(t) if plain else NOTHING


def _is_array(value: Any) -> bool:
    t = type(value)
    return type(t) is type and TYPES.get(t) == NDARRAY


def ITERATE(values: Any) -> Any:  # noqa: N802  # a probe
    """Return what a loop runs over such that the elements of an array are known to be its own."""
    recorder = _recorder
    if recorder is None or not _is_array(values) or values.ndim != 1:
        return values
    origin = recorder.values.get(values)
    return values if origin is None else recorder.elements(values, origin)


def KEEP(number: int, value: Any) -> Any:  # noqa: N802  # a probe
    """Hand a value on, and keep it for what comes."""
    _kept[number, id(sys._getframe(1))] = value  # noqa: SLF001  # the caller's
    return value


class _Keeper:
    """Keeps what is assigned to its items, as `KEEP` does."""

    def __setitem__(self, number: int, value: Any) -> None:
        _kept[number, id(sys._getframe(1))] = value  # noqa: SLF001  # the caller's

    def __reduce__(self) -> str:
        return "KEPT"


KEPT = _Keeper()


def TAKE(number: int) -> Any:  # noqa: N802  # a probe
    """Give up what was kept."""
    return _kept.pop((number, id(sys._getframe(1))), None)  # noqa: SLF001  # the caller's


def DROP(first: int, last: int) -> None:  # noqa: N802  # a probe
    """Let go of what was kept for what an exception left out."""
    if _kept:
        frame = id(sys._getframe(1))  # noqa: SLF001  # the caller's
        for number in range(first, last + 1):
            _kept.pop((number, frame), None)
    trace = sys.exc_info()[2]
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_name in _COMPREHENSIONS:  # the exception keeps their frames
            for name in code.co_varnames:
                if name[:2] == "@c":
                    trace.tb_frame.f_locals.get(name, {}).clear()
        trace = trace.tb_next


def forget() -> None:
    """Let go of what was kept for what an exception left out.

    That is done where no watched code is in the middle of an expression: at the end of a cell or a
    test, and at the start of a program.
    """
    _kept.clear()


def FREE(value: Any) -> Any:  # noqa: N802  # a probe
    """Hand an array on that nothing of the audit refers to any more."""
    global _freed  # noqa: PLW0603  # the last one
    recorder = _recorder
    if recorder is not None and _is_array(value):
        entry = recorder.values.followed.pop(id(value), None)
        _freed = id(value), entry and entry[1]
    return value


def FOLLOW(result: Any, value: Any) -> Any:  # noqa: N802  # a probe
    """Refer to an array again."""
    global _freed
    (key, origin), _freed = _freed, (0, None)
    recorder = _recorder
    if origin is not None and key == id(value) and recorder is not None:
        recorder.values.put(value, NDARRAY, origin)
    return result


def HIDE(names: Any) -> Any:  # noqa: N802  # a probe
    """Take the temporary variables out of what `locals`, `vars`, `dir` or a frame gave."""
    if type(names) is dict:
        for name in [name for name in names if is_ours(name)]:
            del names[name]
    elif type(names) is list:
        return [name for name in names if not is_ours(name)]
    elif type(names).__name__ == "FrameLocalsProxy" and any(map(is_ours, names)):
        return Shown(names)
    return names


def SPACES(function: Any) -> tuple[Any, ...]:  # noqa: N802  # a probe
    """Return the namespaces that `eval` and `exec` use if none are given, without our variables."""
    if function is not eval and function is not exec:
        return ()
    frame = sys._getframe(1)  # noqa: SLF001  # the caller's
    names = frame.f_locals
    return frame.f_globals, HIDE(names if type(names) is dict else dict(names))
