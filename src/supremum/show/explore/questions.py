"""What the page asks, answered by what Python's users call: JSON in, JSON out.

The local server and the engine in a browser run this module alike. A question is an object of
texts, of which ``ask`` names one of `QUESTIONS`, and the others are what that function takes.
"""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from inspect import signature
from sys import intern
from types import SimpleNamespace
from typing import Any, Final, cast

from ...core.analysis.compare import compare
from ...core.analysis.criteria import criteria
from ...core.analysis.differences import diff
from ...core.analysis.laws import Rules, laws
from ...core.deciding import usual_system
from ...core.dtypes import WEAK, DType, dtype, names
from ...core.errors import (
    LatticeError,
    NoJoinError,
    PromotionError,
    RulesError,
    SupremumError,
    listed,
)
from ...core.evaluation.record import ExpressionExplanation
from ...core.evaluation.text import is_expression
from ...core.explain import explain
from ...core.explanation import Explanation
from ...core.lattice import Lattice, parse_arrows
from ...core.operands import Operand, can_parse, parse
from ...core.system import PromotionSystem
from ...core.systems import options, spelled, systems
from ...core.systems import system as rules_of
from ..draw import Arrow, Box, Drawing, layout
from ..draw.drawing import Mark
from ..draw.order import OrderError
from ..draw.routes import shortened
from ..tables import short_name

LONGEST: Final = {"text": 200, "arrows": 4000}
"""How many characters a text of a question may have; those that are not named, 100."""
NODES: Final = 200
"""How many nodes a lattice of one's own has at most; of an eighth of that the laws are tried."""
PLACES: Final = "places.json"
"""A file beside this module in a site: where `layout` puts the nodes of what ships."""


def answer(question: str) -> str:
    """Return the answer to a question; if it has none, ``error`` says why and what to type.

    >>> json.loads(answer('{"ask": "explain", "text": "int32, float16, 1.0"}'))["result"]
    'float16'
    """
    try:
        found = _answered(question)
    except SupremumError as error:
        found = {"error": str(error)}
    except Exception:  # noqa: BLE001  # the page goes on, whatever it was
        traceback.print_exc()
        found = {"error": "this is a mistake in supremum itself; please report what you typed"}
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def _answered(question: str) -> dict[str, Any]:
    try:
        texts = dict(json.loads(question))
        ask = QUESTIONS[texts.pop("ask")]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise RulesError(f"a question has texts; 'ask' is {' or '.join(QUESTIONS)}") from None
    taken = signature(ask).parameters
    for name, text in texts.items():
        if name not in taken or not isinstance(text, str):
            raise RulesError(f"this question takes texts named {', '.join(taken)}")
        if len(text) > (most := LONGEST.get(name, 100)):
            raise RulesError(f"the page takes {most:,} characters, not {len(text):,}; type less")
    found: dict[str, Any] = ask(**texts)
    return found


def about() -> dict[str, Any]:
    """Return the rules that there are, by their options, and the kind of each dtype."""
    kinds = {name: dtype(name).kind for name in (*names(), *(d.name for d in WEAK.values()))}
    return {"systems": [text for name in systems() for text in _spellings(name)], "kinds": kinds}


def _spellings(name: str) -> list[str]:
    settings = [{option: v} for option, values in options(name).items() for v in values[1:]]
    return [name, *(spelled(rules_of(name, **setting)) for setting in settings)]


def explained(text: str = "", system: str = "") -> dict[str, Any]:
    """Return why some operands, or an expression, give what they give."""
    return _explained(text, system).to_dict()


def compared(text: str = "") -> dict[str, Any]:
    """Return what every library makes of that."""
    operands, given = _read(text)
    found = compare(*operands, systems=None, op=None, **given)
    return {**found.to_dict(), "summary": found.parting or found.summary}


def tabled(
    text: str = "", system: str = "", step: str = "", rare: str = "", other: str = ""
) -> dict[str, Any]:
    """Return the table of the rules that decide, and which cells others answer otherwise."""
    rules, why = _deciding(text, system, step)
    pair = _nodes(why) if why and len(why.classified) == 2 else []
    table = rules.table().only(_shown(rules, why, rare))
    said: dict[str, Any] = {"says": "", "text": ""}
    marked: frozenset[tuple[DType, DType]] = frozenset()
    if other:
        known = {*rules_of(other).dtypes, *WEAK.values()}
        found = diff(other, rules, *(d for d in table.nodes if d in known))
        marked, asked = found.table().marked, len(found.table()) ** 2
        said["says"] = f"{' and '.join(found.names)} differ in {len(marked)} of {asked} pairs here."
        said["text"] = str(found)
    cells = [
        [c and [c.name, short_name(c), (a, b) in marked]
         for b, c in zip(table.nodes, row, strict=True)]
        for a, row in zip(table.nodes, table.rows(), strict=True)
    ]  # fmt: skip
    return {
        **said, **_named(rules), "nodes": [[d.name, short_name(d)] for d in table.nodes],
        "rows": cells, "left_out": len(rules.dtypes) - len(table), "pair": [d.name for d in pair],
    }  # fmt: skip


