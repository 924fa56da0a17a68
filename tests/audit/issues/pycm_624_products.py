"""sepandhaghighi/pycm#624: no correlation is given for large matrices.

A product of four counts of millions is beyond int64. The maintainers compute in floats.
"""

import math

import numpy as np


class ConfusionMatrix:
    def __init__(self, matrix):
        self.matrix = np.asarray(matrix)
        self.classes = list(range(len(self.matrix)))
        self.TP, self.TN, self.FP, self.FN = {}, {}, {}, {}
        total = self.matrix.sum()
        for c in self.classes:
            self.TP[c] = self.matrix[c, c]
            self.FP[c] = self.matrix[:, c].sum() - self.TP[c]
            self.FN[c] = self.matrix[c].sum() - self.TP[c]
            self.TN[c] = total - self.TP[c] - self.FP[c] - self.FN[c]


def MCC_calc(TP, TN, FP, FN):
    try:
        square = (TP + FP) * (TP + FN) * (TN + FP) * (TN + FN)  # <- wraparound
        # fixed: square = float(TP + FP) * float(TP + FN) * float(TN + FP) * float(TN + FN)
        return (TP * TN - FP * FN) / math.sqrt(square)
    except (ZeroDivisionError, ValueError):
        return "None"


def F_calc(TP, FP, FN):
    return (2 * TP) / (2 * TP + FP + FN)


def report(cm):
    for c in cm.classes:
        mcc = MCC_calc(cm.TP[c], cm.TN[c], cm.FP[c], cm.FN[c])
        f1 = F_calc(cm.TP[c], cm.FP[c], cm.FN[c])
        print(c, "MCC", mcc if isinstance(mcc, str) else round(float(mcc), 4),
              "F1 %.4f" % f1)


def main():
    counts = np.array([[812345, 10422], [20331, 655201]]) * 3
    report(ConfusionMatrix(counts))


main()
