"""What people type first, and what to type instead: options, commands, missing words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import click

from ..core.errors import SupremumError, did_you_mean
from ..core.operands import can_parse
from ..core.systems import find

_TAKES_RULES: Final = "words systems system names"  # the arguments of commands for rules

_COMPLETION: Final = 'eval "$(_SUPREMUM_COMPLETE=bash_source supremum)" into ~/.bashrc'

INSTEAD: Final = (
    ("--json", "--format", "--format json"),
    ("--library", "--system", "--system"),
    ("--lib", "--system", "--system"),
    ("-f", "--to", "--to"),
    ("--format", "--to", "--to"),
    ("--lang", "--to", "--to"),
    ("--language", "--to", "--to"),
    ("--dry-run", "--diff", "--diff"),
    ("--system", "--target", "--target"),
    ("-s", "--target", "--target"),
    ("--rules", "--target", "--target"),
    ("--system", _TAKES_RULES, "the rules alone, as in supremum table numpy"),
    ("-s", _TAKES_RULES, "the rules alone, as in supremum table numpy"),
    ("--x64", "--system", "-s jax:x64=true"),
    ("--x64", _TAKES_RULES, "jax:x64=true instead of jax"),
    ("--x32", "--system", "-s jax:x64=false"),
    ("--x32", _TAKES_RULES, "jax:x64=false instead of jax"),
    ("--no-x64", "--system", "-s jax:x64=false"),
    ("--no-x64", _TAKES_RULES, "jax:x64=false instead of jax"),
    ("--mode", "--system", "-s jax:mode=strict"),
    ("--mode", _TAKES_RULES, "jax:mode=strict instead of jax"),
    ("--option", f"--system {_TAKES_RULES}", "it behind the rules, as in jax:x64=false"),
    ("--default", _TAKES_RULES, "it behind the rules, as in tinygrad:default_int=int64"),
    ("--function", "--op", "supremum.compare_function(function, ...) in Python"),
    ("--check", "names", "supremum laws and supremum conform"),
    ("--check", "--tests", "git diff --exit-code FILE once -o FILE has written it"),
    ("--modes", "--tests", "export.render(rules, 'python', modes=[...]) in Python"),
    ("--summary", "--expr", "| grep : behind the command"),
    ("--exit-zero", "--expr", "|| true behind the command"),
    ("--draw", "--expr", "supremum.show.draw_diff(first, second) in Python"),
    ("--port", "--save", "--save FOLDER, which python -m http.server sends at any port"),
    ("--no-open", "--pyodide", "BROWSER=true before the command, which prints the address"),
    ("--dtypes", "--compiled", "conformance.conform(name, compiled=True, dtypes=...) in Python"),
    ("--coverage", "--module", "python tests/peers/covered.py, in the repository"),
    ("--expressions", "--module", "python tests/peers/random_expressions.py, in the repository"),
    *(
        (name, "--on-finding --diff", instead)
        for name, instead in (
            ("--module", "-m MODULE"),
            ("--config", "the options into [tool.supremum.audit] of pyproject.toml"),
            ("--select", "--kinds"),
            ("--ignore", "allow = [...] into [tool.supremum.audit] of pyproject.toml"),
            ("--package", "--include"),
            ("--jax", "--target jax"),
            ("--torch", "--target torch"),
            ("--ignore-line", "# supremum: ignore at the end of the line"),
            ("--watch", "--on-finding warn of audit, which tells at once"),
            (
                "-i",
                "nothing: fix types into the files, and fix --diff prints a patch instead",
            ),
            ("--write", "nothing: fix types into the files"),
        )
    ),
    ("--exit-zero", "--on-finding", "nothing: only --fail-on changes the exit status"),
    ("--strict", "--on-finding", "--fail-on all"),
    ("--strict", "--system", "-s jax:mode=strict"),
    ("--all", "--live", "supremum compare, which asks every library"),
    ("--all", "--expr", "-f json, which has all of them"),
    ("--all", "--op", "nothing: every library is asked; -s NAME names some"),
    ("--why", "--live", "nothing: explain says why"),
    ("--list", "names", "nothing: supremum systems lists them"),
    ("--list", "--only", "nothing: each function has a line; --only NAME chooses some"),
    ("--stdin", "--live", "- instead of the operands"),
    ("--csv", "--format", "--format csv"),
    ("--html", "--format", "--format html"),
    ("--html", "--save", "--save FOLDER"),
    ("--markdown", "--format", "--format markdown"),
    *(
        (name, "--highlight", f"-o FILE{name.replace('--', '.')}")
        for name in ("--png", "--svg", "--dot", "--pdf")
    ),
    ("-o", "--format", "> FILE behind the command"),
    ("--output", "--format", "> FILE behind the command"),
    ("--fix", "--on-finding", "supremum fix"),
    ("--diff", "--on-finding", "supremum fix --diff"),
    ("--to", "--on-finding", "supremum fix --to"),
    ("--once", "--on-finding --diff", "supremum fix --diff, and apply the patch"),
    ("--exact", "--on-finding --diff", "nothing: every operation is counted without it"),
    ("--list-modules", "--on-finding", "--include PACKAGE, which watches an installed package"),
    ("--margin", "--within", "--input, with arguments that make larger numbers"),
    ("--tolerance", "--within", "--within"),
    ("--baseline", "--diff", "baseline = 'FILE' in [tool.supremum.audit] of pyproject.toml"),
    ("--color", "", "FORCE_COLOR=1 before the command"),
    ("--no-color", "", "NO_COLOR=1 before the command"),
    ("--quiet", "", "> /dev/null behind the command; its exit status says what was found"),
    ("--verbose", "", "nothing: all that is known is printed"),
    ("-v", "", "nothing: all that is known is printed; supremum -V prints the version"),
    ("--install-completion", "", _COMPLETION),
    ("--show-completion", "", _COMPLETION),
    ("-c", "", "the program into a file, and supremum audit FILE"),
    ("-q", "", "> /dev/null behind the command; its exit status says what was found"),
)
"""Options that commands do not have; what tells which command, if not all; and what to type."""

VALUES: Final = {
    "--fail-on": "--fail-on all",
    "--write-baseline": "--write-baseline known.json",
    "--check": "--diff, which changes nothing,",
    "--to": "--to float32",
}
"""What to type where an option took the program for its value."""

_PROGRAMS: Final = (".py", ".ipynb")

NO_COMMANDS: Final = {
    "completion": f"put {_COMPLETION}",
    "config": "settings stand in [tool.supremum] of pyproject.toml",
    "docs": "supremum --help lists the commands, and supremum COMMAND --help says more",
    "lsp": "editors show what supremum audit -f sarif FILE prints",
    "python": "leave it out: supremum audit FILE runs the file",
    "init": "there is nothing to set up: type supremum audit FILE",
    "tutorial": "type supremum audit FILE, and what it suggests after it",
}
"""What people type that is no command, with what helps."""


def no_such_option(name: str, command: click.Command) -> str:
    """Return the message for an option that a command does not have."""
    known = [option for parameter in command.params for option in parameter.opts]
    for option, of_command, instead in INSTEAD:
        if option == name and (not of_command or {*of_command.split()} & {*known}):
            return f"no such option: {name}; type {instead}"
    near = did_you_mean(name.strip("-"), [option.strip("-") for option in known])[1]
    hint = f"; did you mean {' or '.join(f'--{word}' for word in near)}?" if near else ""
    if not near and any(parameter.name == "program" for parameter in command.params):
        hint = f"; options of the program stand after it: supremum {command.name} SCRIPT {name}"
    return f"no such option: {name}{hint}"


def no_such_command(words: Sequence[str], known: Sequence[str], sought: Mapping[str, str]) -> str:
    """Return the message for a command that does not exist.

    Args:
        words: the words of the command line.
        known: the commands.
        sought: other words for some of them.
    """
    word = words[0]
    meant = [f"'supremum {name}'" for name, others in sought.items() if word in others.split()]
    hint = f"; {' or '.join(meant)} does that" if meant else _by_its_kind(words)
    hint = hint or (f"; {NO_COMMANDS[word]}" if word in NO_COMMANDS else "")
    hint = hint or did_you_mean(word, known)[0] or "; supremum --help lists them"
    return f"there is no command {word!r}{hint}"


def _by_its_kind(words: Sequence[str]) -> str:
    """Return what to type if the first word is a dtype, rules or a program."""
    whole = " ".join(map(_quoted, words))
    if words[0].endswith(_PROGRAMS):
        return f"; type supremum audit {whole}"
    if can_parse(words[0]):
        return f"; type supremum explain {whole}"
    try:
        find(words[0])
    except SupremumError:
        return ""
    return f"; it names rules: type supremum systems {words[0]}"


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[\w./:=-]+", word) else f"'{word}'"


def usage(error: click.UsageError) -> str:
    """Return what a mistake in a command line is, with an example of the command."""
    context = error.ctx
    if isinstance(error, click.NoSuchOption) and context is not None:
        return no_such_option(error.option_name, context.command)
    if context is not None and (taken := _taken(error, context)):
        return taken
    text = error.format_message().rstrip(".").replace("\n", " ")
    if context is None or not (
        isinstance(error, click.MissingParameter) or text.startswith("Got unexpected extra")
    ):
        return text
    extra = re.fullmatch(r"Got unexpected extra arguments? \((\S+)\)", text)
    options = [name for parameter in context.command.params for name in parameter.opts]
    instead = next((to for to in ("--to", "--save") if to in options), "")
    if extra is not None and instead:
        return f"{_lowered(text)}; type {instead} {extra[1]}"
    example = re.search(r"supremum [^\n]+", context.command.help or "")
    return f"{_lowered(text)}; for example: {example[0]}" if example else _lowered(text)


def _taken(error: click.UsageError, context: click.Context) -> str:
    """Return what to type if an option took the program for its value, or a format for another."""
    program = getattr(error, "param", None)
    if isinstance(error, click.MissingParameter) and program and program.name == "program":
        for parameter in context.command.params:
            value = context.params.get(parameter.name or "")
            value = value[-1] if isinstance(value, (list, tuple)) and value else value
            if isinstance(value, str) and value.endswith(_PROGRAMS):
                name = parameter.opts[0]
                example = VALUES.get(name, parameter.make_metavar(context))
                return f"{name} takes a value, and took {value} for it; type {example} before it"
    drawn = re.search(r"'(png|pdf)' is not one of", error.format_message())
    return f"{drawn[1]} is for files; type -o FILE.{drawn[1]}" if drawn else ""


def _lowered(text: str) -> str:
    missing = re.fullmatch(r"Missing (?:argument|option) '(.+)'", text)
    return f"{missing[1]} is missing" if missing else text[:1].lower() + text[1:]
