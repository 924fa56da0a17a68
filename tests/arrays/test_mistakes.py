"""Bad input: each mistake has one error, which says what to type, before anything is written."""

import inspect

import numpy as np  # noqa: F401  # what is typed names it
import pytest

import supremum
from supremum import DTypeError, PromotionError, RulesError
from supremum.custom import PromotionSystem

jax = supremum.namespace("jax", backend="numpy")
narrow = supremum.namespace("jax", x64=False)
numpy = supremum.namespace("numpy")
torch = supremum.namespace("torch", backend="numpy")
strict = supremum.namespace("array-api")
mode = supremum.namespace("jax", mode="strict")

i8, i16, u8 = (jax.asarray([1, 2], dtype=name) for name in ("int8", "int16", "uint8"))
n8 = numpy.asarray([1, 2], dtype=numpy.int8)
f32 = numpy.asarray([1, 2], dtype=numpy.float32)
s64, sf = strict.asarray([1, 2]), strict.asarray([1.5])

JAX = "supremum.namespace('jax', backend='numpy')"
MIXED = (
    f" and one from {JAX}; choose one of the two, and convert the other operand with its asarray, "
    "for example xp.asarray(y)"
)
UNDEFINED = "the standard leaves a mix of"
ON = " on the numpy backend"
ADD = "on the numpy backend: cannot apply add to"
KEYWORDS = ": in the array API it takes only operands; write y = xp."


class Foreign:
    """An array of a library that is no backend here."""

    __module__ = "elsewhere.arrays"
    dtype, shape, ndim = "int8", (2,), 1


