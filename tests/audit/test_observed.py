"""The dtypes that a report has seen, beside what is written there."""

import json
import os
from zlib import crc32

import pytest

pytestmark = pytest.mark.thorough

OPENING = """\
import numpy as np
f = np.ones(3, np.float32)
def weights(n):
    return np.hanning(n)
class Thing:
    pass
thing = Thing()
"""

# each a statement, with the texts beside which a dtype is shown
SHOWN = {
    "x = f + 1": {"x": "float32"},
    "x = y = f + 1": {"x": "float32", "y": "float32"},
    "thing.size = f.sum()": {"thing.size": "float32"},
    "x = (\n    f\n    + 1)": {"x": "float32"},
    "x = f[0]": {"x": "float32"},
    "x = -f": {"x": "float32"},
    "x = f.T": {"x": "float32"},
    "x = f; x += 1": {"x": "float32"},
    "x = f[0]; x += np.float32(1)": {"x": "float32"},
    "print(x := f * 2)": {"x": "float32"},
    "x = weights(3)": {"x": "float64", "np.hanning(n)": "float64"},
    "for n in (np.int8(1), np.int16(1)):\n    x = -n": {"x": "int16, int8"},
    "x = f * weights(3)": {
        "x": "float64", "f": "float32[3]", "weights(3)": "float64[3]", "np.hanning(n)": "float64",
    },
    "f[0] = weights(1)[0]": {
        "f": "float32[3]", "weights(1)[0]": "float64()", "np.hanning(n)": "float64",
    },
    "größe = f; 变 = größe + 1": {"变": "float32"},
    "x = np.float16([1]) * 1e-9": {"x": "float16", "np.float16([1])": "float16[1]"},
    # what is not an array, several results at once, and what is only used
    "x = 1 + 1": {},
    "x, y = np.linalg.qr(np.eye(2))": {},
    "x = np.linalg.qr(np.eye(2))": {},
    "x = f > 0": {},
    "print(f + 1)": {},
}  # fmt: skip


def at(source, place):
    lines = source.split("\n")[place["line"] - 1 : place["end_line"]]
    lines[-1] = lines[-1][: place["end_column"] - 1]
    lines[0] = lines[0][place["column"] - 1 :]
    return "\n".join(lines)


@pytest.mark.parametrize("statement", SHOWN)
def test_dtypes_stand_beside_variables_returned_values_and_operands(audited, statement):
    source = OPENING + statement + "\n"
    (file,) = audited(source).as_dict()["sources"]
    seen = [(at(source, place), ", ".join(place["dtypes"])) for place in file["observed"]]
    assert seen[0] == ("f", "float32")  # of the opening
    assert sorted(set(seen[1:])) == sorted(SHOWN[statement].items())


def test_what_repeats_many_times_is_seen_all_the_same(audited):
    source = OPENING + "for _ in range(1000):\n    x = f * 2\n    y = f[0] * 2\n"
    (file,) = audited(source).as_dict()["sources"]
    names = [at(source, place) for place in file["observed"]]
    assert names == ["f", "x", "y"]


def test_each_line_has_a_checksum_without_its_line_break(write, command):
    lines = ["import numpy as np", "", "\tgröße = np.ones(3)  # 😀".strip(), "x = größe[0]"]
    path = write("")
    path.write_bytes("\r\n".join(lines).encode())
    assert command("-o", "report.json", path.name).returncode == 0
    (file,) = json.loads((path.parent / "report.json").read_text(encoding="utf-8"))["sources"]
    assert file["lines"] == "".join(f"{crc32(line.encode()):08x}" for line in lines)
    assert file["file"] == os.fspath(path)


def test_what_other_processes_make_is_seen(write, command):
    path = write(
        """
        import multiprocessing
        import numpy as np

        def work(n):
            made = np.hanning(n)
            return made.sum()

        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.map(work, [3, 4]))
                pool.close()
                pool.join()
        """
    )
    assert command("-o", "report.json", path.name).returncode == 0
    (file,) = json.loads((path.parent / "report.json").read_text(encoding="utf-8"))["sources"]
    source = path.read_text(encoding="utf-8")
    assert ("made", ["float64"]) in [(at(source, p), p["dtypes"]) for p in file["observed"]]
