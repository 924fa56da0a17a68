"""Run the commands that README and docs show, and write down what they print.

These are generated:

- in a console block, what follows a line ``$ supremum ...``;
- between ``<!-- $ supremum table ... -->`` and ``<!-- end -->``, what that command prints;
- between ``<!-- dtypes -->`` and ``<!-- end -->``, the catalogue of dtypes; likewise for
  ``functions``, the catalogue of functions, ``function-rules``, the rules of functions of each
  library, ``laws``, the laws and criteria of all rules, ``releases``, what became of asking
  each release, as `tests/ask_releases.py` has written it down, ``measured``, the releases that
  rules name, ``needs``, what `pyproject.toml` requires, ``exports``, the formats that express each
  set of rules, ``benchmarks``, what `benchmarks/run.py` has saved, and ``issues``, what the audit
  says
  of programs from public issues, as `tests/audit/issue_programs.py` has; for ``appendix NAME``, a
  table of JAX's design document, and for ``lattice-page``, that of JAX's page on its lattice;
- between ``<!-- rules of NAME -->`` and ``<!-- end -->``, all that is to be said of these rules;
- for ``kinds``, the kinds of finding, and for ``kind NAME``, what one of them means;
- between ``<!-- functions of NAME -->`` and ``<!-- end -->``, the functions of that library by
  their results, if it is installed in the release that its rules were measured on;
- every drawing in `docs/assets`: see `figures.py`.

A fenced block with ``title="NAME"`` is a file of that name to the commands of its page. A page with
``<!-- needs MODULE -->`` is left as it is if that library is not installed.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from contextlib import chdir
from functools import cache, partial
from importlib.util import find_spec
from itertools import groupby, takewhile
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory

import figures
import kind_pages
import system_pages
from click.testing import CliRunner, Result
from documents import TABLES, appendix, lattice_page
from fact_pages import benchmarks, code, exports, markdown, measured, needs
from rule_words import in_words

import supremum
from supremum import FunctionRule, show
from supremum.commands import main as command
from supremum.commands.group import CRASHED
from supremum.conformance import Coverage, coverage
from supremum.core.dtypes import KINDS
from supremum.core.errors import RulesError
from supremum.core.functions import FUNCTIONS

ROOT = Path(__file__).resolve().parents[1]

_FILE = re.compile(r'^```\w* title="([^"/]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_PROMPT = re.compile(r"^\$ .*\n(?:(?!\$ ).*\n)*", re.MULTILINE)
_NEEDS = re.compile(r"^<!-- needs (\w+) -->$", re.MULTILINE)
_TABLE = re.compile(
    r"(?P<start>^<!-- (?:\$ (?P<line>supremum .*)|functions of (?P<library>[\w-]+)"
    r"|rules of (?P<rules>[\w.-]+)|(?P<made>dtypes|laws|functions|function-rules|releases|issues"
    r"|measured|needs|benchmarks|exports"
    r"|lattice-page|appendix [\w-]+|kinds|kind [\w-]+)) -->\n)"
    r"(?s:.*?)(?=^<!-- end -->$)",
    re.MULTILINE,
)


def documents() -> list[Path]:
    """Return the files that show output; the page of each set of rules is one, once it is there."""
    pages = {ROOT / f"docs/reference/systems/{name}.md" for name in supremum.systems()}
    return [ROOT / "README.md", *sorted(pages.union((ROOT / "docs").rglob("*.md")))]


def _old(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _text(path: Path) -> str:
    """Return what a document says, or of the page of rules that is not there yet its frame."""
    return _old(path) or f"# `{path.stem}`\n\n<!-- rules of {path.stem} -->\n<!-- end -->\n"


def renewed(text: str) -> str:
    """Return a document with everything generated as it is now."""
    if not all(map(find_spec, _NEEDS.findall(text))):
        return text
    with TemporaryDirectory() as folder, chdir(folder):
        for name, content in _FILE.findall(text):
            Path(name).write_text(content, encoding="utf-8")
        if "$ supremum audit" in text or "$ supremum fix" in text or " examples/" in text:
            copytree(ROOT / "examples", "examples", ignore=ignore_patterns("__pycache__"))
        text = _CONSOLE.sub(lambda block: _PROMPT.sub(_renewed_output, block[0]), text)
        return _TABLE.sub(_renewed_table, text)


def _renewed_output(prompt: re.Match[str]) -> str:
    line, _, _ = prompt[0].partition("\n")
    if not line.startswith("$ supremum "):
        return prompt[0]
    return f"{line}\n{_run(line[2:]).output}"


def _renewed_table(comment: re.Match[str]) -> str:
    if comment["library"]:
        page = functions_of(comment["library"])
        return comment[0] if page is None else comment["start"] + page
    if comment["rules"]:
        return comment["start"] + system_pages.page(comment["rules"])
    table = _run(comment["line"]).stdout if comment["line"] else MADE[comment["made"]]()
    return comment["start"] + table


def _run(line: str) -> Result:
    if line.startswith(("supremum audit ", "supremum fix ")) and "--help" not in line:
        return _run_apart(line)
    plain = {"COLUMNS": "80", "NO_COLOR": "1", "FORCE_COLOR": None}
    result = CliRunner(env=plain).invoke(command, shlex.split(line)[1:], prog_name="supremum")
    if not isinstance(result.exception, (SystemExit, type(None))):
        raise result.exception
    if result.exit_code == CRASHED:
        raise RuntimeError(f"{line} ends in a mistake:\n{result.stderr}")
    return result


def _run_apart(line: str) -> Result:
    """Run an audit in a process of its own: it becomes the program that it runs."""
    program = [sys.executable, "-m", *shlex.split(line)]
    # JAX as it is installed, whatever a program set that ran in this process
    own = {name: value for name, value in os.environ.items() if not name.startswith("JAX_")}
    environment = {**own, "NO_COLOR": "1", "COLUMNS": "80"}
    done = subprocess.run(  # noqa: S603  # a command of our own documents
        program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, check=False
    )
    # a traceback names the temporary folder
    printed = done.stdout.replace(f"{Path.cwd()}{os.sep}".encode(), b"")
    return Result(CliRunner(), printed, b"", printed, None, done.returncode, None)


def catalogue() -> str:
    """Return a Markdown table of the dtypes that are the same on every platform, and not weak.

    Dtypes that a program has defined come after the weak ones, and are left out.
    """
    titles = ("dtype", "code", "kind", "bits", "precision", "max", "smallest normal")
    rows: list[tuple[str, ...]] = [(*titles, "inf", "nan", "-0"), ("---",) * 10]
    for d in takewhile(lambda d: not d.weak, map(supremum.dtype, supremum.names())):
        largest = str(d.max) if d.min_exponent is None else f"{d.max:.7g}"
        smallest = "" if d.min_exponent is None else f"2^{d.min_exponent}"
        facts = ("yes" if fact else "" for fact in (d.has_inf, d.has_nan, d.signed_zero))
        first = (f"`{d}`", d.code or "", d.kind, str(d.bits), str(d.precision))
        rows.append((*first, largest, smallest, *facts))
    return markdown(rows)


@cache
def verdicts() -> str:
    """Return a Markdown table of the laws and criteria of all rules that ship.

    Rules with the default options come first; then those in which one option has another value, if
    that changes what `promote_types` answers.
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
            met = supremum.criteria(rules)
            laws, counted = met.lawful.laws, met.counted
            if not rows:
                titles = [part.name for part in (*laws, *counted)]
                rows.append(("rules", "dtypes", "join", *titles))
                rows.append(("---",) * len(rows[0]))
            options = "".join(f", {option}={value}" for option, value in setting.items())
            join = type(rules.join).__name__.lower()
            found = ("holds" if law.holds else f"fails {law.failures:,}" for law in laws)
            counts = (f"{len(criterion.cases):,}" for criterion in counted)
            rows.append((f"`{name}`{options}", str(len(rules.dtypes)), join, *found, *counts))
    return markdown(rows)


