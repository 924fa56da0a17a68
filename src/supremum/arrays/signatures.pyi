"""What namespaces have. Written by docs/regenerate.py: change the chapters instead."""

from collections.abc import Sequence
from typing import Any

from ..core.limits import FloatInfo, IntInfo
from .array import Array, Axes, DataType
from .extension import Extension
from .inspection import Info
from .linalg import QR, SVD, Eig, SlogDet
from .searching import UniqueAll, UniqueCounts, UniqueInverse

class DataTypes:  # apart: annotations of functions mean Python's bool
    bool: DataType
    uint1: DataType
    uint2: DataType
    uint4: DataType
    uint8: DataType
    uint16: DataType
    uint32: DataType
    uint64: DataType
    uint128: DataType
    int1: DataType
    int2: DataType
    int4: DataType
    int8: DataType
    int16: DataType
    int32: DataType
    int64: DataType
    int128: DataType
    float4_e2m1fn: DataType
    float6_e2m3fn: DataType
    float6_e3m2fn: DataType
    float8_e3m4: DataType
    float8_e4m3: DataType
    float8_e4m3b11fnuz: DataType
    float8_e4m3fn: DataType
    float8_e4m3fnuz: DataType
    float8_e5m2: DataType
    float8_e5m2fnuz: DataType
    float8_e8m0fnu: DataType
    bfloat16: DataType
    float16: DataType
    float32: DataType
    float64: DataType
    bcomplex32: DataType
    complex32: DataType
    complex64: DataType
    complex128: DataType
    longdouble: DataType
    clongdouble: DataType

