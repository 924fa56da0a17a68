"""Calls of all functions of a namespace, as tables by what they take, and operands for them."""

import operator

import numpy as np

import supremum
from supremum.arrays.functions import BINARY, UNARY

DTYPES = [
    *("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
    *("bfloat16", "float16", "float32", "float64", "complex64", "complex128"),
]
NUMBERS = {"True": True, "1": 1, "1.5": 1.5, "1+1j": 1 + 1j}


def calls(*names, part=None, **options):
    """Return functions of a namespace, or of a part of it, each under its name."""

    def call(name):
        return lambda xp, *xs: getattr(getattr(xp, part) if part else xp, name)(*xs, **options)

    return {name: call(name) for name in names}


def of_length(xp, length):
    """Return the option by which JAX is told the length of a result that depends on values."""
    return {"size": length} if xp.__name__ == "jax.numpy" else {}


def sized(name):
    return {name: lambda xp, x: getattr(xp, name)(x, **of_length(xp, 3))}


def square(xp, x):
    return xp.broadcast_to(x, (3, 3))


FLAT = {  # of one operand with dimensions
    **calls("argsort", "cumulative_prod", "cumulative_sum", "diff", "sort", "unstack", "meshgrid"),
    **calls(*("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"), part="fft"),
    **calls("fftn", "ifftn", "rfftn", "irfftn", "fftshift", "ifftshift", part="fft"),
    "sort descending": lambda xp, x: xp.sort(x, descending=True),
    "argsort descending": lambda xp, x: xp.argsort(x, descending=True),
    "cumulative_sum initial": lambda xp, x: xp.cumulative_sum(x, include_initial=True),
    "cumulative_sum dtype": lambda xp, x: xp.cumulative_sum(x, dtype="float32"),
    "x[0]": lambda _, x: x[0],
    "x[1:]": lambda _, x: x[1:],
    "x[array]": lambda xp, x: x[xp.asarray([0, 1])],
    "list": lambda _, x: list(x),
    "take": lambda xp, x: xp.take(x, xp.asarray([0, 1]), axis=0),
    "take_along_axis": lambda xp, x: xp.take_along_axis(x, xp.asarray([0, 1]), axis=0),
    "sum axis": lambda xp, x: xp.sum(x, axis=0, keepdims=True),
}
ONE = {  # of one operand of any rank
    **calls(*UNARY),
    **calls("sum", "prod", "mean", "std", "var", "max", "min", "argmax", "argmin", "any", "all"),
    **calls("count_nonzero", "clip", "asarray", "zeros_like", "ones_like", "flip"),
    **calls("vector_norm", part="linalg"),
    "unique_values": lambda xp, x: xp.sort(sized("unique_values")["unique_values"](xp, x)),
    **sized("unique_all"),
    **sized("unique_counts"),
    **sized("unique_inverse"),
    "nonzero": lambda xp, x: xp.nonzero(xp.reshape(x, (-1,)), **of_length(xp, 2)),
    "std correction": lambda xp, x: xp.std(x, correction=0.5),
    "sum dtype": lambda xp, x: xp.sum(xp.real(x), dtype="float32"),
    "prod dtype": lambda xp, x: xp.prod(xp.real(x), dtype="float32"),
    "reshape": lambda xp, x: xp.reshape(x, (-1,)),
    "expand_dims": lambda xp, x: xp.expand_dims(x, axis=0),
    "squeeze": lambda xp, x: xp.squeeze(xp.expand_dims(x, axis=0), axis=0),
    "broadcast_to": square,
    "broadcast_arrays": lambda xp, x: xp.broadcast_arrays(x, x),
    "moveaxis": lambda xp, x: xp.moveaxis(square(xp, x), 0, 1),
    "permute_dims": lambda xp, x: xp.permute_dims(square(xp, x), (1, 0)),
    "matrix_transpose": lambda xp, x: xp.matrix_transpose(square(xp, x)),
    "T": lambda xp, x: square(xp, x).T,
    "repeat": lambda xp, x: xp.repeat(x, 2),
    "roll": lambda xp, x: xp.roll(x, 1),
    "tile": lambda xp, x: xp.tile(x, (2,)),
    "tril": lambda xp, x: xp.tril(square(xp, x)),
    "triu": lambda xp, x: xp.triu(square(xp, x)),
    "empty_like": lambda xp, x: xp.zeros_like(xp.empty_like(x)),
    "full": lambda xp, x: xp.full((3,), x),
    "full_like number": lambda xp, x: xp.full_like(x, 1),
    "zeros_like dtype": lambda xp, x: xp.zeros_like(x, dtype="int16"),
    "astype bool": lambda xp, x: xp.astype(x, xp.bool),
    "astype int8": lambda xp, x: xp.astype(xp.real(x), "int8"),
    "astype float32": lambda xp, x: xp.astype(xp.real(x), "float32"),
    "astype own": lambda xp, x: xp.astype(square(xp, x), square(xp, x).dtype),
    "astype complex64": lambda xp, x: xp.astype(x, "complex64"),
    "x ** 2": lambda xp, x: xp.asarray(x) ** 2,
    "2 ** x": lambda xp, x: 2 ** xp.asarray(x),
    "-x": lambda xp, x: -xp.asarray(x),
    "~x": lambda xp, x: ~xp.asarray(x),
    "abs(x)": lambda xp, x: abs(xp.asarray(x)),
    "trace broadcast": lambda xp, x: xp.linalg.trace(square(xp, x)),
    "diagonal": lambda xp, x: xp.linalg.diagonal(square(xp, x)),
    "vector_norm 1": lambda xp, x: xp.linalg.vector_norm(x, ord=1),
    "vector_norm inf": lambda xp, x: xp.linalg.vector_norm(x, ord=float("inf")),
    "matrix_norm broadcast": lambda xp, x: xp.linalg.matrix_norm(square(xp, x)),
    "matrix_norm 1": lambda xp, x: xp.linalg.matrix_norm(square(xp, x), ord=1),
}
MATRIX = {  # of a symmetric matrix
    **calls("inv", "det", "qr", "svd", "eigh", "cholesky", "pinv", "slogdet", part="linalg"),
    **calls("matrix_rank", "eigvalsh", "svdvals", "trace", "matrix_norm", part="linalg"),
    "eig": lambda xp, x: xp.linalg.eig(x),
    "eigvals": lambda xp, x: xp.linalg.eigvals(x),
    "trace dtype": lambda xp, x: xp.linalg.trace(xp.real(x), dtype="float32"),
    "matrix_norm 2": lambda xp, x: xp.linalg.matrix_norm(x, ord=2),
    "svd thin": lambda xp, x: xp.linalg.svd(x, full_matrices=False),
    "qr complete": lambda xp, x: xp.linalg.qr(x, mode="complete"),
    "pinv rtol": lambda xp, x: xp.linalg.pinv(x, rtol=0.01),
    **{f"matrix_power {n}": lambda xp, x, n=n: xp.linalg.matrix_power(x, n) for n in (-1, 0, 1, 2)},
}
MATRICES = calls("solve", "matmul", "tensordot", "vecdot", part="linalg")
FLATS = {  # of two operands with dimensions
    **calls("matmul", "vecdot"),
    **calls("cross", "outer", part="linalg"),
    "tensordot": lambda xp, x, y: xp.tensordot(x, y, axes=1),
    "diff prepend": lambda xp, x, y: xp.diff(x, prepend=y),
    "diff append": lambda xp, x, y: xp.diff(x, append=y),
    "x @ y": lambda _, x, y: x @ y,
}
OPERATORS = (
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "and_",
    "or_",
    "xor",
    "lshift",
    "eq",
)
TWO = {  # of two operands of any rank
    **calls(*BINARY),
    **calls("isin", "broadcast_arrays"),
    "linspace": lambda xp, x, y: xp.linspace(x, y, 5),
    **{
        f"operator {name}": lambda _, x, y, n=name: getattr(operator, n)(x, y) for name in OPERATORS
    },
    "where": lambda xp, x, y: xp.where(xp.asarray([True, False, True]), x, y),
    "where condition": lambda xp, x, y: xp.where(x, y, y),
    "clip min": lambda xp, x, y: xp.clip(x, min=y),
    "clip max": lambda xp, x, y: xp.clip(x, None, y),
    "clip both": lambda xp, x, y: xp.clip(x, y, y),
    "searchsorted": lambda xp, x, y: xp.searchsorted(xp.sort(xp.reshape(x, (-1,))), y),
    "concat": lambda xp, x, y: xp.concat([xp.reshape(x, (-1,)), xp.reshape(y, (-1,))]),
    "stack": lambda xp, x, y: xp.stack([square(xp, x), square(xp, y)]),
}
MADE = {  # of nothing
    **{
        f"{name} 2": lambda xp, n=name: getattr(xp, n)(2)
        for name in ("zeros", "ones", "eye", "empty")
    },
    **{f"asarray {x}": lambda xp, x=x: xp.asarray(x) for x in (True, 1, 1.5, 1j)},
    **{f"full {x}": lambda xp, x=x: xp.full((2,), x) for x in (True, 1, 1.5, 1j)},
    "asarray [1, 2.0]": lambda xp: xp.asarray([1, 2.0]),
    "asarray [True, 2]": lambda xp: xp.asarray([True, 2]),
    "asarray [1, 2j]": lambda xp: xp.asarray([1, 2j]),
    "asarray []": lambda xp: xp.asarray([]),
    "asarray of arrays": lambda xp: xp.asarray([xp.asarray(1, dtype="int16"), 1.5]),
    "asarray of weak": lambda xp: xp.asarray([xp.asarray(1), xp.asarray(2)]),
    "arange 3": lambda xp: xp.arange(3),
    "arange 3.0": lambda xp: xp.arange(3.0),
    "arange step": lambda xp: xp.arange(0, 3, 0.5),
    "arange dtype": lambda xp: xp.arange(3, dtype="int16"),
    "linspace numbers": lambda xp: xp.linspace(0, 1, 5),
    "linspace complex": lambda xp: xp.linspace(0, 1j, 5),
    "linspace float16": lambda xp: xp.linspace(0, 1, 5, dtype="float16"),
    "linspace int16": lambda xp: xp.linspace(0, 10, 3, dtype="int16"),
    "full dtype": lambda xp: xp.full((2,), 1, dtype="float32"),
    "zeros float64": lambda xp: xp.zeros(2, dtype="float64"),
    "fftfreq": lambda xp: xp.fft.fftfreq(4),
    "rfftfreq": lambda xp: xp.fft.rfftfreq(4),
    "int16(1)": lambda xp: xp.int16(1),
    "int16(1) + 1": lambda xp: xp.int16(1) + 1,
}
DOMAINS = {  # functions, how many operands, their shapes, whether Python numbers are among them
    "made": (MADE, 0, [], False),
    "flat": (FLAT, 1, [(3,)], False),
    "one": (ONE, 1, [(3,), ()], True),
    "matrix": (MATRIX, 1, [(3, 3)], False),
    "matrices": (MATRICES, 2, [(3, 3)], False),
    "flats": (FLATS, 2, [(3,)], False),
    "two": (TWO, 2, [(3,), ()], True),
}


def values(d, shape, place=0):
    """Return values that a dtype holds, none of which is zero where they are the second operand."""
    kind = supremum.dtype(d).kind
    plain = np.array([[3, 1, 2], [2, 1, 3]][place]).astype(np.float64)
    if d == "float8_e8m0fnu" and len(shape) == 2:
        plain = np.ones((3, 3))  # it has no zero
    elif len(shape) == 2:
        plain = np.array([[4, 1, 0], [1, 3, 1], [0, 1, 5]]) if kind != "bool" else np.eye(3)
    elif kind == "bool":
        plain = np.array([1, place, 1])
    elif kind in ("float", "complex"):
        plain = plain / 4 if place == 0 else plain / 2
        plain = plain + (np.array([0.5j, -0.25j, 1j]) if kind == "complex" else 0)
    return plain.reshape(-1)[0].reshape(()) if not shape else plain


def natives(shapes, place=0, dtypes=DTYPES):
    """Return arrays of NumPy of each dtype, by names that tell their shapes."""
    return {
        f"{d} {shape}": np.asarray(values(d, shape, place)).astype(supremum.dtype(d).to("numpy"))
        for shape in shapes
        for d in dtypes
    }


def leaves(x):
    return [leaf for part in x for leaf in leaves(part)] if isinstance(x, (list, tuple)) else [x]


def changed(name, functions):
    """Return the namespace under some rules in which functions have these rules; None for none."""
    rules = supremum.system(name)
    known = {f: rule for f, rule in {**rules.functions, **functions}.items() if rule is not None}
    return supremum.namespace(rules.replace(functions=known))