MISTAKES = [
    # a mix that the rules refuse
    ("s64 + sf", PromotionError,
     (f"{ADD} int64[2] and float64[1] under array API rules (2025.12): {UNDEFINED} float and "
     "integer undefined; cast to float64 first, for example with x.astype('float64')")),
    ("s64 + 1.5", PromotionError,
     (f"{ADD} int64[2] and 1.5 under array API rules (2025.12): {UNDEFINED} float and integer "
     "undefined; cast the array to float64 first, with x.astype('float64')")),
    ("mode.asarray([1], dtype='int8') * mode.asarray([1], dtype='int16')", PromotionError,
     ("on the numpy backend: cannot apply multiply to int8[1] and int16[1] under JAX rules (x64 "
     "on, strict): strict mode joins a dtype only with itself and with Python scalars of its kind; "
     "cast to int16 first, for example with x.astype('int16')")),
    ("numpy.asarray([True]) - numpy.asarray([True])", PromotionError,
     ("on the numpy backend: cannot apply subtract to bool[1] and bool[1] under NumPy rules: "
     "subtract does not take bool; cast to int32 first, for example with x.astype('int32')")),
    # namespaces and libraries mixed in one expression
    ("i8 + n8", PromotionError,
     f"one operand is from supremum.namespace('numpy', backend='numpy'){MIXED}"),
    ("i8 + narrow.asarray(1)", PromotionError,
     f"one operand is from supremum.namespace('jax', x64=False, backend='numpy'){MIXED}"),
    ("jax.add(i8, Foreign())", PromotionError, f"one operand is from elsewhere{MIXED}"),
    ("i8 * Foreign()", PromotionError, f"one operand is from elsewhere{MIXED}"),
    ("jax.concat([i8, n8])", PromotionError,
     f"one operand is from supremum.namespace('numpy', backend='numpy'){MIXED}"),
    # dtypes that are not there
    ("strict.float16", AttributeError,
     ("supremum.namespace('array-api', backend='numpy') has no float16: array API rules do not "
     "support it; use one of xp.float32, xp.float64")),
    ("narrow.uint64", AttributeError,
     ("supremum.namespace('jax', x64=False, backend='numpy') has no uint64: JAX rules do not "
     "support it; use one of xp.uint1, xp.uint2, xp.uint4, xp.uint8, xp.uint16, xp.uint32")),
    ("jax.zeros(1, dtype='f4')", DTypeError,
     "'f4' is float32 in bytes, as NumPy counts; type 'float32'"),
    ("strict.flaot32", AttributeError,
     ("supremum.namespace('array-api', backend='numpy') has no attribute 'flaot32'; did you mean "
     "float32?")),
    ("jax.linalg.invv", AttributeError,
     f"{JAX}.linalg has no attribute 'invv'; did you mean inv or pinv?"),
    ("jax._secret", AttributeError, f"{JAX} has no attribute '_secret'"),
    ("i8.sum", AttributeError, "an array has no attribute 'sum'; use xp.sum(x)"),
    ("i8.shap", AttributeError, "'Array' object has no attribute 'shap'"),
    # keywords that are NumPy's
    ("jax.add(i8, i8, out=i8)", TypeError,
     f"add does not take out{KEYWORDS}add(...), or y[...] = xp.add(...) to write into an array"),
    ("jax.sin(i8, dtype='float32')", TypeError,
     f"sin does not take dtype{KEYWORDS}sin(...), or y[...] = xp.sin(...) to write into an array"),
    # Python ints that do not fit
    ("-1 - numpy.asarray([1, 2], dtype='uint8')", OverflowError,
     (f"subtract of -1 and uint8{ON}: under NumPy rules the int is treated as uint8, which goes "
     "from 0 to 255; give it a dtype, as in xp.asarray(-1, dtype=xp.int16)")),
    ("i8 < 2**70", OverflowError,
     (f"less of int8 and {2**70}{ON}: under JAX rules the int is treated as int8, which goes from "
     f"-128 to 127; give it a dtype, as in xp.asarray({2**70}, dtype=xp.float64)")),
    ("n8 + 300", OverflowError,
     (f"add of int8 and 300{ON}: under NumPy rules the int is treated as int8, which goes from "
     "-128 to 127; give it a dtype, as in xp.asarray(300, dtype=xp.int16)")),
    ("jax.asarray(300, dtype=jax.int8)", OverflowError,
     "300 does not fit int8, which goes from -128 to 127; give it a wider dtype, such as xp.int16"),
    ("jax.asarray([[300]], dtype=jax.int8)", OverflowError,
     "300 does not fit int8, which goes from -128 to 127; give it a wider dtype, such as xp.int16"),
    ("jax.int8(-129)", OverflowError,
     ("-129 does not fit int8, which goes from -128 to 127; give it a wider dtype, such as "
     "xp.int16")),
    ("jax.full(2, 300, dtype=jax.int8)", OverflowError,
     "300 does not fit int8, which goes from -128 to 127; give it a wider dtype, such as xp.int16"),
    ("narrow.asarray(2**40)", OverflowError,
     (f"{2**40} does not fit int32, which goes from {-2**31} to {2**31 - 1}; give it a "
     "wider dtype, such as xp.float32")),
    # what is no operand
    ("i8 + [1, 2]", TypeError, "add does not take a list; convert it first, with xp.asarray(y)"),
    ("[1, 2] + i8", TypeError, "add does not take a list; convert it first, with xp.asarray(y)"),
    ("i8 == (1, 2)", TypeError,
     "equal does not take a tuple; convert it first, with xp.asarray(y)"),
    ("jax.add(i8, [1, 2])", TypeError,
     f"a list is not an operand of {JAX}; convert it first, with xp.asarray(y)"),
    ("jax.sum([1, 2])", TypeError,
     f"a list is not an operand of {JAX}; convert it first, with xp.asarray(y)"),
    ("jax.add(i8, None)", TypeError,
     f"None is not an operand of {JAX}; pass an array or a number"),
    ("'a' in i8", TypeError, f"a str is not an operand of {JAX}; pass an array or a number"),
    ("i8 + 'a'", TypeError, "unsupported operand type(s) for +: 'Array' and 'str'"),
    ("i8 + np.array(['a'])", DTypeError,
     ("cannot promote dtype('<U1'): 'str32' is text, and only bool and numbers, such as float32, "
     "are promoted here")),
    # what is nothing to make an array of
    ("jax.asarray('a')", TypeError,
     "cannot create an array from 'a'; pass numbers, lists or an array"),
    ("jax.asarray(None)", TypeError,
     "cannot create an array from None; pass numbers, lists or an array"),
    ("jax.asarray([1, 'a'])", TypeError, "'a' in a list is neither a number nor an array"),
    ("jax.asarray([[1, None]])", TypeError, "None in a list is neither a number nor an array"),
    ("jax.asarray([[1], [1, 2]])", ValueError,
     "lists in a list must have one shape, got (1,) and (2,)"),
    ("jax.asarray([[1, 2], 3])", ValueError,
     "lists in a list must have one shape, got () and (2,)"),
    ("jax.asarray(1j, dtype=jax.float32)", TypeError,
     ("cannot cast complex128 to float32: the imaginary part would be lost; take xp.real(x) or "
     "xp.imag(x) first")),
    ("jax.asarray([1, 2], copy=False)", ValueError,
     "cannot make an array of int64 from this without a copy"),
    # numbers of arrays
    ("bool(i8)", ValueError,
     "an array of shape (2,) is neither true nor false; use xp.any or xp.all"),
    ("int(i8)", TypeError,
     "cannot convert an array of shape (2,) to an int; take one element, as in x[0]"),
    ("float(jax.ones((1, 1)))", TypeError,
     "cannot convert an array of shape (1, 1) to a float; take one element, as in x[0, ...]"),
    ("float(jax.asarray(1j))", TypeError,
     "cannot convert complex128 to a float; take xp.real(x) first"),
    ("range(jax.asarray(1.5))", TypeError, "an index must be an integer, not float64"),
    ("len(jax.asarray(1))", TypeError, "a 0-d array does not have a length"),
    ("list(jax.asarray(1))", TypeError, "cannot iterate over a 0-d array"),
    ("f'{i8:.2f}'", TypeError, "'.2f' formats one number, not an array of shape (2,)"),
    ("i8.T", ValueError, "T requires 2 dimensions, got 1; use mT or permute_dims"),
    ("i8.to_device('gpu')", ValueError,
     "the numpy backend has only the device 'cpu', not 'gpu'"),
    # rules, options and backends
    ("supremum.namespace('jacks')", RulesError, None),
    ("supremum.namespace('jax', x65=True)", RulesError,
     "jax rules have no option 'x65'; did you mean x64?"),
    ("supremum.eval_dtypes(abs, 'int8[3]', system='numpy')", RulesError,
     "the rules are named by rules=, not by system="),
    ("supremum.min_scalar_type(3)", AttributeError,
     ("module 'supremum' has no attribute 'min_scalar_type'; type supremum.result_type(x, 3, "
      "system='numpy-legacy'), whose rules look at values")),
    ("supremum.join('int8')", AttributeError,
     "module 'supremum' has no attribute 'join'; type supremum.promote_types"),
    ("supremum.float32", AttributeError,
     "module 'supremum' has no attribute 'float32'; type supremum.dtype('float32')"),
    ("supremum.fix('x.py')", AttributeError,
     ("module 'supremum' has no attribute 'fix'; type supremum.audit.fix('train.py', "
      "diff=True).patch; without diff=True it is typed in")),
    ("supremum.asarray([1])", AttributeError,
     ("module 'supremum' has no attribute 'asarray'; type "
      "supremum.namespace('numpy').asarray([1, 2]), of rules that are named first")),
    ("supremum.set_default_system('numpy')", AttributeError,
     ("module 'supremum' has no attribute 'set_default_system'; type supremum.result_type(..., "
      "system='numpy'), or set SUPREMUM_SYSTEM")),
    ("supremum.find_common_type('int8')", AttributeError,
     "module 'supremum' has no attribute 'find_common_type'; type supremum.result_type"),
    ("supremum.resulttype(3)", AttributeError,
     "module 'supremum' has no attribute 'resulttype'"),
    ("supremum.namespace('jax', backend='nump')", RulesError,
     "there is no backend 'nump'; did you mean numpy?"),
    ("supremum.namespace('jax', backend=7)", RulesError,
     "`backend` must be a string such as 'numpy', not 7"),
    ("supremum.namespace(jax.rules, x64=False)", RulesError,
     "jax rules are made already, without x64; give options to a name"),
    ("jax.of_version('2019.12')", ValueError,
     ("'2019.12' is not a version of the array API; it has 2021.12, 2022.12, 2023.12, 2024.12, "
     "2025.12")),
]  # fmt: skip


