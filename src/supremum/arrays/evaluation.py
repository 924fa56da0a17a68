"""What array code gives under any rules, found without data: dtypes, weakness and shapes."""

from __future__ import annotations

import linecache
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import isgenerator
from typing import Any, Final, NamedTuple

from ..core.analysis.compare import compared_libraries
from ..core.display import displayed
from ..core.dtypes import PYTHON_SCALARS, DType
from ..core.errors import DTypeError, RulesError, SupremumError, listed
from ..core.operands import parse
from ..core.system import PromotionSystem
from ..core.systems import DEFAULT, system
from .array import Array
from .backends.abstract import ON_ARRAY
from .backends.abstract_data import Abstract
from .space import Namespace, namespace

_LIBRARIES: Final = frozenset({__name__.partition(".")[0], "numpy"})


class Step(NamedTuple):
    """A line of a program, and what it gave.

    Attributes:
        file: the file.
        line: the number of the line.
        result: the dtype and the shape of the last array that it made.
    """

    file: str
    line: int
    result: str

    @property
    def text(self) -> str:
        """The line itself."""
        return linecache.getline(self.file, self.line).strip()


class Answer(NamedTuple):
    """What a function gives under some rules.

    Attributes:
        system: the rules.
        result: its result, with dtypes and shapes as in ``float32[3]``; None if it failed.
        reason: why it failed, or ``""``.
        steps: the lines that made arrays.
        odd: whether most other rules give something else.
    """

    system: str
    result: str | None
    reason: str
    steps: tuple[Step, ...]
    odd: bool = False


@displayed
class FunctionComparison(tuple[Answer, ...]):  # noqa: SLOT001  # a tuple takes no slots of its own
    """What a function gives under several rules; printing it shows a line for each."""

    @property
    def parting(self) -> str:
        """The first line at which two of them part, and what it gives, in words; or ``""``."""
        known = [answer for answer in self if answer.steps]
        for number in range(max((len(answer.steps) for answer in known), default=0)):
            at = [(a.system, a.steps[number]) for a in known if number < len(a.steps)]
            place = at[0][1][:2]
            groups: dict[str, list[str]] = {}
            for name, step in at:
                if step[:2] == place:
                    groups.setdefault(step.result, []).append(name)
            if len(groups) > 1:
                ways = "; ".join(f"{r} in {listed(names)}" for r, names in groups.items())
                file, line = place
                return f"They first differ at {file}:{line}, {at[0][1].text}: {ways}."
        return ""

    def as_dict(self) -> dict[str, Any]:
        """Return the answers as plain lists and strings, as ``--format json`` prints them."""
        answers = [{**a._asdict(), "steps": [s._asdict() for s in a.steps]} for a in self]
        return {"answers": answers, "parting": self.parting}

    def __str__(self) -> str:
        reasons = {answer.reason for answer in self}
        if len(reasons) == 1 and "" not in reasons:
            return f"None of {listed([a.system for a in self])} has an answer: {reasons.pop()}"
        names = max((len(answer.system) for answer in self), default=0) + 2
        results = max((len(answer.result or "-") for answer in self), default=0) + 2
        lines = [
            f"{'*' if a.odd else ' '} {a.system:<{names}}{a.result or '-':<{results}}{a.reason}"
            for a in self
        ]
        parting = self.parting
        return "\n".join([line.rstrip() for line in lines] + (["", parting] if parting else []))


def eval_dtypes(
    function: Callable[..., Any],
    *operands: Any,
    rules: str | PromotionSystem = DEFAULT,
    **options: Any,
) -> Any:
    """Return what a function of arrays gives, with dtypes, weakness and shapes, but no values.

    Args:
        function: it takes arrays; their namespace is ``x.__array_namespace__()``. Functions of
            NumPy work, too, as far as the namespace has an answer for them.
        operands: dtypes with shapes, such as ``"int32[3, 4]"``, ``"float32[]"``, or weak ones
            such as ``"float32*[]"``; Python numbers; arrays of any library.
        rules: the rules.
        options: those of the rules.

    Returns:
        What the function returns, with arrays of the abstract backend.

    Raises:
        DTypeError: for something that is not an operand.
        PromotionError: if the rules refuse.
        TypeError: if the function needs the values of an array.

    >>> import supremum
    >>> def scaled(x, y):
    ...     return x * 2.5 + y
    >>> supremum.eval_dtypes(scaled, "int32[3, 4]", "float16[4]", rules="jax")
    Array(shape=(3, 4), dtype=float16)
    >>> supremum.eval_dtypes(scaled, "int32[3, 4]", "float16[4]", rules="numpy")
    Array(shape=(3, 4), dtype=float64)
    """
    xp = namespace(rules, backend="abstract", **options)
    return function(*(_operand(xp, x) for x in operands))


