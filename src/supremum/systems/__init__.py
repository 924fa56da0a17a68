"""The rules that ship with Supremum, by name; each is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from supremum.dtypes import DType
from supremum.errors import RulesError, did_you_mean
from supremum.explain import Explanation
from supremum.memo import Pairs
from supremum.system import NOTHING, PromotionSystem

_JAX: Final = "jax"

# The module of each set of rules. Its function `build` takes the options, as keywords.
_MODULES = {
    _JAX: "jax",
    "jax-original": "jax_original",
    "jax-lax": "jax_lax",
    "numpy": "numpy",
    "numpy-legacy": "numpy_legacy",
    "torch": "torch",
    "tensorflow": "tensorflow",
    "keras": "keras",
    "mlx": "mlx",
    "tinygrad": "tinygrad",
    "paddle": "paddle",
    "cupy": "cupy",
    "dask": "dask",
    "polars": "polars",
    "pyarrow": "pyarrow",
    "pandas": "pandas",
    "python": "python",
    "array-api": "array_api",
    "jep9407-categories": "jep9407",
    "jep9407-scalars": "jep9407",
    "jep9407-float-complex": "jep9407",
    "jep9407-integers": "jep9407",
    "jep9407-option0": "jep9407",
    "jep9407-option1": "jep9407",
    "jep9407-option2": "jep9407",
    "jep9407-option3": "jep9407",
    "jep9407-option3-bfloat16": "jep9407",
}

# The answers of the default rules, shared with them, so that the functions below look there first.
_promoted: Pairs = {}
_of_pair: dict[tuple[Any, ...], DType] = {}
_of_dtypes: dict[tuple[Any, ...], DType] = {}


def systems() -> tuple[str, ...]:
    """Return the names of the rules that `system` knows.

    >>> "jax" in systems()
    True
    """
    return tuple(_MODULES)


def system(name: str | PromotionSystem, **options: Any) -> PromotionSystem:
    """Return the promotion rules of this name.

    Args:
        name: one of `systems`; or rules, which are returned as they are.
        options: what the rules may be asked, such as ``x64=False``; see `options`.

    Raises:
        RulesError: for an unknown name or option, or a value that the option does not take.

    >>> system("jax", x64=False).result_type(1)
    supremum.dtype('int32')
    """
    if isinstance(name, PromotionSystem):
        if options:
            raise RulesError(f"{name.name} rules are made already; give options to a name", name)
        return name
    if not isinstance(name, str):
        raise RulesError(f"rules are named by a text such as 'jax', not by {name!r}", name)
    _check(name, options)
    return _built(name, **options)


def options(name: str) -> dict[str, tuple[Any, ...]]:
    """Return the options of some rules: for each the values it takes, the default first.

    >>> options("jax")
    {'x64': (True, False), 'mode': ('standard', 'strict')}
    """
    build = _builder(name)
    hints = get_type_hints(build) if build.__kwdefaults__ else {}
    found = {}
    for option, default in (build.__kwdefaults__ or {}).items():
        hint = hints[option]
        values = get_args(hint) if get_origin(hint) is Literal else (True, False)
        found[option] = (default, *(value for value in values if value != default))
    return found


def promote_types(
    a: Any = NOTHING, b: Any = NOTHING, /, *more: Any, system: str | PromotionSystem = _JAX
) -> DType:
    """Return the dtype that these dtypes promote to; see `PromotionSystem.promote_types`.

    Args:
        a: a full name, one of Python's number types, or a dtype of any library.
        b: another, if there is one.
        more: any number of others.
        system: the rules, or their name.

    >>> promote_types("int32", "float16")
    supremum.dtype('float16')
    >>> promote_types("int32", "float16", system="jep9407-option2")
    supremum.dtype('float32')
    """
    if system is _JAX and not more:
        try:
            return _promoted[a][b]
        except (KeyError, TypeError):
            pass
    return _named(system).promote_types(a, b, *more)


def result_type(
    a: Any = NOTHING,
    b: Any = NOTHING,
    /,
    *more: Any,
    system: str | PromotionSystem = _JAX,
    op: str | None = None,
) -> DType:
    """Return the dtype that an operation on these gives; see `PromotionSystem.result_type`.

    Args:
        a: an array or a scalar of any library, a Python number, or a dtype.
        b: another, if there is one.
        more: any number of others.
        system: the rules, or their name.
        op: the operator, such as ``"true_divide"``; without one, what operands share.

    >>> result_type("int16", 1)
    supremum.dtype('int16')
    >>> result_type("int32", "int32", op="true_divide")
    supremum.dtype('float32')
    """
    if system is _JAX and op is None:
        try:
            if more:
                return _of_dtypes[a, b, *more]
            return _of_pair[type(a), getattr(a, "dtype", None), type(b), getattr(b, "dtype", None)]
        except (KeyError, TypeError):  # not seen yet, or without a hash
            pass
    return _named(system).result_type(a, b, *more, op=op)


def explain(
    *operands: Any, system: str | PromotionSystem = _JAX, op: str | None = None
) -> Explanation:
    """Return why these operands give the dtype that they give; see `PromotionSystem.explain`.

    Args:
        operands: arrays and scalars of any library, Python numbers, and dtypes.
        system: the rules, or their name.
        op: an operator, as there.

    >>> explain("int16", 1).result
    supremum.dtype('int16')
    """
    return _named(system).explain(*operands, op=op)


_of_this_name = system


def _named(rules: str | PromotionSystem) -> PromotionSystem:
    return rules if isinstance(rules, PromotionSystem) else _of_this_name(rules)


@cache
def _built(name: str, **options: Any) -> PromotionSystem:
    global _promoted, _of_pair, _of_dtypes  # noqa: PLW0603  # set once, when they are first needed
    built = _builder(name)(**options)
    built.made_by = partial(system, name, **options)
    if name == _JAX and not options:
        # the same stores, not copies
        _promoted = built._promoted  # noqa: SLF001  # shared on purpose
        _of_pair, _of_dtypes = built._of_pair, built._of_dtypes  # noqa: SLF001  # the same
    return built


@cache
def _builder(name: str) -> Callable[..., PromotionSystem]:
    if name not in _MODULES:
        hint, close = did_you_mean(name, systems())
        more = hint or f"; there are {', '.join(systems())}"
        raise RulesError(f"there are no rules named {name!r}{more}", name, close)
    module = import_module(f"supremum.systems.{_MODULES[name]}")
    build: Callable[..., PromotionSystem] = (
        module.builder(name) if hasattr(module, "builder") else module.build
    )
    return build


def _check(name: str, given: dict[str, Any]) -> None:
    if not given:
        return
    known = options(name)
    for option, value in given.items():
        if option not in known:
            hint, close = did_you_mean(option, list(known))
            more = hint or (f"; they have {', '.join(known)}" if known else "; they have none")
            raise RulesError(f"{name} rules have no option {option!r}{more}", option, close)
        if not any(value is v or (value == v and isinstance(v, str)) for v in known[option]):
            values = " or ".join(map(repr, known[option]))
            raise RulesError(f"{name} rules: {option} is {values}, not {value!r}", value)
