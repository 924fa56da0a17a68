"""Conversion: of numbers, nested lists, and arrays of any library."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import partial
from typing import Any, Final

from ..core.answers import LARGEST, SMALLEST
from ..core.dtypes import PYTHON_SCALARS, DType, by_name
from .array import WHOLE, Array, as_dtype, imaginary_part_lost
from .backends import load
from .decide import IN_FORCE
from .engine import Engine
from .views import alike

_WIDER: Final = ("int16", "int32", "int64", "uint64")


def asarray(
    engine: Engine, obj: Any, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None
) -> Array:
    """Convert a number, nested lists of numbers, or an array of any library to an array.

    A Python number alone is weak if the rules have weak arrays.

    Args:
        engine: what decides and computes.
        obj: what to convert.
        dtype: the dtype; by default that of `obj`, or the rules' default for Python's numbers.
        device: the device.
        copy: whether to copy: always, never, or if None only if it is necessary.

    Raises:
        OverflowError: if a Python int does not fit.
        DTypeError: if the backend lacks the dtype.
        ValueError: if a copy is necessary but not allowed.
    """
    if device is not None or IN_FORCE.get():
        return _converted(engine, obj, dtype, device, copy)
    given = type(obj)
    try:
        if given is engine.array_type and obj.engine is engine:
            given = obj.key
        elif given in engine.plain_types:
            given = obj.dtype
        elif given is list:
            given = _kind_of(obj)
        cast, key, bounds = engine.taken[copy][given][dtype]
    except (KeyError, TypeError):  # which is what a dtype raises that has no hash
        x = _converted(engine, obj, dtype, None, copy)
        if isinstance(dtype, Hashable) and copy is not False:
            _plan(engine, obj, dtype, copy, x)
        return x
    if key is None:
        return obj  # type: ignore[no-any-return]  # it is an array
    if bounds is not None and not _is_within(obj, *bounds):
        return _converted(engine, obj, dtype, None, copy)
    made = engine.array_type()  # as `engine.same` does, whose call takes as long as this
    made.engine = engine
    made.native = obj if cast is None else cast(obj)
    made.key = key
    made.sharing = None
    return made


_LISTS: Final[dict[type, str]] = {bool: "bools", int: "ints", float: "floats"}
_OF_INTS: Final = int, _LISTS[int]
_OF_NUMBERS: Final = *_OF_INTS, bool, float, _LISTS[bool], _LISTS[float]


def _kind_of(x: Any) -> Any:
    """Return the type of a number, and of a list that of its numbers, None if there are others."""
    if type(x) is not list:
        return type(x)
    kinds = {*map(type, x)}
    return _LISTS.get(kinds.pop()) if len(kinds) == 1 else None


def _is_within(x: Any, least: int, largest: int) -> bool:
    """Return whether an int, or all ints of a list, are within bounds."""
    if type(x) is int:
        return least <= x <= largest
    return least <= min(x) and max(x) <= largest  # type: ignore[no-any-return]  # it is a bool


def _plan(engine: Engine, obj: Any, dtype: Any, copy: bool | None, made: Array) -> None:
    """Keep how an array was made of an array or Python numbers, if others like it are, too."""
    d, given, backend = made.key.dtype, type(obj), engine.backend
    key: Any = made.key
    bounds = None
    if given is engine.array_type and obj.engine is engine:
        given, cast = obj.key, None
        if made is obj:
            key = None
        elif made.native is obj.native:
            return
        else:
            cast = _of_native(backend.copied if given.dtype is d else partial(backend.cast, d=d))
    elif given in engine.plain_types:
        given = obj.dtype
        cast = partial(backend.cast, d=d) if backend.is_own(obj) else backend.making(d)
        if copy and backend.is_own(obj) and backend.of(obj) is d:
            cast = backend.copied
        elif made.native is obj:
            cast = None
    else:
        given, cast = _kind_of(obj), backend.making(d)
        if not _is_kept(engine, given, d, dtype):
            return
        if given in _OF_INTS and d.kind in WHOLE:
            bounds = max(SMALLEST, int(d.min)), min(LARGEST, int(d.max))
    engine.taken[copy].setdefault(given, {})[dtype] = cast, key, bounds


def _is_kept(engine: Engine, given: Any, d: DType, dtype: Any) -> bool:
    """Return whether Python numbers are made arrays of a dtype whatever their values within it."""
    if given not in _OF_NUMBERS or engine.decider.valued:
        return False
    if given == _LISTS[int] and dtype is None:  # some may be larger than the default dtype holds
        return d is engine.decider.defaults.int
    return given not in _OF_INTS or d.kind in WHOLE


def _of_native(function: Callable[[Any], Any]) -> Callable[[Array], Any]:
    """Return a function of what an array holds."""
    return lambda x: function(x.native)


def _converted(engine: Engine, obj: Any, dtype: Any, device: Any, copy: bool | None) -> Array:
    """Return anything as an array, as `asarray` does, without a plan."""
    backend = engine.backend
    given, d, weak = _given(engine, obj)
    wanted = _wanted(engine, d, dtype)
    is_own, is_weak = backend.is_own(given), weak and dtype is None and engine.decider.keeps_weak
    if is_own and d is wanted and device in (None, backend.device(given)):
        if isinstance(obj, Array) and not copy:
            return obj if obj.engine is engine and weak == is_weak else alike(engine, obj, is_weak)
        native = backend.copied(given) if copy else backend.as_result(given, d)
        return engine.wrap(native, wanted, is_weak)
    if copy is False:
        raise ValueError(f"cannot make an array of {wanted} from this without a copy")
    if is_own:
        native = backend.cast(given, wanted)
        native = native if device is None else backend.to_device(native, device)
    else:
        check_ints(engine, given, wanted)
        plain = _plain(given, is_float=wanted.kind == "float")
        native = backend.make(plain, wanted, device)
    return engine.wrap(native, wanted, is_weak)


def _wanted(engine: Engine, d: DType, dtype: Any) -> DType:
    """Return the dtype of an array that is made of one of another dtype."""
    wanted = engine.decider.own(d if dtype is None else as_dtype(dtype))
    if d.kind == "complex" and wanted.kind not in ("complex", "bool"):
        raise imaginary_part_lost(d, wanted)
    return wanted


def _given(engine: Engine, obj: Any) -> tuple[Any, DType, bool]:
    """Return what an array is made of, its dtype, and whether it is weak."""
    backend = engine.backend
    if isinstance(obj, Array):
        theirs = obj.engine.backend
        given = obj.native if theirs is backend else theirs.to_numpy(obj.native)
        return given, obj.key.dtype, obj.key.weak
    if backend.is_own(obj):
        return obj, backend.of(obj), bool(getattr(obj, "weak_type", False))
    given = _readable(obj)
    return given, *_read(engine, given)


def _readable(obj: Any) -> Any:
    """Return anything but an array of ours as a number, nested lists, or an array of a library."""
    if type(obj).__module__.partition(".")[0] == "torch" and hasattr(obj, "requires_grad"):
        if obj.requires_grad:
            raise ValueError("a tensor that requires a gradient would lose it; pass x.detach()")
        return load("torch").to_numpy(obj)
    if type(obj) in PYTHON_SCALARS or hasattr(obj, "dtype") or isinstance(obj, (list, tuple)):
        return obj
    for kind in PYTHON_SCALARS:
        if isinstance(obj, kind):
            return kind(obj)
    if isinstance(obj, range):
        return list(obj)
    import numpy as np

    try:
        return np.asarray(memoryview(obj))
    except TypeError:
        if hasattr(obj, "__array__"):
            return np.asarray(obj)
    raise TypeError(f"cannot create an array from {obj!r}; pass numbers, lists or an array")


def _read(engine: Engine, obj: Any) -> tuple[DType, bool]:
    """Return the dtype of anything but an array of ours, and whether it is weak."""
    if type(obj) in PYTHON_SCALARS:
        return _of_number(engine, obj)
    if hasattr(obj, "dtype"):
        return as_dtype(obj.dtype), bool(getattr(obj, "weak_type", False))
    if _is_flat(obj):
        kinds = list({type(x): x for x in obj}.values())
    else:
        kinds = list({(type(x), getattr(x, "dtype", None)): x for x in _leaves(obj)}.values())
        for x in kinds:
            if not isinstance(x, (bool, int, float, complex)) and not hasattr(x, "dtype"):
                raise TypeError(f"{x!r} in a {type(obj).__name__} is neither a number nor an array")
        _check_lengths(obj)
    if not kinds:
        return engine.decider.defaults.float, False
    if all(type(x) in PYTHON_SCALARS for x in kinds):
        order = list(PYTHON_SCALARS)
        widest = max((type(x) for x in kinds), key=order.index)
        if widest is bool:
            return PYTHON_SCALARS[bool], False
        default = getattr(engine.decider.defaults, widest.__name__)
        return _of_ints(engine, obj, default) if widest is int else default, False
    return engine.decider.rules.result_type(*kinds), False


def _is_flat(obj: Any) -> bool:
    """Return whether a list has Python numbers alone."""
    return PYTHON_SCALARS.keys() >= {*map(type, obj)}


def _of_ints(engine: Engine, obj: Any, default: DType) -> DType:
    """Return the dtype of lists of ints, which may be larger than the default one holds."""
    low, high = default.min, default.max
    fits = [low <= x <= high for x in _leaves(obj)]
    if all(fits):
        return default
    large = [x for x, is_small in zip(_leaves(obj), fits, strict=True) if not is_small]
    shared = {_of_number(engine, x)[0] for x in large} | ({default} if any(fits) else set())
    return engine.decider.rules.result_type(*shared)


def _leaves(obj: Any) -> Iterator[Any]:
    for x in obj:
        if isinstance(x, (list, tuple)):
            yield from _leaves(x)
        else:
            yield x


def _check_lengths(obj: Any) -> None:
    """Refuse lists whose lengths differ."""
    shapes = {_shape_of(x) for x in obj}
    if len(shapes) > 1:
        found = " and ".join(map(str, sorted(shapes)))
        raise ValueError(f"lists in a {type(obj).__name__} must have one shape, got {found}")


def _shape_of(x: Any) -> tuple[int, ...]:
    if not isinstance(x, (list, tuple)):
        return tuple(getattr(x, "shape", ()))
    _check_lengths(x)
    return (len(x), *(_shape_of(x[0]) if x else ()))


def _of_number(engine: Engine, number: Any) -> tuple[DType, bool]:
    """Return the dtype of an array of one Python number, and whether it is weak."""
    decider = engine.decider
    key = decider.key(number)
    found = decider.numbers.get(key)
    if found is None:
        found = decider.of_number(number)
        if key is not None:
            decider.numbers[key] = found
    return found


def check_ints(engine: Engine, obj: Any, d: DType) -> None:
    """Refuse Python ints that an integer dtype does not hold.

    Raises:
        OverflowError: with a dtype that holds them.
    """
    if d.kind not in WHOLE:
        return
    leaves = _leaves(obj) if isinstance(obj, (list, tuple)) else (obj,)
    for x in leaves:
        if type(x) is int and not d.min <= x <= d.max:
            msg = f"{x} does not fit {d}, which goes from {d.min} to {d.max}"
            raise OverflowError(f"{msg}; give it a wider dtype, such as xp.{fitting(engine, x)}")


def _plain(obj: Any, *, is_float: bool) -> Any:
    """Return nested lists with NumPy's arrays instead of ours, and floats instead of large ints."""
    if isinstance(obj, (list, tuple)):
        is_plain = not is_float and _is_flat(obj)
        return obj if is_plain else [_plain(x, is_float=is_float) for x in obj]
    if is_float and type(obj) is int:  # narrow floats take no large ones
        return float(obj)
    return obj.engine.backend.element(obj.native) if isinstance(obj, Array) else obj


def fitting(engine: Engine, number: int) -> DType:
    """Return a dtype of the namespace that holds an int, or its default float dtype."""
    wide = [d for d in map(by_name, _WIDER) if engine.decider.knows(d)]
    return next((d for d in wide if d.min <= number <= d.max), engine.decider.defaults.float)
