"""What the engine answers, as data: the questions that the referee asks, and how it asks them.

A question is a piece of Python that `NAMES` gives its names, so any can be asked again by hand.
They are drawn, with a seed, from what the rules have. An answer is plain data, without the
sentences that are meant for people.
"""

from __future__ import annotations

import json
import math
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

import ml_dtypes
import numpy as np

import supremum

_words = str.split
WORDING = ("why", "reason", "settled", "aside", "says", "parting")
CARRIED = _words("system setting candidates operands given nodes text column line")  # by errors
FACTS = _words("""name kind weak bits precision max min min_exponent max_exponent smallest_normal
    has_inf has_nan signed_zero part code is_common""")
PUBLIC = _words("""compare diff dtype explain laws names options promote_types system systems
    table""")
CUSTOM = _words("Lattice PromotionSystem criteria operand")
LIBRARIES = _words("""array-api cupy dask jax jax-lax keras mlx numpy numpy-legacy paddle pandas
    polars pyarrow tensorflow tinygrad torch""")

# what the questions are made of
SPELLINGS = _words("+ // ** == np.add linalg.inv arctan2 concatenate max mena frobnicate")
NUMBERS = _words("True 1 7 -1 -300 2.5 2**31 2**63 2**70 1e300 1j 2.0")
ODD = _words("int float bool complex 'i8' 'flaot32' 'double' 'str' None [1] '1+1' np.integer")
OPERANDS = [
    *_words("""{d!r} {d!r} {d!r} {d!r} {d!r} array('{d}[]') array('{d}[3]') array('{d}[3]')
        array('{d}[2,2]') array('{w}*[3]') np.zeros(3,{n!r}) np.ones((),{n!r}) np.dtype({n!r})
        np.dtype({n!r}).type(7) np.dtype({n!r}).type"""),
    "{number}", "{number}", "{number}", "{number}",
]  # fmt: skip
NUMPY = _words("""bool int8 uint8 int16 int32 int64 uint64 float16 float32 float64 complex64
    bfloat16 float8_e4m3fn""")
CURIOUS = [
    "systems()", "names()", "dtype(np.float32)", "dtype(np.dtype('>f4'))", "dtype(1.5)",
    *(f"{asked}({x})" for asked in ("dtype", "operand") for x in (*ODD, *NUMBERS, "'int*'")),
    *(f"system({x!r})" for x in ("np", "NumPy", "nmupy", "jax:x64=maybe", "jax:x46=true", "")),
    "Lattice('a -> b c; b c -> d e').join('b', 'c')", "Lattice('a -> b; b -> a')",
    "Lattice('a -> b c; b c -> d').join('b', 'c')", "Lattice('a -> c; b').join('a', 'b')",
    *(f"PromotionSystem.from_lattice('i8 -> i16 -> f32; u8 -> i16').{asked}" for asked in (
        "explain('int8', 'uint8')", "result_type('int16', 1)", "result_type('int8', 'int64')",
        "dtypes", "table().rows()", "result_type('int8', op='add')")),
    *(f"command({line!r})" for line in (
        "systems", "explain int8 1.5", "explain 'float32[]' i8 --system torch", "explain i9",
        "explain '(int32[3] + 1.5) / uint8[3]'", "compare 'np.mean(int8[3]) * 2'", "table torch",
        "diff torch jax:x64=false --op sum", "laws jax")),
]  # fmt: skip
ARRAYS = _words("""float32[3] int8[3,3] int32[3] uint8[3] bool[3] float64[3,3] float32[2,3,3] x y
    float16[3,3] int64[] float64[] complex64[3,3] bfloat16[3] float*[3] int*[3] int32*[3]""")
GIVEN = {"x": "'int16[3]'", "y": "np.ones((3, 3), 'float32')"}
SIGNS = _words("+ + + - - * * * / / // % ** @ & | ^ << >> == != < <= > >=")
OPERATORS = [f"({{0}} {sign} {{1}})" for sign in SIGNS]
METHODS = _words("""{0}.mean() {0}.sum() {0}.sum(axis=0) {0}.prod(0) {0}.std(axis=0,keepdims=True)
    {0}.var() {0}.max() {0}.min(0) {0}.argmax() {0}.argmin(axis=0) {0}.astype(float32) {0}.any()
    {0}.astype('int16') {0}.cumsum(0) {0}.clip(0,9) {0}.round() {0}.round(1) {0}.all(axis=0) {0}.T
    {0}.reshape(-1) {0}.sum(dtype=float64) {0}.real {0}.dot({1}) {0}.conj() {0}.max(1)[0] {0}[1:]
    {0}.double() {0}.nosuch() {0}[0] {0}[:,0] {0}[None] {0}[...,0] (-{0}) (~{0}) (+{0})""")
