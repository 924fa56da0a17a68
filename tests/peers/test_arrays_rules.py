"""The namespace under NumPy's and PyTorch's rules, on NumPy, against the libraries themselves.

Every function is asked of every dtype and Python number, or pair of them, with dimensions and
without. NumPy's rules are compared in dtypes and values, PyTorch's in dtypes: if NumPy does not
compute in one, the error names it.
"""

from functools import cache
from itertools import product

import numpy as np
import pytest
import torch

import supremum

from . import array_calls as calls

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),  # NumPy's word on values that are NaN
    pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning"),
    pytest.mark.filterwarnings("ignore:ComplexHalf support:UserWarning"),
    pytest.mark.filterwarnings("ignore:(std|var).*degrees of freedom:UserWarning"),
    pytest.mark.filterwarnings("ignore:torch.meshgrid:UserWarning"),
    pytest.mark.filterwarnings("ignore:where received a uint8:UserWarning"),
]

REFUSED = "refused"
NO_KERNEL = "no kernel"
TENSORS_ALONE = "takes tensors alone"
WIDE_UNSIGNED = ("uint16", "uint32", "uint64")


class Functions:
    """Functions of PyTorch by the names that the array API has for them."""

    def __init__(self, module, others):
        self.module = module
        self.others = others
        self.__name__ = module.__name__

    def __getattr__(self, name):
        found = self.others.get(name, name)
        return getattr(self.module, found) if isinstance(found, str) else found


def cumulative(name):
    return lambda x: getattr(torch, name)(x, dim=0)


def tensordot(x, y, axes=2):
    return torch.tensordot(x, y, dims=axes)


TORCH = Functions(
    torch,
    {
        "asarray": torch.as_tensor,
        "bitwise_invert": "bitwise_not",
        "broadcast_arrays": "broadcast_tensors",
        "concat": "cat",
        "cumulative_prod": cumulative("cumprod"),
        "cumulative_sum": cumulative("cumsum"),
        "equal": "eq",
        "linalg": Functions(
            torch.linalg,
            {"outer": torch.outer, "tensordot": tensordot, "trace": torch.trace},
        ),
        "permute_dims": "permute",
        "searchsorted": lambda x, y: torch.searchsorted(x.contiguous(), y),
        "sort": lambda x, **options: torch.sort(x, **options).values,
        "take": lambda x, indices, axis: torch.index_select(x, axis, indices),
        "tensordot": tensordot,
        "take_along_axis": torch.take_along_dim,
        "unique_values": "unique",
        "unstack": "unbind",
        "vecdot": torch.linalg.vecdot,
    },
)
NOT_OF_NUMPY = {"sort descending", "argsort descending"}  # it has no such option
NOT_OF_TORCH = {  # it has no such function or option
    *("cumulative_sum initial", "expand_dims", "flip", "matrix_transpose", "repeat", "squeeze"),
    *("unique_all", "unique_counts", "unique_inverse", "trace broadcast", "linspace float16"),
    *("linspace int16", "zeros float64", "int16(1)", "int16(1) + 1", "asarray of arrays"),
    *(name for table, *_ in calls.DOMAINS.values() for name in table if "dtype" in name),
    *(name for table, *_ in calls.DOMAINS.values() for name in table if "astype" in name),
}


def has(names, *dtypes):
    return any(name.partition(" ")[0] in dtypes for name in names)


def has_numbers(names):
    return any(name in calls.NUMBERS for name in names)


def is_singular(name, _, want, __):
    return name == "matrix_norm 2" and want == REFUSED


