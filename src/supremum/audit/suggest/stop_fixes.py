"""What to type so that a program does not stop: a cast of an operand, or another dtype at birth."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from ...core.dtypes import DType, by_name
from ...core.functions import facts_of
from ..checks import checks
from ..checks.stores import may_store
from ..model.locations import LOCATIONS, span_of
from ..model.provenance import Origin
from ..record.recorder import Recorder
from ..source.sides import HANDED, UNTYPED, are_together, is_made_elsewhere, is_read_after, way_of
from ..stops.dtype_errors import is_integer
from ..stops.stops import INDEX, Stopped, Value
from .fix_edits import HOLE
from .stop_carries import CarryEdits
from .stop_edits import Mend

_PUTS: Final = (
    "copy", "index_add", "index_copy", "index_put", "index_reduce", "masked_scatter", "scatter",
    "scatter_add", "scatter_reduce",
)  # fmt: skip
"""Methods of PyTorch's tensors that put the elements of another one into them, or a copy."""

_MODULAR: Final = ("add", "subtract", "multiply")
"""Operators whose integers may be cast to those of the other sign and the same width."""


def mend(stop: Stopped, recorder: Recorder | None) -> Mend:
    """Return what to type so that a program does not stop where it did."""
    return _Mender(stop, recorder).mend()