def drawn(text: str = "", system: str = "", step: str = "", rare: str = "") -> dict[str, Any]:
    """Return the drawing of the rules that decide, with the paths of a step highlighted."""
    rules, why = _deciding(text, system, step)
    lit = list(dict.fromkeys(_nodes(why)))
    if why and why.join is not rules.join and isinstance(why.join, Lattice):
        found = layout_of(rules, why.join.nodes, lit, why.join)
    else:
        found = layout_of(rules, _shown(rules, why, rare), lit)
    return {**_named(rules), "drawing": _placed(found).to_dict()}


def judged(system: str = "", rare: str = "") -> dict[str, Any]:
    """Return what became of the laws, and of the criteria, over the dtypes that tables show."""
    rules = _rules(system)
    shown = _shown(rules, None, rare)
    met = criteria(rules if rare else _tried(rules.name, shown, rules.promote_types))
    tried = met.lawful.to_dict()["laws"]
    return {**_named(rules), **met.to_dict(), "laws": tried, "of": len(shown),
            "left_out": len(rules.dtypes) - len(shown)}  # fmt: skip


def own(arrows: str = "", x: str = "", y: str = "") -> dict[str, Any]:
    """Return a lattice of one's own, judged and drawn, or why arrows are none."""
    given = {low: list(ups) for low, ups in parse_arrows(arrows, {}, intern).items()}
    if len(given) > NODES or sum(map(len, given.values())) > 5 * NODES:
        raise RulesError(f"the page takes {NODES} nodes and {5 * NODES} arrows; Python takes more")
    try:
        lattice = Lattice(arrows, node=intern)  # laws ask whether nodes are the same
    except LatticeError as error:
        return {"refused": str(error), "drawing": _broken(given, error).to_dict()}
    nodes = [*given]
    if not nodes:
        raise RulesError("there are no arrows; type i8 -> i16")
    asked = [x if x in lattice else nodes[0], y if y in lattice else nodes[-1]]
    tried = _tried("your", nodes, lambda *these: _join(lattice, *these))
    found = _placed(layout(lattice, highlight=list(dict.fromkeys(asked)), title="Your lattice"))
    return {
        "nodes": nodes, "asked": asked, "drawing": found.to_dict(), "total": lattice.is_total,
        "laws": laws(tried).to_dict()["laws"] if len(nodes) <= NODES // 8 else [],
    }  # fmt: skip


QUESTIONS: Final[dict[str, Any]] = {
    "about": about, "explain": explained, "compare": compared, "table": tabled, "draw": drawn,
    "laws": judged, "own": own,
}  # fmt: skip
"""What can be asked, with the function that answers."""


def _explained(text: str, system: str) -> Explanation | ExpressionExplanation:
    operands, given = _read(text)
    ask: Callable[..., Explanation | ExpressionExplanation] = explain
    return ask(*operands, system=system or None, **given)


def _read(text: str) -> tuple[list[Any], dict[str, Operand]]:
    """Return the operands of a text or its expression, and what the names in that stand for.

    Commas stand between operands and before ``x=int32[3]``; so do spaces between operands alone.
    """
    parts = _parts(text)
    bound = {p: p.partition("=") for p in parts if re.match(r"[A-Za-z_]\w*=[^=]", p)}
    given = {name.strip(): parse(value.strip()) for name, _, value in bound.values()}
    if taken := given.keys() & {"op", "system", "systems"}:
        raise RulesError(f"an operand cannot be named {min(taken)}; type another name, such as x")
    operands = [part for part in parts if part not in bound]
    words = operands[0].split() if len(operands) == 1 else []
    if words and all(can_parse(word) and word[0] not in "+-" for word in words):
        operands = words
    if len(operands) == 1 and (given or is_expression(operands[0])):
        return operands, given
    return [parse(part) for part in operands], given