def _settings(name: str) -> list[dict[str, object]]:
    options = supremum.options(name).items()
    return [{}, *({option: value} for option, values in options for value in values[1:])]


def functions() -> str:
    """Return a Markdown table of the catalogue of functions."""
    rows: list[tuple[str, ...]] = [("sort", "operands", "follows", "functions"), ("---",) * 4]
    for (sort, operands, follows), group in groupby(
        FUNCTIONS.values(), key=lambda f: (f.category, f.operands, f.follows)
    ):
        names = []
        for function in group:
            others = ", ".join(f"`{name}`" for name in function.spellings)
            names.append(f"`{function.name}`{f' ({others})' if others else ''}")
        count = "any" if operands is None else str(operands)
        rows.append((sort, count, f"`{follows}`" if follows else "", ", ".join(names)))
    return markdown(rows)


def function_rules() -> str:
    """Return a Markdown table of the rule of each function, in all rules that have some."""
    known = {n: r for n in supremum.systems() if (r := supremum.system(n)).functions}
    rows: list[tuple[str, ...]] = [("function", *(f"`{name}`" for name in known))]
    rows.append(("---",) * len(rows[0]))
    for name, function in FUNCTIONS.items():
        if any(name in rules.functions for rules in known.values()):
            cells = []
            for rules in known.values():
                if name in rules.functions:
                    cells.append(_cell(rules.functions[name]))
                else:
                    cells.append(f"as `{function.follows}`" if rules.rule(name) else "not defined")
            rows.append((f"`{name}`", *cells))
    return markdown(rows)


@cache
def functions_of(name: str) -> str | None:
    """Return Markdown tables of a library's functions, or None if its release is not installed.

    Args:
        name: the name of its rules.
    """
    try:
        found = coverage(name)
    except RulesError:
        return None
    if found.installed != found.written_for:
        return None
    public, known = len(found.names), len(found.known)
    out = f"Of {public:,} public names in release {found.installed}, {public - found.dependent:,}"
    parts = [
        f"{out} are left out. The rules know {known:,} of the other {found.dependent:,}.\n",
        _titled("By result", ("result", "functions"), _by_result(found)),
        _titled("Left out", ("the function", "names"), found.left_out.items()),
    ]
    if found.missing:
        parts.append(f"## Without a rule\n\n{code(found.missing)}\n")
    return "\n" + "\n".join(parts) + "\n"


