"""Operations of other libraries that are refused for their dtypes, and errors for other reasons."""

import sys
from pathlib import Path
from textwrap import dedent

import pytest

from supremum import audit

sys.path.insert(0, str(Path(__file__).parents[1] / "audit"))

from stopping import Refused, check_refused, stop_of

REFUSED = {
    "input and weight": Refused(
        """
        import torch
        def features(x):
            return layer(x)
        layer = torch.nn.Conv1d(1, 2, 3).double()
        signal = torch.ones(1, 1, 8)
        print(features(signal).shape)
        """,
        "torch.ones(1, 1, 8)",
        ("float32[1, 1, 8]", "float64[2, 1, 3]", "float64[2]"),
        "torch.ones(1, 1, 8, dtype=torch.float64)",
    ),
    "input and weight, a functional call": Refused(
        """
        import torch
        import torch.nn.functional as F
        class Filter:
            def __init__(self, n):
                self.kernel = torch.linspace(0, 1, n, dtype=torch.float64)
            def __call__(self, x):
                return F.conv1d(x[None, None], self.kernel[None, None])
        print(Filter(3)(torch.ones(8)).shape)
        """,
        "torch.linspace(0, 1, n, dtype=torch.float64)",
        ("float32[1, 1, 8]", "float64[1, 1, 3]"),
        "torch.linspace(0, 1, n, dtype=torch.float32)",
    ),
    "bfloat16 to NumPy": Refused(
        """
        import torch
        def exported(t):
            return t.detach().numpy()
        weights = torch.ones(3).to(torch.bfloat16)
        print(exported(weights))
        """,
        "t.detach()",
        ("bfloat16[3]",),
        "t.detach().float()",
    ),
    "bfloat16 of a module to NumPy": Refused(
        """
        import torch
        net = torch.nn.Linear(2, 2).bfloat16()
        with torch.no_grad():
            out = net(torch.ones(1, 2, dtype=torch.bfloat16))
        rows = [row.numpy() for row in out]
        print(rows)
        """,
        "row",
        ("bfloat16[2]",),
        "row.float()",
    ),
    "scatter": Refused(
        """
        import torch
        def one_hot(labels, n):
            out = torch.zeros(len(labels), n)
            out.scatter_(1, labels[:, None], torch.ones(len(labels), 1, dtype=torch.float64))
            return out
        print(one_hot(torch.tensor([0, 1]), 3))
        """,
        "torch.ones(len(labels), 1, dtype=torch.float64)",
        ("float32[2, 3]", "1", "int64[2, 1]", "float64[2, 1]"),
        "torch.ones(len(labels), 1, dtype=torch.float32)",
    ),
    "bmm in a module": Refused(
        """
        import torch
        from torch import nn
        class Scores(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("bias", torch.zeros(1, 3, 3, dtype=torch.float64))
            def forward(self, a, b):
                return torch.bmm(a, b + self.bias)
        print(Scores()(torch.ones(1, 2, 3), torch.ones(1, 3, 3)))
        """,
        "torch.zeros(1, 3, 3, dtype=torch.float64)",
        ("float32[1, 2, 3]", "float64[1, 3, 3]"),
        "torch.zeros(1, 3, 3, dtype=torch.float32)",
    ),
    "index by floats": Refused(
        """
        import torch
        table = torch.arange(10.0)
        rows = torch.floor(torch.tensor([1.5, 2.5]))
        print(table[rows])
        """,
        "rows",
        ("float32[10]", "float32[2]"),
        "rows.long()",
    ),
    "cross_entropy of floats": Refused(
        """
        import torch
        import torch.nn.functional as F
        class Task:
            def loss(self, logits, target):
                return F.cross_entropy(logits, target)
        target = torch.tensor([1, 0], dtype=torch.int16)
        print(Task().loss(torch.zeros(2, 3), target))
        """,
        "target",
        ("float32[2, 3]", "int16[2]"),
        "target.long()",
    ),
    "unsigned add": Refused(
        """
        import torch
        ids = torch.zeros(3, dtype=torch.uint16)
        offset = torch.ones(3, dtype=torch.int32)
        print([ids + offset for _ in range(1)])
        """,
        "ids + offset",
        ("uint16[3]", "int32[3]"),
    ),
    "lerp": Refused(
        """
        import torch
        def mixed(a, b):
            return torch.lerp(a, b, 0.5)
        print(mixed(torch.zeros(3), torch.ones(3, dtype=torch.float64)))
        """,
        "torch.ones(3, dtype=torch.float64)",
        ("float32[3]", "float64[3]", "0.5"),
        "torch.ones(3, dtype=torch.float32)",
    ),
    "gather": Refused(
        """
        import torch
        x = torch.ones(2, 3)
        at = torch.zeros(2, 1)
        print(torch.gather(x, 1, at))
        """,
        "at",
        ("float32[2, 3]", "1", "float32[2, 1]"),
        "at.long()",
    ),
    "index_copy": Refused(
        """
        import torch
        cache = torch.zeros(4, 3, dtype=torch.float16)
        def write(cache, rows):
            return cache.index_copy(0, torch.tensor([0]), rows)
        print(write(cache, torch.ones(1, 3)))
        """,
        "torch.ones(1, 3)",
        ("float16[4, 3]", "0", "int64[1]", "float32[1, 3]"),
        "torch.ones(1, 3, dtype=torch.float16)",
    ),
    "lax.add": Refused(
        """
        import jax.numpy as jnp
        from jax import lax
        def shifted(x, by):
            return lax.add(x, by)
        print(shifted(jnp.ones(3), jnp.ones(3, jnp.int32)))
        """,
        "by",
        ("float32[3]", "int32[3]"),
        "by.astype(jnp.float32)",
    ),
    "scan carry": Refused(
        """
        import jax
        import jax.numpy as jnp
        class Filter:
            def __init__(self):
                self.state = jnp.zeros(2, jnp.int32)
            def run(self, xs):
                def step(s, x):
                    return 0.5 * s + x, s
                return jax.lax.scan(step, self.state, xs)[0]
        print(Filter().run(jnp.ones((3, 2))))
        """,
        "self.state",
        ("int32[2]", "float32[3, 2]", "int32[2]"),
        "self.state.astype(jnp.float32)",
    ),
    "strict": Refused(
        """
        import jax
        import jax.numpy as jnp
        jax.config.update("jax_numpy_dtype_promotion", "strict")
        def mean(values, n):
            return jnp.divide(values, n)
        try:
            print(mean(jnp.ones(3), jnp.arange(1, 4)))
        finally:
            jax.config.update("jax_numpy_dtype_promotion", "standard")
        """,
        "n",
        ("float32[3]", "int32[3]"),
        "n.astype(jnp.float32)",
    ),
    "invert floats": Refused(
        """
        import jax.numpy as jnp
        mask = jnp.ones(3)
        print([~m for m in (mask,)])
        """,
        "~m",
        ("float32[3]",),
    ),
    "Int64Dtype": Refused(
        """
        import numpy as np
        import pandas as pd
        counts = pd.Series([1, 2, None], dtype="Int64")
        out = np.zeros(3, dtype=counts.dtype)
        print(out)
        """,
        "np.zeros(3, dtype=counts.dtype)",
        ("3",),
    ),
    "Int64Dtype of astype": Refused(
        """
        import numpy as np
        import pandas as pd
        def like(values, column):
            return values.astype(column.dtype)
        print(like(np.arange(3), pd.Series([1, None, 2], dtype="Int64")))
        """,
        "values.astype(column.dtype)",
        ("int64[3]",),
    ),
    "a fraction in a column of integers": Refused(
        """
        import pandas as pd
        prices = pd.DataFrame({"a": [1, 2, 3]})
        def discount(frame):
            frame.loc[0, "a"] = 0.5
            return frame
        print(discount(prices))
        """,
        'frame.loc[0, "a"] = 0.5',
        ("0.5",),
    ),
    "a text in a column of integers": Refused(
        """
        import pandas as pd
        ids = pd.Series([1, 2, 3])
        ids[1] = "x"
        print(ids)
        """,
        'ids[1] = "x"',
        ("int64[3]",),
    ),
    "a half in a Series of integers": Refused(
        """
        import pandas as pd
        ids = pd.Series([1, 2, 3])
        ids.iloc[1] = 2.5
        print(ids)
        """,
        "ids.iloc[1] = 2.5",
        ("2.5",),
    ),
    "astype of a column with missing values": Refused(
        """
        import pandas as pd
        frame = pd.DataFrame({"id": [1, 2], "n": [3.0, None]})
        frame["n"] = frame["n"].astype(int)
        print(frame)
        """,
        'frame["n"].astype(int)',
        ("float64[2]",),
    ),
    "merging text and integers": Refused(
        """
        import pandas as pd
        left = pd.DataFrame({"id": ["1", "2"], "a": [1, 2]})
        right = pd.DataFrame({"id": [1, 2], "b": [3, 4]})
        def joined(a, b):
            return a.merge(b, on="id")
        print(joined(left, right))
        """,
        'a.merge(b, on="id")',
        ("int64[2]",),
    ),
    "merging, a function": Refused(
        """
        import pandas as pd
        left = pd.DataFrame({"id": ["1", "2"], "a": [1, 2]})
        right = pd.DataFrame({"id": [1, 2], "b": [3, 4]})
        print(pd.merge(left, right, on="id"))
        """,
        'pd.merge(left, right, on="id")',
        ("int64[2]",),
    ),
    "pandas bool minus": Refused(
        """
        import pandas as pd
        s = pd.Series([True, False])
        print(s - s)
        """,
        "s - s",
        ("bool[2]", "bool[2]"),
    ),
    "scikit-learn: too large": Refused(
        """
        import numpy as np
        from sklearn.tree import DecisionTreeRegressor
        X = np.array([[1e39], [2.0]])
        y = np.array([0.0, 1.0])
        model = DecisionTreeRegressor()
        model.fit(X, y)
        """,
        "model.fit(X, y)",
        ("float64[2, 1]", "float64[2]"),
    ),
    "scikit-learn: too large, in a class": Refused(
        """
        import numpy as np
        from sklearn.ensemble import RandomForestClassifier
        class Classifier:
            def __init__(self):
                self.forest = RandomForestClassifier(n_estimators=2)
            def train(self, rows, labels):
                scaled = rows * 1e40
                self.forest.fit(scaled, labels)
                return self
        Classifier().train(np.ones((3, 2)), np.array([0, 1, 0]))
        """,
        "self.forest.fit(scaled, labels)",
        ("float64[3, 2]", "int64[3]"),
    ),
}


