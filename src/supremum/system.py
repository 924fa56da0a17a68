"""Promotion systems: the rules of one library, as one value.

Every library's rules are the same three steps, with different data::

    operands --classify--> nodes --join--> node --settle--> dtype
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn

from supremum.dtypes import KINDS, DType, from_code, in_order
from supremum.errors import NoJoinError, PromotionError, RulesError
from supremum.explain import Explanation, Join, Taken
from supremum.lattice import Lattice
from supremum.memo import (
    Pairs,
    is_honest,
    is_plain,
    key_of,
    pair_key,
    remember,
    remember_pair,
)
from supremum.operands import Operand, dtype, operand
from supremum.operators import LIKE, OPERATORS, UNARY, Operated, apply, cast_first, rule_of
from supremum.sources import FromData
from supremum.steps import DEFAULT_WIDTHS, Classify, Settle, by_dtype, to_defaults
from supremum.table import Table

NOTHING: Final = object()
"""Stands for an argument that was not given."""

_MATTER = ("dtype", "rank", "number", "value")


class PromotionSystem(FromData):
    """The promotion rules of one library, or your own: what dtype comes out, and why.

    Args:
        name: what to call the rules.
        join: the lattice or the table over dtypes.
        classify: what each operand is to these rules; by default its dtype.
        settle: what becomes of the joined node; by default a weak result takes the width that
            `widths` gives it.
        widths: the dtype of each weak result, by name.
        operators: what each operator makes of the join; see `operators`.
        operable: the dtypes that they are known for, by codes; by default all.
        operator_join: how the operands of an operator join, where that is not `join`.
        looks_at: what a node depends on: an operand's ``"dtype"``, its ``"rank"`` too (whether it
            has dimensions), the ``"number"`` that a Python scalar is, or any scalar's ``"value"``.
        advise: returns, for nodes that have no join, a sentence with the reason; or None.
        setting: the options that led here.
        label: the setting in words, for reports.
        version: the release of the library that the rules were measured on.
        source: where the rules come from.

    >>> mine = PromotionSystem.from_lattice("i8 -> i16 -> f32; u8 -> i16", name="mine")
    >>> mine.promote_types("int8", "uint8")
    supremum.dtype('int16')
    """

    def __init__(
        self,
        name: str,
        join: Join,
        *,
        classify: Classify = by_dtype,
        settle: Settle | None = None,
        widths: Mapping[str, str] = DEFAULT_WIDTHS,
        operators: Mapping[str, str] | None = None,
        operable: str = "",
        operator_join: Join | None = None,
        looks_at: str = "dtype",
        advise: Callable[[Sequence[DType]], str | None] | None = None,
        setting: Mapping[str, Any] | None = None,
        label: str = "",
        version: str = "",
        source: str = "",
    ) -> None:
        if looks_at not in _MATTER:
            raise RulesError(
                f"looks_at is {looks_at!r}; it is one of {', '.join(_MATTER)}", looks_at
            )
        self.name = name
        self.join = join
        self.setting = dict(setting or {})
        self.label = label
        self.version = version
        self.source = source
        self._classify = classify
        self._settle = settle or to_defaults(widths)
        self._advise = advise
        self.operators = dict(operators or {})
        self.operable = tuple(map(from_code, operable.split())) or join.nodes
        self.looks_at = looks_at
        self._operator_join = operator_join or join
        self._ranked = looks_at in ("rank", "value")
        self._valued = looks_at in ("number", "value")
        self._promoted: Pairs = {}
        self._of_pair: dict[tuple[Any, ...], DType] = {}
        self._of_dtypes: dict[tuple[Any, ...], DType] = {}
        self._of_any: dict[tuple[Any, ...], DType] = {}
        self.made_by: Callable[[], PromotionSystem] | None = None

    def __reduce__(self) -> str | tuple[Any, ...]:
        return (self.made_by, ()) if self.made_by else super().__reduce__()

    @property
    def dtypes(self) -> tuple[DType, ...]:
        """The dtypes that the rules know: kind by kind, narrow ones first, weak ones last."""
        return in_order(self.join.nodes)

    @property
    def lattice(self) -> Lattice[DType] | None:
        """The lattice of the rules, or None for rules given by a table."""
        return self.join if isinstance(self.join, Lattice) else None

    def promote_types(self, a: Any = NOTHING, b: Any = NOTHING, /, *more: Any) -> DType:
        """Return the dtype that these dtypes promote to: their join.

        Args:
            a: a dtype, in any form that `supremum.dtype` takes. Weak ones (``int*``, or Python's
                ``int``) may be among them, and a weak answer stays weak.
            b: another, if there is one.
            more: any number of others. They are joined all at once, in no order.

        Raises:
            PromotionError: where the rules have no answer.
            DTypeError: where something is no dtype.

        >>> import supremum
        >>> jax = supremum.system("jax")
        >>> jax.promote_types("int32", "float16"), jax.promote_types("uint64", "int8")
        (supremum.dtype('float16'), supremum.dtype('float*'))
        """
        if not more:
            try:
                return self._promoted[a][b]
            except (KeyError, TypeError):
                pass
        return self._promote([x for x in (a, b, *more) if x is not NOTHING])

    def _promote(self, dtypes: Sequence[Any]) -> DType:
        found = [operand(dtype(x)) for x in dtypes]
        try:
            joined = self._joined([Taken(op, op.dtype, "dtype") for op in found], self.join)
        except NoJoinError as error:
            self._refuse(found, str(error))
        if len(dtypes) == 2 and all(map(is_honest, dtypes)):
            remember_pair(self._promoted, dtypes[0], dtypes[1], joined)
        return joined

    def result_type(
        self, a: Any = NOTHING, b: Any = NOTHING, /, *more: Any, op: str | None = None
    ) -> DType:
        """Return the dtype that an operation on these operands gives.

        Args:
            a: an array or a scalar of any library, of any shape; a Python number; or what
                `promote_types` takes.
            b: another, if there is one.
            more: any number of others.
            op: the operator, such as ``"true_divide"``; without one, what operands share.

        Raises:
            PromotionError: where the rules have no answer.
            DTypeError: where something is no operand.
            RulesError: for an operator that the rules say nothing of.

        >>> import numpy as np, supremum
        >>> jax = supremum.system("jax")
        >>> jax.result_type(np.int16([1, 2]), 1)
        supremum.dtype('int16')
        """
        if op is None and not more:
            try:
                # this is `pair_key`, written out: calling it would cost as much as looking it up
                valued = self._valued
                key: tuple[Any, ...] = (
                    type(a), getattr(a, "dtype", a if valued else None),
                    type(b), getattr(b, "dtype", b if valued else None),
                )  # fmt: skip
                if self._ranked:
                    key += getattr(a, "ndim", None), getattr(b, "ndim", None)
                return self._of_pair[key]
            except (KeyError, TypeError):  # not seen yet, or without a hash
                pass
        operands = tuple([x for x in (a, b, *more) if x is not NOTHING])
        return self._result(operands) if op is None else self.explain(*operands, op=op).result

    def _result(self, operands: tuple[Any, ...]) -> DType:
        key: tuple[Any, ...] = operands
        try:
            found = self._of_dtypes.get(operands) if len(operands) != 2 else None
            if found is not None:
                return found
            key = tuple([key_of(x, ranked=self._ranked, valued=self._valued) for x in operands])
            found = self._of_any.get(key)
            if found is not None:
                return found
        except TypeError:
            pass
        told = self.explain(*operands)
        if len(operands) == 2:
            a, b = operands
            by_value = self._ranked and self._valued
            if is_plain(a, valued=by_value) and is_plain(b, valued=by_value):
                pair = pair_key(a, b, ranked=self._ranked, valued=self._valued)
                remember(self._of_pair, pair, told.result)
        elif all(op.form == "dtype" for op in told.operands) and all(map(is_honest, operands)):
            remember(self._of_dtypes, operands, told.result)
        return remember(self._of_any, key, told.result)

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

    def explain(self, *operands: Any, op: str | None = None) -> Explanation:
        """Return the answer with the steps that lead to it; printing it shows them.

        Args:
            operands: what `result_type` takes.
            op: an operator, as there.

        Raises:
            PromotionError: where the rules have no answer.
            DTypeError: where something is no operand.

        >>> import supremum
        >>> print(supremum.explain("uint8", "int8"))
        int16                                          jax rules, x64 on
        <BLANKLINE>
          uint8     dtype                  uint8 → int16
          int8      dtype                  int8 → int16
        <BLANKLINE>
        int16 is the least type that both reach: it holds the values of each.
        Wider than every operand: 16 bits, where they have 8.
        """
        read = [operand(x) for x in operands]
        taken: Sequence[Taken] = ()
        joined: DType | None = None
        try:
            taken = list(self._classify(read))
            plain = op is None or (rule_of(self.operators, op) or "").startswith("shared")
            join = self.join if plain else self._operator_join
            joined = self._joined(taken, join)
            settled = self._settle(joined, taken)
            operated = op and self._operate(op, settled.dtype, read, taken)
        except NoJoinError as error:
            no_join = op is None and joined is None
            otherwise = self._otherwise(taken, None) if no_join else ""
            self._refuse(read, "; ".join(filter(None, (str(error), otherwise))))
        return Explanation(
            system=self.name,
            setting=self.setting,
            label=self.label,
            taken=taken,
            join=joined,
            settled=settled,
            rules=join,
            operated=operated or None,
            aside=self._otherwise(taken, joined) if op is None else "",
        )

    def _otherwise(self, taken: Sequence[Taken], joined: DType | None) -> str:
        """Say what operators such as add give, where that is not what the operands share."""
        if self._operator_join is self.join or not taken:
            return ""
        try:
            other = self._joined(taken, self._operator_join)
        except NoJoinError:
            return ""
        return "" if other is joined else f"operators such as add give {other} here, though"

    def _operate(
        self, op: str, settled: DType, operands: Sequence[Operand], taken: Sequence[Taken]
    ) -> Operated:
        if (op in OPERATORS or op in LIKE) and (len(operands) == 1) is not (op in UNARY):
            raise NoJoinError(f"{op} takes {'one operand' if op in UNARY else 'two operands'}")
        weak = {t.operand: self._width(t, settled) for t in taken if t.operand.dtype.weak}
        own = [weak.get(operand, operand.dtype) for operand in operands]
        if unknown := [d for d in own if d not in self.operable]:
            d = unknown[0]
            wider = [w for w in self.operable if w.kind == d.kind and (w.bits or 0) > (d.bits or 0)]
            way = cast_first(wider[0]) if wider else ""
            raise NoJoinError(f"nothing is known of {op} on {d} in these rules{way}")
        return apply(self.operators, op, settled, own, self.dtypes)

    def _width(self, taken: Taken, settled: DType) -> DType:
        """Return the dtype of a weak operand: of a number without one, that of the others."""
        try:
            found = self._settle(taken.node, [taken]).dtype
        except NoJoinError:
            if not taken.operand.form.startswith("Python"):
                raise
            return settled
        return found if found in self.operable else settled

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
        marked = self.join.marked if isinstance(self.join, Table) else ()
        return Table(self.dtypes, cells, marked)

    def _joined(self, taken: Sequence[Taken], rules: Join) -> DType:
        """Return the join of what the operands were taken for; a refusal says what to type."""
        if not taken:
            raise PromotionError("promotion needs one operand or more", (), self.name, self.setting)
        if unknown := [t.node for t in taken if t.node not in rules]:
            strong = [d for d in self.dtypes if not d.weak]
            near = [d for d in strong if d.kind == unknown[0].kind] or strong or self.dtypes
            way = f"cast it first, to one of {', '.join(map(str, near))}"
            raise NoJoinError(f"they do not have {unknown[0]}; {way}", unknown)
        try:
            return rules.join(*(t.node for t in taken))
        except NoJoinError as error:
            nodes = error.nodes
            why = "no type is above all of them" if isinstance(rules, Lattice) else str(error)
            why = (self._advise and self._advise(nodes)) or why
            highest = max(nodes, key=lambda n: (KINDS.index(n.kind), n.part.bits or 0))
            way = f"; cast to {highest} first, for example with x.astype('{highest}')"
            if highest.weak:
                way = "; give the numbers a dtype first, for example with np.float32(x)"
                strong = [n for n in nodes if not n.weak]
                kin = [d for d in self.dtypes if d.kind == highest.kind and not d.weak]
                if strong and kin and not any(self.can_promote(strong[0], d) for d in kin):
                    way = f"; cast the array to {kin[-1]} first, with x.astype('{kin[-1]}')"
            raise NoJoinError(why + way if len(set(nodes)) > 1 else why, nodes) from None

    def _refuse(self, operands: Sequence[Operand], why: str) -> NoReturn:
        names = " with ".join(op.text for op in operands)
        setting = f" ({self.label})" if self.label else ""
        msg = f"{self.name} rules{setting} refuse {names}: {why}"
        raise PromotionError(msg, operands, self.name, self.setting) from None

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.setting.items())
        return f"supremum.system({self.name!r}{options})"
