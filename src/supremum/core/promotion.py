"""The three steps: what some operands come to under some rules, and how that is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from . import ways_out
from .dtype_names import from_code
from .dtypes import DType
from .errors import NoJoinError, PromotionError, RulesError, did_you_mean, listed
from .explanation import Applied, Explanation, Join, Settled, Taken
from .fold import Fold
from .function_rules import FunctionRule
from .functions import FUNCTIONS, canonical, function, results
from .lattice import Lattice
from .operands import Operand, dtype, operand, short
from .rule_parts import Case, Defaults, changed
from .settle import DEFAULT_WIDTHS
from .table import Step

if TYPE_CHECKING:
    from .system import PromotionSystem


def explain(rules: PromotionSystem, operands: Sequence[Any], op: str | None = None) -> Explanation:
    """Return the answer for some operands with the steps that lead to it.

    Raises:
        PromotionError: if the rules have no answer.
        DTypeError: if something is not an operand.
        RulesError: if the rules do not have the function.
    """
    read = [operand(x) for x in operands] or _default_operand(rules, op)
    _check_some(rules, read)
    if rules.ranked:
        unranked = next((i for i, x in enumerate(read) if x.is_unranked), None)
        if unranked is not None and len(read) > 1:
            return _explain_unranked(rules, read, unranked, op)
        # rules are told whether an operand has dimensions, not how many
        read = [x if not x.rank else x._replace(rank=1) for x in read]
    return _explain(rules, read, op)


def result(rules: PromotionSystem, operands: Sequence[Any], op: str | None = None) -> DType:
    """Return the dtype of `explain`."""
    return explain(rules, operands, op).result


def promote(rules: PromotionSystem, dtypes: Sequence[Any]) -> DType:
    """Return the join of some dtypes, which may be weak.

    Raises:
        PromotionError: if the rules have no answer.
        DTypeError: if something is not a dtype.
    """
    read = [operand(x if type(x) is type else dtype(x)) for x in dtypes]
    _check_some(rules, read)
    taken = [
        Taken(x, rules.classify(x, read).node if x.form == "type" else x.dtype, "dtype")
        for x in read
    ]
    try:
        return _join(rules, taken, rules.join)[0]
    except NoJoinError as error:
        _refuse(rules, read, str(error))


def _check_some(rules: PromotionSystem, read: Sequence[Operand]) -> None:
    if not read:
        what = "promotion needs one operand or more"
        raise PromotionError(what, (), rules.name, {**rules.setting})


def _explain_unranked(
    rules: PromotionSystem, read: list[Operand], at: int, op: str | None
) -> Explanation:
    """Return the answer if it is the same whether an operand has dimensions or not."""
    found: list[Explanation | PromotionError] = []
    for rank in (1, 0):
        variant = [*read[:at], read[at]._replace(rank=rank), *read[at + 1 :]]
        try:
            found.append(explain(rules, variant, op))
        except PromotionError as error:
            found.append(error)
    first, second = found
    if isinstance(first, PromotionError) and isinstance(second, PromotionError):
        raise first
    if (
        isinstance(first, Explanation)
        and isinstance(second, Explanation)
        and first.result is second.result
    ):
        return first
    what = f"{read[at].text} may have dimensions or not, and that decides"
    return _refuse(rules, read, f"{what}; pass an array whose rank is known", op)


def _explain(rules: PromotionSystem, read: list[Operand], op: str | None) -> Explanation:
    rule, given, without = None, read, read[:0]
    if op is not None:
        rule = _known_rule(rules, op, read)
        given, read = read, _operands_of(rules, op, rule, read)
        without = given[len(read) :]
    join = rules.join if rule is None or rule.shared else rules.function_join
    taken: list[Taken] = []
    node: DType | None = None
    try:
        of_function = rule is not None and rules.function_classify
        classify = of_function or rules.classify
        taken = [classify(x, read) for x in read]
        node, steps = _joined(rules, taken, join, rule)
        settled = rules.settle(node, taken)
        if rule is not None and settled.weak and _have_own_width(taken, rule):
            settled = Settled(taken[0].operand.dtype if len(taken) == 1 else node, weak=True)
        applied = _apply(rules, op, rule, settled, taken) if op and rule is not None else None
        if rule is not None and rule.whole:
            _check_exponent(rule, settled.dtype, given)
        if rule is not None and rule.only:
            _check_ints(rules, rule, settled.dtype, given)
    except NoJoinError as error:
        aside = _aside(rules, taken, None) if op is None and node is None else ""
        _refuse(rules, given, "; ".join(filter(None, (str(error), aside))), op)
    return Explanation(
        rules.name, rules.title if rules.library else "", dict(rules.setting), rules.label,
        tuple(taken), join, tuple(steps), node, settled, applied,
        _aside(rules, taken, node) if op is None else _left_out(without), rules.valued,
    )  # fmt: skip


def _joined(
    rules: PromotionSystem, taken: Sequence[Taken], join: Join, rule: FunctionRule | None
) -> tuple[DType, Sequence[Step[DType]]]:
    """Return the join, or what a function gives if there is none."""
    try:
        return _join(rules, taken, join, rule)
    except NoJoinError:
        if rule is None or rule.otherwise is None:
            raise
        return rule.otherwise, ()


def _join(
    rules: PromotionSystem, taken: Sequence[Taken], join: Join, rule: FunctionRule | None = None
) -> tuple[DType, Sequence[Step[DType]]]:
    """Return the join of what the operands are treated as; a refusal says what to type."""
    accepts = rule.accepts if rule is not None else None
    if unknown := [t.node for t in taken if t.node not in join]:
        raise NoJoinError(ways_out.of_unknown(rules, unknown[0], accepts), unknown)
    nodes = [t.node for t in taken]
    try:
        if isinstance(join, Fold):
            return join.run(taken)
        if isinstance(join, Lattice):
            return join.join(*nodes), ()
        steps = join.steps(*nodes)
        return steps[-1].result, steps
    except NoJoinError as error:
        raise ways_out.of_mix(rules, error, join, accepts) from None


def _aside(rules: PromotionSystem, taken: Sequence[Taken], node: DType | None) -> str:
    """Say what functions such as add give, if that is not what the operands share."""
    add = rules.rule("add")
    if rules.function_join is rules.join or not taken or (add is not None and add.shared):
        return ""
    try:
        other = _join(rules, taken, rules.function_join)[0]
    except NoJoinError:
        return ""
    return "" if other is node else f"operators such as add give {other} here, though"


def _left_out(operands: Sequence[Operand]) -> str:
    """Say which operands do not join, as the exponents of whole powers."""
    return f"{listed([x.text for x in operands])} does not change the dtype" if operands else ""


def _known_rule(rules: PromotionSystem, op: str, read: Sequence[Operand]) -> FunctionRule:
    """Return the rule of a function, which takes as many operands as there are."""
    rule = rules.rule(op) if isinstance(op, str) else None
    if rule is None:
        known = [name for name in FUNCTIONS if rules.rule(name)]
        if not known:
            what = f"no function rules are defined for {rules.title}, so {op!r} has no answer"
            raise RulesError(what, op)
        if parts := [part for part in results(str(op)) if rules.rule(part)]:
            what = f"{op} has several results; ask for one of them: {listed(parts, 'or')}"
            raise RulesError(what, op, parts)
        hint, close = did_you_mean(str(op), [name for name in known if name.isidentifier()])
        more = hint or f"; they have {listed(known, most=30)}"
        raise RulesError(f"{rules.title} rules have no function {op!r}{more}", op, close)
    known_as = FUNCTIONS[canonical(op) or op]
    least, most = known_as.least, known_as.operands
    if most and not least <= len(read) <= most:
        number = _COUNTED[most] if least == most else f"{least} to {most} operands"
        _refuse(rules, read, f"{op} takes {number}, not {len(read)}", op)
    return rule


_COUNTED = {1: "one operand", 2: "two operands", 3: "three operands"}


def _default_operand(rules: PromotionSystem, op: str | None) -> list[Operand]:
    """Return the default dtype, which stands for the operands of a function that takes none."""
    known = function(op) if isinstance(op, str) else None
    if known is None or known.operands != 0:
        return []
    return [operand(default_dtypes(rules).float)._replace(text="the default dtype")]


_COMPUTES = ("elementwise", "condition", "reduction", "cumulative")
_TAKES_NUMBERS = (*_COMPUTES, "index", "store", "float", "fill", "count", "random")


def _check_arrays(
    rules: PromotionSystem, op: str, rule: FunctionRule, read: Sequence[Operand]
) -> None:
    """Refuse numbers that must be arrays, where NumPy's scalars may be numbers as well."""
    scalars = "" if rules.numbers_alone else "scalar"
    numbers = [x for x in read if x.is_python or x.form == scalars]
    sort = FUNCTIONS[canonical(op) or op].sort
    which = rule.arrays if sort in _TAKES_NUMBERS else "all"
    needs_array = sort in _COMPUTES and not (rules.numbers_alone or rule.alone)
    if needs_array and len(numbers) == len(read):
        which = "first"
    checked = {"all": read, "first": read[:1]}.get(which, ())
    if number := next((x for x in checked if x in numbers), None):
        which = "first operand of" if which == "first" else "operands of"
        verb = "is an array" if which.startswith("first") else "are arrays"
        raise NoJoinError(f"the {which} {op} {verb}; make an array of {number.text} first")


