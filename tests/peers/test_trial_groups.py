"""The written questions of `trial.toml`, asked of the live libraries and of `explain`.

Supremum gives the answer of the library, or refuses by name; where a case says ``must_answer``, it
answers. An expression is evaluated as it stands, with a live array for each operand in it.
"""

import builtins
import contextlib
import math
import operator
import re
import sys
import tomllib
import warnings
from pathlib import Path
from typing import NamedTuple

import pytest

import supremum
from supremum import DTypeError, ExpressionError, PromotionError, RulesError

REFUSALS = ExpressionError, PromotionError, RulesError, DTypeError
GROUPS = tomllib.loads((Path(__file__).parent / "trial.toml").read_text(encoding="utf-8"))
RELEASES = GROUPS.pop("releases")
CASES = [
    pytest.param(case, id=f"{name}-{case.get('text', case.get('op'))}")
    for name, group in GROUPS.items()
    for case in group["cases"]
]

# Those of which the answer is known to be wrong, with the reason.
OURS = [
    pytest.param(
        *case.values,
        id=case.id,
        marks=[pytest.mark.xfail(reason=case.values[0]["known"])]
        if "known" in case.values[0]
        else [],
    )
    for case in CASES
]

# How a text calls each library: the module, and the rules of it, if it has some.
MODULES = {
    "np": ("numpy", "numpy"), "jnp": ("jax.numpy", "jax"), "jax": ("jax", "jax"),
    "torch": ("torch", "torch"), "tf": ("tensorflow", "tensorflow"), "mx": ("mlx.core", "mlx"),
    "pl": ("polars", "polars"), "pd": ("pandas", "pandas"), "paddle": ("paddle", "paddle"),
    "sparse": ("scipy.sparse", ""), "xr": ("xarray", ""), "ml_dtypes": ("ml_dtypes", ""),
    "F": ("torch.nn.functional", ""),
}  # fmt: skip
ALIASES = {rules: alias for alias, (_, rules) in MODULES.items() if rules and alias != "jax"}
OPERAND = re.compile(
    r"(?<![\w.])(bool|(?:int|uint|float|bfloat|complex)\d*(?:_e\dm\d\w*)?)(\*?)\[([\d, ]*)\]"
)
PYTHON = {bool, int, float, complex}
UNWEAK = {"int": "int64", "float": "float64", "complex": "complex128"}


class Column:
    """The class of the documentation: an array of some other library."""

    def __init__(self, dtype):
        self.dtype = _module("np").dtype(dtype)
        self.shape = (3,)

    def __add__(self, other):
        return Column(_module("np").result_type(self.dtype, other))


class Answer(NamedTuple):
    """The dtypes of a result, or of several; a Python number is ``"Python float"``."""

    dtype: str | list[str]
    weak: bool = False


def _module(alias):
    module, _ = MODULES[alias]
    return pytest.importorskip(module, reason=f"{module} is not installed")


def _is_as_measured(library):
    """Return whether the release that is installed is the one that was asked."""
    module = _module(ALIASES[library])
    root = sys.modules[module.__name__.partition(".")[0]]
    release = getattr(root, "__version__", None) or module.__version__
    return release.partition("+")[0] == RELEASES[library]


class _Names(dict):
    """What a text may name, modules among them, each imported if it is named."""

    def __missing__(self, name):
        if name in MODULES:
            return _module(name)
        return getattr(builtins, name)


FACTS = {"operator": operator, "math": math, "Column": Column}


