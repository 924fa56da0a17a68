"""Programs as people write them, asked of the product and of the live library beside it.

Each line of `strangers/LIBRARY.txt` is a program with holes, which Hypothesis fills with arrays,
numbers, dtypes and other lines. What is printed is how many answers are equal, how many are wrong,
and, by cause, what is refused or not modelled. It is a tool to look for what is missing, in
another style than `random_expressions.py`; `test_strangers.py` asks a few hundred.

    python tests/peers/strangers.py numpy torch jax --count 2000 --seed 3
"""

from __future__ import annotations

import argparse
import math
import os
import random
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from types import MappingProxyType
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir

import supremum
from supremum.conformance.library import load
from supremum.core.dtypes import by_name

set_hypothesis_home_dir(tempfile.gettempdir())  # nothing is kept
FOLDER = Path(__file__).with_name("strangers")
UNARY = """
    sin exp log sqrt abs floor sign isfinite square tan log1p arctan negative conj real ceil
"""
BINARY = """
    add subtract multiply divide maximum minimum fmod remainder hypot atan2 power copysign
"""
REDUCED = "sum mean max min std var prod all any"
OPERATORS = ("+", "-", "*", "/", "+", "*", "//", "%")
VALUES = {1: [1, 1, 1], 2: [[2, 1, 1], [1, 2, 1], [1, 1, 2]]}
NUMBERS = ("1", "2", "0.5", "1.5", "3", "100", "-1", "2j", "True", "300")


def evaluated(text: str, space: dict[str, Any]) -> Any:
    """Return what Python makes of a program."""
    return eval(text, space)  # it is ours


class Peer(NamedTuple):
    """A library beside which programs are run.

    Attributes:
        rules: the rules that are asked.
        dtypes: the names of dtypes.
        space: the names that programs have, by what they are called.
        array: returns an array of a dtype and a shape.
        dtype: how a dtype is written in a program.
        scalars: programs that make a scalar.
        unary: functions of one operand.
        binary: functions of two operands.
        reduced: functions that reduce an array.
        names: what dtypes are called in a program, if otherwise than here.
        run: returns what a program gives, of its text and the names that it has.
        has_weak: whether its arrays may be weak.
    """

    rules: Any
    dtypes: tuple[str, ...]
    space: dict[str, Any]
    array: Callable[[str, tuple[int, ...]], Any]
    dtype: str
    scalars: tuple[str, ...]
    unary: tuple[str, ...] = tuple(UNARY.split())
    binary: tuple[str, ...] = tuple(BINARY.split())
    reduced: tuple[str, ...] = tuple(REDUCED.split())
    names: Mapping[str, str] = MappingProxyType({})
    run: Callable[[str, dict[str, Any]], Any] = evaluated
    has_weak: bool = True


def numpy_peer() -> Peer:
    """Return NumPy, with the dtypes of ml_dtypes."""
    import ml_dtypes
    import numpy as np

    names = "bool int8 int32 int64 uint8 uint16 float16 float32 float64 complex64 bfloat16"
    return Peer(
        "numpy",
        tuple(names.split()),
        {"np": np, "math": math, "ml_dtypes": ml_dtypes},
        lambda d, shape: _ones(np, shape).astype(supremum.dtype(d).to("numpy")),
        "np.{d}",
        (
            "{x}.sum()",
            "{x}.mean()",
            "{x}[0]",
            "np.float32({i})",
            "np.int64({i})",
            "np.float64(0.5)",
        ),
    )


