"""What is asked of a design: dtypes, arrows that must hold or must not, hard rules and costs."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..core.dtypes import KINDS, DType, define, dtype, from_code
from ..core.errors import LatticeError, RulesError, SupremumError, did_you_mean, listed
from ..core.lattice import Lattice, parse_arrows
from ..core.rule_files import load
from .costs import COSTS, LOOPHOLES, LOST_BITS, Arrow, answered

NEVER = ("dropped component", "overflow", *LOOPHOLES)
"""The hard rules, if nothing else is said: what the document says "never" of, and loopholes."""

ORDER = ("undefined", "precision loss", "wider result", LOST_BITS)
"""The costs, the most important first, if nothing else is said."""

_ENTRIES = ("name", "dtypes", "require", "forbid", "never", "costs", "define")

_FACTS = tuple(fact for fact in DType.__slots__ if fact not in ("name", "weak", "code"))
"""The entries of a dtype that a spec defines."""

Arrows = str | Lattice[Any] | Iterable[str | tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class Spec:
    """What is asked of a design.

    Attributes:
        name: what to call it.
        dtypes: the dtypes.
        required: arrows that must hold.
        forbidden: arrows that must not hold, not by way of others either.
        never: the costs that no pair may have.
        costs: the other costs, each with its weight; or in order, the most important first.
        base: a lattice of some of the dtypes, and of ties, whose order stays as it is. Nothing is
            asked of a pair of these, as long as its answer is what it was.
    """

    name: str
    dtypes: tuple[DType, ...]
    required: tuple[Arrow, ...] = ()
    forbidden: tuple[Arrow, ...] = ()
    never: tuple[str, ...] = NEVER
    costs: tuple[str, ...] | Mapping[str, int] = field(default=ORDER)
    base: Lattice[DType] | None = None

    @property
    def counted(self) -> tuple[str, ...]:
        """The names of the costs that are not forbidden."""
        return tuple(name for name in self.costs if name not in self.never)

    def is_old(self, pair: Arrow, join: DType | None) -> bool:
        """Return whether a pair is of the base, and has the answer that it has there."""
        if self.base is None or not all(d in self.base for d in pair):
            return False
        bounds = self.base.minimal_upper_bounds(*pair)
        return join is answered(bounds[0] if bounds else None)


def spec(
    dtypes: str | Iterable[Any] = (),
    *,
    require: Arrows = (),
    forbid: Arrows = (),
    never: Iterable[str] = NEVER,
    costs: Iterable[str] | Mapping[str, int] = ORDER,
    name: str = "design",
) -> Spec:
    """Return what is asked of a design, checked.

    Args:
        dtypes: the dtypes, or their names or codes with blanks between; those that arrows name
            are added.
        require: arrows that must hold: arrow text as `Lattice` takes it or a list of such texts,
            a lattice, or pairs.
        forbid: arrows that must not hold, likewise.
        never: the costs that no pair may have, of ``COSTS``.
        costs: the costs to keep low: names, the most important first, or a mapping to weights.
        name: what to call it.

    Raises:
        RulesError: if a cost is unknown, or a weight is not a whole number.
        DTypeError: if something is not a dtype.
        LatticeError: if arrow text has a mistake.

    >>> asked = spec("i8 u8 i16 f16", require="i8, u8 -> i16")
    >>> [d.name for d in asked.dtypes], len(asked.required)
    (['int8', 'uint8', 'int16', 'float16'], 2)
    """
    required, wanted = _arrows("require", require)
    forbidden, unwanted = _arrows("forbid", forbid)
    words = dtypes.replace(",", " ").split() if isinstance(dtypes, str) else dtypes
    known = dict.fromkeys([*(_dtype(word) for word in words), *wanted, *unwanted])
    weights = dict(costs) if isinstance(costs, Mapping) else tuple(costs)
    never = tuple(never)
    _check_costs("never", never)
    _check_costs("costs", weights)
    for cost, weight in weights.items() if isinstance(weights, dict) else ():
        if type(weight) is not int or not 0 <= weight <= 1_000_000:
            msg = f"costs: the weight of {cost!r} is a whole number up to 1000000"
            raise RulesError(f"{msg}, not {weight!r}", weight)
    return Spec(name, tuple(known), required, forbidden, never, weights)


def _check_costs(entry: str, names: Collection[str]) -> None:
    for cost in names:
        if cost not in COSTS:
            hint, close = did_you_mean(str(cost), [*COSTS])
            has = hint or f"; it is one of {listed([*map(repr, COSTS)], 'or')}"
            raise RulesError(f"{entry}: {cost!r} is not a cost{has}", cost, close)
    if len(set(names)) < len(names):
        raise RulesError(f"{entry}: {listed([*names])} names a cost twice", names)


def _dtype(node: Any) -> DType:
    return from_code(node) if isinstance(node, str) else dtype(node)


def _arrows(entry: str, asked: Arrows) -> tuple[tuple[Arrow, ...], list[DType]]:
    """Return arrows as pairs, and the dtypes that they name."""
    if isinstance(asked, str):
        above: Mapping[Any, Iterable[Any]] = _parsed(entry, asked)
    elif isinstance(asked, Lattice):
        above = asked.arrows
    else:
        pairs = [*asked]
        if any(isinstance(pair, str) for pair in pairs):
            return _arrows(entry, "\n".join(map(str, pairs)))
        above = {a: [b for c, b in pairs if c == a] for pair in pairs for a in pair}
    nodes = [*map(_dtype, above)]
    arrows = [(_dtype(a), _dtype(b)) for a, ups in above.items() for b in ups]
    for a, b in arrows:
        if a is b:
            raise LatticeError(f"{entry}: {a} -> {b} leads from a dtype to itself", (a,))
    return tuple(dict.fromkeys(arrows)), nodes


def _parsed(entry: str, text: str) -> Mapping[Any, Iterable[Any]]:
    try:
        return parse_arrows(text, {}, from_code)
    except SupremumError as error:
        error.args = (f"{entry}: {error}",)
        raise


def read(path: str | Path, *, never: Iterable[str] = NEVER, costs: Iterable[str] = ORDER) -> Spec:
    """Return what a TOML file asks of a design.

    It has any of ``name``, ``dtypes`` (a text or a list), ``require`` and ``forbid`` (arrow text,
    or a list of such texts), ``never`` (a list of costs), ``costs`` (a list, the most important
    first, or a table of weights), and a table ``[define.NAME]`` for each dtype of its own, as
    `define` takes it.

    Args:
        path: the file.
        never: the costs that no pair may have, if the file does not say.
        costs: the costs to keep low, if the file does not say.

    Raises:
        RulesError: if there is no such file, or something in it is not as it should be.
    """
    path = Path(path)
    how = "such as dtypes = 'i8 u8 i16' and require = ['i8 -> i16']"
    if path.suffix != ".toml":
        what = f"a spec is a TOML file with what you require, {how}"
        raise RulesError(f"{path}: {what}; supremum laws {path} checks arrows as they are", path)
    if not path.exists():
        what = f"there is no file {str(path)!r}; write into it what you require, {how}"
        raise RulesError(what, path)
    _, about = load(path)
    if unknown := [entry for entry in about if entry not in _ENTRIES]:
        hint, close = did_you_mean(unknown[0], _ENTRIES)
        msg = f"{path}: unknown entry {unknown[0]!r}{hint or '; it may have ' + listed(_ENTRIES)}"
        raise RulesError(msg, path, close)
    forms: dict[str, tuple[tuple[type, ...], str]] = {
        "name": ((str,), 'a text, such as "mine"'),
        "dtypes": ((str, list), 'dtypes, such as "i8 u8 i16"'),
        "require": ((str, list), 'arrows, such as "i8 -> i16"'),
        "forbid": ((str, list), 'arrows, such as "i64 -> f16"'),
        "never": ((list,), 'a list of costs, such as ["overflow"]'),
        "costs": ((list, dict), 'a list of costs, such as ["undefined", "precision loss"]'),
        "define": ((dict,), "tables, such as [define.posit16]"),
    }
    for entry, (types, what) in forms.items():
        value = about.get(entry, types[0]())
        texts = value if isinstance(value, list) else ()
        if not isinstance(value, types) or any(not isinstance(text, str) for text in texts):
            raise RulesError(f"{path}: {entry!r} must be {what}", path)
    try:
        tables = about.pop("define", {})
        parted = {name for name, facts in tables.items() if "part" in facts}
        for name in sorted(tables, key=parted.__contains__):  # their parts come first
            _define(name, tables[name])
        return spec(**{"name": path.stem, "never": never, "costs": costs, **about})
    except (SupremumError, tomllib.TOMLDecodeError) as error:
        raise RulesError(f"{path}: {error}", path, getattr(error, "candidates", ())) from error


def _define(name: str, facts: Any) -> None:
    """Define a dtype; its kind must be one whose values the costs know."""
    form = 'write [define.posit16] and, below it, kind = "float", bits = 16, precision = 12'
    if not isinstance(facts, dict):
        raise RulesError(f"define: {name} is not a table; {form}", name)
    if unknown := [entry for entry in facts if entry not in _FACTS]:
        hint, close = did_you_mean(unknown[0], _FACTS)
        has = hint or f"; it may have {listed(_FACTS)}"
        raise RulesError(f"define: {name} has an unknown entry {unknown[0]!r}{has}", name, close)
    if not {"kind", "bits"} <= facts.keys():
        raise RulesError(f"define: {name} needs a kind and bits; {form}", name)
    if facts["kind"] not in KINDS:
        raise RulesError(
            f"define: {name} is of the kind {facts['kind']!r}, and a spec has dtypes of the kinds "
            f"{listed(KINDS)} alone, because costs count what these can hold; decimals, dates and "
            "other kinds cannot be posed: write their lattice down, as `Lattice` takes any nodes",
            name,
        )
    if "part" in facts:
        facts = {**facts, "part": dtype(facts["part"])}
    define(name, **facts)
