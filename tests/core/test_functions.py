"""What functions do on top of the join: the catalogue, the shipped data, and the answers."""

import inspect
import re
from itertools import product

import numpy as np
import pytest

import supremum
from supremum import PromotionError, RulesError, dtype
from supremum.core.catalogue import FACTS
from supremum.core.functions import FUNCTIONS, canonical, chain, facts_of, function, written
from supremum.core.operands import parse

OPERATORS = [
    "add", "subtract", "multiply", "true_divide", "floor_divide", "remainder", "power", "matmul",
    "equal", "less", "bitwise_and", "left_shift", "maximum", "where", "concat", "negative",
    "invert", "abs", "sin", "floor", "sum", "prod", "mean", "max", "argmax", "iadd",
]  # fmt: skip
WITH_FUNCTIONS = [name for name in supremum.systems() if supremum.system(name).functions]
# the others have some functions, and not all of NumPy's operators
WITH_OPERATORS = ["array-api", "jax", "numpy", "torch"]
ASKED = [
    (name, function)
    for name in WITH_FUNCTIONS
    for function in supremum.system(name).functions
    if FUNCTIONS[function].operands in (1, 2)
]


SPELLINGS = [(spelling, f.name) for f in FUNCTIONS.values() for spelling in (f.name, *f.spellings)]


def test_every_spelling_is_of_one_function():
    assert len({spelling for spelling, _ in SPELLINGS}) == len(SPELLINGS)
    for spelling, name in SPELLINGS:
        assert canonical(spelling) == name
        assert function(spelling) is FUNCTIONS[name]
    assert canonical("frobnicate") is None
    assert function("frobnicate") is None


def test_every_function_follows_one_of_the_catalogue_to_an_end():
    for name, known in FUNCTIONS.items():
        assert known.name == name
        first, *rest = chain(name)
        assert first == name
        assert len(set(rest)) == len(rest)
        assert [FUNCTIONS[f].follows for f in chain(name)] == [*rest, ""]


HEADINGS = (
    r"takes dtype|sums|squares|wraps|differs|modular|whole|takes any number|ranks|reads bytes"
    r"|changes|filled|named \w+|flat (array|same)|draws scalars|no flat axis|without values"
    r"|squares before dtype|(dtype|out) \d|(puts|fills|computes)( \d( [a-z_]\w*)*)+"
)


def test_every_fact_is_one_that_is_asked_for_and_of_a_name_of_its_own():
    rows = [line for line in FACTS.splitlines() if ": " in line and not line.startswith("#")]
    assert [row for row in rows if not re.fullmatch(HEADINGS, row.partition(": ")[0])] == []
    names = [
        name
        for line in FACTS.splitlines()
        if line[:1] != "#"
        for name in line.partition(": ")[2].split()
    ]
    assert [name for name in names if canonical(name) not in (None, name)] == []


@pytest.mark.parametrize(
    "name",
    [
        "argmax", "argmin", "clip", "compress", "cumprod", "cumsum", "dot", "max", "mean", "min",
        "nanmean", "nansum", "prod", "ptp", "round", "std", "sum", "take", "trace", "var",
        "zeros", "empty", "arange", "array", "fromiter", "median", "nanmax", "percentile",
    ],
)  # fmt: skip
def test_positions_of_arguments_are_those_of_numpy(name):
    try:
        parameters = list(inspect.signature(getattr(np, name)).parameters)
    except ValueError:  # of older releases
        pytest.skip("it has no signature")
    known = facts_of(name)
    for position, word in ((known.dtype_position, "dtype"), (known.output_position, "out")):
        if position is not None:
            assert parameters.index(word) == position


@pytest.mark.parametrize(
    ("names", "fact"),
    [
        ("sum reduce_sum np.add.reduce mean dot", "sums"),
        ("var norm", "squares"),
        ("subtract ptp", "differs"),
        ("multiply", "modular"),
        ("sgn around", "whole"),
        ("pow clamp", "takes any number"),
        ("rankdata", "ranks"),
        ("histogram2d", "ranks"),
        ("memmap view", "reads bytes"),
        ("copyto fill at", "changes"),
    ],
)
def test_facts_hold_by_any_spelling_and_for_no_unknown_function(names, fact):
    assert [name for name in names.split() if not facts_of(name).has(fact)] == []
    for other in ("where", "frobnicate"):
        assert not facts_of(other).has(fact)


