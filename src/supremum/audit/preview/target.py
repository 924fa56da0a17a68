"""The port preview: what the program's dtypes would be under another library's rules.

Each value has a shadow: the operand that it would be there. Operators and functions are asked of
the target's rules, completed for every function of the catalogue; what a function makes without
operands has a default dtype of theirs. Only where a difference begins is it a finding; what has its
dtype from there is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from ...core.completion import completed
from ...core.dtype_names import by_name
from ...core.dtypes import DType
from ...core.errors import NoJoinError, PromotionError, SupremumError
from ...core.functions import FUNCTIONS, Function, canonical, chain, function
from ...core.operands import Operand, dtype, operand
from ...core.system import PromotionSystem
from ..analysis.tracked_types import Values, is_array, kind_of
from ..model.locations import LOCATIONS
from ..model.provenance import Origin

# What is written down where the rules give no dtype.
REFUSED: Final = "refused"

# The sorts of functions whose dtypes are those that the rules give for their operands.
_COMPUTING: Final = {
    "elementwise", "part", "condition", "reduction", "cumulative", "index", "contraction",
    "product", "sequence", "linalg", "several", "norm", "angle", "estimate", "transform",
}  # fmt: skip
_NUMBERS = (int, float, complex)


class Shadow(NamedTuple):
    """What a value would be under the target's rules, and where the difference began, if any."""

    operand: Operand
    cause: Origin | None