def _operands_of(
    rules: PromotionSystem, op: str, rule: FunctionRule, read: list[Operand]
) -> list[Operand]:
    """Return the operands that join, by a function's rule."""
    for place, (x, kinds) in enumerate(zip(read, rule.takes, strict=False)):
        if not Case(kinds, "").has(x.dtype):
            where = ("first", "second", "third")[place]
            _refuse(rules, read, f"{op} does not take {x.dtype} as its {where} operand", op)
    if rule.only:
        return [read[min(rule.only, len(read)) - 1]]
    if len(read) == 2 and rule.whole and _is_exponent(read[1]):
        return read[:1]
    is_inexact = len(read) == 2 and read[0].weak and read[0].dtype.kind in ("float", "complex")
    if rule.integral and is_inexact and _is_integer(read[1]):
        return [read[0]._replace(weak=read[1].weak)]
    if rule.apart:
        defaults = default_dtypes(rules)
        try:
            own = [_settled_alone(rules, x) for x in read]
            made = [rule.result_of(op, d, defaults, rules.dtypes) for d in own]
        except NoJoinError as error:
            _refuse(rules, read, str(error), op)
        read = [
            x._replace(dtype=d, weak=False, form="array", value=None)
            for x, d in zip(read, made, strict=True)
        ]
    return [*read, operand(1.0)] if rule.beside_float else read