def missing(source):
    """Skip a test if a library that a program imports is not installed."""
    for name in ("torch", "jax", "pandas", "sklearn"):
        if f"import {name}" in source or f"from {name}" in source:
            pytest.importorskip(name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", REFUSED.values(), ids=REFUSED)
def test_the_operation_its_operands_and_a_change_are_named(program, tmp_path):
    missing(program.source)
    check_refused(program, tmp_path)


OTHER_REASONS = {
    "torch shape that the rules refuse": """
        import torch
        torch.ones(2, 3) @ torch.ones(2, 3, dtype=torch.float64)
    """,
    "torch shape": """
        import torch
        torch.ones(2, 3) + torch.ones(4)
    """,
    "torch layer's shape": """
        import torch
        torch.nn.Linear(3, 2)(torch.ones(1, 4))
    """,
    "column": """
        import pandas as pd
        pd.DataFrame({'a': [1]})['b']
    """,
    "torch out of bounds": """
        import torch
        torch.ones(3)[9]
    """,
    "jax shape": """
        import jax.numpy as jnp
        jnp.ones(3) + jnp.ones(4)
    """,
    "jax tracer bool": """
        import jax, jax.numpy as jnp
        jax.jit(lambda x: 1 if x > 0 else 2)(jnp.ones(()))
    """,
    "jax item": """
        import jax.numpy as jnp
        x = jnp.ones(3)
        x[0] = 1.0
    """,
    "NaN in sklearn": """
        import numpy as np
        from sklearn.linear_model import LinearRegression
        LinearRegression().fit(np.array([[np.nan]]), [1])
    """,
    "sklearn shape": """
        import numpy as np
        from sklearn.linear_model import LinearRegression
        LinearRegression().fit(np.ones(3), np.ones(3))
    """,
    "pandas length": """
        import pandas as pd
        f = pd.DataFrame({'a': [1, 2]})
        f['b'] = [1, 2, 3]
    """,
    "merge key": """
        import pandas as pd
        pd.DataFrame({'a': [1]}).merge(pd.DataFrame({'b': [1]}), on='a')
    """,
    "device": """
        import torch
        torch.ones(3, device='meta').numpy()
    """,
    "grad numpy": """
        import torch
        torch.ones(3, requires_grad=True).numpy()
    """,
    "backward twice": """
        import torch
        x = torch.ones(3, requires_grad=True)
        y = (x * x).sum()
        y.backward()
        y.backward()
    """,
    "infinity in scikit-learn": """
        import numpy as np
        from sklearn.tree import DecisionTreeRegressor
        DecisionTreeRegressor().fit(np.array([[np.inf], [1]], np.float32), [1, 2])
    """,
}


@pytest.mark.parametrize("source", OTHER_REASONS.values(), ids=OTHER_REASONS)
def test_what_has_other_reasons_is_not_explained(source, tmp_path):
    missing(source)
    path = tmp_path / "program.py"
    path.write_text(dedent(source), encoding="utf-8")
    findings, error = stop_of(path)
    assert error is not None
    assert audit.why(error) is None
    assert not [f for f in findings if f.kind == "stopped"]