def jax_peer(*, x64: bool = True) -> Peer:
    """Return JAX, with 64-bit types or without."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", x64)
    names = "bool int8 int32 uint8 uint16 float16 float32 complex64 bfloat16"
    return Peer(
        supremum.system("jax", x64=x64),
        tuple(names.split() + (["int64", "float64"] if x64 else [])),
        {"jax": jax, "jnp": jnp, "math": math},
        lambda d, shape: jnp.asarray(_ones(jnp, shape), d),
        "jnp.{d}",
        ("{x}.sum()", "{x}.mean()", "{x}[0]", "jnp.float32({i})", "jnp.asarray({n})"),
    )


def torch_peer() -> Peer:
    """Return PyTorch."""
    import torch

    names = "bool int8 int32 int64 uint8 int16 float16 float32 float64 complex64 bfloat16"
    return Peer(
        "torch",
        tuple(names.split()),
        {"torch": torch, "F": torch.nn.functional, "math": math, "np": __import__("numpy")},
        lambda d, shape: _ones(torch, shape).to(getattr(torch, d)),
        "torch.{d}",
        ("{x}.sum()", "{x}.mean()", "{x}[0]", "torch.tensor({n})"),
        tuple(x for x in UNARY.split() if x != "conj"),
        tuple(x for x in BINARY.split() if x not in ("hypot", "copysign")),
    )


def _ones(space: Any, shape: tuple[int, ...]) -> Any:
    """Return ones, and twos where that makes a matrix regular."""
    return space.ones(shape) + (space.eye(*shape) if len(shape) == 2 else 0)


class Words(NamedTuple):
    """What is written in programs of a library whose arrays `supremum.conformance` makes.

    The attributes are as those of `Peer`.

    Attributes:
        dtypes: the names of dtypes.
        dtype: how a dtype is written.
        space: the names of modules, each with a module or what is in one, or ``=`` for the same.
        scalars: programs that make a scalar, one a line.
        unary: functions of one operand.
        binary: functions of two operands.
        reduced: functions that reduce an array.
        names: what dtypes are called, if otherwise than here.
        run: returns what a program gives.
    """

    dtypes: str
    dtype: str
    space: Mapping[str, str]
    scalars: str
    unary: str = UNARY
    binary: str = BINARY
    reduced: str = REDUCED
    names: Mapping[str, str] = MappingProxyType({})
    run: Callable[[str, dict[str, Any]], Any] = evaluated


def measured_peer(name: str, words: Words) -> Peer:
    """Return a library that is asked as `supremum.conformance` asks it."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    rules = supremum.system(name)
    library = load(rules.name)
    library.version()  # which raises if it is not installed
    usual = library.settings[0]
    library.configure(**{option: rules.setting.get(option, usual[option]) for option in usual})
    return Peer(
        rules,
        tuple(words.dtypes.split()),
        {"math": math, **{word: resolve_name(path) for word, path in words.space.items()}},
        lambda d, shape: library.filled(VALUES[len(shape)], by_name(d)),
        words.dtype,
        tuple(filter(None, map(str.strip, words.scalars.splitlines()))),
        tuple(words.unary.split()),
        tuple(words.binary.split()),
        tuple(words.reduced.split()),
        words.names,
        words.run,
        library.weak_results,
    )


def selected(text: str, space: dict[str, Any]) -> Any:
    """Return the column that an expression of Polars gives in a frame of the Series."""
    import polars as pl

    columns = {name: x for name, x in space.items() if isinstance(x, pl.Series)}
    made = evaluated(text, {**space, **{name: pl.col(name) for name in columns}})
    return pl.DataFrame(columns).select(made.alias("found"))["found"]


def computed(text: str, space: dict[str, Any]) -> Any:
    """Return what an expression of NumExpr gives."""
    import numexpr

    return numexpr.evaluate(text, local_dict=space, global_dict={})


def stored(text: str, space: dict[str, Any]) -> Any:
    """Return what tinygrad makes of a program: the dtype that it is stored in, and its weakness."""
    from tinygrad import Tensor
    from tinygrad.dtype import strong_dtype

    found = evaluated(text, space)
    if not isinstance(found, Tensor):
        return found
    strong = strong_dtype(found.dtype)
    return supremum.custom.Operand(text, supremum.dtype(strong), found.dtype != strong, "array")


