"""The catalogue of functions: each name, what sort of function it is, and what it follows.

One table serves every question about functions: the engine (``op=``), arrays, the audit's checks,
its preview and its suggestions, and the measurement of live libraries. What a function gives under
some rules is theirs to say; a function that they do not mention follows another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

# Sort, number of operands (* for any number), "like" and the function that is followed; then the
# functions, each with its other spellings after "=". Spellings are those of any library.
_CATALOGUE = """
elementwise 2: add  subtract=sub  multiply=mul  true_divide=divide=div  floor_divide
    remainder=mod  power=pow  bitwise_and  left_shift=bitwise_left_shift
    maximum  equal=eq  less=lt  logical_and  float_power
elementwise 2 like equal: not_equal=ne
elementwise 2 like less: less_equal=le  greater=gt  greater_equal=ge
elementwise 2 like bitwise_and: bitwise_or  bitwise_xor
elementwise 2 like left_shift: right_shift=bitwise_right_shift
elementwise 2 like maximum: minimum  fmax  fmin
elementwise 2 like logical_and: logical_or  logical_xor
elementwise 2 like sin: hypot  atan2=arctan2  copysign  logaddexp  nextafter
elementwise 1: negative=neg  invert=bitwise_invert=bitwise_not  abs=absolute  sin  floor
    isfinite  logical_not  positive  round=rint=around  conj=conjugate
    signbit  square
elementwise 1 like isfinite: isinf  isnan
elementwise 1 like sin: acos=arccos  acosh=arccosh  asin=arcsin  asinh=arcsinh  atan=arctan
    atanh=arctanh  cos  cosh  exp  expm1  log  log1p  log2  log10  reciprocal
    sinh  sqrt  tan  tanh  exp2  cbrt  deg2rad=radians  rad2deg=degrees  sinc  fabs
elementwise 1 like floor: ceil  trunc
elementwise 1 like negative: sign
elementwise 1 like abs: imag  real
elementwise 3: clip
condition 2: where
condition * like where: select
part 1: diff  nan_to_num
reduction 1: sum  prod  mean  max=amax  std  argmax
reduction 1 like sum: trace  nansum
reduction 1 like prod: nanprod
reduction 1 like mean: median  average  quantile  percentile
reduction 1 like max: min=amin  ptp  nanmax  nanmin
reduction 1 like std: var
reduction 1 like argmax: argmin
cumulative 1 like sum: cumulative_sum
cumulative 1 like cumulative_sum: cumsum  nancumsum
cumulative 1 like prod: cumulative_prod=cumprod  nancumprod
index 1: argsort  nonzero  bincount  count_nonzero  argwhere
index 2: searchsorted
contraction 2: matmul
contraction 2 like matmul: tensordot  vecdot  dot  vdot  inner  convolve  correlate
product 2 like multiply: cross  outer  kron  polyval
product * like matmul: einsum
sequence *: concat=concatenate=cat
sequence * like concat: stack  hstack  vstack  dstack  column_stack  block
sequence 2 like concat: append
linalg 1: inv
linalg 1 like inv: cholesky  det  eigvals  eigvalsh  matrix_rank  pinv  svdvals
several 1 like inv: eig  eigh  qr  slogdet  svd
linalg 2 like inv: solve
norm 1: norm
norm 1 like norm: vector_norm  matrix_norm  norm_max  norm_sum
angle 1 like norm: angle
estimate 1: interp  cov  corrcoef  polyfit  vander
estimate 1 like mean: trapezoid
transform 1: fft  rfft  irfft
transform 1 like fft: ifft  fft2  ifft2  fftn  ifftn
transform 1 like rfft: rfft2  rfftn
transform 1 like irfft: irfft2  irfftn
shape 1: same
shape 1 like same: reshape  ravel  flatten  transpose  swapaxes  moveaxis  squeeze  expand_dims
    broadcast_to  copy  sort  flip  fliplr  flipud  roll  repeat  tile  take
    diag  diagonal  pad  rot90  compress  choose  unique  zeros_like  ones_like
    empty_like  triu  tril  meshgrid
fill 1: full  full_like
float 0: zeros  ones  empty  linspace  logspace  geomspace  eye  identity  fftfreq
    rfftfreq  hanning  hamming  blackman  bartlett  kaiser  tri  indices
random 0: standard_normal  random  standard_exponential  standard_gamma  rand  randn
    normal  uniform
