"""What the page knows of every system: its answers, its table, its arrows, its laws and criteria.

It takes minutes to ask for all of it, so the file beside this module is made beforehand, with
``python -m supremum.show.explore.data``, and a test compares it with what Python answers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from ...core.analysis.compare import compared_libraries
from ...core.analysis.criteria import criteria
from ...core.deciding import other_rules
from ...core.dtypes import DType, names
from ...core.errors import PromotionError, SupremumError
from ...core.evaluation.expression import explain_expression
from ...core.evaluation.record import ExpressionStep
from ...core.evaluation.text import OPERATORS
from ...core.lattice import Lattice
from ...core.system import PromotionSystem
from ...core.systems import system, systems
from .answers import answers
from .encode import NOTHING, Encoder, packed
from .pictures import pictures

FILE: Final = "answers.txt"


def data(chosen: Iterable[str] = ()) -> str:
    """Return the data of the page, compressed, as text.

    Args:
        chosen: the names of systems; by default all.
    """
    encoder = Encoder()
    kept = tuple(chosen) or systems()
    described = [_system(encoder, system(name)) for name in kept]
    known = {
        "systems": described,
        "compared": [n for n in compared_libraries() if n in kept],
        "names": list(names()),
        **encoder.shared(),
    }
    if sys.byteorder == "big":
        encoder.block.byteswap()
    return packed(known, encoder.block)


def _system(encoder: Encoder, rules: PromotionSystem) -> dict[str, Any]:
    met = criteria(rules)
    other = other_rules(rules)
    return {
        **_answering(encoder, rules),
        "other": other and _answering(encoder, other),
        "source": rules.source,
        "version": rules.version,
        "releases": list(rules.releases),
        "depends": list(rules.depends_on),
        "weakArrays": rules.weak_arrays,
        "join": type(rules.join).__name__.lower(),
        **_lattices(encoder, rules),
        "table": encoder.put(_table(encoder, rules)),
        "laws": met.lawful.as_dict(),
        "criteria": {
            **met.as_dict(),
            "criteria": [{**c, "pairs": c["pairs"][:24]} for c in met.as_dict()["criteria"]],
        },
    }


def _answering(encoder: Encoder, rules: PromotionSystem) -> dict[str, Any]:
    """Return what the page needs to answer by some rules."""
    return {
        "name": rules.name,
        "title": rules.title,
        "label": rules.label,
        "wholePowers": _has_whole_powers(rules),
        **_made(rules),
        "dtypes": [encoder.dtype(d) for d in rules.dtypes],
        **encoder.answers(answers(rules)),
    }


def _has_whole_powers(rules: PromotionSystem) -> bool:
    """Return whether a known exponent decides otherwise than one that is traced."""
    power = rules.rule("power")
    special = power.special if power is not None else None
    return special is not None and special.select is not None


def _made(rules: PromotionSystem) -> dict[str, bool]:
    """Return whether results without dimensions are scalars, and whether ``** 2`` squares bools."""
    flat, power = _step("-float32[]", rules), _step("bool[3] ** 2", rules)
    return {
        "scalars": flat is not None and flat.result.form == "scalar",
        "squares": power is not None and power.function == "square",
    }


def _step(text: str, rules: PromotionSystem) -> ExpressionStep | None:
    """Return the step of an expression of one operator, or None if these rules refuse it."""
    try:
        return explain_expression(text, rules).steps[0]
    except SupremumError:
        return None


def _lattices(encoder: Encoder, rules: PromotionSystem) -> dict[str, Any]:
    """Return the lattices of some rules, that of dtypes first, and the one that functions walk.

    Each is its nodes, with the nodes right above them, as numbers. With them come their drawings.
    """
    found: list[Lattice[DType]] = []
    walks = {}
    for op in ("", *OPERATORS.values()):
        rule = rules.rule(op) if op else None
        join = rules.join if rule is None or rule.shared else rules.function_join
        if isinstance(join, Lattice):
            if join not in found:
                found.append(join)
            walks[op] = found.index(join)
    arrows = [
        [[encoder.dtype(d), [*map(encoder.dtype, ups)]] for d, ups in lattice.arrows.items()]
        for lattice in found
    ]
    drawn = pictures(rules, found, encoder.dtype)
    return {"lattices": arrows, "walks": walks, "pictures": drawn}


def _table(encoder: Encoder, rules: PromotionSystem) -> list[int]:
    """Return the answer of `promote_types` for each pair, row by row."""
    found = []
    for a in rules.dtypes:
        for b in rules.dtypes:
            try:
                found.append(encoder.dtype(rules.promote_types(a, b)))
            except PromotionError:
                found.append(NOTHING)
    return found


def shipped() -> str:
    """Return the data that comes with the package."""
    return (files(__package__) / FILE).read_text(encoding="ascii")


if __name__ == "__main__":
    Path(__file__).with_name(FILE).write_text(data(sys.argv[1:]), encoding="ascii")
