"""What `--target mps` finds of PyTorch: tensors and modules on the device, not arrays beside it."""

import warnings

import pytest

import supremum

pytest.importorskip("torch")

# Each program, and the lines and texts at which float64 is introduced on the device.
PROGRAMS = {
    "a tensor": (
        "x = torch.ones(3, dtype=torch.float64)\ny = x * 2",
        [(3, "torch.ones(3, dtype=torch.float64)")],
    ),
    "an array that becomes a tensor": (
        "x = torch.from_numpy(np.ones(3)) * 2\ny = torch.as_tensor(np.float32([1]))",
        [(3, "np.ones(3)")],
    ),
    "an array that is used beside what is there": (
        "start = torch.zeros(3, dtype=torch.float64)\nx = start + torch.from_numpy(np.ones(3))",
        [(3, "torch.zeros(3, dtype=torch.float64)"), (4, "np.ones(3)")],
    ),
    "an array that is cast before it is used": (
        "x = torch.from_numpy(np.ones(3)).to(torch.float32).to('cpu')\ny = x * 2",
        [],
    ),
    "an array that is cast after it was moved": (
        "x = torch.from_numpy(np.ones(3))\ny = x.to('cpu')\nz = y.to(torch.float32)",
        [(4, "x.to('cpu')")],
    ),
    "arrays that stay": (
        "x = np.linspace(0, 1, 5)\ny = np.sin(x)\nt = torch.ones(3) * np.float64(2)",
        [],
    ),
    "a module": (
        "net = nn.Linear(3, 2, dtype=torch.float64)\nother = nn.Linear(3, 2)",
        [(3, "nn.Linear(3, 2, dtype=torch.float64)")],
    ),
    "casts of a module": (
        "net = nn.Linear(3, 2)\nnet.double()\nnet.double()\nnet.half()\nnet.to(torch.float64)",
        [(4, "net.double()"), (7, "net.to(torch.float64)")],
    ),
    "the default dtype": (
        "torch.set_default_dtype(torch.float64)\nx = torch.ones(3)\ny = nn.Linear(3, 2)(x)",
        [(3, "torch.set_default_dtype(torch.float64)")],
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_a_device_without_float64_lacks(name, tmp_path):
    program, expected = PROGRAMS[name]
    path = tmp_path / "program.py"
    path.write_text(f"import numpy as np, torch\nfrom torch import nn\n{program}\n")
    found = supremum.audit(str(path), target="mps").findings
    assert sorted((f.line, f.text) for f in found) == expected
    assert {f.kind for f in found} <= {"forbidden:float64"}


OF_TENSORS = """
data = TensorDataset(torch.from_numpy(x), torch.from_numpy(y))
"""
OF_ITS_OWN = """
class Own(Dataset):
    def __init__(self):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]

data = Own()
"""


@pytest.mark.parametrize("made", [OF_TENSORS, OF_ITS_OWN])
def test_batches_have_their_dtype_from_what_the_dataset_keeps(made, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(f"""\
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset
x = np.ones((8, 2), np.float32)
y = x.sum(axis=1) + np.random.default_rng(0).normal(0, 0.1, 8)
{made}
for a, b in DataLoader(data, batch_size=4):
    loss = ((a[:, 0] - b) ** 2).mean()
""")
    [found] = supremum.audit(str(path)).findings
    assert (found.line, found.text) == (5, "np.random.default_rng(0).normal(0, 0.1, 8)")
    assert [place.text for place in found.places][1:] == ["a[:, 0] - b"]


def test_one_cause_is_announced_once(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "import numpy as np, torch\n"
        "t = torch.from_numpy(np.ones(3))\n"
        "for _ in range(3):\n"
        "    u = t * 2\n"
    )
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        supremum.audit(str(path), target="mps", on_finding="warn")
    assert len([w for w in told if w.category.__name__ == "PromotionWarning"]) == 1
