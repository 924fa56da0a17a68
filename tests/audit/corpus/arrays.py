# NumPy: results, warnings and where they are said to be, views, resizing, errors
import traceback
import warnings

import numpy as np

x = np.linspace(0, 1, 5, dtype=np.float32)
w = np.hanning(5)
y = x * w
z = (x * np.float64(2)).astype(np.float32) + 1
print(y.dtype, y.tobytes().hex(), z.tobytes().hex())
print(np.float32(1) / 0, x / 0, (x * 0) / (w * 0))


def kernel(a, n):
    out = np.zeros_like(a)
    for i in range(n):
        out[i] = a[i] / np.float32(i)
        out[i : i + 2] += a[: out[i : i + 2].size] * 1e30 * 1e30
        out *= a
        out[out > 1] -= 0.5
        a = a + out[::-1]
    out[np.array([0, 1])], out[-1] = [1, 2], 3
    return out, a[..., None] @ a[None, :], (a < out).any() or (a == out).sum(), a.mean() ** 2


def resized():
    a = np.arange(4)
    a.resize(6)
    a.resize((2, 3))
    b = a.T
    try:
        a.resize(10)
    except ValueError as error:
        print(type(error))
    return b.shape, a.sum() + 1, b.base is a


print(kernel(x, 4), resized())
a = np.arange(4)
a.resize(6)
print(a)
for wrong in (
    lambda: x + np.ones(3),
    lambda: x[10] * 2,
    lambda: np.add(x, "a"),
    lambda: x @ np.ones((3, 3)),
    lambda: bool(x < 1),
    lambda: np.int8(1) + 1000,
):
    try:
        wrong()
    except Exception:
        traceback.print_exc()
try:
    a += 1.5 * a
except TypeError:
    traceback.print_exc()
try:
    a[7] += 1.5
except IndexError:
    traceback.print_exc()
a[0] = 1.9
print(a, np.int8(100) + np.int8(100), np.uint8(3) - np.uint8(5))
with np.errstate(all="raise"):
    try:
        np.float32(1) / (x - x)
    except FloatingPointError:
        traceback.print_exc()
warnings.simplefilter("error")
try:
    np.log(x - 1) + 1
except RuntimeWarning:
    traceback.print_exc()


class Sub(np.ndarray):
    def __array_finalize__(self, obj):
        self.tag = getattr(obj, "tag", "none") + "."

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        print("ufunc", ufunc.__name__, method)
        inputs = [np.asarray(i) for i in inputs]
        out = kwargs.pop("out", None)
        return getattr(ufunc, method)(*inputs, **kwargs).view(Sub)


s = x.view(Sub)
t = s + 1
t += s * 2
t[1:] = s[0] - 1
print(type(t).__name__, len(t.tag), t.sum(), (t == s).all(), -t[0])


class Duck:
    """Has a dtype, and tells whoever asks."""

    dtype = np.dtype("float32")

    def __init__(self, v):
        self.v = v

    def __array_function__(self, f, types, args, kwargs):
        return Duck(f.__name__)

    def __mul__(self, other):
        return Duck(self.v * 2)

    __rmul__ = __mul__


print((Duck(2) * 3).v, (x * Duck(3) if False else Duck(3) * x).v, np.concatenate([Duck(1), x]).v)
r = np.random.default_rng(0)
print(r.standard_normal(3, dtype=np.float32) * r.random(), np.array([1, "a", None], dtype=object) * 2 if False else 0)
rec = np.zeros(2, dtype=[("a", "f4"), ("b", "f8")])
rec["a"] += 1.5
rec["b"][1] = rec["a"][0] * 2
rec[0]["b"] = 7
print(rec, rec["a"] * rec["b"], np.ma.array([1, 2], mask=[0, 1]) * 2.5)
big = [np.ones(1000) * k for k in range(10)]
total = sum(b * 2 + k for k, b in enumerate(big))
print(total.sum(), np.sum([b[0] * 2 for b in big]), np.vectorize(lambda v: v * 2 + 1)(x))
