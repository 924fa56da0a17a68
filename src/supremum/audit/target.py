"""The port preview: what the program's dtypes would be under another library's rules.

Each value has a shadow: the operand that it would be there. Operators are asked of the target's
rules; what functions give is known by groups, as data. Only where a difference begins is it a
finding; what has its dtype from there is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from supremum.audit.origins import Origin
from supremum.audit.sites import SITES
from supremum.audit.values import Values, is_array, kind_of
from supremum.dtypes import DType, by_name
from supremum.errors import PromotionError, SupremumError
from supremum.operands import PYTHON_SCALARS, Operand, dtype, operand
from supremum.operators import LIKE
from supremum.system import PromotionSystem

# The widths of what is made without a dtype, where they are not those of the rules' weak results.
_DEFAULTS: Mapping[str, tuple[str, str]] = {
    "torch": ("int64", "float32"),
    "mlx": ("int32", "float32"),
    "tinygrad": ("int32", "float32"),
    "paddle": ("int64", "float32"),
}

# What the functions of each group give; the group names are those of methods of `Target`.
_GROUPS: Final = {
    "makes_floats": "zeros ones empty linspace logspace geomspace eye identity fftfreq rfftfreq "
    "hanning hamming blackman bartlett kaiser",
    "counts": "arange",
    "fills": "full full_like",
    "converts": "array asarray asanyarray ascontiguousarray",
    "keeps": "reshape ravel flatten transpose swapaxes moveaxis squeeze expand_dims broadcast_to "
    "copy sort flip fliplr flipud roll repeat tile take diag pad diff round around sign conj "
    "conjugate rot90 compress choose unique zeros_like ones_like empty_like positive negative "
    "square triu tril",
    "joins": "add subtract multiply maximum minimum fmax fmin where concatenate concat stack "
    "hstack vstack dstack column_stack append clip select remainder mod floor_divide meshgrid "
    "block",
    "multiplies": "dot matmul inner outer tensordot einsum kron vdot convolve correlate cross",
    "is_float": "sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh "
    "cosh tanh arcsinh arccosh arctanh cbrt deg2rad rad2deg radians degrees sinc arctan2 hypot "
    "logaddexp divide true_divide reciprocal",
    "averages": "mean median average quantile percentile interp solve inv trapezoid polyval",
    "has_real_parts": "std var norm angle",
    "takes_parts": "abs absolute fabs real imag",
    "rounds": "floor ceil trunc rint",
    "picks": "max min amax amin ptp nanmax nanmin nan_to_num",
    "sums": "sum prod nansum nanprod trace",
    "runs_on": "cumsum cumprod",
    "indexes": "argmax argmin argsort nonzero bincount count_nonzero argwhere",
    "transforms": "fft ifft fft2 ifft2 fftn ifftn rfft rfft2 rfftn",
    "transforms_back": "irfft irfft2 irfftn",
}
_GROUP_OF: Final = {name: group for group, names in _GROUPS.items() for name in names.split()}

# What is written down where the rules give no dtype.
REFUSED: Final = "refused"


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
        names = _DEFAULTS.get(rules.name)
        self._float = by_name(names[1]) if names else _of_number(rules, float, "float64")
        self._int = by_name(names[0]) if names else _of_number(rules, int, "int64")

    # what the session tells

    def operated(self, site: int, result: Any, values: Sequence[Any], name: str) -> None:
        """Follow an operator."""
        shadows = [self._shadow(v) for v in values if is_array(v) or type(v) in PYTHON_SCALARS]
        operands = tuple(s.operand for s in shadows)
        op = "negative" if name == "positive" else LIKE.get(name, name)
        self._follow(site, result, shadows, lambda: self._ask(operands, op), op)

    def taken(self, site: int, result: Any, whole: Any) -> None:
        """Follow a part of a value."""
        if not is_array(whole):
            self._write(site, result, self._shadow(result).operand.dtype.name)
            return
        shadow = self._shadow(whole)
        if dtype(result.dtype) is not dtype(whole.dtype):
            self._follow(site, result, [shadow], lambda: self._parts([shadow.operand]), None)
        else:
            self._follow(site, result, [shadow], lambda: shadow.operand, None)

    def called(
        self,
        site: int,
        result: Any,
        values: Sequence[Any],
        arguments: Sequence[Any],
        explicit: bool,
    ) -> None:
        """Follow a call."""
        place = SITES[site]
        known: Any = self._shadows.get(result)
        if isinstance(known, Shadow):
            self._write(site, result, known.operand.dtype.name)
            return
        shadows = [self._shadow(v) for v in values]
        operands = [s.operand for s in shadows]
        group = _GROUP_OF.get(place.name)
        if explicit or group is None:
            if not explicit and values:
                self.unknown[place.name] = self.unknown.get(place.name, 0) + 1
            self._follow(site, result, shadows, lambda: self._settled(result), None)
            return
        numbers = [
            operand(a)
            for a, keyword in zip(arguments, place.keywords, strict=False)
            if type(a) in PYTHON_SCALARS and not keyword
        ]
        find: Callable[[], Operand] = {
            "makes_floats": lambda: self._makes(operands, self._float),
            "counts": lambda: self._strong(self._shared([*operands, *numbers] or [operand(1)])),
            "fills": lambda: operands[0] if operands else self._shared(numbers[-1:]),
            "converts": lambda: self._converts(result, operands, numbers),
            "keeps": lambda: operands[0],
            "joins": lambda: self._shared(operands or numbers),
            "multiplies": lambda: self._strong(self._shared(operands)),
            "is_float": lambda: self._as_float(operands or numbers),
            "averages": lambda: self._strong(self._as_float(operands)),
            "has_real_parts": lambda: self._strong(self._parts([self._as_float(operands)])),
            "takes_parts": lambda: self._parts(operands or numbers),
            "rounds": lambda: self._ask((operands or numbers)[:1], "floor"),
            "picks": lambda: self._strong(operands[0]),
            "sums": lambda: self._strong(self._ask(operands[:1], "sum")),
            "runs_on": lambda: self._runs(operands[0]),
            "indexes": lambda: _array(self._int),
            "transforms": lambda: self._complex(self._as_float(operands)),
            "transforms_back": lambda: self._strong(self._parts([self._as_float(operands)])),
        }[group]
        self._follow(site, result, shadows, find, None)

    # what would come out

    def _follow(
        self,
        site: int,
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
        except (SupremumError, LookupError):
            found = self._settled(result)
        cause = next((s.cause for s in shadows if s.cause is not None), None)
        would = found.dtype
        self._write(site, result, REFUSED if told else would.name)
        if would is was and not told:
            cause = None
        elif cause is None or told:
            setting = f" ({self.rules.label})" if self.rules.label else ""
            told = told or f"{was} here, {would} by {self.rules.name} rules{setting}"
            cause = self._differs(site, was, operands, would, told=told, operator=op)
        rank = getattr(result, "ndim", None)
        self._shadows.put(result, kind_of(result), Shadow(_array(would, found.weak, rank), cause))  # type: ignore[arg-type]  # it keeps whatever belongs to a value

    def _write(self, site: int, result: Any, would: str) -> None:
        self.lines.setdefault(site, set()).add((dtype(result.dtype).name, would))

    def _shadow(self, value: Any) -> Shadow:
        if type(value) in PYTHON_SCALARS:
            return Shadow(operand(value), None)
        found: Any = self._shadows.get(value)
        if isinstance(found, Shadow):
            rank = getattr(value, "ndim", None)
            return found._replace(operand=found.operand._replace(rank=rank))
        return Shadow(self._settled(value), None)

    def _settled(self, value: Any) -> Operand:
        """Return what an array would be if it were handed over as it is."""
        given = operand(value)
        try:
            return _array(self.rules.result_type(given.dtype), given.weak, given.rank)
        except SupremumError:
            return given

    def _ask(self, operands: Sequence[Operand], op: str | None) -> Operand:
        if op in ("equal", "less"):
            return _array(by_name("bool"))
        known = op if op in self.rules.operators else None
        if known is None and op not in (None, "add", "subtract", "multiply"):
            raise LookupError(op)
        told = self.rules.explain(*operands, op=known)
        weak = all(o.weak for o in operands) or (told.weak and known is None)
        return _array(told.result, weak or (told.weak and told.result is told.settled.dtype))

    def _shared(self, operands: Sequence[Operand]) -> Operand:
        if len(operands) == 1 and operands[0].form.startswith("Python"):
            defaults = {"float": self._float, "complex": by_name("complex128")}
            if not self._is_lone(operands[0]):
                return _array(defaults.get(operands[0].dtype.kind, self._int))
        told = self.rules.explain(*operands)
        return _array(told.result, told.weak)

    def _is_lone(self, number: Operand) -> bool:
        """Tell whether the rules have an answer for a number by itself."""
        try:
            self.rules.explain(number)
        except PromotionError:
            return False
        return True

    def _as_float(self, operands: Sequence[Operand]) -> Operand:
        joined = self._shared(operands)
        return self._ask([joined], "sin")

    def _parts(self, operands: Sequence[Operand]) -> Operand:
        d = operands[0].dtype
        if d.weak:
            return self._shared(operands)
        return _array(d.part if d.kind == "complex" else d, operands[0].weak)

    def _complex(self, d: Operand) -> Operand:
        width = 2 * (d.dtype.part.bits or 64)
        return _array(by_name(f"complex{width}"))

    def _strong(self, d: Operand) -> Operand:
        if d.dtype.weak:
            d = self._shared([d])
        return d._replace(weak=False)

    def _makes(self, operands: Sequence[Operand], default: DType) -> Operand:
        floats = [o for o in operands if o.dtype.kind in ("float", "complex") and not o.weak]
        return self._strong(self._shared(floats)) if floats else _array(default)

    def _converts(
        self, result: Any, operands: Sequence[Operand], numbers: Sequence[Operand]
    ) -> Operand:
        if operands:
            return operands[0] if len(operands) == 1 else self._strong(self._shared(operands))
        if numbers:
            return self._shared(numbers)
        kind = dtype(result.dtype).kind
        if kind == "signed":
            return _array(self._int)
        return _array(self._float) if kind == "float" else self._settled(result)

    def _runs(self, d: Operand) -> Operand:
        return _array(self._int) if d.dtype.kind == "bool" else self._strong(d)


def _of_number(rules: PromotionSystem, number: type, otherwise: str) -> DType:
    """Return what a Python number becomes by itself, where the rules say so."""
    try:
        return rules.result_type(number)
    except SupremumError:
        return by_name(otherwise)


def _array(d: DType, weak: bool = False, rank: int | None = None) -> Operand:  # noqa: FBT002  # as an operand has it
    return Operand(f"{d}, weak" if weak and not d.weak else d.name, d, weak, "array", "", rank)
