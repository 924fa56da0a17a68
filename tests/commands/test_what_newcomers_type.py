"""What newcomers typed in a trial, by the numbers of its points, and what they get."""

import shlex

import pytest

import supremum

# number, the words, the exit status, and a part of what is printed
POINTS = [
    (5, "explain int32 1.5 -s jax:x64=false", 0, "float32"),
    (6, "explain int32 -o x64=False", 2, "no such option: -o"),
    (7, "explain int32 1.5", 0, "jax rules, x64 on"),
    (8, "explain int8 1 -s array-api", 0, "array-api rules, 2025.12"),
    (8, "compare bool bool -s array-api", 0, "array-api  bool"),
    (11, "explain 'uint8[3] + 300' -s numpy", 1, "300"),
    (12, "explain int64 int64 -s jax:x64=false", 0, "treated as int32"),
    (22, "laws jax", 0, "jax rules, x64 on: every law holds"),
    (22, "laws jax python -f json", 0, '"system": "python"'),
    (22, "laws numpy", 1, "numpy rules: 574 of 780 pairs have an answer"),
    (22, "systems jax", 0, "JAX"),
    (22, "table numpy int8 uint8", 0, "i16"),
    (23, "diff numpy jax int8 uint8 float32", 0, "differ in 0 of 9 pairs"),
    (23, "diff jax jax:mode=strict int8 float32", 1, "refused in jax (x64 on, strict): 2"),
    (23, "diff numpy jax", 1, "wider in numpy"),
    (24, "compare int32 float32 --op / -s np -s tf", 0, "tensorflow"),
    (24, "compare int64 -s jax:x64=false", 0, "int32"),
    (25, "explain np.float32 1", 0, "float32"),
    (25, "explain jnp.int8 f32 -s torch", 0, "torch rules"),
    (25, "explain int32 float32 --op +", 0, "float32"),
    (26, "conform paddle", 1, "paddle: not measured: paddle is not installed"),
    (27, "conform --module not_there", 2, "cannot import 'not_there'"),
    (29, "-V", 0, supremum.__version__),
    (31, "draw python --format arrows", 0, "int* -> float*"),
]


@pytest.mark.parametrize(("number", "words", "status", "text"), POINTS)
def test_what_was_typed_is_answered(number, words, status, text, run):
    result = run(*shlex.split(words))
    assert result.exit_code == status, (number, result.output)
    assert text in result.output


def test_functions_of_python_are_those_of_the_command():
    for name in ("diff", "compare", "table", "laws", "explain"):
        assert callable(getattr(supremum, name))
    own = {"audit", "namespace", "rules", "show", "conformance", "custom", "design", "export"}
    assert own <= set(dir(supremum))
    assert not {"Any", "TYPE_CHECKING", "memo"} & set(dir(supremum))
    assert repr(supremum.diff("numpy", "jax", "int32", "float32")) == (
        "<Diff of numpy and jax: 2 differences>"
    )
    assert supremum.laws("python").hold


@pytest.mark.parametrize("name", supremum.custom.__all__)
def test_what_authors_of_rules_need_is_in_one_module(name):
    assert len(supremum.__all__) <= 35
    with pytest.raises(AttributeError, match=f"; type supremum.custom.{name}$"):
        getattr(supremum, name)


def test_a_dtype_equals_what_numpys_own_does():
    np = pytest.importorskip("numpy")
    own = supremum.dtype("float32")
    assert own == np.dtype("float32") == own
    assert own == "float32"
    assert own == np.float32