_OF_NUMPY = "bool int8 int32 int64 uint8 uint16 float16 float32 float64 complex64"
_REAL = "bool int8 int32 int64 uint8 uint16 float16 float32 float64"
_OF_POLARS = Words(
    f"{_REAL} uint64 int16",
    "pl.{d}",
    {"pl": "polars"},
    """
    {x}.sum()
    {x}.mean()
    {x}.max()
    {n}
    pl.lit({n})
    """,
    "sin exp log sqrt abs floor ceil sign tan log1p arctan cbrt degrees is_nan",
    "add",
    "sum mean max min std var product",
    {"bool": "Boolean", **{f"{kind.lower()}{n}": f"{kind}{n}" for kind in ("Int", "UInt", "Float")
                           for n in (8, 16, 32, 64)}},
)  # fmt: skip
_OF_KERAS = Words(
    "bool int8 int32 int64 uint8 uint16 float16 float32 float64 bfloat16",
    '"{d}"',
    {"ops": "keras.ops", "keras": "keras"},
    """
    ops.sum({x})
    ops.mean({x})
    ops.convert_to_tensor({n})
    {n}
    """,
)
_SCALARS = """
    {x}.sum()
    {x}.mean()
    {x}[0]
    {n}
    """
WORDS: dict[str, Words] = {
    "pandas": Words(
        _OF_NUMPY, "np.{d}", {"np": "numpy", "pd": "pandas"},
        """
        {x}.sum()
        {x}.mean()
        {x}.iloc[0]
        np.float32({i})
        np.int64({i})
        np.float64(0.5)
        """,
        "sin exp log sqrt abs floor ceil isfinite square tan log1p sign",
        "add subtract multiply divide maximum minimum power",
    ),
    "polars": _OF_POLARS._replace(run=selected),
    "polars:operation=series": _OF_POLARS,
    "dask": Words(
        f"{_OF_NUMPY} bfloat16", "np.{d}", {"np": "numpy", "da": "dask.array"},
        f"{_SCALARS}\n np.float32({{i}})\n np.float64(0.5)",
    ),
    "tensorflow": Words(
        "bool int32 int64 uint8 float16 float32 float64 complex64 bfloat16", "tf.{d}",
        {"tf": "tensorflow", "np": "numpy"},
        """
        tf.reduce_sum({x})
        tf.reduce_mean({x})
        {x}[0]
        tf.constant({n})
        """,
        "sin exp log sqrt abs floor sign is_finite square tan log1p atan negative conj real ceil",
        "add subtract multiply divide maximum minimum pow",
    ),
    "keras": _OF_KERAS,
    "keras:backend=jax": _OF_KERAS,
    "mlx": Words(
        "bool int8 int32 int64 uint8 uint16 float16 float32 complex64 bfloat16", "mx.{d}",
        {"mx": "mlx.core", "np": "numpy"}, f"{_SCALARS}\n mx.array({{n}})",
        "sin exp log sqrt abs floor sign isfinite square tan log1p arctan negative ceil",
        "add subtract multiply divide maximum minimum remainder arctan2 power",
        names={"bool": "bool_"},
    ),
    "array-api": Words(
        "bool int8 int32 int64 uint8 uint16 float32 float64 complex64", "xp.{d}",
        {"xp": "array_api_strict"},
        """
        xp.sum({x})
        xp.mean({x})
        {x}[0]
        xp.asarray({n})
        {n}
        """,
        "sin exp log sqrt abs floor sign isfinite square tan log1p atan negative conj real ceil",
        "add subtract multiply divide maximum minimum remainder hypot atan2 pow copysign",
    ),
    "tinygrad": Words(
        "bool int8 int32 int64 uint8 uint16 float16 float32 float64 bfloat16", "dtypes.{d}",
        {"Tensor": "tinygrad:Tensor", "dtypes": "tinygrad:dtypes"},
        f"{_SCALARS}\n Tensor({{n}})",
        "sin exp log sqrt abs floor sign square tan neg ceil isfinite atan",
        "add sub mul div maximum minimum pow mod",
        "sum mean max min std var prod all any", run=stored,
    ),
    "pyarrow": Words(
        _REAL, "pa.{d}()", {"pa": "pyarrow", "pc": "pyarrow.compute"},
        """
        pc.sum({x})
        pa.scalar({n})
        {n}
        """,
        "sin exp ln sqrt abs floor ceil sign is_finite tan log1p atan negate",
        "add subtract multiply divide max_element_wise power atan2", "sum mean max min stddev",
        {"bool": "bool_"},
    ),
    "pytensor": Words(
        _OF_NUMPY, '"{d}"', {"pt": "pytensor.tensor", "np": "numpy"},
        """
        {x}.sum()
        {x}.mean()
        {x}[0]
        np.float64(0.5)
        {n}
        """,
        "sin exp log sqrt abs floor sgn isinf sqr tan log1p arctan neg ceil",
        "add sub mul true_div maximum minimum mod arctan2 pow",
    ),
    "ndonnx": Words(
        "bool int8 int32 int64 uint8 uint16 float32 float64", "ndx.{d}", {"ndx": "ndonnx"},
        """
        ndx.sum({x})
        ndx.mean({x})
        {x}[0]
        ndx.asarray({n})
        {n}
        """,
        "sin exp log sqrt abs floor sign isfinite square tan log1p atan negative ceil",
        "add subtract multiply divide maximum minimum remainder pow",
    ),
    "numexpr": Words(
        "bool int8 int32 int64 uint8 uint16 float32 float64 complex64", "{d}", {}, "{n}",
        "sin exp log sqrt abs floor tan log1p arctan ceil", "arctan2 fmod", "sum prod min max",
        run=computed,
    ),
}  # fmt: skip