count *: arange
conversion 1: asarray  array  asanyarray  ascontiguousarray
cast 1: astype  type  to  short  view  as_tensor  tensor  from_numpy  to_numpy  cast
    convert_element_type  numpy  item  frombuffer
read 0: fromiter  fromfunction  loadtxt  genfromtxt  fromfile  fromstring  read_csv
    Series
store 2 like add: iadd
"""

# How the functions that stand for others are written.
_WRITTEN = {
    "add": "x + y", "subtract": "x - y", "multiply": "x * y", "true_divide": "x / y",
    "floor_divide": "x // y", "remainder": "x % y", "power": "x ** y", "matmul": "x @ y",
    "equal": "x == y", "not_equal": "x != y", "less": "x < y", "less_equal": "x <= y",
    "greater": "x > y", "greater_equal": "x >= y", "bitwise_and": "x & y", "bitwise_or": "x | y",
    "bitwise_xor": "x ^ y", "left_shift": "x << y", "right_shift": "x >> y", "negative": "-x",
    "positive": "+x", "invert": "~x", "iadd": "x += y",
}  # fmt: skip

# The functions that take a dtype parameter, beside all those that create, read or convert arrays.
_WITH_DTYPE = """
mean sum prod cumulative_sum cumulative_prod var std average concat stack hstack vstack
zeros_like ones_like full full_like tensor as_tensor frombuffer
"""
_MAKING_SORTS = ("float", "count", "random", "read", "conversion")

NO_DATA: Final = frozenset({"axis", "dim", "where", "mode"})
"""The parameters that say how to compute, and take no operands."""


class Function(NamedTuple):
    """One function of the catalogue.

    Attributes:
        name: its name here.
        sort: what sort of function it is.
        operands: how many operands it takes, or None for any number.
        follows: the function whose rule it follows, if the rules do not mention it; or ``""``.
        spellings: its other names, in one library or another.
    """

    name: str
    sort: str
    operands: int | None
    follows: str = ""
    spellings: tuple[str, ...] = ()

    @property
    def adds_up(self) -> bool:
        """Whether it adds up or multiplies elements, so that integers may become wider."""
        first = chain(self.name)[-1]
        return first in ("sum", "prod") or self.sort in ("contraction", "product")

    @property
    def combines(self) -> bool:
        """Whether it puts its operands together, as operators do."""
        if self.sort == "elementwise":
            return self.operands != 1 and "equal" not in chain(self.name)
        return self.sort in ("condition", "sequence", "contraction", "product")

    @property
    def takes_dtype(self) -> bool:
        """Whether it has a parameter for a dtype, in one library or another."""
        return self.sort in _MAKING_SORTS or self.name in _WITH_DTYPE.split()

    @property
    def makes_arrays(self) -> bool:
        """Whether its results have a dtype by default, whatever it is given."""
        return self.sort in ("float", "count", "fill")


def _read() -> dict[str, Function]:
    found: dict[str, Function] = {}
    head = ""
    for line in _CATALOGUE.strip().splitlines():
        before, colon, names = line.partition(":")
        head, names = (before, names) if colon else (head, line)
        sort, count, *like = head.split()
        for spelling in names.split():
            name, *others = spelling.split("=")
            operands = None if count == "*" else int(count)
            found[name] = Function(name, sort, operands, "".join(like[1:]), tuple(others))
    return found


FUNCTIONS: Final[Mapping[str, Function]] = _read()
"""The catalogue, by the names that it uses."""

_BY_SPELLING = {other: f.name for f in FUNCTIONS.values() for other in (f.name, *f.spellings)}


def canonical(name: str) -> str | None:
    """Return the name of the catalogue for any spelling of a function, or None if it is unknown.

    >>> canonical("arctan2"), canonical("frobnicate")
    ('atan2', None)
    """
    return _BY_SPELLING.get(name)


def function(name: str) -> Function | None:
    """Return what the catalogue says of a function, by any spelling, or None if it is unknown."""
    return FUNCTIONS.get(_BY_SPELLING.get(name, ""))


def chain(name: str) -> tuple[str, ...]:
    """Return a function of the catalogue and those that it follows, one after the other.

    >>> chain("cumulative_sum")
    ('cumulative_sum', 'sum')
    """
    found = [name]
    while follows := FUNCTIONS[found[-1]].follows:
        found.append(follows)
    return tuple(found)


def written(name: str) -> str:
    """Return how an operator is written, such as ``x + y``, or ``""``."""
    return _WRITTEN.get(name, "")
