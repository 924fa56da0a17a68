"""tensorflow/tensorflow#49460, tensorflow/tensorflow#33077: weights of float16 meet a rate of float32.

InvalidArgumentError: cannot compute Mul as input #1 was expected to be a half tensor. The mend casts
the rate to the dtype of the gradient.
"""

# raises: InvalidArgumentError

import tensorflow as tf


class Schedule:
    def __init__(self, rate, decay):
        self.rate = tf.constant(rate)
        self.decay = decay

    def __call__(self, step):
        return self.rate * self.decay**step


class Sgd:
    def __init__(self, schedule):
        self.schedule = schedule
        self.step = 0

    def apply(self, gradient, variable):
        rate = self.schedule(self.step)
        variable.assign_sub(rate * gradient)  # <- stopped
        # fixed: variable.assign_sub(tf.cast(rate, gradient.dtype) * gradient)
        self.step += 1


weights = tf.Variable(tf.ones((4, 2), tf.float16))
x = tf.ones((3, 4), tf.float16)
optimiser = Sgd(Schedule(0.1, 0.9))
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.matmul(x, weights) - 1) ** 2)
    optimiser.apply(tape.gradient(loss, weights), weights)
print(weights.shape, bool(tf.reduce_all(tf.math.is_finite(weights))))
