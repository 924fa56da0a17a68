"""Random expressions, computed by NumPy, JAX and PyTorch, step by step as `explain` has them."""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import supremum
from supremum.conformance.library import load
from supremum.core.functions import FUNCTIONS, OPERAND_SLOT

SEED = 20261122
COUNT, SOME = 500, 150
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "==", "<", "!="]
SORTS = ("elementwise", "condition", "reduction", "cumulative")
NUMBERS = ["1", "2", "-1", "300", "1.5", "2j", "True"]
# What depends on the number of dimensions, and torch.equal, which gives one Python bool.
LEFT_OUT = {"unwrap", "isnat", "torch.equal"}
# What a library says of values or dimensions, and not of dtypes.
NOT_OF_DTYPES = ("negative integer powers", "zerodivisionerror", "must be non-scalar")


class Live:
    """A library: how its functions are called, and what its arrays are."""

    def __init__(self, name: str, prefix: str, module: Any, options: dict[str, Any]) -> None:
        self.rules = supremum.system(name, **options)
        self.prefix, self.module = prefix, module
        self.calls, self.unmodelled = load(name).calls, load(name).unmodelled
        self.functions = [
            f
            for f in FUNCTIONS.values()
            if f.category in SORTS
            and self.rules.rule(f.name) is not None
            and not {f.name, f"{prefix}.{f.name}"} & LEFT_OUT
            and callable(getattr(module, f.name, None))
            and set(re.findall(OPERAND_SLOT, f.call)) <= {"x", "y"}
            and not {"c", "i"} & set(f.call)
        ]


def _numpy() -> tuple[Live, Callable[[str], Any], list[str]]:
    import numpy as np

    live = Live("numpy", "np", np, {})
    dtypes = [
        "bool",
        "int8",
        "uint8",
        "int32",
        "uint64",
        "int64",
        "float16",
        "float32",
        "complex64",
    ]
    return live, lambda d: np.ones(3, d), dtypes


def _jax() -> tuple[Live, Callable[[str], Any], list[str]]:
    import jax
    import jax.numpy as jnp

    x64 = bool(jax.config.jax_enable_x64)
    live = Live("jax", "jnp", jnp, {"x64": x64})
    dtypes = ["bool", "int8", "uint8", "int32", "uint32", "float16", "bfloat16", "float32", "weak"]

    def make(d: str) -> Any:
        return jnp.broadcast_to(jnp.asarray(2.0), 3) if d == "weak" else jnp.ones(3, d)

    return live, make, dtypes


def _torch() -> tuple[Live, Callable[[str], Any], list[str]]:
    import torch

    live = Live("torch", "torch", torch, {})
    dtypes = [
        "bool",
        "int8",
        "uint8",
        "int32",
        "int64",
        "float16",
        "bfloat16",
        "float32",
        "float64",
    ]

    def make(d: str) -> Any:
        return torch.ones(3, dtype=getattr(torch, d))

    return live, make, dtypes


def _expression(draw: random.Random, live: Live, names: list[str], steps: int) -> str:
    if steps == 0:
        return draw.choice(names) if draw.random() < 0.8 else draw.choice(NUMBERS)
    if draw.random() < 0.5:
        left = draw.randint(0, steps - 1)
        a = _expression(draw, live, names, left)
        b = _expression(draw, live, names, steps - 1 - left)
        return f"({a} {draw.choice(OPERATORS)} {b})"
    function = draw.choice(live.functions)
    written = live.calls.get(function.name, function.call)
    count = len(re.findall(OPERAND_SLOT, written))
    parts = [_expression(draw, live, names, steps - 1)]
    parts += [_expression(draw, live, names, 0) for _ in range(count - 1)]
    rest = iter(parts)
    call = re.sub(OPERAND_SLOT, lambda _: next(rest), written.replace(",...", ""))
    return f"{live.prefix}.{function.name}{call}"


def _dtype(value: Any) -> tuple[str, bool]:
    found = supremum.custom.operand(value)
    return found.dtype.name, found.weak


@pytest.mark.parametrize(
    ("library", "count"),
    [
        ("numpy", COUNT),
        ("torch", COUNT),
        ("jax", SOME),  # which compiles each step
        pytest.param("jax", COUNT, marks=pytest.mark.thorough),
    ],
)
def test_random_expressions_have_the_dtypes_that_explain_gives(library: str, count: int) -> None:
    """Each step of each expression, refusals too; weak arrays and Python's numbers among them."""
    pytest.importorskip(library)
    live, make, dtypes = {"numpy": _numpy, "jax": _jax, "torch": _torch}[library]()
    draw = random.Random(SEED)  # no secret depends on it
    wrong, asked, refused = [], 0, 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(count):
            chosen = [draw.choice(dtypes) for _ in range(3)]
            operands = {f"x{i}": make(d) for i, d in enumerate(chosen)}
            text = _expression(draw, live, list(operands), draw.randint(1, 6))
            space = {live.prefix: live.module, **operands}
            try:
                explained = supremum.explain(text, system=live.rules, **operands)
            except supremum.ExpressionError:
                continue  # Python's own numbers, such as 1 / 0, or a call without any array
            except supremum.PromotionError as error:
                refused += 1
                if any(f".{name}(" in text for name in live.unmodelled):
                    continue
                try:
                    found = _dtype(eval(text, dict(space)))  # written here
                except Exception:  # noqa: BLE001  # a refusal is whatever the library raises
                    continue
                wrong.append(f"{text} of {chosen}: refused ({error}), the library gives {found}")
                continue
            for step in explained.steps:
                is_left_out = live.unmodelled.get(step.function)
                if is_left_out is not None and is_left_out(step.operands):
                    break
                asked += 1
                try:
                    found = _dtype(eval(step.text, dict(space)))  # written here
                except Exception as error:  # noqa: BLE001  # as above
                    if any(words in repr(error).lower() for words in NOT_OF_DTYPES):
                        break
                    wrong.append(
                        f"{step.text} of {chosen}: {step.result.dtype}, the library raises {error}"
                    )
                    break
                # a bool that is weak is what any other is
                if found[0] != step.result.dtype.name or (
                    found[1] != step.result.weak and found[0] != "bool"
                ):
                    wrong.append(
                        f"{step.text} of {chosen}: {step.result}, the library gives {found}"
                    )
                    break
    assert not wrong, f"seed {SEED}, {asked} steps, {refused} refused\n" + "\n".join(wrong[:40])
    assert asked > count / 2
