"""Functions under the rules of the smaller libraries: answers that were measured on them."""

import pytest

import supremum
from supremum.core.operands import operand, parse

REFUSED = "-"

# The function, its operands, and the answer.
TABLES = {
    "tensorflow": """
        add              1.0 f64[3]        float64
        subtract         1.0 f64[3]        float64
        subtract         i32[3] i64[3]     -
        add              bool[3] bool[3]   -
        true_divide      i16[3] i16[3]     float32
        true_divide      i32[3] 1          float64
        floor_divide     i8[3] 256         -
        floor_divide     256 i8[3]         int8
        power            u8[3] u8[3]       -
        power            i8[3] 200         -
        power            i8[3] 100         int8
        equal            bool[3] True      bool
        less             bool[3] bool[3]   -
        logical_and      bool[3] True      bool
        logical_not      i32[3]            -
        bitwise_and      bool[3] bool[3]   -
        sum              i8[3]             int8
        mean             i32[3]            int32
        argmax           bool[3]           int64
        sqrt             i32[3]            -
        abs              c128[3]           float64
        negative         u8[3]             -
    """,
    "polars": """
        add              bool[3] bool[3]   uint32
        add              bool[3] True      uint32
        subtract         bool[3] bool[3]   -
        subtract         u8[3] -1          int16
        multiply         u64[3] i8[3]      int128
        true_divide      i8[3] f16[3]      float16
        true_divide      i8[3] 1           float64
        less             u8[3] 1.5         bool
        bitwise_and      bool[3] u8[3]     -
        bitwise_and      u8[3] 300         uint16
        bitwise_and      f32[3] f32[3]     -
        sum              bool[3]           uint32
        sum              i16[3]            int64
        sum              i32[3]            int32
        mean             f32[3]            float32
        mean             bool[3]           float64
        sqrt             bool[3]           float64
        sin              bool[3]           -
        negative         u8[3]             -
        argmax           f64[3]            uint32
        max              bool[3]           bool
    """,
    "pandas": """
        true_divide      i8[3] i8[3]       float64
        true_divide      bool[3] bool[3]   -
        true_divide      f32[3] 2          float32
        floor_divide     i8[3] 300         -
        floor_divide     i8[3] 0           -
        floor_divide     i8[3] i16[]       int8
        remainder        bool[3] bool[3]   int8
        subtract         bool[3] bool[3]   -
        power            i32[3] -1         -
        less             i8[3] 300         bool
        logical_and      f32[3] i8[3]      bool
        sum              u8[3]             uint64
        sum              f16[3]            float64
        sum              f32[3]            float32
        mean             c64[3]            complex128
        std              c64[3]            float32
        sqrt             i8[3]             float16
        cumulative_sum   bool[3]           int64
        argmax           f32[3]            int64
        matmul           i8[3] i16[3]      int16
    """,
    "pyarrow": """
        add              bool[3] bool[3]   -
        true_divide      i8[3] i8[3]       int8
        true_divide      i8[3] 0           -
        true_divide      f32[3] 0          float32
        multiply         f32[3] 1.0        float64
        power            i8[3] -1          -
        power            f32[3] -1         float32
        equal            bool[3] True      bool
        less             bool[3] u8[3]     -
        bitwise_and      bool[3] bool[3]   -
        logical_and      bool[3] True      bool
        sqrt             i8[3]             float64
        sqrt             f16[3]            -
        negative         f16[3]            float16
        sum              bool[3]           uint64
        sum              f32[3]            float64
        mean             f32[3]            float64
        max              bool[3]           bool
        cumulative_sum   i8[3]             int8
        floor            i8[3]             float64
        sign             u64[3]            int8
    """,
    "dask": """
        add              u64[3] i8[3]      float64
        subtract         bool[3] bool[3]   -
        add              i8[3] 300         -
        equal            i8[3] 300         bool
        true_divide      i8[3] i8[3]       float64
        true_divide      f32[3] 2          float32
        floor_divide     bool[3] bool[3]   int8
        power            i32[3] -1         -
        bitwise_and      f32[3] f32[3]     -
        logical_and      f32[3] i8[3]      bool
        sqrt             i8[3]             float16
        sum              u8[3]             uint64
        sum              f16[3]            float16
        mean             i8[3]             float64
        abs              c64[3]            float32
        argmax           f32[3]            int64
        cumulative_sum   bool[3]           int64
        where            i8[3] f16[3]      float16
        matmul           i8[3] i16[3]      int16
    """,
    "numba": """
        add              f32[3] 3.0        float64
        add              f32[3] 3          float32
        add              f32[3] i64[3]     float32
        add              i8[3] 1           int64
        add              i8[] i8[]         int8
        add              True True         int64
        add              f32[3] 9223372036854775808 float32
        add              u64[3] 1          float64
        add              f32[3] 18446744073709551616 -
        subtract         bool[3] bool[3]   int8
        true_divide      i8[3] i8[3]       float32
        true_divide      i8[3] 2           float64
        true_divide      True True         float64
        power            f32[3] 2          float32
        power            f32[3] 2.0        float64
        left_shift       u8[3] 1           int64
        left_shift       True 1            int64
        left_shift       1.0 1             -
        bitwise_and      True True         bool
        bitwise_and      u64[3] i8[3]      -
        less             c64[3] 1          bool
        less             1j 1              -
        negative         True              int64
        invert           True              bool
        maximum          True True         bool
        sqrt             i8[3]             float32
        sqrt             1                 float64
        atan2            i8[3] i16[3]      float32
        sum              f32[3]            float32
        std              f32[3]            float64
        ptp              u8[3]             float64
        matmul           f32[3] f64[3]     -
        matmul           i8[3] i8[3]       -
        iadd             u8[3] i8[3]       -
        iadd             f32[3] f64[3]     float32
        iadd             u8[3] u64[3]      uint8
    """,
    "numexpr": """
        add              f32[3] 3.0        float64
        add              f32[3] 3          float32
        add              f32[3] i64[3]     float32
        add              i8[3] 1           int32
        add              i8[3] 2147483648  int64
        add              u64[3] i8[3]      int64
        add              c64[3] c64[3]     complex128
        add              i8[3] 9223372036854775808 -
        subtract         bool[3] bool[3]   -
        true_divide      i8[3] i8[3]       float64
        floor_divide     1 i8[3]           -
        bitwise_and      i8[3] 1           int32
        power            f16[3] i8[3]      float32
        power            f32[3] 2          -
        sqrt             bool[3]           float32
        sqrt             i8[3]             float64
        maximum          f32[3] f32[3]     float64
        max              i32[3]            -
        abs              c64[3]            complex128
        where            bool[3] i8[3]     int32
    """,
    "ndonnx": """
        add              u8[3] 300         -
        add              bool[3] bool[3]   -
        true_divide      i8[3] f32[3]      float64
        true_divide      f32[3] i8[3]      float32
        true_divide      300 u8[3]         float64
        floor_divide     i8[3] bool[3]     -
        floor_divide     i8[3] True        int8
        bitwise_and      bool[3] 1         -
        left_shift       bool[3] i8[3]     int8
        left_shift       bool[3] 1         -
        right_shift      i8[3] 7           -
        right_shift      i8[3] -1          float64
        right_shift      i64[3] u64[3]     float64
        right_shift      u64[3] i64[3]     -
        logaddexp        i8[3] f16[3]      float32
        logaddexp        i8[3] 1.0         -
        tensordot        u8[3] bool[3]     uint8
        equal            bool[3] i8[3]     bool
        sum              u8[3]             uint64
    """,
    "duckdb": """
        add              i8[3] u8[3]       int64
        add              i16[3] u8[3]      int16
        add              u64[3] 1          uint64
        add              i8[3] 300         int32
        add              bool[3] bool[3]   -
        where            i8[3] u8[3]       int16
        where            bool[3] f32[3]    -
        concat           bool[3] f32[3]    float32
        less             bool[3] f32[3]    -
        equal            bool[3] f32[3]    bool
        true_divide      u64[3] i8[3]      float64
        true_divide      f32[3] i64[3]     float32
        power            f32[3] 2          float64
        sum              i8[3]             -
        sum              f32[3]            float64
        sign             f32[3]            int8
    """,
    "pytensor": """
        true_divide      i8[3] i8[3]       float64
        true_divide      i8[3] f32[3]      float32
        power            bool[3] bool[3]   int8
        sqrt             i8[3]             float32
        sqrt             i32[3]            float64
        atan2            i32[3] f32[3]     float64
        atan2            i8[3] f16[3]      float32
        bitwise_and      bool[3] i8[3]     -
        bitwise_and      u64[3] i8[3]      float64
        bitwise_or       i8[3] 300         int16
        mean             f16[3]            float16
        prod             u8[3]             uint64
        abs              c64[3]            float32
    """,
    "dpnp": """
        add              u8[3] 300         -
        add              bool[3] True      bool
        divmod[0]        bool[3] bool[3]   int8
        true_divide      i8[3] i8[3]       float64
        power            i8[3] -1          int8
        float_power      u16[3] i16[3]     float32
        float_power      i32[3] u8[3]      float64
        reciprocal       i8[3]             float16
        rint             i8[3]             int8
        angle            bool[3]           float32
        clip             i8[3] i16[3]      -
        clip             i16[3] i8[3]      int16
        unravel_index    u8[3]             uint8
        solve            f16[3,3] f16[3,3] -
        solve            f16[3,3] f32[3,3] float32
        lstsq[2]         f16[3,3] f16[3,3] -
        lstsq[2]         i8[3,3] f32[3,3]  int32
        lstsq[3]         i8[3,3] c64[3,3]  float64
        vecdot           f16[3] u8[3]      -
        iadd             i8[3] u64[3]      int8
        iadd             u8[3] i8[3]       -
    """,
    "mlx": """
        add              u8[3] 300         -
        add              bool[3] 2147483648 int32
        logical_and      u8[3] 300         bool
        true_divide      i32[3] i32[3]     float32
        true_divide      f64[3] i32[3]     float64
        floor_divide     c64[3] c64[3]     complex64
        remainder        c64[3] c64[3]     -
        negative         bool[3]           -
        sum              i8[3]             int32
        sum              bool[3]           int32
        cumulative_sum   i8[3]             int8
        mean             i32[3]            float32
        std              c64[3]            float32
        matmul           i32[3,3] i32[3,3] -
        matmul           f16[3,3] f32[3,3] float32
        left_shift       bool[3] bool[3]   uint8
        argmax           f32[3]            uint32
        sqrt             i64[3]            float32
        atan2            c64[3] c64[3]     -
    """,
    "tinygrad": """
        add              u64[3] i8[3]      float32
        subtract         bool[3] bool[3]   bool
        true_divide      i32[3] i32[3]     float32
        floor_divide     bool[3] bool[3]   float32
        floor_divide     i8[3] 2           int8
        maximum          i8[3] 1.0         float32
        maximum          1.0 i8[3]         -
        less             f16[3] bf16[3]    bool
        bitwise_and      f32[3] f32[3]     -
        bitwise_and      u64[3] i8[3]      -
        bitwise_and      bool[3] u8[3]     uint8
        sum              i8[3]             int32
        sum              f16[3]            float16
        prod             i8[3]             int8
        mean             i8[3]             float32
        argmax           f32[3]            int32
        floor            bool[3]           int32
        sqrt             i64[3]            float32
        matmul           i8[3,3] f16[3,3]  float16
    """,
    "keras": """
        add              u64[3] u64[3]     uint32
        add              u64[3] i8[3]      float32
        add              u8[3] 300         uint8
        add              bf16[3] 1.0       bfloat16
        subtract         bool[3] bool[3]   -
        concat           u64[3] u64[3]     uint64
        true_divide      i64[3] i64[3]     float32
        true_divide      c128[3] 1         complex64
        floor_divide     i8[3] 256         -
        power            u8[3] -1          -
        power            i8[3] 2           int8
        remainder        u8[3] 1           int32
        remainder        i8[3] 1099511627776 int64
        remainder        bf16[3] 1.0       float32
        hypot            i64[3] i64[3]     float64
        less             c64[3] c64[3]     -
        logical_and      c64[3] bool[3]    bool
        left_shift       u8[3] 1           -
        clip             i8[3] 0 1         int8
        clip             i8[3] 0 1.5       -
        where            bool[3] 1         int32
        add              bool[3] True      -
        negative         u64[3]            -
        abs              c128[3]           float64
        sum              i8[3]             int32
        sum              u64[3]            uint64
        mean             i64[3]            float32
        sqrt             i8[3]             float32
        cbrt             i64[3]            float64
        argmax           f64[3]            int32
        matmul           u64[3,3] u64[3,3] uint32
    """,
    "cupy": """
        add              u64[3] i8[3]      float64
        add              bf16[3] 1.0       float32
        add              bf16[3] i16[3]    float32
        add              bool[3] 9223372036854775808 uint64
        add              i8[3] 9223372036854775808 -
        add              i8[3] 300         -
        add              i8[3] i16[]       int16
        subtract         bool[3] bool[3]   -
        true_divide      u8[3] 300         float64
        true_divide      u8[3] 9223372036854775808 -
        true_divide      f32[3] 2          float32
        floor_divide     bool[3] bool[3]   int8
        divmod[0]        bf16[3] bf16[3]   float32
        divmod[0]        bf16[3] 9223372036854775808 float32
        power            i8[3] -1          int8
        float_power      f32[3] f32[3]     float64
        equal            u8[3] 300         bool
        logical_and      c64[3] c64[3]     -
        logical_xor      u8[3] 300         -
        hypot            u8[3] i8[3]       float16
        where            bf16[3] bf16[3]   float32
        where            i8[3] f16[3]      float16
        negative         bool[3]           -
        sqrt             i8[3]             float16
        round            bf16[3]           float32
        abs              c64[3]            float32
        real             c64[3]            float32
        isfinite         c64[3]            bool
        sum              u8[3]             uint64
        max              bool[3]           bool
    """,
    "paddle": """
        add              i8[3] i16[3]      -
        add              i8[3] i16[]       int8
        add              i8[3] 1.5         float32
        negative         bool[3]           bool
        invert           f32[3]            -
        abs              i8[3]             -
        abs              c128[3]           float64
        sqrt             i8[3]             float32
        exp              i8[3]             -
        sum              i32[3]            int64
        sum              i8[3]             int8
        mean             i32[3]            int32
        argmax           bool[3]           -
        argmax           f32[3]            int64
        cumulative_sum   i8[3]             int64
        isnan            c64[3]            bool
        isnan            i8[3]             -
    """,
}
KERAS_ON_JAX = """
        add              u32[3] i32[3]     int32
        add              u8[3] 1.5         float32
        true_divide      i8[3] i8[3]       float32
        power            i8[3] -1          int8
        power            i8[3] 2147483648  -
        remainder        bool[3] bool[3]   int32
        where            bool[3] 1         int32
        atan2            bf16[3] 1.0       -
        sin              i8[3]             float16
        sqrt             i8[3]             float32
        sum              u8[3]             uint32
        matmul           i8[3,3] i8[3,3]   int32
        eig[0]           f32[3,3]          complex64
        add              f64[3] f32[3]     -
"""
ASKED = [
    (system, line.split()[0], line.split()[1:-1], line.split()[-1])
    for system, lines in TABLES.items()
    for line in lines.strip().splitlines()
]


