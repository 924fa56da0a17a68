"""The engine: what some operands come to under some rules, step by step, and how that is refused.

    operands --classify--> nodes --join--> node --settle--> dtype --apply--> result

Rules are data; the functions here take them. `explain` records the steps, and each answer is the
end of such a record.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from . import hints, losses
from .dtypes import PYTHON_SCALARS, DType, dtype, from_code
from .errors import NoJoinError, PromotionError, RulesError, did_you_mean, listed, short
from .explanation import Explanation
from .fold import Fold
from .foreign import own_rules
from .function_rules import Call, Case, Defaults, FunctionRule, changed
from .functions import FUNCTIONS, canonical, function, results
from .lattice import Lattice
from .operands import DEFAULT, Operand, operand
from .rules import Rules
from .steps import DEFAULT_WIDTHS, Applied, Classified, Join, Settled, by_dtype, fits
from .table import Step

WRAPS = ("add", "subtract", "multiply")
"""The functions whose results wrap as if each operand had wrapped before."""

_WHOLE = ("bool", "unsigned", "signed")
_COUNTED = {1: "one operand", 2: "two operands", 3: "three operands"}
_MEANT = {"plus": "add", "minus": "subtract", "times": "multiply", "over": "divide"}
_PLACES = ("first", "second", "third")
_COMPUTES = ("elementwise", "condition", "reduction", "cumulative")
_TAKES_NUMBERS = (*_COMPUTES, "index", "store", "float", "fill", "count", "random")


def promote(rules: Rules, *dtypes: Any) -> DType:
    """Return the join of some dtypes, which may be weak.

    Raises:
        PromotionError: if the rules have no answer.
        DTypeError: if something is not a dtype.
    """
    read = [(dtype(x), "type" if _is_python_type(x) else "dtype") for x in dtypes]
    operands = [Operand(d.name, d, d.weak, form) for d, form in read]
    if not operands:
        _refuse_none(rules)
    nodes = [
        Classified(x, rules.classify(x, operands).node if x.form == "type" else x.dtype, "dtype")
        for x in operands
    ]
    try:
        return _join(rules, nodes, rules.join)[0]
    except NoJoinError as error:
        _refuse(rules, operands, str(error))


def _is_python_type(x: object) -> bool:
    return type(x) is type and x in PYTHON_SCALARS


def explain(rules: Rules, operands: Sequence[Any], op: str | None = None) -> Explanation:
    """Return the answer for some operands with the steps that lead to it.

    Raises:
        PromotionError: if the rules have no answer.
        DTypeError: if something is not an operand.
        RulesError: if the rules do not have the function.
    """
    read = [operand(x) for x in operands] or _default_operand(rules, op)
    if not read:
        _refuse_none(rules)
    if op is not None and (own := next(filter(None, map(own_rules, operands)), "")):
        what = f"a {own} has rules of its own, which are not modelled; pass a plain array"
        _refuse(rules, read, what, op)
    if rules.ranked:
        unranked = next((i for i, x in enumerate(read) if x.is_unranked), None)
        if unranked is not None and len(read) > 1:
            return _explain_unranked(rules, read, unranked, op)
        # rules are told whether an operand has dimensions, not how many
        read = [x if not x.rank else x.ranked(1) for x in read]
    return _explain_shared(rules, read) if op is None else _explain_function(rules, op, read)


def _explain_unranked(rules: Rules, read: list[Operand], at: int, op: str | None) -> Explanation:
    """Return the answer if it is the same whether an operand has dimensions or not."""
    found: list[Explanation] = []
    refused: list[PromotionError] = []
    for rank in (1, 0):
        variant = [*read[:at], read[at].ranked(rank), *read[at + 1 :]]
        try:
            found.append(explain(rules, variant, op))
        except PromotionError as error:
            refused.append(error)
    if not found:
        raise refused[0]
    if not refused and found[0].result is found[1].result:
        return found[0]
    what = f"{read[at].text} may have dimensions or not, and that decides"
    return _refuse(rules, read, f"{what}; pass an array whose rank is known", op)


# without a function


def _explain_shared(rules: Rules, read: Sequence[Operand]) -> Explanation:
    """Return what operands share."""
    classified: list[Classified] = []
    node: DType | None = None
    try:
        classified = [rules.classify(x, read) for x in read]
        node, steps = _join(rules, classified, rules.join)
        settled = rules.settle(node, classified)
    except NoJoinError as error:
        note = _operator_note(rules, classified, None) if node is None else ""
        _refuse(rules, read, "; ".join(filter(None, (str(error), note))))
    note = _operator_note(rules, classified, node) or _number_note(rules, classified, settled.dtype)
    return Explanation(
        **_about(rules), classified=tuple(classified), join=rules.join, steps=tuple(steps),
        node=node, settled=settled, note=note,
    )  # fmt: skip


def _operator_note(rules: Rules, classified: Sequence[Classified], node: DType | None) -> str:
    """Return what functions such as add give, if that is not what the operands share."""
    add = rules.rule("add")
    if rules.function_join is rules.join or not classified or (add is not None and add.shared):
        return ""
    try:
        other = _join(rules, classified, rules.function_join)[0]
        if add is not None and other is not node:
            other = _explain_function(rules, "add", [x.operand for x in classified]).node
    except (NoJoinError, PromotionError):
        return ""
    return "" if other is node else f"operators such as add give {other} here, though"


def _number_note(rules: Rules, classified: Sequence[Classified], result: DType) -> str:
    """Return what an operation makes of a Python int that the result does not hold, or ``""``."""
    lost = _lost_number(classified, result)
    if lost is None or rules.rule("add") is None:
        return ""
    array = Operand(f"{result}[3]", result, False, "array", shape=(3,))
    try:
        _explain_function(rules, "add", [array, lost])
    except PromotionError:
        return f"an operation with {lost.text} is refused, since {fits(lost.number, result)}"
    return f"an operation with {lost.text} {_of_lost(rules, lost, result)}"


def _lost_number(classified: Sequence[Classified], result: DType) -> Operand | None:
    """Return a Python int that is converted to a result which does not hold it, or None."""
    given = (x.operand for x in classified)
    return next((x for x in given if type(x.number) is int and fits(x.number, result)), None)


def _of_lost(rules: Rules, lost: Operand, result: DType) -> str:
    """Return what becomes of a Python int that a result does not hold."""
    value: Any = lost.number
    does = f"computes with {losses.wrapped(value, result)}"
    if rules.library is not None and rules.library.standard:
        does = "is undefined by the standard"
    return f"{does}, since {fits(value, result)}"


def _common_overflow(rules: Rules, op: str, given: Sequence[Operand], result: DType) -> str:
    """Return that a function wraps around for common numbers, and for which, or ``""``."""
    facts = rules.library
    if facts is None or facts.refuses_overflow:
        return ""
    values = tuple(int(x.value) if isinstance(x.value, int) else x.dtype for x in given)
    found = losses.common_overflow(op, values, result)
    if found and facts.standard:
        return "overflow is undefined by the standard"
    does = "may wrap" if any(isinstance(x, DType) for x in values) else "wraps"
    return found and f"{does} around: {found} in {result}"


# functions


def _explain_function(rules: Rules, op: str, given: list[Operand]) -> Explanation:
    """Return what a function gives."""
    rule = _known_rule(rules, op, given)
    read = _joining(rules, op, rule, given)
    join = rules.join if rule.shared else rules.function_join
    classify = rules.function_classify or rules.classify
    left_out = _left_out(given, read)
    try:
        classified = [classify(x, read) for x in read]
        _check_known(rules, [*map(by_dtype, _of_dtypes(rules, left_out))], join, rule.accepts)
        node, steps = _join(rules, classified, join, rule.accepts)
        settled = rules.settle(node, classified)
        if settled.weak and _keep_their_width(classified, rule):
            settled = Settled(
                classified[0].operand.dtype if len(classified) == 1 else node, weak=True
            )
        applied = _apply(rules, op, rule, settled, classified)
        _check_left_out(rules, rule, settled.dtype, given, len(left_out))
    except NoJoinError as error:
        _refuse(rules, given, str(error), op)
    if rule.apart:  # what each operand was before it became a dtype of its own
        shown = [c._replace(operand=x) for c, x in zip(classified, given, strict=False)]
        classified = [*shown, *classified[len(given) :]]
    texts = [x.text for x in left_out]
    lost = _lost_number(classified, settled.dtype) if op in WRAPS else None
    wraps = "" if lost else _common_overflow(rules, op, given, applied.dtype)
    return Explanation(
        **_about(rules), classified=tuple(classified), join=join, steps=tuple(steps), node=node,
        settled=settled, applied=applied,
        note=f"the dtype does not depend on {listed(texts)}" if texts else "",
        lost=_of_lost(rules, lost, settled.dtype) if lost else "", wraps=wraps,
    )  # fmt: skip


def _check_left_out(
    rules: Rules, rule: FunctionRule, joined: DType, given: Sequence[Operand], left_out: int
) -> None:
    """Refuse values of operands that do not join, or of one that alone does."""
    if left_out:
        _check_exponents(rule, joined, given)
    if rule.only:
        _check_ints(rules, rule, joined, given)


def _known_rule(rules: Rules, op: str, read: Sequence[Operand]) -> FunctionRule:
    """Return the rule of a function, which takes as many operands as there are."""
    rule = rules.rule(op) if isinstance(op, str) else None
    if rule is None:
        raise _unknown_function(rules, op)
    known = FUNCTIONS[canonical(op) or op]
    least, most = known.minimum_operands, known.operands
    if most and not least <= len(read) <= most:
        number = _COUNTED[most] if least == most else f"{least} to {most} operands"
        _refuse(rules, read, f"{op} takes {number}, not {len(read)}", op)
    return rule


def _unknown_function(rules: Rules, op: Any) -> RulesError:
    """Return the error for a function that rules do not have."""
    known = [name for name in FUNCTIONS if rules.rule(name)]
    if not known:
        what = f"no function rules are defined for {rules.title}, so {short(op)} has no answer"
        return RulesError(what, op)
    if parts := [part for part in results(str(op)) if rules.rule(part)]:
        what = f"{op} has several results; ask for one of them: {listed(parts, 'or')}"
        return RulesError(what, op, parts)
    if canonical(str(op)) in FUNCTIONS and isinstance(op, str):
        what = f"{rules.title} rules have no function {short(op)}; other libraries' rules have it"
        return RulesError(what, op)
    meant = _MEANT.get(str(op))
    hint, close = did_you_mean(meant or str(op), [name for name in known if name.isidentifier()])
    if callable(op) and hasattr(op, "__name__"):
        is_named = op.__name__.isidentifier()
        how = f"type its name, op={op.__name__!r}" if is_named else "name one, as in op='add'"
        hint = f"; {how}; supremum.eval_dtypes(function, ...) follows any other"
    more = hint or f"; they have {listed(known, most=30)}"
    return RulesError(f"{rules.title} rules have no function {short(op)}{more}", op, close)


def _joining(rules: Rules, op: str, rule: FunctionRule, read: list[Operand]) -> list[Operand]:
    """Return the operands that join, by a function's rule."""
    if (wrong := rule.not_taken(read)) is not None:
        place, x = wrong
        hint = hints.other_dtype(x.dtype, rules.operable, Case(rule.takes[place], "").has)
        what = f"{op} does not take {x.dtype} as its {_PLACES[place]} operand{hint}"
        _refuse(rules, read, what, op)
    if rule.special is not None and rule.special.select is not None:
        read = rule.special.select(read)
    if rule.apart:
        read = _apart(rules, op, rule, read)
    return [read[min(rule.only, len(read)) - 1]] if rule.only else read


