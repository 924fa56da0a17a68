"""The namespace: rules, a backend, and the functions of the array API between the two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final

from ..core.dtype_names import by_name, names
from ..core.dtypes import DType
from ..core.errors import DTypeError, PromotionError
from ..core.explanation import Explanation
from ..core.operands import PYTHON_SCALARS, operand
from ..core.system import PromotionSystem
from ..core.systems import DEFAULT, system
from . import (
    backends,
    constants,
    creation,
    data_types,
    elementwise,
    fft,
    indexing,
    inspection,
    linalg,
    linear_algebra,
    manipulation,
    searching,
    sets,
    sorting,
    statistical,
    utility,
)
from .array import Array, Key, key_of
from .backends.base import Backend
from .context import IN_FORCE, decider
from .data_type import ScalarType, as_dtype
from .decide import Decider, Decision
from .extension import Extension, bind, missing
from .operand import as_array, as_operand, as_stored, is_array, is_operand, text_of
from .plan import Plan, plan, separated
from .views import How, check_writable, is_shared, share, written

VERSIONS: Final = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")

_CHAPTERS: Final = (
    creation, data_types, elementwise, indexing, inspection, linear_algebra, manipulation,
    searching, sets, sorting, statistical, utility,
)  # fmt: skip


_Plans = defaultdict[Decider, dict[str, Any]]


class Namespace:
    """The functions, constants and dtypes of the array API, under some rules, on some backend.

    `supremum.namespace` makes it. Besides what the standard names, it has our other dtypes, such
    as ``xp.bfloat16``.

    Attributes:
        backend: the name of the backend.
    """

    __array_api_version__ = VERSIONS[-1]

    def __init__(self, rules: PromotionSystem, backend: Backend) -> None:
        self._backend = backend
        self._decider = decider(rules)
        # for each set of rules and each function, a plan by the keys of one operand after another;
        # and the same for functions whose result is put into the first operand
        self._plans: _Plans = defaultdict(dict)
        self._plans_into: _Plans = defaultdict(dict)
        self._array = backend.array_type
        # whether arrays have to know which others share their elements: no memory does it for
        # them, or an operator in place may give another dtype
        self._tracks_views = not (backend.has_all_views and self._decider.operates_in_place)
        self.backend = backend.name
        self.__name__ = repr(self)
        bind(self, self, _CHAPTERS)
        for name, value in constants.CONSTANTS.items():
            setattr(self, name, value)

    @property
    def rules(self) -> PromotionSystem:
        """The rules that decide: those of the block that is in force, or else its own."""
        return self.decider.given

    @property
    def decider(self) -> Decider:
        """What decides, under those rules."""
        return IN_FORCE.get() or self._decider

    @cached_property
    def linalg(self) -> Extension:
        """The extension for linear algebra."""
        return Extension(self, "linalg", linalg)

    @cached_property
    def fft(self) -> Extension:
        """The extension for Fourier transforms."""
        return Extension(self, "fft", fft)

    def __getattr__(self, name: str) -> Any:
        if name not in names():
            raise missing(self, name)
        d = by_name(name)
        if not self._decider.knows(d):
            kinds = [self._dtype(n) for n in names() if by_name(n).kind == d.kind]
            instead = ", ".join(f"xp.{made}" for made in kinds if made)
            msg = f"{self} has no {name}: {self._decider.given.title} rules do not support it"
            raise AttributeError(f"{msg}; use one of {instead}" if instead else msg)
        try:
            self._backend.dtype(d)
        except DTypeError as error:
            raise AttributeError(f"{self}.{name}: {error}") from None
        made = ScalarType(self, d)
        setattr(self, name, made)
        return made

    def _dtype(self, name: str) -> ScalarType | None:
        """Return a dtype of the namespace, or None if its rules or its backend lack it."""
        d = by_name(name)
        return ScalarType(self, d) if self._decider.knows(d) and self._backend.has(d) else None

    def __dir__(self) -> list[str]:
        own = {name for name in super().__dir__() if not name.startswith("_")}
        info = {"__array_api_version__", "__array_namespace_info__"}
        return sorted(own | info | {name for name in names() if self._dtype(name)})

    def __repr__(self) -> str:
        rules = self._decider.given
        _, chosen = rules.shipped or (rules.name, ())
        options = "".join(f", {option}={value!r}" for option, value in chosen)
        return f"supremum.namespace({rules.name!r}{options}, backend={self.backend!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._decider.given, self.backend)

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
        why: Explanation = self.decider.rules.explain(*operands, op=op)
        others = [x for x in operands if is_array(x) and not isinstance(x, Array)]
        if others and any(isinstance(x, Array) for x in operands):
            library = operand(others[0]).library
            aside = f"one operand is an array of {self}, so its rules decide, not {library}'s"
            return why._replace(aside="; ".join(filter(None, (why.aside, aside))))
        return why

    def takes(self, x: Any) -> bool:
        """Tell whether something may be an operand beside an array."""
        return is_operand(x)

    def operate(self, name: str, /, *operands: Any, into: bool = False) -> Array:
        """Return a function of arrays and numbers, element by element.

        Args:
            name: the function.
            operands: arrays of the namespace or of NumPy, and Python numbers.
            into: whether the result is put into the first operand.

        Raises:
            PromotionError: if the rules refuse, or namespaces or libraries are mixed.
            DTypeError: if the backend lacks the dtype.
            OverflowError: if a Python int does not fit.
        """
        decider = IN_FORCE.get() or self._decider
        own, ranked = self._array, decider.ranked
        values = []
        try:
            found = (self._plans_into if into else self._plans)[decider][name]
            for x in operands:
                if type(x) is own and x._xp is self:
                    native = x.native
                    found = found[x._key.flat if ranked and not native.ndim else x._key]
                    values.append(native)
                else:
                    found = found[type(x)]
                    values.append(x)
        except KeyError:
            found, values = self._planned(decider, name, operands, into=into)
        run, key, check = found
        if check is not None:
            check(values)
        return own(self, run(*values), key)

    def _planned(
        self, decider: Decider, name: str, operands: Sequence[Any], *, into: bool
    ) -> tuple[Plan, list[Any]]:
        """Return a plan for operands that are new to `operate`, and their values."""
        ready = [as_operand(self, x) for x in operands]
        values = [x.native if isinstance(x, Array) else x for x in ready]
        keys = [decider.key(x) for x in ready]
        if None in keys:
            return plan(self, name, ready, into=into), values
        level = (self._plans_into if into else self._plans)[decider].setdefault(name, {})
        for key in keys[:-1]:
            level = level.setdefault(key, {})
        if keys[-1] not in level:
            level[keys[-1]] = plan(self, name, ready, into=into)
        return level[keys[-1]], values

    def operate_in_place(self, name: str, array: Array, value: Any) -> Array:
        """Return an array with the result of an operator put into it, if the rules do so.

        Views see it, as they see what is stored in the array. Under rules that have no operators
        in place, as JAX's, the array takes the dtype and the shape of the result.

        Raises:
            PromotionError: if the rules do not let the array take the result, or if it would get
                another dtype or shape than an array that shares its elements.
            ValueError: if the result has another shape, or the array was broadcast.
        """
        check_writable(f"{name} in place", array)
        if self.decider.operates_in_place:
            array.native = self.operate(name, array, value, into=True).native
        else:
            found = self.operate(name, array, value)
            alike = found._key.dtype is array._key.dtype and found.shape == array.shape
            if not alike and is_shared(array):
                raise separated(self, name, array, value, found)
            if alike and self._backend.is_mutable:
                array.native = self._backend.put(array.native, ..., found.native)
            else:
                array.native = found.native
                array._view = array._view if alike else None
            array._key = found._key
        written(array)
        return array

    def _on_ufunc(
        self, ufunc: Any, method: str, inputs: Sequence[Any], given: dict[str, Any]
    ) -> Any:
        """Return what a ufunc of NumPy or SciPy gives."""
        from .ufuncs import apply_ufunc  # it imports NumPy, which asks

        return apply_ufunc(self, ufunc, method, inputs, given)

    def _on_function(self, function: Any, args: Sequence[Any], given: dict[str, Any]) -> Any:
        """Return what a function of NumPy gives."""
        from .numpy_functions import apply_function  # the same

        return apply_function(self, function, args, given)

    # arrays

    def _for_store(self, array: Array, value: Any) -> Any:
        """Return what is stored in part of an array, in its dtype."""
        return as_stored(self, array, value)

    def _taken(self, x: Any) -> Array:
        """Return an operand as an array of this namespace."""
        return as_array(self, x)

    def _wrap(self, native: Any, d: DType, weak: bool = False) -> Array:  # noqa: FBT002  # few are
        """Return an array of the backend as one of ours, in a dtype."""
        return self._array(self, self._backend.as_result(native, d), key_of(d, weak))

    def _same(self, native: Any, key: Key) -> Array:
        """Return an array of the backend that has the dtype of another."""
        return self._array(self, native, key)

    def _viewed(self, x: Array, how: How, *, is_copy: bool | None = None) -> Array:
        """Return an array that shares elements with another.

        Args:
            x: the other array.
            how: how its elements lie in the other one.
            is_copy: whether the backend copies them; by default if its arrays cannot be changed.
        """
        made = self._array(self, how.read(x.native), x._key)
        if not self._tracks_views and how.write is not None:
            return made
        copies = not self._backend.is_mutable if is_copy is None else is_copy
        return share(x, made, how, is_copy=copies)

    def _decide(self, name: str, /, *operands: Any) -> Decision:
        """Return what results from a function of operands.

        Raises:
            PromotionError: if the rules refuse.
        """
        try:
            return self.decider.decide(name, *operands)
        except PromotionError as error:
            raise PromotionError(
                f"on the {self.backend} backend: {error}",
                error.operands, error.system, error.setting, error.candidates,
            ) from None  # fmt: skip

    def _call(self, name: str, d: DType, /, *arguments: Any, **options: Any) -> Any:
        """Return what a function of the backend gives, on data of some dtype; see `_asked`."""
        return self._asked(name, d, self._backend.function(name), *arguments, **options)

    def _asked(
        self, name: str, d: DType, run: Callable[..., Any], /, *arguments: Any, **options: Any
    ) -> Any:
        """Return what the backend gives for a function, on data of some dtype.

        Raises:
            DTypeError: if it does not support the dtype.
        """
        try:
            return run(*arguments, **options)
        except DTypeError as error:
            refusal = error
        except Exception as error:
            if not self._backend.is_refusal(error):
                raise
            refusal = self._backend.refusal(name, d, error)
        of = text_of([x for x in arguments if self._backend.is_own(x)])
        what = f"{name} of {of}" if of else name
        msg = f"{what} is computed in {d} under {self.rules.title} rules, but {refusal}"
        raise DTypeError(msg, d) from refusal.__cause__

    def _ready(self, x: Any, d: DType, device: Any) -> Any:
        """Return an operand as an array of the backend in a dtype."""
        if type(x) in PYTHON_SCALARS:
            return self.asarray(x, dtype=d, device=device).native
        return self._backend.cast(self._taken(x).native, d)

    def _reduced(self, name: str, x: Any, dtype: Any = None, **options: Any) -> Array:
        """Return what a function makes of the elements along some axes."""
        x = self._taken(x)
        if dtype is None:
            d, weak, compute = self._decide(name, x)
        else:
            d = compute = self.decider.own(as_dtype(dtype))
            weak = False
        found = self._asked(name, compute, self._backend.reduce, name, x.native, compute, **options)
        return self._wrap(found, d, weak)

    def _complex(self, d: DType) -> DType:
        """Return the complex dtype with parts of a float dtype, or the least one wider."""
        return d if d.kind == "complex" else by_name("complex128" if d.bits == 64 else "complex64")

    def text(self, x: Array) -> str:
        """Return the `repr` of an array."""
        weak = ", weak_type=True" if x.weak_type else ""
        return self._backend.text(x.native, f"dtype={x._key.dtype}{weak}")


_made: dict[tuple[PromotionSystem, str], Namespace] = {}


def namespace(
    rules: str | PromotionSystem = DEFAULT, *, backend: str = backends.DEFAULT, **options: Any
) -> Namespace:
    """Return the array API's namespace under some rules, computed by the library that you name.

    There is one for each set of rules and each backend.

    Args:
        rules: the name of a set of rules, or rules of your own.
        backend: ``"numpy"``, ``"torch"``, ``"jax"``, ``"dask"`` or ``"cupy"``.
        options: those of the rules, such as ``x64=False``.

    Raises:
        RulesError: for unknown rules, options or backends.
        ImportError: if the library is not installed, with what to type.

    >>> import supremum
    >>> xp = supremum.namespace("jax", backend="numpy")
    >>> xp.ones(2, dtype=xp.int32) + xp.ones(2, dtype=xp.float16)
    Array([2., 2.], dtype=float16)
    """
    chosen, library = system(rules, **options), backends.load(backend)
    key = chosen, backend
    if key not in _made:
        _made.setdefault(key, Namespace(chosen, library))
    return _made[key]


def _again(rules: PromotionSystem, backend: str) -> Namespace:
    return namespace(rules, backend=backend)