# What functions of dpnp give on a device without float64, without float16, and without either.
DEVICES = """
    true_divide      i8[3] i8[3]       float32   float64    float32
    sin              i8[3]             float16   float32    float32
    sin              i64[3]            float32   float64    float32
    mean             i32[3]            float32   float64    float32
    cov              f32[3]            float32   float64    float32
    eigvals          i8[3,3]           float32   float64    float32
    fft              f32[3]            complex64 complex64  complex64
    fft              i8[3]             complex64 complex128 complex64
    float_power      i64[3] i8[3]      float32   float64    float32
    where            i64[3] f32[3]     float32   float64    float32
    where            i8[3] 1j          complex64 complex128 complex64
    clip             f32[3] u32[3]     float32   -          float32
    iadd             f32[3] i64[3]     float32   float32    float32
    add              bool[3] True      bool      bool       bool
    argsort          f32[3]            int64     int64      int64
"""


@pytest.mark.parametrize("line", DEVICES.strip().splitlines())
def test_dpnp_gives_what_the_device_has(line):
    op, *words, without_64, without_16, without_both = line.split()
    options = ({"fp64": False}, {"fp16": False}, {"fp64": False, "fp16": False})
    found = [answer(supremum.system("dpnp", **given), op, words) for given in options]
    assert found == [without_64, without_16, without_both]


