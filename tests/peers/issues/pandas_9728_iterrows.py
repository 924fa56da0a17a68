"""pandas-dev/pandas#9728, pandas-dev/pandas#28308, tbepler/topaz#167: iterrows makes floats of integers.

A row is one Series, so that integers beside floats become float64. The answer is itertuples.
"""

import numpy as np
import pandas as pd


class Catalogue:
    def __init__(self, count, seed):
        rng = np.random.default_rng(seed)
        self.frame = pd.DataFrame({
            "id": 9_007_199_254_740_993 + np.arange(count),
            "score": rng.random(count),
        })

    def accepted(self, threshold):
        found = []
        for _, row in self.frame.iterrows():  # <- precision-loss
        # fixed: for row in self.frame.itertuples():
            if row["score"] > threshold:
            # fixed: if row.score > threshold:
                found.append(int(row["id"]))
                # fixed: found.append(int(row.id))
        return found


catalogue = Catalogue(40, 0)
found = catalogue.accepted(0.5)
ids = set(catalogue.frame["id"].tolist())
print(len(found), sum(each not in ids for each in found), len(set(found)))
