"""Where a dtype was introduced: through whatever a program hands its values."""

HEAD = """\
import numpy as np

f = np.ones((4, 8), np.float32)
"""


# long loops over scalars are looked at now and then

ROUNDS = 10_000


def test_a_loop_over_scalars_is_counted(audited):
    source = f"""\
        import numpy as np

        def total(values):
            s = np.float64(0)
            for v in values:
                s = s + v
            return s

        total(np.ones({ROUNDS}, np.float32))
        """
    [finding] = audited(source).findings
    assert (finding.line, finding.text) == (4, "np.float64(0)")
    assert finding.suggestion == ""  # sums are meant to be wider
    assert abs(finding.count - (ROUNDS + 1)) <= 60
    [place] = finding.places
    assert (place.text, place.operands[0].dtype) == ("s + v", "float64()")
    assert abs(place.count - ROUNDS) <= 60


def test_a_loop_in_place_is_counted(audited):
    source = f"""\
        import numpy as np

        def total(values):
            s = np.float64(0)
            for i in range(len(values)):
                s += values[i] * 2
            return s

        total(np.ones({ROUNDS}, np.float32))
        """
    [finding] = audited(source).findings
    assert (finding.line, finding.text) == (4, "np.float64(0)")
    [place] = finding.places
    assert place.text == "s += values[i] * 2"
    assert abs(place.count - ROUNDS) <= 60
