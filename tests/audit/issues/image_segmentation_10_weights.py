"""dwave-examples/image-segmentation#10: the weights of two halves of a picture differ by direction.

Differences of uint8 wrap around. The maintainers cast the pixels.
"""

import itertools

import numpy as np


def load_image(rows, cols):
    rng = np.random.default_rng(11)
    img = np.empty((rows, cols, 3), dtype=np.uint8)
    img[:, : cols // 2] = 230
    img[:, cols // 2:] = 25
    img += rng.integers(0, 20, img.shape, dtype=np.uint8)
    return img


def unindexing(a, cols):
    return divmod(a, cols)


def weight(a, b, img):
    i, j = unindexing(a, img.shape[1])
    k, l = unindexing(b, img.shape[1])
    diff = img[i, j, :] - img[k, l, :]  # <- wraparound
    # fixed: diff = img[i, j, :].astype(np.int16) - img[k, l, :]
    return np.exp(-np.linalg.norm(diff) / 100.0)


def build_quadratic(img):
    n = img.shape[0] * img.shape[1]
    terms = {}
    for a, b in itertools.combinations(range(n), 2):
        terms[a, b] = weight(a, b, img) - 0.5
    return terms


def main():
    img = load_image(4, 6)
    terms = build_quadratic(img)
    same = [w for (a, b), w in terms.items() if (a % 6 < 3) == (b % 6 < 3)]
    other = [w for (a, b), w in terms.items() if (a % 6 < 3) != (b % 6 < 3)]
    print("couplings", len(terms))
    print("same segment %.4f" % np.mean(same))
    print("other segment %.4f" % np.mean(other))
    print("symmetric", np.isclose(weight(0, 5, img), weight(5, 0, img)))


main()
