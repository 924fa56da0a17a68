"""What libraries do that is not a fact of a function: traces, lazy blocks, tables, autocast.

Each has one file with a `Listener`, which a recorder binds once the program has imported the
library.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from .dask import Dask
from .jax import Jax
from .listeners import Findings, Listener
from .pandas import Pandas
from .torch import Torch
from .xarray import Xarray

LISTENERS: Final[dict[str, type[Listener]]] = {
    "dask": Dask,
    "jax": Jax,
    "pandas": Pandas,
    "torch": Torch,
    "xarray": Xarray,
}
"""The listener of each library, by the module that the program imports."""


def missing_listeners(bound: set[str], findings: Findings) -> Iterator[Listener]:
    """Yield the listeners of the libraries that were imported since, and add their names.

    Args:
        bound: the modules whose listeners are bound.
        findings: the recorder.
    """
    for module, listener in LISTENERS.items():
        if module not in bound and module in sys.modules:
            bound.add(module)
            yield listener(findings)
