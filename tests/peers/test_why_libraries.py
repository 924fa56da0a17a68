"""Why programs of PyTorch, JAX, TensorFlow and pandas stop, and what to type."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "audit"))

from stopping import Stops, check

TORCH = {
    "from_numpy": Stops(
        "pytorch/pytorch#2138",
        """
        import numpy as np
        import torch
        samples = np.random.default_rng(0).random((4, 3))
        model = torch.nn.Linear(3, 2)
        print(model(torch.from_numpy(samples)).shape)
        """,
        "torch.from_numpy(samples)",
        "torch.from_numpy(samples).float()",
    ),
    "collated Python floats": Stops(
        "pytorch/pytorch#69446",
        """
        import torch
        from torch.utils.data import DataLoader
        class Readings(torch.utils.data.Dataset):
            def __len__(self):
                return 4
            def __getitem__(self, i):
                return 0.5 * i
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(2, 1)
            def forward(self, x):
                return self.fc(x)
        net = Net()
        for batch in DataLoader(Readings(), batch_size=2):
            print(net(batch).shape)
        """,
        "x",
        "x.float()",
    ),
    "index_put under autocast": Stops(
        "huggingface/transformers#47691",
        """
        import torch
        layer = torch.nn.Linear(3, 3)
        def merged(image, slots):
            out = torch.zeros(4, 3)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                out[slots] = layer(image)
            return out
        print(merged(torch.ones(2, 3), torch.tensor([0, 2])).dtype)
        """,
        "layer(image)",
        "layer(image).float()",
    ),
    "index_put_": Stops(
        "hiyouga/LlamaFactory#5943",
        """
        import torch
        cache = torch.zeros(3, dtype=torch.bfloat16)
        cache.index_put_((torch.tensor([0]),), torch.ones(1))
        print(cache)
        """,
        "torch.ones(1)",
        "torch.ones(1, dtype=torch.bfloat16)",
    ),
    "an integer input": Stops(
        "pytorch/pytorch#15436",
        """
        import torch
        counts = torch.arange(6).reshape(2, 3)
        model = torch.nn.Sequential(torch.nn.Linear(3, 2))
        print(model(counts).shape)
        """,
        "counts",
        "counts.float()",
    ),
    "a product": Stops(
        "expected m1 and m2",
        """
        import torch
        a = torch.ones(2, 3)
        b = torch.linspace(0, 1, 6, dtype=torch.float64).reshape(3, 2)
        print((a @ b).shape)
        """,
        "torch.linspace(0, 1, 6, dtype=torch.float64)",
        "torch.linspace(0, 1, 6, dtype=torch.float32)",
    ),
    "float targets": Stops(
        "expected Long",
        """
        import torch
        loss = torch.nn.CrossEntropyLoss()
        def step(scores, labels):
            return loss(scores, labels)
        print(step(torch.ones(2, 3), torch.tensor([0, 2], dtype=torch.int32)))
        """,
        "labels",
        "labels.long()",
    ),
    "classes that are floats, as the scores are": Stops(
        "expected target dtype to be Long",
        """
        import torch
        import torch.nn.functional as F
        scores, labels = torch.zeros(3, 4), torch.tensor([0.0, 1.0, 2.0])
        print(F.cross_entropy(scores, labels))
        """,
        "labels",
        "labels.long()",
    ),
    "bytes of an image": Stops(
        "Input type (unsigned char) and bias type (float)",
        """
        import torch
        layer = torch.nn.Conv2d(3, 4, 3)
        image = torch.ones(1, 3, 8, 8, dtype=torch.uint8)
        print(layer(image).dtype)
        """,
        "image",
        "image.float()",
    ),
    "a layer of half precision": Stops(
        "Input type (float) and bias type (c10::Half)",
        """
        import torch
        layer = torch.nn.Conv2d(3, 4, 3).half()
        image = torch.rand(1, 3, 8, 8)
        print(layer(image).dtype)
        """,
        "torch.rand(1, 3, 8, 8)",
        "torch.rand(1, 3, 8, 8).to(torch.float16)",
    ),
    "one of three in half precision": Stops(
        "Expected query, key, and value to have the same dtype",
        """
        import torch
        import torch.nn.functional as F
        def attend(q, k, v):
            return F.scaled_dot_product_attention(q, k, v)
        q, v = torch.ones(1, 2, 3, 4), torch.ones(1, 2, 3, 4)
        k = torch.ones(1, 2, 3, 4).half()
        print(attend(q, k, v).dtype)
        """,
        "torch.ones(1, 2, 3, 4).half()",
        "torch.ones(1, 2, 3, 4).half().to(torch.float32)",
    ),
    "integer targets": Stops(
        "result type Float can't be cast to Long",
        """
        import torch
        import torch.nn.functional as F
        scores, labels = torch.zeros(3), torch.tensor([0, 1, 1])
        print(F.binary_cross_entropy_with_logits(scores, labels))
        """,
        "labels",
        "labels.float()",
    ),
    "float tokens": Stops(
        "embedding",
        """
        import torch
        table = torch.nn.Embedding(4, 2)
        tokens = torch.tensor([1.0, 2.0])
        print(table(tokens).shape)
        """,
        "tokens",
        "tokens.long()",
    ),
    "a fraction in place": Stops(
        "result type Float can't be cast to Long",
        """
        import torch
        steps = torch.arange(4)
        steps += 0.5
        print(steps)
        """,
        "torch.arange(4)",
        "torch.arange(4, dtype=torch.float32)",
    ),
    "a mean of integers": Stops(
        "mean",
        """
        import torch
        hits = torch.tensor([1, 0, 1])
        print(hits.mean())
        """,
        "hits",
        "hits.float()",
    ),
    "a convolution": Stops(
        "Input type (double) and bias type (float)",
        """
        import numpy as np
        import torch
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = torch.nn.Conv1d(1, 2, 3)
            def forward(self, wave):
                return self.conv(wave[None, None])
        wave = np.sin(np.arange(16) / 4)
        print(Net()(torch.as_tensor(wave)).shape)
        """,
        "torch.as_tensor(wave)",
        "torch.as_tensor(wave, dtype=torch.float32)",
    ),
    "an observation": Stops(
        "callummcdougall/ARENA_3.0#203",
        """
        import numpy as np
        import torch
        buffer = np.zeros((8, 4))
        actor = torch.nn.Linear(4, 2)
        def act(observation):
            return actor(torch.tensor(observation))
        print(act(buffer[0]).shape)
        """,
        "np.zeros((8, 4))",
        "np.zeros((8, 4), dtype=np.float32)",
    ),
    "integers that require gradients": Stops(
        "requires_grad",
        """
        import torch
        weight = torch.tensor([1, 2], requires_grad=True)
        print(weight)
        """,
        "torch.tensor([1, 2], requires_grad=True)",
        "torch.tensor([1, 2], requires_grad=True, dtype=torch.float32)",
    ),
    "a recurrent layer": Stops(
        "RNN input dtype",
        """
        import numpy as np
        import torch
        lstm = torch.nn.LSTM(3, 2)
        window = torch.from_numpy(np.full((5, 3), 0.5))
        out, _ = lstm(window)
        print(out.shape)
        """,
        "np.full((5, 3), 0.5)",
        "np.full((5, 3), 0.5, dtype=np.float32)",
    ),
    "in a thread of a pool": Stops(
        "futures",
        """
        import torch
        from concurrent.futures import ThreadPoolExecutor
        def product(a, b):
            return torch.dot(a, b)
        with ThreadPoolExecutor(1) as pool:
            print(pool.submit(product, torch.ones(2), torch.ones(2, dtype=torch.float64)).result())
        """,
        "torch.ones(2, dtype=torch.float64)",
        "torch.ones(2, dtype=torch.float32)",
    ),
    "an untyped buffer in an object": Stops(
        "meta-pytorch/torchtune#1349",
        """
        import torch
        class State:
            def __init__(self, slots, width):
                self.rows = torch.zeros(slots, width)
            def write(self, slot, row):
                self.rows.index_copy_(0, slot, row)
        def step(state, x):
            state.write(torch.tensor([1]), x * 2)
            return state.rows.sum()
        print(step(State(4, 3), torch.ones(1, 3, dtype=torch.float16)))
        """,
        "torch.zeros(slots, width)",
        "torch.zeros(slots, width, dtype=torch.float16)",
    ),
    "features in half precision in embeddings": Stops(
        "index_put",
        """
        import torch
        from torch import nn
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.embed = nn.Embedding(8, 4)
                self.project = nn.Linear(3, 4, dtype=torch.bfloat16)
            def forward(self, ids, image):
                embedded = self.embed(ids)
                features = self.project(image.to(torch.bfloat16))
                embedded[ids == 7] = features
                return embedded
        with torch.no_grad():
            print(Model()(torch.tensor([1, 7, 7]), torch.ones(2, 3)).shape)
        """,
        "features",
        "features.float()",
    ),
    "a table of positions": Stops(
        "mat1 and mat2",
        """
        import torch
        from torch import nn
        def sines(t, width):
            rates = torch.exp(-torch.arange(width // 2, dtype=torch.float32))
            return torch.cat([(t[:, None] * rates).cos(), (t[:, None] * rates).sin()], dim=-1)
        class Embedding(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.width = width
                self.inner = nn.Linear(width, width)
            def forward(self, t):
                return self.inner(sines(t, self.width))
        with torch.no_grad():
            print(Embedding(8).to(torch.bfloat16)(torch.tensor([1, 5])).shape)
        """,
        "sines(t, self.width)",
        "sines(t, self.width).bfloat16()",
    ),
    "weights of classes that a loss keeps": Stops(
        "expected scalar type Float but found Double",
        """
        import numpy as np
        import torch
        def balanced(labels):
            return len(labels) / (2 * np.bincount(labels))
        labels = np.array([0, 1, 1, 1])
        loss = torch.nn.CrossEntropyLoss(weight=torch.from_numpy(balanced(labels)))
        print(loss(torch.ones(4, 2), torch.from_numpy(labels)))
        """,
        "torch.from_numpy(balanced(labels))",
        "torch.from_numpy(balanced(labels)).float()",
    ),
    "scatter": Stops(
        "scatter",
        """
        import torch
        def histogram(where, weights):
            return torch.zeros(4).scatter_add_(0, where, weights)
        print(histogram(torch.tensor([0, 1]), torch.tensor([1, 1], dtype=torch.float64)))
        """,
        "torch.tensor([1, 1], dtype=torch.float64)",
        "torch.tensor([1, 1], dtype=torch.float32)",
    ),
}

JAX = {
    "a carry that begins with an integer": Stops(
        "jax-ml/jax#2004",
        """
        import jax.numpy as jnp
        from jax import lax
        def step(total, x):
            return total + x, total
        total, _ = lax.scan(step, jnp.zeros((), jnp.int32), jnp.linspace(0.0, 1.0, 4))
        print(total)
        """,
        "jnp.zeros((), jnp.int32)",
        "jnp.zeros((), jnp.int32).astype(jnp.float32)",
    ),
    "a carry of several": Stops(
        "instadeepai/Mava#1184",
        """
        import jax
        import jax.numpy as jnp
        def act(carry, x):
            state, count = carry
            return (state * 0.9 + x, count + 1), state
        start = jnp.arange(3)
        (state, count), _ = jax.lax.scan(act, (start, 0), jnp.ones((5, 3)))
        print(state, count)
        """,
        "jnp.arange(3)",
        "jnp.arange(3).astype(jnp.float32)",
    ),
    "while_loop": Stops(
        "while",
        """
        import jax.numpy as jnp
        from jax import lax
        x = jnp.array([8, 4])
        print(lax.while_loop(lambda x: x.max() > 1, lambda x: x / 2, x))
        """,
        "jnp.array([8, 4])",
        "jnp.array([8, 4]).astype(jnp.float32)",
    ),
    "a carry with names, made by a function": Stops(
        "jax-ml/jax#2004",
        """
        from typing import NamedTuple
        import jax
        import jax.numpy as jnp
        class State(NamedTuple):
            mean: jax.Array
            count: jax.Array
        class Mean:
            def initial(self):
                return State(jnp.float32(0), count=jnp.int32(0))
            def __call__(self, state, x):
                count = state.count + 1.0
                return State(state.mean + (x - state.mean) / count, count), None
        def run(mean, xs):
            state = mean.initial()
            state, _ = jax.lax.scan(mean, state, xs)
            return state.mean
        print(run(Mean(), jnp.arange(4.0)))
        """,
        "jnp.int32(0)",
        "jnp.int32(0).astype(jnp.float32)",
    ),
    "fori_loop": Stops(
        "fori",
        """
        import jax.numpy as jnp
        from jax import lax
        def body(i, best):
            return best + 0.5 * i
        def run(start):
            return lax.fori_loop(0, 3, body, start)
        print(run(jnp.array([1, 2])))
        """,
        "start",
        "start.astype(jnp.float32)",
    ),
    "lax": Stops(
        "lax.add",
        """
        import jax.numpy as jnp
        from jax import lax
        x = jnp.ones(3)
        print(lax.mul(x, jnp.arange(3)))
        """,
        "jnp.arange(3)",
        "jnp.arange(3).astype(jnp.float32)",
    ),
    "strict promotion": Stops(
        "strict",
        """
        import jax
        import jax.numpy as jnp
        def loss(x, n):
            return x * n
        with jax.numpy_dtype_promotion("strict"):
            print(loss(jnp.ones(3), jnp.arange(3)))
        """,
        "n",
        "n.astype(jnp.float32)",
    ),
    "a gradient by an integer": Stops(
        "grad",
        """
        import jax
        def square(x):
            return x ** 2
        slope = jax.grad(square)
        print(slope(3))
        """,
        "3",
        "float(3)",
    ),
    "a float index": Stops(
        "index",
        """
        import jax.numpy as jnp
        table = jnp.arange(4.0)
        where = jnp.floor(jnp.array([0.5, 2.5]))
        print(table[where])
        """,
        "where",
        "where.astype(jnp.int32)",
    ),
}

TENSORFLOW = {
    "a rate of more bits": Stops(
        "tensorflow/tensorflow#49460",
        """
        import tensorflow as tf
        weights = tf.ones(3, tf.float16)
        def decay(weights, rate):
            return weights * rate
        print(decay(weights, tf.constant(0.5)))
        """,
        "tf.constant(0.5)",
        "tf.cast(tf.constant(0.5), tf.float16)",
    ),
    "integers and floats": Stops(
        "tensorflow/tensorflow#33077",
        """
        import tensorflow as tf
        steps = tf.range(3)
        print(tf.add(steps, tf.ones(3)))
        """,
        "steps",
        "tf.cast(steps, tf.float32)",
    ),
    "integers and a fraction": Stops(
        "tensorflow/tensorflow#38850",
        """
        import tensorflow as tf
        epoch = tf.constant(3)
        print(epoch * 0.5)
        """,
        "epoch",
        "tf.cast(epoch, tf.float32)",
    ),
    "a square root of integers": Stops(
        "Value for attr 'T' of int32",
        """
        import tensorflow as tf
        size = tf.constant([4, 9])
        print(tf.sqrt(size))
        """,
        "size",
        "tf.cast(size, tf.float32)",
    ),
}


@pytest.mark.parametrize("program", TORCH.values(), ids=TORCH)
def test_torch(program, tmp_path):
    pytest.importorskip("torch")
    check(program, tmp_path)


@pytest.mark.parametrize("program", JAX.values(), ids=JAX)
def test_jax(program, tmp_path):
    pytest.importorskip("jax")
    check(program, tmp_path)


@pytest.mark.parametrize("program", TENSORFLOW.values(), ids=TENSORFLOW)
def test_tensorflow(program, tmp_path):
    pytest.importorskip("tensorflow")
    check(program, tmp_path)
