"""tensorflow/tensorflow#9462: the number of elements of a large shape, in int32, is negative.

tf.shape gives int32, and so does its product. The mend asks for int64.
"""

import tensorflow as tf


class Partition:
    def __init__(self, limit):
        self.limit = limit

    def elements(self, shape):
        sizes = tf.constant(shape, dtype=tf.int32)
        return tf.reduce_prod(sizes)  # <- wraparound
        # fixed: return tf.reduce_prod(tf.cast(sizes, tf.int64))

    def parts(self, shape):
        return max(1, -(-int(self.elements(shape)) // self.limit))


partition = Partition(limit=2**28)
for shape in ((1024, 1024), (70_000, 50_000)):
    print(shape, partition.parts(shape))
