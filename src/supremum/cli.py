"""The command ``supremum``."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem
from rich.console import Console
from rich.text import Text

import supremum
from supremum import criteria, laws, show
from supremum.dtypes import DType, names
from supremum.errors import PromotionError, RulesError, SupremumError, did_you_mean
from supremum.operands import parse
from supremum.system import PromotionSystem

Command = Callable[..., None]


class _Main(click.Group):
    """The command group, with errors of one line."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            code = super().main(*args, **{**kwargs, "standalone_mode": False})
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            code = 0
        except click.ClickException as error:
            code = _complain(error.format_message().rstrip(".").replace("\n", " "), 2)
        except PromotionError as error:
            code = _complain(str(error), 1)
        except SupremumError as error:
            code = _complain(str(error), 2)
        except click.Abort:
            code = 130
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = 1
        sys.exit(code if isinstance(code, int) else 0)


def _complain(message: str, code: int) -> int:
    click.echo(f"supremum: {message}", err=True)
    return code


def _complete_system(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in supremum.systems() if name.startswith(start)]


def _complete_dtype(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names() if name.startswith(start)]


def _rules_options(command: Command) -> Command:
    """Add the options that choose the rules, and hand the rules over as `rules`."""

    def with_rules(
        system: str, x64: bool | None, mode: str | None, option: Sequence[str], **rest: Any
    ) -> None:
        given: dict[str, Any] = {"x64": x64, "mode": mode}
        given = {name: value for name, value in given.items() if value is not None}
        for text in option:
            name, equals, value = text.partition("=")
            if not equals:
                raise click.UsageError(f"write an option as NAME=VALUE, not {text!r}")
            given[name] = {"true": True, "false": False}.get(value.lower(), value)
        command(rules=_rules(system, given), **rest)

    with_rules.__name__, with_rules.__doc__ = command.__name__, command.__doc__
    with_rules.__click_params__ = getattr(command, "__click_params__", [])  # type: ignore[attr-defined]  # where click keeps the options of a function
    for add in (
        click.option("-o", "--option", multiple=True, metavar="NAME=VALUE",
                     help="An option of the rules; 'supremum systems' lists them."),
        click.option("--mode", metavar="MODE", help="JAX's mode: standard or strict."),
        click.option("--x64/--no-x64", default=None, help="Whether JAX's 64-bit types are on."),
        click.option("-s", "--system", default="jax", show_default=True, metavar="NAME|FILE",
                     shell_complete=_complete_system,
                     help="The rules, or a file of arrows or TOML that describes some."),
    ):  # fmt: skip
        add(with_rules)
    return with_rules


def _rules(system: str, options: dict[str, Any]) -> PromotionSystem:
    looks_like_file = os.sep in system or system.endswith((".toml", ".txt", ".arrows"))
    if system in supremum.systems() or not (looks_like_file or Path(system).exists()):
        return supremum.system(system, **options)
    if options:
        raise RulesError(f"rules from a file have no options such as {min(options)}", system)
    return PromotionSystem.from_file(system)


def _format_option(*formats: str) -> Callable[[Command], Command]:
    return click.option(
        "-f", "--format", type=click.Choice(formats), default=formats[0], show_default=True,
        help="How to print it.",
    )  # fmt: skip


def _print(format: str, value: Any, styles: Sequence[tuple[str, str]] = ()) -> None:
    """Print a value as text, in colour on a terminal, or as JSON."""
    if format == "json":
        click.echo(json.dumps(value.as_dict(), indent=1, ensure_ascii=False))
        return
    text = Text(str(value))
    for pattern, style in styles:
        text.highlight_regex(pattern, style)
    Console(highlight=False).print(text, soft_wrap=True)