class _Mender(CarryEdits):
    """Finds the change by what the error says."""

    def mend(self) -> Mend:
        """Return the first change that is known to be right."""
        ways = {
            "number": self._number, "cast": self._room, "output": self._room, "same": self._same,
            "exact": self._exact,
            "target": self._classes,
            "carry": self._carry, "integers": self._integers, "floats": self._floats,
            "power": self._power,
        }  # fmt: skip
        way = self._casts if self._puts() else ways.get(self.said.sort)
        found = (made for made in way() if made is not None) if way is not None else iter(())
        return next(found, None) or self._nothing()

    def _puts(self) -> bool:
        """Tell whether what was refused is to be put into the tensor whose method is called."""
        place = self.place
        if place is None or self.form != "call" or self.said.sort != "same":
            return False
        return place.name.rstrip("_") in _PUTS and self._at(0) is not None

    def _number(self) -> Iterator[Mend | None]:
        number, refused = self.said.number, self.said.want
        if number is None or refused is None:
            return
        operand = next((v for v in self.arrays if v.operand.dtype is refused), None)
        adds = self.place is not None and self.place.name in ("add", "subtract")
        most = abs(number) + refused.max if adds else number
        wider = _wider(refused, most, least=0 if adds else 64)
        if self.form == "store":
            if refused.kind == "unsigned" and (value := self._at(1)) is not None:
                yield self._edited(value.span, refused, f"{HOLE} & {hex(refused.max)}")
            return
        if self.form == "in place" and operand is not None:
            if operand.operand.form == "scalar":
                yield self._assigned("int({})", refused)
            elif wider is not None:
                form = f"{{}}.astype({self._spelled(wider, 'NumPy')})"
                if not self._is_handed(operand):
                    yield self._at_birth(operand.origin, wider)
                yield self._assigned(form, refused)
            return
        if operand is not None and operand.operand.form == "scalar":
            yield self._edited(operand.span, refused, f"int({HOLE})")
        elif operand is not None and self._computes_like_an_operator():
            if (large := _wider(refused, number, least=64)) is not None:
                yield self._cast(operand, large)
        elif operand is None and wider is not None:
            yield self._renamed(refused, wider)

    def _computes_like_an_operator(self) -> bool:
        place = self.place
        combines = place is not None and facts_of(place.name).combines
        return self.form == "operator" or (self.form == "call" and combines)

    def _room(self) -> Iterator[Mend | None]:
        """Yield what makes room for what an operation gives, or has it give something smaller."""
        target, got = self._target(), self.said.got
        if target is None or got is None:
            yield from self._casts()
            return
        into = target.operand.dtype
        other = self._at(1)
        if (
            self.form == "in place"
            and into.kind == "unsigned"
            and other is not None
            and other.operand.dtype.kind == "signed"
            and not other.operand.is_python
            and self.place is not None
            and self.place.name in _MODULAR
        ):
            yield self._cast(other, into)
        if not self._is_handed(target):
            yield self._at_birth(target.origin, got)
        if self.form == "in place":
            yield self._assigned("{}", into)

    def _exact(self) -> Iterator[Mend | None]:
        """Yield the dtype of an output for a function, unless it or nobody names one."""
        target, got = self._target(), self.said.got
        if target is None or got is None:
            return
        named = self.place.keywords if self.place is not None else ()
        if "dtype" not in named and not is_untyped(target.origin):
            yield self._given(f"dtype={self._spelled(target.operand.dtype, 'NumPy')}")
        yield self._at_birth(target.origin, got)

    def _classes(self) -> Iterator[Mend | None]:
        """Yield a cast of what a loss compares with, its last array."""
        got, want = self.said.got, self.said.want
        if (value := next((v for v in self.arrays[::-1] if v.operand.dtype is got), None)) and want:
            yield self._cast(value, want)

    def _target(self) -> Value | None:
        """Return the operand that an operation puts its result into, or None."""
        place = self.place
        if place is None or self.form == "in place":
            return self._at(0)
        if self.form == "call" and "out" in place.keywords:
            return self._at(place.keywords.index("out") + 1)
        if self.form == "call" and may_store(place.name) and not place.name.endswith("_"):
            return self._at(1)
        return None

    def _casts(self) -> Iterator[Mend | None]:
        got, want = self.said.got, self.said.want
        if got is None or want is None:  # the source of a scatter has another dtype than its target
            into = self._at(0)
            want = into.operand.dtype if into is not None else None
            got = next(
                (v.operand.dtype for v in self.arrays[::-1] if v.operand.dtype is not want), None
            )
            if want is None or got is None or is_integer(got) is not is_integer(want):
                return
        if self.said.sort == "output":
            yield from (self._cast(v, got) for v in self.arrays if v.operand.dtype is want)
            return
        into = next((v for v in self.arrays if v.operand.dtype is want), None)
        for value in self.arrays:
            if value.operand.dtype is got:
                yield from self._stored(value, into, want)

    def _stored(self, value: Value, into: Value | None, want: DType) -> Iterator[Mend | None]:
        """Yield a cast of what is stored, or another dtype of what it goes into."""
        got = value.operand.dtype
        narrower = checks.family(got) == checks.family(want) and checks.bits(got) < checks.bits(
            want
        )
        if not narrower:
            yield from self._made(value, want)
            return
        if into is not None and not self._is_autocast(value) and is_untyped(into.origin):
            yield self._at_birth(into.origin, got)
        yield self._cast(value, want)

    def _is_autocast(self, value: Value) -> bool:
        """Tell whether PyTorch itself gave a value its dtype."""
        if value.origin is not None or self.recorder is None:
            return value.origin is not None and value.origin.is_autocast
        known = self.recorder.origins.values()
        return any(o.is_autocast and o.dtype is value.operand.dtype for o in known)

    def _same(self) -> Iterator[Mend | None]:
        wanted = self._common()
        if wanted is None:
            return
        named = [d for d in (self.said.got, self.said.want) if d is not None]
        of_floats = len(named) > 1 and not any(map(is_integer, named))  # indices are not meant
        for value in self.arrays:
            if of_floats and is_integer(value.operand.dtype):
                continue
            if not value.is_parameter and value.operand.dtype is not wanted:
                yield from self._made(value, wanted)
                return

    def _common(self) -> DType | None:
        """Return the dtype that all operands should have: that of a module, or the narrowest.

        A single operand of half precision among others has theirs.
        """
        data = [v.operand.dtype for v in self.arrays if self._computes(v)]
        parameters = [v.operand.dtype for v in self.arrays if v.is_parameter]
        floats = [d for d in parameters or data if checks.family(d) == "inexact"]
        if floats:
            least = min(floats, key=checks.bits)
            others = [d for d in floats if d is not least]
            is_odd = checks.bits(least) < _SINGLE and floats.count(least) < len(others)
            return min(others, key=checks.bits) if is_odd else least
        return max(data, key=checks.bits, default=None)

    def _computes(self, value: Value) -> bool:
        """Tell whether a value is among what has to have one dtype, and no choice between them."""
        chooses = self.place is not None and self.place.name in ("where", "select")
        return not (chooses and value.operand.dtype.kind == "bool")

    def _made(self, value: Value, want: DType) -> Iterator[Mend | None]:
        """Yield another dtype where a float was born, and a cast of it where it is used."""
        if checks.family(value.operand.dtype) == checks.family(want) == "inexact":
            if self._is_from_elsewhere(value, want):
                yield self._cast(value, want)
            if not is_untyped(value.origin):
                yield self._at_crossing(value, want)
            yield self._at_birth(value.origin, want)
        yield self._cast(value, want)

    def _is_from_elsewhere(self, value: Value, want: DType) -> bool:
        """Tell whether a value of single precision, made elsewhere, meets half precision."""
        fits = checks.bits(value.operand.dtype) == _SINGLE > checks.bits(want)
        if value.origin is None or self.place is None or not fits:
            return False
        birth = LOCATIONS[value.origin.location]
        if self.said.sort == "cast":  # what it goes into decides
            return not are_together(self.place, birth)
        return is_made_elsewhere(self.place, value.span, birth)

    def _is_handed(self, target: Value) -> bool:
        """Tell whether a function changes an array in place that it was handed, and goes on."""
        node = self.node.target if isinstance(self.node, ast.AugAssign) else None
        if not isinstance(node, ast.Name) or target.origin is None or self.place is None:
            return False
        birth, file = LOCATIONS[target.origin.location], self.stop.file
        if are_together(self.place, birth) or not is_read_after(file, self.stop.span, node.id):
            return False
        return way_of(file, span_of(node)) == HANDED

    def _integers(self) -> Iterator[Mend | None]:
        for value in self.arrays:
            if checks.family(value.operand.dtype) == "inexact" and self._may_index(value):
                name = "int32" if value.operand.library == "JAX" else "int64"
                yield self._cast(value, by_name(name))

    def _may_index(self, value: Value) -> bool:
        """Return whether an operand is an index, not what it is an index of."""
        if self.said.at is not None:
            return value.index == self.said.at
        if self.form in ("item", "store"):
            return value.index == INDEX
        return value.index != 0 or self.form != "call"

    def _floats(self) -> Iterator[Mend | None]:
        got = self.said.got
        for value in self.stop.values:
            d = value.operand.dtype
            if value.operand.is_python and is_integer(d) and got is not None and not self.arrays:
                yield self._edited(value.span, d, f"float({HOLE})")
            elif not value.operand.is_python and (d is got or (got is None and is_integer(d))):
                name = (
                    "float64" if value.operand.library == "NumPy" and is_integer(d) else "float32"
                )
                yield self._cast(value, by_name(name))
        if not self.arrays and self._names_no_dtype():
            new = self._spelled(by_name("float32"), "PyTorch")
            yield self._given(f"dtype={new}")

    def _power(self) -> Iterator[Mend | None]:
        base = self._at(0) if self.form != "call" else self._at(1)
        if base is None:
            return
        node = self.source.find(base.span) if base.span is not None else None
        if isinstance(node, ast.Constant):
            yield self._edited(base.span, base.operand.dtype, f"{HOLE}.0")
        elif base.operand.is_python or base.operand.form == "scalar":
            yield self._edited(base.span, base.operand.dtype, f"float({HOLE})")
        else:
            yield self._cast(base, by_name("float64"))


def is_untyped(origin: Origin | None) -> bool:
    """Tell whether an array was made to be filled, with a dtype that nobody named."""
    if origin is None or origin.operand is not None or origin.explicit:
        return False
    return LOCATIONS[origin.location].name in UNTYPED


_SINGLE: Final = 32  # bits


def _wider(d: DType, number: int, least: int = 0) -> DType | None:
    """Return the first dtype of integers that holds all of another, and a number."""
    names: Sequence[str] = ("int16", "int32", "int64", "uint64")
    for name in names:
        wider = by_name(name)
        holds = wider.min <= min(number, d.min) and max(number, d.max) <= wider.max
        if holds and (wider.bits or 0) >= max(least, (d.bits or 0) + 1):
            return wider
    return None
