"""What rewritten code calls: each probe hands a value on, and tells the recorder about it.

Whether there is a recorder is asked each time: code that was rewritten outlives it, and may run in
another process.

The probes that follow begin alike, and share no function for it: for a number, to call one takes
as long as all that it would do.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import ref

from ..checks.tracked_types import COMPILED, FRAME, INDEXER, NDARRAY, NOTHING, TYPES, learn
from .settled import offer, withdraw
from .shown_variables import Shown, is_ours
from .warned import EAR

if TYPE_CHECKING:
    from ..model.provenance import Origin
    from .recorder import Recorder
    from .settled import Place, Settled
    from .sharing import Shared

TYPE, STR = type, str
SLICE = slice

_recorder: Recorder | Shared | None = None
_followed: dict[int, tuple[ref[Any], Origin]] = {}
_freed: tuple[int, Origin | None] = (0, None)
# What was kept, by the number of an expression and the frame, which runs it once at a time.
_kept: dict[tuple[int, int], Any] = {}
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


def activate(recorder: Recorder | Shared | None) -> Recorder | Shared | None:
    """Let a recorder hear of everything from now on, or none; returns the one before."""
    global _recorder, _followed  # noqa: PLW0603  # there is one at a time
    before, _recorder = _recorder, recorder
    if before is not None:
        before.count_all()
        withdraw(before.settled)
    if recorder is not None:
        offer(recorder.settled)
    _followed = recorder.values.followed if recorder is not None else {}
    EAR.listen(recorder)
    return before


def active() -> Recorder | Shared | None:
    """Return the recorder that hears of everything, or None."""
    return _recorder


def _of_two(name: str, hears: str) -> Callable[..., Any]:
    """Return the probe of what has two operands.

    Args:
        name: what rewritten code calls it.
        hears: the method of the recorder that hears of it.
    """

    def probe(
        place: Place,
        result: Any,
        left: Any,
        right: Any,
        _: None = None,
    ) -> Any:
        t = type(result)
        settled = place.settled
        if (
            t is settled.result
            and type(left) is settled.left
            and type(right) is settled.right
            and settled.skips
        ):
            if settled.result_dtype is None:
                settled.skips -= 1
                settled.last = result
                return result
            if (
                result.dtype is settled.result_dtype
                and (settled.left_dtype is None or left.dtype is settled.left_dtype)
                and (settled.right_dtype is None or right.dtype is settled.right_dtype)
                and (settled.number is None or left is settled.number or right is settled.number)
            ):
                return _as_before(settled, result)
        if t is float or t is int or t is str:
            place.plain = t
            return result
        kind = TYPES.get(t) if type(t) is type else _of_metaclass(t)
        if kind is None:
            kind = learn(t)
        recorder = _recorder
        if recorder is not None and (NOTHING < kind <= FRAME or _is_heard(t, recorder)):
            getattr(recorder, hears)(place.number, result, left, right)
        return result

    probe.__name__ = probe.__qualname__ = name  # it is pickled by its name
    return probe


BINARY = _of_two("BINARY", "operated")
IN_PLACE = _of_two("IN_PLACE", "changed")


def _is_heard(t: type, recorder: Recorder | Shared) -> bool:
    """Tell whether a recorder hears of truth values of NumPy, which comparisons of scalars give."""
    return recorder.hears_truths and t is not bool and t.__name__ in ("bool", "bool_")


def PART(  # noqa: N802  # as rewritten code names it
    place: Place, result: Any, whole: Any, _: None = None
) -> Any:
    """Take note of what a subscript, an attribute or a sign makes of a value."""
    t = type(result)
    settled = place.settled
    if t is settled.result and type(whole) is settled.right and settled.skips:
        if settled.result_dtype is None:
            settled.skips -= 1
            settled.last = result
            return result
        if result.dtype is settled.result_dtype and (
            settled.right_dtype is None or whole.dtype is settled.right_dtype
        ):
            return _as_before(settled, result)
    if t is float or t is int or t is str:
        place.plain = t
        return result
    kind = TYPES.get(t) if type(t) is type else _of_metaclass(t)
    if kind is None:
        kind = learn(t)
    recorder = _recorder
    if kind is not NOTHING and recorder is not None:
        recorder.taken(place.number, result, whole)
    return result


def CALL(place: Place, result: Any, base: Any, arguments: tuple[Any, ...], _: None = None) -> Any:  # noqa: N802  # the same
    """Take note of a call."""
    t = type(result)
    settled = place.settled
    if (
        t is settled.result
        and type(base) is settled.left
        and settled.skips
        and (settled.left_dtype is None or base.dtype is settled.left_dtype)
        and len(arguments) == len(settled.arguments)
    ):
        for argument, (of, dtype) in zip(arguments, settled.arguments, strict=True):
            if type(argument) is not of or (dtype is not None and argument.dtype is not dtype):
                break
        else:
            if settled.result_dtype is None:
                settled.skips -= 1
                settled.last = result
                return result
            if result.dtype is settled.result_dtype:
                return _as_before(settled, result)
    if t is float or t is int or t is str:
        place.plain = t
        return result
    kind = TYPES.get(t) if type(t) is type else _of_metaclass(t)
    if kind is None:
        kind = learn(t)
    recorder = _recorder
    if recorder is not None:
        if kind is not NOTHING:
            recorder.called(place.number, result, base, arguments)
        elif _is_compiled(base):
            recorder.ran(place.number, result, base, arguments)
    return result


def PUT(place: Place, result: Any, base: Any, arguments: tuple[Any, ...], _: None = None) -> Any:  # noqa: N802  # the same
    """Take note of a call that may store what it is given."""
    recorder = _recorder
    if recorder is not None and recorder.put(place.number, result, base, arguments):
        return result
    return CALL(place, result, base, arguments)


def INDEX(  # noqa: N802  # the same
    place: Place, index: Any, base: Any, value: Any, _: None = None
) -> Any:
    """Take note of what is about to be stored in part of a value."""
    t = type(base)
    settled = place.settled
    if (
        t is settled.left
        and type(value) is settled.right
        and settled.skips
        and base.dtype is settled.left_dtype
        and (settled.right_dtype is None or value.dtype is settled.right_dtype)
    ):
        settled.skips -= 1
        return index
    kind = TYPES.get(t) if type(t) is type else _of_metaclass(t)
    if kind is None:
        kind = learn(t)
    recorder = _recorder
    if (NOTHING < kind <= FRAME or kind == INDEXER) and recorder is not None:
        recorder.stored(place.number, index, base, value)
    return index


def _as_before(settled: Settled, result: Any) -> Any:
    """Count an array that a place gave as often before, and follow it."""
    settled.skips -= 1
    if settled.origin is not None:
        _followed[id(result)] = ref(result), settled.origin
        if not settled.is_view:
            settled.bytes += result.nbytes
    return result


def _of_metaclass(t: type) -> int | None:
    """Return what values of a type are, as far as it is known without running its metaclass."""
    meta = type(t)
    plain = meta.__hash__ is type.__hash__ and meta.__eq__ is type.__eq__
    return TYPES.get(t) if plain else NOTHING


def _is_array(value: Any) -> bool:
    t = type(value)
    return type(t) is type and TYPES.get(t) == NDARRAY


def _is_compiled(function: Any) -> bool:
    t = type(function)
    return type(t) is type and TYPES.get(t) == COMPILED


def ITERATE(values: Any) -> Any:  # noqa: N802  # the same
    """Return what a loop runs over such that the elements of an array are known to be its own."""
    recorder = _recorder
    if recorder is None or not _is_array(values) or values.ndim != 1:
        return values
    origin = recorder.values.get(values)
    return values if origin is None else recorder.elements(values, origin)


def KEEP(number: int, value: Any) -> Any:  # noqa: N802  # the same
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


def TAKE(number: int) -> Any:  # noqa: N802  # the same
    """Give up what was kept."""
    return _kept.pop((number, id(sys._getframe(1))), None)  # noqa: SLF001  # the same


def DROP(first: int, last: int) -> None:  # noqa: N802  # the same
    """Let go of what was kept for what an exception left out."""
    if _kept:
        frame = id(sys._getframe(1))  # noqa: SLF001  # the same
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


def FREE(value: Any) -> Any:  # noqa: N802  # the same
    """Hand an array on that nothing of the audit refers to any more."""
    global _freed  # noqa: PLW0603  # the last one
    recorder = _recorder
    if recorder is not None and _is_array(value):
        entry = recorder.values.followed.pop(id(value), None)
        _freed = id(value), entry and entry[1]
    return value


def FOLLOW(result: Any, value: Any) -> Any:  # noqa: N802  # the same
    """Refer to an array again."""
    global _freed
    (key, origin), _freed = _freed, (0, None)
    recorder = _recorder
    if origin is not None and key == id(value) and recorder is not None:
        recorder.values.put(value, NDARRAY, origin)
    return result


def HIDE(names: Any) -> Any:  # noqa: N802  # the same
    """Take the temporary variables out of what `locals`, `vars`, `dir` or a frame gave."""
    if type(names) is dict:
        for name in [name for name in names if is_ours(name)]:
            del names[name]
    elif type(names) is list:
        return [name for name in names if not is_ours(name)]
    elif type(names).__name__ == "FrameLocalsProxy" and any(map(is_ours, names)):
        return Shown(names)
    return names


def SPACES(function: Any) -> tuple[Any, ...]:  # noqa: N802  # the same
    """Return the namespaces that `eval` and `exec` use if none are given, without our variables."""
    if function is not eval and function is not exec:
        return ()
    frame = sys._getframe(1)  # noqa: SLF001  # the same
    names = frame.f_locals
    return frame.f_globals, HIDE(names if type(names) is dict else dict(names))
