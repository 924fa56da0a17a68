"""What is known of dtypes, functions, laws, releases and speed, each as a Markdown table."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from itertools import groupby, takewhile
from pathlib import Path

import supremum
from supremum import FunctionRule, export
from supremum.core.dtypes import KINDS
from supremum.core.functions import FUNCTIONS
from supremum.export.formats import SUFFIXES

from .blocks import block, code, markdown

ROOT = Path(__file__).resolve().parents[2]


@block("dtypes")
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


@block("laws")
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


@block("functions")
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


@block("function-rules")
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


@block("releases")
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


@block("issues")
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


@block("measured")
def measured() -> str:
    """Return a Markdown table of the releases that the rules of each library were measured on."""
    rows = [("library", "rules", "releases"), ("---",) * 3]
    for name in supremum.systems():
        rules = supremum.system(name)
        if rules.library and rules.releases:
            page = f"[`{name}`](reference/systems/{name}.md)"
            rows.append((rules.title, page, ", ".join(rules.releases)))
    return markdown(rows)


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
    """Return a Markdown table of the formats that can express each system."""
    suffixes = (f"`{'` `'.join(known.split())}`" for known in SUFFIXES.values())
    rows: list[tuple[str, ...]] = [("rules", *export.formats.NAMES), ("suffixes", *suffixes)]
    for name in supremum.systems():
        cells = []
        try:
            said = export.describe(name)
            cells += ["yes" for write in export.FORMATS.values() if write(said)]
        except supremum.SupremumError:
            cells += ["-" for _ in export.FORMATS]
        for to in export.formats.SHOWN:
            try:
                export.render(name, to)
            except supremum.SupremumError:
                cells.append("-")
            else:
                cells.append("yes")
        rows.append((f"`{name}`", *cells))
    rows.insert(1, ("---",) * len(rows[0]))
    return markdown(rows)


VERDICT = re.compile(r"  (ok  |ok|OVER) ?")
"""What a benchmark prints beside a ratio and its limit, which say as much."""


@block("benchmarks")
def benchmarks() -> str:
    """Return what the benchmarks printed when they were saved, each with when and where."""
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
    return "\n" + "\n".join(parts) + "\n"
