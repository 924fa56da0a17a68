"""alafuzof/NeuralynxIO#3: time stamps that come a bit early count as far apart.

The differences of uint64 are, whose own differences are negative. The maintainers use int64.
"""

import warnings

import numpy as np

NCS_RECORD = np.dtype([("TimeStamp", np.uint64), ("ChannelNumber", np.uint32),
                       ("SampleFreq", np.uint32), ("NumValidSamples", np.uint32),
                       ("Samples", np.int16, 512)])


def write_records(count, period=16000):
    rng = np.random.default_rng(6)
    records = np.zeros(count, dtype=NCS_RECORD)
    jitter = rng.integers(-1, 2, count)
    records["TimeStamp"] = 1620000000000 + np.arange(count) * period + jitter
    records["SampleFreq"] = 32000
    records["NumValidSamples"] = 512
    records["Samples"] = rng.integers(-900, 900, (count, 512))
    return records.tobytes()


def read_records(raw):
    return np.frombuffer(raw, dtype=NCS_RECORD)


def check_ncs_records(records, tolerance=3):
    dt = np.diff(records["TimeStamp"])  # <- wraparound
    # fixed: dt = np.diff(np.int64(records["TimeStamp"]))
    dt = np.abs(dt - dt[0])  # <- wraparound
    if not np.all(records["SampleFreq"] == records[0]["SampleFreq"]):
        warnings.warn("Sampling frequency changed")
        return False
    if np.any(dt > tolerance):
        print("largest deviation", dt.max())
        warnings.warn("Time stamp difference tolerance exceeded")
        return False
    return True


def main():
    records = read_records(write_records(64))
    ok = check_ncs_records(records)
    print("records", len(records), "ok" if ok else "not ok")
    volts = records["Samples"].astype(np.float64) * 1.2e-8
    print("rms %.3e" % np.sqrt(np.mean(volts ** 2)))


main()
