"""The options that several commands have: rules, dtypes, functions and formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import click

from ..core.deciding import rules_in_program, usual_rules
from ..core.dtypes import names
from ..core.errors import DTypeError, RulesError
from ..core.operands import parse
from ..core.system import PromotionSystem
from ..core.systems import systems as names_of_rules

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


class Choice(NamedTuple):
    """The rules that a command was asked to take: those that ``-s`` names."""

    named: tuple[str, ...] = ()

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
            return rules_in_program(name)
        except RulesError:
            with suppress(DTypeError):
                word = f"{parse(name).dtype} is a dtype, and this takes rules, such as jax"
                raise click.UsageError(word) from None
            raise


rules_options = click.option(
    "-s",
    "--system",
    "choice",
    multiple=True,
    metavar="NAME|FILE",
    callback=lambda _, __, names: Choice(names),
    shell_complete=complete_system,
    help="The rules: a name, as jax or jax:x64=false, or a file that describes some.",
)
"""The option that names rules; commands hand over a `Choice`."""
