"""numpy/numpy#28357: an int64 array plus a uint64 scalar is float64 since NumPy 2.

NumPy 1 looked at the scalar's value, and gave int64. The mend casts the scalar.
"""

# audit: --target numpy-legacy

import numpy as np

HEADER = np.dtype([("first", "<u8"), ("count", "<u4")])


class Page:
    def __init__(self, blob):
        self.header = np.frombuffer(blob[: HEADER.itemsize], HEADER)[0]

    def rows(self):
        offsets = np.arange(self.header["count"], dtype=np.int64)
        return offsets + self.header["first"]  # <- port-mismatch|mixed-kind
        # fixed: return offsets + np.int64(self.header["first"])


def select(column, page):
    rows = page.rows()
    return column[rows.astype(np.intp)], rows.dtype.kind


header = np.array((120, 30), dtype=HEADER)
column = np.arange(1000) ** 2
values, _ = select(column, Page(header.tobytes()))
print(int(values.sum()))
