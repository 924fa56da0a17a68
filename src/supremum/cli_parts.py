"""What the commands share: their errors, the options that choose rules, and how they print."""

from __future__ import annotations

import json
import os
import re
import runpy
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .core.dtype_names import names
from .core.errors import PromotionError, RulesError, SupremumError, did_you_mean
from .core.operands import Operand, dtype, parse
from .core.system import PromotionSystem
from .core.systems import DEFAULT
from .core.systems import options as options_of
from .core.systems import system as rules_of
from .core.systems import systems as names_of_rules
from .spelling import spell_output

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = Callable[..., None]

_NUMBER = re.compile(r"-(\d|\.\d|inf|nan)")
_MARK = "\0"


class Main(click.Group):
    """The command group, with errors of one line."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command, and exit: 1 where rules have no answer, 2 for what cannot be asked."""
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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; all but the audit, whose program prints, spell what they print."""
        name, command, rest = super().resolve_command(ctx, args)
        if name != "audit":
            spell_output()
        return name, command, rest


class OperandCommand(click.Command):
    """A command whose operands may be negative numbers, which look like options."""

    ignore_unknown_options = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words, with a mark before negative numbers."""
        return super().parse_args(ctx, [f"{_MARK}{a}" if _NUMBER.match(a) else a for a in args])


def _complain(message: str, code: int) -> int:
    click.echo(f"supremum: {message}", err=True)
    return code


def complete_system(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of rules."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in names_of_rules() if name.startswith(start)]


def complete_dtype(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of a dtype."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in names() if name.startswith(start)]


def rules_options(command: Command) -> Command:
    """Add the options that choose the rules, and hand the rules over as `rules`."""

    def with_rules(
        system: str, x64: bool | None, mode: str | None, option: Sequence[str], **rest: Any
    ) -> None:
        given: dict[str, Any] = {"x64": x64, "mode": mode}
        given = {name: value for name, value in given.items() if value is not None}
        given |= read_options(option)
        command(rules=find_rules(system, given), **rest)

    with_rules.__name__, with_rules.__doc__ = command.__name__, command.__doc__
    with_rules.__click_params__ = getattr(command, "__click_params__", [])  # type: ignore[attr-defined]  # where click keeps the options of a function
    for add in (
        click.option("-o", "--option", multiple=True, metavar="NAME=VALUE",
                     help="An option of the rules; 'supremum systems' lists them."),
        click.option("--mode", metavar="MODE", help="JAX's mode: standard or strict."),
        click.option("--x64/--no-x64", default=None, help="Whether JAX's 64-bit types are on."),
        click.option("-s", "--system", default=DEFAULT, show_default=True, metavar="NAME|FILE",
                     shell_complete=complete_system,
                     help="The rules, or a file of arrows or TOML that describes some."),
    ):  # fmt: skip
        add(with_rules)
    return with_rules


def read_options(texts: Sequence[str]) -> dict[str, Any]:
    """Return the options that texts such as ``version=2024.12`` set."""
    given: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"write an option as NAME=VALUE, not {text!r}")
        given[name] = {"true": True, "false": False}.get(value.lower(), value)
    return given


def find_rules(system: str, options: dict[str, Any]) -> PromotionSystem:
    """Return the rules of a name or a file."""
    looks_like_file = os.sep in system or system.endswith((".toml", ".txt", ".arrows"))
    if system in names_of_rules() or not (looks_like_file or Path(system).exists()):
        return rules_of(system, **options)
    if options:
        raise RulesError(f"rules from a file have no options such as {min(options)}", system)
    return PromotionSystem.from_file(system)


def compared_by_function(text: str, operands: Sequence[str]) -> Any:
    """Return what a function gives everywhere, named as in ``module:name`` or ``file.py:name``."""
    from .arrays.evaluation import compare_function

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
    return compare_function(found, *operands)


def describe_rules(name: str, *, check: bool) -> dict[str, Any]:
    """Return the facts of some rules, and if they are checked, their laws and their library."""
    rules = rules_of(name)
    row: dict[str, Any] = {
        "system": name,
        "version": rules.version,
        "releases": list(rules.releases),
        "join": type(rules.join).__name__.lower(),
        "dtypes": len(rules.dtypes),
        "depends_on": list(rules.depends_on),
        "options": {o: list(values) for o, values in options_of(name).items()},
        "functions": list(rules.functions),
        "source": rules.source,
    }
    if check:
        from . import conformance
        from .core import laws

        broken = [law.name for law in laws.laws(rules).laws if not law.holds]
        row["checked"] = [f"laws: {', '.join(broken)} broken" if broken else "laws: all hold"]
        if name in conformance.conformable():
            measured = conformance.conform(name, functions=False)
            row["checked"] += [str(m).splitlines()[0] for m in measured]
    return row


def format_option(*formats: str) -> Callable[[Command], Command]:
    """Return the option that chooses one of some formats."""
    return click.option(
        "-f", "--format", type=click.Choice(formats), default=formats[0], show_default=True,
        help="How to print it.",
    )  # fmt: skip


def show_value(format: str, value: Any, styles: Sequence[tuple[str, str]] = ()) -> None:
    """Print a value as text, in colour on a terminal, or as JSON."""
    if format == "json":
        click.echo(json.dumps(value.as_dict(), indent=1, ensure_ascii=False))
        return
    from rich.console import Console
    from rich.text import Text

    text = Text(str(value))
    for pattern, style in styles:
        text.highlight_regex(pattern, style)
    Console(highlight=False).print(text, soft_wrap=True)


def read_operands(operands: Sequence[str], command: click.Command) -> list[Operand]:
    """Return the operands that some words describe."""
    for text in operands:
        _refuse_option(text, command)
    return [parse(unmarked(text)) for text in operands]


def unmarked(text: str) -> str:
    """Return a word as it was typed: negative numbers come with a mark before them."""
    return text.removeprefix(_MARK)


def tell_codes(operands: Sequence[str], read: Sequence[Operand]) -> None:
    """Say which words were read as codes that count bits."""
    codes = {t: op.dtype.name for t, op in zip(operands, read, strict=True) if _is_code(t)}
    if codes:
        readings = ", ".join(f"{code} as {name}" for code, name in codes.items())
        click.echo(f"Short codes count bits: {readings}.")


def _is_code(text: str) -> bool:
    return any(d.code == text.partition("[")[0] for d in map(dtype, names()))


def _refuse_option(text: str, command: click.Command) -> None:
    """Refuse an option that click took for an operand: a misspelt one, or one after ``--``."""
    if text.startswith("-"):
        known = [name for parameter in command.params for name in parameter.opts]
        name = text.partition("=")[0]
        if name in known:
            raise click.UsageError(f"{name} comes after --, where only operands may come")
        near = did_you_mean(name.strip("-"), [option.strip("-") for option in known])[1]
        hint = f"; did you mean {' or '.join(f'--{word}' for word in near)}?" if near else ""
        raise click.UsageError(f"no such option: {name}{hint}")
