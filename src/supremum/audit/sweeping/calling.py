"""One function called with a dtype, and with the wide one beside it: what it does with each."""

from __future__ import annotations

import copy
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ...core.dtypes import by_name, names
from ...core.errors import SupremumError
from ...core.functions import canonical, facts_of
from ...core.libraries import library_of_module
from ..log.known_functions import rules_of
from ..trial.comparison import tolerance
from .conversions import (
    Leaf,
    container_of,
    dtypes_in,
    leaves,
    narrowed,
    perturbed,
    widened,
)
from .examples import Call
from .subjects import Subject
from .target import Target

_PERTURBATIONS: Final = 4
_FACTOR: Final = 64
_FLOATS_FIRST: Final = (
    ("f", True), ("f", False), ("fi", True), ("fi", False), ("fij", True), ("fij", False),
)  # fmt: skip
_INTEGERS: Final = (("ij", True), ("ij", False), ("fij", True), ("fij", False))


class Outcome(NamedTuple):
    """What a call did.

    Attributes:
        verdict: one of `verdicts.VERDICTS`.
        dtypes: the dtypes of the arrays in its result.
        call: what was called, in words.
        detail: why, in words.
        plan: which of the ways to convert its arguments that was.
        by_rules: the dtype that the library's own rules give, if that is another one.
        leaf: where in the result a wider dtype is, or None.
    """

    verdict: str
    dtypes: tuple[str, ...] = ()
    call: str = ""
    detail: str = ""
    plan: int = -1
    by_rules: str = ""
    leaf: str | None = None


Tell = Callable[[str, Outcome | None], None]
"""Called with what is about to be done, and with what is known until then, or None."""


def plans(target: Target) -> Sequence[tuple[str, bool]]:
    """Return the ways to convert arguments: the kinds of dtypes, and whether lists, too."""
    return _FLOATS_FIRST if target.is_float else _INTEGERS


def measure(subject: Subject, call: Call, target: Target, tell: Tell) -> Outcome:
    """Return what a function does with the arrays of a call in the dtype of a sweep.

    Args:
        subject: the function.
        call: a call of it, whose arrays are converted.
        target: the dtype.
        tell: is called with what is about to be done, and what is known until then, in case that
            this process ends.
    """
    if call.names_dtype:
        return Outcome("not called", detail=f"{call.source} asks for a dtype")
    found = Outcome("takes no arrays", detail=f"{call.source} hands over no arrays of numbers")
    if call.rank < 2:
        why = f"{call.source} hands over no numbers that {target.name} has a place for"
        found = Outcome("not called", detail=why)
    before: list[list[str]] = []
    for number, plan in enumerate(plans(target)):
        arguments = convert(call, target, plan)
        dtypes = list(dtypes_in(arguments))
        has_complex = any(name.startswith("complex") for name in dtypes)
        if dtypes in before or (target.name not in dtypes and not (target.complex and has_complex)):
            continue
        if has_complex and target.is_float and not target.complex:  # nothing complex is as narrow
            continue
        before.append(dtypes)

        def tell_plan(phase: str, outcome: Outcome | None, plan: int = number) -> None:
            tell(phase, outcome and outcome._replace(plan=plan))

        outcome = _measured(subject, arguments, target, tell_plan)._replace(plan=number)
        if found.verdict != "widens" or outcome.verdict in ("keeps", "widens"):
            found = outcome
        if found.verdict not in ("fails", "widens"):
            break  # else integers beside the floats may be why
    return found


def convert(call: Call, target: Target, plan: tuple[str, bool]) -> tuple[Any, ...]:
    """Return the arguments of a call, and its keywords as the last, converted by a plan."""
    kinds, lists = plan
    given = copy.deepcopy((*call.arguments, call.keywords))
    return tuple(narrowed(value, target, kinds, lists=lists) for value in given)


def repeat(function: Callable[..., Any], arguments: Sequence[Any], seed: int = 0) -> Any:
    """Return what a function gives for copies of arguments, random numbers from a seed."""
    *given, keywords = copy.deepcopy(tuple(arguments))
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002  # what the function may draw from
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)
    return function(*given, **keywords)


def _measured(subject: Subject, arguments: Sequence[Any], target: Target, tell: Tell) -> Outcome:
    shown = described(subject.name, arguments)
    wide = [widened(value, target) for value in arguments]
    tell(f"in {shown} of {target.wide}", None)
    try:
        expected = list(leaves(repeat(subject.call, wide), subject.root))
    except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a function raises
        return Outcome("fails", call=shown, detail=f"in {target.wide}: {_said(error)}")
    tell(f"in {shown}", None)
    try:
        result = repeat(subject.call, arguments)
        found = list(leaves(result, subject.root))
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return Outcome("refuses", call=shown, detail=_said(error))
    counted = [leaf for leaf in found if target.counts(leaf.dtype)]
    if not counted:
        return Outcome("no arrays", call=shown, detail="its result has no array of such a kind")
    wider = [leaf for leaf in counted if target.is_wider(leaf.dtype)]
    outcome = Outcome(
        "widens" if wider else "keeps",
        tuple(dict.fromkeys(leaf.dtype for leaf in counted)),
        shown,
        by_rules=_by_rules(subject, arguments, result),
        leaf=max(wider, key=lambda leaf: leaf.dtype).path if wider else None,
    )
    known = canonical(subject.name.rpartition(".")[2])
    if not target.is_float or (known and facts_of(known).has("without values")):
        return outcome
    tell(f"in {target.wide} again", outcome)
    worse = _wrong(
        lambda x, seed: list(leaves(repeat(subject.call, x, seed), subject.root)),
        wide,
        expected,
        found,
        target,
    )
    return outcome._replace(verdict="wrong", detail=worse) if worse else outcome


