"""Limits and kinds of dtypes, as NumPy and ml_dtypes have them."""

import ml_dtypes
import numpy as np
import pytest

import supremum
from supremum.core.limits import KINDS

FLOATS = [
    d
    for d in map(supremum.dtype, supremum.names())
    if d.kind == "float" and d.bits and d.name != "longdouble"
]


@pytest.mark.parametrize("d", FLOATS, ids=str)
def test_limits_of_floats_are_those_of_numpy_and_ml_dtypes(d):
    own = d.to("numpy")
    theirs = np.finfo(own) if own.type.__module__ == "numpy" else ml_dtypes.finfo(own)
    ours = supremum.finfo(d)
    assert (ours.bits, ours.max, ours.dtype) == (d.bits, float(theirs.max), d)
    assert ours.smallest_normal == float(theirs.smallest_normal)
    if own.type.__module__ == "numpy":
        assert (ours.eps, ours.min) == (theirs.eps, theirs.min)


@pytest.mark.parametrize("name", ["int8", "uint8", "int16", "uint16", "int32", "uint64", "int64"])
def test_limits_of_integers_are_those_of_numpy(name):
    ours, theirs = supremum.iinfo(np.zeros(3, name)), np.iinfo(name)
    assert (ours.bits, ours.max, ours.min) == (theirs.bits, theirs.max, theirs.min)


@pytest.mark.parametrize("name", ["complex64", "complex128"])
def test_limits_of_a_complex_dtype_are_those_of_its_parts(name):
    assert supremum.finfo(name).dtype.name == f"float{int(name[7:]) // 2}"


@pytest.mark.parametrize(
    ("ask", "given"),
    [
        ("finfo", "longdouble"),
        ("finfo", "int8"),
        ("iinfo", "float32"),
        ("iinfo", "bool"),
        ("finfo", "float*"),
        ("iinfo", 1),
    ],
)
def test_what_has_no_such_limits_is_refused(ask, given):
    with pytest.raises(supremum.DTypeError):
        getattr(supremum, ask)(given)


@pytest.mark.parametrize("kind", list(KINDS))
def test_kinds_are_those_of_numpy(kind):
    names = ["bool", "int8", "uint8", "int64", "uint64", "float16", "float64", "complex64"]
    for name in names:
        assert supremum.isdtype(name, kind) is bool(np.isdtype(np.dtype(name), kind))


def test_a_kind_may_be_a_dtype_or_several():
    assert supremum.isdtype("int8", np.int8)
    assert supremum.isdtype("int8", ("real floating", "int8"))
    assert not supremum.isdtype("int8", ())
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.isdtype("int8", "real floatin")
    assert caught.value.candidates[0] == "real floating"


def test_a_cast_is_a_promotion_under_the_rules():
    assert supremum.can_promote("int64", "float16")
    assert not supremum.can_promote("int64", "float16", system="numpy")
    assert not supremum.can_promote(np.ones(3, np.int64), "float32")  # NumPy's array


def test_rules_among_operands_are_refused_with_where_to_name_them():
    for ask in (supremum.result_type, supremum.promote_types):
        with pytest.raises(supremum.DTypeError, match="name rules by system='numpy'"):
            ask("float32", "int8", "numpy")


@pytest.mark.parametrize(
    "value",
    [supremum.custom.criteria("jax"), supremum.laws("jax"), supremum.compare("int8", "uint8"),
     supremum.explain("int8[3] + 1"), supremum.diff("numpy", "jax"), supremum.table("jax")],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_answers_have_a_short_repr(value):
    assert len(repr(value)) < 120
    assert "\n" not in repr(value)


def test_modules_list_what_is_public():
    for name in ("arrays", "audit", "conformance", "custom", "design", "export", "show"):
        module = getattr(supremum, name)
        assert dir(module) == sorted(module.__all__)


def test_the_audit_is_a_function_too(tmp_path):
    script = tmp_path / "wide.py"
    text = "import numpy as np\nprint((np.ones(3, np.float32) * np.ones(3)).dtype)\n"
    script.write_text(text, encoding="utf-8")
    assert [f.kind for f in supremum.audit(str(script)).findings] == ["widening"]


def test_a_drawing_has_the_dtypes_asked_for():
    assert repr(supremum.draw("jax", "int8", "uint8", "int16")) == (
        "<Drawing of JAX: 3 nodes, 2 arrows>"
    )
    drawn = supremum.draw(supremum.custom.Lattice("a -> b -> c"))
    assert repr(drawn) == "<Drawing of Lattice: 3 nodes, 2 arrows>"
