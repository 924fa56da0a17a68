"""What array code gives under any rules, without data, and the line where rules part."""

import sys

import numpy as np
import pytest

import supremum

PROGRAM = """\
import numpy as np

def normalise(image, gain):
    shifted = image - np.mean(image)
    scaled = shifted * 1.5
    total = np.sum(scaled * gain)
    return total / 2, scaled

def by_value(x):
    if x[0] > 1:
        return x
    return -x

def fails(x):
    return {}[x.dtype.name]
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    (tmp_path / "model.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "model", raising=False)
    import model

    yield model
    sys.modules.pop("model", None)


@pytest.mark.parametrize(
    ("operand", "shown"),
    [
        ("int32[3, 4]", "Array(shape=(3, 4), dtype=int32)"),
        ("i16[3]", "Array(shape=(3,), dtype=int16)"),
        ("float32*[]", "Array(shape=(), dtype=float32, weak_type=True)"),
        ("float*[2]", "Array(shape=(2,), dtype=float64, weak_type=True)"),
        ("1.5", "1.5"),
        ("True", "True"),
        (2, "2"),
        (np.ones((2, 3), np.float16), "Array(shape=(2, 3), dtype=float16)"),
        ([1, 2], "Array(shape=(2,), dtype=int64)"),
    ],
)
def test_operands_are_read_as_anywhere(operand, shown):
    assert repr(supremum.eval_dtypes(lambda x: x, operand)) == shown


@pytest.mark.parametrize(
    ("operand", "message"),
    [
        ("float32", "'float32' has no shape; write float32[3], float32[2, 3] or float32[]"),
        ("flaot32[3]", "'flaot32' is not the name of a dtype; did you mean float32"),
        ("int32[3,", "'int32[3,' is not an array; write its sizes as in int32[3]"),
    ],
)
def test_what_is_no_operand_is_said(operand, message):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.eval_dtypes(lambda x: x, operand)
    assert str(caught.value).startswith(message)
    with pytest.raises(supremum.DTypeError):
        supremum.compare_function(lambda x: x, operand)


def test_it_is_what_the_program_gives_with_data(program):
    image, gain = np.arange(12, dtype=np.uint8).reshape(3, 4), np.float32(2)
    for rules in ("numpy", "jax"):
        xp = supremum.namespace(rules, backend="numpy")
        wanted = program.normalise(xp.asarray(image), xp.asarray(gain))
        found = supremum.eval_dtypes(program.normalise, "uint8[3,4]", "float32[]", rules=rules)
        for one, other in zip(wanted, found, strict=True):
            assert (one.dtype, one.shape, one.weak_type) == (
                other.dtype, other.shape, other.weak_type,
            )  # fmt: skip


def test_no_data_is_needed_however_long_an_array_is():
    found = supremum.eval_dtypes(lambda x, y: (x + y) @ y.T, "int8[1000000, 9]", "bf16[1000000, 9]")
    assert (found.shape, found.dtype.name) == ((1_000_000, 1_000_000), "bfloat16")


def test_options_of_rules_count():
    assert supremum.eval_dtypes(lambda x: x * 1.5, "int32[3]", rules="jax").dtype == "float64"
    narrow = supremum.eval_dtypes(lambda x: x * 1.5, "int32[3]", rules="jax", x64=False)
    assert narrow.dtype == "float32"


def test_a_program_that_needs_values_says_so(program):
    with pytest.raises(TypeError, match="has no values, only bool and shape"):
        supremum.eval_dtypes(program.by_value, "float32[3]")


def test_the_first_line_where_rules_part_is_named(program):
    found = supremum.compare_function(
        program.normalise, "uint8[3, 4]", "float32[]", systems=["numpy", "jax", "torch"]
    )
    assert [a.result for a in found] == [
        "(float64[], float64[3, 4])", "(float32[], float32[3, 4])", None,
    ]  # fmt: skip
    assert found[2].reason.startswith("cannot apply mean to uint8[3, 4] under PyTorch rules")
    assert found.parting == (
        f"They first differ at {program.__file__}:4, shifted = image - np.mean(image): "
        f"float64[3, 4] in numpy; float32[3, 4] in jax."
    )


def test_lines_that_give_the_same_are_passed_over(program):
    found = supremum.compare_function(
        program.normalise, "float32[3, 4]", "int64[]", systems=["numpy", "jax"]
    )
    assert f"{program.__file__}:6, total = np.sum(scaled * gain)" in found.parting
    same = supremum.compare_function(
        program.normalise, "float32[3, 4]", "float32[]", systems=["numpy", "jax"]
    )
    assert same.parting == ""
    assert [a.odd for a in same] == [False, False]


def test_an_error_of_the_program_is_the_reason_of_its_row(program):
    (answer,) = supremum.compare_function(program.fails, "int8[2]", systems=["numpy"])
    assert (answer.result, answer.reason) == (None, "KeyError: 'int8'")


def test_code_for_numpy_has_the_methods_of_its_arrays():
    def of_numpy(x):
        y = x.reshape(2, -1).transpose(1, 0).astype(np.float32)
        return y.mean(axis=0), y.clip(0, 1).sum(), x.flatten().std(ddof=1), y.real.cumsum()

    found = supremum.eval_dtypes(of_numpy, "int16[4, 3]", rules="numpy")
    assert [(x.dtype, x.shape) for x in found] == [
        ("float32", (2,)), ("float32", ()), ("float64", ()), ("float32", (12,)),
    ]  # fmt: skip
    with pytest.raises(AttributeError, match="has no attribute 'partition'"):
        supremum.eval_dtypes(lambda x: x.partition(1), "int16[4]")


def test_a_reason_that_all_have_is_shown_once(program):
    found = supremum.compare_function(program.by_value, "int8[2]", systems=["numpy", "jax"])
    assert str(found).startswith("None of numpy and jax has an answer: an array without data has")
    assert "\n" not in str(found)


def test_a_function_of_a_library_has_no_lines():
    found = supremum.compare_function(np.hypot, "int32[3]", "float32[3]", systems=["numpy", "jax"])
    assert [(a.result, a.steps) for a in found] == [("float64[3]", ()), ("float32[3]", ())]
    assert found.parting == ""


def test_rules_have_to_be_named(program):
    with pytest.raises(supremum.RulesError, match="no rules to compare"):
        supremum.compare_function(program.fails, "int8[2]", systems=[])


def test_all_libraries_are_compared(program):
    found = supremum.compare_function(program.normalise, "uint8[3, 4]", "float32[]")
    assert "\n* jax           (float32[], float32[3, 4])\n" in str(found)
    assert "model.py:4, shifted = image - np.mean(image): float64[3, 4] in cupy" in str(found)
    told = supremum.compare_function(program.normalise, "1.5", "2").to_dict()
    assert told["answers"][0].keys() == {"system", "result", "reason", "steps", "odd"}


# What the numpy backend refuses, and what is refused without data, too.
REFUSED = """
xp.linalg.inv(xp.ones((2, 3)))
xp.linalg.det(xp.ones(3))
xp.linalg.solve(xp.eye(3), xp.ones(4))
xp.stack([xp.ones(3), xp.ones(1)])
xp.ones(3)[7]
xp.ones(3)[1.0]
xp.ones(3)['a']
xp.ones((2, 2))[..., ...]
xp.max(xp.ones(0))
xp.argmax(xp.ones((2, 0)), axis=1)
xp.zeros(-1)
xp.eye(-1)
xp.linspace(0, 1, -1)
xp.tril(xp.ones(4))
xp.linalg.qr(xp.eye(3), mode='raw')
xp.moveaxis(xp.ones((2, 3)), (0, 0), (0, 1))
xp.linalg.trace(xp.ones(3))
xp.linalg.cross(xp.ones(4), xp.ones(4))
xp.flip(xp.ones(3), axis=5)
xp.roll(xp.ones(3), 1, axis=5)
xp.fft.fftshift(xp.ones(3), axes=5)
xp.sum(xp.ones(3), axis=1.0)
xp.sum(xp.ones(3), axis='a')
xp.reshape(xp.ones(0), (0, -1))
xp.tile(xp.ones(2), (-1,))
xp.linalg.svd(xp.ones(3))
xp.linalg.pinv(xp.ones(3))
xp.vecdot(xp.ones(3), xp.ones(()))
xp.linalg.svdvals(xp.ones(()))
xp.matmul(xp.ones((2, 3)), xp.ones((2, 3)))
xp.concat([xp.ones((2, 2)), xp.ones(3)])
xp.linalg.eigh(xp.ones((2, 3)))
xp.linalg.matrix_power(xp.ones((2, 3)), 2)
xp.repeat(xp.ones(2), -1)
""".strip().splitlines()


@pytest.mark.parametrize("what", REFUSED)
def test_wrong_shapes_are_refused(what):
    def run(x):
        return eval(what, {"xp": x.__array_namespace__(), "np": np})  # it is ours

    with pytest.raises((ValueError, IndexError, TypeError)):
        eval(what, {"xp": supremum.namespace("numpy"), "np": np})  # as with data
    with pytest.raises((ValueError, IndexError, TypeError)) as caught:
        supremum.eval_dtypes(run, "float32[]", rules="numpy")
    assert "unpack" not in str(caught.value)


def test_an_unknown_length_is_said():
    with pytest.raises(TypeError, match="the length of the array is not known"):
        supremum.eval_dtypes(lambda x, m: len(x[m]), "float32[3]", "bool[3]")


def test_generators_are_run_and_objects_have_no_address():
    def halves(x):
        yield x / 2
        yield x

    class Some:
        pass

    found = supremum.compare_function(halves, "int8[3]", systems="jax")
    assert found[0].result == "[float32[3], int8[3]]"
    found = supremum.compare_function(lambda _: Some(), "int8[3]", systems=["numpy", "jax"])
    assert [(a.result, a.odd) for a in found] == [("Some", False)] * 2
    with pytest.raises(TypeError, match="compare_function takes a function first, not 3"):
        supremum.compare_function(3, "int8[3]")