# What is meant to differ: why, and which function, operands, the library's answer and ours.
NUMPY_DIFFERS = {
    "NumPy takes a Python number for its own real part": lambda name, names, *_: (
        name in ("real", "imag") and has_numbers(names)
    ),
    "NumPy's astype takes no number": lambda name, names, *_: (
        name.startswith("astype") and has_numbers(names)
    ),
    "NumPy looks at the number of axes: irfftn of one is irfft": lambda name, names, *_: (
        name == "irfftn" and names[0] in ("bfloat16 (3,)", "float16 (3,)")
    ),
    "NumPy looks at the power: that of bfloat16 is float32 where it multiplies": (
        lambda name, names, *_: name == "matrix_power 2" and has(names, "bfloat16")
    ),
    "NumPy looks at eigenvalues, which are complex by the standard": lambda name, _, want, got: (
        name in ("eig", "eigvals")
        and got == [supremum.promote_types(d, "complex64", system="numpy").name for d in want]
    ),
    "NumPy looks at the order: a norm by singular values has no float16": is_singular,
    "NumPy makes objects of what it does not promote": lambda name, _, want, got: (
        name == "tensordot" and want == ["object"] and got == REFUSED
    ),
}
TORCH_DIFFERS = {
    "PyTorch has no kernel of it": lambda _, __, want, ___: want == NO_KERNEL,
    "PyTorch's function takes tensors alone": lambda _, names, want, __: (
        want == TENSORS_ALONE and has_numbers(names)
    ),
    "all and any are bool by the standard, and of uint8 PyTorch's are not": (
        lambda name, names, *_: name in ("all", "any") and has(names, "uint8")
    ),
    "the rules of operators leave complex32 out": lambda _, names, __, got: (
        got == REFUSED and has(names, "float16") and has(names, "1+1j", "complex64", "complex128")
    ),
    "PyTorch looks at the number: 1 ** x and x ** 1 need no kernel": lambda name, names, _, got: (
        name == "pow" and has(names, "1", "True") and got == REFUSED
    ),
    "sorting keeps a dtype, and asks no rule": lambda name, _, want, __: (
        name.partition(" ")[0] in ("sort", "argsort") and want == REFUSED
    ),
    "isin compares, and follows equal": lambda name, _, want, got: (
        name == "isin" and want == REFUSED and got == ["bool"]
    ),
    "PyTorch looks at the order: a norm by singular values has no 16 bits": is_singular,
    "PyTorch's full takes a number and no tensor": lambda name, names, *_: (
        name == "full" and not has_numbers(names)
    ),
    "a condition is a bool, and we cast what PyTorch refuses": lambda name, names, want, _: (
        name == "where condition" and want == REFUSED and not has(names[:1], "bool")
    ),
    "PyTorch's clip of one bound takes bools, and of two it does not": lambda name, _, want, got: (
        name in ("clip min", "clip max") and want == ["bool"] and got == REFUSED
    ),
    "PyTorch's clip needs a bound": lambda name, _, want, __: name == "clip" and want == REFUSED,
    "PyTorch's linspace takes both ends for numbers, and joins nothing": (
        lambda name, _, want, got: name == "linspace" and REFUSED in (want, got)
    ),
}


def dtypes(found):
    """Return the names of the dtypes of arrays, or types of what is none."""
    return [
        supremum.dtype(x.dtype).name
        if hasattr(x, "dtype") and str(x.dtype) != "object"
        else str(getattr(x, "dtype", type(x).__name__))
        for x in calls.leaves(found)
    ]


def ours(call, xp, xs):
    """Return the dtypes of what we give, and that itself."""
    try:
        found = calls.leaves(call(xp, *xs))
    except supremum.DTypeError as error:
        return [error.given.name], None  # decided, but not computed
    except (TypeError, supremum.SupremumError):
        return REFUSED, None
    return dtypes(found), found


def of_numpy(call, xs):
    try:
        found = calls.leaves(call(np, *xs))
    except (TypeError, AttributeError):
        return REFUSED, None
    return dtypes(found), found


def of_torch(call, xs):
    try:
        return dtypes(call(TORCH, *xs)), None
    except (RuntimeError, NotImplementedError) as error:
        return NO_KERNEL if " not implemented for '" in str(error) else REFUSED, None
    except (TypeError, AttributeError):
        return TENSORS_ALONE if any(not hasattr(x, "dtype") for x in xs) else REFUSED, None


def as_tensor(native):
    d = supremum.dtype(native.dtype)
    wide = native.astype(np.float32) if d.name == "bfloat16" else native
    return torch.as_tensor(np.array(wide)).to(getattr(torch, d.name))