def _operand(xp: Namespace, x: Any) -> Any:
    """Return an operand of `eval_dtypes` as an array of the namespace, or as a number."""
    if type(x) in PYTHON_SCALARS:
        return x
    if not isinstance(x, str):
        return xp.asarray(x)
    name, bracket, sizes = x.partition("[")
    strong = name.removesuffix("*")
    is_weak_array = bracket and strong != name and strong not in ("int", "float", "complex")
    read = parse(f"{strong}[{sizes}" if is_weak_array else x)
    if read.is_python:
        return read.value
    if read.form != "array":
        raise DTypeError(f"{x!r} has no shape; write {x}[3], {x}[2, 3] or {x}[]", x)
    inner = sizes.removesuffix("]").strip()
    shape = tuple(int(n) for n in inner.split(",")) if inner else ()
    d = _strong(xp, read.dtype) if read.weak else read.dtype
    return xp.engine.wrap(Abstract(shape, d), d, bool(is_weak_array) or read.weak)


def _strong(xp: Namespace, weak: DType) -> DType:
    """Return the default dtype of a weak dtype's kind."""
    return getattr(xp.engine.decider.defaults, weak.name.rstrip("*"))  # type: ignore[no-any-return]  # a dtype


def compare_function(
    function: Callable[..., Any],
    *operands: Any,
    systems: Iterable[str | PromotionSystem] | None = None,
) -> FunctionComparison:
    """Return what a function of arrays gives under several rules, and the line where they part.

    Args:
        function: as for `eval_dtypes`.
        operands: as for `eval_dtypes`.
        systems: the rules; by default those of every library.

    Raises:
        DTypeError: for something that is not an operand.
        RulesError: for unknown rules, or none.

    >>> import supremum
    >>> def scaled(x, y):
    ...     return x * 2.5 + y
    >>> found = supremum.compare_function(scaled, "i32[3]", "f16[3]", systems=["jax", "numpy"])
    >>> [answer.result for answer in found]
    ['float16[3]', 'float64[3]']
    """
    if not callable(function):
        raise TypeError(f"compare_function takes a function first, not {function!r}")
    if isinstance(systems, str):
        systems = [systems]
    chosen = [*map(system, compared_libraries() if systems is None else systems)]
    if not chosen:
        raise RulesError("no rules to compare; name one or more", systems)
    for x in operands:
        _operand(namespace(backend="abstract"), x)  # which says what is wrong with it
    answers = [_answer(function, operands, rules) for rules in chosen]
    commonest = Counter(answer.result for answer in answers).most_common(1)[0][0]
    return FunctionComparison(a._replace(odd=a.result != commonest) for a in answers)


def _answer(
    function: Callable[..., Any], operands: Sequence[Any], rules: PromotionSystem
) -> Answer:
    steps: dict[tuple[str, int], Step] = {}
    xp = namespace(rules, backend="abstract")

    place = ("", 0)

    def note(array: Array) -> None:
        nonlocal place
        place = _line()
        if place[0]:
            steps[place] = Step(*place, _described(array))

    try:
        given = [_operand(xp, x) for x in operands]
        token = ON_ARRAY.set(note)
        try:
            found = function(*given)
            result, reason = _described([*found] if isgenerator(found) else found), ""
        finally:
            ON_ARRAY.reset(token)
    except Exception as error:  # noqa: BLE001  # whatever it is, others may have an answer
        own = isinstance(error, (SupremumError, TypeError))
        first = str(error).partition("\n")[0].removeprefix("on the abstract backend: ")
        first = first.replace(repr(xp), "the namespace")
        steps.pop(place, None)  # the line that failed has not given what it gives
        result, reason = None, first if own else f"{type(error).__name__}: {first}"
    return Answer(rules.name, result, reason, tuple(steps.values()))


def _line() -> tuple[str, int]:
    """Return the file and the line of the program that is running; none if it is a library's."""
    frame = sys._getframe(1)  # noqa: SLF001  # the program's is above it
    while str(frame.f_globals.get("__name__")).partition(".")[0] in _LIBRARIES:
        if frame.f_code is _answer.__code__ or frame.f_back is None:
            return "", 0
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def _described(x: Any) -> str:
    """Return a result as text: arrays by dtype, weakness and shape."""
    if isinstance(x, Array):
        lengths = ", ".join("?" if n is None else str(n) for n in x.shape)
        return f"{x.dtype}{'*' if x.weak_type else ''}[{lengths}]"
    if isinstance(x, Mapping):
        return "{" + ", ".join(f"{key!r}: {_described(value)}" for key, value in x.items()) + "}"
    if isinstance(x, (list, tuple)):
        inner = ", ".join(map(_described, x))
        return f"[{inner}]" if isinstance(x, list) else f"({inner})"
    shown = repr(x)
    return type(x).__name__ if " at 0x" in shown else shown
