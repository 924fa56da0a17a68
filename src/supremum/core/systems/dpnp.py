"""dpnp's rules: NumPy's, on a device that may have no float64 or no float16.

Where a result of NumPy's rules is a dtype that the device does not have, it is float32 or complex64
instead: without float64, ``int64[] + float32[]``, ``int8[] / 2`` and the mean of integers are
float32, and without float16 the sine of int8 is. An array of such a dtype cannot be made there. A
Python int must fit the integer dtype that it is converted to, and a Python bool is an int to
``dpnp.result_type`` on a device that lacks some dtype.

Source: dpnp 0.20.0 with dpctl 0.22.1 and NumPy 2.4.6, measured on ``dpnp.result_type`` and on its
functions, on a CPU whose driver does not mention the dtypes that the device lacks;
``dpnp/tensor/_type_utils.py``. dpctl, which had these arrays before, has none in this release.
Not modelled: float16 in products of which one operand is a vector, which einsum, matmul, dot and
tensordot refuse and of two matrices take; the values that real_if_close looks at; ldexp and
select; random numbers; functions of SciPy's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..common_steps import State
from ..dtypes import DType, by_name
from ..errors import NoJoinError
from ..fold import Fold
from ..function_rules import Call, Case, Defaults, FunctionRule, Special, parse_rules, special_rules
from ..libraries import Library
from ..operands import Operand
from ..steps import Classified, Settled, fits
from ..system import PromotionSystem
from . import numpy


def _as_set(module: Any) -> str:
    device = module.dpctl.select_default_device()
    return f"dpnp:fp64={device.has_aspect_fp64},fp16={device.has_aspect_fp16}"


LIBRARY = Library(
    "dpnp",
    ("dpnp",),
    import_as=("dpnp", "dpnp"),
    dtypes_in="numpy",
    array_class="dpnp:ndarray",
    cast="{x}.astype({dtype}, copy=False)",
    rules_as_set=_as_set,
)

DTYPES = "b u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 c64 c128 i* f* c*"
INSTEAD = {
    "fp64": {"float64": "float32", "complex128": "complex64"},
    "fp16": {"float16": "float32"},
}

# NumPy's functions that dpnp lacks, beside the methods of its ufuncs, and those that differ or were
# not measured, of random numbers.
LACKS = """
    same isnat ldexp block lexsort argpartition packbits unpackbits arange
    quantile percentile nanquantile nanpercentile union1d intersect1d setxor1d setdiff1d
    polyadd polysub polymul polydiv[0] polydiv[1] polyval polyfit polyder polyint
    rand randn random standard_normal standard_exponential normal uniform randint permutation choice
    exponential laplace gumbel logistic lognormal rayleigh integers random.poisson
"""
_SINE = "b u8 i8: f16; u16 i16: f32; integer: f64"
CHANGED = f"""
    isclose = ints any; *: b
    clip = into same
    round, rint = b: i8
    reciprocal, sinc = {_SINE}
    i0, rsqrt = complex: -; {_SINE}
    angle = bool u8 u16 i8 i16 f16: f32; integer: f64; complex: part
    logsumexp = bool integer: f64; complex: -
    digitize = takes bool integer float, *; *: i64
    unravel_index = float complex: -; bool: i64
    ravel_multi_index = float complex: -; *: i64
    tril_indices_from[0], triu_indices_from[0], diag_indices_from[0] = *: i64
    ix_[0] = b: i64
    partition = f16: -
    linspace, logspace, geomspace = bool integer: f64
    matmul, dot, einsum, tensordot = shared
    vecdot, vdot, inner, matvec, vecmat = f16: -
    norm = bool integer: f64; f16: -; complex: part
    irfft, hfft = bool integer: f64; f16: f32; complex: part
"""
WIDEST = "float_power = bool u8 u16 i8 i16 f16: f32; integer: f64"
SOLVED = """
    solve, tensorsolve, lstsq[0] = apart; bool integer: f64
    lstsq[1], lstsq[3] = apart; bool integer: f64; complex: part
