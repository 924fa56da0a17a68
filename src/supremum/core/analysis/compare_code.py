"""What a function of array code gives under several rules, and the line where they part."""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import isgenerator
from typing import Any, NamedTuple

from ..display import displayed
from ..errors import RulesError, SupremumError, listed
from ..evaluation.code import AbstractArray, Program, given, line_of_program
from ..system import PromotionSystem
from ..systems import system
from .compare import compared_libraries


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

    def to_dict(self) -> dict[str, Any]:
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
        given(Program(chosen[0]), x)  # which says what is wrong with it
    answers = [_answer(function, operands, rules) for rules in chosen]
    commonest = Counter(answer.result for answer in answers).most_common(1)[0][0]
    return FunctionComparison(a._replace(odd=a.result != commonest) for a in answers)


def _answer(
    function: Callable[..., Any], operands: Sequence[Any], rules: PromotionSystem
) -> Answer:
    steps: dict[tuple[str, int], Step] = {}
    place = ("", 0)

    def note(array: AbstractArray) -> None:
        nonlocal place
        place = line_of_program(_answer.__code__)
        if place[0]:
            steps[place] = Step(*place, _described(array))

    program = Program(rules, note)
    try:
        found = function(*(given(program, x) for x in operands))
        result, reason = _described([*found] if isgenerator(found) else found), ""
    except Exception as error:  # noqa: BLE001  # whatever it is, others may have an answer
        own = isinstance(error, (SupremumError, TypeError))
        first = str(error).partition("\n")[0]
        steps.pop(place, None)  # the line that failed has not given what it gives
        result, reason = None, first if own else f"{type(error).__name__}: {first}"
    return Answer(rules.name, result, reason, tuple(steps.values()))


def _described(x: Any) -> str:
    """Return a result as text: arrays by dtype, weakness and shape."""
    if isinstance(x, AbstractArray):
        lengths = ", ".join("?" if n is None else str(n) for n in x.shape)
        return f"{x.dtype}{'*' if x.weak_type else ''}[{lengths}]"
    if isinstance(x, Mapping):
        return "{" + ", ".join(f"{key!r}: {_described(value)}" for key, value in x.items()) + "}"
    if isinstance(x, (list, tuple)):
        inner = ", ".join(map(_described, x))
        return f"[{inner}]" if isinstance(x, list) else f"({inner})"
    shown = repr(x)
    return type(x).__name__ if " at 0x" in shown else shown
