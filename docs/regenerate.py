"""Run the commands that README and docs show, and write down what they print.

Three things are generated:

- in a console block, what follows a line ``$ supremum ...``;
- between ``<!-- $ supremum table ... -->`` and ``<!-- end -->``, what that command prints;
- between ``<!-- dtypes -->`` and ``<!-- end -->``, the catalogue of dtypes.

A fenced block with ``title="NAME"`` is a file of that name to the commands of its page.
"""

from __future__ import annotations

import re
import shlex
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner, Result

import supremum
from supremum.cli import main as command

ROOT = Path(__file__).resolve().parents[1]

_FILE = re.compile(r'^```\w* title="([^"/]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_PROMPT = re.compile(r"^\$ .*\n(?:(?!\$ ).*\n)*", re.MULTILINE)
_TABLE = re.compile(
    r"(?P<start>^<!-- (?:\$ (?P<line>supremum .*)|dtypes) -->\n)(?s:.*?)(?=^<!-- end -->$)",
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
        text = _CONSOLE.sub(lambda block: _PROMPT.sub(_renewed_output, block[0]), text)
        return _TABLE.sub(_renewed_table, text)


def _renewed_output(prompt: re.Match[str]) -> str:
    line, _, _ = prompt[0].partition("\n")
    if not line.startswith("$ supremum "):
        return prompt[0]
    return f"{line}\n{_run(line[2:]).output}"


def _renewed_table(comment: re.Match[str]) -> str:
    table = _run(comment["line"]).stdout if comment["line"] else catalogue()
    return comment["start"] + table


def _run(line: str) -> Result:
    plain = {"COLUMNS": "80", "NO_COLOR": "1", "FORCE_COLOR": None}
    result = CliRunner(env=plain).invoke(command, shlex.split(line)[1:], prog_name="supremum")
    if not isinstance(result.exception, (SystemExit, type(None))):
        raise result.exception
    return result


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
