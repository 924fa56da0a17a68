"""Promotion systems: the rules of one library, and what they answer.

Every library's rules are the same three steps, with different data::

    operands --classify--> nodes --join--> node --settle--> dtype
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import FrozenInstanceError, dataclass, field, fields
from functools import partial
from os import PathLike
from typing import Any, NoReturn

from . import promotion, rule_files
from .answers import remember_promotions, remember_results
from .display import Drawn, displayed
from .dtypes import DType, dtype, from_code
from .errors import DTypeError, LatticeError, PromotionError, RulesError, did_you_mean
from .explanation import Explanation
from .function_rules import Defaults
from .lattice import Lattice, parse_arrows
from .rules import Rules
from .steps import Join
from .table import Table


@displayed
@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class PromotionSystem(Rules, Drawn):
    """The promotion rules of one library, or your own: what dtype results, and why.

    A system is immutable. Two are equal if they are made of equal parts, and any can be copied,
    pickled, and used as a key. Its arguments are the parts that `Rules` lists.

    >>> mine = PromotionSystem.from_lattice("i8 -> i16 -> f32; u8 -> i16", name="mine")
    >>> mine.promote_types("int8", "uint8")
    supremum.dtype('int16')
    """

    promote_types: Callable[..., DType] = field(init=False)
    result_type: Callable[..., DType] = field(init=False)

    def __init__(self, name: str, join: Join, **parts: Any) -> None:
        known = [*(x.name for x in fields(Rules)), "widths"]
        if unknown := parts.keys() - known:
            hint, close = did_you_mean(min(unknown), known)
            what = f"rules have no part {min(unknown)!r}{hint or '; see PromotionSystem'}"
            raise RulesError(what, min(unknown), close)
        Rules.__init__(self, name, join, **parts)
        promote = remember_promotions(partial(promotion.promote, self))
        result = remember_results(partial(_result, self), ranked=self.ranked, valued=self.valued)
        object.__setattr__(self, "promote_types", promote)
        object.__setattr__(self, "result_type", result)

    def replace(self, **parts: Any) -> PromotionSystem:
        """Return rules with other parts; see the arguments of the class.

        >>> import supremum
        >>> supremum.system("jax").replace(name="mine").name
        'mine'
        """
        own = self.parts()
        for part, made in (("widths", "settle"), ("version", "releases")):
            if part in parts:
                own.pop(made, None)
        return PromotionSystem(**{**own, "origin": None, **parts})

    def __reduce__(self) -> tuple[Any, ...]:
        if self.origin is not None:
            return _made_by_name, self.origin
        parts = {**self.parts(), "functions": dict(self.functions), "setting": dict(self.setting)}
        return _made_of_parts, (parts,)

    def __repr__(self) -> str:
        if self.origin is None:
            form = type(self.join).__name__.lower()
            return f"<PromotionSystem {self.name!r}: a {form} of {len(self.join.nodes)} dtypes>"
        given = "".join(f", {option}={value!r}" for option, value in self.origin.options)
        return f"supremum.system({self.origin.name!r}{given})"

    # what it is made from

    @classmethod
    def from_lattice(
        cls, arrows: Lattice[Any] | Mapping[Any, Iterable[Any]] | str, name: str = "", **parts: Any
    ) -> PromotionSystem:
        """Return rules that join on a lattice.

        Args:
            arrows: a `Lattice`, or what it is built from, over dtypes, their full names, or the
                short codes that count bits (``i8 -> i16``).
            name: what to call the rules.
            parts: what the class itself takes.
        """
        if isinstance(arrows, str):
            return cls(name or "unnamed", Lattice(arrows, node=from_code), **parts)
        given = (
            arrows.arrows if isinstance(arrows, Lattice) else parse_arrows(arrows, {}, from_code)
        )
        merged: dict[DType, list[DType]] = {}
        for node, ups in given.items():
            merged.setdefault(_coded(node), []).extend(map(_coded, ups))
        return cls(name or "unnamed", Lattice(merged, node=from_code), **parts)

    @classmethod
    def from_table(
        cls, table: Table[Any] | Mapping[Any, Mapping[Any, Any]] | str, name: str = "", **parts: Any
    ) -> PromotionSystem:
        """Return rules that look pairs up in a table.

        Args:
            table: a `Table`, the string that `Table.parse` reads, or a mapping of rows to columns
                to answers in which ``"-"`` is a refusal; names as in `from_lattice`.
            name: what to call the rules.
            parts: what the class itself takes.
        """
        name = name or "unnamed"
        if isinstance(table, str):
            return cls(name, Table.parse(table, node=from_code), **parts)
        if isinstance(table, Table):
            return cls(name, table.map(_coded), **parts)
        return cls(name, Table.from_rows(table, node=_coded), **parts)

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> PromotionSystem:
        """Return the rules that a file describes.

        Args:
            path: arrow text, or a TOML file (``.toml``) with ``arrows`` or ``table``, both strings,
                and any of ``name``, ``version``, ``source``, ``functions`` and the table
                ``[widths]``.

        Raises:
            RulesError: if there is no such file, or it does not describe rules; with its line.
        """
        form, text, about = rule_files.read(path)
        build = cls.from_lattice if form == "arrows" else cls.from_table
        try:
            made = build(text, **about, setting={"file": str(path)})
        except (LatticeError, DTypeError, RulesError) as error:
            raise RulesError(f"{path}: {error}", path, line=error.line) from error
        if not made.dtypes:
            raise RulesError(f"{path}: it has no arrows; write 'i8 -> i16'", path)
        return made

    # what it answers

    @property
    def lattice(self) -> Lattice[DType] | None:
        """The lattice of the rules, or None for a table or a fold."""
        return self.join if isinstance(self.join, Lattice) else None

    @property
    def default_dtypes(self) -> Defaults:
        """The dtypes of what is made without one, and of indices."""
        return promotion.default_dtypes(self)

    def can_promote(self, a: Any, b: Any) -> bool:
        """Return whether `a` promotes to `b`: whether joining the two gives `b`.

        >>> import supremum
        >>> jax = supremum.system("jax")
        >>> jax.can_promote("int64", "float16"), jax.can_promote("float16", "int64")
        (True, False)
        """
        try:
            answer = self.promote_types(a, b)
        except PromotionError:
            return False
        return answer is dtype(b)

    def table(self) -> Table[DType]:
        """Return the answer of `promote_types` for every ordered pair of dtypes.

        >>> import supremum
        >>> supremum.system("python").table().rows()[0][1].name
        'float*'
        """
        cells = {}
        for a in self.dtypes:
            for b in self.dtypes:
                try:
                    cells[a, b] = self.promote_types(a, b)
                except PromotionError:
                    continue
        marked = () if isinstance(self.join, Lattice) else self.join.marked
        return Table(self.dtypes, cells, marked, answers=cells.values())

    def explain(self, *operands: Any, op: str | None = None) -> Explanation:
        """Return the answer with the steps that lead to it; printing it shows them.

        Args:
            operands: what `supremum.explain` takes, but for expressions.
            op: a function, as there.

        Raises:
            PromotionError: if the rules have no answer.
            DTypeError: if something is not an operand.
            RulesError: if the rules do not have the function.
        """
        return promotion.explain(self, operands, op)


def _refuse_change(_: PromotionSystem, name: str, *__: Any) -> NoReturn:
    raise FrozenInstanceError(f"rules are immutable; make others with rules.replace({name}=...)")


# those of dataclasses fail for what is not a field, since `slots` makes another class
PromotionSystem.__setattr__ = PromotionSystem.__delattr__ = _refuse_change  # type: ignore[assignment,method-assign]  # as above


def _result(rules: Rules, *operands: Any, op: str | None = None) -> DType:
    return promotion.explain(rules, operands, op).result


def _coded(node: Any) -> DType:
    return from_code(node) if isinstance(node, str) else dtype(node)


def _made_of_parts(parts: dict[str, Any]) -> PromotionSystem:
    return PromotionSystem(**parts)


def _made_by_name(make: Any, name: str, options: tuple[tuple[str, Any], ...]) -> Any:
    return make(name, **dict(options))
