"""Promotion systems: the rules of one library, as one value.

Every library's rules are the same three steps, with different data::

    operands --classify--> nodes --join--> node --settle--> dtype
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, overload

from . import promotion, rule_files
from .cache import Cache, PromoteTypes, ResultType, bind
from .dtype_names import from_code
from .dtypes import DType, in_order
from .errors import DTypeError, LatticeError, PromotionError, RulesError, did_you_mean
from .explanation import Explanation, Join, explain_text
from .fold import Fold, comparable
from .function_rules import FunctionRule, parse_rules
from .functions import canonical, chain
from .lattice import Lattice
from .libraries import Library
from .operands import Operand, dtype, short
from .rule_parts import Defaults
from .settle import Classify, Settle, ToWidths, by_dtype
from .shown import Drawn, displayed
from .table import REFUSED, Table

if TYPE_CHECKING:
    from pathlib import Path

    from .expression_steps import ExpressionExplanation

_FIELDS = {
    "classify": by_dtype, "settle": ToWidths(), "functions": MappingProxyType({}), "follow": True,
    "numbers_alone": True,
    "operable": (), "function_join": None, "function_classify": None, "ranked": False,
    "valued": False, "defaults": None, "weak_arrays": True, "refuse_int": None, "advise": None,
    "setting": MappingProxyType({}), "label": "", "version": "", "releases": (), "source": "",
    "library": None, "shipped": None,
}  # fmt: skip


@displayed
class PromotionSystem(Drawn):
    """The promotion rules of one library, or your own: what dtype results, and why.

    A system is immutable. Two are equal if they are made of equal parts, and any can be copied,
    pickled, and used as a key.

    Args:
        name: what to call the rules.
        join: the lattice, the table or the fold over dtypes. A fold is given `Taken` operands.
        classify: what each operand is to these rules; by default its dtype.
        settle: what becomes of the joined node; by default a weak result takes the width that
            `widths` gives it.
        widths: the dtype of each weak result, by name.
        functions: what functions make of the join: a text or a mapping, see `function_rules`.
        follow: whether a function without a rule has the rule of the one that it follows.
        numbers_alone: whether functions of elements take Python numbers without an array.
        operable: the dtypes that they are known for, by codes; by default all.
        function_join: how the operands of functions join, if that is not `join`.
        function_classify: what an operand is to functions, if that is not `classify`.
        ranked: whether a node depends on whether an operand has dimensions.
        valued: whether a node depends on the value of a scalar.
        defaults: the default dtypes; by default those of Python's numbers.
        weak_arrays: whether arrays that result from Python scalars alone are weak.
        refuse_int: returns why a function does not take a Python int, or None; by default any is
            accepted. It is given the int, what the operands join to, the operands, and what the
            rule of the function says of ints.
        advise: returns, for nodes that have no join, a sentence with the reason; or None.
        setting: the options that led here.
        label: the setting in words, for reports.
        version: the release of the library that the rules were measured on.
        releases: all releases that give the same answers, as measured; by default that one.
        source: where the rules come from.
        library: the facts of the library.
        shipped: the name and the options by which `supremum.system` knows the rules.

    >>> mine = PromotionSystem.from_lattice("i8 -> i16 -> f32; u8 -> i16", name="mine")
    >>> mine.promote_types("int8", "uint8")
    supremum.dtype('int16')
    """

    __slots__ = (
        "__weakref__", "advise", "cache", "classify", "defaults", "follow", "function_classify",
        "function_join", "functions", "join", "label", "library", "name", "numbers_alone",
        "operable", "promote_types", "ranked", "refuse_int", "releases", "result_type", "setting",
        "settle", "shipped", "source", "valued", "version", "weak_arrays",
    )  # fmt: skip

    name: str
    join: Join
    classify: Classify
    settle: Settle
    functions: Mapping[str, FunctionRule]
    follow: bool
    numbers_alone: bool
    operable: tuple[DType, ...]
    function_join: Join
    function_classify: Classify | None
    ranked: bool
    valued: bool
    defaults: Defaults | None
    weak_arrays: bool
    refuse_int: Callable[[int, DType, Sequence[Operand], str], str | None] | None
    advise: Callable[[Sequence[DType]], str | None] | None
    setting: Mapping[str, Any]
    label: str
    version: str
    releases: tuple[str, ...]
    source: str
    library: Library | None
    shipped: tuple[str, tuple[tuple[str, Any], ...]] | None
    cache: Cache
    promote_types: PromoteTypes
    result_type: ResultType

    def __init__(self, name: str, join: Join, **parts: Any) -> None:
        if {"widths", "settle"} <= parts.keys():
            raise RulesError("give rules either widths or a last step, settle", parts["widths"])
        if "widths" in parts:
            parts["settle"] = ToWidths(parts.pop("widths"))
        if unknown := parts.keys() - _FIELDS.keys():
            part = min(unknown)
            hint, close = did_you_mean(part, list(_FIELDS))
            raise RulesError(
                f"rules have no part {part!r}{hint or '; see PromotionSystem'}", part, close
            )
        given: dict[str, Any] = {"name": name, "join": join, **_FIELDS, **parts}
        if not isinstance(given["join"], (Lattice, Table, Fold)):
            what = "the join of rules is a Lattice, a Table or a Fold"
            raise RulesError(f"{what}, not {short(join)}; use from_lattice or from_table", join)
        given["settle"] = ToWidths() if given["settle"] is None else given["settle"]
        given["functions"] = MappingProxyType(parse_rules(given["functions"]))
        given["setting"] = MappingProxyType(dict(given["setting"]))
        given["function_join"] = join if given["function_join"] is None else given["function_join"]
        given["releases"] = tuple(given["releases"] or filter(None, [given["version"]]))
        operable = given["operable"]
        codes = operable.split() if isinstance(operable, str) else operable
        read = tuple(from_code(c) if isinstance(c, str) else c for c in codes)
        given["operable"] = read or join.nodes
        for part, value in given.items():
            object.__setattr__(self, part, value)
        object.__setattr__(self, "cache", Cache())
        promote, result = bind(
            self.cache,
            partial(promotion.promote, self),
            partial(promotion.result, self),
            ranked=self.ranked,
            valued=self.valued,
        )
        object.__setattr__(self, "promote_types", promote)
        object.__setattr__(self, "result_type", result)

    # as a value

    def __setattr__(self, part: str, _: object) -> None:
        raise AttributeError(f"rules are immutable: use rules.replace({part}=...) for other rules")

    def __delattr__(self, part: str) -> None:
        raise AttributeError(f"rules are immutable: they cannot be without {part}")

    def replace(self, **parts: Any) -> PromotionSystem:
        """Return rules with other parts; see the arguments of the class.

        >>> import supremum
        >>> supremum.system("jax").replace(name="mine").name
        'mine'
        """
        own = self._parts()
        for part, made in (("widths", "settle"), ("version", "releases")):
            if part in parts:
                del own[made]
        return PromotionSystem(**{**own, "shipped": None, **parts})

    def _parts(self) -> dict[str, Any]:
        parts = {part: getattr(self, part) for part in ("name", "join", *_FIELDS)}
        if parts["function_join"] is self.join:
            parts["function_join"] = None
        if parts["operable"] == self.join.nodes:
            parts["operable"] = ()
        if parts["releases"] == (self.version,):
            parts["releases"] = ()
        return parts

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PromotionSystem):
            return NotImplemented
        if self is other:
            return True
        ours, theirs = self._parts(), other._parts()
        parts = [part for part in ours if part != "shipped"]
        return all(comparable(ours[part]) == comparable(theirs[part]) for part in parts)

    def __hash__(self) -> int:
        return hash((self.name, self.join, *self.setting.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        if self.shipped is not None:
            return _shipped_again, self.shipped
        parts = {**self._parts(), "functions": dict(self.functions), "setting": dict(self.setting)}
        return _made_again, (parts,)

    def __repr__(self) -> str:
        if self.shipped is not None:
            name, options = self.shipped
            given = "".join(f", {option}={value!r}" for option, value in options)
            return f"supremum.system({name!r}{given})"
        parts: dict[str, Any] = self._parts()
        parts["functions"] = {name: rule.text for name, rule in self.functions.items()}
        parts["setting"] = dict(self.setting)
        if isinstance(self.settle, ToWidths):
            parts["settle"] = _FIELDS["settle"]
            if self.settle != _FIELDS["settle"]:
                parts["widths"] = dict(self.settle.widths)
        usual = {**_FIELDS, "setting": {}, "functions": {}, "widths": None}
        about = "".join(
            f", {part}={value!r}"
            for part, value in parts.items()
            if part not in ("name", "join") and value != usual[part]
        )
        if isinstance(self.join, Lattice):
            arrows = self.join.as_text()
            return f"supremum.PromotionSystem.from_lattice({arrows!r}, {self.name!r}{about})"
        if isinstance(self.join, Table):
            rows = {
                str(a): {str(b): str(self.join[a, b] or REFUSED) for b in self.join.nodes}
                for a in self.join.nodes
            }
            return f"supremum.PromotionSystem.from_table({rows!r}, {self.name!r}{about})"
        return f"supremum.PromotionSystem({self.name!r}, {self.join!r}{about})"

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
        given = arrows.arrows if isinstance(arrows, Lattice) else arrows
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
            table: a `Table`, the text that `Table.parse` reads, or a mapping of rows to columns
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
    def from_file(cls, path: str | Path) -> PromotionSystem:
        """Return the rules that a file describes.

        Args:
            path: arrow text, or a TOML file (``.toml``) with ``arrows`` or ``table``, both texts,
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
    def dtypes(self) -> tuple[DType, ...]:
        """The dtypes of the rules: kind by kind, narrow ones first, weak ones last."""
        return in_order(self.join.nodes)

    @property
    def lattice(self) -> Lattice[DType] | None:
        """The lattice of the rules, or None for a table or a fold."""
        return self.join if isinstance(self.join, Lattice) else None

    @property
    def title(self) -> str:
        """How messages name the rules: by their library, or by their own name."""
        return self.library.title if self.library is not None else self.name

    @property
    def default_dtypes(self) -> Defaults:
        """The dtypes of what is made without one, and of indices."""
        return promotion.default_dtypes(self)

    @property
    def depends_on(self) -> tuple[str, ...]:
        """What an answer depends on: ``"dtype"``, and ``"rank"`` and ``"value"`` if they count."""
        return ("dtype", *(("rank",) if self.ranked else ()), *(("value",) if self.valued else ()))

    def can_promote(self, a: Any, b: Any) -> bool:
        """Tell whether `a` promotes to `b`: whether joining the two gives `b`.

        >>> import supremum
        >>> jax = supremum.system("jax")
        >>> jax.can_promote("int64", "float16"), jax.can_promote("float16", "int64")
        (True, False)
        """
        try:
            return self.promote_types(a, b) is dtype(b)
        except PromotionError:
            return False

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

    def rule(self, function: str) -> FunctionRule | None:
        """Return the rule of a function, or of one that it follows; None if there is none."""
        known = canonical(function)
        names = (chain(known) if self.follow else (known,)) if known else ()
        return next((self.functions[name] for name in names if name in self.functions), None)

    @overload
    def explain(
        self, text: str, /, *, op: None = None, **given: Any
    ) -> Explanation | ExpressionExplanation: ...
    @overload
    def explain(self, /, *operands: Any, op: str | None = None) -> Explanation: ...
    def explain(self, /, *operands: Any, op: str | None = None, **given: Any) -> Any:
        """Return the answer with the steps that lead to it; printing it shows them.

        Args:
            operands: what `supremum.explain` takes.
            op: a function, as there.
            given: the operands that an expression has names for.

        Raises:
            PromotionError: if the rules have no answer.
            DTypeError: if something is not an operand.
            RulesError: if the rules do not have the function.

        """
        explained = explain_text(self, operands, op, given)
        return explained or promotion.explain(self, operands, op)


def _coded(node: Any) -> DType:
    return from_code(node) if isinstance(node, str) else dtype(node)


def _made_again(parts: dict[str, Any]) -> PromotionSystem:
    return PromotionSystem(**parts)


def _shipped_again(name: str, options: tuple[tuple[str, Any], ...]) -> PromotionSystem:
    from .systems import system  # they are made of this module

    return system(name, **dict(options))