@pytest.mark.parametrize("op", ["zeros", "hanning", "fftfreq"])
def test_dpnp_makes_floats_that_the_device_has(op):
    found = [supremum.system("dpnp", fp64=x).result_type(op=op).name for x in (True, False)]
    assert found == ["float64", "float32"]


def answer(system, op, words):
    operands = [operand(parse(word)) for word in words]
    try:
        return supremum.result_type(*operands, op=op, system=system).name
    except supremum.PromotionError:
        return REFUSED


@pytest.mark.parametrize(("system", "op", "words", "expected"), ASKED)
def test_what_was_measured(system, op, words, expected):
    assert answer(system, op, words) == expected


@pytest.mark.parametrize("system", TABLES)
def test_functions_that_have_no_rule_are_refused_by_name(system, golden):
    with pytest.raises(supremum.RulesError) as caught:
        supremum.result_type("float32", op="airy_ai", system=system)
    golden(caught.value)


def test_tensorflow_has_its_functions_in_explicit_mode(golden):
    for mode in ("all", "safe"):
        with pytest.raises(supremum.RulesError, match="no function rules"):
            supremum.system("tensorflow", mode=mode).result_type("int8", op="sum")
    with pytest.raises(supremum.PromotionError) as caught:
        supremum.result_type(operand(parse("i8[3]")), 256, op="floor_divide", system="tensorflow")
    golden(caught.value)