PEERS: dict[str, Callable[[], Peer]] = {
    "numpy": numpy_peer,
    "jax": jax_peer,
    "jax:x64=false": lambda: jax_peer(x64=False),
    "torch": torch_peer,
    **{name: partial(measured_peer, name, words) for name, words in WORDS.items()},
}


class Program(NamedTuple):
    """A program, and the dtypes of the arrays in it.

    Attributes:
        text: what is written.
        arrays: the dtype and the shape of each array, by its name.
    """

    text: str
    arrays: dict[str, tuple[str, tuple[int, ...]]]


def programs(name: str, peer: Peer) -> st.SearchStrategy[Program]:
    """Return what makes programs."""
    lines = (FOLDER / f"{name.partition(':')[0]}.txt").read_text().splitlines()
    templates = [line for line in lines if line and not line.startswith("#")]

    @st.composite
    def program(draw: st.DrawFn) -> Program:
        arrays: dict[str, tuple[str, tuple[int, ...]]] = {}
        fill = Filling(peer, templates, arrays, random.Random(draw(st.integers(0, 2**48))))
        return Program(fill.line(2), arrays)

    return program()


class Filling(NamedTuple):
    """What fills the holes of lines."""

    peer: Peer
    templates: list[str]
    arrays: dict[str, tuple[str, tuple[int, ...]]]
    rng: random.Random

    def line(self, depth: int, template: str = "") -> str:
        """Return a line without holes."""
        text = template or self.rng.choice(self.templates)
        while "{" in text:
            start = text.index("{")
            text = f"{text[:start]}{self.hole(text[start + 1], depth)}{text[start + 3 :]}"
        return text

    def hole(self, letter: str, depth: int) -> str:
        """Return what stands in a hole."""
        choice, peer = self.rng.choice, self.peer
        if letter in "ab":
            is_deep = depth > 0 and self.rng.random() < 0.3
            return f"({self.line(depth - 1)})" if is_deep else self.array((3,))
        if letter in "xm":
            return self.array((3,) if letter == "x" else (3, 3))
        if letter in "sz":
            return f"({self.line(0, choice(peer.scalars))})"
        if letter in "dt":
            d = choice(peer.dtypes[1:-1] if letter == "t" else peer.dtypes)
            d = "float32" if d == "bfloat16" and peer.dtype.startswith("np") else d
            return d if letter == "t" else peer.dtype.format(d=peer.names.get(d, d))
        words = {
            "n": NUMBERS, "i": ("0", "1", "2"), "o": OPERATORS, "c": ("<", ">=", "=="),
            "u": peer.unary, "v": peer.binary, "w": peer.reduced,
        }  # fmt: skip
        found: str = choice(words[letter])
        return f"({found})" if found.startswith("-") else found

    def array(self, shape: tuple[int, ...]) -> str:
        """Return the name of an array, which may be one that the program has."""
        own = [name for name, (_, known) in self.arrays.items() if known == shape]
        if own and self.rng.random() < 0.35:
            return self.rng.choice(own)
        name = f"x{len(self.arrays)}"
        self.arrays[name] = (self.rng.choice(self.peer.dtypes), shape)
        return name