def _left_out(given: Sequence[Operand], read: Sequence[Operand]) -> list[Operand]:
    """Return the operands that do not join."""
    kept = [x.text for x in read]  # which may have become others, of the same texts
    found = []
    for x in given:
        if x.text in kept:
            kept.remove(x.text)
        else:
            found.append(x)
    return found


def _of_dtypes(rules: Rules, read: Sequence[Operand]) -> list[Operand]:
    """Return the operands that have a dtype, and numbers of a kind that the rules lack."""
    kinds = {d.kind for d in rules.operable}
    return [x for x in read if not x.is_python or x.dtype.kind not in kinds]


def _apart(rules: Rules, op: str, rule: FunctionRule, read: list[Operand]) -> list[Operand]:
    """Return the operands, each with the dtype that it becomes."""
    defaults = default_dtypes(rules)
    try:
        own = [_settled_alone(rules, x) for x in read]
        made = [rule.result_of(op, d, defaults, rules.dtypes) for d in own]
    except NoJoinError as error:
        _refuse(rules, read, str(error), op)
    return [
        x._replace(dtype=d, weak=False, form="array", value=_converted(x.value, d))
        for x, d in zip(read, made, strict=True)
    ]


def _converted(value: Any, d: DType) -> Any:
    """Return the value of a scalar in another dtype, or None if that is not known."""
    if not isinstance(value, int) or d.kind not in ("float", "complex"):
        return value
    return float(value) if abs(value) < 2**64 else None