CALLS = _words("""mean({0}) sum({0},axis=0) where({0}>0,{0},{1}) where({1},{0},1.5) sqrt({0})
    exp({0}) matmul({0},{1}) concatenate([{0},{1}]) stack([{0},{1}]) clip({0},0,200) std({0})
    var({0},axis=0) argmax({0},axis=0) maximum({0},{1}) power({0},2) abs({0}) linalg.inv({0})
    linalg.norm({0}) linalg.svd({0})[1] linalg.solve({0},{1}) linalg.eigh({0})[0] prod({0})
    mean({0},dtype=float32) median({0}) sum({0},dtype=np.int64) cumsum({0},0) dot({0},{1})
    einsum('i,i',{0},{1}) sort({0})[1] zeros_like({0}) full_like({0},1.5) isnan({0}) floor({0})
    add({0},1) true_divide({0},{1}) sig({0}) logical_and({0},{1}) bitwise_and({0},{1}) fft.fft({0})
    arctan2({0},{1}) quantile({0},0.5) float32({0}) asarray({0}) round({0},1) frexp({0})[1]""")
MADE = _words("""zeros(3) ones((2,2)) arange(3) arange(0,1,0.1) full((3,),1) eye(3) pi tensor([1])
    linspace(0,1,5) array([1,2.5]) array(1.5) zeros(3,dtype=float32) float32(2) int8(3)""")


def plain(x: Any) -> Any:
    """Return anything as plain data: without sentences, and in an order of its own."""
    if isinstance(x, supremum.DType):
        return x.name
    if isinstance(x, supremum.custom.Operand):
        return [x.text, x.dtype.name, x.weak, x.form, x.library, x.rank, plain(x.value)]
    if hasattr(x, "to_dict"):
        x = x.to_dict()
    if isinstance(x, dict):
        return {str(key): plain(_short(key, x[key])) for key in x if key not in WORDING}
    if isinstance(x, (set, frozenset)):
        return sorted(map(plain, x), key=str)
    if isinstance(x, (list, tuple)):
        return [plain(part) for part in x]
    if isinstance(x, int) and abs(x) >= 1 << 64:
        return hex(x)  # the longest cannot be written in decimals
    if x is None or isinstance(x, (bool, int, str)) or (type(x) is float and math.isfinite(x)):
        return x
    return repr(x) if isinstance(x, (float, complex, type, np.dtype)) else type(x).__name__


def _short(key: Any, value: Any) -> Any:
    """Return a member of a report without the sentences in it."""
    if key == "losses" and isinstance(value, list):
        return len(value)
    if key == "setting" and isinstance(value, str):
        return bool(value)
    if key == "steps":  # after the dtypes of a join comes a sentence
        return [step[:3] if isinstance(step, list) else step for step in value]
    return value


def answer(ask: Callable[..., Any], *operands: Any, **options: Any) -> Any:
    """Return what a call gives, as plain data: an answer, or the error with what it carries."""
    try:
        return plain(ask(*operands, **options))
    except Exception as error:  # noqa: BLE001  # one that should not be is recorded, too
        carried = {name: getattr(error, name) for name in CARRIED if hasattr(error, name)}
        return {"error": type(error).__name__, **plain(carried)}


def array(text: str) -> supremum.custom.Operand:
    """Return the array that a text such as ``float32[3]`` or ``int32*[3]`` describes."""
    return supremum.explain(f"{text}.T").results[0]


def result_type(*operands: Any, **options: Any) -> Any:
    """Return what operands give, and the steps to it; or the error, if both calls have that."""
    found = answer(supremum.result_type, *operands, **options)
    steps = answer(supremum.explain, *operands, **options)
    return found if found == steps else {"result_type": found, "explain": steps}


@cache
def function(name: str, rules: str) -> dict[str, str]:
    """Return what a function gives of one to four operands of a dtype, where it takes them."""
    asked = [(d,) * count for count in range(1, 5) for d in ("int32", "float32")]
    found = {" ".join(x): answer(supremum.result_type, *x, op=name, system=rules) for x in asked}
    return {x: given for x, given in found.items() if isinstance(given, str)}


def command(line: str) -> tuple[int, Any]:
    """Return how a command ends, and the data that it prints."""
    words = [sys.executable, "-m", "supremum", *shlex.split(line), "--format", "json"]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
    return done.returncode, json.loads(done.stdout or "null")


NAMES = {name: getattr(supremum, name) for name in PUBLIC} | {
    **{name: getattr(supremum.custom, name) for name in CUSTOM},
    "array": array, "command": command, "function": function, "result_type": result_type, "np": np,
    "ml_dtypes": ml_dtypes, "facts": lambda x: {name: getattr(x, name) for name in FACTS},
}  # fmt: skip


