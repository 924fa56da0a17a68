"""The engine: rules that decide and a backend that computes, for the functions to stand on."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Final

from ..core.dtypes import DType
from ..core.errors import DTypeError, PromotionError
from ..core.system import PromotionSystem
from .array import Array, Key, key_of
from .backends.base import Backend
from .decide import IN_FORCE, Decider, Decision, decider, text_of

Plans = defaultdict[Decider, dict[Any, Any]]
"""For each set of rules and each function, a plan by the keys of one operand after another.

A function that is given the dtype of its result is found by its name and that dtype, and one that
puts its result into its first operand by its name and `INTO`. The plan is behind `END`, as other
operands may follow those that a function was called with.
"""

Pairs = defaultdict[str, dict[Key, dict[Key, tuple[Callable[..., Any], Key]]]]
"""For each operator, what computes it of two arrays, by their keys, with the key of the result."""

Singles = defaultdict[str, dict[Key, tuple[Callable[..., Any], Key]]]
"""For each function of one array, what computes it, by its key, with the key of the result."""

Within = defaultdict[str, dict[Key, dict[Key, Callable[..., Any]]]]
"""For each operator, what puts its result into the first of two arrays, by their keys."""

END = ""
INTO: Final = "into"
"""Stands for the dtype of a result that is put into the first operand."""

_AS_ELSEWHERE: Final = re.compile(r"x\.to\(torch\.(\w+)\)")
_HERE: Final = r"x.astype('\1')"
"""A cast as programs of a library write it, and as those of a namespace do."""


class Engine:
    """Rules, a backend, and the plans that were made for the two.

    The functions of a namespace take it first; arrays refer to it.

    Args:
        rules: the rules.
        backend: the backend.
        namespace: what binds the functions; arrays give it as theirs.

    Attributes:
        backend: the backend.
        array_type: the class of our arrays that hold its.
        namespace: what binds the functions.
        plans: those for functions.
        pairs: what operators do with two arrays, if their keys alone decide; None if dimensions do.
        singles: what functions do with one array, if its key alone decides; None if dimensions do.
        within: what puts what operators give of two arrays into the first, which keeps its key.
        plain_types: see `Backend`.
        taken: how `asarray` takes arrays, Python numbers and lists of them under the own rules: by
            whether they are copied; by the dtypes of arrays, the keys of ours, and the types of
            numbers; and by the dtypes that are asked for. What casts them, or None; the key of the
            result, or None if it is the operand; and the least and the largest int, or None.
        native_type, from_scalar, checks_stores, takes_indices, element_of: see `Backend`.
        shares_back: whether a part that is turned around shares memory.
    """

    def __init__(self, rules: PromotionSystem, backend: Backend, namespace: Any) -> None:
        self.own_decider = decider(rules)
        self.backend = backend
        self.array_type = backend.array_type
        self.namespace = namespace
        self.plans: Plans = defaultdict(dict)
        self.pairs: Pairs | None = None if rules.ranked else defaultdict(dict)
        self.singles: Singles | None = None if rules.ranked else defaultdict(dict)
        self.within: Within | None = None if rules.ranked else defaultdict(dict)
        self.plain_types = backend.plain_types
        self.taken: dict[bool | None, dict[Any, dict[Any, tuple[Any, ...]]]] = {None: {}, True: {}}
        self.native_type = backend.native_type
        self.from_scalar = backend.from_scalar
        self.checks_stores = backend.checks_stores
        self.takes_indices = backend.takes_indices
        self.element_of = backend.element_of
        self.shares_back = backend.shares((slice(None, None, -1),))

    @property
    def decider(self) -> Decider:
        """What decides: the rules of the block that is in force, or else its own."""
        return IN_FORCE.get() or self.own_decider

    @property
    def rules(self) -> PromotionSystem:
        """Those rules."""
        return self.decider.given

    def __repr__(self) -> str:
        rules = self.own_decider.given
        chosen = rules.origin.options if rules.origin else ()
        options = "".join(f", {option}={value!r}" for option, value in chosen)
        return f"supremum.namespace({rules.name!r}{options}, backend={self.backend.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.namespace, "engine")

    # what decides

    def decide(self, name: str, /, *operands: Any) -> Decision:
        """Return what results from a function of operands.

        Raises:
            PromotionError: if the rules refuse.
        """
        try:
            return (IN_FORCE.get() or self.own_decider).decide(name, *operands)
        except PromotionError as error:
            raise PromotionError(
                f"on the {self.backend.name} backend: {_AS_ELSEWHERE.sub(_HERE, str(error))}",
                error.operands, error.system, error.setting, error.candidates,
            ) from None  # fmt: skip

    # what computes

    def call(self, name: str, d: DType, /, *arguments: Any, **options: Any) -> Any:
        """Return what a function of the backend gives, on data of some dtype; see `asked`."""
        return self.asked(name, d, self.backend.function(name), *arguments, **options)

    def asked(
        self, name: str, d: DType, run: Callable[..., Any], /, *arguments: Any, **options: Any
    ) -> Any:
        """Return what the backend gives for a function, on data of some dtype.

        Raises:
            DTypeError: if it does not support the dtype.
        """
        try:
            return run(*arguments, **options)
        except Exception as error:
            self.check_refusal(error, name, d, arguments)
            raise

    def check_refusal(
        self, error: Exception, name: str, d: DType, arguments: Sequence[Any]
    ) -> None:
        """Raise an error of ours for one of the library that says what is wrong in its own way.

        Raises:
            DTypeError: if it says that the library lacks a dtype.
            ValueError: if it says that shapes do not fit, as NumPy does.
        """
        if self.backend.is_mismatch(error):
            raise ValueError(f"{name}: {str(error).partition(chr(10))[0]}") from error
        if isinstance(error, DTypeError):
            refusal = error
        elif self.backend.is_refusal(error):
            refusal = self.backend.refusal(name, d, error)
        else:
            return
        of = text_of([x for x in arguments if self.backend.is_own(x)])
        what = f"{name} of {of}" if of else name
        msg = f"{what} is computed in {d} under {self.rules.title} rules, but {refusal}"
        raise DTypeError(msg, d) from refusal.__cause__

    # arrays

    def wrap(self, native: Any, d: DType, weak: bool = False) -> Array:  # noqa: FBT002  # few are
        """Return an array of the backend as one of ours, in a dtype."""
        made = self.backend.as_result(native, d)
        return self.same(made, key_of(d, weak))

    def same(self, native: Any, key: Key) -> Array:
        """Return an array of the backend that has the dtype of another."""
        made = self.array_type()
        made.engine = self
        made.native = native
        made.key = key
        made.sharing = None
        return made