def same(mine, other):
    """Tell whether arrays have the same shapes and values; NaNs are the same."""
    for a, b in zip(mine, other, strict=True):
        x, y = np.asarray(getattr(a, "native", a)), np.asarray(b)
        if x.dtype.kind == "V":  # bfloat16, whose NaNs NumPy does not find
            x, y = x.astype(np.float32), y.astype(np.float32)
        if not np.array_equal(x, y, equal_nan=x.dtype.kind in "fc"):
            return False
    return True


LIBRARIES = {
    "numpy": (of_numpy, np.asarray, NOT_OF_NUMPY, NUMPY_DIFFERS),
    "torch": (of_torch, as_tensor, NOT_OF_TORCH, TORCH_DIFFERS),
}
# NumPy scales what it transforms back from float16 in float16.
ROUGH = {"ifft", "ihfft", "ifftn"}


def differences(library, domain, xp, table=None):
    """Return how often each reason is met, and None for none, and what has no reason."""
    theirs, make, left_out, reasons = LIBRARIES[library]
    whole, arity, shapes, numbers = calls.DOMAINS[domain]
    table = {name: whole[name] for name in table or whole if name not in left_out}
    natives = [calls.natives(shapes, place) for place in (0, 1)]
    more = calls.NUMBERS if numbers else {}
    mine = [{name: xp.asarray(x) for name, x in some.items()} | more for some in natives]
    other = [{name: make(x) for name, x in some.items()} | more for some in natives]
    met, different = {None: 0}, []
    for (name, call), names in product(table.items(), product(mine[0], repeat=arity)):
        got, found = ours(call, xp, [mine[i][x] for i, x in enumerate(names)])
        want, wanted = theirs(call, [other[i][x] for i, x in enumerate(names)])
        if got == want or (got == REFUSED and isinstance(want, str)):
            met[None] += 1
            rough = name in ROUGH and has(names, "float16")
            if wanted is not None and not rough and not same(found, wanted):
                different.append(f"{name} of {names}: {library} says {wanted}, we say {found}")
            continue
        why = [reason for reason, fits in reasons.items() if fits(name, names, want, got)]
        if not why:
            different.append(f"{name} of {names}: {library} says {want}, we say {got}")
        for reason in why[:1]:
            met[reason] = met.get(reason, 0) + 1
    return met, different


@cache
def measured(library, domain):
    return differences(library, domain, supremum.namespace(library, backend="numpy"))


VERSIONS = {"numpy": np.__version__, "torch": torch.__version__}
BY_LIBRARY = [(library, domain) for library in LIBRARIES for domain in calls.DOMAINS]


@pytest.mark.parametrize(("library", "domain"), BY_LIBRARY)
def test_every_call(library, domain, count):
    met, different = measured(library, domain)
    shown = "\n".join(different[:20])
    assert not different, f"{len(different)} differ\n{shown}"
    what = "dtypes and values" if library == "numpy" else "dtypes"
    told = f"{library} {VERSIONS[library]}: {met[None]:,} calls of {domain}, {what} equal"
    counted = [f"{n:,} times {reason}" for reason, n in met.items() if reason]
    count("; ".join([told, *counted]))


@pytest.mark.parametrize("library", LIBRARIES)
def test_each_reason_is_met(library):
    met = set().union(*(measured(library, domain)[0] for _, domain in BY_LIBRARY))
    assert met == {None, *LIBRARIES[library][3]}


@pytest.mark.parametrize(
    ("library", "name", "wrong", "domain"),
    [
        ("numpy", "square", "", "one"),
        ("numpy", "hypot", "bool integer: f64; complex: -", "two"),
        ("torch", "square", "", "one"),
        ("torch", "vecdot", "", "matrices"),
    ],
)
def test_a_wrong_rule_is_noticed(library, name, wrong, domain):
    assert differences(library, domain, calls.changed(library, {name: wrong}), [name])[1]


