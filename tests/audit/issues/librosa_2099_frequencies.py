"""librosa/librosa#2099: spectral features of a float32 spectrogram come out as float64.

The bins' frequencies are float64. The maintainers cast them to the dtype of the spectrogram.
"""

# missed: the finding is the line in the helper that makes the float64, not the call of the helper

import numpy as np

SAMPLE_RATE = 22_050


def fft_frequencies(sr, n_fft):
    return np.fft.rfftfreq(n=n_fft, d=1.0 / sr)


def stft(y, n_fft=512, hop=128):
    window = np.hanning(n_fft).astype(y.dtype)
    starts = range(0, len(y) - n_fft, hop)
    frames = np.stack([y[start : start + n_fft] * window for start in starts], axis=1)
    return np.abs(np.fft.rfft(frames, axis=0)).astype(y.dtype)


def normalize(S):
    return S / np.maximum(S.sum(axis=0, keepdims=True), np.finfo(S.dtype).tiny)


def spectral_centroid(S, sr=SAMPLE_RATE):
    n_fft = 2 * (S.shape[0] - 1)
    freq = fft_frequencies(sr, n_fft)  # <- widening
    # fixed: freq = fft_frequencies(sr, n_fft).astype(S.dtype)
    return np.sum(freq[:, np.newaxis] * normalize(S), axis=0, keepdims=True)


def main():
    t = np.arange(2 * SAMPLE_RATE, dtype=np.float32) / np.float32(SAMPLE_RATE)
    y = np.sin(2 * np.pi * 440 * t) + np.float32(0.1) * np.sin(2 * np.pi * 3000 * t)
    centroid = spectral_centroid(stft(y))
    print(f"{float(centroid.mean()):.1f} {centroid.shape}")


main()