def _settled_alone(rules: Rules, x: Operand) -> DType:
    """Return the dtype that an operand has by itself."""
    alone = rules.classify(x, [x])
    return rules.settle(alone.node, [alone]).dtype


def _apply(
    rules: Rules, op: str, rule: FunctionRule, settled: Settled, classified: Sequence[Classified]
) -> Applied:
    """Return what a function makes of the settled dtype."""
    _check_arrays(op, rule, classified)
    joined = settled.dtype
    own = [_own_dtype(rules, x, joined) for x in classified]
    for d, x in zip(own, classified, strict=True):
        if not x.is_number and d not in rules.operable:
            raise NoJoinError(f"{op} is not defined for {d} under these rules{_wider(rules, d)}")
    call = Call(op, rule, settled, tuple(classified), tuple(own), default_dtypes(rules),
                rules.dtypes)  # fmt: skip
    made = call.result()
    _check_ints(rules, rule, joined, [x.operand for x in classified])
    weak = rules.weak_arrays and call.stays_weak(made)
    return Applied(op, made, changed(op, joined, made), weak)


def _own_dtype(rules: Rules, x: Classified, joined: DType) -> DType:
    """Return the dtype that a function sees an operand as."""
    own = x.operand.dtype
    if own.weak:  # of a number without a width, that of the others
        own = _width(rules, x, joined)
    return x.node if rules.valued and not x.node.weak else own


