"""The tables of what the code and the measurements know, and the pages made of them."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from functools import cache
from itertools import groupby, takewhile
from pathlib import Path

import supremum
from supremum import export
from supremum.core.functions import FUNCTIONS
from supremum.export.formats import SUFFIXES

from .blocks import block, code, markdown

ROOT = Path(__file__).resolve().parents[2]

DTYPES = """\
# The dtypes

*Precision* is counted in significand bits, the hidden one included and the sign not. For a
complex dtype, precision and the columns after it are those of one part. *Smallest normal* is the
smallest positive value in full precision. *-0* says whether minus zero differs from zero.

{table}
Besides these there are:

- the weak dtypes `int*`, `float*` and `complex*`, which have a kind but not a width: every fact
  of the table is None or False;
- `longdouble` and `clongdouble`, whose format is that of the platform's C compiler;
- the dtypes that a program [defines](../howto/write-your-own-rules.md#dtypes-of-your-own) with
  `supremum.custom.define`.

The facts are computed from the parameters of each format, and are attributes of a
[`DType`](python.md#supremum.DType), exact as far as Python's numbers are. `float8_e8m0fnu` holds
only powers of two: it has neither a sign nor a zero, so its smallest value is positive.
"""

FUNCTIONS_PAGE = """\
# The functions

`op=` in Python and `--op` in the command take the name of a function, by any of its spellings;
other spellings are in brackets. A function without a rule of its own has the rule of the function
that it follows. *Sort* is what kind of function it is, and *operands* is how many it takes.

The page of [each library's rules](systems.md) says what its functions give; `supremum compare
--op NAME` asks all libraries about one of them. [Functions](../concepts/functions.md) explains how
rules of functions work, and their language.

{table}"""

LAWS = """\
# The laws and criteria of all rules

Every [law and criterion](../concepts/laws-and-criteria.md), measured on all rules that ship, with
every pair and triple of their dtypes. If an option changes what `promote_types` answers, its
value has a row; options that only change what is settled after the join, such as Keras' `floatx`,
do not.

The numbers count failures and cases, and grow with the number of dtypes: rules with more dtypes
have more triples in which they can fail. They are not a ranking.

{table}"""

RELEASES = """\
# The releases that were measured

Rules describe the releases that they were measured on, newest first. Other releases often answer
the same; `supremum conform` asks the one that you have, with the rules of that release. If it was
not measured, the report says so, as in `(numpy 2.5.1 was not measured; the rules are those of
2.4.6)`, and lists what differs.

{measured}
If releases differ, an option of the rules chooses between them, and the newest is the default;
see [JAX](../libraries.md#jax) and [NumPy](../libraries.md#numpy).

## What was asked

Of libraries of which several were measured, each release was installed in an environment of its
own, and asked by `supremum conform --no-functions`: every pair and triple of operands, in every
setting. A dtype that a release lacks is not asked about. `make conform-releases` asks them again,
and fails if an answer differs.

{asked}
NumPy 2.5 needs Python 3.12 or later. array-api-strict before 2.3 does not know the versions of
the standard that the rules describe, and JAX 0.4.35 refuses mixed operands of `jax.lax` only when
it computes, which is not asked; these two were not measured.
"""

ISSUES = """\
# Programs from public issues

Each row is a program that was written from a public issue. One of its lines is the one that the
maintainers changed, or advised to change; in some programs either of two lines is as good.

- *Named first* says whether the first finding of [`supremum audit`](command.md#supremum-audit) is
  that line, with a kind from the left column. If it is not, the row has what came first, and why.
- *Fix* says whether the suggested fix gives a program that runs without a warning and prints the
  numbers of the program that was fixed by hand. *Not clean* means that the audit warns about the
  latter.
- The last rows are similar programs that are correct, so nothing should be found in them.

{table}"""

PERFORMANCE = """\
# Performance

What the benchmarks of the repository print: ratios to what does the same without Supremum, each
with the limit that the project aims at. Ratios depend on the machine, and more so if it is busy.
`make bench` runs all of them on yours, and prints the same tables.

Supremum is plain Python: nothing is compiled, so that it runs wherever Python does, and a part of
it can be vendored by copying. NumPy's functions are C. [The first table](#least) says what this
means, as ratios to NumPy:

- **a call**: what a Python function takes that returns at once. No function in Python takes less.
- **a look-up**: what it takes to find the answer in a dictionary, by two operands that must be
  hashed. For NumPy's dtypes this alone takes longer than `np.promote_types` does.
- **Supremum** does that look-up if the answer was given before. What it takes beyond is less than
  a microsecond.

Where NumPy's own answer takes longer, as `result_type` of dtypes or of a number beside an array
does, and for arrays of JAX, the ratio is below 1. An [audit](concepts/audit.md#what-it-costs)
counts each operation in Python, too. Calls on arrays of some size hide that; a loop over single
numbers cannot.

{runs}"""


def dtypes() -> str:
    """Return the page of the dtypes."""
    return DTYPES.format(table=catalogue())


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
def laws() -> str:
    """Return the page of the laws and criteria of all rules that ship.

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
            met = supremum.custom.criteria(rules)
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
    return LAWS.format(table=markdown(rows))


def _settings(name: str) -> list[dict[str, object]]:
    options = supremum.options(name).items()
    return [{}, *({option: value} for option, values in options for value in values[1:])]


def functions() -> str:
    """Return the page of the catalogue of functions."""
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
    return FUNCTIONS_PAGE.format(table=markdown(rows))


def releases(link: Callable[[str], str]) -> str:
    """Return the page of the releases that the rules of each library were measured on.

    Args:
        link: gives a link to the page with the rules of a name.
    """
    rows = [("library", "rules", "releases"), ("---",) * 3]
    for name in supremum.systems():
        rules = supremum.system(name)
        if rules.library and rules.releases:
            rows.append((rules.title, link(name), ", ".join(rules.releases)))
    return RELEASES.format(measured=markdown(rows), asked=_asked())


def _asked() -> str:
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


@block("newest")
def newest() -> str:
    """Return a list of the newest releases that were asked, with how many answers agree."""
    asked = json.loads((ROOT / "docs/reference/releases.json").read_text(encoding="utf-8"))
    newest: dict[str, str] = {}
    for row in asked:  # the newest comes first
        newest.setdefault(row["system"], row["installed"])
    lines: list[str] = []
    for system, installed in newest.items():
        settings = [r for r in asked if (r["system"], r["installed"]) == (system, installed)]
        agree, of = (sum(row[key] for row in settings) for key in ("agree", "asked"))
        each = f" in {len(settings)} settings" if len(settings) > 1 else ""
        release = installed.partition(" ")[0].replace("==", " ")
        lines.append(f"- `{system}`: {agree:,} of {of:,} agree with {release}{each}\n")
    return "".join(lines)


def issues() -> str:
    """Return the page of programs from public issues: those of the same kinds together."""
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
    return ISSUES.format(table=markdown(rows))


@block("needs")
def needs() -> str:
    """Return a Markdown table of what the package and its extras require."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    rows = [("to install", "brings"), ("---", "---")]
    rows.append(("`supremum`", code(project["dependencies"])))
    for name, wanted in project["optional-dependencies"].items():
        rows.append((f"`supremum[{name}]`", code(wanted)))
    pythons = [c.rpartition(" ")[2] for c in project["classifiers"] if " :: Python :: 3." in c]
    return f"Python {', '.join(pythons)}.\n\n{markdown(rows)}"


@block("exports")
def exports() -> str:
    """Return a Markdown table of the formats, each with the rules that it cannot express."""
    refused: dict[str, list[str]] = {name: [] for name in export.formats.NAMES}
    for name in supremum.systems():
        for to in export.formats.NAMES:
            try:
                export.render(name, to)
            except supremum.SupremumError:
                refused[to].append(name)
    rows = [("format", "suffix", "expresses all rules but"), ("---",) * 3]
    for to, suffixes in zip(refused, SUFFIXES.values(), strict=True):
        rows.append((f"`{to}`", code(suffixes.split()), code(refused[to]) or "-"))
    return markdown(rows)


VERDICT = re.compile(r"  (ok  |ok|OVER) ?")
"""What a benchmark prints beside a ratio and its limit, which say as much."""


def benchmarks() -> str:
    """Return the page of what the benchmarks printed when they were saved."""
    saved = json.loads((ROOT / "docs/performance.json").read_text(encoding="utf-8"))
    parts = []
    for name, run in saved.items():
        versions = ", ".join(f"{library} {version}" for library, version in run["versions"].items())
        verdicts = [found[1].strip() for found in map(VERDICT.search, run["printed"]) if found]
        within = f"{verdicts.count('ok')} of {len(verdicts)} are within their limits. "
        about = f"{within if verdicts else ''}{run['date']}, {versions}; {run['processor']}."
        source = f"https://github.com/supremum-dev/supremum/blob/main/benchmarks/{name}.py"
        printed = "\n".join(VERDICT.sub("  ", line, 1).rstrip() for line in run["printed"])
        parts.append(f"## [{name}]({source})\n\n{about}\n\n```text\n{printed}\n```\n")
    return PERFORMANCE.format(runs="\n".join(parts))