def described(name: str, arguments: Sequence[Any]) -> str:
    """Return a call in words, such as ``sqrtm(float32[3, 3])``."""
    *given, keywords = arguments
    words = [*map(_shown, given), *(f"{key}={_shown(value)}" for key, value in keywords.items())]
    return f"{name}({', '.join(words)})"


def _shown(value: Any) -> str:
    container = container_of(value)
    if container is not None and (read := container.read(value)):
        dtype, values = read[0]
        shape = ", ".join(map(str, values.shape))
        is_array = hasattr(value, "shape") and hasattr(value, "dtype")
        return f"{dtype}[{shape}]" if is_array else f"{type(value).__name__} of {dtype}"
    text = repr(value)
    return text if len(text) <= 24 else f"{type(value).__name__}(...)"


def _said(error: BaseException) -> str:
    lines = str(error).splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:200]


def _by_rules(subject: Subject, arguments: Sequence[Any], result: Any) -> str:
    """Return the dtype that the rules of a library give for its function, if it gave another."""
    *given, keywords = arguments
    function = canonical(subject.name.rpartition(".")[2])
    if keywords or function is None or getattr(result, "dtype", None) is None or not given:
        return ""
    if library_of_module(subject.root) is None:
        return ""
    try:
        rules = rules_of(given[0])
        expected = (
            rules.result_type(*given, op=function) if rules and rules.rule(function) else None
        )
    except (SupremumError, AttributeError):
        return ""
    actual = str(result.dtype).removeprefix("torch.")
    is_other = expected is not None and not expected.weak and expected.name != actual
    return expected.name if expected is not None and is_other else ""


def _wrong(
    call: Callable[[Sequence[Any], int], list[Leaf]],
    wide: Sequence[Any],
    expected: list[Leaf],
    found: list[Leaf],
    target: Target,
) -> str:
    """Return where values are off by more than the dtype's precision explains, or ``""``.

    What that explains is measured: how far the result in the wide dtype changes if the arguments
    do by as much as the narrow dtype rounds them.
    """
    within = tolerance(target.name)
    if not _alike(expected, found):
        return ""
    errors = [
        _distance(*pair, enough=within.relative) for pair in zip(expected, found, strict=True)
    ]
    if max(errors) <= within.relative:
        return ""
    changed = list(_changed(call, wide, within.epsilon))
    is_random = any(map(_distance, expected, changed[0])) if _alike(expected, changed[0]) else True
    if is_random or not all(_alike(expected, other) for other in changed):
        return ""
    for number, (leaf, error) in enumerate(zip(expected, errors, strict=True)):
        explained = max((_distance(leaf, other[number]) for other in changed[1:]), default=0.0)
        if error > max(within.relative, _FACTOR * explained):
            where = f"{leaf.path} is" if leaf.path else "the result is"
            if np.isinf(error):
                return f"{where} infinite or NaN where {target.wide} is finite"
            return f"{where} off by {error:.1e} of its largest value"
    return ""


def _changed(
    call: Callable[[Sequence[Any], int], list[Leaf]], wide: Sequence[Any], epsilon: float
) -> Iterator[list[Leaf]]:
    """Yield the results of the same arguments with another seed, and of slightly changed ones."""
    yield call(wide, 1)
    for number in range(_PERTURBATIONS):
        try:
            yield call(perturbed(list(wide), epsilon, number), 0)
        except Exception:  # noqa: BLE001, S112  # not every argument may be changed
            continue


def _alike(one: list[Leaf], other: list[Leaf]) -> bool:
    return [(leaf.path, leaf.values.shape) for leaf in one] == [
        (leaf.path, leaf.values.shape) for leaf in other
    ]


def _distance(expected: Leaf, found: Leaf, enough: float = 0.0) -> float:
    """Return the largest difference as a part of the largest value, whatever signs and order are.

    Eigenvectors may change their sign, and what is nearly equal its order. It is infinite where a
    value is not finite that was, and has a place in the dtype. The first of these is returned that
    is enough.
    """
    a, b = expected.values, found.values
    if a.dtype.kind not in "fc" or b.dtype.kind not in "fc" or not a.size:
        return 0.0
    both = np.isfinite(a) & np.isfinite(b)
    largest, least = _range(found.dtype)
    has_place = np.isfinite(a) & (np.abs(a) <= largest)
    if np.any(has_place & ~both):
        return np.inf
    a, b = a[both & has_place], b[both & has_place]
    scale = float(np.max(np.abs(a), initial=0.0))
    if scale <= least:  # a value so small has no place in the dtype, or is rounding noise
        return float(np.max(np.abs(b), initial=0.0))
    least_found = np.inf
    for change in (np.asarray, np.abs, lambda x: np.sort(np.abs(x))):
        least_found = min(least_found, float(np.max(np.abs(change(a) - change(b)))) / scale)
        if least_found <= enough:
            break
    return least_found


def _range(dtype: str) -> tuple[float, float]:
    """Return the largest value of a dtype, and the smallest one in full precision."""
    if dtype not in names():
        return np.inf, 0.0
    found = by_name(dtype)
    return float(found.max), float(found.smallest_normal or 0.0)