def _by_result(found: Coverage) -> list[tuple[str, list[str]]]:
    """Return what rules say, and the names that follow each: those of most names first."""
    rules = supremum.system(found.system)
    groups: dict[str, list[str]] = {}
    for name, functions in found.known.items():
        for function in functions:
            rule = rules.rule(function)
            which = f"[{function[-2]}]" if len(functions) > 1 else ""
            if rule is not None:
                groups.setdefault(in_words(rule), []).append(name + which)
    return sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))


def _titled(title: str, columns: tuple[str, str], rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    table = [columns, ("---", "---"), *((text, code(names)) for text, names in rows)]
    return f"## {title}\n\n{markdown(table)}"


def releases() -> str:
    """Return a Markdown table of the releases that were asked, each with all settings together."""
    rows: list[tuple[str, ...]] = []
    asked = json.loads((ROOT / "docs/reference/releases.json").read_text(encoding="utf-8"))
    for (system, pins), group in groupby(asked, key=lambda row: (row["system"], row["installed"])):
        settings = list(group)
        release, *others = pins.replace("==", " ").split(" ", 2)[1:]
        counts = (sum(row[key] for row in settings) for key in ("asked", "not_asked", "agree"))
        lacks = ", ".join(f"`{name}`" for name in dict.fromkeys(settings[0]["lacks"]))
        count = str(len(settings))
        rows.append((f"`{system}`", release, *others, count, *(f"{n:,}" for n in counts), lacks))
    titles = ("rules", "release", "with", "settings", "asked", "not asked", "agree", "it lacks")
    order = list(dict.fromkeys(row[0] for row in rows))
    return markdown([titles, ("---",) * 8, *sorted(rows, key=lambda row: order.index(row[0]))])


def issues() -> str:
    """Return a Markdown table of programs from public issues: those of the same kinds together."""
    told = json.loads((ROOT / "docs/reference/audit-issues.json").read_text(encoding="utf-8"))
    fixes = {"works": "works", "fails": "does not work", "none": "none suggested"}
    rows: list[tuple[str, ...]] = [
        ("kind", "issues", "program", "named first", "fix"),
        ("---",) * 5,
    ]
    for row in sorted(told, key=lambda row: (not row["kinds"], row["kinds"], row["program"])):
        links = (f"[{i}](https://github.com/{i.replace('#', '/issues/')})" for i in row["issues"])
        kinds = ", ".join(f"`{kind}`" for kind in row["kinds"]) or "nothing to find"
        found = "yes" if row["found"] else f"no: {row['said']}; {row['missed']}"
        fix = (fixes[row["fix"]] if row["kinds"] else "") + ("" if row["mended"] else ", not clean")
        program = f"`{row['folder']}/{row['program']}.py`"
        rows.append((kinds, ", ".join(links), program, found, fix))
    return markdown(rows)


_GROUPS = {" ".join(sorted(KINDS)): "*", "signed unsigned": "integer"}


def _cell(rule: FunctionRule) -> str:
    """Return a rule as a cell of a table: its text, and what that does not say."""
    text = rule_text(rule)
    special = [rule.special.says] if rule.special is not None else []
    return "; ".join([*([f"`{text}`"] if text else []), *special])


def rule_text(rule: FunctionRule) -> str:
    """Return a rule of a function as its library writes it, with the short words for kinds."""
    text = rule.text
    for members, word in _GROUPS.items():
        text = text.replace(members, word)
    return text


MADE = {
    "dtypes": catalogue,
    "laws": verdicts,
    "functions": functions,
    "function-rules": function_rules,
    "releases": releases,
    "issues": issues,
    "kinds": kind_pages.table,
    **{f"kind {name}": partial(kind_pages.summary, name) for name in kind_pages.KINDS},
    "measured": measured,
    "needs": needs,
    "benchmarks": benchmarks,
    "exports": exports,
    "lattice-page": lambda: show.render(lattice_page(), "markdown") + "\n",
    **{f"appendix {name}": partial(appendix, name) for name in TABLES},
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Renew the files, or with ``--check`` only name those that are out of date."""
    parser = ArgumentParser(description="Renew the output that the documents show.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if any differs")
    parser.add_argument("files", nargs="*", type=Path, help="instead of README.md and docs/**/*.md")
    given = parser.parse_args(arguments)
    wanted = {path: renewed(_text(path)) for path in given.files or documents()}
    if not given.files:
        wanted |= figures.pictures()
    outdated = {path: new for path, new in wanted.items() if new != _old(path)}
    for path, new in outdated.items():
        print(f"{path}: {'out of date' if given.check else 'renewed'}")
        if not given.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(new, encoding="utf-8")
    return int(bool(outdated) and given.check)


if __name__ == "__main__":
    sys.exit(main())