@pytest.mark.parametrize(
    ("names", "fact"),
    [
        ("add diff trace prod matmul cumsum abs", "may_wrap"),
        ("copy index_put", "puts"),
        ("copyto masked_fill", "keeps_stored"),
        ("cumprod zeros_like array", "takes_dtype"),
        ("amax nancumsum", "reduces"),
        ("astype asarray", "converts"),
        ("randn", "draws"),
        ("arange", "counts"),
        ("zeros eye", "takes_shape"),
        ("concatenate stack", "takes_list"),
        ("svd", "gives_several"),
    ],
)
def test_what_facts_say_holds_by_any_spelling_and_for_no_unknown_function(names, fact):
    assert [name for name in names.split() if not getattr(facts_of(name), fact)] == []
    for other in ("where", "frobnicate"):
        assert not getattr(facts_of(other), fact)


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("copyto", [(0, ("src", "other"))]),
        ("mul", [(0, ("other", "exponent"))]),
        ("addcmul", [(0, ("tensor1",)), (1, ("tensor2",))]),
        ("at", [(1, ())]),
        ("eq", []),
        ("where", []),
        ("frobnicate", []),
    ],
)
def test_what_is_stored_in_the_first_argument(name, stored):
    assert list(facts_of(name).stores) == stored


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("linalg.inv", "inv"),
        ("np.linalg.inv", "inv"),
        ("numpy.linalg.svd", "svd"),
        ("jax.numpy.linalg.vector_norm", "vector_norm"),
        ("fft.fft", "fft"),
        ("np.fft.fftfreq", "fftfreq"),
        ("special.erf", "erf"),
        ("torch.special.gammaln", "lgamma"),
        ("add.reduce", "sum"),
        ("np.add.reduce", "sum"),
        ("np.linalg.outer", "linalg.outer"),
        ("torch.nn.functional.relu", "relu"),
        ("F.relu", "relu"),
        ("F.elu", "elu"),
        ("F.mse_loss", "mse_loss"),
        ("jax.nn.swish", "silu"),
        ("jax.scipy.special.expit", "sigmoid"),
        ("jax.lax.select", "lax.select"),
        ("lax.stop_gradient", "stop_gradient"),
        ("mlx.core.add", "add"),
        ("tf.math.add", "add"),
        ("torch.Tensor.add", "add"),
        ("np.random.rand", "rand"),
        ("foo.bar.add", None),
        ("np.nosuch.matmul", None),
        ("np.divide.outer", None),
        ("np.ma.add", None),
        ("np.random.add", None),
        ("np.linalg.add", None),
        ("np.random.poisson", "random.poisson"),  # which is of another kind than PyTorch's
        (".add", None),
        ("np.", None),
    ],
)
def test_a_dotted_prefix_is_a_known_namespace(path, name):
    assert canonical(path) == name


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("divide", "true_divide"),
        ("mod", "remainder"),
        ("pow", "power"),
        ("eq", "equal"),
        ("absolute", "abs"),
        ("arctan2", "atan2"),
        ("cumprod", "cumulative_prod"),
        ("concatenate", "concat"),
        ("amax", "max"),
        ("bitwise_not", "invert"),
    ],
)
def test_a_function_answers_by_each_of_its_spellings(spelling, name):
    assert canonical(spelling) == name
    count = FUNCTIONS[name].operands or 2
    for rules in (supremum.system("numpy"), supremum.system("jax")):
        operands = ["int32"] * count
        assert rules.rule(spelling) is rules.rule(name)
        assert rules.result_type(*operands, op=spelling) is rules.result_type(*operands, op=name)


def test_an_operator_is_shown_as_it_is_written():
    assert (written("add"), written("iadd"), written("sum")) == ("x + y", "x += y", "")


