"""Programs of other libraries print what they print without the audit, and end as they do."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "audit_programs"


def needs(library):
    """Skip a test where a library is not installed."""
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")


def python(*words, folder):
    return subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture
def audited(tmp_path):
    """Return a function that runs a text with and without the audit, and gives the report."""

    def run(text):
        (tmp_path / "program.py").write_text(text)
        plain = python("program.py", folder=tmp_path)
        words = ("-m", "supremum", "audit", "-o", "r.json", "program.py")
        watched = python(*words, folder=tmp_path)
        assert plain.returncode == 0, plain.stderr
        assert (watched.returncode, watched.stdout) == (0, plain.stdout), watched.stderr
        assert plain.stdout
        report = json.loads((tmp_path / "r.json").read_text())
        assert report["problems"] == []
        assert report["unwatched"] == []
        return report

    return run


def test_what_is_pickled_for_worker_processes_runs_there_unwatched(audited):
    needs("distributed")
    report = audited((PROGRAMS / "dask_processes.py").read_text())
    assert report["operations"] > 0


# Programs that look at what the audit might disturb; that they print the same is all.
DISTURBED = {
    # what is compiled is compiled from the bytecode of watched functions
    "torch._dynamo": """
        import torch


        @torch.compile(backend="eager", fullgraph=True)
        def scaled(a, b):
            c = a * b
            c += 1
            c[0] = 2
            return c.sum() + (a @ b)


        class Layer(torch.nn.Module):
            def forward(self, a):
                b = a * 2
                return torch.relu(b[0] + a.T.mean())


        x = torch.ones(3, 3)
        print(scaled(x[0], x[1]))
        print(torch.compile(lambda a: a * 2 + 1, backend="eager")(x))
        print(torch.fx.symbolic_trace(Layer()).code)
        print(torch.export.export(Layer(), (x,)).graph_module.code)
        print(torch.jit.trace(Layer(), x)(x))
        print(torch.func.grad(lambda a: (a * a).sum())(x))
    """,
    # nothing is kept alive, nor the graph behind it
    "torch": """
        import weakref

        import torch


        def loss(x):
            hidden = (x * 2).sin()
            alive = weakref.ref(hidden)
            total = (hidden * hidden).sum()
            del hidden
            return total, alive


        x = torch.ones(8, requires_grad=True)
        total, alive = loss(x)
        total.backward()
        print(alive() is None, x.grad is not None)
        del total
        big = torch.ones(8)
        if ((big * 3) == 5).any() or (big * 2).equal(big + big):
            print("equal")
    """,
    "jax": """
        import jax
        import jax.numpy as jnp


        def body(carry, row):
            carry = carry * 0.9 + row
            return carry, carry * 2


        with jax.checking_leaks():
            x = jnp.ones((3, 2))
            print(jax.lax.scan(body, x[0], x)[0])
            print(jax.hessian(lambda v: (v**3).sum())(x[0]))
            print(jax.jit(lambda v: jax.lax.cond(v.sum() > 0, lambda: v * 2, lambda: -v))(x[0]))
        print(jax.make_jaxpr(body)(x[0], x[1]))
        print(jax.eval_shape(lambda v: v * 2.0, jax.ShapeDtypeStruct((3,), jnp.bfloat16)))
    """,
    # lazy data stays so
    "xarray": """
        import dask.array as da
        import numpy as np
        import xarray as xr

        loaded = []


        def load(block):
            loaded.append(block.shape)
            return block


        data = da.ones((4, 3), chunks=(2, 3), dtype=np.float32)
        data = data.map_blocks(load, meta=np.empty((0, 0), np.float32))
        t = xr.DataArray(data, dims=("time", "x"))
        y = t * 2 + t.mean("time")
        y = y / y.max()
        print(loaded, y.dtype)
        print(float(y.sum()), len(loaded) > 0)
    """,
    "pandas": """
        import warnings

        warnings.simplefilter("error")

        import numpy as np
        import pandas as pd

        df = pd.DataFrame({"v": np.arange(4.0), "k": list("abab")})
        part = df[df["v"] > 0]
        part["w"] = part["v"] * 2
        df.loc[df["v"] > 1, "v"] += 1
        df["v"] *= 1.5
        print(part["w"].tolist(), df["v"].tolist(), df.groupby("k")["v"].sum().tolist())
    """,
}


@pytest.mark.parametrize("library", DISTURBED)
def test_the_program_does_not_notice(library, audited):
    needs(library.partition(".")[0])
    if library == "xarray":
        needs("dask")
    text = "\n".join(line[8:] for line in DISTURBED[library].splitlines()[1:]) + "\n"
    audited(text)
