"""The command ``supremum compare``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from ..core.errors import did_you_mean
from ..core.system import PromotionSystem
from .options import Choice, complete_dtype, format_option, function_option, rules_options
from .output import show_value
from .words import OperandCommand, joined, read_operands, tell_codes, unmarked


@click.command(cls=OperandCommand)
@click.argument("operands", nargs=-1, shell_complete=complete_dtype)
@function_option
@click.option("--function", metavar="MODULE:NAME", help="Follow a function of array code instead.")
@format_option("text", "json")
@rules_options
@click.pass_context
def compare(
    context: click.Context,
    choice: Choice,
    operands: Sequence[str],
    op: str | None,
    function: str,
    format: str,
) -> None:
    """Show what every library makes of OPERANDS; a star marks the odd ones out.

    With --system, once or several times, these rules alone are asked.

    \b
    supremum compare int32 float32
    supremum compare 'int8[3]' 300 -s numpy -s jax:x64=false -s torch
    supremum compare 'np.mean(int8[3]) * 2 + float32[3]'
    supremum compare --function numpy:hypot 'int32[3, 4]' 'float32[4]'
    """
    from ..core.analysis import compare as comparing
    from ..core.expressions.text import is_expression

    if not operands:
        raise click.UsageError("name one operand or more: supremum compare int32 float32[] 1.0")
    operands = joined(operands)
    texts, read = [unmarked(text) for text in operands], []
    if function and op:
        raise click.UsageError("--op and --function ask two questions; use one of them")
    usual = comparing.compared_libraries()
    systems = choice.all() if choice.named else choice.those_with_options(usual)
    if function:
        found = compared_by_function(function, texts, systems)
    elif op is None and len(texts) == 1 and is_expression(texts[0]):
        found = comparing.compare(texts[0], systems=systems)
    else:
        read = read_operands(operands, context.command)
        found = comparing.compare(*read, systems=systems, op=op)
    show_value(format, found, [(r"(?m)^\*.*$", "yellow")])
    if format == "text" and read:
        tell_codes(operands, read)


def compared_by_function(
    text: str, operands: Sequence[str], systems: Sequence[PromotionSystem]
) -> Any:
    """Return what a function gives everywhere, named as in ``module:name`` or ``file.py:name``."""
    import runpy
    from pathlib import Path

    from ..arrays.evaluation import compare_function

    place, _, name = text.rpartition(":")
    if not place or not name:
        raise click.UsageError(f"write a function as MODULE:NAME or FILE.py:NAME, not {text!r}")
    sys.path.insert(0, str(Path.cwd()))  # as python -m has it
    try:
        is_file = place.endswith(".py")
        module = runpy.run_path(place) if is_file else vars(import_module(place))
    except (ImportError, OSError) as error:
        raise click.UsageError(f"{place} cannot be loaded: {error}") from None
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise click.UsageError(f"{place} cannot be loaded, it raises {why}") from error
    found = module.get(name)
    if not callable(found):
        hint, _ = did_you_mean(name, [n for n, x in module.items() if callable(x) and n[0] != "_"])
        raise click.UsageError(f"{place} has no function {name!r}{hint}")
    return compare_function(found, *operands, systems=systems)
