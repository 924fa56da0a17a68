"""The namespace: rules, a backend, and the functions of the array API between the two."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from ..core.dtypes import by_name, names
from ..core.errors import DTypeError, RulesError, did_you_mean
from ..core.explanation import Explanation
from ..core.operands import operand
from ..core.system import PromotionSystem
from ..core.systems import DEFAULT, system
from . import (
    backends,
    creation,
    data_types,
    elementwise,
    fft,
    indexing,
    inspection,
    linalg,
    manipulation,
    reductions,
    searching,
)
from .array import Array, DataType
from .backends.base import Backend
from .engine import Engine
from .extension import CONSTANTS, Extension, bind, missing
from .functions import PLANNED
from .interop import introduce
from .operand import is_array
from .operations import operate, planned
from .operators import add_hints, add_operators
from .plan import Plan

if TYPE_CHECKING:  # what `bind` and `__getattr__` give
    from .signatures import FourierTransforms, Functions, LinearAlgebra
else:
    Functions, LinearAlgebra, FourierTransforms = object, Extension, Extension

VERSIONS: Final = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")

_CHAPTERS: Final = (
    creation, data_types, elementwise, indexing, inspection, manipulation, reductions,
    searching,
)  # fmt: skip


add_operators()
add_hints({name for chapter in _CHAPTERS for name in chapter.__all__})


class Namespace(Functions):
    """The functions, constants and dtypes of the array API, under some rules, on some backend.

    `supremum.namespace` makes it. Besides what the standard names, it has our other dtypes, such
    as ``xp.bfloat16``.

    Attributes:
        backend: the name of the backend.
        linalg: the extension for linear algebra.
        fft: the extension for Fourier transforms.
    """

    __array_api_version__ = VERSIONS[-1]

    def __init__(self, rules: PromotionSystem, backend: Backend) -> None:
        self.engine = Engine(rules, backend, self)
        self.backend = backend.name
        self.__name__ = repr(self)
        bind(self, self.engine, _CHAPTERS)
        self.linalg = LinearAlgebra(self.engine, "linalg", linalg)
        self.fft = FourierTransforms(self.engine, "fft", fft)
        for name, value in CONSTANTS.items():
            setattr(self, name, value)

    @property
    def rules(self) -> PromotionSystem:
        """The rules that decide: those of the block that is in force, or else its own."""
        return self.engine.rules

    if not TYPE_CHECKING:  # to whom other names are mistakes

        def __getattr__(self, name: str) -> Any:
            if name not in names():
                raise missing(self, name)
            d, decider = by_name(name), self.engine.own_decider
            if not decider.knows(d):
                kinds = [self._dtype(n) for n in names() if by_name(n).kind == d.kind]
                instead = ", ".join(f"xp.{made}" for made in kinds if made)
                msg = f"{self} has no {name}: {decider.given.title} rules do not support it"
                raise AttributeError(f"{msg}; use one of {instead}" if instead else msg)
            try:
                self.engine.backend.dtype(d)
            except DTypeError as error:
                raise AttributeError(f"{self}.{name}: {error}") from None
            made = self.engine.backend.dtype_type(d, self.engine)
            setattr(self, name, made)
            return made

    def _dtype(self, name: str) -> DataType | None:
        """Return a dtype of the namespace, or None if its rules or its backend lack it."""
        d, engine = by_name(name), self.engine
        known = engine.own_decider.knows(d) and engine.backend.has(d)
        return engine.backend.dtype_type(d, engine) if known else None

    def __dir__(self) -> list[str]:
        own = {name for name in super().__dir__() if not name.startswith("_")}
        info = {"__array_api_version__", "__array_namespace_info__"}
        return sorted(own | info | {name for name in names() if self._dtype(name)})

    def __repr__(self) -> str:
        return repr(self.engine)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.engine.own_decider.given, self.backend)

    def on(self, backend: str) -> Namespace:
        """Return the namespace under the same rules that another library computes."""
        return namespace(self.engine.own_decider.given, backend=backend)

    def of_version(self, version: str | None) -> Namespace:
        """Return the namespace for a version of the standard, which is the same for all.

        Raises:
            ValueError: for an unknown version.
        """
        if version not in (None, *VERSIONS):
            known = ", ".join(VERSIONS)
            raise ValueError(f"{version!r} is not a version of the array API; it has {known}")
        return self

    # what decides

    def explain(self, *operands: Any, op: str | None = None) -> Explanation:
        """Return why some operands give the dtype that they give here.

        The rules of the namespace decide as soon as one operand is an array of it. They did not
        decide what another library computed before that, such as ``np.int16(1) + 1``.

        Args:
            operands: arrays of it or of other libraries, dtypes, Python numbers.
            op: a function of the namespace, such as ``"add"``; without one, what they share.

        Raises:
            PromotionError: if the rules refuse.
        """
        why: Explanation = self.engine.decider.rules.explain(*operands, op=op)
        others = [x for x in operands if is_array(x) and not isinstance(x, Array)]
        if others and any(isinstance(x, Array) for x in operands):
            library = operand(others[0]).library
            aside = f"one operand is an array of {self}, so its rules decide, not {library}'s"
            return why._replace(note="; ".join(filter(None, (why.note, aside))))
        return why

    def operate(self, name: str, /, *operands: Any) -> Array:
        """Return a function of arrays and numbers, element by element, by its name."""
        return operate(self.engine, name, operands)

    def plan(self, name: str, /, *operands: Any) -> Plan:
        """Return what computes a function of operands: dtypes to compare and to print.

        Args:
            name: the function.
            operands: arrays of the namespace or of NumPy, and Python numbers.

        Raises:
            PromotionError: if the rules refuse.
            DTypeError: if the backend lacks the dtype.
            TypeError: for another number of operands.
            ValueError: for a function without plans.
        """
        if name not in PLANNED:
            hint, _ = did_you_mean(str(name), PLANNED)
            raise ValueError(
                f"{name!r} is not a function with a plan, such as 'add' or 'sum'{hint}"
            )
        if not operands:
            raise TypeError(f"plan takes the operands of {name} after its name, as in 'x, y'")
        return planned(self.engine, name, operands)[0]

    def on_ufunc(
        self, ufunc: Any, method: str, inputs: Sequence[Any], given: dict[str, Any]
    ) -> Any:
        """Return what a ufunc of NumPy or SciPy gives."""
        from .ufuncs import apply_ufunc  # it imports NumPy, which asks

        return apply_ufunc(self, ufunc, method, inputs, given)

    def on_function(self, function: Any, args: Sequence[Any], given: dict[str, Any]) -> Any:
        """Return what a function of NumPy gives."""
        from .numpy_functions import apply_function  # the same

        return apply_function(self, function, args, given)


_OF_NAME: Final = (
    "namespace({0!r}) computes in NumPy by {0}'s rules: say backend={0!r} for arrays of {0}, or "
    "backend='numpy'"
)
_made: dict[tuple[PromotionSystem, str], Namespace] = {}


def namespace(
    rules: str | ModuleType | PromotionSystem | None = None,
    backend: str | ModuleType | None = None,
    **options: Any,
) -> Namespace:
    """Return the array API's namespace under some rules, computed by the library that you name.

    There is one for each set of rules and each backend.

    Args:
        rules: the name of a set of rules, or rules of your own; or a library, as a module; by
            default ``"jax"``.
        backend: ``"numpy"``, ``"torch"``, ``"jax"``, ``"dask"`` or ``"cupy"``, or the library as a
            module; by default that of the rules, if these are a module, or else ``"numpy"``. A name
            that is that of an imported library, such as ``"torch"``, warns if nothing else is said.
        options: those of the rules, such as ``x64=False``.

    Raises:
        RulesError: for unknown rules, options or backends.
        ImportError: if the library is not installed, with what to type.

    >>> import supremum
    >>> xp = supremum.namespace("jax", backend="numpy")
    >>> xp.ones(2, dtype=xp.int32) + xp.ones(2, dtype=xp.float16)
    supremum.Array([2., 2.], dtype=float16)
    """
    if "system" in options:
        what = "namespace takes the rules first, and what computes as backend"
        computes = backends.of_module(rules) if isinstance(rules, ModuleType) else rules
        named = f"namespace({options['system']!r}, backend={computes!r})"
        raise RulesError(f"{what}: type {named}", options["system"])
    introduce()
    if isinstance(backend, ModuleType):
        backend = backends.of_module(backend)
    if backend is None:
        backend = backends.of_module(rules)
        is_library = isinstance(rules, str) and rules in backends.NAMES
        if is_library and not options and rules != backend and rules in sys.modules:
            warnings.warn(_OF_NAME.format(rules), stacklevel=2)
    chosen = system(DEFAULT if rules is None else rules, **options)
    library = backends.load(backend)
    key = chosen, backend
    if key not in _made:
        _made.setdefault(key, Namespace(chosen, library))
    return _made[key]


def _again(rules: PromotionSystem, backend: str) -> Namespace:
    return namespace(rules, backend=backend)
