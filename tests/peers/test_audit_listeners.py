"""What a library does that no fact of a function says: modules of PyTorch, updates in JAX."""

from textwrap import dedent

import pytest

from supremum import audit

TORCH = """
import torch
from torch import nn

def grid(n=2048):
    return torch.arange(n).float()

class Rotary(nn.Module):
    def __init__(self, values):
        super().__init__()
        self.register_buffer("values", values)

narrow = torch.ones(8, 1)
wide = torch.ones(8, 1, dtype=torch.float64)
criterion = nn.MSELoss()

class Trainer:
    def __init__(self, loss):
        self.loss = loss

    def step(self, x, y):
        return self.loss(x, y)

"""
JAX = """
import jax.numpy as jnp
import numpy as np

whole = jnp.zeros(3, jnp.int32)
half = jnp.zeros(3, jnp.float16)
"""
# The last line of a program, with the kinds of finding whose effects are there.
LINES = {
    "criterion(narrow, wide)": (TORCH, ["widening"]),
    "nn.L1Loss()(narrow, wide)": (TORCH, ["widening"]),
    "nn.functional.mse_loss(narrow, wide)": (TORCH, ["widening"]),
    "Trainer(criterion).step(narrow, wide)": (TORCH, ["widening"]),
    "criterion(narrow, narrow)": (TORCH, []),
    "Trainer(criterion).step(narrow, narrow)": (TORCH, []),
    "Rotary(grid()).to(torch.bfloat16)": (TORCH, ["precision-loss"]),
    "Rotary(1 / grid()[1:]).half()": (TORCH, ["precision-loss"]),
    "nn.Sequential(Rotary(grid())).bfloat16()": (TORCH, ["precision-loss"]),
    "Rotary(grid(256)).to(torch.bfloat16)": (TORCH, []),
    "Rotary(grid()).to('cpu')": (TORCH, []),
    "Rotary(torch.tensor([0.485, 0.456, 0.406])).half()": (TORCH, []),
    "whole.at[0].set(0.5)": (JAX, ["narrowing-store"]),
    "whole.at[0].set(5)": (JAX, []),
    "half.at[0].add(np.float32(0.5))": (JAX, ["narrowing-store"]),
    "half.at[0].set(1.0)": (JAX, []),
}


@pytest.mark.filterwarnings("ignore:scatter inputs:FutureWarning")
@pytest.mark.parametrize("line", LINES)
def test_what_a_library_does_is_found(tmp_path, line):
    head, kinds = LINES[line]
    pytest.importorskip("torch" if head is TORCH else "jax")
    program = tmp_path / "program.py"
    program.write_text(f"{dedent(head)}made = {line}\n", encoding="utf-8")

    report = audit.run(str(program))
    assert [f.kind for f in report.findings] == kinds
    assert report.problems == ()
