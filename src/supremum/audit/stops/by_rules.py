"""Whether a library's rules refuse the operands of an operation, and what they would take.

A refusal has no reasons that a program could read. So other operands are asked for: what the rules
take instead says why they refuse these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from ...core.dtypes import DType, by_name
from ...core.errors import NoJoinError, PromotionError
from ...core.functions import FUNCTIONS, Function, canonical
from ...core.libraries import library_of_module
from ...core.operands import Operand, operand
from ...core.system import PromotionSystem
from ..checks import known_functions
from ..checks.tracked_types import is_array
from ..libraries.torch_modules import Called
from ..model.dtypes import is_strong
from ..model.locations import Location
from .dtype_errors import Refusal, is_integer, message

_OTHER_REASONS: Final = re.compile(
    r"shape|broadcast|dimension|\b\dD\b|\bsizes?\b|\bdevice|memory|read-only|out of range|NaN|"
    r"out of bounds (?!for u?int)|(?:positional|keyword) argument|immutable|requires? grad"
)
"""What a library says if it refuses arrays of any dtype."""

_ERRORS: Final = {
    "IndexError", "InvalidArgumentError", "OverflowError", "RuntimeError", "TypeError",
    "ValueError",
}  # fmt: skip
"""What libraries raise for dtypes, which includes what is derived from these."""

_STORE: Final = "index_put"
"""What the catalogue calls a store where an array of indices says: others are never refused."""


class Question(NamedTuple):
    """An operation, of which the rules of its library are asked.

    Attributes:
        place: where it is.
        operands: each operand, after which of the spans of the place it is written at, or None.
        taken_at: the operand that is what a subscript is taken at, or None.
        array: one of its arrays, whose library's rules are asked.
    """

    place: Location
    operands: tuple[tuple[int | None, Operand], ...]
    taken_at: Operand | None
    array: Any

    def arguments(self, known: Function) -> Iterator[tuple[str | None, int | None, Operand]]:
        """Yield the arguments by position: what the catalogue calls each, where it is, and what.

        Args:
            known: the function; if it takes any number of operands, each is one.
        """
        before = any(at == 0 for at, _ in self.operands)
        for at, read in self.operands:
            position = -1 if at is None else at - 1 + before
            if self.keyword(at):
                continue
            if known.operands is None:
                yield "x" if not read.is_python else None, at, read
            elif 0 <= position < len(known.arguments):
                index = "i" if known.arguments[position] in ("i", "(i,)") else None
                yield known.places[position] or index, at, read

    def keyword(self, at: int | None) -> str:
        """Return what an argument is called, or ``""``."""
        is_argument = at is not None and 0 < at <= len(self.place.keywords)
        return self.place.keywords[at - 1] if at is not None and is_argument else ""


def question_of_module(called: Called) -> Question | None:
    """Return whether a module takes what it is given, beside its weight, as the rules are asked."""
    weight, given = called.weight, called.given
    if not (is_array(weight) and is_array(given)):
        return None
    rules = known_functions.rules_of(weight)
    op = next((name for name in called.functions if known_functions.as_known(name, rules)), "")
    place = Location("", (0, 0, 0, 0), "call", op, keywords=("", ""))
    return Question(place, ((1, operand(given)), (2, operand(weight))), None, weight)


def refused(question: Question | None, error: BaseException) -> Refusal | None:
    """Return why the rules refuse an operation, or None if they do not.

    Args:
        question: the operation, if rules have it.
        error: what it raised: it may have had another reason than the dtypes.
    """
    if question is None:
        return None
    rules = known_functions.rules_of(question.array)
    names = [c.__name__ for c in type(error).__mro__]
    if rules is None or _ERRORS.isdisjoint(names) or _OTHER_REASONS.search(message(error)):
        return None
    form, index = question.place.form, question.taken_at
    if index is not None and _is_no_index(index, question.array):
        return Refusal("integers", index.dtype)
    if form == "store":
        return _stored(question, rules)
    return _computed(question, rules) if form in ("operator", "in place", "call") else None


def _is_no_index(index: Operand, array: Any) -> bool:
    """Return whether the library of an array takes no indices of a dtype."""
    library = library_of_module(type(array).__module__.partition(".")[0])
    taken = library.index_dtypes if library is not None else ()
    is_whole = is_integer(index.dtype) and (not taken or index.dtype.name in taken)
    return not index.is_python and not is_whole


def _stored(question: Question, rules: PromotionSystem) -> Refusal | None:
    """Return why an array does not take what is to be stored in it."""
    operands = [x for _, x in question.operands]
    if len(operands) != 2:  # what takes, and what is stored
        return None
    into, value = operands
    if type(value.number) in (int, complex) and _refuses(rules, "iadd", operands):
        number = value.number if type(value.number) is int else None
        return Refusal("cast" if number is None else "number", want=into.dtype, number=number)
    if not value.is_python and _refuses(rules, _STORE, operands):
        return Refusal("cast", value.dtype, into.dtype)
    return None


def _computed(question: Question, rules: PromotionSystem) -> Refusal | None:
    """Return why a function does not take its operands, or its output what it gives."""
    place = question.place
    op = known_functions.as_known(place.name.rstrip("_"), rules)
    if op is None or not {"*", "**"}.isdisjoint(place.keywords):
        return None
    known = FUNCTIONS[canonical(op) or op]
    operands = [x for _, x in question.operands]
    if place.form == "call":
        named = [*question.arguments(known)]
        wrong = _wrong_index(named, question.array)
        has_classes = known.category == "layer" and known.arguments[-1] == "i"
        if wrong is not None and not has_classes:  # of which the message says more
            return wrong
        operands = [x for what, _, x in named if what not in (None, "i")]
    if not known.minimum_operands <= len(operands) <= (known.operands or len(operands)):
        return None
    if _refuses(rules, op, operands):
        return _reason(rules, op, operands)
    return _not_put(question, rules, op, operands) if known.category == "elementwise" else None


def _wrong_index(
    named: Sequence[tuple[str | None, int | None, Operand]], array: Any
) -> Refusal | None:
    """Return that an argument which is an index cannot be one, or None."""
    for what, at, x in named:
        if what == "i" and _is_no_index(x, array):
            return Refusal("integers", x.dtype, at=at)
    return None


def _not_put(
    question: Question, rules: PromotionSystem, op: str, operands: Sequence[Operand]
) -> Refusal | None:
    """Return why an output does not take what a function gives."""
    out = _output(question)
    made = rules.explain(*operands, op=op).result if out is not None else None
    if out is None or made is None or not _does_not_take(rules, out.dtype, made):
        return None
    return Refusal("output", made, out.dtype)


def _output(question: Question) -> Operand | None:
    """Return what an operation puts its result into, or None for a new array."""
    place, operands = question.place, question.operands
    if place.form == "in place" or (place.form == "call" and place.name[-1:] == "_"):
        return next((x for at, x in operands if at == 0), None)
    return next((x for at, x in operands if question.keyword(at) == "out"), None)


def _reason(rules: PromotionSystem, op: str, operands: Sequence[Operand]) -> Refusal:
    """Return why rules refuse operands: what they take instead says it."""
    strong = [x for x in operands if is_strong(x)]
    number = _number(rules, op, operands, strong)
    if number is not None:
        return number
    dtypes = [*dict.fromkeys(x.dtype for x in strong)]
    if len(dtypes) > 1 and not any(_refuses(rules, op, operands, d) for d in dtypes):
        return Refusal("same")
    return _other_kind(rules, op, operands, dtypes)


def _other_kind(
    rules: PromotionSystem, op: str, operands: Sequence[Operand], dtypes: Sequence[DType]
) -> Refusal:
    """Return which other kind of dtypes rules take in place of some dtypes."""
    are_integers = all(map(is_integer, dtypes))
    with_integers = not _refuses(rules, op, operands, by_name("int64"))
    if with_integers and FUNCTIONS[canonical(op) or op].category == "index":
        return Refusal("integers", dtypes[0] if dtypes else None)
    wide = rules.default_dtypes.float
    refused = next((d for d in dtypes if d is not wide), None)
    if not (with_integers and are_integers) and not _refuses(rules, op, operands, wide):
        return Refusal("floats", refused)
    return Refusal("other")


def _number(
    rules: PromotionSystem, op: str, operands: Sequence[Operand], strong: Sequence[Operand]
) -> Refusal | None:
    """Return which Python number is refused, or None if none is."""
    numbers = [x.number for x in operands if type(x.number) is int]
    if not numbers or _refuses(
        rules, op, [x._replace(value=1) if x.is_python else x for x in operands]
    ):
        return None
    rule = rules.rule(op)
    if rule is not None and rule.is_power and min(numbers) < 0:
        return Refusal("power")
    try:
        want = rules.explain(*strong).result
    except PromotionError:
        return Refusal("number", number=numbers[0])
    number = next((n for n in numbers if not want.min <= n <= want.max), numbers[0])
    return Refusal("number", want=want, number=number)


def _refuses(
    rules: PromotionSystem, op: str, operands: Sequence[Operand], d: DType | None = None
) -> bool:
    """Return whether rules refuse operands, if all but Python's numbers have some dtype."""
    if d is not None:
        operands = [x._replace(dtype=d) if is_strong(x) else x for x in operands]
    try:
        return rules.rule(op) is not None and not rules.explain(*operands, op=op)
    except PromotionError:
        return True


def _does_not_take(rules: PromotionSystem, into: DType, made: DType) -> bool:
    """Return whether what an operation gives cannot go into an array."""
    rule = rules.rule("iadd")
    if rule is None or rule.store is None:
        return False
    try:
        rule.check_store("iadd", made, into)
    except NoJoinError:
        return True
    return False
