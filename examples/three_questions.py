"""Three questions that the design of JAX's type promotion asks, put to real arrays.

Runs on NumPy's arrays, and on those of JAX and PyTorch where these are installed.
"""

from collections.abc import Callable
from importlib.util import find_spec
from textwrap import indent
from typing import Any

import numpy as np

import supremum

MakeArray = Callable[[str], Any]


def array_makers() -> dict[str, MakeArray]:
    """Return, for each library that is installed, a function from a dtype's name to an array."""
    makers: dict[str, MakeArray] = {"NumPy": lambda dtype: np.ones(3, dtype)}
    if find_spec("jax"):
        import jax.numpy as jnp

        makers["JAX"] = lambda dtype: jnp.ones(3, dtype)
    if find_spec("torch"):
        import torch

        makers["PyTorch"] = lambda dtype: torch.ones(3, dtype=getattr(torch, dtype))
    return makers


def show(told: object) -> None:
    """Print something, indented, with a line below."""
    print(indent(str(told), "   ") + "\n")


def main() -> None:
    """Ask, and print the answers with their explanations."""
    makers = array_makers()
    i32, f32 = np.ones(3, "int32"), np.ones(3, "float32")
    print(
        f"1. NumPy makes int32 + float32 {(i32 + f32).dtype}. What would JAX's rules make of it?\n"
    )
    show(supremum.explain(i32, f32))
    for library, make in makers.items():
        answer = supremum.result_type(make("int32"), make("float32"))
        print(f"   {library}'s arrays of these dtypes: {answer}.")

    i16 = np.ones(3, "int16")
    print("\n2. Does a 1 widen int16? A Python scalar is weak, and an array never is.\n")
    show(supremum.explain(i16, 1))
    show(supremum.explain(i16, np.array(1)))

    i8, u8, f16 = np.ones(3, "int8"), np.ones(3, "uint8"), np.ones(3, "float16")
    left, right = ((i8 + u8) + f16).dtype, (i8 + (u8 + f16)).dtype
    print("3. Does the grouping matter? In NumPy it does:\n")
    print(f"   (int8 + uint8) + float16 is {left}, and int8 + (uint8 + float16) is {right}.\n")
    show(supremum.explain(i8, u8, f16))
    print("And every other triple of JAX's dtypes:\n")
    show(supremum.laws(supremum.system("jax")))


if __name__ == "__main__":
    main()