def test_polars_series_divide_otherwise_than_expressions(golden):
    rules = supremum.system("polars", operation="series")
    assert rules.result_type("int8", "float16", op="true_divide").name == "float64"
    assert rules.result_type("float16", "int8", op="true_divide").name == "float16"
    assert rules.result_type(operand(parse("f16[3]")), 1, op="true_divide").name == "float16"
    assert rules.result_type(1, operand(parse("f16[3]")), op="true_divide").name == "float64"
    with pytest.raises(supremum.PromotionError, match="300"):
        rules.result_type(operand(parse("u8[3]")), 300, op="multiply")
    with pytest.raises(supremum.RulesError) as caught:
        rules.result_type("int8", "int8", op="less")
    golden(caught.value)


def test_tinygrad_has_defaults_that_only_some_functions_take():
    rules = supremum.system("tinygrad", default_float="float16", default_int="int64")
    assert rules.result_type("int8", op="sqrt").name == "float16"
    assert rules.result_type("int8", op="mean").name == "float32"
    assert rules.result_type("float32", op="argsort").name == "int64"
    assert rules.result_type("float32", op="argmax").name == "int32"
    assert rules.result_type("int8", op="sum").name == "int32"


@pytest.mark.parametrize("line", KERAS_ON_JAX.strip().splitlines())
def test_keras_on_jax_takes_numbers_as_jax_does_whatever_floatx_is(line):
    op, *words, expected = line.split()
    rules = supremum.system("keras", backend="jax", floatx="float16")
    operands = [operand(parse(word)) for word in words]
    try:
        found = rules.result_type(*operands, op=op).name
    except supremum.PromotionError:
        found = REFUSED
    assert found == expected