def _width(rules: Rules, x: Classified, joined: DType) -> DType:
    try:
        found = rules.settle(x.node, [x]).dtype
    except NoJoinError:
        if not x.operand.is_python:
            raise
        return joined
    return found if found in rules.operable else joined


def _wider(rules: Rules, d: DType) -> str:
    wider = [w for w in rules.operable if w.kind == d.kind and (w.bits or 0) > (d.bits or 0)]
    return hints.cast_first(wider[0]) if wider else ""


def _check_arrays(op: str, rule: FunctionRule, classified: Sequence[Classified]) -> None:
    """Refuse numbers where a function takes arrays alone."""
    sort = FUNCTIONS[canonical(op) or op].category
    which = rule.arrays if sort in _TAKES_NUMBERS else "all"
    if which == "any":
        which = "first" if all(x.is_number for x in classified) else ""
    checked = {"all": classified, "first": classified[:1]}.get(which, ())
    if number := next((x for x in checked if x.is_number), None):
        which = "first operand of" if which == "first" else "operands of"
        verb = "is an array" if which.startswith("first") else "are arrays"
        text = number.operand.text
        raise NoJoinError(f"the {which} {op} {verb}; make an array of {text} first")


def _check_ints(rules: Rules, rule: FunctionRule, joined: DType, read: Sequence[Operand]) -> None:
    """Refuse Python ints that do not fit what they are converted to."""
    _check_exponents(rule, joined, read)
    if rules.refuse_int is None:
        return
    for i, x in enumerate(read):
        if type(x.number) is int and (i or rule.ints not in ("bound", "divisor", "exponent")):
            why = rules.refuse_int(x.number, joined, read, rule.ints)
            if why:
                raise NoJoinError(f"{why}; give the number a dtype that holds it")


def _check_exponents(rule: FunctionRule, joined: DType, read: Sequence[Operand]) -> None:
    """Refuse integers to a negative power."""
    if not rule.is_power or joined.kind not in _WHOLE:
        return
    exponents: list[Any] = [x.value for x in read[1:] if x.is_whole and x.value is not None]
    if any(value < 0 for value in exponents):
        raise NoJoinError("an integer to a negative power is not an integer; use a float")


def _keep_their_width(classified: Sequence[Classified], rule: FunctionRule) -> bool:
    """Return whether weak operands keep a width in a function: some are arrays, which have one."""
    if len(classified) > 1 and any(x.node.weak or not x.operand.weak for x in classified):
        return False
    read = [x.operand for x in classified]
    arrays = [x for x in read if x.form == "array" and not x.dtype.weak]
    return any(x.weak and x.dtype.kind not in rule.default for x in arrays)