def live(peer: Peer, program: Program) -> Any:
    """Return the dtype and the weakness of what a library gives, or the error."""
    scope = {name: peer.array(d, shape) for name, (d, shape) in program.arrays.items()}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = described(peer.run(program.text, {**peer.space, **scope}))
            return found and (found[0], found[1] and peer.has_weak)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  # whatever it is; some panics are no Exception
        return error


def described(found: Any) -> Any:
    """Return a result as its dtype, and whether it is weak; None if it is neither."""
    while type(found) is list and found:
        found = found[0]
    if type(found) in (bool, int, float, complex):
        return {"bool": "bool"}.get(type(found).__name__, f"{type(found).__name__}*"), False
    try:
        if isinstance(found, supremum.custom.Operand):
            d, weak = found.dtype, found.weak and not found.dtype.weak
            return d.name, bool(weak)
        d = supremum.custom.operand(found)
        return d.dtype.name, bool(d.weak and not d.dtype.weak)
    except supremum.DTypeError:
        return None


def ours(peer: Peer, program: Program) -> Any:
    """Return what the rules give, or the error."""
    scope = {name: peer.array(d, shape) for name, (d, shape) in program.arrays.items()}
    used = {name: x for name, x in scope.items() if name in program.text}
    try:
        found = described(supremum.explain(program.text, system=peer.rules, **used).results[0])
        return found and (found[0], found[1] and peer.has_weak)
    except Exception as error:  # noqa: BLE001  # which the verdict tells apart
        return error


def judged(wanted: Any, found: Any) -> str:
    """Return how an answer of ours is, beside that of the library."""
    if wanted is None:
        return "no dtype"
    if isinstance(wanted, BaseException):
        return "both refuse" if isinstance(found, Exception) else "answered although it raises"
    if isinstance(found, Exception) and not isinstance(found, supremum.SupremumError):
        return "wrong"  # it fails
    if isinstance(found, supremum.PromotionError):
        return "refused although it answers"
    if isinstance(found, Exception):
        return "not modelled"
    return "equal" if wanted == found else "wrong"


def ask(name: str, count: int, number: int, show: Callable[[str], Any]) -> Counter[str]:
    """Return how the answers to some programs are.

    Args:
        name: the library.
        count: how many programs.
        number: the seed.
        show: is called with a line for each that is neither equal nor refused by both.
    """
    peer, counts = PEERS[name](), Counter[str]()

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(programs(name, peer))
    def asked(program: Program) -> None:
        wanted, found = live(peer, program), ours(peer, program)
        how = judged(wanted, found)
        counts[how] += 1
        if how not in ("equal", "both refuse", "no dtype"):
            dtypes = " ".join(f"{n}={d}{list(s)}" for n, (d, s) in program.arrays.items())
            said = " ".join(str(found).splitlines()[:1]) if isinstance(found, Exception) else found
            show(f"{how}: {program.text}  # {dtypes}; {wanted!r} / {said}")

    asked()
    return counts


def main() -> None:
    """Ask libraries, and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("libraries", nargs="+", choices=PEERS)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in options.libraries:
        counts = ask(name, options.count, options.seed, print)
        total = sum(counts.values())
        shares = ", ".join(f"{how} {n} ({n / total:.1%})" for how, n in counts.most_common())
        print(f"{name}: {total} programs: {shares}", file=sys.stderr)


if __name__ == "__main__":
    main()
