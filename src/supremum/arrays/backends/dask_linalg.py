"""Linear algebra on Dask: each matrix in one chunk, and any number of them in chunks.

A matrix that lies in several chunks is left to Dask's own algorithm, if it has one.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import dask.array as da
import numpy as np

from .base import Kernel
from .numpy import LAPACK, of_lapack

# What NumPy's functions do with the last axes; k is the shorter one, and m and n are 1.
_SIGNATURES: Final[Mapping[str, str]] = {
    "cholesky": "(i,i)->(i,i)",
    "cross": "(i),(i)->(i)",
    "det": "(i,i)->()",
    "eig": "(i,i)->(i),(i,i)",
    "eigh": "(i,i)->(i),(i,i)",
    "eigvals": "(i,i)->(i)",
    "eigvalsh": "(i,i)->(i)",
    "inv": "(i,i)->(i,i)",
    "matrix_norm": "(i,j)->()",
    "matrix_norm kept": "(i,j)->(m,n)",
    "matrix_power": "(i,i)->(i,i)",
    "matrix_rank": "(i,j)->()",
    "pinv": "(i,j)->(j,i)",
    "qr": "(i,j)->(i,k),(k,j)",
    "qr complete": "(i,j)->(i,i),(i,j)",
    "slogdet": "(i,i)->(),()",
    "solve": "(i,i),(i,j)->(i,j)",
    "svd": "(i,j)->(i,i),(k),(j,j)",
    "svd thin": "(i,j)->(i,k),(k),(k,j)",
    "svdvals": "(i,j)->(k)",
}
NAMES: Final = frozenset(f"linalg.{name}" for name in _SIGNATURES if " " not in name)
"""The functions of linear algebra in this module, by their names in the array API."""

# What Dask computes from one matrix in many chunks; for the last three they lie below each other.
_BLOCKED: Final[Mapping[str, Kernel]] = {
    "cholesky": lambda x, upper: da.linalg.cholesky(x, lower=not upper),
    "inv": da.linalg.inv,
    "solve": da.linalg.solve,
    "qr": lambda x, mode: da.linalg.qr(x),  # noqa: ARG005  # it has one
    "svd thin": lambda x, full_matrices: da.linalg.svd(x, coerce_signs=False),  # noqa: ARG005  # the same
    "svdvals": lambda x: da.linalg.svd(x, coerce_signs=False)[1],
}
_TALL: Final = frozenset({"qr", "svd thin", "svdvals"})


def function(name: str) -> Kernel:
    """Return a function of linear algebra, one of `NAMES`."""
    run = partial(_solved, name.removeprefix("linalg."))
    return partial(of_lapack, run) if name in LAPACK else run


def _solved(name: str, x: Any, *others: Any, **options: Any) -> Any:
    if name == "matrix_power":
        (n,), others = others, ()
        options = {"n": n}
    if name == "cross" and (axis := options.pop("axis")) != -1:
        last = (da.moveaxis(y, axis, -1) for y in (x, *others))
        return da.moveaxis(_solved(name, *last, axis=-1), -1, axis)
    if name == "solve" and others[0].ndim == 1:
        return _solved(name, x, others[0][:, None])[..., 0]
    form = _form(name, options)
    if name == "matrix_norm" and options["ord"] == "fro":
        squares = abs(x) ** 2
        return da.sqrt(
            squares.sum(axis=(-2, -1), keepdims=options["keepdims"], dtype=squares.dtype)
        )
    in_chunks = x.ndim == 2 and max(x.numblocks) > 1
    is_tall = in_chunks and x.numblocks[1] == 1
    if form in _BLOCKED and (is_tall if form in _TALL else in_chunks):
        with quiet():
            return _BLOCKED[form](x, *others, **options)
    signature, arrays = _SIGNATURES[form], [x, *others]
    if "rtol" in options:  # there may be one for each matrix
        signature = signature.replace("->", ",()->")
        arrays.append(options.pop("rtol"))
    return apply(partial(_block, name, len(others) + 1, options), signature, *arrays)


def apply(run: Kernel, signature: str, *arrays: Any) -> Any:
    """Apply a function to the last axes of arrays, in a loop over the axes before them.

    Args:
        run: the function, of NumPy's arrays.
        signature: as `dask.array.apply_gufunc` takes it.
        arrays: those of Dask.
    """
    cores = signature.partition("->")[0][1:-1].split("),(")
    counts = [len(core.replace(",", "")) for core in cores]
    shapes = [y.shape[: y.ndim - n] for y, n in zip(arrays, counts, strict=True)]
    shared = np.broadcast_shapes(*shapes)
    labelled: list[Any] = []
    for index, (y, n) in enumerate(zip(arrays, counts, strict=True)):
        one = whole(y, range(-n, 0))
        wide = da.broadcast_to(one, shared + one.shape[one.ndim - n :])
        labelled += [wide, (*range(len(shared)), *(f"{index} {axis}" for axis in range(n)))]
    _, ready = da.core.unify_chunks(*labelled)
    sizes = {"k": min(ready[0].shape[-2:]), "m": 1, "n": 1}
    return da.apply_gufunc(
        run,
        signature,
        *ready,
        meta=_sample(run, counts, arrays),
        output_sizes={axis: n for axis, n in sizes.items() if axis in signature},
    )


def whole(x: Any, axes: Iterable[int]) -> Any:
    """Return an array with one chunk along some axes."""
    cut = [axis % x.ndim for axis in axes if x.numblocks[axis] > 1]
    return x.rechunk(dict.fromkeys(cut, -1)) if cut else x


def _form(name: str, options: Mapping[str, Any]) -> str:
    """Return the name of the signature."""
    if name == "svd" and not options["full_matrices"]:
        return "svd thin"
    if name == "matrix_norm" and options["keepdims"]:
        return "matrix_norm kept"
    if name == "qr" and options["mode"] == "complete":
        return "qr complete"
    return name


def _block(name: str, count: int, options: Mapping[str, Any], *arrays: Any) -> Any:
    """Return what NumPy gives for chunks; the one after the operands is a tolerance."""
    if len(arrays) > count:
        options = {**options, "rtol": arrays[count]}
    return getattr(np.linalg, name)(*arrays[:count], **options)


def _sample(run: Kernel, counts: Sequence[int], arrays: Sequence[Any]) -> Any:
    """Return what a function gives for tiny matrices, which has the dtypes of its results."""
    least = {0: np.ones(()), 1: np.ones(3), 2: np.eye(3)}
    found = run(*(least[n].astype(x.dtype) for n, x in zip(counts, arrays, strict=True)))
    return tuple(map(np.asarray, found)) if isinstance(found, tuple) else np.asarray(found)


@contextmanager
def quiet() -> Iterator[None]:
    """Let Dask cast an empty array from complex to real, for its dtype; it casts no elements."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        yield