"""
RANK = "lstsq[2] = apart; bool integer: f64"


def _solved(call: Call) -> DType:
    if call.joined.name == "float16":
        raise NoJoinError(f"{call.name} does not take {call.joined} alone")
    return call.becomes(call.joined)


def _rank(call: Call) -> DType:
    _solved(call)
    return by_name("int32")


def _put(call: Call) -> DType:
    into, put = call.dtypes
    call.rule.check_store(call.name, put, into)
    return into


FUNCTIONS = {
    **{
        name: rule._replace(ints="")
        for name, rule in numpy.FUNCTIONS.items()
        if not (name in LACKS.split() or name.endswith((".reduce", ".accumulate")))
    },
    **parse_rules(CHANGED),
    **special_rules(numpy.WIDEST, WIDEST),
    **special_rules(Special("float16 alone is refused", result=_solved), SOLVED),
    **special_rules(Special("int32, and float16 alone is refused", result=_rank), RANK),
    **special_rules(Special("the kind of what is put decides", result=_put), "iadd = into kind"),
}


class Device(NamedTuple):
    """How dtypes join on a device. A state has seen that of NumPy's rules.

    Attributes:
        known: how they join where a device has all of them.
        instead: the dtypes that the device lacks with what takes their place, as pairs of names.
    """

    known: numpy.Knowing
    instead: tuple[tuple[str, str], ...]

    def has(self, d: DType) -> bool:
        """Return whether arrays may have a dtype."""
        return d.name not in dict(self.instead)

    def narrowed(self, d: Any) -> Any:
        """Return what a dtype is on the device; words of rules stay what they are."""
        return d if not isinstance(d, DType) or self.has(d) else by_name(dict(self.instead)[d.name])

    def start(self, first: Classified) -> State:
        """Return the state after the first operand."""
        return State(first.node, seen=self.known.start(first))

    def step(self, state: State, item: Classified) -> State:
        """Return the state after another operand."""
        after = self.known.step(state.seen, item)
        narrowed = self.narrowed(after.node)
        why = "" if narrowed is after.node else f"the device has no {after.node}"
        return State(narrowed, why, after)

    def fold(self) -> Fold[DType]:
        """Return the join, which is NumPy's if the device has everything."""
        if not self.instead:
            return self.known.fold()
        nodes = [d for d in self.known.table.nodes if self.has(d)]
        return Fold(nodes, self.step, start=self.start, order=self.known.sort)

    def settle(self, node: DType, classified: Sequence[Classified]) -> Settled:
        """Return what becomes of a node."""
        if all(x.operand.is_python for x in classified):
            return self._of_numbers([numpy.classify(x.operand) for x in classified])
        settled = numpy.settle(node, classified)
        return settled._replace(dtype=self.narrowed(settled.dtype))

    def _of_numbers(self, numbers: Sequence[Classified]) -> Settled:
        """Return what numbers give, which have no device: the first has a dtype of its own."""
        node = self.known.fold().join(*numbers)
        first = numbers[0]
        alone = numpy.settle(first.node, [first])
        return alone if first.node.kind == node.kind else numpy.settle(node, numbers)

    def rule(self, rule: FunctionRule) -> FunctionRule:
        """Return the rule of a function on the device, with dtypes of dpnp's alone."""
        cases = [Case(x.members - {"bfloat16"}, self.narrowed(x.result)) for x in rule.cases]
        return rule._replace(cases=tuple(x for x in cases if x.members))

    def classify(self, op: Operand, operands: Sequence[Operand] = ()) -> Classified:
        """Return what an operand is to ``dpnp.result_type``."""
        usual = numpy.classify(op, operands)
        if self.instead and op.is_python and op.dtype.kind == "bool":
            return usual._replace(node=by_name("int*"), why=f"{usual.why}, an int on such a device")
        return usual


def build(*, fp64: bool = True, fp16: bool = True) -> PromotionSystem:
    """Return dpnp's rules, those of ``dpnp.result_type``.

    Args:
        fp64: whether the device has float64.
        fp16: whether it has float16.
    """
    lacks = [name for name, has in (("fp64", fp64), ("fp16", fp16)) if not has]
    table = numpy.build().table().only(map(numpy.coded, DTYPES.split()))
    device = Device(
        numpy.Knowing(table, numpy.is_operand),
        tuple(pair for name in lacks for pair in INSTEAD[name].items()),
    )
    join = device.fold()
    defaults = map(by_name, ("int64", "float64", "complex128", "int64"))
    return PromotionSystem(
        "dpnp",
        join,
        classify=device.classify,
        settle=device.settle,
        functions={name: device.rule(rule) for name, rule in FUNCTIONS.items()},
        operable=[d for d in join.nodes if not d.weak],
        function_classify=numpy.classify,
        refuse_int=_refuse_int,
        defaults=Defaults(*map(device.narrowed, defaults)),
        weak_arrays=False,
        label=" and ".join(f"no {name}" for name in lacks),
        version="0.20.0",
        source="measured on dpnp.result_type; dpnp/tensor/_type_utils.py",
    )


def _refuse_int(value: int, d: DType, _: Sequence[Operand], ints: str) -> str | None:
    return None if ints == "any" else fits(value, d)
