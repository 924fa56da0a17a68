"""What a sweep found: its rows, and how they are counted, written and read again."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...core.errors import RulesError, plural
from .verdicts import CALLED, TO_FAIL_ON, VERDICTS

if TYPE_CHECKING:
    from rich.console import RenderableType

FORMATS: Final = ("text", "markdown", "json", "pytest")

Known = Mapping[str, Mapping[str, str]]
"""A baseline: for each dtype, the functions that do not keep it, each with its verdict."""


class Row(NamedTuple):
    """What one function does with one dtype.

    Attributes:
        name: the function, with its module.
        dtype: the dtype of the arrays that it was called with.
        kind: ``"function"``, or what else it is of.
        verdict: one of the verdicts: ``"keeps"``, ``"widens"`` ...
        dtypes: the dtypes of the arrays in its result.
        call: the call, in words.
        source: where its arguments are from, in words.
        detail: why, in words.
        by_rules: the dtype that the rules of its library give, if that is another one.
        line: where the wider dtype is introduced: ``file``, ``line``, ``text``, ``dtype`` and
            ``how``, or None.
    """

    name: str
    dtype: str
    kind: str
    verdict: str
    dtypes: tuple[str, ...] = ()
    call: str = ""
    source: str = ""
    detail: str = ""
    by_rules: str = ""
    line: Mapping[str, Any] | None = None

    @property
    def is_finding(self) -> bool:
        """Whether it does not keep the dtype, or gives other than the rules of its library do."""
        return self.verdict in TO_FAIL_ON or bool(self.by_rules)

    @property
    def result(self) -> str:
        """What it does, with the dtypes of its result if they matter."""
        to = f" to {', '.join(d for d in self.dtypes if d != self.dtype)}"
        return self.verdict + (to if self.verdict == "widens" else "")

    @property
    def why(self) -> tuple[str, ...]:
        """The line where the wider dtype is introduced, what was said, and what rules give."""
        found = [f"{self.by_rules} by the rules of the library"] if self.by_rules else []
        if self.detail:
            found.append(self.detail)
        if self.line:
            inside = (
                "" if self.line["how"] == "introduced" else " (returned here, from compiled code)"
            )
            found += [f"{self.line['file']}:{self.line['line']}{inside}", self.line["text"]]
        return tuple(found)


@dataclass(frozen=True)
class Sweep:
    """What was found of all functions.

    Attributes:
        modules: the modules that were swept.
        version: the version of their package, or ``""``.
        dtypes: the dtypes.
        rows: one for each function and dtype, those that matter most first.
        known: what a baseline knows.
        complete: whether all functions have their rows; an interrupt leaves some out.
        examples: the tests, or the script, that had examples, or ``""``.
        setting: how a library is set for it, in words, or ``""``.
    """

    modules: tuple[str, ...]
    version: str
    dtypes: tuple[str, ...]
    rows: tuple[Row, ...]
    known: Known
    complete: bool = True
    examples: str = ""
    setting: str = ""

    def row(self, name: str, dtype: str) -> Row:
        """Return the row of a function and a dtype.

        Raises:
            KeyError: if there is none.
        """
        for row in self.rows:
            if (row.name, row.dtype) == (name, dtype):
                return row
        raise KeyError(name, dtype)

    @property
    def new(self) -> tuple[Row, ...]:
        """The findings that the baseline does not know."""
        return tuple(
            row for row in self.rows
            if row.is_finding
            and self.known.get(row.dtype, {}).get(row.name) != row.verdict
        )  # fmt: skip

    @property
    def fixed(self) -> tuple[Row, ...]:
        """The rows that the baseline knows with another verdict."""
        return tuple(
            row for row in self.rows
            if self.known.get(row.dtype, {}).get(row.name, row.verdict) != row.verdict
        )  # fmt: skip

    def failing(self, words: Collection[str]) -> tuple[Row, ...]:
        """Return the new rows of some verdicts; of all if ``"new"`` is one of the words."""
        return tuple(row for row in self.new if "new" in words or row.verdict in words)

    def counts(self, dtype: str) -> dict[str, int]:
        """Return how many functions there are, take arrays, were called, and keep a dtype."""
        found = [row.verdict for row in self.rows if row.dtype == dtype]
        return {
            "functions": len(found),
            "take_arrays": len(found) - found.count("takes no arrays"),
            "called": sum(verdict in CALLED for verdict in found),
            "keep": found.count("keeps"),
        }

    def summary(self, dtype: str) -> str:
        """Return the counts of a dtype in a sentence."""
        n = self.counts(dtype)
        share = f" ({100 * n['called'] // n['take_arrays']} %)" if n["take_arrays"] else ""
        there = plural(n["functions"], "public function")
        return (
            f"{dtype}: {there}, {n['take_arrays']} of which may take arrays; {n['called']} "
            f"called{share}, {n['keep']} keep it."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as lists, mappings and texts."""
        return {
            "version": 1,
            "modules": list(self.modules),
            "package_version": self.version,
            "setting": self.setting,
            "complete": self.complete,
            "counts": {dtype: self.counts(dtype) for dtype in self.dtypes},
            "rows": [{**row._asdict(), "dtypes": list(row.dtypes)} for row in self.rows],
        }

    def __str__(self) -> str:
        return render(self, "text")