def _parts(text: str) -> list[str]:
    """Return what stands between the commas that are in no brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def _deciding(text: str, system: str, step: str) -> tuple[PromotionSystem, Explanation | None]:
    """Return whose rules decide a step of what is asked, and why if they have an answer."""
    try:
        found = _explained(text, system)
    except SupremumError as error:
        return _rules(system or getattr(error, "system", "")), None
    why = found if isinstance(found, Explanation) else _of_step(found, step)
    if why is None:
        return _rules(system or found.system), None
    return rules_of(why.system, **why.setting), why


def _rules(name: str) -> PromotionSystem:
    return rules_of(name) if name else usual_system()


def _of_step(found: ExpressionExplanation, step: str) -> Explanation | None:
    """Return why a step gives what it gives; by default the last one."""
    number = int(step) if step.isdecimal() else len(found.steps) - 1
    return found.steps[number].explanation if 0 <= number < len(found.steps) else None


def _nodes(why: Explanation | None) -> list[DType]:
    """Return the dtypes of the operands, or what their numbers are taken for."""
    return [
        t.node if t.operand.weak or t.operand.is_python else t.operand.dtype
        for t in (why.classified if why else ())
    ]


def _shown(rules: PromotionSystem, why: Explanation | None, rare: str) -> Sequence[DType]:
    """Return the dtypes to show: the common ones and those of an answer, or all."""
    own = {*_nodes(why), why.node} if why else ()
    return [d for d in rules.dtypes if rare or d.is_common or d in own]


def _named(rules: PromotionSystem) -> dict[str, str]:
    return {"rules": spelled(rules), "title": rules.title, "label": rules.label}


def _tried(name: str, nodes: Sequence[Any], join: Callable[..., Any]) -> Rules:
    return cast("Rules", SimpleNamespace(name=name, dtypes=tuple(nodes), promote_types=join))


def _join(lattice: Lattice[str], *nodes: str) -> str:
    try:
        return lattice.join(*nodes)
    except NoJoinError as error:
        raise PromotionError(str(error)) from None


def _broken(given: Mapping[str, Sequence[str]], error: LatticeError) -> Drawing:
    """Return the drawing of arrows that are no lattice, what is wrong with them highlighted."""
    nodes = list(given)
    marks: dict[str, Mark] = {**dict.fromkeys(error.nodes, "operand"),
                              **dict.fromkeys(error.candidates, "differs")}  # fmt: skip
    boxes = [Box(n, shortened(n), 0, 0, 0, 0, mark=marks.get(n, "")) for n in nodes]
    arrows = [Arrow(nodes.index(a), nodes.index(b), ()) for a, ups in given.items() for b in ups]
    return Drawing("Your arrows", 0, 0, tuple(boxes), tuple(arrows), is_placed=False)


def layout_of(
    rules: PromotionSystem, shown: Sequence[DType], lit: Sequence[DType] = (), what: Any = None
) -> Drawing:
    """Return the drawing of some dtypes; of a table that is no order, without what keeps it so.

    Args:
        rules: the rules.
        shown: the dtypes.
        lit: those whose paths to their join are highlighted.
        what: another lattice of the rules, which functions have.
    """
    what = what or rules
    try:
        return layout(what, shown, highlight=[d for d in lit if d in shown], title=rules.title)
    except OrderError as error:
        kept = [d for d in shown if d not in error.without]
        found = layout(what, kept, highlight=[d for d in lit if d in kept])
        why = str(error).partition("; ")[0]
        left_out = listed([d.name for d in error.without])
        return replace(found, note=f"{found.note} Without {left_out}: {why}.".lstrip())


def _placed(drawing: Drawing) -> Drawing:
    """Return a drawing with the places that a site has for it, if they are missing."""
    known = None if drawing.is_placed else _places().get(key_of(drawing))
    if known is None:
        return drawing
    boxes = [
        replace(box, x=x, y=y, width=width, height=height)
        for box, (x, y, width, height) in zip(drawing.boxes, known["boxes"], strict=True)
    ]
    arrows = [replace(a, points=p) for a, p in zip(drawing.arrows, known["arrows"], strict=True)]
    width, height = known["size"]
    return replace(drawing, width=width, height=height, boxes=tuple(boxes),
                   arrows=tuple(arrows), is_placed=True)  # fmt: skip


def key_of(drawing: Drawing) -> str:
    """Return what tells drawings apart that need other places: their nodes and arrows."""
    nodes, arrows = drawing.boxes, drawing.arrows
    return " ".join([*(box.name for box in nodes), *(f"{a.lower}>{a.upper}" for a in arrows)])


@cache
def _places() -> dict[str, Any]:
    file = files(__package__) / PLACES
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