def test_floatx_of_keras_counts_in_two_ways():
    rules = supremum.system("keras", floatx="bfloat16")
    assert rules.result_type("int8", op="sin").name == "float16"  # as a Python float alone
    assert rules.result_type("int64", op="sin").name == "bfloat16"
    assert rules.result_type("int8", op="exp").name == "bfloat16"
    assert rules.result_type("int8", op="mean").name == "float32"
    bools = operand(parse("bool[3]"))
    assert rules.result_type(bools, 1, op="add").name == "int16"
    assert rules.result_type(bools, 1, op="remainder").name == "int32"


def test_keras_makes_float32_of_numbers_on_jax_if_floatx_is_bfloat16():
    rules = supremum.system("keras", backend="jax", floatx="bfloat16")
    for x in ("int8[3]", "bfloat16[3]"):
        for number in (1, 1.0, 1j):
            assert rules.result_type(operand(parse(x)), number, op="add").name == "float32"
    assert rules.result_type(operand(parse("bfloat16[3]")), 1.0, op="where").name == "bfloat16"


def test_keras_on_jax_has_no_float64_even_as_floatx():
    rules = supremum.system("keras", backend="jax", floatx="float64")
    assert rules.result_type(op="zeros").name == "float32"
    assert rules.result_type("int8", op="sin").name == "float32"


@pytest.mark.parametrize("backend", ["torch", "numpy"])
def test_keras_has_functions_on_two_backends(backend, golden):
    with pytest.raises(supremum.RulesError) as caught:
        supremum.system("keras", backend=backend).result_type("int8", op="sum")
    golden(caught.value)


@pytest.mark.parametrize("system", TABLES)
def test_no_message_says_of_add_what_add_does_not_give(system):
    for words in (["i8[3]", "300"], ["1.0", "f64[3]"], ["u8[3]", "i8[3]"], ["f16[3]", "f16[3]"]):
        operands = [operand(parse(word)) for word in words]
        try:
            told = str(supremum.explain(*operands, system=system))
        except supremum.PromotionError as error:
            told = str(error)
        claimed = told.partition("such as add give ")[2].partition(" ")[0]
        assert claimed in ("", answer(system, "add", words))
