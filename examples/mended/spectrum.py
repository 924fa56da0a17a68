"""Find the tones in a machine's vibration: blocks from a recorder, Welch's method, peaks.

The recorder gives 16-bit counts. Everything after it is float32.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Signal = NDArray[np.float32]

RATE = 4096.0  # samples a second
BLOCK = 4096
FULL_SCALE = 10.0  # metres per square second, at the greatest count
TONES = {49.3: 1.2, 98.6: 0.5, 312.0: 0.25, 745.5: 0.12, 1490.0: 0.3}  # hertz: amplitude

# What the sensor makes of a vibration of strength one, by its data sheet.
SENSOR_HERTZ = (0.0, 500.0, 1000.0, 1500.0, 2048.0)
SENSOR_GAIN = (1.0, 1.01, 1.06, 1.17, 1.4)


class Peak(NamedTuple):
    """A tone: where it is, how strong it is, and how far it stands out."""

    hertz: float
    amplitude: float
    decibels: float


def recorder(seconds: int, rng: np.random.Generator) -> Iterator[NDArray[np.int16]]:
    """Yield what the recorder gives, block by block: 16-bit counts, with an offset."""
    for start in range(0, int(seconds * RATE), BLOCK):
        t = (start + np.arange(BLOCK)) / RATE
        level = 0.4 + rng.normal(0, 0.15, BLOCK)
        for hertz, amplitude in TONES.items():
            gain = np.interp(hertz, SENSOR_HERTZ, SENSOR_GAIN)
            level += gain * amplitude * np.sin(2 * np.pi * hertz * t)
        yield np.rint(level / FULL_SCALE * 32767).astype(np.int16)


class Buffer:
    """The latest samples, and segments of them that overlap by half."""

    def __init__(self, segment: int) -> None:
        self.segment = segment
        self.samples = np.zeros(BLOCK + segment // 2, dtype=np.float32)

    def push(self, block: Signal) -> Iterator[Signal]:
        """Take in a block, and yield the segments that it completes."""
        kept = self.segment // 2
        self.samples[:kept] = self.samples[-kept:]
        self.samples[kept:] = block
        for start in range(0, len(self.samples) - self.segment + 1, kept):
            yield self.samples[start : start + self.segment]


class Welch:
    """The mean spectrum of windowed segments, as the amplitude of a sine at each frequency."""

    def __init__(self, segment: int) -> None:
        self.window = np.hanning(segment).astype(np.float32, copy=False)
        self.total = np.zeros(segment // 2 + 1, dtype=np.float32)
        self.count = 0

    def add(self, segment: Signal) -> None:
        """Take in a segment."""
        spectrum = np.fft.rfft(segment * self.window)
        self.total += spectrum.real**2 + spectrum.imag**2
        self.count += 1

    def amplitude(self) -> Signal:
        """Return the amplitude at each frequency."""
        return np.sqrt(self.total / self.count) * (2 / self.window.sum())


class Sensor:
    """The sensor's response, undone."""

    def __init__(self, bins: int) -> None:
        hertz = np.linspace(0, RATE / 2, bins, dtype=np.float32)
        self.gain = np.interp(hertz, SENSOR_HERTZ, SENSOR_GAIN).astype(np.float32, copy=False)

    def correct(self, amplitude: Signal) -> Signal:
        """Return the amplitude of the vibration itself."""
        return amplitude / self.gain


def calibrated(counts: NDArray[np.int16]) -> Signal:
    """Return counts as metres per square second, without their offset."""
    return (counts.astype(np.float32) - counts.mean().astype(np.float32)) * (FULL_SCALE / 32767)


def peaks(amplitude: Signal, stands_out: float = 20) -> Iterator[Peak]:
    """Yield the tones that stand out from the noise by so many decibels."""
    decibels = 20 * np.log10(amplitude / np.median(amplitude))
    spacing = RATE / 2 / (len(amplitude) - 1)
    for k in range(2, len(amplitude) - 2):
        left, here, right = decibels[k - 1 : k + 2].tolist()
        if here > stands_out and left < here >= right:
            aside = (left - right) / (left - 2 * here + right) / 2
            above = (left - right) * aside / 4
            height = float(amplitude[k]) * 10 ** (-above / 20)
            yield Peak((k + aside) * spacing, height, here)


def main() -> None:
    """Record, analyse, and print the tones beside those that were put in."""
    rng = np.random.default_rng(11)
    buffer, welch = Buffer(BLOCK // 2), Welch(BLOCK // 2)
    for counts in recorder(24, rng):
        for segment in buffer.push(calibrated(counts)):
            welch.add(segment)
    amplitude = Sensor(len(welch.total)).correct(welch.amplitude())

    print(f"{welch.count} segments of {len(welch.window)} samples")
    print("   hertz  amplitude  above noise")
    for peak in peaks(amplitude):
        print(f"{peak.hertz:8.2f}  {peak.amplitude:9.4f}  {peak.decibels:8.1f} dB")


if __name__ == "__main__":
    main()