@pytest.mark.parametrize(("code", "error", "text"), MISTAKES, ids=[m[0] for m in MISTAKES])
def test_each_mistake_has_this_error(code, error, text):
    with pytest.raises(error) as caught:
        eval(code)
    assert type(caught.value) is error
    if text is None:
        text = f"there are no rules named 'jacks'; the rules are {', '.join(supremum.systems())}"
    assert str(caught.value) == text


ROOM = "; widen the array first with x = xp.astype(x, xp."
WRITES = [
    # in place, by the rules that have operators in place
    (n8, "x += 1.5", PromotionError,
     (f"add in place of int8[2] and 1.5{ON} would put float64 into int8, which NumPy rules "
     f"refuse{ROOM}float64), or cast with xp.astype(y, xp.int8)")),
    (n8, "x /= 2", PromotionError,
     (f"divide in place of int8[2] and 2{ON} would put float64 into int8, which NumPy rules "
     f"refuse{ROOM}float64), or cast with xp.astype(y, xp.int8)")),
    (n8, "x += 300", OverflowError,
     (f"add of int8 and 300{ON}: under NumPy rules the int is treated as int8, which goes from "
     "-128 to 127; give it a dtype, as in xp.asarray(300, dtype=xp.int16)")),
    (f32, "x *= 1j", PromotionError,
     (f"multiply in place of float32[2] and 1j{ON} would put complex64 into float32, which NumPy "
     f"rules refuse{ROOM}complex64), or cast with xp.astype(y, xp.float32)")),
    (strict.asarray([1], dtype="int8"), "x += strict.asarray([1])", PromotionError,
     (f"add in place of int8[1] and int64[1]{ON} would put int64 into int8, which array API rules "
     f"refuse{ROOM}int64), or cast with xp.astype(y, xp.int8)")),
    (torch.asarray([1]), "x += 1.5", PromotionError,
     (f"add in place of int64[1] and 1.5{ON} would put float32 into int64, which PyTorch rules "
     f"refuse{ROOM}float32), or cast with xp.astype(y, xp.int64)")),
    (f32, "x += numpy.ones((3, 2))", ValueError,
     ("add in place cannot put (3, 2) into an array of shape (2,); write x = xp.add(x, y) for a "
     "new array")),
    (numpy.ones((2, 2)), "x @= numpy.ones((2, 1))", ValueError,
     ("matmul in place cannot put (2, 1) into an array of shape (2, 2); write x = xp.matmul(x, y) "
     "for a new array")),
    (f32, "x += [1, 2]", TypeError,
     "add does not take a list; convert it first, with xp.asarray(y)"),
    # stores, by any rules
    (i16, "x[0] = 1.5", PromotionError,
     (f"a store of 1.5 in int16[2]{ON} would put float* into int16, which is of another kind{ROOM}"
     "float64), or cast with xp.astype(y, xp.int16)")),
    (i16, "x[:] = jax.ones(2, dtype=jax.float32)", PromotionError,
     (f"a store of float32[2] in int16[2]{ON} would put float32 into int16, which is of another "
     f"kind{ROOM}float32), or cast with xp.astype(y, xp.int16)")),
    (jax.asarray([True]), "x[0] = 1", PromotionError,
     (f"a store of 1 in bool[1]{ON} would put int* into bool, which is of another "
     f"kind{ROOM}int64), or cast with xp.astype(y, xp.bool)")),
    (i16, "x[0] = 2**20", OverflowError,
     (f"{2**20} does not fit int16, which goes from -32768 to 32767; give it a wider dtype, such "
     "as xp.int32")),
    (u8, "x[0] = -1", OverflowError,
     "-1 does not fit uint8, which goes from 0 to 255; give it a wider dtype, such as xp.int16"),
    (i16, "x[:] = [1, 2]", TypeError,
     f"a list is not an operand of {JAX}; convert it first, with xp.asarray(y)"),
    (i16, "x[:] = n8", PromotionError,
     f"one operand is from supremum.namespace('numpy', backend='numpy'){MIXED}"),
    (i16, "x[0] = 'a'", TypeError, f"a str is not an operand of {JAX}; pass an array or a number"),
    (i16, "del x[0]", AttributeError, "__delitem__"),
    (i16, "x.dtype = 'int8'", AttributeError, "property 'dtype' of 'Array' object has no setter"),
]  # fmt: skip


