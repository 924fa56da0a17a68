"""Run the commands that README and docs show, and write down what they print.

Five things are generated:

- in a console block, what follows a line ``$ supremum ...``;
- between ``<!-- $ supremum table ... -->`` and ``<!-- end -->``, what that command prints;
- between ``<!-- dtypes -->`` and ``<!-- end -->``, the catalogue of dtypes; likewise for
  ``laws``, the laws and criteria of all rules, and ``operators``, what operators do in each.

A fenced block with ``title="NAME"`` is a file of that name to the commands of its page.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import chdir
from functools import cache
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory

from click.testing import CliRunner, Result

import supremum
from supremum import criteria
from supremum.cli import main as command
from supremum.operators import OPERATORS

ROOT = Path(__file__).resolve().parents[1]

_FILE = re.compile(r'^```\w* title="([^"/]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_PROMPT = re.compile(r"^\$ .*\n(?:(?!\$ ).*\n)*", re.MULTILINE)
_TABLE = re.compile(
    r"(?P<start>^<!-- (?:\$ (?P<line>supremum .*)|(?P<made>dtypes|laws|operators)) -->\n)"
    r"(?s:.*?)(?=^<!-- end -->$)",
    re.MULTILINE,
)


def documents() -> list[Path]:
    """Return the files that show output."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def renewed(text: str) -> str:
    """Return a document with everything generated as it is now."""
    with TemporaryDirectory() as folder, chdir(folder):
        for name, content in _FILE.findall(text):
            Path(name).write_text(content, encoding="utf-8")
        if "$ supremum audit" in text:
            copytree(ROOT / "examples", "examples", ignore=ignore_patterns("__pycache__"))
        text = _CONSOLE.sub(lambda block: _PROMPT.sub(_renewed_output, block[0]), text)
        return _TABLE.sub(_renewed_table, text)


def _renewed_output(prompt: re.Match[str]) -> str:
    line, _, _ = prompt[0].partition("\n")
    if not line.startswith("$ supremum "):
        return prompt[0]
    return f"{line}\n{_run(line[2:]).output}"


def _renewed_table(comment: re.Match[str]) -> str:
    table = _run(comment["line"]).stdout if comment["line"] else MADE[comment["made"]]()
    return comment["start"] + table


def _run(line: str) -> Result:
    if line.startswith("supremum audit ") and "--help" not in line:
        return _run_apart(line)
    plain = {"COLUMNS": "80", "NO_COLOR": "1", "FORCE_COLOR": None}
    result = CliRunner(env=plain).invoke(command, shlex.split(line)[1:], prog_name="supremum")
    if not isinstance(result.exception, (SystemExit, type(None))):
        raise result.exception
    return result


def _run_apart(line: str) -> Result:
    """Run an audit in a process of its own: it becomes the program that it runs."""
    program = [sys.executable, "-m", *shlex.split(line)]
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "80"}
    done = subprocess.run(  # noqa: S603  # a command of our own documents
        program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, check=False
    )
    return Result(
        CliRunner(), done.stdout, b"", done.stdout, None, done.returncode, None
    )  # fmt: skip


def catalogue() -> str:
    """Return a Markdown table of the dtypes that are the same on every platform, and not weak."""
    titles = ("dtype", "code", "kind", "bits", "precision", "max", "smallest normal")
    rows: list[tuple[str, ...]] = [(*titles, "inf", "nan", "-0"), ("---",) * 10]
    for d in map(supremum.dtype, supremum.names()):
        if d.weak or "long" in d.name:
            continue
        largest = str(d.max) if d.min_exponent is None else f"{d.max:.7g}"
        smallest = "" if d.min_exponent is None else f"2^{d.min_exponent}"
        facts = ("yes" if fact else "" for fact in (d.has_inf, d.has_nan, d.signed_zero))
        first = (f"`{d}`", d.code or "", d.kind, str(d.bits), str(d.precision))
        rows.append((*first, largest, smallest, *facts))
    return _markdown(rows)


@cache
def verdicts() -> str:
    """Return a Markdown table of the laws and criteria of all rules that ship.

    Rules with the default options come first; then those where one option has another value, if
    `promote_types` answers anything else by them.
    """
    rows: list[tuple[str, ...]] = []
    for name in supremum.systems():
        seen: list[tuple[object, ...]] = []
        for setting in _settings(name):
            rules = supremum.system(name, **setting)
            table = (rules.dtypes, *rules.table().rows())
            if table in seen:
                continue
            seen.append(table)
            met = criteria.measure(rules)
            laws, counted = met.lawful.laws, met.counted
            if not rows:
                titles = [part.name for part in (*laws, *counted)]
                rows.append(("rules", "dtypes", "join", *titles))
                rows.append(("---",) * len(rows[0]))
            options = "".join(f", {option}={value}" for option, value in setting.items())
            join = "table" if rules.lattice is None else "lattice"
            found = ("holds" if law.holds else f"fails {law.failures:,}" for law in laws)
            counts = (f"{len(criterion.cases):,}" for criterion in counted)
            rows.append((f"`{name}`{options}", str(len(rules.dtypes)), join, *found, *counts))
    return _markdown(rows)


def _settings(name: str) -> list[dict[str, object]]:
    options = supremum.options(name).items()
    return [{}, *({option: value} for option, values in options for value in values[1:])]


def operators() -> str:
    """Return a Markdown table of what each operator does on top of the join, by all rules."""
    known = {n: r for n in supremum.systems() if (r := supremum.system(n).operators)}
    rows: list[tuple[str, ...]] = [("operator", "is", *(f"`{name}`" for name in known))]
    rows.append(("---",) * len(rows[0]))
    for operator, written in OPERATORS.items():
        texts = (rules.get(operator) for rules in known.values())
        said = ("not known" if text is None else f"`{text}`" if text else "" for text in texts)
        rows.append((f"`{operator}`", written.replace("*", "\\*"), *said))
    return _markdown(rows)


MADE = {"dtypes": catalogue, "laws": verdicts, "operators": operators}


def _markdown(rows: Sequence[tuple[str, ...]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Renew the files, or with ``--check`` only name those that are out of date."""
    parser = ArgumentParser(description="Renew the output that the documents show.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if any differs")
    parser.add_argument("files", nargs="*", type=Path, help="instead of README.md and docs/**/*.md")
    given = parser.parse_args(arguments)
    outdated = False
    for path in given.files or documents():
        old = path.read_text(encoding="utf-8")
        new = renewed(old)
        if new == old:
            continue
        outdated = True
        print(f"{path}: {'out of date' if given.check else 'renewed'}")
        if not given.check:
            path.write_text(new, encoding="utf-8")
    return int(outdated and given.check)


if __name__ == "__main__":
    sys.exit(main())
