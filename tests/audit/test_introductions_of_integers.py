"""Where integers that made floats wider were introduced is told, wherever that is."""

import json

HEAD = """\
import numpy as np
f = np.ones(8, np.float32)
"""

LIB = """\
import numpy as np
STEPS = np.arange(8)

def ramp(n):
    return np.arange(n) + 1
"""


def test_each_format_tells_the_birth(audited, write):
    from supremum import audit

    write(LIB, "lib.py")
    report = audited(HEAD + "from lib import STEPS\nn = np.arange(8)\ng = f * n\nh = f - STEPS")
    text = audit.render(report, "text")
    assert text.splitlines()[4:6] == [
        "       |     float32[8]",
        "  int64 is introduced at line 4: np.arange(8)",
    ]
    assert "  int64 is introduced at lib.py:2: np.arange(8)" in text.splitlines()
    first = json.loads(audit.render(report, "json"))["findings"][0]
    assert [m["born"] and m["born"]["line"] for m in first["operands"]] == [None, 4]
    [result, _] = json.loads(audit.render(report, "sarif"))["runs"][0]["results"]
    [related] = result["relatedLocations"]
    assert related["message"]["text"] == "int64 is introduced here"
    assert related["physicalLocation"]["region"]["startLine"] == 4
    assert "int64 is introduced at line 4" in audit.render(report, "github")
    assert "int64 is introduced at line 4: np.arange(8)" in audit.render(report, "html")


def test_another_process_tells_the_birth(command, write, tmp_path):
    write(LIB, "lib.py")
    write(
        """
        import multiprocessing
        import numpy as np
        from lib import ramp

        def work(n):
            return np.ones(n, np.float32) * ramp(n)

        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                pool.map(work, [3, 3])
                pool.close()
                pool.join()
        """
    )
    command("-o", "report.json", "program.py")
    report = json.loads((tmp_path / "report.json").read_text())
    [finding] = report["findings"]
    born = [m["born"] for m in finding["operands"]]
    assert [b and (b["line"], b["text"]) for b in born] == [None, (5, "np.arange(n)")]
