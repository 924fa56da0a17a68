"""The pages of the rules in the reference, made of the code alone."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import supremum
from supremum import PromotionError, laws, show
from supremum.core.dtypes import DType
from supremum.core.lattice import Lattice
from supremum.core.operands import operand, parse
from supremum.core.systems import jep9407, system_file
from supremum.core.table import Table
from supremum.custom import Fold, PromotionSystem, criteria
from supremum.show.draw import Drawing, common

from . import figures
from .blocks import code, markdown
from .pages import output
from .rule_words import in_words

PLACE = "reference/systems"
STEPS = f"{PLACE}/jep9407.md"
NUMPY = "numpy"
ARRAYS = ("uint8", "int8", "int64", "float16", "float32", "complex64")
NUMBERS = (1, 1000, 1.0, 1j)
JOINED = "the joined dtype"
_RANKS = {"[3]": "array", "[]": "0-d array"}

INDEX = """\
# The rules that ship

`supremum.system("jax", x64=False)` returns rules by name, with their options; the command takes
`--system jax:x64=false`. Dtypes that rules do not have are refused.

Each has a page with what it models and what it does not, its drawing, table, laws, functions and
source. [Every library's rules](../libraries.md) says what is surprising in each, and [one
table](laws-of-all-systems.md) has the laws and criteria of all.
"""
STEPS_TITLE = "# The steps and options of JAX's design document\n"
STEPS_INTRO = """\
[JAX's design document, run](../../design-document.md) goes through them. An answer depends on
dtypes alone, and every law of a lattice holds in each. What they cost, by the [criteria of the
document](../../concepts/laws-and-criteria.md#criteria):
"""


@dataclass(frozen=True)
class Shown:
    """Rules on the dtypes that the page shows, for laws and criteria."""

    rules: PromotionSystem

    @property
    def name(self) -> str:
        """The name of the rules."""
        return self.rules.name

    @property
    def dtypes(self) -> tuple[DType, ...]:
        """The dtypes of the table and of the drawing."""
        return tuple(common(self.rules.dtypes))

    def promote_types(self, *dtypes: Any) -> DType:
        """Return what the rules say."""
        return self.rules.promote_types(*dtypes)


def pages() -> dict[str, str]:
    """Return the page of each file of rules, by its path in the docs, and the list of all."""
    found = {f"{PLACE}.md": _index()}
    for name in supremum.systems():
        page = page_of(name)
        if page not in found:
            found[page] = _steps() if page == STEPS else _of_one(name)
    return found


def page_of(name: str) -> str:
    """Return the page with the rules of a name."""
    return STEPS if system_file(name) is jep9407 else f"{PLACE}/{name}.md"


def link(name: str) -> str:
    """Return a link to the page with some rules, from another page of the reference."""
    page = page_of(name).removeprefix("reference/")
    return f"[`{name}`]({page}{f'#{name}' if page_of(name) == STEPS else ''})"


def _index() -> str:
    """Return the page that lists the rules that ship."""
    rows = [("rules", "what they are"), ("---", "---")]
    for name in supremum.systems():
        first = _described(name).partition("\n\n")[0]
        rows.append((link(name), " ".join(first.split())))
    listed = f"```console\n$ supremum systems\n{output('supremum systems')}```\n"
    return f"{INDEX}\n{markdown(rows)}\n## As the command lists them\n\n{listed}"


def _of_one(name: str) -> str:
    """Return the page of some rules."""
    rules = supremum.system(name)
    parts = [
        f"# `{name}`\n",
        _described(name),
        _facts(rules),
        *(_beside(rules, NUMPY) if _is_as(rules, NUMPY) else _alone(name, rules)),
        *_options(name, rules),
        *_functions(rules, supremum.system(NUMPY) if _is_as(rules, NUMPY) else None),
        "## Source and releases\n",
        _source(name, rules),
    ]
    return "\n".join(part for part in parts if part)


def _alone(name: str, rules: PromotionSystem) -> list[str]:
    """Return what a page shows of the join: a drawing, the table, laws, and Python's numbers."""
    return [
        "## Drawing\n",
        _drawn(name, rules),
        "## Table\n",
        _left_out(rules),
        f"{show.render(_table(rules), 'markdown')}\n",
        "## Laws and criteria\n",
        _verdicts(rules),
        "## Python's numbers\n",
        _numbers(rules),
    ]


def _is_as(rules: PromotionSystem, others: str) -> bool:
    """Return whether rules join each pair of their dtypes as others do that are no lattice."""
    theirs = supremum.system(others)
    if rules.name == others or not isinstance(rules.join, Fold):
        return False
    ours = rules.table()
    return {*rules.dtypes} <= {*theirs.dtypes} and not ours.differences(theirs.table())


def _beside(rules: PromotionSystem, others: str) -> list[str]:
    """Return how rules differ from others that join each pair of their dtypes alike."""
    theirs = supremum.system(others)
    said = (
        f"Each pair of its {len(rules.dtypes)} dtypes promotes as by [the rules of "
        f"{theirs.title}]({others}.md), which has the table and the drawing; [one "
        "table](../laws-of-all-systems.md) has the laws of all."
    )
    if lacks := code(str(d) for d in theirs.dtypes if d not in rules.dtypes):
        said += f" It does not have {lacks}."
    numbers = _numbers(rules)
    return [
        f"## Beside `{others}`\n",
        f"{said}\n",
        "## Python's numbers\n",
        "The same as there.\n" if numbers == _numbers(theirs) else numbers,
    ]


def _steps() -> str:
    """Return the page of the steps and options of JAX's design document."""
    rows: list[tuple[str, ...]] = []
    parts = []
    for name in jep9407.NAMES:
        rules = supremum.system(name)
        met = criteria(rules)
        if not rows:
            titles = ("rules", "dtypes", "pairs without an answer", *(c.name for c in met.counted))
            rows += [titles, ("---",) * len(titles)]
        counts = (str(len(criterion.cases)) for criterion in met.counted)
        refused = f"{met.refused} of {met.pairs}"
        rows.append((f"[`{name}`](#{name})", str(len(rules.dtypes)), refused, *counts))
        parts += [f"## `{name}`\n", _drawn(name, rules)]
    return "\n".join([STEPS_TITLE, _described("jep9407"), STEPS_INTRO, markdown(rows), *parts])


def _described(name: str) -> str:
    """Return what the file of the rules says of them, as Markdown."""
    module = system_file(name)
    text = (module.__doc__ or "").strip()
    pieces = re.split(r"(``[^`]+``|`[^`]+`)", text)
    return "".join(
        f"`{piece.strip('`')}`" if piece.startswith("`") else _plain(piece)
        for piece in pieces
    ) + "\n"  # fmt: skip


def _facts(rules: PromotionSystem) -> str:
    what = type(rules.join).__name__.lower()
    if isinstance(rules.join, Lattice) and not rules.join.is_total:
        what = f"partial {what}"
    facts = [
        f"- Join: a {what} of {len(rules.dtypes)} dtypes",
        f"- An answer depends on: {', '.join(rules.depends_on)}",
    ]
    if rules.library is not None:
        facts.append(f"- Default dtypes: {_defaults(rules)}")
    return "\n".join(facts) + "\n"


def _defaults(rules: PromotionSystem) -> str:
    kinds = zip(rules.default_dtypes._fields, rules.default_dtypes, strict=True)
    return ", ".join(f"{kind} `{d}`" for kind, d in kinds)


def _drawn(name: str, rules: PromotionSystem) -> str:
    drawing = figures.system_drawing(name)
    if not isinstance(drawing, Drawing):
        return f"{_plain(drawing)}.\n"
    count = f"{len(drawing.boxes)} dtypes, {len(drawing.arrows)} arrows"
    alt = f"The order of the dtypes under {rules.name} rules: {count}"
    note = f"{_plain(drawing.note)}\n\n" if drawing.note else ""
    return (
        f"![{alt}](../../assets/systems/{name}.svg)\n\n{note}"
        f"The arrows, as text:\n\n```text\n{drawing.render('arrows')}\n```\n"
    )


def _plain(text: str) -> str:
    """Return a text in which the star of a weak dtype is no markup."""
    return text.replace("*", r"\*")


def _table(rules: PromotionSystem) -> Table[DType]:
    return rules.table().only(common(rules.dtypes))


def _left_out(rules: PromotionSystem) -> str:
    shown = set(common(rules.dtypes))
    left = [f"`{d}`" for d in rules.dtypes if d not in shown]
    what = "What each pair promotes to, in codes that count bits"
    parts = [f"{what}: the row is the first operand, and the column the second."]
    if any(None in row for row in _table(rules).rows()):
        parts.append("`-` is a refusal.")
    if _table(rules).marked:
        parts.append("Bold cells are those that the file of the rules marks; see above.")
    if left:
        parts.append(f"Left out, here and in the drawing: {', '.join(left)}.")
    return " ".join(parts) + "\n"


def _verdicts(rules: PromotionSystem) -> str:
    shown = Shown(rules)
    whole = len(shown.dtypes) == len(rules.dtypes)
    of = "" if whole else (
        f"Of the {len(shown.dtypes)} dtypes above; [one table](../laws-of-all-systems.md) "
        f"has all {len(rules.dtypes)}.\n\n"
    )  # fmt: skip
    return f"{of}```text\n{laws(shown)}\n```\n\n```text\n{criteria(shown)}\n```\n"


def _numbers(rules: PromotionSystem) -> str:
    """Return a table of arrays beside Python's numbers, and of these alone."""
    ranks = _RANKS if rules.ranked or rules.valued else {"[3]": "array"}
    known = {d.name for d in rules.dtypes}
    rows = [
        (f"`{name}` {words}", f"{name}{rank}")
        for name in ARRAYS if name in known
        for rank, words in ranks.items()
    ]  # fmt: skip
    head = ("beside", *(f"`{number}`" for number in NUMBERS))
    table = [head, ("---",) * len(head)]
    for title, written in (*rows, ("alone", "")):
        beside = [parse(written)] if written else []
        table.append((title, *(_answer(rules, *beside, operand(n)) for n in NUMBERS)))
    return f"What `result_type` gives; `-` is a refusal.\n\n{markdown(table)}"


def _answer(rules: PromotionSystem, *operands: Any) -> str:
    try:
        found = rules.explain(*operands)
    except PromotionError:
        return "-"
    return f"`{found.result}`{', weak' if found.weak else ''}"


def _options(name: str, rules: PromotionSystem) -> list[str]:
    """Return a table of what each value of each option changes."""
    ours = rules.table()
    rows = []
    for option, (usual, *others) in supremum.options(name).items():
        changes: dict[str, list[str]] = {"the default": [f"`{usual}`"]}
        for value in others:
            change = _change(ours, rules, supremum.system(name, **{option: value}))
            changes.setdefault(change, []).append(f"`{value}`")
        rows += [(f"`{option}`", ", ".join(values), change) for change, values in changes.items()]
    if not rows:
        return []
    return ["## Options\n", markdown([("option", "value", "what it changes"), ("---",) * 3, *rows])]


def _change(ours: Table[DType], rules: PromotionSystem, other: PromotionSystem) -> str:
    theirs = other.table()
    said = []
    gone, new = (
        [f"`{d}`" for d in a.dtypes if d not in b.dtypes]
        for a, b in ((rules, other), (other, rules))
    )
    if gone:
        said.append(f"without {', '.join(gone)}")
    if new:
        said.append(f"with {', '.join(new)}")
    both = [d for d in ours.nodes if d in theirs.nodes]
    cells = len(ours.only(both).differences(theirs.only(both)))
    if cells:
        said.append(f"{cells:,} of {len(both) ** 2:,} pairs of dtypes")
    if _numbers(rules) != _numbers(other):
        said.append("Python's numbers")
    functions = {**rules.functions, **other.functions}
    changed = [f for f in functions if rules.functions.get(f) != other.functions.get(f)]
    if changed and not other.functions:
        said.append("without rules of functions")
    elif changed:
        said.append(f"the rules of {len(changed)} functions")
    return "; ".join(said) or "nothing that this page shows"


def _functions(rules: PromotionSystem, others: PromotionSystem | None) -> list[str]:
    """Return the functions whose result is not the joined dtype, grouped by what it is.

    Beside other rules, those are left out that have the same rule there.
    """
    if not rules.functions:
        return []
    groups: dict[str, list[str]] = defaultdict(list)
    for function, rule in rules.functions.items():
        if others is None or rule != others.functions.get(function):
            groups[in_words(rule)].append(function)
    count = f"{len(rules.functions):,} functions have a rule."
    if others is None:
        same = len(groups.pop(JOINED, []))
        said = (
            f"{count} {same:,} of them give the joined dtype, and the others make something else "
            "of it, or refuse some dtypes."
        )
    else:
        differ = sum(map(len, groups.values()))
        said = f"{count} {differ:,} of them have another rule than in {others.title}."
    if rules.function_join is not rules.join or rules.function_classify is not None:
        said += " Operands of functions are joined in a way of their own."
    rows = [("function", "what `op=` gives"), ("---", "---")]
    for words, names in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])):
        rows.append((code(names), _plain(words)))
    return ["## Functions\n", f"{said}\n", markdown(rows) if groups else ""]


def _source(name: str, rules: PromotionSystem) -> str:
    lines = [f"- Source: {rules.source}"]
    if rules.version:
        lines.append(f"- Version: {rules.version}")
    if len(rules.releases) > 1:
        lines.append(f"- [Releases](../releases.md) that give the same answers: "
                     f"{', '.join(rules.releases)}")  # fmt: skip
    if rules.library is not None and rules.library.modules:
        modules = ", ".join(f"`{m}`" for m in rules.library.modules)
        lines.append(f"- Its arrays and dtypes come from: {modules}")
    lines.append(f"- In Python: `supremum.system({name!r})`; "
                 f"in the command: `--system {name}`")  # fmt: skip
    return "\n".join(lines) + "\n"