def live_objects(case):
    """Return the live operands that a case gives names to."""
    for module in case.get("needs", ()):
        pytest.importorskip(module, reason=f"{module} is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: evaluated(text) for name, text in case.get("given", {}).items()}


def evaluated(text, **names):
    return eval(text, _Names(FACTS, **names))  # written in trial.toml


def live_answer(case):
    """Return what the live library answers; it raises what it likes."""
    library, _, options = case.get("system", "").partition(":")
    text, names = case.get("live", case.get("text")), {}

    def put(found):
        names[name := f"x{len(names)}_"] = make(library, *found.groups())
        return name

    with _setting(library, options), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        masked = OPERAND.sub(put, text) if library else text
        return answer_of(evaluated(masked, **names, **live_objects(case)))


@contextlib.contextmanager
def _setting(library, options):
    if library != "jax":
        yield
        return
    config = _module("jax").config
    before = config.jax_enable_x64
    config.update("jax_enable_x64", "x64=false" not in options)
    try:
        yield
    finally:
        config.update("jax_enable_x64", before)


def make(library, name, weak, sizes):
    """Return a live array: of ones, with larger ones on the diagonal, or of True and False."""
    np = _module("np")
    shape = tuple(int(size) for size in sizes.split(",") if size.strip())
    values = np.ones(shape)
    if len(shape) > 1 and shape[-1] == shape[-2]:
        values += np.eye(shape[-1])
    if name == "bool":
        values = (np.arange(values.size) % 2 == 0).reshape(shape)
    module = _module(ALIASES[library])
    if library == "polars":
        kind = name.capitalize().replace("Uint", "UInt").replace("Bool", "Boolean")
        return module.Series(values.tolist()).cast(getattr(module, kind))
    if library == "torch":
        return module.tensor(values.tolist()).to(getattr(module, name))
    if library == "tensorflow":
        return module.cast(module.constant(values), name)
    if library == "mlx":
        _module("mx").set_default_device(module.cpu)
        kind = "bool_" if name == "bool" else name
        return module.array(values.tolist()).astype(getattr(module, kind))
    if library == "pandas":
        return module.Series(values, dtype=name)
    if not weak:
        return module.asarray(values, dtype=supremum.dtype(name).to("numpy"))
    from jax._src.lax import lax  # only JAX itself makes them

    strong = module.asarray(values, UNWEAK.get(name, name))
    return lax._convert_element_type(strong, strong.dtype, weak_type=True)


def answer_of(value):
    several = isinstance(value, (list, tuple))
    weak = any(getattr(x, "weak_type", False) for x in (value if several else [value]))
    return Answer([name_of(x) for x in value] if several else name_of(value), weak)


def name_of(x):
    if type(x) in PYTHON:
        return f"Python {type(x).__name__}"
    try:
        return supremum.custom.operand(x).dtype.name
    except DTypeError:
        return str(getattr(x, "dtype", type(x).__name__))


def our_answer(case):
    """Return what Supremum answers; it raises one of the `REFUSALS`, or it has a mistake."""
    # rules in a text alone would be as JAX is set here
    system = {"system": supremum.system(case["system"])} if "system" in case else {}
    given = live_objects(case)
    if "op" in case:
        operands = case.get("operands") or [*given.values()]
        read = [supremum.core.operands.parse(x) if isinstance(x, str) else x for x in operands]
        why = supremum.explain(*read, op=case["op"], **system)
        return Answer(why.result.name, why.weak)
    explained = supremum.explain(case["text"], **system, **given)
    names = [f"Python {x.library}" if x.is_python else x.dtype.name for x in explained.results]
    return Answer(names if len(names) > 1 else names[0], any(x.weak for x in explained.results))


def _expected(case):
    return Answer(case["answer"], case.get("weak", False))


@pytest.mark.parametrize("case", CASES)
def test_the_library_answers_as_it_is_written(case):
    library = case.get("system", "numpy").partition(":")[0]
    _module(ALIASES[library])
    if not _is_as_measured(library):
        pytest.skip(f"{library} {RELEASES[library]} is what was asked")
    if case.get("raises"):
        with pytest.raises(Exception):  # noqa: B017, PT011  # whatever the library raises
            live_answer(case)
        return
    found = live_answer(case)
    assert found.dtype == case["answer"]
    assert found.weak == case.get("weak", False)


@pytest.mark.parametrize("case", OURS)
def test_supremum_gives_that_answer_or_refuses_by_name(case):
    try:
        found = our_answer(case)
    except REFUSALS:
        assert not case.get("must_answer")
        return
    assert not case.get("raises"), f"answers {found} where the library raises"
    is_weak = case.get("system", "").partition(":")[0] == "jax" and found.weak
    assert Answer(found.dtype, is_weak) == _expected(case)


# What the groups say of state, ST, cannot be written as an expression.


class DType:
    """An object that is taken for a dtype by the name of its class."""

    def __init__(self, name):
        self.name = name


class EqualToName:
    """No dtype, though it is equal to the name of one."""

    def __eq__(self, other):
        return other == "int8"

    def __hash__(self):
        return hash("int8")


def test_a_dtype_that_changes_its_name_is_read_again():
    changing = DType("int8")
    assert supremum.promote_types(changing, "int8") == "int8"
    changing.name = "int32"
    assert supremum.promote_types(changing, "int8") == "int32"


@pytest.mark.parametrize("ask", [supremum.promote_types, supremum.result_type])
def test_what_equals_a_name_is_refused_and_changes_no_answer(ask):
    with contextlib.suppress(DTypeError):
        ask(EqualToName(), "uint16")
    assert ask("int8", "uint16") == "int32"
    with pytest.raises(DTypeError):
        ask(EqualToName(), "uint16")


def test_an_older_array_is_refused_where_64_bit_types_were_turned_off():
    jnp = _module("jnp")
    with _setting("jax", ""):
        x = jnp.ones(3, "float64")
    with _setting("jax", "x64=false"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        live = {name: getattr(jnp, name)(x).dtype.name for name in ("sum", "sin", "max", "sqrt")}
    assert live == {"sum": "float32", "sin": "float64", "max": "float32", "sqrt": "float64"}
    for name in live:
        with pytest.raises(PromotionError, match="made while x64 was on"):
            supremum.explain(f"jnp.{name}(x)", system="jax:x64=false", x=x)
    assert supremum.result_type(x, system="jax:x64=false") == "float64"  # of no function