@click.group(cls=_Main, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(supremum.__version__, prog_name="supremum")
def main() -> None:
    """What dtype comes out, and why: the promotion rules of Python's array libraries.

    \b
    supremum explain int32 float16 1.0
    supremum table --system jax-original
    supremum laws --system my_rules.txt
    """


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("operands", nargs=-1, shell_complete=_complete_dtype)
@_format_option("text", "json")
@_rules_options
@click.pass_context
def explain(
    context: click.Context, rules: PromotionSystem, operands: Sequence[str], format: str
) -> None:
    """Say what dtype comes out of OPERANDS, and why.

    An operand is a dtype (int32), an array of one (float32[3], or float32[] with no dimensions), a
    Python number (1, 1.5, 2j, True), or a weak dtype (int*). Short codes count bits: i8 is int8.

    \b
    supremum explain int32 float16 1.0
    supremum explain 'i8[3]' 'u8[3]' --system jep9407-option1
    supremum explain int64 1 --no-x64

    Exits 1 where the rules have no answer.
    """
    if not operands:
        raise click.UsageError("name one operand or more: supremum explain int32 float16 1.0")
    for text in operands:
        _refuse_option(text, context.command)
    read = [parse(text) for text in operands]
    told = rules.explain(*read)
    result = ("^" + re.escape(told.result.name), "bold green")
    _print(format, told, [result, (r"(?m)^(May|Wider|Drops).*$", "yellow"), (r"→", "dim")])
    codes = {t: op.dtype.name for t, op in zip(operands, read, strict=True) if _is_code(t)}
    if codes and format == "text":
        said = ", ".join(f"{code} as {name}" for code, name in codes.items())
        click.echo(f"Short codes count bits: {said}.")


def _is_code(text: str) -> bool:
    return any(d.code == text.partition("[")[0] for d in map(supremum.dtype, names()))


def _refuse_option(text: str, command: click.Command) -> None:
    """Refuse a misspelt option, which click took for an operand so that -1 can be one."""
    if text.startswith("-") and not text[1:2].isdigit() and text[1:2] != ".":
        known = [name for parameter in command.params for name in parameter.opts]
        name = text.partition("=")[0]
        raise click.UsageError(f"no such option: {name}{did_you_mean(name, known)[0]}")


@main.command()
@click.argument("dtypes", nargs=-1, shell_complete=_complete_dtype)
@click.option(
    "--all", "everything", is_flag=True, help="Dtypes of under eight bits and float8 too."
)
@_format_option(*show.FORMATS)
@_rules_options
def table(rules: PromotionSystem, dtypes: Sequence[str], everything: bool, format: str) -> None:
    """Print what every pair of DTYPES promotes to; without any, of all that the rules have.

    People's formats show codes that count bits (i8 is int8), csv and json full names.

    \b
    supremum table
    supremum table int8 uint8 float16 --system jep9407-option2 --format markdown
    supremum table --all --format csv > jax.csv
    """
    whole = rules.table()
    if dtypes:
        chosen = [parse(text).dtype for text in dtypes]
        for d in chosen:
            rules.promote_types(d)
    else:
        chosen = [d for d in whole.nodes if everything or _is_common(d)]
        if left := len(whole) - len(chosen):
            click.echo(f"{left} narrow dtypes are left out; --all shows them", err=True)
    click.echo(show.render(whole.only(chosen), format))


def _is_common(d: DType) -> bool:
    return d.weak or (d.bits or 0) > 8 or (d.bits == 8 and d.kind != "float")


@main.command(name="laws")
@_format_option("text", "json")
@_rules_options
@click.pass_context
def laws_(context: click.Context, rules: PromotionSystem, format: str) -> None:
    """Try the laws of a join on every pair and triple of dtypes, and show what breaks them.

    \b
    supremum laws
    supremum laws --system jax-original
    supremum laws --system my_rules.toml --format json

    Exits 1 where a law fails, so that CI can use it.
    """
    found = laws.check(rules)
    _print(format, found, [(r"\bholds\b", "green"), (r"\bfails [\d,]+ times?", "bold red")])
    context.exit(0 if found.hold else 1)


@main.command(name="criteria")
@_format_option("text", "json")
@_rules_options
def criteria_(rules: PromotionSystem, format: str) -> None:
    """Measure the five criteria of JAX's design document on some rules.

    \b
    supremum criteria
    supremum criteria --system jep9407-option1 --format json
    """
    _print(format, criteria.measure(rules))


@main.command()
@_format_option("text", "json")
def systems(format: str) -> None:
    """List the rules that Supremum knows, with their options.

    \b
    supremum systems
    supremum systems --format json
    """
    found: list[dict[str, Any]] = []
    for name in supremum.systems():
        rules = supremum.system(name)
        found.append(
            {
                "system": name,
                "version": rules.version,
                "join": "table" if rules.lattice is None else "lattice",
                "dtypes": len(rules.dtypes),
                "options": {o: list(values) for o, values in supremum.options(name).items()},
                "source": rules.source,
            }
        )
    if format == "json":
        click.echo(json.dumps(found, indent=1))
        return
    for row in found:
        options = ", ".join(
            f"{name}={'|'.join(map(str, values))}" for name, values in row["options"].items()
        )
        line = f"{row['system']:<26}{row['join']:<9}{row['dtypes']:>3} dtypes  {row['source']}"
        click.echo(line + (f"\n{'':<26}options: {options}" if options else ""))
