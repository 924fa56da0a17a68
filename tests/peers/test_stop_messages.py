"""Why operations of the libraries stop: by what they say of dtypes, and by trial."""

import subprocess
import sys
from importlib.metadata import version
from textwrap import dedent

import pytest

from supremum import audit
from supremum.audit.stops.messages import MESSAGES, by_message

DISTRIBUTIONS = {
    "NumPy": "numpy", "PyTorch": "torch", "JAX": "jax", "TensorFlow": "tensorflow-cpu",
    "pandas": "pandas", "scikit-learn": "scikit-learn", "numba": "numba",
    "SciPy": "scipy",
}  # fmt: skip
RAISED = {
    "Python int too large": "np.array([2**70], np.int64)",
    "cannot convert float NaN": "int(np.float64('nan'))",
    "slice indices": "np.ones(3)[: 3 / 2]",
    "Python integer {number}": "np.zeros(2, np.uint8) + 300",
    "Cannot cast ufunc": "x = np.zeros(2, int); x += 0.5",
    "Cannot cast ... from": "np.bincount(np.ones(2))",
    "Supplied output array": "np.random.default_rng().random(out=np.zeros(2, np.float32))",
    "... integer ...or boolean": "np.ones(2)[np.ones(2)]",
    "'...{got}' object": "range(np.float64(2))",
    "expected a sequence": "np.zeros(np.float64(2))",
    "Integers to negative": "2 ** -np.arange(2)",
    "ufunc ...types": "np.ones(2) & 1",
    "Cannot interpret": "np.zeros(2, pd.Int64Dtype())",
    "value cannot be converted": "torch.full((2,), 300, dtype=torch.uint8)",
    "result type {got}": "x = torch.arange(2); x += 0.5",
    "Found dtype": "functional.huber_loss(leaf, torch.ones(2).double()).backward()",
    "expected target dtype": "functional.cross_entropy(torch.ones(2, 2), torch.ones(2).short())",
    "tensors used as indices": "torch.ones(2, 2)[torch.zeros(1).short(), torch.ones(1).short()]",
    "Only Tensors": "torch.tensor([1], requires_grad=True)",
    "given numpy": "torch.from_numpy(np.ones(2, '>f4'))",
    "Dtype >": """
        try:
            jnp.asarray(np.ones(2, ">f4"))
        except TypeError as error:
            raise error.__cause__
        """,
    "Big-endian": "pd.unique(pd.Series(np.ones(2, '>f4')))",
    "scipy.sparse does not support dtype >": "sparse.csr_matrix(np.ones((2, 2), '>f4'))",
    "scipy.sparse does not support dtype {got}": "sparse.csr_matrix(np.ones((2, 2), 'f2'))",
    "Python int {number}": "jnp.asarray(2**40)",
    "An overflow": "jax.jit(lambda x: x)(2**40)",
    "The input carry": "lax.scan(lambda s, x: (s + 0.5, x), jnp.int32(0), jnp.ones(2))",
    "...* the input": """
        start = jnp.int32(0), jnp.int32(1)
        lax.while_loop(lambda s: s[0] < 0, lambda s: (s[0] + 0.5, s[1] + 0.5), start)
        """,
    "primal and tangent": "jax.jvp(jnp.sin, (jnp.ones(2),), (jnp.ones(2, jnp.float16),))",
    "Input dtypes": """
        with jax.numpy_dtype_promotion("strict"):
            jnp.ones(2) + jnp.arange(2)
        """,
    "... requires real- or": "jax.grad(lambda x: x)(3)",
    "... output of": "lax.cond(True, lambda v: v > 0, lambda v: v, jnp.ones(2))",
    "Tensor conversion": "tf.add(tf.ones(2), tf.convert_to_tensor(tf.ones(2), tf.float64))",
    "cannot compute": "tf.ones(2) + tf.ones(2, tf.float64)",
    "... Op has type": "tf.function(lambda: tf.add(tf.ones(2), tf.range(2)))()",
    "Invalid value": "pd.Series([1])[:] = 'x'",
    "Cannot convert non-finite": "pd.Series([1, None]).astype(int)",
    "You are trying": "pd.DataFrame({'k': [1]}).merge(pd.DataFrame({'k': ['1']}), on='k')",
    "Cannot perform reduction": "pd.Series(['1']).mean()",
    "Input ... infinity": "check_array(np.array([[1e39]]), dtype=np.float32)",
    "Cannot unify": """
        @numba.njit
        def mixed(x, y, first):
            if first:
                z = x
            else:
                z = y
            return z
        mixed(np.ones(2), np.ones(2, np.float32), True)
        """,
}  # fmt: skip
MODULES = {
    "pd": "import pandas as pd", "torch": "import torch",
    "functional": "from torch.nn import functional",
    "leaf": "leaf = torch.ones(2, requires_grad=True)", "jax": "import jax",
    "jnp": "import jax.numpy as jnp", "lax": "from jax import lax", "tf": "import tensorflow as tf",
    "numba": "import numba", "sparse": "from scipy import sparse",
    "check_array": "from sklearn.utils import check_array",
}  # fmt: skip