class Target:
    """Follows what a program's values would be under some rules.

    Args:
        rules: the rules.
        differs: called where a difference begins, with the place, the dtype that came out, the
            operands there, the dtype that would come out or None, and what to say of it; returns
            the cause.

    Attributes:
        rules: the rules.
        lines: for each place, the names of the dtypes that came out, with those that would, or
            `REFUSED`.
        unknown: the functions that nothing is known of, with how often they were called.
    """

    def __init__(
        self,
        rules: PromotionSystem,
        differs: Callable[..., Origin],
    ) -> None:
        self.rules = rules
        self.lines: dict[int, set[tuple[str, str]]] = {}
        self.unknown: dict[str, int] = {}
        self._differs = differs
        self._shadows = Values()
        self._completed = completed(rules)
        self._setting = f" ({rules.label})" if rules.label else ""
        defaults = self._completed.default_dtypes
        self._defaults = {
            "signed": defaults.int, "float": defaults.float, "complex": defaults.complex,
        }  # fmt: skip

    # what the recorder tells

    def operated(
        self,
        location: int,
        result: Any,
        values: Sequence[Any],
        name: str,
        *,
        in_place: bool = False,
    ) -> None:
        """Follow an operator."""
        shadows = [self._shadow(v) for v in values if is_array(v) or isinstance(v, _NUMBERS)]
        operands = [s.operand for s in shadows] or [self._default(result)]

        def find() -> Operand:
            found = self._ask(operands, name)
            return self._put_into(operands[0], found, name) if in_place else found

        self._follow(location, result, shadows, find, name)

    def taken(self, location: int, result: Any, whole: Any) -> None:
        """Follow a part of a value."""
        if not is_array(whole):
            self._write(location, result, self._shadow(result).operand.dtype.name)
            return
        shadow = self._shadow(whole)
        found = shadow.operand
        if not _is_alike(whole, result):
            found = _array(found.dtype.part, found.weak)
        self._follow(location, result, [shadow], lambda: found, None)

    def called(
        self,
        location: int,
        result: Any,
        values: Sequence[Any],
        arguments: Sequence[Any],
        explicit: bool,
    ) -> None:
        """Follow a call."""
        place = LOCATIONS[location]
        shadow: Any = self._shadows.get(result)
        if isinstance(shadow, Shadow):
            self._write(location, result, shadow.operand.dtype.name)
            return
        shadows = [self._shadow(v) for v in values]
        known = function(place.name)
        told = explicit or "out" in place.keywords
        if told or known is None or not self._predicts(known, result):
            if not told and values:
                self.unknown[place.name] = self.unknown.get(place.name, 0) + 1
            self._follow(location, result, shadows, lambda: self._settled(result), None)
            return
        numbers = [
            operand(a)
            for a, keyword in zip(arguments, place.keywords, strict=False)
            if type(a) in _NUMBERS and keyword in ("", "fill_value")
        ]

        def find() -> Operand:
            operands = [s.operand for s in shadows]
            if known.sort in _COMPUTING:
                return self._computed(place.name, result, operands or numbers)
            if known.sort == "shape":
                alike = [o for v, o in zip(values, operands, strict=True) if _is_alike(v, result)]
                return alike[0] if alike else self._default(result, values)
            return self._made(known, result, operands, numbers)

        self._follow(location, result, shadows, find, place.name)

    # what would come out

    def _follow(
        self,
        location: int,
        result: Any,
        shadows: Sequence[Shadow],
        find: Callable[[], Operand],
        op: str | None,
    ) -> None:
        was = dtype(result.dtype)
        operands = tuple(s.operand for s in shadows)
        told = ""
        try:
            found = find()
        except PromotionError as error:
            found, told = operand(result), str(error)
        except SupremumError:
            found = self._settled(result)
        cause = next((s.cause for s in shadows if s.cause is not None), None)
        would = found.dtype
        self._write(location, result, REFUSED if told else would.name)
        if would is was and not told:
            cause = None
        elif cause is None or told:
            told = told or f"{was} here, {would} by {self.rules.name} rules{self._setting}"
            cause = self._differs(location, was, operands, would, told=told, operator=op)
        rank = getattr(result, "ndim", None)
        self._shadows.put(result, kind_of(result), Shadow(_array(would, found.weak, rank), cause))  # type: ignore[arg-type]  # it keeps whatever belongs to a value

    def _write(self, location: int, result: Any, would: str) -> None:
        self.lines.setdefault(location, set()).add((dtype(result.dtype).name, would))

    def _shadow(self, value: Any) -> Shadow:
        if not is_array(value):
            return Shadow(operand(value), None)
        found: Any = self._shadows.get(value)
        if not isinstance(found, Shadow):
            return Shadow(self._with_value(self._settled(value), value), None)
        rank = getattr(value, "ndim", None)
        seen = self._with_value(found.operand._replace(rank=rank), value)
        return found._replace(operand=seen)

    def _with_value(self, would: Operand, value: Any) -> Operand:
        """Return an operand with its value, if it has no dimensions and the rules look at that."""
        if not self.rules.valued or would.rank != 0:
            return would
        given = operand(value)
        return would._replace(form=given.form, value=given.value)

    def _settled(self, value: Any) -> Operand:
        """Return what an array would be if it were handed over as it is."""
        given = operand(value)
        try:
            return _array(self._completed.result_type(given.dtype), given.weak, given.rank)
        except SupremumError:
            return given

    def _predicts(self, known: Function, result: Any) -> bool:
        """Tell whether it is known of a function what it would give."""
        if known.sort in _COMPUTING:
            is_weighed = known.sort == "index" and dtype(result.dtype).kind == "float"
            return self._completed.rule(known.name) is not None and not is_weighed
        return known.sort in ("shape", "float", "random", "count", "fill", "conversion")

    def _ask(self, operands: Sequence[Operand], name: str) -> Operand:
        """Return what a function gives. An operand that is not known is taken to be as others."""
        known = function(name)
        count = known.operands if known is not None else None
        given = [*operands, *operands, *operands][: count or len(operands)]
        told = self._completed.explain(*given, op=name)
        return _array(told.result, told.weak)

    def _put_into(self, into: Operand, found: Operand, name: str) -> Operand:
        """Return what an operator in place leaves of the array that its result goes into."""
        rule = self._completed.rule("iadd")
        if rule is None or rule.store is None:
            return found
        try:
            rule.check_store(name, found.dtype, into.dtype)
        except NoJoinError as error:
            what = f"cannot apply {name} in place under {self.rules.title} rules{self._setting}"
            raise PromotionError(f"{what}: {error}") from None
        return into

    def _computed(self, name: str, result: Any, operands: Sequence[Operand]) -> Operand:
        """Return what a function gives by its rule."""
        known = FUNCTIONS[canonical(name) or name]
        if not operands:
            operands = [self._default(result)]
        if known.sort == "condition":
            if len(operands) == 1:
                return self._ask(operands, "nonzero")
            operands = [o for o in operands if o.dtype.kind != "bool"] or operands[-2:]
        if all(o.is_python for o in operands):
            operands = [self._given(o) for o in operands]
        if len(operands) > 1 and (known.sort == "estimate" or "mean" in chain(known.name)):
            operands = [self._shared(operands)]
        found = self._ask(operands, name)
        return self._as_kind(found, result, known) if "inv" in chain(known.name) else found

    def _as_kind(self, found: Operand, result: Any, known: Function) -> Operand:
        """Return a dtype of the kind of a result, which may depend on its values."""
        kind = dtype(result.dtype).kind
        if kind == "signed":
            return self._default(result)
        if kind == "complex" and found.dtype.kind == "float":
            return _array(by_name(f"complex{max(2 * (found.dtype.bits or 0), 64)}"))
        is_part = kind == "float" and known.sort == "several"
        return _array(found.dtype.part) if is_part else found

    def _made(
        self, known: Function, result: Any, operands: Sequence[Operand], numbers: Sequence[Operand]
    ) -> Operand:
        """Return what a function that makes arrays gives."""
        strong = [o for o in operands if not o.weak]
        if known.sort == "float" and strong and self._completed.rule(known.name) is not None:
            return self._ask([*operands, *numbers], known.name)
        together: Sequence[Operand] = ()
        if known.sort == "float":
            together = [o for o in strong if o.dtype.kind in ("float", "complex")]
        elif known.sort == "count":
            together = [*operands, *numbers] if strong else ()
        elif known.sort == "conversion" and len(operands) > 1:
            together = operands
        if together:
            return self._shared(together)._replace(weak=False)
        if known.sort not in ("fill", "conversion"):
            return self._default(result)
        if operands:
            return operands[0]
        given = [n for n in numbers if n.dtype.kind == dtype(result.dtype).kind]
        return self._given(given[-1]) if given else self._default(result)

    def _default(self, result: Any, values: Sequence[Any] = ()) -> Operand:
        """Return what is made of numbers where a result of that kind is; not so of some values."""
        d = self._defaults.get(dtype(result.dtype).kind)
        return _array(d) if d is not None and not values else self._settled(result)

    def _given(self, number: Operand) -> Operand:
        """Return what is made of one number."""
        try:
            return self._shared([number])
        except PromotionError:  # by these rules there are no numbers alone
            return _array(self._defaults[number.dtype.kind])

    def _shared(self, operands: Sequence[Operand]) -> Operand:
        told = self._completed.explain(*operands)
        return _array(told.result, told.weak and self.rules.weak_arrays)


def _is_alike(value: Any, result: Any) -> bool:
    return is_array(value) and dtype(value.dtype) is dtype(result.dtype)


def _array(d: DType, weak: bool = False, rank: int | None = None) -> Operand:  # noqa: FBT002  # as an operand has it
    return Operand(f"{d}, weak" if weak and not d.weak else d.name, d, weak, "array", "", rank)
