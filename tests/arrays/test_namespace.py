"""The namespace as an object: what it has, and how other libraries see it."""

import array_api_compat
import numpy as np
import pytest

import supremum

xp = supremum.namespace("jax", backend="numpy")
strict = supremum.namespace("array-api")
x = xp.asarray([[1, 2, 3]], dtype=xp.int16)

NAMES = {
    "supremum.namespace()": "supremum.namespace('jax', backend='numpy')",
    "supremum.namespace('jax', x64=False)": "supremum.namespace('jax', x64=False, backend='numpy')",
    "supremum.namespace('array-api')": "supremum.namespace('array-api', backend='numpy')",
    "supremum.namespace('array-api', version='2021.12')": (
        "supremum.namespace('array-api', version='2021.12', backend='numpy')"
    ),
    "xp.linalg": "supremum.namespace('jax', backend='numpy').linalg",
    "xp.int8": "supremum.namespace('jax', backend='numpy').int8",
}


@pytest.mark.parametrize("code", NAMES)
def test_its_name_makes_it_again(code):
    found = eval(code)
    assert repr(found) == NAMES[code]
    assert eval(repr(found)) is found
    if code != "xp.int8":
        assert found.__name__ == repr(found)


def test_there_is_one_for_each_set_of_rules_and_backend():
    assert supremum.namespace("jax", x64=True) is xp
    assert supremum.namespace(supremum.system("jax")) is xp
    assert supremum.namespace(supremum.system("jax", mode="standard")) is xp
    assert supremum.namespace("jax", x64=False) is not xp


def test_equal_rules_have_one_namespace():
    made = [
        supremum.namespace(supremum.custom.PromotionSystem.from_lattice("i8 -> i16 -> f32", name))
        for name in ("mine", "mine", "other")
    ]
    assert made[0] is made[1] is not made[2]
    assert supremum.namespace(supremum.system("jax").replace()) is xp
    assert repr(made[0]) == "supremum.namespace('mine', backend='numpy')"


def test_dir_names_what_it_has():
    for space in (xp, strict, xp.linalg, xp.fft):
        assert all(hasattr(space, name) for name in dir(space))
        assert len(set(dir(space))) == len(dir(space))
    assert {"float16", "bfloat16", "int4", "sin", "linalg", "pi"} <= set(dir(xp))
    assert not {"float16", "bfloat16", "int4", "complex32"} & set(dir(strict))
    assert [name for name in dir(xp) if name.startswith("_")] == [
        "__array_api_version__", "__array_namespace_info__",
    ]  # fmt: skip
    assert (hasattr(xp, "float16"), hasattr(strict, "float16"), hasattr(xp, "cbrt")) == (
        True, False, False,
    )  # fmt: skip


@pytest.mark.parametrize("version", [None, "2021.12", "2022.12", "2023.12", "2024.12", "2025.12"])
def test_an_array_gives_its_namespace_for_each_version(version):
    assert x.__array_namespace__(api_version=version) is xp


def test_array_api_compat_knows_our_arrays():
    assert array_api_compat.is_array_api_obj(x)
    assert array_api_compat.array_namespace(x, 1, None) is xp
    assert (array_api_compat.device(x), array_api_compat.size(x)) == ("cpu", 3)
    assert not array_api_compat.is_numpy_array(x)
    assert array_api_compat.to_device(x, "cpu").tolist() == x.tolist()


def test_dtypes_are_equal_to_ours_and_know_the_same():
    for name in ("bool", "int4", "uint64", "bfloat16", "complex128"):
        made, ours = getattr(xp, name), supremum.dtype(name)
        assert made == ours
        assert ours == made
        assert {made: 1}[ours] == 1
        assert (str(made), made.bits, made.precision) == (name, ours.bits, ours.precision)
    assert xp.int8 != xp.int16
    assert xp.int8 != strict.int16
    assert xp.int8 == strict.int8
    assert np.dtype(xp.int8) == np.int8
    assert xp.int8 != 3
    assert xp.int8 != hash(xp.int8)
    assert supremum.result_type(xp.int8, 1).name == "int8"


def test_dtypes_answer_code_for_numpy_as_those_of_numpy_do():
    for name in ("bool", "int8", "uint16", "int64", "float16", "float64", "complex64"):
        made, theirs = xp.zeros(1, dtype=name).dtype, np.dtype(name)
        assert (made.kind, made.itemsize, made.name) == (theirs.kind, theirs.itemsize, name)
        types = np.sctypeDict.values()
        for other in (theirs, theirs.type, name, *types, "f8", "nonsense", 8):
            try:
                wanted = bool(theirs == other)
            except TypeError:
                wanted = False
            assert (made == other) is wanted, (name, other)
    for kind in (bool, int, float, complex):
        assert xp.asarray(np.ones(1, kind)).dtype == kind
    assert (xp.bfloat16.kind, xp.bfloat16.itemsize, xp.int4.itemsize) == ("f", 2, 1)


@pytest.mark.parametrize(
    "other",
    ["If x is NaN, the result is NaN", "a8", ",", "(10**30,)f4", np.ones(2), [1], {}, "f4,f4"],
    ids=str,
)
def test_a_dtype_is_not_equal_to_what_is_not_one(other):
    for made in (xp.float32, xp.zeros(1).dtype):
        assert not made == other  # noqa: SIM201  # both operators
        assert made != other


def test_every_dtype_makes_a_strong_scalar():
    for name in dir(xp):
        if name in supremum.names():
            made = getattr(xp, name)(0)
            assert (made.dtype.name, made.shape, made.weak_type) == (name, (), False)


SHAPES = [
    ([], ()),
    ([(3, 1), (1, 4)], (3, 4)),
    ([(2, None), (1, 5)], (2, 5)),
    ([(None,), (2, 1)], (2, None)),
    ([(0,), [1]], (0,)),
]


@pytest.mark.parametrize(("shapes", "wanted"), SHAPES)
def test_shapes_broadcast_whose_lengths_may_be_unknown(shapes, wanted):
    found = supremum.namespace("numpy").broadcast_shapes(*shapes)
    assert found == wanted
    assert {type(n) for n in found} <= {int, type(None)}


def test_shapes_that_do_not_broadcast_are_named():
    with pytest.raises(ValueError, match=r"cannot broadcast shapes \(2, \?\) and \(3, 1\)"):
        supremum.namespace("numpy").broadcast_shapes((2, None), (3, 1))


def test_random_numbers_come_from_elsewhere():
    assert not hasattr(xp, "random")
    with pytest.raises(AttributeError, match="the array API has no random numbers"):
        _ = xp.random


def test_the_dtype_of_an_array_makes_no_scalars():
    with pytest.raises(TypeError, match=r"write xp.int16\(3\)"):
        x.dtype(3)