@pytest.mark.parametrize(("x", "code", "error", "text"), WRITES, ids=[w[1] for w in WRITES])
def test_nothing_is_written_where_a_write_is_refused(x, code, error, text):
    before = x.tolist()
    with pytest.raises(error) as caught:
        exec(code, {**globals(), "x": x})
    assert (str(caught.value), x.tolist()) == (text, before)


def test_nothing_is_computed_where_the_rules_refuse(monkeypatch):
    computed = []
    backend = strict.engine.backend
    for name in ("cast", "make", "function", "put"):
        monkeypatch.setattr(backend, name, lambda *a, name=name, **_: computed.append((name, a)))
    with pytest.raises(PromotionError):
        s64 + sf
    with pytest.raises(PromotionError):
        sf[0] = 1j
    assert computed == []


def test_a_dtype_that_the_backend_lacks(monkeypatch):
    backend = jax.engine.backend
    find = backend._find
    lacks = {"float32", "complex32"}
    monkeypatch.setattr(backend, "_native", {})
    monkeypatch.setattr(backend, "_find", lambda d: None if d.name in lacks else find(d))
    rules = PromotionSystem.from_lattice("f16 -> f32; bf16 -> f32; c32", name="mine")
    xp = supremum.namespace(rules, backend="numpy")
    x, y = (xp.ones(2, dtype=name) for name in ("float16", "bfloat16"))
    for run, error, text in [
        (lambda: x + y, DTypeError,
         ("add of float16[2] and bfloat16[2] gives float32 under mine rules, but the numpy backend "
         f"does not have float32{backend.way_out(supremum.dtype('float32'))}")),
        (lambda: xp.zeros(2, dtype="complex32"), DTypeError,
         ("the numpy backend does not have "
         f"complex32{backend.way_out(supremum.dtype('complex32'))}")),
        (lambda: xp.complex32, AttributeError,
         ("supremum.namespace('mine', backend='numpy').complex32: the numpy backend does not "
         f"have complex32{backend.way_out(supremum.dtype('complex32'))}")),
    ]:  # fmt: skip
        with pytest.raises(error) as caught:
            run()
        assert (type(caught.value), str(caught.value)) == (error, text)


