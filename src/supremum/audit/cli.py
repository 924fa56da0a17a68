"""The command ``supremum audit``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..core.errors import RulesError
from . import options, reports
from .record.fork import Forks
from .runner import program
from .runner.on_finding import progress


def audit(
    *,
    target_program: str,
    arguments: Sequence[str],
    as_module: bool,
    outputs: Sequence[str],
    format: str | None,
    write_baseline: str | None,
    given: dict[str, Any],
) -> int:
    """Run a program, report what was found, and return the exit code.

    That is 3 where a finding is of a kind that the audit fails on, else the program's own.
    """
    place = Path.cwd() if as_module else Path(target_program).resolve().parent
    asked = options.combined(options.from_project(place), given)
    files = [(path, _format_of(path, format)) for path in outputs]
    for path in (*outputs, *filter(None, [write_baseline])):
        check_writable(path)
    found = (program.module if as_module else program.script)(target_program, arguments)
    for name in asked.include:
        if not program.is_there(name, found):
            raise RulesError(f"there is no package {name!r} to look inside", name)
    recorder = asked.recorder()
    forks = Forks(recorder)
    here = Path.cwd()
    code = program.run(found, recorder, asked.include)
    if forks.in_child:  # it ends here as the program does; the report is that of its parent
        forks.write()
        return code
    os.chdir(here)  # where the files of the report were asked for
    forks.collect()
    progress.clear()
    report = asked.report(recorder)
    for path, form in files:
        Path(path).write_text(reports.render(report, form) + "\n", encoding="utf-8")
    if not outputs:
        _print(reports.render(report, format or "text"))
    if write_baseline:
        everything = options.without_baseline(asked).report(recorder)
        options.write_baseline(write_baseline, everything)
    return 3 if report.of(asked.fail_on) else code


def _print(text: str) -> None:
    sys.stdout.flush()
    try:
        click.echo(text, err=True)
    except OSError:  # nobody reads it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def _format_of(path: str, format: str | None) -> str:
    if format is not None:
        return format
    by_suffix = {suffix: name for name, suffix in reports.FORMATS.items()}
    return by_suffix.get(Path(path).suffix, "text")


def check_writable(path: str) -> None:
    """Refuse a file that cannot be written, before anything runs."""
    place = Path(path)
    folder = place.resolve().parent
    if place.is_dir():
        raise RulesError(f"{path!r} is a folder; name a file in it", path)
    if not folder.is_dir():
        raise RulesError(f"{path!r} cannot be written: there is no folder {str(folder)!r}", path)
    if not os.access(place if place.exists() else folder, os.W_OK):
        raise RulesError(f"{path!r} cannot be written: permission denied", path)
