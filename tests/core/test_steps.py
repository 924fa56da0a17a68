"""The usual first and last step."""

import pytest

import supremum
from supremum import RulesError
from supremum.custom import PromotionSystem


@pytest.fixture
def written(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def refusal(ask, *args):
    with pytest.raises(supremum.SupremumError) as caught:
        ask(*args)
    return caught.value


@pytest.mark.parametrize("widths", [{"int8": "int16"}, {"int*": "float*"}, {"int*": "zebra"}])
def test_widths_are_checked(written, widths):
    ((weak, width),) = widths.items()
    text = f"arrows = 'i8 -> i16'\n[widths]\n'{weak}' = '{width}'"
    assert "widths: " in str(refusal(PromotionSystem.from_file, written("f.toml", text)))
    with pytest.raises(RulesError, match=r"^widths: "):
        PromotionSystem.from_lattice("i8 -> i16", widths=widths)