@pytest.mark.parametrize(
    ("word", "plain", "name", "domain"),
    [("apart", False, "solve", "matrices"), ("special", None, "linspace", "two")],
)
def test_a_word_that_is_left_out_is_noticed(word, plain, name, domain):
    rule = supremum.system("numpy").functions[name]
    assert getattr(rule, word) != plain
    xp = calls.changed("numpy", {name: rule._replace(**{word: plain})})
    assert differences("numpy", domain, xp, [name])[1]


def test_a_wrong_value_is_noticed(monkeypatch):
    call = calls.ONE["square"]
    monkeypatch.setitem(calls.ONE, "square", lambda xp, x: call(xp, x) + (0 if xp is np else 1))
    assert differences("numpy", "one", supremum.namespace("numpy"), ["square"])[1]


SCALARS = (0.1, 1e5, 3001, -7.3, 2, 0)
# The operators, and whether those with the scalar first give the bits of PyTorch on NumPy, too: its
# own // rounds in between.
NARROW = {"*": True, "+": True, "-": True, "/": True, "//": False}


@pytest.mark.parametrize("backend", ["numpy", "torch"])
@pytest.mark.parametrize("d", ["float16", "bfloat16"])
@pytest.mark.parametrize("sign", NARROW)
def test_a_scalar_beside_narrow_floats_is_as_wide_as_in_pytorch(backend, d, sign):
    xp = supremum.namespace("torch", backend=backend)
    every = torch.arange(2**16).to(torch.int16).view(getattr(torch, d))
    ours = xp.asarray(every)
    function = eval(f"lambda x, y: x {sign} y")
    for s, to in product(SCALARS, (None, "float32", "int64")):
        theirs = s if to is None else torch.tensor(s, dtype=getattr(torch, to))
        mine = s if to is None else xp.asarray(s, dtype=to)
        for swapped in (False, True):
            if swapped and backend == "numpy" and not NARROW[sign]:
                continue
            wanted = function(theirs, every) if swapped else function(every, theirs)
            found = function(mine, ours) if swapped else function(ours, mine)
            assert str(wanted.dtype) == f"torch.{found.dtype}"
            values = np.asarray(found).astype(np.float32)
            np.testing.assert_array_equal(values, wanted.float().numpy(), f"{s} {to} {swapped}")


WHOLE = ("bool", "uint8", "int8", "int16", "int32", "int64")
SHAPES = ((), (1,), (1, 1), (7,), (7, 1))


@pytest.mark.parametrize("backend", ["numpy", "torch"])
@pytest.mark.parametrize("d", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("sign", NARROW)
def test_integers_beside_narrow_floats_are_taken_as_pytorch_takes_them(backend, d, sign):
    xp, function = supremum.namespace("torch", backend=backend), eval(f"lambda x, y: x {sign} y")
    draw = np.random.default_rng(7)
    for to, shape, other in product(WHOLE, SHAPES, SHAPES):
        if (sign, to) == ("-", "bool"):
            continue  # which PyTorch refuses
        is_rounded = backend == "numpy" and not NARROW[sign]
        if is_rounded and shape not in SHAPES[:3]:
            continue
        x = torch.tensor(draw.uniform(0.5, 300, other)).to(getattr(torch, d))
        least, largest = (1, 2) if to == "bool" else (1, 128 if to.endswith("t8") else 3000)
        y = torch.tensor(draw.integers(least, largest, shape)).to(getattr(torch, to))
        pairs = [(x, y), (y, x)]
        for a, b in pairs[: 1 if is_rounded else 2]:
            wanted, found = function(a, b), function(xp.asarray(a), xp.asarray(b))
            assert str(wanted.dtype) == f"torch.{found.dtype}"
            values = np.asarray(found).astype(np.float32)
            np.testing.assert_array_equal(values, wanted.float().numpy(), f"{a} {b}")
        if np.broadcast_shapes(shape, other) == other:
            mine = xp.asarray(x.clone())
            exec(f"mine {sign}= y", {"mine": mine, "y": xp.asarray(y)})
            exec(f"x {sign}= y", {"x": x, "y": y})
            np.testing.assert_array_equal(np.asarray(mine).astype(np.float32), x.float().numpy())