# joins


def _join(
    rules: Rules,
    classified: Sequence[Classified],
    join: Join,
    accepts: Callable[[DType], bool] | None = None,
) -> tuple[DType, Sequence[Step[DType]]]:
    """Return the join of what the operands are classified as; a refusal says what to type."""
    _check_known(rules, classified, join, accepts)
    try:
        return _joined(classified, join)
    except NoJoinError as error:
        raise hints.of_mix(error, join, accepts, rules.advise, _promotes(rules)) from None


def _joined(classified: Sequence[Classified], join: Join) -> tuple[DType, Sequence[Step[DType]]]:
    nodes = [x.node for x in classified]
    if isinstance(join, Fold):
        return join.run(classified)
    if isinstance(join, Lattice):
        return join.join(*nodes), ()
    steps = join.steps(*nodes)
    return steps[-1].result, steps


def _check_known(
    rules: Rules,
    classified: Sequence[Classified],
    join: Join,
    accepts: Callable[[DType], bool] | None,
) -> None:
    """Refuse dtypes that the rules do not have."""
    if unknown := [x.node for x in classified if x.node not in join]:
        raise NoJoinError(hints.of_unknown(rules.dtypes, unknown[0], accepts), unknown)


def _promotes(rules: Rules) -> Callable[[DType, DType], bool]:
    """Return whether a dtype promotes to another, as a function."""

    def promotes(*dtypes: DType) -> bool:
        operands = (Operand(d.name, d, d.weak, "dtype") for d in dtypes)
        classified = [Classified(x, x.dtype, "dtype") for x in operands]
        try:
            is_known = all(d in rules.join for d in dtypes)
            return is_known and _joined(classified, rules.join)[0] is dtypes[-1]
        except NoJoinError:
            return False

    return promotes


# defaults


def _default_operand(rules: Rules, op: str | None) -> list[Operand]:
    """Return the default dtype, which stands for the operands of a function that takes none."""
    known = function(op) if isinstance(op, str) else None
    if known is None or known.operands != 0:
        return []
    return [operand(default_dtypes(rules).float)._replace(text=DEFAULT)]


def default_dtypes(rules: Rules) -> Defaults:
    """Return the dtypes of what is made without one: those given, or of Python's numbers.

    If the rules lack the dtype of a kind, it is the widest that they have of it, or else as
    wide as Python's.
    """
    if rules.defaults is not None:
        return rules.defaults
    found = [_default(rules, number) for number in (int, float, complex)]
    index = found[0] if (found[0].bits or 0) >= 32 else from_code("i64")
    return Defaults(found[0], found[1], found[2], index)


def _default(rules: Rules, number: type) -> DType:
    """Return the dtype of Python's numbers of a type."""
    weak = operand(number).dtype
    wide = dtype(DEFAULT_WIDTHS[weak.name])
    try:
        found = _settled_alone(rules, operand(number))
    except NoJoinError:
        found = wide
    for d in (found, wide):
        if d in rules.join and not d.weak:
            return d
    for kind in (weak.kind, "unsigned" if number is int else weak.kind):
        if own := [d for d in rules.dtypes if d.kind == kind and not d.weak]:
            return max(own, key=lambda d: (d.bits or 0, d.precision or 0))
    return wide


# records and refusals


def _about(rules: Rules) -> dict[str, Any]:
    """Return what a record says of the rules."""
    return {
        "system": rules.name,
        "title": rules.title if rules.library else "",
        "setting": dict(rules.setting),
        "label": rules.label,
        "valued": rules.valued,
    }


def _refuse_none(rules: Rules) -> NoReturn:
    what = "promotion needs one operand or more"
    raise PromotionError(what, (), rules.name, {**rules.setting})


def _refuse(rules: Rules, read: Sequence[Operand], why: str, op: str | None = None) -> NoReturn:
    names = listed([x.text for x in read], most=12)
    setting = f" ({rules.label})" if rules.label else ""
    why = hints.in_idiom(why, rules.library)
    what = f"cannot promote {names}" if op is None else f"cannot apply {op} to {names}"
    msg = f"{what} under {rules.title} rules{setting}: {why}"
    raise PromotionError(msg, read, rules.name, dict(rules.setting)) from None