def beginning(row):
    """Return the one beginning of a sentence that a program is known for."""
    return next((text for text in RAISED if row.sentence.startswith(text)), None)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", MESSAGES, ids=lambda row: row.sentence)
def test_each_sentence_is_raised_by_its_release(row):
    if row.library != "Python":
        distribution = DISTRIBUTIONS[row.library]
        pytest.importorskip(
            {"scikit-learn": "sklearn"}.get(distribution, distribution.split("-")[0])
        )
        if version(distribution).split("+")[0] != row.release:
            pytest.skip(f"{row.library} is another release")
    source = dedent(RAISED[beginning(row)])
    names: dict[str, object] = {}
    lines = ["import numpy as np", *(line for name, line in MODULES.items() if name in source)]
    exec("\n".join(lines), names)
    with pytest.raises(Exception) as caught:  # noqa: PT011  # of any class
        exec(source, names)
    found = by_message(caught.value)
    assert found is not None
    assert found.sort == row.sort


def test_a_library_has_ten_sentences_at_most():
    libraries = {row.library for row in MESSAGES}
    counts = {name: sum(row.library == name for row in MESSAGES) for name in libraries}
    assert max(counts.values()) <= 10
    assert all(row.release[0].isdigit() for row in MESSAGES)


TRIED = {
    "torch.ones(2, 2) @ torch.ones(2, 2).double()": "torch.ones(2, 2).double().to(torch.float32)",
    "torch.bmm(torch.ones(1, 2, 2), half)": "torch.ones(1, 2, 2, dtype=torch.float16)",
    "torch.nn.Conv1d(1, 1, 1)(torch.ones(1, 1, 2).double())": ".double().to(torch.float32)",
    "torch.softmax(torch.arange(2), 0)": "torch.arange(2).float()",
    "torch.linalg.cholesky(half[0, :1, :1])": ".float()",
    "torch.where(half > 0, half, 0).masked_fill(half, 0)": "half.to(torch.bool)",
    "functional.one_hot(torch.ones(2))": "torch.ones(2).long()",
    "functional.layer_norm(half, (2,), half[0, 0].bfloat16())": "float16",
    "lax.add(jnp.ones(2), jnp.ones(2, jnp.int32))": "jnp.float32",
    "jnp.take(jnp.ones(2), jnp.ones(2))": "jnp.int32",
    "tf.sqrt(tf.range(2))": "tf.float32",
    "tf.ones(2) + tf.range(2)": "tf.float32",
    "signal.medfilt2d(np.ones((3, 3), np.float16))": ".astype(np.float32)",
    "np.linalg.inv(np.eye(2, dtype=np.float16))": "np.float32",
}
MORE = {
    "half": "half = torch.ones(1, 2, 2).half()", "signal": "from scipy import signal",
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", TRIED)
def test_another_dtype_with_which_an_operation_passes_says_why_it_was_refused(line, tmp_path):
    needed = {name: text for name, text in {**MODULES, **MORE}.items() if name in line}
    if "half" in needed:
        needed = {"torch": MODULES["torch"], **needed}
    for text in needed.values():
        if text.startswith(("import ", "from ")):
            pytest.importorskip(text.split()[1].split(".")[0])
    path = tmp_path / "program.py"
    path.write_text("\n".join(["import numpy as np", *needed.values(), f"found = {line}", ""]))
    with pytest.raises(Exception):  # noqa: B017, PT011  # of any class
        audit.run(str(path))
    found = audit.last_report().of(["stopped"])
    assert [TRIED[line] in one.suggestion for one in found] == [True]


HOOKED = """
import torch
from torch import nn
layer = nn.Linear(2, 2)
calls = []
layer.register_forward_pre_hook(lambda *_: calls.append(1))
try:
    layer(torch.ones(1, 2, dtype=torch.float64))
finally:
    assert len(calls) == 1
    import atexit
    atexit.register(lambda: print("calls", len(calls)))
"""


def test_hooks_of_the_program_are_called_once(tmp_path):
    pytest.importorskip("torch")
    path = tmp_path / "program.py"
    path.write_text(HOOKED)
    words = [sys.executable, "-m", "supremum", "audit", str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.stdout == "calls 1\n"
