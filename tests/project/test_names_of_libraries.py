"""Libraries are named where their rules stand, and nothing is decided by the name of rules."""

import ast
import re
from pathlib import Path

import pytest

import supremum

SOURCE = Path(supremum.__file__).parent
CORE = SOURCE / "core"

LIBRARIES = (
    "jax", "torch", "pytorch", "tensorflow", "keras", "mlx", "tinygrad", "paddle", "cupy", "dask",
    "polars", "pyarrow", "pandas", "duckdb", "dpnp", "ndonnx", "pytensor", "numba", "numexpr",
    "numpy",
)  # fmt: skip
WORD = re.compile(rf"(?<![A-Za-z0-9])({'|'.join(LIBRARIES)})(?![A-Za-z0-9])", re.IGNORECASE)

# Each file of the core, beside those of rules, that names a library all the same, and why it does.
ALLOWED = {
    ("systems/__init__.py", "jax"): "the default rules, and the example of a name",
    ("dtypes.py", "jax"): "a message says whose document counts bits in short codes",
    ("libraries.py", "numpy"): "most libraries' dtypes are imported from NumPy, by default",
    ("catalogue.py", "numpy"): "methods of tensors are called numpy, to_numpy and from_numpy",
    ("dtypes.py", "torch"): "who asks a dtype for to_torch is told what it has instead",
    ("dtypes.py", "numpy"): "short codes in bytes have two readings; np.dtype(d) works",
    ("operands.py", "numpy"): "NumPy's scalars, classes and arrays are read, if it is loaded",
    ("table.py", "pandas"): "a table becomes a data frame",
    ("display.py", "pandas"): "who asks a value for to_pandas is told what it has instead",
    ("foreign.py", "numpy"): "NumPy's dtypes and scalars are those of other libraries, too",
    ("evaluation/facts.py", "numpy"): "a function of tensors is called from_numpy",
    ("evaluation/code.py", "numpy"): "functions of NumPy ask stand-ins for what they give",
    **dict.fromkeys(
        (("deciding.py", name) for name in ("numpy", "tensorflow", "torch")),
        "the rules that are told beside an answer, without which no other ones are loaded",
    ),
    ("ask.py", "numpy"): "who gives casting= is told where NumPy's rules of casting are asked",
    ("answers.py", "numpy"): "NumPy's arrays and dtypes are looked up without being read",
}


class WithoutDocstrings(ast.NodeTransformer):
    def visit_Expr(self, node):  # as ast calls it
        return ast.Pass() if isinstance(node.value, ast.Constant) else node


def words(path):
    """Return the libraries that a file names, beside docstrings and comments."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {word.lower() for word in WORD.findall(ast.unparse(WithoutDocstrings().visit(tree)))}


def test_the_core_names_libraries_only_where_it_has_a_reason_to():
    rules = CORE / "systems"
    files = [p for p in CORE.rglob("*.py") if p.parent != rules or p.name == "__init__.py"]
    found = {(str(path.relative_to(CORE)), word) for path in files for word in words(path)}
    assert found == ALLOWED.keys()


def test_every_library_is_named_in_the_file_of_its_rules():
    files = {path.stem for path in (CORE / "systems").glob("*.py")}
    assert {*LIBRARIES} - {"pytorch"} <= files


def test_nothing_is_decided_by_the_name_of_rules():
    # compared, or looked up
    decides = re.compile(r"\b(rules|system|given)\.(name|title)(\]| (==|!=|in|not in) )")
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
    assert [path for path, text in texts.items() if decides.search(text)] == []


def test_rules_of_ones_own_get_nothing_of_a_library_by_its_name():
    for name in supremum.systems():
        mine = supremum.custom.PromotionSystem.from_lattice("i8, u8 -> i16 -> f32; i* -> i8", name)
        assert (mine.library, mine.title, mine.functions) == (None, name, {})
        assert (mine.version, mine.source, mine.setting, mine.label) == ("", "", {}, "")
        assert mine.result_type(1) is supremum.dtype("int64")
        told, plain = (x.explain("int8", "uint8") for x in (mine, mine.replace(name="plain")))
        assert told.to_dict() == plain.to_dict() | {"system": name}
        with pytest.raises(supremum.PromotionError) as caught:
            mine.promote_types("int8", "bool")
        assert str(caught.value) == (
            f"cannot promote int8 and bool under {name} rules: "
            "bool is not supported by these rules; cast to uint8, int8, int16 or float32 first"
        )
