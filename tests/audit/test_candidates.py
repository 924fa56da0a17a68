"""A change is typed where its node is: the text around it, and its comments, stay as they are."""

import ast

import pytest

from supremum import dtype
from supremum.audit.edits.candidates import Candidate, applied
from supremum.audit.edits.spelling import spell
from supremum.audit.model.names import Names
from supremum.audit.model.source_file import SourceFile

CAST = "_.astype(np.float32)"
CALL = "np.float32(_)"


def _written(text, part, change, occurrence=0):
    """Return what a statement becomes if an expression in it is changed."""
    source = SourceFile(tuple(text.splitlines(keepends=True)))
    whole = source.tree.body[0]
    found = [
        node
        for node in ast.walk(whole)
        if isinstance(node, ast.expr) and ast.get_source_segment(text, node) == part
    ]
    return applied(source, whole, Candidate(found[occurrence], **change))


@pytest.mark.parametrize(
    ("text", "part", "template", "wanted"),
    [
        ("y = x", "x", CAST, "y = x.astype(np.float32)"),
        ("y = a + b", "a + b", CAST, "y = (a + b).astype(np.float32)"),
        ("y = (a + b)", "a + b", CAST, "y = (a + b).astype(np.float32)"),
        ("y = ( a + b ) * c", "a + b", CAST, "y = ( a + b ).astype(np.float32) * c"),
        ("y = (a + b) * c", "a + b", CALL, "y = np.float32(a + b) * c"),
        ("f(a + b)", "a + b", CAST, "f((a + b).astype(np.float32))"),
        ("f((a + b))", "a + b", CAST, "f((a + b).astype(np.float32))"),
        ("x[i](a + b)", "a + b", CAST, "x[i]((a + b).astype(np.float32))"),
        ("return_(-x)", "-x", CAST, "return_((-x).astype(np.float32))"),
        ("y = not (a + b)", "a + b", CAST, "y = not (a + b).astype(np.float32)"),
        ("é = [ü, a + b]  # ï", "a + b", CAST, "é = [ü, (a + b).astype(np.float32)]"),
        ("y = (  # why\n    a\n    + b\n)", "a\n    + b", CALL, "y = np.float32(a\n    + b)"),
        ("y = 1", "1", CALL, "y = np.float32(1)"),
        ("y = x", "x", "_", ""),
        ("y = x", "x", "_.astype(", ""),
    ],
)
def test_what_takes_the_place_of_an_expression(text, part, template, wanted):
    assert _written(text, part, {"template": template}) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("y = f()", "y = f(dtype=d)"),
        ("y = f(a)", "y = f(a, dtype=d)"),
        ("y = f(a,)", "y = f(a, dtype=d)"),
        ("y = f((a))", "y = f((a), dtype=d)"),
        ("y = f(a, **more)", "y = f(a, **more, dtype=d)"),
        ("y = f(\n    a,\n    b=1\n)", "y = f(\n    a,\n    b=1, dtype=d\n)"),
        ("y = f(\n    a,\n    b=1,\n)", "y = f(\n    a,\n    b=1,\n    dtype=d,\n)"),
        ("y = f(a,  # 1\n      b,  # 2\n  )", "y = f(a,  # 1\n      b,  # 2\n      dtype=d,\n  )"),
        ("y = f(x for x in z)", "y = f((x for x in z), dtype=d)"),
    ],
)  # fmt: skip
def test_a_call_is_given_one_more_argument(text, wanted):
    whole = text.removeprefix("y = ")
    assert _written(text, whole, {"keyword": "dtype=d"}) == wanted


def test_an_argument_and_a_cast_are_typed_together():
    change = {"keyword": "dtype=d", "template": CAST}
    assert _written("y = f(a)", "f(a)", change) == "y = f(a, dtype=d).astype(np.float32)"


def test_what_is_not_a_call_takes_no_argument():
    assert _written("y = x", "x", {"keyword": "dtype=d"}) == ""


def test_a_dtype_is_spelled_as_its_library_has_it():
    source = SourceFile(("import polars as pl\n",))
    names = Names(source, source.tree)
    assert spell(dtype("float32"), "Polars", names).text == "pl.Float32"
