"""The command ``supremum export``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from ..terminal import progress
from .options import Choice, complete_from, complete_system, function_names


def _formats() -> Iterable[str]:
    from ..export.formats import NAMES

    return NAMES


def _check_tests(tests: str, output: str | None, *, is_module: bool) -> None:
    """Refuse tests of what is not a module in a file, and tests in the module's own file."""
    if output is None or not is_module:
        what = "--tests goes with --to python and -o, the module that it tests"
        raise click.UsageError(what)
    if Path(tests).resolve() == Path(output).resolve():
        raise click.UsageError(f"{tests} is the module; name another file for its --tests")


@click.command()
@click.argument("system", required=False, shell_complete=complete_system)
@click.option(
    "--to",
    default="",
    metavar="FORMAT",
    shell_complete=complete_from(_formats),
    help="python, json, cpp, stubs, mermaid, dot, markdown or latex; by default as the suffix of "
    "FILE says, else python.",
)
@click.option("-o", "--output", metavar="FILE", help="Write it to FILE instead of printing it.")
@click.option("--tests", metavar="FILE", help="Write tests of a Python module, for pytest, too.")
@click.option("--functions", default="", metavar="A,B",
              shell_complete=complete_from(function_names, listed=True),
              help="Functions whose rules it has, too.")  # fmt: skip
def export(
    system: str | None, to: str, output: str | None, tests: str | None, functions: str
) -> None:
    """Write rules as one file in another language, which needs nothing else.

    SYSTEM is a name of rules, or a file that describes some. --tests asks the rules about every
    operand, pair and triple, and proves that the module gives the same.

    \b
    supremum export torch --to cpp
    supremum export torch -o torch.hpp
    supremum export jax -o promotion.py --tests test_promotion.py
    supremum export tinygrad --functions add,mean
    """
    from .. import export as exporting
    from ..export.formats import SUFFIXES, format_of

    if system and Path(system).suffix in " ".join(SUFFIXES.values()).split():
        raise click.UsageError(f"type supremum export {Path(system).stem} -o {system}")
    rules = Choice().one([system] if system else [])
    named = tuple(name.strip() for name in functions.split(",") if name.strip())
    form = format_of(output, to) if output else to or "python"
    if tests:
        _check_tests(tests, output, is_module=form == "python")
    text = exporting.render(rules, form, named)
    if output is None:
        click.echo(text, nl=False)
        return
    files: dict[str | Path, str] = {output: text}
    if tests:
        with progress() as bar:
            files[tests] = exporting.prove(rules, output, tests, named, bar)
    exporting.write(files)
    click.echo(f"{' and '.join(map(str, files))}: written", err=True)
