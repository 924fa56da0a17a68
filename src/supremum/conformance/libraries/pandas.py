"""How pandas is asked: by adding Series and scalars, or by concatenating Series."""

from __future__ import annotations

import operator
from functools import reduce
from typing import Any

from ...core.dtypes import DType
from ..calls import METHODS
from ..library import Library
from .numpy import CALLS


class Pandas(Library):
    """Series of pandas."""

    def filled(self, values: Any, d: DType) -> Any:
        """Return a Series of some values."""
        import numpy as np
        import pandas as pd

        return pd.Series(np.array(values).astype(d.to("numpy")))

    def ask(self, *operands: Any) -> str:
        """Return the dtype of the sum, from the left, or of the concatenation."""
        import pandas as pd

        if self.setting["operation"] == "concat":
            return self.name_of(pd.concat(list(operands)))
        return self.name_of(reduce(operator.add, operands))


LIBRARY = Pandas(
    "pandas",
    "pandas==3.1.1",
    settings=({"operation": "add"}, {"operation": "concat"}),
    ranks=(1,),
    scalars=(True, 1, 2, -1, 127, 128, 300, 2**31, 2**63, 2**70, 1.0, 1e300, 1j),
    nary_settings=({"operation": "concat"},),
    # What it calls otherwise: operators, methods, and NumPy's functions of a Series.
    roots=("operator", "pandas.Series", "numpy"),
    names={**METHODS, "left_shift": "lshift", "right_shift": "rshift"},
    calls={"gradient": CALLS["gradient"]},
)