def test_a_promotion_error_carries_what_it_says():
    with pytest.raises(PromotionError) as caught:
        s64 + sf
    error = caught.value
    assert [op.text for op in error.operands] == ["int64[2]", "float64[1]"]
    assert (error.system, error.setting) == ("array-api", {"version": "2025.12"})


def test_a_missing_library_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "cupy", None)
    monkeypatch.delitem(__import__("sys").modules, "supremum.arrays.backends.cupy", raising=False)
    monkeypatch.setattr("supremum.arrays.backends._loaded", {})
    with pytest.raises(ImportError) as caught:
        supremum.namespace("jax", backend="cupy")
    assert str(caught.value) == (
        "the cupy backend needs cupy, which is not installed: pip install 'supremum[arrays]' cupy"
    )


POWER = (
    "cannot apply pow to int64[2] and -1 under NumPy rules: an integer to a negative power is not "
    "an integer; use a float"
)


def test_ints_are_checked_whether_a_plan_is_new_or_not():
    rules = supremum.system("numpy").replace(name="numpy of this test", library=None)
    xp = supremum.namespace(rules, backend="numpy")
    x, u8 = xp.asarray([1, 2]), xp.asarray([1, 2], dtype="uint8")
    for _ in range(2):
        with pytest.raises(PromotionError) as caught:
            x**-1
        assert str(caught.value) == POWER.replace("NumPy", rules.name)
        with pytest.raises(OverflowError):
            u8 + 2**63
        assert ((x**2).tolist(), (u8 + 1).tolist()) == ([1, 4], [2, 3])


@pytest.mark.parametrize("rules", ["jax", "numpy", "torch"])
def test_a_huge_int_changes_nothing_for_others(rules):
    xp = supremum.namespace(supremum.system(rules).replace(name=f"{rules} of this test"))
    u8 = xp.asarray([1, 2], dtype="uint8")
    with pytest.raises((OverflowError, PromotionError)):
        u8 + 2**64
    assert repr(u8 + 1) == "supremum.Array([2, 3], dtype=uint8)"


OF_ONE = (
    "all", "any", "argmax", "argmin", "argsort", "count_nonzero", "cumulative_prod",
    "cumulative_sum", "diff", "flip", "linalg.vector_norm", "max", "mean", "min", "prod", "sort",
    "std", "sum", "unstack", "var",
)  # fmt: skip
BY_PLACE = {
    **dict.fromkeys(OF_ONE, "x"), **dict.fromkeys(("concat", "stack"), "arrays"),
    **dict.fromkeys(("vecdot", "linalg.cross"), "x1, x2"), "repeat": "x, repeats",
    "roll": "x, shift", **dict.fromkeys(("take", "take_along_axis"), "x, indices"),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_PLACE)
def test_an_axis_that_is_given_by_its_place_is_told_by_its_name(name):
    given = BY_PLACE[name]
    operands = {
        "x": i8,
        "x1": i8,
        "x2": i8,
        "arrays": [i8],
        "repeats": 2,
        "shift": 1,
        "indices": i8,
    }
    called = {"xp": jax, **operands}
    with pytest.raises(TypeError) as caught:
        eval(f"xp.{name}({given}, 0)", called)
    assert str(caught.value) == f"{name} takes an axis by its name: xp.{name}({given}, axis=0)"


def test_each_function_with_an_axis_tells_its_name():
    spaces = {"": jax, "linalg.": jax.linalg, "fft.": jax.fft}
    takes = set()
    for prefix, space in spaces.items():
        for name in dir(space):
            if inspect.ismethod(getattr(space, name)):
                kinds = inspect.signature(getattr(space, name)).parameters
                if "axis" in kinds and kinds["axis"].kind is inspect.Parameter.KEYWORD_ONLY:
                    takes.add(prefix + name)
    transforms = {f"fft.{name}" for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")}
    assert takes - transforms - {"linalg.vecdot"} == BY_PLACE.keys()
