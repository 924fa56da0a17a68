"""Rules on devices that lack dtypes."""

import itertools

import pytest

import supremum
from supremum.core.operands import operand
from supremum.core.systems import devices, options, spelled


def test_a_device_is_a_name_of_rules_with_options():
    assert devices() == {"mps": "torch:fp64=false", "tpu": "jax:x64=false"}
    for device, rules in devices().items():
        assert supremum.system(device) is supremum.system(device.upper()) is supremum.system(rules)
        assert spelled(supremum.system(device)) == rules


def test_options_are_those_of_the_rules_and_are_added():
    assert options("mps") == options("torch")
    both = supremum.system("mps:default_dtype=bfloat16")
    assert both is supremum.system("torch", fp64=False, default_dtype="bfloat16")
    assert supremum.system("mps:fp64=true") is supremum.system("torch")


def test_what_spells_rules_names_them_again():
    for name in supremum.systems():
        for option, values in options(name).items():
            for value in values:
                rules = supremum.system(name, **{option: value})
                assert supremum.system(spelled(rules)) is rules


def test_a_name_like_that_of_a_device_is_suggested():
    with pytest.raises(supremum.RulesError) as caught:
        supremum.system("mp")
    assert caught.value.candidates == ("mps",)


WIDE = {"float64", "complex128"}


def test_pytorch_without_float64_gives_what_it_gives_elsewhere_or_refuses():
    here, there = supremum.system("torch"), supremum.system("mps")
    assert {d.name for d in here.dtypes if d not in there.dtypes} == WIDE
    tensors = [
        operand(d)._replace(form="array").ranked(rank) for d in here.dtypes for rank in (0, 1)
    ]
    refused = 0
    for pair in itertools.product([*tensors, True, 1, 1.0, 1j], repeat=2):
        answer, other = (_answer(rules, pair) for rules in (here, there))
        if WIDE & {getattr(x, "dtype", None) and x.dtype.name for x in pair}:
            assert other is None
            refused += 1
        else:
            assert other is answer
    assert refused == 352


@pytest.mark.parametrize("function", ["float_power", "matrix_rank"])
def test_a_function_that_computes_in_float64_is_refused(function):
    operands = ["float32"] * (2 if function == "float_power" else 1)
    assert supremum.system("torch").result_type(*operands, op=function)
    with pytest.raises(supremum.PromotionError):
        supremum.system("mps").result_type(*operands, op=function)


def _answer(rules, operands):
    try:
        return rules.result_type(*operands)
    except supremum.PromotionError:
        return None