def _settled_alone(rules: PromotionSystem, x: Operand) -> DType:
    """Return the dtype that an operand has by itself."""
    taken = rules.classify(x, [x])
    return rules.settle(taken.node, [taken]).dtype


def _apply(
    rules: PromotionSystem, op: str, rule: FunctionRule, settled: Settled, taken: Sequence[Taken]
) -> Applied:
    _check_arrays(rules, op, rule, [t.operand for t in taken])
    joined = settled.dtype
    own = [_width(rules, t, joined) if t.operand.dtype.weak else t.operand.dtype for t in taken]
    if rules.valued:  # scalars are what their values are taken for
        own = [d if t.node.weak else t.node for d, t in zip(own, taken, strict=True)]
    arrays = [d for d, t in zip(own, taken, strict=True) if not t.operand.is_python]
    if unknown := [d for d in arrays if d not in rules.operable]:
        d = unknown[0]
        wider = [w for w in rules.operable if w.kind == d.kind and (w.bits or 0) > (d.bits or 0)]
        way = ways_out.cast_first(wider[0]) if wider else ""
        raise NoJoinError(f"{op} is not defined for {d} under these rules{way}")
    ones = [_is_whole(t.operand) and t.operand.value == 1 for t in taken]
    is_kept = rule.identity and any(ones) and taken[0].operand.value is not True
    result = joined
    if not is_kept:
        result = rule.apply(op, joined, own, default_dtypes(rules), rules.dtypes)
    _check_ints(rules, rule, joined, [t.operand for t in taken])
    weak = settled.weak and rules.weak_arrays and result.kind != "bool"
    if rule.weak is not None and settled.weak and rules.weak_arrays:
        weak = joined.kind in rule.weak
    if rule.whole and len(taken) == 1:
        weak = settled.weak
    return Applied(op, result, changed(op, joined, result), weak)