@pytest.mark.parametrize("name", WITH_OPERATORS)
def test_rules_with_operators_have_all_of_them(name):
    options = supremum.options(name)
    for values in product(*options.values()):
        rules = supremum.system(name, **dict(zip(options, values, strict=True)))
        assert [op for op in OPERATORS if rules.rule(op)] in (OPERATORS, [])
    assert [op for op in OPERATORS if supremum.system(name).rule(op)] == OPERATORS


def test_the_libraries_whose_functions_are_known():
    assert {"array-api", "jax", "jax-lax", "numpy", "torch"} <= set(WITH_FUNCTIONS)
    assert supremum.system("array-api", version="2024.12").rule("add") is not None
    assert supremum.system("array-api", version="2021.12").rule("add") is None
    assert supremum.system("torch", version="1.10").rule("add") is None


@pytest.mark.parametrize(("name", "op"), ASKED)
def test_every_function_answers_or_refuses_in_words(name, op):
    rules = supremum.system(name)
    for operands in product(rules.operable, repeat=FUNCTIONS[op].operands):
        try:
            answer = rules.result_type(*operands, op=op)
        except supremum.PromotionError as error:
            names = " and ".join(map(str, operands))
            label = f" ({rules.label})" if rules.label else ""
            what = f"cannot apply {op} to {names} under {rules.title} rules{label}: "
            assert str(error).startswith(what)  # noqa: PT017
        else:
            # what is asked about values is answered with a bool, under any rules
            assert answer in (*rules.dtypes, *rules.operable, dtype("bool"))


@pytest.mark.parametrize(
    ("system", "op", "operands"),
    [
        ("numpy", "iadd", ("int8", "float32")),
        ("numpy", "iadd", ("uint8", "int8")),
        ("numpy", "subtract", ("bool", "bool")),
        ("numpy", "floor_divide", ("int8", "complex64")),
        ("numpy", "bitwise_and", ("int8", "float32")),
        ("torch", "iadd", ("int8", "float32")),
        ("torch", "subtract", ("bool", "int8")),
        ("torch", "mean", ("int8",)),
        ("torch", "abs", ("bool",)),
        ("torch", "add", ("uint16", "uint16")),
        ("torch", "matmul", ("int8", "int16")),
        ("jax", "invert", ("float32",)),
        ("jax", "add", ("int4", "int4")),
    ],
)  # fmt: skip
def test_a_refusal_names_the_function_and_the_operands_in_their_order(golden, system, op, operands):
    rules = supremum.system(system)
    with pytest.raises(supremum.PromotionError) as caught:
        rules.result_type(*operands, op=op)
    golden(caught.value)
    assert [x.text for x in caught.value.operands] == [*operands]
    assert (caught.value.system, caught.value.setting) == (rules.name, rules.setting)


def test_bfloat16_joins_otherwise_in_numpys_operators(golden):
    numpy = supremum.system("numpy")
    assert numpy.result_type("uint16", "bfloat16", op="add").name == "float32"
    assert numpy.result_type("bfloat16", "int64", op="multiply").name == "float64"
    for op in (None, "concat", "where"):
        with pytest.raises(supremum.PromotionError) as caught:
            numpy.result_type("uint16", "bfloat16", op=op)
        golden(caught.value)


def test_the_default_width_of_an_option_is_that_of_its_functions():
    narrow = supremum.system("jax", x64=False)
    assert narrow.result_type("int8", op="sum").name == "int32"
    assert narrow.result_type("uint8", op="sum").name == "uint32"
    assert narrow.result_type("int64", op="argmax").name == "int32"
    torch = supremum.system("torch", default_dtype="bfloat16")
    assert torch.result_type("int32", "int32", op="true_divide").name == "bfloat16"


def test_an_explanation_says_what_the_function_did(golden):
    told = supremum.explain("int32", "int32", op="true_divide")
    assert told.result is dtype("float32")
    assert told.node is dtype("int32")
    golden(told)
    why = "true_divide (x / y) converts int32 to float32."
    expected = {"name": "true_divide", "dtype": "float32", "why": why, "weak": False}
    assert told.to_dict()["function"] == expected


