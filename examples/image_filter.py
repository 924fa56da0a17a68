"""Clean a noisy micrograph tile by tile: flat field, adaptive smoothing, unsharp mask.

The picture is synthetic, so that each step can be held against what it should give. Images are
float32.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]

SIZE = 160
TILE = 40
NOISE = 0.04


class FlatField:
    """What the lens lets through at each pixel: all of it in the middle, less at the edges."""

    def __init__(self, size: int, falloff: float = 0.5) -> None:
        across = np.linspace(-1, 1, size)
        self.gain = 1 - falloff / 2 * (across[:, None] ** 2 + across**2)

    def shade(self, scene: Image) -> Image:
        """Return the scene as the sensor sees it."""
        return scene * self.gain

    def correct(self, image: Image) -> None:
        """Undo what the lens did to an image, in place."""
        image /= self.gain


class Gaussian:
    """A separable Gaussian blur."""

    def __init__(self, sigma: float) -> None:
        self.radius = int(3 * sigma + 0.5)
        offsets = np.arange(-self.radius, self.radius + 1) / sigma
        weights = np.exp(-(offsets**2) / 2)
        self.weights = weights / weights.sum()

    def __call__(self, padded: Image) -> Image:
        """Return the blurred image, smaller by the radius on each side."""
        return self._down(self._down(padded).T).T

    def _down(self, padded: Image) -> Image:
        rows = len(padded) - 2 * self.radius
        blurred = np.zeros((rows, padded.shape[1]), dtype=np.float32)
        for shift in range(len(self.weights)):
            blurred += self.weights[shift] * padded[shift : shift + rows]
        return blurred


class Wiener:
    """Smooths where an image has nothing but noise, and leaves alone where it has detail."""

    def __init__(self, window: Gaussian, noise: np.floating) -> None:
        self.window = window
        self.variance = noise**2

    def __call__(self, image: Image) -> Image:
        """Return the smoothed image."""
        smooth = np.zeros(image.shape)
        for tile, padded in tiles(image, self.window.radius):
            mean = self.window(padded)
            variance = self.window(padded**2) - mean**2
            signal = np.maximum(variance - self.variance, 0)
            inner = image[tile]
            smooth[tile] = mean + signal / (signal + self.variance) * (inner - mean)
        return smooth


def tiles(image: Image, margin: int) -> Iterator[tuple[tuple[slice, slice], Image]]:
    """Yield each tile of an image: where it is, and its pixels with a margin around them."""
    padded = np.pad(image, margin, mode="reflect")
    reach = TILE + 2 * margin
    for top in range(0, image.shape[0], TILE):
        for left in range(0, image.shape[1], TILE):
            here = slice(top, top + TILE), slice(left, left + TILE)
            yield here, padded[top : top + reach, left : left + reach]


def noise_level(image: Image) -> np.floating:
    """Return the standard deviation of the noise, from the differences of neighbours."""
    steps = np.abs(image[:, 1:] - image[:, :-1])
    return np.median(steps) / (0.6745 * np.sqrt(2.0))


def sharpen(image: Image, blur: Gaussian, amount: float) -> Image:
    """Return an image with its details made stronger: an unsharp mask."""
    sharp = np.empty_like(image)
    for tile, padded in tiles(image, blur.radius):
        inner = image[tile]
        sharp[tile] = inner + amount * (inner - blur(padded))
    return np.clip(sharp, 0, 1)


def cells(size: int, count: int, rng: np.random.Generator) -> Image:
    """Return a picture of cells: bright discs with soft edges on a dark ground."""
    y, x = np.mgrid[:size, :size].astype(np.float32)
    scene = np.full((size, size), 0.1, dtype=np.float32)
    for _ in range(count):
        row, column, radius = rng.uniform((0, 0, 6), (size, size, 16)).tolist()
        distance = np.sqrt((y - row) ** 2 + (x - column) ** 2)
        scene = np.maximum(scene, 0.4 + 0.4 * np.tanh((radius - distance) / 2))
    return scene


def photograph(scene: Image, lens: FlatField, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return what an eight-bit camera makes of a scene."""
    seen = lens.shade(scene) + NOISE * rng.standard_normal(scene.shape, dtype=np.float32)
    return np.clip(np.rint(255 * seen), 0, 255).astype(np.uint8)


def steepest(image: Image) -> np.floating:
    """Return the greatest step from one pixel to the next but one, once noise is averaged out."""
    rows = image.reshape(-1, 4, image.shape[1]).mean(axis=1)
    return np.abs(rows[:, 2:] - rows[:, :-2]).max()


def psnr(image: Image, truth: Image) -> float:
    """Return how near an image is to the truth, as peak signal to noise, in decibels."""
    return float(-10 * np.log10(np.mean((image - truth) ** 2)))


def main() -> None:
    """Take a picture, clean it, and print how far each step came."""
    rng = np.random.default_rng(7)
    truth = cells(SIZE, 24, rng)
    lens = FlatField(SIZE)
    raw = photograph(truth, lens, rng).astype(np.float32) / 255

    noise = noise_level(raw)
    flat = raw.copy()
    lens.correct(flat)
    smooth = Wiener(Gaussian(1.5), noise)(flat)
    sharp = sharpen(smooth, Gaussian(1.0), 0.4)

    print(f"{SIZE} x {SIZE} pixels, noise {noise:.4f}")
    for name, image in {"raw": raw, "flat": flat, "smooth": smooth, "sharp": sharp}.items():
        print(f"{name:>8}: {psnr(image, truth):6.2f} dB, steepest edge {steepest(image):.3f}")


if __name__ == "__main__":
    main()
