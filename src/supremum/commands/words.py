"""What the words of a command stand for: rules, dtypes, numbers."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from typing import Final

import click

from ..core.dtypes import DType, from_code, is_ambiguous, names
from ..core.errors import DTypeError, SupremumError, did_you_mean, listed
from ..core.functions import canonical
from ..core.operands import Operand, can_parse, parse
from ..core.rule_files import read as read_rules
from ..core.system import PromotionSystem
from ..core.systems import find
from ..core.systems import systems as names_of_rules
from .guesses import no_such_option

_NUMBER: Final = re.compile(r"-(\d|\.\d|inf|nan)")
_MARK: Final = "\0"


class OperandCommand(click.Command):
    """A command whose operands may be negative numbers, which look like options."""

    ignore_unknown_options = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words, with a mark before negative numbers."""
        return super().parse_args(ctx, [f"{_MARK}{a}" if _NUMBER.match(a) else a for a in args])


def split_words(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return those of some words that name rules, and those that name dtypes.

    Raises:
        DTypeError: for a word that is neither, and for rules after a dtype.
    """
    systems: list[str] = []
    for number, word in enumerate(words):
        try:
            parse(word)
        except DTypeError as error:
            try:
                find(word)
            except SupremumError:
                if ":" in word or word.endswith((".toml", ".txt", ".arrows")):
                    raise
                hint, close = did_you_mean(word, [*names_of_rules(), *names()])
                if not close or "type " in str(error):
                    raise error from None
                msg = f"{word!r} is neither rules nor a dtype{hint}"
                raise DTypeError(msg, word, close) from None
            systems.append(word)
        else:
            if late := [word for word in words[number:] if word in names_of_rules()]:
                raise DTypeError(f"name rules before dtypes: {late[0]} comes after {word}", late)
            return systems, [*words[number:]]
    return systems, []


def read_dtypes(words: Sequence[str], instead: str) -> list[DType]:
    """Return the dtypes that some words name.

    Args:
        words: the words.
        instead: the command that takes numbers, too, for one of them.
    """
    read = [(word, parse(word)) for word in words]
    for word, operand in read:
        if operand.value is not None:
            what = f"{word} is a number, whose value this does not ask for; type {instead}"
            raise click.UsageError(what)
    return [operand.dtype for _, operand in read]


def read_operands(operands: Sequence[str], command: click.Command) -> list[Operand]:
    """Return the operands that some words describe."""
    for text in operands:
        _refuse_option(text, command)
    return [parse(unmarked(text)) for text in operands]


def unmarked(text: str) -> str:
    """Return a word as it was typed: negative numbers come with a mark before them."""
    return text.removeprefix(_MARK)


def tell_codes(rules: Iterable[PromotionSystem]) -> None:
    """Say which short codes in the files of some rules were read as bits, if they may be bytes."""
    for path in dict.fromkeys(x.setting["file"] for x in rules if "file" in x.setting):
        text = re.sub(r"#.*", "", read_rules(path)[1])
        codes = [code for code in dict.fromkeys(re.findall(r"\w+", text)) if is_ambiguous(code)]
        if codes:
            readings = listed([f"{code} as {from_code(code)}" for code in codes])
            click.echo(f"Short codes in {path} count bits: {readings}.")


def tell_numbers(words: Iterable[str], rules: Iterable[PromotionSystem]) -> None:
    """Say which words were read as Python's types, if the library has dtypes that it calls so."""
    for library in dict.fromkeys(r.library for r in rules if r.library is not None):
        own = {**dict(library.read_as), **dict(library.spellings)}
        for word in dict.fromkeys(words):
            if word in ("float", "int") and word in own:
                module = library.prefixes[0] if library.prefixes else library.import_as[1]
                click.echo(f"{word} is Python's here; for {module}.{word}, type {own[word]}.")


def _parts(word: str) -> list[str]:
    """Return the operands in a word that has several, or the word."""
    parts = re.split(r"[,\s]+", word.strip(", "))
    return parts if parts != [word] and all(map(can_parse, parts)) else [word]


def _refuse_option(text: str, command: click.Command) -> None:
    """Refuse an option that click took for an operand: a misspelt one, or one after ``--``."""
    if text.startswith("-"):
        known = [name for parameter in command.params for name in parameter.opts]
        name = text.partition("=")[0]
        if name in known:
            raise click.UsageError(f"{name} comes after --, where only operands may come")
        raise click.UsageError(no_such_option(name, command))


def joined(words: Sequence[str], command: click.Command) -> Sequence[str]:
    """Return words as one expression if operators stand between them, unquoted.

    Options that the command does not have are refused.

    A word ``-`` stands for those on standard input, and ``int8,uint8`` for two words.
    """
    if list(words) == ["-"]:
        words = sys.stdin.read().split()
    for word in words:
        if word.startswith("--") and len(word) > 2:
            _refuse_option(word, command)
    words = [part for word in words for part in _parts(word)]
    is_operator = [not word.isidentifier() and bool(canonical(word)) for word in words]
    return [" ".join(map(unmarked, words))] if any(is_operator[1:-1]) else words
