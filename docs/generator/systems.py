"""The page of each set of rules in the reference, made of the code alone."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import supremum
from supremum import PromotionError, PromotionSystem, criteria, laws, show
from supremum.core.dtypes import DType
from supremum.core.lattice import Lattice
from supremum.core.operands import operand, parse
from supremum.core.systems import system_file
from supremum.core.table import Table
from supremum.show.draw import Drawing, common

from . import figures
from .blocks import block, markdown
from .rule_words import in_words

ARRAYS = ("uint8", "int8", "int64", "float16", "float32", "complex64")
NUMBERS = (1, 1000, 1.0, 1j)
FUNCTION_PAGES = ("numpy", "jax", "array-api", "torch")
_RANKS = {"[3]": "array", "[]": "0-d array"}


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


@block("rules of")
def page(name: str) -> str:
    """Return what the page of some rules says below its title."""
    rules = supremum.system(name)
    parts = [
        _described(name),
        _facts(rules),
        "## Drawing\n",
        _drawn(name, rules),
        "## Table\n",
        _left_out(rules),
        f"{show.render(_table(rules), 'markdown')}\n",
        "## Laws and criteria\n",
        _verdicts(rules),
        "## Python's numbers\n",
        _numbers(rules),
        *_options(name, rules),
        *_functions(name, rules),
        "## Source and releases\n",
        _source(name, rules),
    ]
    return "\n" + "\n".join(part for part in parts if part) + "\n"


@block("systems")
def index() -> str:
    """Return a Markdown table of the rules that ship, each with a link to its page."""
    rows = [("rules", "what they are"), ("---", "---")]
    for name in supremum.systems():
        first = _described(name).partition("\n\n")[0]
        rows.append((f"[`{name}`](systems/{name}.md)", " ".join(first.split())))
    return markdown(rows)


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


def _functions(name: str, rules: PromotionSystem) -> list[str]:
    """Return the functions whose result is not the joined dtype, grouped by what it is."""
    if not rules.functions:
        return []
    groups: dict[str, list[str]] = defaultdict(list)
    for function, rule in rules.functions.items():
        groups[in_words(rule)].append(function)
    same = groups.pop("the joined dtype", [])
    rows = [("function", "what `op=` gives"), ("---", "---")]
    for words, names in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])):
        rows.append((", ".join(f"`{n}`" for n in names), _plain(words)))
    said = (
        f"{len(rules.functions):,} functions have a rule. {len(same):,} of them give the joined "
        "dtype, and the others make something else of it, or refuse some dtypes."
    )
    if rules.function_join is not rules.join or rules.function_classify is not None:
        said += " Operands of functions are joined in a way of their own."
    if name in FUNCTION_PAGES:
        said += f" A page of their own has [all of them by result](../functions/{name}.md)."
        return ["## Functions\n", f"{said}\n"]
    return ["## Functions\n", f"{said}\n", markdown(rows)]


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