def render(sweep: Sweep, format: str, width: int = 100) -> str:
    """Return a sweep as text of a format, one of `FORMATS`."""
    if format == "json":
        return json.dumps(sweep.to_dict(), indent=1, ensure_ascii=False)
    if format == "markdown":
        return _markdown(sweep)
    if format == "pytest":
        return _tests(sweep)
    from rich.console import Console

    console = Console(file=StringIO(), width=width, color_system=None)
    for part in parts(sweep):
        console.print(part, soft_wrap=False)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]  # it is a StringIO
    return "\n".join(line.rstrip() for line in text.splitlines())


STYLES: Final = {
    "crash": "bold red", "time limit": "red", "wrong": "bold red", "refuses": "red",
    "widens": "bold yellow", "keeps": "green",
}  # fmt: skip


def parts(sweep: Sweep) -> list[RenderableType]:
    """Return what is printed of a sweep: a table of what is new, and the names of the others."""
    from rich.text import Text

    found: list[RenderableType] = [Text(f"{_title(sweep)}\n", style="bold")]
    prefix = f"{sweep.modules[0]}." if len(sweep.modules) == 1 else ""
    if new := sweep.new:
        found += [_table(sweep, prefix), ""]
    for dtype in sweep.dtypes:
        rest = [row for row in sweep.rows if row.dtype == dtype and row not in new]
        found.append(Text(sweep.summary(dtype), style="bold"))
        for verdict in dict.fromkeys(row.verdict for row in rest):
            names = [row.name.removeprefix(prefix) for row in rest if row.verdict == verdict]
            label = f"  {verdict} ({len(names)}): ", STYLES.get(verdict, "dim")
            found.append(Text.assemble(label, ", ".join(names)))
    found += [f"The baseline is out of date: {row.name}, {row.result}" for row in sweep.fixed]
    return found


def _table(sweep: Sweep, prefix: str) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    root = sweep.modules[0].partition(".")[0]
    several = ["dtype"] if len(sweep.dtypes) > 1 else []
    for column in ("function", *several, "it", "where, or why"):
        table.add_column(column, overflow="fold", header_style="dim")
    for row in sweep.new:
        it = Text(row.result, style=STYLES.get(row.verdict, ""))
        dtype = [row.dtype] if several else []
        why = (part.removeprefix(f"{root}/") for part in row.why)
        table.add_row(row.name.removeprefix(prefix), *dtype, it, Text("\n".join(why)))
    return table


def _title(sweep: Sweep) -> str:
    title = f"{', '.join(sweep.modules)} {sweep.version}".rstrip()
    return f"{title}: {sweep.setting}" if sweep.setting else title


def _markdown(sweep: Sweep) -> str:
    lines = [f"### {_title(sweep)}", "", *(f"{sweep.summary(d)}  " for d in sweep.dtypes), ""]
    lines += ["| function | dtype | it | call | where, or why |", "| --- | --- | --- | --- | --- |"]
    for row in sweep.rows:
        why = "<br>".join(f"`{part}`" for part in row.why if part)
        cells = (f"`{row.name}`", row.dtype, row.result, f"`{row.call}`" if row.call else "", why)
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines)


_TEST: Final = '''\
"""What {title} does with {dtypes}: one test for each function that was called.

Written by: supremum sweep {words} --format pytest
"""

import pytest

from supremum import audit

VERDICTS = {verdicts}
CASES = [(dtype, name) for dtype, names in VERDICTS.items() for name in names]


@pytest.fixture(scope="module")
def swept():
    return audit.sweep({modules}, dtypes=VERDICTS, only={{name for _, name in CASES}}{examples})


@pytest.mark.parametrize(("dtype", "name"), CASES)
def test_dtype(swept, dtype, name):
    row = swept.row(name, dtype)
    assert row.verdict == VERDICTS[dtype][name], row'''


def _tests(sweep: Sweep) -> str:
    verdicts = {
        dtype: {r.name: r.verdict for r in sweep.rows if r.dtype == dtype and r.verdict in CALLED}
        for dtype in sweep.dtypes
    }
    words = [*sweep.modules, *(f"--dtype {d}" for d in sweep.dtypes)]
    words += [f"--examples {sweep.examples}"] if sweep.examples else []
    return _TEST.format(
        title=_title(sweep), dtypes=", ".join(sweep.dtypes), words=" ".join(words),
        verdicts=json.dumps(verdicts, indent=4), modules=", ".join(map(json.dumps, sweep.modules)),
        examples=f", examples={sweep.examples!r}" if sweep.examples else "",
    )  # fmt: skip


def write_baseline(path: str, sweep: Sweep) -> None:
    """Write down which functions do not keep a dtype, so that later sweeps know them."""
    lines = [f"# what {_title(sweep)} did: supremum sweep --baseline {Path(path).name}"]
    for dtype in sweep.dtypes:
        rows = (row for row in sweep.rows if row.dtype == dtype and row.is_finding)
        lines += ["", f"[{dtype}]"]
        lines += [f"{json.dumps(row.name)} = {json.dumps(row.verdict)}" for row in rows]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_baseline(path: str) -> Known:
    """Return what a baseline knows.

    Raises:
        RulesError: if the file cannot be read, or is not a baseline of a sweep.
    """
    import tomllib

    try:
        found = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        why = f"{error.strerror}; write one with --write-baseline"
        raise RulesError(f"baseline {path!r} cannot be read: {why}", path) from None
    except ValueError as error:
        raise RulesError(f"baseline {path!r} is not valid TOML: {error}", path) from None
    for names in found.values():
        if not isinstance(names, dict) or not {*names.values()} <= {*VERDICTS}:
            msg = f"{path!r} is not a baseline of a sweep; write one with --write-baseline"
            raise RulesError(msg, path)
    return found
