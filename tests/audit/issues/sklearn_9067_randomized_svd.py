"""scikit-learn/scikit-learn#9067: randomized_svd of float32 data gives float64.

The random projection is drawn as float64. The maintainers cast it to the dtype of the data.
"""

import numpy as np


def range_finder(A, size, n_iter, random_state):
    Q = random_state.normal(size=(A.shape[1], size))  # <- widening
    # fixed: Q = random_state.normal(size=(A.shape[1], size)).astype(A.dtype, copy=False)
    for _ in range(n_iter):
        Q, _ = np.linalg.qr(A @ Q)
        Q, _ = np.linalg.qr(A.T @ Q)
    Q, _ = np.linalg.qr(A @ Q)
    return Q


def randomized_svd(M, n_components, n_oversamples=10, n_iter=4, seed=0):
    random_state = np.random.RandomState(seed)
    Q = range_finder(M, n_components + n_oversamples, n_iter, random_state)
    B = Q.T @ M
    Uhat, s, Vt = np.linalg.svd(B, full_matrices=False)
    U = Q @ Uhat
    return U[:, :n_components], s[:n_components], Vt[:n_components]


rng = np.random.default_rng(1)
left = rng.standard_normal((200, 5), dtype=np.float32)
right = rng.standard_normal((5, 80), dtype=np.float32)
U, s, Vt = randomized_svd(left @ right, 5)
print(np.round(s, 2).tolist())
