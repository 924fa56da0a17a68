"""SciPy on float32: filters, spectra, interpolation, linear algebra, and what else keeps it."""

import numpy as np
from scipy import fft, integrate, interpolate, linalg, ndimage, signal, spatial, special
from show import noise, show

x, image = noise(512), noise(48, 48, seed=1)
t = np.arange(64, dtype=np.float32)

show("signal.welch", *signal.welch(x, nperseg=128))
show("signal.stft", *signal.stft(x, nperseg=64))
show("signal.savgol_filter", signal.savgol_filter(x, 7, 2))
show("signal.resample", signal.resample(x, 256))
show("signal.decimate", signal.decimate(x, 4))
show("signal.detrend", signal.detrend(x))
show("signal.hilbert", signal.hilbert(x))
show("signal.sosfiltfilt", signal.sosfiltfilt(signal.butter(4, 0.2, output="sos"), x))
show("signal.fftconvolve", signal.fftconvolve(x, x[:32], mode="same"))
show("signal.medfilt2d", signal.medfilt2d(image, 3))
show("signal.wiener", signal.wiener(image, 3))
show("ndimage.gaussian_filter", ndimage.gaussian_filter(image, 2.0))
show("ndimage.zoom", ndimage.zoom(image, 0.5, order=3))
show("ndimage.rotate", ndimage.rotate(image, 30.0, reshape=False))
show("ndimage.gaussian_gradient_magnitude", ndimage.gaussian_gradient_magnitude(image, 1.0))
show("interpolate.CubicSpline", interpolate.CubicSpline(t, x[:64])(t[:-1] + np.float32(0.5)))
show("interpolate.PchipInterpolator", interpolate.PchipInterpolator(t, x[:64])(t))
regular = interpolate.RegularGridInterpolator((t[:48], t[:48]), image)
show("interpolate.RegularGridInterpolator", regular(np.stack([t[:40], t[:40]], axis=-1)))
show("integrate.simpson", integrate.simpson(x, dx=0.5))
show("integrate.cumulative_trapezoid", integrate.cumulative_trapezoid(x, dx=0.5))
show("linalg.expm", linalg.expm(image / np.float32(10)))
show("linalg.toeplitz", linalg.toeplitz(x[:8]))
show("fft.dct", fft.dct(x, norm="ortho"))
show("spatial.distance.cdist", spatial.distance.cdist(image[:8], image[8:16]))
show("special.softmax", special.softmax(image, axis=1))
show("special.logsumexp", special.logsumexp(image, axis=1))
