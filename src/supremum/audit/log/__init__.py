"""The log of a run: what operations do to dtypes and values, counted, and where both come from."""
