"""astronomy-commons/hats#703: pixels become floats where they are split.

`np.arange(4)` is int64, which has no integer dtype in common with uint64.
"""
# raises: TypeError

import numpy as np


def catalog_pixels():
    ipix = np.array([3, 7, 40, 41, 700], dtype=np.uint64)
    depth = np.array([1, 1, 2, 2, 4], dtype=np.uint8)
    counts = np.array([120, 45, 9, 31, 4])
    return ipix, depth, counts


def split_pixel(pix, times):
    for _ in range(times):
        pix = ((pix << 2)[:, None] + np.arange(4)).ravel()  # <- stopped
        # fixed: pix = ((pix << 2)[:, None] + np.arange(4, dtype=pix.dtype)).ravel()
    return pix


def to_common_order(ipix, depth, values, order):
    pixels, out = [], []
    for d in np.unique(depth):
        here = depth == d
        children = split_pixel(ipix[here], int(order - d))
        pixels.append(children)
        out.append(np.repeat(values[here], 4 ** int(order - d)))
    return np.concatenate(pixels), np.concatenate(out)


def healpix_map(pixels, values, order):
    full = np.zeros(12 * 4 ** order)
    full[pixels] = values
    return full


def main():
    ipix, depth, counts = catalog_pixels()
    pixels, values = to_common_order(ipix, depth, counts, 4)
    sky = healpix_map(pixels, values, 4)
    print("pixels", len(pixels), pixels.dtype)
    print("covered %.4f" % (np.count_nonzero(sky) / sky.size))


main()