class Functions(DataTypes):
    e: float
    inf: float
    nan: float
    newaxis: None
    pi: float

    def arange(
        self,
        start: Any,
        /,
        stop: Any = None,
        step: Any = 1,
        *,
        dtype: Any = None,
        device: Any = None,
    ) -> Array:
        """Return evenly spaced numbers within the half-open interval [start, stop).

        Args:
            start: the start; if `stop` is None, the end instead, and the start is 0.
            stop: the end, which is not included.
            step: the spacing.
            dtype: the dtype; by default the default int, or float if one of the numbers is a float.
            device: the device.
        """

    def asarray(
        self, obj: Any, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None
    ) -> Array:
        """Convert a number, nested lists of numbers, or an array of any library to an array.

        A Python number alone is weak if the rules have weak arrays.

        Args:
            obj: what to convert.
            dtype: the dtype; by default that of `obj`, or the rules' default for Python's numbers.
            device: the device.
            copy: whether to copy: always, never, or if None only if it is necessary.

        Raises:
            OverflowError: if a Python int does not fit.
            DTypeError: if the backend lacks the dtype.
            ValueError: if a copy is necessary but not allowed.
        """

    def empty(self, shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
        """Return an uninitialized array of a shape."""

    def empty_like(self, x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
        """Return an uninitialized array with the shape of another."""

    def eye(
        self,
        n_rows: int,
        n_cols: int | None = None,
        /,
        *,
        k: int = 0,
        dtype: Any = None,
        device: Any = None,
    ) -> Array:
        """Return a 2-d array with ones on the diagonal `k` and zeros elsewhere."""

    def from_dlpack(self, x: Any, /, *, device: Any = None, copy: bool | None = None) -> Array:
        """Convert an array of another library through DLPack, without a copy if that is possible."""

    def full(self, shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Array:
        """Return an array of a shape, filled with a value, which has its dtype by default."""

    def full_like(
        self, x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None
    ) -> Array:
        """Return an array with the shape and dtype of another, filled with a value."""

    def linspace(
        self,
        start: Any,
        stop: Any,
        /,
        num: int,
        *,
        dtype: Any = None,
        device: Any = None,
        endpoint: bool = True,
    ) -> Array:
        """Return `num` evenly spaced numbers over [start, stop]."""

    def meshgrid(self, *arrays: Any, indexing: str = "xy") -> tuple[Array, ...]:
        """Return coordinate matrices from coordinate vectors."""

    def ones(self, shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
        """Return an array of ones of a shape."""

    def ones_like(self, x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
        """Return an array with the shape of another, filled with ones."""

    def tril(self, x: Any, /, *, k: int = 0) -> Array:
        """Return the lower triangles of matrices: zeros above the diagonal `k`."""

    def triu(self, x: Any, /, *, k: int = 0) -> Array:
        """Return the upper triangles of matrices: zeros below the diagonal `k`."""

    def zeros(self, shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
        """Return an array of zeros of a shape."""

    def zeros_like(self, x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
        """Return an array with the shape of another, filled with zeros."""

    def astype(self, x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Array:
        """Cast an array to a dtype, whatever the rules say of the two.

        Raises:
            TypeError: from complex to real, as the imaginary part would be lost.
        """

    def can_cast(self, from_: Any, to: Any, /) -> bool:
        """Tell whether one dtype, or that of an array, promotes to another under the rules."""

    def finfo(self, type: Any, /) -> FloatInfo:
        """Return the limits of a floating dtype, or that of an array."""

    def iinfo(self, type: Any, /) -> IntInfo:
        """Return the limits of an integer dtype, or that of an array."""

    def isdtype(self, dtype: Any, kind: Any) -> bool:
        """Tell whether a dtype is of a kind such as ``"real floating"``, or of one of several."""

    def result_type(self, *arrays_and_dtypes: Any) -> DataType:
        """Return the dtype that arrays, dtypes and Python numbers share under the rules."""

    def abs(self, x: Any, /) -> Array:
        """Return the absolute value, which is real, element by element."""

    def acos(self, x: Any, /) -> Array:
        """Return the inverse cosine, in radians, element by element."""

    def acosh(self, x: Any, /) -> Array:
        """Return the inverse hyperbolic cosine, element by element."""

    def asin(self, x: Any, /) -> Array:
        """Return the inverse sine, in radians, element by element."""

    def asinh(self, x: Any, /) -> Array:
        """Return the inverse hyperbolic sine, element by element."""

    def atan(self, x: Any, /) -> Array:
        """Return the inverse tangent, in radians, element by element."""

    def atanh(self, x: Any, /) -> Array:
        """Return the inverse hyperbolic tangent, element by element."""

    def bitwise_invert(self, x: Any, /) -> Array:
        """Return bitwise NOT, ~x, element by element."""

    def ceil(self, x: Any, /) -> Array:
        """Return the ceiling, the smallest integer not less than x, element by element."""

    def conj(self, x: Any, /) -> Array:
        """Return the complex conjugate, element by element."""

    def cos(self, x: Any, /) -> Array:
        """Return the cosine of an angle in radians, element by element."""

    def cosh(self, x: Any, /) -> Array:
        """Return the hyperbolic cosine, element by element."""

    def exp(self, x: Any, /) -> Array:
        """Return e to the power of x, element by element."""

    def expm1(self, x: Any, /) -> Array:
        """Return exp(x) - 1, accurate for small x, element by element."""

    def floor(self, x: Any, /) -> Array:
        """Return the floor, the largest integer not greater than x, element by element."""

    def imag(self, x: Any, /) -> Array:
        """Return the imaginary part, element by element."""

    def isfinite(self, x: Any, /) -> Array:
        """Return whether x is finite, element by element."""

    def isinf(self, x: Any, /) -> Array:
        """Return whether x is infinite, element by element."""

    def isnan(self, x: Any, /) -> Array:
        """Return whether x is NaN, element by element."""

    def log(self, x: Any, /) -> Array:
        """Return the natural logarithm, element by element."""

    def log10(self, x: Any, /) -> Array:
        """Return the logarithm to base 10, element by element."""

    def log1p(self, x: Any, /) -> Array:
        """Return log(1 + x), accurate for small x, element by element."""

    def log2(self, x: Any, /) -> Array:
        """Return the logarithm to base 2, element by element."""

    def logical_not(self, x: Any, /) -> Array:
        """Return whether x is zero, element by element."""

    def negative(self, x: Any, /) -> Array:
        """Return -x, element by element."""

    def positive(self, x: Any, /) -> Array:
        """Return +x, element by element."""

    def real(self, x: Any, /) -> Array:
        """Return the real part, element by element."""

    def reciprocal(self, x: Any, /) -> Array:
        """Return 1 / x, element by element."""

    def round(self, x: Any, /) -> Array:
        """Return the nearest integer, the even one of two that are as near, element by element."""

    def sign(self, x: Any, /) -> Array:
        """Return -1, 0 or 1, the sign of x; for complex x, x / abs(x), element by element."""

    def signbit(self, x: Any, /) -> Array:
        """Return whether the sign bit is set, element by element."""

    def sin(self, x: Any, /) -> Array:
        """Return the sine of an angle in radians, element by element."""

    def sinh(self, x: Any, /) -> Array:
        """Return the hyperbolic sine, element by element."""

    def sqrt(self, x: Any, /) -> Array:
        """Return the square root, element by element."""

    def square(self, x: Any, /) -> Array:
        """Return x * x, element by element."""

    def tan(self, x: Any, /) -> Array:
        """Return the tangent of an angle in radians, element by element."""

    def tanh(self, x: Any, /) -> Array:
        """Return the hyperbolic tangent, element by element."""

    def trunc(self, x: Any, /) -> Array:
        """Return x rounded towards zero, element by element."""

    def add(self, x1: Any, x2: Any, /) -> Array:
        """Return x1 + x2, element by element."""

    def atan2(self, x1: Any, x2: Any, /) -> Array:
        """Return the angle of the point (x2, x1), in radians, element by element."""

    def bitwise_and(self, x1: Any, x2: Any, /) -> Array:
        """Return bitwise AND, x1 & x2, element by element."""

    def bitwise_left_shift(self, x1: Any, x2: Any, /) -> Array:
        """Return x1 << x2, element by element."""

    def bitwise_or(self, x1: Any, x2: Any, /) -> Array:
        """Return bitwise OR, x1 | x2, element by element."""

    def bitwise_right_shift(self, x1: Any, x2: Any, /) -> Array:
        """Return x1 >> x2, element by element."""

    def bitwise_xor(self, x1: Any, x2: Any, /) -> Array:
        """Return bitwise XOR, x1 ^ x2, element by element."""

    def copysign(self, x1: Any, x2: Any, /) -> Array:
        """Return the magnitude of x1 with the sign of x2, element by element."""

    def divide(self, x1: Any, x2: Any, /) -> Array:
        """Return x1 / x2, element by element."""

    def equal(self, x1: Any, x2: Any, /) -> Array:
        """Return x1 == x2, element by element."""

    def floor_divide(self, x1: Any, x2: Any, /) -> Array:
        """Return x1 // x2, element by element."""

    def greater(self, x1: Any, x2: Any, /) -> Array:
        """Return x1 > x2, element by element."""

    def greater_equal(self, x1: Any, x2: Any, /) -> Array:
        """Return x1 >= x2, element by element."""

    def hypot(self, x1: Any, x2: Any, /) -> Array:
        """Return the square root of x1**2 + x2**2, element by element."""

    def less(self, x1: Any, x2: Any, /) -> Array:
        """Return x1 < x2, element by element."""

    def less_equal(self, x1: Any, x2: Any, /) -> Array:
        """Return x1 <= x2, element by element."""

    def logaddexp(self, x1: Any, x2: Any, /) -> Array:
        """Return log(exp(x1) + exp(x2)), element by element."""

    def logical_and(self, x1: Any, x2: Any, /) -> Array:
        """Return whether both are nonzero, element by element."""

    def logical_or(self, x1: Any, x2: Any, /) -> Array:
        """Return whether at least one is nonzero, element by element."""

    def logical_xor(self, x1: Any, x2: Any, /) -> Array:
        """Return whether exactly one is nonzero, element by element."""

    def maximum(self, x1: Any, x2: Any, /) -> Array:
        """Return the larger of x1 and x2, element by element."""

    def minimum(self, x1: Any, x2: Any, /) -> Array:
        """Return the smaller of x1 and x2, element by element."""

    def multiply(self, x1: Any, x2: Any, /) -> Array:
        """Return x1 * x2, element by element."""

    def nextafter(self, x1: Any, x2: Any, /) -> Array:
        """Return the next representable number after x1 towards x2, element by element."""

    def not_equal(self, x1: Any, x2: Any, /) -> Array:
        """Return x1 != x2, element by element."""

    def pow(self, x1: Any, x2: Any, /) -> Array:
        """Return x1 ** x2, element by element."""

    def remainder(self, x1: Any, x2: Any, /) -> Array:
        """Return x1 % x2, with the sign of x2, element by element."""

    def subtract(self, x1: Any, x2: Any, /) -> Array:
        """Return x1 - x2, element by element."""

    def clip(self, x: Any, /, min: Any = None, max: Any = None) -> Array:
        """Clamp each element to the range [min, max].

        Args:
            x: an array.
            min: the lower bound, a number or an array; None for no bound.
            max: the upper bound.
        """

    def take(self, x: Any, indices: Any, /, *, axis: int | None = None) -> Array:
        """Take elements of an array along an axis."""

    def take_along_axis(self, x: Any, indices: Any, /, *, axis: int = -1) -> Array:
        """Take elements along an axis, at other indices for each row."""

    def __array_namespace_info__(self) -> Info:
        """Return the inspection API of the namespace."""

    def broadcast_arrays(self, *arrays: Any) -> tuple[Array, ...]:
        """Broadcast arrays against one another. What gets another shape cannot be written to."""

    def broadcast_shapes(self, *shapes: Sequence[int | None]) -> tuple[int | None, ...]:
        """Return the shape that arrays of these shapes broadcast to; None is an unknown length."""

    def broadcast_to(self, x: Any, /, shape: Any) -> Array:
        """Broadcast an array to a shape. The result cannot be written to: copy it first."""

    def concat(self, arrays: Any, /, *, axis: int | None = 0) -> Array:
        """Join arrays along an existing axis, in the dtype that they share."""

    def expand_dims(self, x: Any, /, axis: int | tuple[int, ...] = 0) -> Array:
        """Insert an axis of length 1 into the shape of an array, or several.

        Raises:
            IndexError: if the result has no such axis.
            ValueError: if one axis is given twice.
        """

    def flip(self, x: Any, /, *, axis: Axes = None) -> Array:
        """Reverse an array along the given axes, or all."""

    def matrix_transpose(self, x: Any, /) -> Array:
        """Transpose a matrix, or each matrix of a stack."""

    def moveaxis(self, x: Any, source: Any, destination: Any, /) -> Array:
        """Move axes of an array to new positions."""

    def permute_dims(self, x: Any, /, axes: Sequence[int]) -> Array:
        """Permute the axes of an array."""

    def repeat(self, x: Any, repeats: Any, /, *, axis: int | None = None) -> Array:
        """Repeat each element of an array."""

    def reshape(self, x: Any, /, shape: Any, *, copy: bool | None = None) -> Array:
        """Reshape an array without changing its data; the result is a view if it can be one.

        It is a copy of an array whose elements do not lie row by row, as those of a transpose.
        """

    def roll(self, x: Any, /, shift: int | tuple[int, ...], *, axis: Axes = None) -> Array:
        """Roll elements along the given axes; those that pass the end come in at the start."""

    def squeeze(self, x: Any, /, axis: int | tuple[int, ...]) -> Array:
        """Remove axes of length 1 from the shape of an array."""

    def stack(self, arrays: Any, /, *, axis: int = 0) -> Array:
        """Join arrays along a new axis, in the dtype that they share."""

    def tile(self, x: Any, repetitions: Sequence[int], /) -> Array:
        """Tile an array a number of times along each axis."""

    def unstack(self, x: Any, /, *, axis: int = 0) -> tuple[Array, ...]:
        """Split an array into a sequence of arrays along an axis."""

    def all(self, x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
        """Tell whether all elements along some axes are nonzero."""

    def any(self, x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
        """Tell whether any element along some axes is nonzero."""

    def cumulative_prod(
        self,
        x: Any,
        /,
        *,
        axis: int | None = None,
        dtype: Any = None,
        include_initial: bool = False,
    ) -> Array:
        """Return the cumulative product of elements along an axis."""

    def cumulative_sum(
        self,
        x: Any,
        /,
        *,
        axis: int | None = None,
        dtype: Any = None,
        include_initial: bool = False,
    ) -> Array:
        """Return the cumulative sum of elements along an axis."""

    def diff(
        self, x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None
    ) -> Array:
        """Return the `n`-th difference between neighbours along an axis."""

    def matmul(self, x1: Any, x2: Any, /) -> Array:
        """Return the matrix product."""

    def max(self, x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
        """Return the maximum along some axes."""

    def mean(self, x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
        """Return the arithmetic mean along some axes."""

    def min(self, x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
        """Return the minimum along some axes."""

    def prod(
        self, x: Any, /, *, axis: Axes = None, dtype: Any = None, keepdims: bool = False
    ) -> Array:
        """Return the product of elements along some axes."""

    def std(
        self, x: Any, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False
    ) -> Array:
        """Return the standard deviation along some axes, the square root of `var`."""

    def sum(
        self, x: Any, /, *, axis: Axes = None, dtype: Any = None, keepdims: bool = False
    ) -> Array:
        """Return the sum of elements along some axes."""

    def tensordot(self, x1: Any, x2: Any, /, *, axes: Any = 2) -> Array:
        """Return a tensor contraction of two arrays over some axes.

        Raises:
            ValueError: if the axes have other lengths: libraries broadcast a length of 1.
        """

    def var(
        self, x: Any, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False
    ) -> Array:
        """Return the variance along some axes; the divisor is the count minus `correction`."""

    def vecdot(self, x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
        """Return the dot product of vectors along an axis, with the first one conjugated."""

    def argmax(self, x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
        """Return the indices of the first occurrences of the maximum along an axis."""

    def argmin(self, x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
        """Return the indices of the first occurrences of the minimum along an axis."""

    def argsort(
        self, x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True
    ) -> Array:
        """Return the indices that sort an array along an axis."""

    def count_nonzero(self, x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
        """Count nonzero elements along some axes."""

    def isin(self, x1: Any, x2: Any, /, *, invert: bool = False) -> Array:
        """Tell for each element of x1 whether it is in x2."""

    def nonzero(self, x: Any, /) -> tuple[Array, ...]:
        """Return the indices of the nonzero elements, for each axis."""

    def searchsorted(self, x1: Any, x2: Any, /, *, side: str = "left", sorter: Any = None) -> Array:
        """Return the indices at which to insert x2 into sorted x1, to keep it sorted."""

    def sort(
        self, x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True
    ) -> Array:
        """Return a sorted array along an axis."""

    def unique_all(self, x: Any, /) -> UniqueAll:
        """Return the unique elements, with first indices, inverse indices, and counts."""

    def unique_counts(self, x: Any, /) -> UniqueCounts:
        """Return the unique elements, and their counts."""

    def unique_inverse(self, x: Any, /) -> UniqueInverse:
        """Return the unique elements, and inverse indices."""

    def unique_values(self, x: Any, /) -> Array:
        """Return the unique elements."""

    def where(self, condition: Any, x1: Any, x2: Any, /) -> Array:
        """Return elements of x1 where the condition is true, and of x2 elsewhere."""

class LinearAlgebra(Extension):
    def cholesky(self, x: Any, /, *, upper: bool = False) -> Array:
        """Return the Cholesky factor of a positive-definite matrix."""

    def cross(self, x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
        """Return the cross product of 3-element vectors."""

    def det(self, x: Any, /) -> Array:
        """Return the determinant of a square matrix."""

    def diagonal(self, x: Any, /, *, offset: int = 0) -> Array:
        """Return a diagonal of a matrix. It cannot be written to: copy it first."""

    def eig(self, x: Any, /) -> Eig:
        """Return the eigenvalues and eigenvectors of a square matrix, which are complex."""

    def eigh(self, x: Any, /) -> Eig:
        """Return the eigenvalues and eigenvectors of a Hermitian matrix."""

    def eigvals(self, x: Any, /) -> Array:
        """Return the eigenvalues of a square matrix, which are complex."""

    def eigvalsh(self, x: Any, /) -> Array:
        """Return the eigenvalues of a Hermitian matrix."""

    def inv(self, x: Any, /) -> Array:
        """Return the multiplicative inverse of a square matrix."""

    def matmul(self, x1: Any, x2: Any, /) -> Array:
        """Return the matrix product."""

    def matrix_norm(self, x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
        """Return the norm of a matrix."""

    def matrix_power(self, x: Any, n: int, /) -> Array:
        """Raise a square matrix to an integer power; a negative one is a power of the inverse."""

    def matrix_rank(self, x: Any, /, *, rtol: Any = None) -> Array:
        """Return the rank of a matrix: the number of its nonzero singular values."""

    def matrix_transpose(self, x: Any, /) -> Array:
        """Transpose a matrix, or each matrix of a stack."""

    def outer(self, x1: Any, x2: Any, /) -> Array:
        """Return the outer product of two vectors."""

    def pinv(self, x: Any, /, *, rtol: Any = None) -> Array:
        """Return the Moore-Penrose pseudo-inverse of a matrix."""

    def qr(self, x: Any, /, *, mode: str = "reduced") -> QR:
        """Return the QR decomposition of a matrix."""

    def slogdet(self, x: Any, /) -> SlogDet:
        """Return the sign and the natural logarithm of the absolute value of the determinant."""

    def solve(self, x1: Any, x2: Any, /) -> Array:
        """Solve x1 @ x = x2."""

    def svd(self, x: Any, /, *, full_matrices: bool = True) -> SVD:
        """Return the singular value decomposition of a matrix."""

    def svdvals(self, x: Any, /) -> Array:
        """Return the singular values of a matrix."""

    def tensordot(self, x1: Any, x2: Any, /, *, axes: Any = 2) -> Array:
        """Return a tensor contraction of two arrays over some axes.

        Raises:
            ValueError: if the axes have other lengths: libraries broadcast a length of 1.
        """

    def trace(self, x: Any, /, *, offset: int = 0, dtype: Any = None) -> Array:
        """Return the sum along a diagonal of a matrix."""

    def vecdot(self, x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
        """Return the dot product of vectors along an axis, with the first one conjugated."""

    def vector_norm(
        self, x: Any, /, *, axis: Axes = None, keepdims: bool = False, ord: Any = 2
    ) -> Array:
        """Return the norm of a vector."""

class FourierTransforms(Extension):
    def fft(
        self, x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
    ) -> Array:
        """Return the discrete Fourier transform."""

    def ifft(
        self, x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
    ) -> Array:
        """Return the inverse of `fft`."""

    def rfft(
        self, x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
    ) -> Array:
        """Return the discrete Fourier transform of real input, without negative frequencies."""

    def irfft(
        self, x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
    ) -> Array:
        """Return the inverse of `rfft`, which is real."""

    def hfft(
        self, x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
    ) -> Array:
        """Return the discrete Fourier transform of input with Hermitian symmetry, which is real."""

    def ihfft(
        self, x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
    ) -> Array:
        """Return the inverse of `hfft`."""

    def fftn(
        self,
        x: Any,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: str = "backward",
    ) -> Array:
        """Return the discrete Fourier transform over several axes."""

    def ifftn(
        self,
        x: Any,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: str = "backward",
    ) -> Array:
        """Return the inverse of `fftn`."""

    def rfftn(
        self,
        x: Any,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: str = "backward",
    ) -> Array:
        """Return the discrete Fourier transform of real input over several axes."""

    def irfftn(
        self,
        x: Any,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: str = "backward",
    ) -> Array:
        """Return the inverse of `rfftn`, which is real."""

    def fftfreq(self, n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
        """Return the sample frequencies of `fft`, for `n` samples with spacing `d`."""

    def fftshift(self, x: Any, /, *, axes: int | Sequence[int] | None = None) -> Array:
        """Shift the zero-frequency component to the centre."""

    def ifftshift(self, x: Any, /, *, axes: int | Sequence[int] | None = None) -> Array:
        """Undo `fftshift`."""

    def rfftfreq(
        self, n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None
    ) -> Array:
        """Return the sample frequencies of `rfft`, for `n` samples with spacing `d`."""
