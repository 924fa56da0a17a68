"""Facts of libraries beside their rules, by the title of a library."""

import ast
from enum import Enum
from types import SimpleNamespace

import pytest

from supremum.core.libraries import libraries, library_titled


@pytest.mark.parametrize(
    ("title", "cast"),
    [
        ("NumPy", "x.astype(np.float32, copy=False)"),
        ("JAX", "x.astype(np.float32)"),
        ("xarray", "x.astype(np.float32)"),
        ("PyTorch", "x.to(np.float32)"),
        ("TensorFlow", "tf.cast(x, np.float32)"),
        ("Polars", ""),
        ("frobnicate", ""),
        ("", ""),
    ],
)
def test_how_an_array_is_cast(title, cast):
    assert library_titled(title).cast.format(x="x", dtype="np.float32") == cast


def test_each_cast_is_an_expression():
    for library in libraries().values():
        if library.cast:
            ast.parse(library.cast.format(x="x", dtype="d"), mode="eval")


@pytest.mark.parametrize(
    ("title", "reads_text", "as_text"),
    [("NumPy", True, False), ("pandas", True, True), ("PyTorch", False, False)],
)
def test_whether_strings_name_its_dtypes(title, reads_text, as_text):
    library = library_titled(title)
    assert (library.reads_text, library.dtypes_as_text) == (reads_text, as_text)


ALLOW = Enum("Explicit", ["ALLOW"]).ALLOW  # as JAX's own enumeration has it


@pytest.mark.parametrize(
    ("title", "module", "rules"),
    [
        ("NumPy", {"__version__": "1.26.4"}, "numpy-legacy"),
        ("NumPy", {"__version__": "2.4.0"}, "numpy"),
        ("JAX", {"config": SimpleNamespace(jax_enable_x64=False)}, "jax:x64=False"),
        (
            "JAX",
            {"config": SimpleNamespace(jax_enable_x64=False, jax_explicit_x64_dtypes=ALLOW)},
            "jax:x64=False,explicit_x64=allow",
        ),
        (
            "JAX",
            {"config": SimpleNamespace(jax_enable_x64=True, jax_explicit_x64_dtypes=ALLOW)},
            "jax:x64=True",
        ),
    ],
)
def test_which_rules_a_module_follows(title, module, rules):
    as_set = library_titled(title).rules_as_set
    assert as_set is not None
    assert as_set(SimpleNamespace(**module)) == rules
