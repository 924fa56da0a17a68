"""How Dask is asked: by its ``result_type``; what its functions give is not computed."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ...core.dtypes import DType
from ..library import Library


class Dask(Library):
    """Dask's arrays, whose masks and indices are NumPy's."""

    def filled(self, values: Any, d: DType) -> Any:
        """Return an array of some values."""
        import dask.array
        import numpy as np

        return dask.array.from_array(np.array(values)).astype(d.to("numpy"))

    @cached_property
    def selectors(self) -> dict[str, Any]:
        """An array of conditions, and one of indices."""
        import numpy as np

        return {"c": np.ones(3, bool), "i": np.ones(3, np.int64)}


LIBRARY = Dask(
    "dask",
    "dask[array]==2026.8.0",
    scalars=(True, 1, 300, -1, 2**63, 2**70, 1.0, 1e300, 1j),
    roots=("dask.array", "dask.array.linalg", "dask.array.fft", "dask.array.Array"),
    calls={
        **dict.fromkeys(("cumulative_sum", "cumulative_prod", "cumsum"), "(x,0)"),
        "reshape": "(x,(3,))",
        "gradient": "(x)",  # arrays of coordinates are refused
        "histogram[0]": "(x,3,(0,3))",
    },
    unasked=("arange", "linspace"),  # which take numbers alone
    names={"cumulative_sum": "cumsum", "cumulative_prod": "cumprod"},
)