def test_an_explanation_without_a_function_has_none():
    assert supremum.explain("int32", "int32").to_dict()["function"] is None
    told = supremum.explain("int8", "int8", op="add", system="numpy")
    expected = {"name": "add", "dtype": "int8", "why": "", "weak": False}
    assert told.to_dict()["function"] == expected
    assert "add" not in str(told)


def test_the_command_explains_a_function(golden, run):
    result = run("explain", "int32", "int32", "--op", "true_divide")
    told = supremum.explain("int32", "int32", op="true_divide")
    others = "elsewhere: float64 by numpy, tensorflow; refused by array-api"
    assert (result.exit_code, result.stdout) == (0, f"{told}\n\n{others}\n")
    assert run("explain", "bool", "bool", "--op", "subtract", "-s", "numpy").exit_code == 1
    unknown = run("explain", "int8", "int8", "--op", "true_divid")
    assert unknown.exit_code == 2
    golden(unknown.stderr)


@pytest.mark.parametrize(
    ("system", "op", "close"),
    [
        ("numpy", "ad", ("pad", "add", "rand")),
        ("jax", "qqq", ()),
        ("numpy", "true_divid", ("true_divide", "floor_divide")),
    ],
)
def test_an_unknown_function_is_refused(golden, system, op, close):
    with pytest.raises(RulesError) as caught:
        supremum.result_type("int8", "int8", system=system, op=op)
    golden(caught.value)
    assert (caught.value.given, caught.value.candidates) == (op, close)


@pytest.mark.parametrize("system", ["jax-original", "python"])
def test_rules_without_functions_say_so_and_suggest_none(system):
    weak = "int*" if system == "python" else "int8"
    with pytest.raises(RulesError) as caught:
        supremum.result_type(weak, weak, system=system, op="true_divide")
    assert "true_divide" in str(caught.value)
    assert "did you mean" not in str(caught.value)


def test_a_number_needs_no_dtype_of_its_own(golden):
    standard = supremum.system("array-api")
    single = parse("float32[3]")
    assert standard.result_type(single, 1.0, op="add").name == "float32"
    assert standard.result_type(single, 2, op="power").name == "float32"
    with pytest.raises(supremum.PromotionError) as caught:
        standard.result_type(parse("int8[3]"), 2, op="true_divide")
    golden(caught.value)
    with pytest.raises(supremum.PromotionError) as caught:
        standard.result_type(single, parse("int*[3]"), op="add")
    golden(caught.value)


@pytest.mark.parametrize(
    ("expression", "end"),
    [
        ("bool[3] | 2.5", "a mix of bool and float undefined"),
        ("uint64[3] << 1.5", "a mix of float and integer undefined"),
        ("bool[3] + 2.5", "cast the array to float64 first, with x.astype('float64')"),
        ("bfloat16[3] << int8[3]", "int8, int16, int32 or int64 first"),
    ],
)
def test_a_refusal_names_a_cast_only_if_the_function_takes_it(expression, end):
    with pytest.raises(supremum.PromotionError) as caught:
        supremum.explain(expression, system="array-api")
    assert str(caught.value).endswith(end)


def test_an_empty_name_of_a_function_is_an_unknown_one(golden):
    for ask in (supremum.result_type, supremum.explain):
        with pytest.raises(RulesError) as caught:
            ask("int8", op="")
        golden(caught.value)


@pytest.mark.parametrize(
    ("op", "count"), [("add", 1), ("add", 3), ("sqrt", 2), ("where", 3), ("diff", 2), ("clip", 4)]
)
def test_a_function_takes_its_number_of_operands(golden, op, count):
    with pytest.raises(PromotionError) as caught:
        supremum.result_type(*["int8"] * count, op=op)
    golden(caught.value)
    assert supremum.result_type("int8", op="diff") is dtype("int8")
    assert supremum.result_type("int8", "int16", op="where") is dtype("int16")
    assert supremum.result_type("int8", "int16", "int32", op="concat") is dtype("int32")