@cache
def variants(name: str) -> list[str]:
    """Return rules with every other value of each of their options, as texts."""
    values = [(option, v) for option, known in supremum.options(name).items() for v in known[1:]]
    return [
        f"{name}:{option}={value.lower() if value in {'True', 'False'} else value}"
        for option, value in ((option, str(value)) for option, value in values)
    ]


@cache
def known(rules: str) -> tuple[list[str], list[str]]:
    """Return the dtypes of some rules, and the functions that they have rules for."""
    found = supremum.system(rules)
    return [d.name for d in found.dtypes], sorted(found.functions)


def questions(seed: int) -> Iterator[str]:
    """Yield every question: the same for the same seed, if the rules have the same functions."""
    yield from CURIOUS
    yield from (f"facts(dtype({name!r}))" for name in supremum.names())
    for name in supremum.systems():
        yield from (f"{asked}({name!r})" for asked in ("options", "laws", "criteria"))
        yield f"system({name!r}).dtypes, system({name!r}).depends_on, table({name!r}).rows()"
        yield from (f"function({called!r}, {name!r})" for called in known(name)[1])
        for rules, own in ((name, supremum.names()), *((x, known(x)[0]) for x in variants(name))):
            pairs = product(own, repeat=2)
            yield from (f"promote_types({a!r}, {b!r}, system={rules!r})" for a, b in pairs)
    yield from (f"diff({a!r}, {b!r})" for a, b in combinations(supremum.systems(), 2))
    for how in ("op='true_divide'", "op='where'", "op='sqrt'", "expr='x.mean() * 2 + y'"):
        yield from (f"diff('numpy', {name!r}, {how})" for name in LIBRARIES)
    for asked, draw, count in (("result_type", _operands, 20_000), ("explain", _expression, 5_000)):
        drawn, found = random.Random(f"{asked} {seed}"), dict[str, str]()
        while len(found) < count:
            arguments, rules = draw(drawn)
            found[f"{asked}({arguments}, system={rules!r})"] = f"compare({arguments})"
        yield from (*found, *[*found.values()][: count // 50])


def _operands(drawn: random.Random) -> tuple[str, str | None]:
    """Return operands, perhaps with a function, and the rules to ask."""
    name = drawn.choice(supremum.systems())
    rules = drawn.choice([name, *variants(name)]) if drawn.random() < 0.5 else name
    dtypes, functions = known(rules)
    if drawn.random() < 0.5:
        dtypes = [d for d in dtypes if supremum.dtype(d).is_common]
    counts, op = [1, 2, 2, 2, 3, 3, 4], ""
    if drawn.random() < (0.7 if functions else 0.05):
        others = [*SPELLINGS, *known("numpy")[1], *known("torch")[1]]
        op = drawn.choice(functions if functions and drawn.random() < 0.8 else others)
        taken = [len(asked.split()) for asked in function(op, rules)]
        counts = taken if taken and drawn.random() < 0.9 else counts
    operands = [
        drawn.choice(OPERANDS if drawn.random() < 0.99 else ODD).format(
            d=drawn.choice(dtypes if drawn.random() < 0.95 else supremum.names()),
            w=drawn.choice(("int8", "int32", "float32", "float64", "complex64")),
            n=drawn.choice(NUMPY),
            number=drawn.choice(NUMBERS),
        )
        for _ in range(drawn.choice(counts))
    ]
    return ", ".join([*operands, f"op={op!r}"] if op else operands), rules


def _expression(drawn: random.Random) -> tuple[str, str | None]:
    """Return an expression with the operands that it has names for, and the rules to ask."""
    modules = drawn.choice((["np"], ["np"], ["jnp"], ["torch"], ["np", "jnp", "torch", "tf", "xp"]))
    text = _part(drawn, modules, drawn.randint(1, 6))
    given = [f"{name}={x}" for name, x in GIVEN.items() if re.search(rf"\b{name}\b", text)]
    rules = drawn.choice([*[None] * 12, *("numpy", "jax", "torch") * 5, *LIBRARIES])
    return ", ".join([repr(text), *given]), rules


def _part(drawn: random.Random, modules: list[str], steps: int) -> str:
    """Return an expression of that many steps."""
    module = f"{drawn.choice(modules)}."
    if steps < 1:
        return drawn.choice(ARRAYS) if drawn.random() < 0.9 else module + drawn.choice(MADE)
    forms = drawn.choices((OPERATORS, METHODS, CALLS), (40, 35, 25))[0]
    second = drawn.randrange(steps) if forms is OPERATORS else 0
    number = drawn.choice(NUMBERS[:6]) if drawn.random() < 0.3 and not second else ""
    parts = [_part(drawn, modules, count) for count in (steps - 1 - second, second)]
    return module * (forms is CALLS) + drawn.choice(forms).format(parts[0], number or parts[1])
