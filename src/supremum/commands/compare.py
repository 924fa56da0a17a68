"""The command ``supremum compare``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ..core.systems import rules_not_dtype
from .options import Choice, complete_dtype, format_option, function_option, rules_options
from .output import show_value
from .words import OperandCommand, joined, read_operands, tell_codes, tell_numbers, unmarked


@click.command(cls=OperandCommand)
@click.argument("operands", nargs=-1, shell_complete=complete_dtype)
@function_option
@format_option("text", "json")
@rules_options
@click.pass_context
def compare(
    context: click.Context,
    choice: Choice,
    operands: Sequence[str],
    op: str | None,
    format: str,
) -> None:
    """Show what every library makes of OPERANDS; a star marks the odd ones out.

    With --system, once or several times, these rules alone are asked.

    \b
    supremum compare int32 float32
    supremum compare 'int8[3]' 300 -s numpy -s jax:x64=false -s torch
    supremum compare 'np.mean(int8[3]) * 2 + float32[3]'
    """
    from ..core.analysis import compare as comparing
    from ..core.evaluation.text import is_expression

    if not operands:
        raise click.UsageError("name one operand or more: supremum compare int32 float32[] 1.0")
    operands = joined(operands, context.command)
    if len(operands) == 2 and all(map(rules_not_dtype, operands)):
        raise click.UsageError(f"these are rules; type supremum diff {' '.join(operands)}")
    texts, read = [unmarked(text) for text in operands], []
    systems = choice.all() if choice.named else None
    if op is None and len(texts) == 1 and is_expression(texts[0]):
        found = comparing.compare(texts[0], systems=systems)
    else:
        read = read_operands(operands, context.command)
        found = comparing.compare(*read, systems=systems, op=op)
    show_value(format, found, [(r"(?m)^\*.*$", "yellow")])
    if format == "text" and read:
        tell_codes(systems or ())
        tell_numbers(operands, systems or ())
