"""inigodelportillo/ITU-Rpy#112: the pressure at whole heights is cut off.

`ones_like` of integers times an integer is an array of integers, which the results are stored in.
"""

import numpy as np

H = np.array([0, 11, 20, 32, 47, 51, 71, 85])
L = np.array([-6.5, 0, 1, 2.8, 0, -2.8, -2])
T = np.array([288.15, 216.65, 216.65, 228.65, 270.65, 270.65, 214.65, 186.946])


def standard_temperature(h):
    idx = np.clip(np.searchsorted(H, h, side="right") - 1, 0, 6)
    return T[idx] + L[idx] * (h - H[idx])


def standard_pressure(h, P_0=1013.25):
    ret = np.ones_like(h) * P_0  # <- narrowing-store
    # fixed: ret = np.ones_like(h, dtype=float) * P_0
    for i in range(h.size):
        P = P_0
        for j in range(7):
            if h[i] <= H[j]:
                break
            dh = min(h[i], H[j + 1]) - H[j]
            if L[j] == 0:
                P *= np.exp(-34.163 * dh / T[j])
            else:
                P *= (T[j] / (T[j] + L[j] * dh)) ** (34.163 / L[j])
        ret[i] = P
    return ret


def refractivity(pressure, temperature):
    return 77.6 * pressure / temperature


def main():
    h = np.array([0, 1, 5, 10, 15, 30, 60])
    p = standard_pressure(h, P_0=1000)
    n = refractivity(p, standard_temperature(h))
    for height, pressure, index in zip(h, p, n):
        print("%3d km %10.4f hPa  N=%9.4f" % (height, pressure, index))


main()
