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
    ("dtypes.py", "numpy"): "short codes in bytes have two readings; np.dtype(d) works",
    ("operands.py", "numpy"): "NumPy's scalars, classes and arrays are read, if it is loaded",
    ("foreign.py", "numpy"): "NumPy's dtypes and scalars are those of other libraries, too",
    ("cache.py", "numpy"): "NumPy's arrays and dtypes are looked up without being read",
}


def words(code):
    """Return the libraries that code names in strings and identifiers; docstrings do not count."""
    tree = ast.parse(code)
    told = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    texts = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            texts.append(node.value)
        # what names, attributes, arguments, definitions and imports are called
        fields = ("id", "attr", "arg", "name", "asname", "module", "rest")
        texts.extend(getattr(node, field, None) for field in fields)
        texts += getattr(node, "names", [])
    return {word.lower() for x in texts if isinstance(x, str) for word in WORD.findall(x)}


def outside_of_rules():
    rules = CORE / "systems"
    return [p for p in CORE.rglob("*.py") if p.parent != rules or p.name == "__init__.py"]


def test_the_core_names_libraries_only_where_it_has_a_reason_to():
    found = {
        (str(path.relative_to(CORE)), word)
        for path in outside_of_rules()
        for word in words(path.read_text(encoding="utf-8"))
    }
    assert found == ALLOWED.keys()


def test_every_library_is_named_in_the_file_of_its_rules():
    files = {path.stem for path in (CORE / "systems").glob("*.py")}
    assert {*LIBRARIES} - {"pytorch"} <= files


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("x = 'jax'", {"jax"}),
        ("x = f'JAX {y}'", {"jax"}),
        ("import torch", {"torch"}),
        ("from jax.numpy import int8", {"jax", "numpy"}),
        ("import x as tensorflow", {"tensorflow"}),
        ("is_polars = 1", {"polars"}),
        ("def mlx(pandas): x.keras(cupy=1)", {"mlx", "pandas", "keras", "cupy"}),
        ("class PyTorch: pass", {"pytorch"}),
        ("global dask", {"dask"}),
        ('"""jax"""\ndef f():\n    """torch"""  # paddle\n', set()),
        ('x = 1\n"""what jax says"""', set()),
        ("x = 'ajax torches'", set()),
    ],
)
def test_a_name_would_be_noticed(code, found):
    assert words(code) == found


HOLDERS = {"rules", "system", "given", "first", "second"}


def is_name_of_rules(node):
    """Tell whether an expression is the name of some rules."""
    if not (isinstance(node, ast.Attribute) and node.attr in ("name", "title")):
        return False
    holder = node.value.attr if isinstance(node.value, ast.Attribute) else None
    holder = node.value.id if isinstance(node.value, ast.Name) else holder
    return holder in HOLDERS


LOOK_UPS = {"get", "pop", "index", "count", "setdefault"}
TESTS = {"startswith", "endswith", "partition", "rpartition", "split", "removeprefix"}


def decisions(code):
    """Return the places in which code decides something by the name of rules."""
    found = []
    for node in ast.walk(ast.parse(code)):
        asked = []
        if isinstance(node, ast.Compare):
            asked = [node.left, *node.comparators]
        elif isinstance(node, ast.Subscript):
            asked = [node.slice]
        elif isinstance(node, ast.Match):
            asked = [node.subject]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            asked = node.args[:1] if node.func.attr in LOOK_UPS else []
            asked += [node.func.value] if node.func.attr in TESTS else []
        found += [ast.unparse(node) for x in asked if is_name_of_rules(x)]
    return found


@pytest.mark.parametrize(
    "path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE))
)
def test_nothing_is_decided_by_the_name_of_rules(path):
    assert decisions(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "code",
    [
        "rules.name == 'jax'",
        "'jax' != self.rules.name",
        "system.name in ('numpy', 'jax')",
        "TABLE[rules.name]",
        "TABLE.get(given.name, '')",
        "rules.title.startswith('Py')",
        "rules.name.partition('-')",
        "match rules.name:\n    case 'jax': pass",
    ],
)
def test_a_decision_would_be_noticed(code):
    assert len(decisions(code)) == 1


def test_what_is_no_decision_is_not_noticed():
    code = "print(rules.name); d.name == 'int8'; rules.functions.get(function.name)"
    assert decisions(code) == []


def test_rules_of_ones_own_get_nothing_of_a_library_by_its_name():
    theirs = supremum.system("jax")
    for name in supremum.systems():
        mine = supremum.PromotionSystem.from_lattice("i8, u8 -> i16 -> f32; i* -> i8", name)
        plain = mine.replace(name="plain")
        assert (mine.library, mine.title, mine.functions) == (None, name, {})
        assert (mine.version, mine.source, mine.setting, mine.label) == ("", "", {}, "")
        assert mine.default_dtypes == plain.default_dtypes
        assert mine.result_type(1) is supremum.dtype("int64")
        assert mine != supremum.system(name)
        told = mine.explain("int8", "uint8")
        assert (told.title, told.system) == ("", name)
        assert told.as_dict() == plain.explain("int8", "uint8").as_dict() | {"system": name}
        with pytest.raises(supremum.PromotionError) as caught:
            mine.promote_types("int8", "bool")
        assert str(caught.value) == (
            f"cannot promote int8 and bool under {name} rules: "
            "bool is not supported by these rules; cast to uint8, int8, int16 or float32 first"
        )
        with pytest.raises(supremum.RulesError):
            mine.result_type("int8", op="sqrt")
    assert theirs.title == "JAX"
