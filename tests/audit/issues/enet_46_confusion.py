"""davidtvs/PyTorch-ENet#46: an intersection over union above one.

Counts of int64 are added to a matrix of int32 in place, which wraps around.
"""

import numpy as np


class ConfusionMatrix:
    def __init__(self, num_classes):
        self.num_classes = num_classes
        self.conf = np.zeros((num_classes, num_classes), dtype=np.int32)  # <- wraparound
        # fixed: self.conf = np.zeros((num_classes, num_classes), dtype=np.int64)

    def add(self, predicted, target, repeat=1):
        n = self.num_classes
        x = predicted + n * target
        bincount = np.bincount(x.astype(np.int32), minlength=n ** 2)
        self.conf += bincount.reshape(n, n) * repeat

    def value(self):
        return self.conf


class IoU:
    def __init__(self, num_classes):
        self.matrix = ConfusionMatrix(num_classes)

    def add(self, predicted, target, repeat):
        self.matrix.add(predicted.ravel(), target.ravel(), repeat)

    def value(self):
        conf = self.matrix.value()
        true_positive = np.diag(conf)
        false_positive = conf.sum(axis=0) - true_positive
        false_negative = conf.sum(axis=1) - true_positive
        iou = true_positive / (true_positive + false_positive + false_negative)
        return iou, np.nanmean(iou)


def tiles(count, seed=9):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        target = rng.choice(3, size=(120, 160), p=[0.7, 0.2, 0.1])
        flip = rng.random(target.shape) < 0.08
        yield np.where(flip, rng.integers(0, 3, target.shape), target), target


def main():
    metric = IoU(3)
    for predicted, target in tiles(12):
        metric.add(predicted, target, repeat=25000)
    iou, mean = metric.value()
    print("iou", iou.round(4))
    print("mean %.4f" % mean)
    print("pixels", int(metric.matrix.value().sum()))


main()
