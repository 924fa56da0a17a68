"""The options that several commands have: rules, dtypes, functions and formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..core.dtypes import names
from ..core.errors import DTypeError, RulesError
from ..core.operands import parse
from ..core.system import PromotionSystem
from ..core.systems import find, read_options
from ..core.systems import options as options_of
from ..core.systems import systems as names_of_rules
from ..core.usual import usual_rules

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = Callable[..., None]
Completion = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]


def complete_from(names: Callable[[], Iterable[str]], *, listed: bool = False) -> Completion:
    """Return what completes one of some names, or a list of them with commas."""

    def complete(_: click.Context, __: click.Parameter, text: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        before, comma, start = text.rpartition(",") if listed else ("", "", text)
        known = [name for name in names() if name not in before.split(",")]
        return [CompletionItem(before + comma + n) for n in known if n.startswith(start)]

    return complete


def function_names() -> Iterable[str]:
    """Return the names of all functions."""
    from ..core.functions import FUNCTIONS

    return FUNCTIONS


complete_system = complete_from(names_of_rules)
complete_dtype = complete_from(names)
complete_dtypes = complete_from(names, listed=True)
complete_function = complete_from(function_names)


def option_names() -> Iterable[str]:
    """Return the names of the options that rules have."""
    return dict.fromkeys(name for rules in names_of_rules() for name in options_of(rules))


def complete_option(
    context: click.Context, __: click.Parameter, start: str
) -> list[CompletionItem]:
    """Complete an option of the rules that are named, with its value."""
    from click.shell_completion import CompletionItem

    # words that stand before an unfinished option are left in `args`
    words = [*(context.params.get("named") or ()), context.params.get("system"), *context.args]
    rules = [name.partition(":")[0] for name in words if name]
    named = [name for name in rules if name in names_of_rules()]
    found = [
        f"{option}={str(value).lower()}"
        for name in named or names_of_rules()
        for option, values in options_of(name).items()
        for value in values
    ]
    return [CompletionItem(text) for text in dict.fromkeys(found) if text.startswith(start)]


def complete_word(
    context: click.Context, parameter: click.Parameter, start: str
) -> list[CompletionItem]:
    """Complete the name of rules or of a dtype."""
    systems = complete_system(context, parameter, start)
    return [*systems, *complete_dtype(context, parameter, start)]


def format_option(*formats: str) -> Callable[[Command], Command]:
    """Return the option that chooses one of some formats."""
    return click.option(
        "-f", "--format", type=click.Choice(formats), default=formats[0], show_default=True,
        help="How to print it.",
    )  # fmt: skip


function_option = click.option(
    "--op",
    metavar="FUNCTION",
    shell_complete=complete_function,
    help="What a function gives, such as true_divide, or an operator, such as /.",
)
"""The option for a function."""

systems_argument = click.argument(
    "systems", nargs=-1, metavar="[SYSTEM]...", shell_complete=complete_system
)
"""Rules, any number of them."""

_RULES = (
    click.option("--option", multiple=True, metavar="NAME=VALUE", shell_complete=complete_option,
                 help="An option of the rules; 'supremum systems' lists them."),
    click.option("--mode", metavar="MODE",
                 shell_complete=complete_from(lambda: options_of("jax")["mode"]),
                 help="JAX's mode: standard or strict."),
    click.option("--x64/--no-x64", default=None, help="Whether JAX's 64-bit types are on."),
    click.option("-s", "--system", "named", multiple=True, metavar="NAME|FILE",
                 shell_complete=complete_system,
                 help="The rules: a name, as jax or jax:x64=false, or a file that describes some."),
)  # fmt: skip


def rules_options(command: Command) -> Command:
    """Add the options that choose rules, and hand over `find`, which finds them.

    It takes names, or the words for which the command's own arguments stand, and returns the rules
    that they and ``-s`` name, each with the options that are given; without any, the usual ones.
    """

    def with_rules(
        named: Sequence[str], x64: bool | None, mode: str | None, option: Sequence[str], **rest: Any
    ) -> None:
        given: dict[str, Any] = {"x64": x64, "mode": mode}
        given = {name: value for name, value in given.items() if value is not None}
        given |= read_options(option)
        command(choice=Choice(tuple(named), given), **rest)

    with_rules.__name__, with_rules.__doc__ = command.__name__, command.__doc__
    with_rules.__click_params__ = getattr(command, "__click_params__", [])  # type: ignore[attr-defined]  # where click keeps the options of a function
    for add in _RULES:
        add(with_rules)
    return with_rules


class Choice(NamedTuple):
    """The rules that a command was asked to take.

    Attributes:
        named: what ``-s`` names.
        options: the options of the rules.
    """

    named: tuple[str, ...]
    options: dict[str, Any]

    def one(self, words: Sequence[str] = ()) -> PromotionSystem:
        """Return the rules, for a command that takes one set of them."""
        found = self.all(words)
        if len(found) > 1:
            several = ", ".join(dict.fromkeys([*words, *self.named]))
            raise click.UsageError(
                f"this takes one set of rules, not {several}; 'supremum compare' takes several"
            )
        return found[0]

    def all(self, words: Sequence[str] = ()) -> list[PromotionSystem]:
        """Return the rules that some words and ``-s`` name; without any, the usual ones."""
        named = dict.fromkeys([*words, *self.named])
        return [self._find(name) for name in named or (usual_rules().text,)]

    def _find(self, name: str) -> PromotionSystem:
        try:
            return find(name, **self.options)
        except RulesError:
            with suppress(DTypeError):
                word = f"{parse(name).dtype} is a dtype, and this takes rules, such as jax"
                raise click.UsageError(word) from None
            raise

    def those_with_options(self, names: Sequence[str]) -> list[PromotionSystem]:
        """Return the rules of these names, each with those of the options that it has.

        Raises:
            RulesError: if none of them has one of the options.
        """
        known = {name: options_of(name).keys() & self.options.keys() for name in names}
        if left := self.options.keys() - set().union(*known.values()):
            raise RulesError(f"none of these rules has an option {min(left)!r}", min(left))
        own = {name: {o: self.options[o] for o in found} for name, found in known.items()}
        return [find(name, **given) for name, given in own.items()]
