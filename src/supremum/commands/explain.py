"""The command ``supremum explain``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from ..core import deciding
from ..core.deciding import other_setting, rules_as_said, rules_of_operands, usual_rules
from ..core.dtypes import DType
from ..core.errors import SupremumError
from ..core.operands import Operand, parse
from ..core.system import PromotionSystem
from ..core.systems import find
from ..terminal import print_text
from .options import (
    Choice,
    complete_dtype,
    format_option,
    function_option,
    rules_options,
)
from .output import show_value
from .words import (
    OperandCommand,
    joined,
    read_operands,
    tell_codes,
    tell_numbers,
    unmarked,
)

if TYPE_CHECKING:
    from ..conformance.expressions import Confirmation
    from ..core.evaluation.record import ExpressionExplanation

_PAIR: Final = 2  # operands, of which an operator takes as many


@click.command(cls=OperandCommand)
@click.argument("operands", nargs=-1, shell_complete=complete_dtype)
@function_option
@click.option("--live", is_flag=True, help="Ask the installed library about an expression, too.")
@format_option("text", "json")
@rules_options
@click.pass_context
def explain(
    context: click.Context,
    choice: Choice,
    operands: Sequence[str],
    op: str | None,
    live: bool,
    format: str,
) -> None:
    """Explain what dtype OPERANDS promote to, or an expression of operands gives, and why.

    An operand is a dtype (int32, np.int32), an array of one (float32[3], or float32[] with no
    dimensions), a Python number (1, 1.5, 2j, True), or a weak dtype (int*). A prefix names the
    library whose rules decide. An expression is Python's, with the functions of NumPy (np.), JAX
    (jnp.) or PyTorch (torch.).

    \b
    supremum explain int32 float16 1.0
    supremum explain 'np.mean(int8[3]) * 2 + float32[3]'
    supremum explain 'int8[3]' 'uint8[3]' --system jep9407-option1
    supremum explain 'int32[3] / float16[3]' --system torch --live
    supremum explain int64 1 --system jax:x64=false
    supremum explain int32 int32 --op /
    supremum explain 'x / y' x=int32[3] y=float16[3]

    Exits 1 if the rules have no answer, or the library another one.
    """
    from ..core.evaluation.text import is_expression

    if not operands:
        raise click.UsageError("name one operand or more: supremum explain int32 float16 1.0")
    if (line := re.fullmatch(r"(\S+\.py)(:\d+)+", operands[0])) is not None:
        what = f"{operands[0]!r} is a line of a program"
        raise click.UsageError(f"{what}; type supremum audit {line[1]}")
    usual = choice.one()
    is_said = bool(choice.named) or usual_rules().where != "the default"
    operands, given = _bound(joined(operands, context.command))
    is_option = re.match(r"--[a-z]", "".join(operands[:1]))  # which click took for an operand
    if op is None and len(operands) == 1 and not is_option and is_expression(unmarked(operands[0])):
        from ..core.evaluation.expression import explain_expression

        # the functions of an expression say whose rules decide, unless somebody else does
        text, rules_said = unmarked(operands[0]), usual if is_said else None
        lost = (r"(?m)^  (Step \d+: .*| *\^+)$", "yellow")
        first = (r"\A[\w*]+", "bold green")
        if live:
            found = _explained_live(text, rules_said)
            show_value(format, found, [first, lost, (r"(?m)^(not )?confirmed.*$", "bold")])
            context.exit(int(getattr(found.said, "verdict", "") == "wrong"))
        said = explain_expression(text, rules_said, given)
        show_value(format, said, [first, lost])
        own = rules_said or rules_as_said(find(said.system))
        met = [*said.results, *(x for step in said.steps for x in step.operands)]
        is_bare = not said.results[0].is_python and not any(map(_has_library, met))
        is_default = not is_said and own is usual and is_bare

        def asked_again(rules: PromotionSystem) -> DType:
            return explain_expression(text, rules, given).result

        _tell_others(format, own, said.result, asked_again, elsewhere=is_default)
        return
    if given:
        name = next(iter(given))
        raise click.UsageError(f"{name}= names an operand of an expression, such as '{name} + 1'")
    if live:
        raise click.UsageError("--live is for an expression, such as 'int32[3] + 1.5'")
    read = read_operands(operands, context.command)
    rules = usual if choice.named else rules_of_operands(read, lambda: usual)
    explanation = rules.explain(*read, op=op)
    result = ("^" + re.escape(explanation.result.name), "bold green")
    show_value(
        format, explanation, [result, (r"(?m)^(May|Wider|Drops).*$", "yellow"), (r"→", "dim")]
    )
    is_default = not is_said and not any(map(_has_library, read))

    def ask(rules: PromotionSystem) -> DType:
        _check_number(rules, read if op is None else ())
        return rules.explain(*read, op=op).result

    _tell_others(format, rules, explanation.result, ask, elsewhere=is_default)
    if format == "text":
        tell_codes([rules])
        tell_numbers(operands, [rules])


def _check_number(rules: PromotionSystem, operands: Sequence[Operand]) -> None:
    """Refuse a Python int that an operation of these rules refuses beside another operand.

    Raises:
        PromotionError: as the operation does.
    """
    has_int = any(type(x.value) is int for x in operands if x.is_python)
    if has_int and len(operands) == _PAIR:
        rules.result_type(*operands, op="add")


def _bound(words: Sequence[str]) -> tuple[Sequence[str], dict[str, Operand]]:
    """Return the words that bind no name, and the operands that the others bind to names."""
    if any(re.match(r"--?[A-Za-z]", word) for word in words):  # what follows may be its value
        return words, {}
    pairs = {w: w.partition("=") for w in words if re.match(r"[A-Za-z_]\w*=[^=]", w)}
    given = {name: parse(value) for name, _, value in pairs.values()}
    return [w for w in words if w not in pairs], given


def _has_library(x: Operand) -> bool:
    return bool(x.library) and not x.is_python


def _tell_others(
    format: str,
    rules: PromotionSystem,
    result: DType,
    ask: Callable[[PromotionSystem], DType],
    *,
    elsewhere: bool,
) -> None:
    """Say what the other setting of a library gives, and others, if that is another dtype."""
    if format != "text":
        return
    said = [other_setting(rules, result, ask), deciding.elsewhere(result, ask) if elsewhere else ""]
    if found := [line for line in said if line]:
        print_text("\n" + "\n".join(found))


class _Live(NamedTuple):
    """An expression explained, and what the live library makes of it, or why nobody asked it."""

    explained: Any
    said: Confirmation | SupremumError

    def to_dict(self) -> dict[str, Any]:
        """Return both as plain lists and texts, as ``--format json`` prints it."""
        if isinstance(self.said, SupremumError):
            live = {"verdict": "not asked", "reason": str(self.said)}
        else:
            live = self.said.to_dict()
        return {**self.explained.to_dict(), "live": live}

    def __str__(self) -> str:
        why_not = "not confirmed: " if isinstance(self.said, SupremumError) else ""
        return f"{self.explained}\n\n{why_not}{self.said}"


def _explained_live(text: str, rules: PromotionSystem | None) -> _Live:
    """Return an expression explained and confirmed; what is refused is shown before it is raised.

    Args:
        text: the expression.
        rules: those that decide, or None for those that the expression itself decides.
    """
    from ..conformance.expressions import confirm
    from ..core.evaluation.expression import explain_expression

    explained: ExpressionExplanation | SupremumError
    said: Confirmation | SupremumError
    try:
        explained = explain_expression(text, rules)
    except SupremumError as error:
        explained = error
    try:
        said = confirm(text, rules)  # which imports the library
    except SupremumError as error:
        said = error
    if not isinstance(explained, SupremumError):
        return _Live(explained, said)
    if not isinstance(said, SupremumError):
        click.echo(said)
    raise explained
