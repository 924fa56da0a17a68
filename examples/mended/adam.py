"""Train a small classifier with Adam: two layers, three spirals.

Everything that is trained, and all that it is trained on, is float32.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Labels = NDArray[np.int64]

CLASSES = 3
HIDDEN = 48
EPOCHS = 20
BATCH = 64


def spirals(points: int, rng: np.random.Generator) -> tuple[Floats, Labels]:
    """Return points in the plane on one spiral for each class, and their classes."""
    labels = rng.integers(CLASSES, size=points)
    along = rng.uniform(0.1, 1, size=points)
    angle = 2 * np.pi * (labels / CLASSES + 1.5 * along) + rng.normal(0, 0.3, size=points)
    plane = along * np.array([np.cos(angle), np.sin(angle)])
    return plane.T.astype(np.float32), labels


def features(points: Floats, frequencies: int = 4) -> Floats:
    """Return sines and cosines of the points' coordinates, for a network to tell them apart by."""
    waves = np.linspace(1, frequencies, frequencies, dtype=np.float32)
    angles = (points[:, :, None] * waves).reshape(len(points), -1)
    return np.concatenate([points, np.sin(angles), np.cos(angles)], axis=1, dtype=np.float32)


class Network:
    """Two layers with a rectifier between them, and a softmax."""

    def __init__(self, inputs: int, rng: np.random.Generator) -> None:
        self.one_hot = np.eye(CLASSES, dtype=np.float32)
        self.parameters = [
            self._layer(inputs, HIDDEN, rng),
            np.zeros(HIDDEN, dtype=np.float32),
            self._layer(HIDDEN, CLASSES, rng),
            np.zeros(CLASSES, dtype=np.float32),
        ]

    @staticmethod
    def _layer(rows: int, columns: int, rng: np.random.Generator) -> Floats:
        weights = rng.standard_normal((rows, columns)) * np.sqrt(2 / rows)
        return weights.astype(np.float32)

    def forward(self, inputs: Floats) -> tuple[Floats, Floats]:
        """Return what the hidden layer gives, and the probability of each class."""
        first, first_bias, second, second_bias = self.parameters
        hidden = np.maximum(inputs @ first + first_bias, 0)
        scores = hidden @ second + second_bias
        likelihood = np.exp(scores - scores.max(axis=1, keepdims=True))
        return hidden, likelihood / likelihood.sum(axis=1, keepdims=True)

    def gradients(self, inputs: Floats, labels: Labels) -> list[Floats]:
        """Return the gradient of the mean loss, for each parameter."""
        hidden, probabilities = self.forward(inputs)
        error = (probabilities - self.one_hot[labels]) / len(labels)
        behind = (error @ self.parameters[2].T) * (hidden > 0)
        return [inputs.T @ behind, behind.sum(axis=0), hidden.T @ error, error.sum(axis=0)]

    def loss(self, inputs: Floats, labels: Labels) -> float:
        """Return the mean cross entropy."""
        _, probabilities = self.forward(inputs)
        return -float(np.log(probabilities[np.arange(len(labels)), labels]).mean())

    def accuracy(self, inputs: Floats, labels: Labels) -> float:
        """Return which part of the labels is found."""
        _, probabilities = self.forward(inputs)
        return float((probabilities.argmax(axis=1) == labels).mean())


class Moments:
    """Running means of a parameter's gradient, and of its square."""

    def __init__(self, parameter: Floats, betas: tuple[float, float]) -> None:
        self.betas = betas
        self.steps = 0
        self.mean = np.zeros_like(parameter)
        self.square = np.zeros_like(parameter)

    def update(self, gradient: Floats) -> None:
        """Take in a gradient."""
        self.steps += 1
        self.mean += (1 - self.betas[0]) * (gradient - self.mean)
        self.square += (1 - self.betas[1]) * (gradient**2 - self.square)

    def direction(self) -> Floats:
        """Return where to go: both means without the bias of their start at zero."""
        unbias, unbias_square = (1 - np.float32(np.power(beta, self.steps)) for beta in self.betas)
        return (self.mean / unbias) / (np.sqrt(self.square / unbias_square) + 1e-8)


class Adam:
    """Adam with decoupled weight decay (Loshchilov and Hutter, 2019)."""

    def __init__(self, parameters: list[Floats], decay: float = 1e-3) -> None:
        self.parameters = parameters
        self.decay = decay
        self.moments = [Moments(parameter, (0.9, 0.999)) for parameter in parameters]

    def step(self, gradients: Sequence[Floats], rate: float) -> None:
        """Move the parameters, in place, against their gradients."""
        for k, (gradient, moments) in enumerate(zip(gradients, self.moments, strict=True)):
            moments.update(gradient)
            self.parameters[k] -= rate * self.decay * self.parameters[k]
            self.parameters[k] -= rate * moments.direction()


def schedule(rate: float, steps: int) -> Iterator[float]:
    """Yield the learning rate of each step: half a cosine, down to zero."""
    for step in range(steps):
        yield rate * (1 + np.float32(np.cos(np.pi * step / steps))) / 2


def main() -> None:
    """Train, and print how the loss goes down."""
    rng = np.random.default_rng(3)
    points, labels = spirals(2048, rng)
    inputs = features(points)
    train, test = slice(0, 1536), slice(1536, None)
    network = Network(inputs.shape[1], rng)
    optimizer = Adam(network.parameters)
    batches = 1536 // BATCH
    rates = schedule(0.005, EPOCHS * batches)

    print("epoch   loss   accuracy on new points")
    for epoch in range(1, EPOCHS + 1):
        for batch in rng.permutation(1536).reshape(batches, BATCH):
            optimizer.step(network.gradients(inputs[batch], labels[batch]), next(rates))
        if epoch % 4 == 0:
            loss = network.loss(inputs[train], labels[train])
            print(f"{epoch:5}  {loss:.4f}  {network.accuracy(inputs[test], labels[test]):.1%}")


if __name__ == "__main__":
    main()
