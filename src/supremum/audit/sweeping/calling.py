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
from ...core.functions import canonical
from ...core.libraries import library_of_module
from ..checks.known_functions import rules_of
from ..fixing.comparison import Tolerance, tolerance
from .conversions import (
    Leaf,
    Target,
    container_of,
    dtypes_in,
    leaves,
    narrowed,
    perturbed,
    widened,
)
from .examples import Call
from .subjects import Subject

_PERTURBATIONS: Final = 4
_FACTOR: Final = 64
_FLOATS_FIRST: Final = (
    ("f", True), ("f", False), ("fi", True), ("fi", False), ("fij", True), ("fij", False),
)  # fmt: skip
_INTEGERS: Final = (("ij", True), ("ij", False))


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


def plans(target: Target) -> Sequence[tuple[str, bool]]:
    """Return the ways to convert arguments: the kinds of dtypes, and whether lists, too."""
    return _FLOATS_FIRST if target.is_float else _INTEGERS


def measure(subject: Subject, call: Call, target: Target, tell: Callable[[str], None]) -> Outcome:
    """Return what a function does with the arrays of a call in the dtype of a sweep.

    Args:
        subject: the function.
        call: a call of it, whose arrays are converted.
        target: the dtype.
        tell: is called with what is about to be done, in case that this process ends.
    """
    if call.names_dtype:
        return Outcome("not called", detail=f"{call.source} asks for a dtype")
    found = Outcome("takes no arrays", detail=f"{call.source} hands over no arrays")
    before: list[list[str]] = []
    for number, plan in enumerate(plans(target)):
        arguments = convert(call, target, plan)
        dtypes = list(dtypes_in(arguments))
        if dtypes in before or not {target.name, target.complex} & {*dtypes}:
            continue
        before.append(dtypes)
        outcome = _measured(subject, arguments, target, tell)._replace(plan=number)
        if found.verdict != "widens" or outcome.verdict == "keeps":
            found = outcome
        if found.verdict not in ("fails", "widens"):
            break  # else integers beside the floats may be why
    return found


def convert(call: Call, target: Target, plan: tuple[str, bool]) -> tuple[Any, ...]:
    """Return the arguments of a call, and its keywords as the last, converted by a plan."""
    kinds, lists = plan
    given = copy.deepcopy((*call.arguments, call.keywords))
    return tuple(narrowed(value, target, kinds, lists=lists) for value in given)


def repeat(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """Return what a function gives, with the seeds of random numbers set, and of copies."""
    *given, keywords = copy.deepcopy(tuple(arguments))
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002  # what the function may draw from
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)
    return function(*given, **keywords)


def _measured(
    subject: Subject, arguments: Sequence[Any], target: Target, tell: Callable[[str], None]
) -> Outcome:
    function, shown = subject.call, described(subject.name, arguments)
    wide = [widened(value, target) for value in arguments]
    tell(f"in {target.wide}")
    try:
        expected = list(leaves(repeat(function, wide)))
    except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a function raises
        return Outcome("fails", call=shown, detail=f"in {target.wide}: {_said(error)}")
    tell(f"in {target.name}")
    try:
        result = repeat(function, arguments)
        found = list(leaves(result))
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return Outcome("refuses", call=shown, detail=_said(error))
    counted = [leaf for leaf in found if target.counts(leaf.dtype)]
    if not counted:
        return Outcome("no arrays", call=shown, detail="its result has no array of such a kind")
    wider = [leaf for leaf in counted if target.is_wider(leaf.dtype)]
    by_rules = _by_rules(subject, arguments, result)
    tell(f"in {target.wide} again")
    worse = _wrong(function, wide, expected, found, target) if target.is_float else ""
    verdict = "wrong" if worse else "widens" if wider else "keeps"
    return Outcome(
        verdict,
        tuple(dict.fromkeys(leaf.dtype for leaf in counted)),
        shown,
        worse,
        by_rules=by_rules,
        leaf=max(wider, key=lambda leaf: leaf.dtype).path if wider else None,
    )


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
    if library_of_module(subject.module.partition(".")[0]) is None:
        return ""
    try:
        rules = rules_of(given[0])
        expected = (
            rules.result_type(*given, op=function) if rules and rules.rule(function) else None
        )
    except (SupremumError, AttributeError):
        return ""
    actual = str(result.dtype).removeprefix("torch.")
    return expected.name if expected is not None and expected.name.rstrip("*") not in actual else ""