def _check_ints(
    rules: PromotionSystem, rule: FunctionRule, joined: DType, read: Sequence[Operand]
) -> None:
    """Refuse Python ints that do not fit what they are converted to."""
    _check_exponent(rule, joined, read)
    ints = [x.number if type(x.number) is int else None for x in read]
    if rules.refuse_int is None:
        return
    after_first = ("bound", "divisor", "exponent")
    for i, value in enumerate(ints):
        if value is None or (i == 0 and rule.ints in after_first):
            continue
        why = rules.refuse_int(value, joined, read, rule.ints)
        if why:
            raise NoJoinError(f"{why}; give the number a dtype that holds it")


def _check_exponent(rule: FunctionRule, joined: DType, read: Sequence[Operand]) -> None:
    if not rule.is_power or joined.kind not in ("bool", "unsigned", "signed"):
        return
    exponents: list[Any] = [x.value for x in read[1:] if _is_exponent(x) and x.value is not None]
    if any(value < 0 for value in exponents):
        raise NoJoinError("an integer to a negative power is not an integer; use a float")


def fits(value: int, d: DType) -> str | None:
    """Return why an int does not fit an integer dtype, or None."""
    if d.kind not in ("signed", "unsigned") or d.weak or d.min <= value <= d.max:
        return None
    return f"{short(value)} does not fit {d}, which goes from {d.min} to {d.max}"


def _width(rules: PromotionSystem, taken: Taken, joined: DType) -> DType:
    """Return the dtype of a weak operand: of a number without one, that of the others."""
    try:
        found = rules.settle(taken.node, [taken]).dtype
    except NoJoinError:
        if not taken.operand.is_python:
            raise
        return joined
    return found if found in rules.operable else joined


def default_dtypes(rules: PromotionSystem) -> Defaults:
    """Return the dtypes of what is made without one: those given, or of Python's numbers.

    If the rules lack the dtype of a kind, it is the widest that they have of it, or else as
    wide as Python's.
    """
    if rules.defaults is not None:
        return rules.defaults
    found = [_default(rules, number) for number in (int, float, complex)]
    index = found[0] if (found[0].bits or 0) >= 32 else from_code("i64")
    return Defaults(found[0], found[1], found[2], index)


def _default(rules: PromotionSystem, number: type) -> DType:
    weak = operand(number).dtype
    wide = dtype(DEFAULT_WIDTHS[weak.name])
    try:
        taken = rules.classify(operand(number), [operand(number)])
        found = rules.settle(taken.node, [taken]).dtype
    except NoJoinError:
        found = wide
    for d in (found, wide):
        if d in rules.join and not d.weak:
            return d
    for kind in (weak.kind, "unsigned" if number is int else weak.kind):
        if own := [d for d in rules.dtypes if d.kind == kind and not d.weak]:
            return max(own, key=lambda d: (d.bits or 0, d.precision or 0))
    return wide


def _refuse(
    rules: PromotionSystem, read: Sequence[Operand], why: str, op: str | None = None
) -> NoReturn:
    names = listed([x.text for x in read], most=12)
    setting = f" ({rules.label})" if rules.label else ""
    what = f"cannot promote {names}" if op is None else f"cannot apply {op} to {names}"
    msg = f"{what} under {rules.title} rules{setting}: {why}"
    raise PromotionError(msg, read, rules.name, dict(rules.setting)) from None


def _is_whole(op: Operand) -> bool:
    return op.form == "Python scalar" and isinstance(op.value, int)


def _is_exponent(op: Operand) -> bool:
    return _is_whole(op) or (op.form == "scalar" and _is_integer(op))


def _is_integer(op: Operand) -> bool:
    return op.dtype.kind in ("unsigned", "signed")


def _have_own_width(taken: Sequence[Taken], rule: FunctionRule) -> bool:
    """Tell whether weak operands keep a width in a function: some are arrays, which have one."""
    if len(taken) > 1 and any(t.node.weak or not t.operand.weak for t in taken):
        return False
    arrays = [t.operand for t in taken if t.operand.form == "array" and not t.operand.dtype.weak]
    return any(x.weak and x.dtype.kind not in rule.default for x in arrays)
