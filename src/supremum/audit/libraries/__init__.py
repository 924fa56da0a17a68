"""What libraries do that is not a fact of a function: traces, lazy blocks, tables, empty lists.

Each has one file with a `Listener`, which a recorder binds once the program has imported the
library.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Final

from .listeners import Findings, Listener

LISTENERS: Final = {
    "dask": "Dask",
    "jax": "Jax",
    "numpy": "Numpy",
    "pandas": "Pandas",
    "torch": "Torch",
    "xarray": "Xarray",
}
"""The class of each library's listener, by the module that the program imports.

The file has the name of the module, and is loaded with it alone.
"""


def missing_listeners(bound: set[str], findings: Findings) -> Iterator[Listener]:
    """Yield the listeners of the libraries that were imported since, and add their names.

    Args:
        bound: the modules whose listeners are bound.
        findings: the recorder.
    """
    for module, name in LISTENERS.items():
        if module not in bound and module in sys.modules:
            listener: type[Listener] = getattr(import_module(f".{module}", __name__), name)
            bound.add(module)
            yield listener(findings)