def _wrong(
    function: Callable[..., Any],
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
    if not _alike(expected, found) or not any(_errors(expected, found, within)):
        return ""
    others = list(_others(function, wide, within.epsilon))
    if not _alike(expected, others[0]) or any(_errors(expected, others[0], _NOTHING)):
        return ""  # it differs from run to run
    same_form = [other for other in others if _alike(expected, other)]
    if len(same_form) < len(others):
        return ""
    for number, error in enumerate(_errors(expected, found, within)):
        leaf = expected[number]
        changes = [_distance(leaf, other[number]) for other in same_form]
        if error > _FACTOR * max(changes, default=0.0):
            where = f"{leaf.path} is" if leaf.path else "the result is"
            if np.isinf(error):
                return f"{where} infinite or NaN where {target.wide} is finite"
            return f"{where} off by {error:.1e} of its largest value"
    return ""


_NOTHING: Final = Tolerance(0.0, 0.0)


def _others(
    function: Callable[..., Any], wide: Sequence[Any], epsilon: float
) -> Iterator[list[Leaf]]:
    """Yield the results of the same arguments again, and of slightly changed ones."""
    yield list(leaves(repeat(function, wide)))
    for seed in range(_PERTURBATIONS):
        try:
            yield list(leaves(repeat(function, perturbed(list(wide), epsilon, seed))))
        except Exception:  # noqa: BLE001, S112  # not every argument may be changed
            continue


def _alike(one: list[Leaf], other: list[Leaf]) -> bool:
    return [(leaf.path, leaf.values.shape) for leaf in one] == [
        (leaf.path, leaf.values.shape) for leaf in other
    ]


def _errors(expected: list[Leaf], found: list[Leaf], within: Tolerance) -> Iterator[float]:
    """Yield how far each array is from what was expected; 0 within the tolerance."""
    for leaf, other in zip(expected, found, strict=True):
        distance = _distance(leaf, other)
        yield distance if distance > within.relative else 0.0


def _distance(expected: Leaf, found: Leaf) -> float:
    """Return the largest difference as a part of the largest value, whatever signs and order are.

    Eigenvectors may change their sign, and what is nearly equal its order. It is infinite where a
    value is not finite that was, and has a place in the dtype.
    """
    a, b = expected.values, found.values
    if a.dtype.kind not in "fc" or b.dtype.kind not in "fc" or not a.size:
        return 0.0
    both = np.isfinite(a) & np.isfinite(b)
    largest, least = _range(found.dtype)
    if np.any(np.isfinite(a) & ~both & (np.abs(a) <= largest)):
        return np.inf
    a, b = a[both], b[both]
    scale = float(np.max(np.abs(a), initial=0.0))
    if scale <= least:  # a value so small has no place in the dtype, or is rounding noise
        return float(np.max(np.abs(b), initial=0.0))
    forms = ((a, b), (np.abs(a), np.abs(b)), (np.sort(np.abs(a)), np.sort(np.abs(b))))
    return min(float(np.max(np.abs(x - y))) for x, y in forms) / scale


def _range(dtype: str) -> tuple[float, float]:
    """Return the largest value of a dtype, and the smallest one in full precision."""
    if dtype not in names():
        return np.inf, 0.0
    found = by_name(dtype)
    return float(found.max), float(found.smallest_normal or 0.0)
