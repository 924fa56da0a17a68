"""What somebody types first in Python: it works, or the error says what to type."""

import re

import numpy as np
import pytest

import supremum
from supremum import DTypeError, RulesError

WORKS = {
    "supremum.explain('int8', 'uint8').dtype": "int16",
    "supremum.explain('int8[3] + uint8[3]').dtype": "int16",
    "supremum.explain('int8', 'uint8').to_dict()['result']": "int16",
    "supremum.compare('int32', 'float32')['numpy'].result": "float64",
    "supremum.compare('int8').to_dict()['answers'][0]['result']": "int8",
    "supremum.table('int8', 'uint8').to_dict()['int8']['uint8']": "int16",
    "supremum.table(np.int32, np.float32).to_dict()['int32']['float32']": "float64",
    "supremum.table('int32', 'float32', system='numpy')['int32', 'float32']": "float64",
    "supremum.table('numpy', 'int32', 'float32')['int32', 'float32']": "float64",
    "supremum.table(supremum.system('numpy'), 'int8')['int8', 'int8']": "int8",
    "supremum.table(system='python')['int*', 'float*']": "float*",
    "supremum.table('array-api', 'uint64', 'int8').to_dict()['int8']['uint64']": None,
    "supremum.diff('numpy', 'jax', 'int32', 'float32').to_dict()['asked']": 4,
    "supremum.laws('python').to_dict()['hold']": True,
    "supremum.result_type(np.float32, np.int64)": "float64",
    "supremum.system('jax-numpy').name": "jax",
    "supremum.dtype('int8').to(np)": "int8",
    "supremum.system(np).name": "numpy",
    "supremum.diff(np, np).to_dict()['differences']": [],
    "[name for name, _ in supremum.compare('int8', systems=['numpy']).items()]": ["numpy"],
    "len(supremum.diff('numpy', 'jax')[:2])": 2,
}

HELPED = {
    "supremum.promote": "type supremum.promote_types",
    "supremum.float32": "type supremum.dtype('float32')",
    "supremum.default_system": "set SUPREMUM_SYSTEM",
    "supremum.table('numpy', ['int8', 'uint8'])": "unpack it, with * before it",
    "supremum.diff('numpy', 'jax', ['int8'])": "unpack it, with * before it",
    "supremum.set_default('jax')": "or set SUPREMUM_SYSTEM",
    "supremum.strict()": "audit(on_finding='raise')",
    "supremum.can_cast('int8', 'int16')": "can_promote('int8', 'int16'), or numpy.can_cast",
    "supremum.sum('int8')": "type supremum.explain('np.sum(int8[3])') for a function",
    "supremum.audit('x.py', args=['8'])": "write arguments=['--n', '8'], in audit.run",
    "supremum.table('numpy').to_pandas()": "type x.to_dataframe()",
    "supremum.explain('int8', 'int16').path": "type x.paths",
    "supremum.using('torch')": "or set SUPREMUM_SYSTEM",
    "supremum.torch": "type supremum.system('torch')",
    "supremum.result_type('np.sum(int8[3]) + 1')": "supremum.explain takes arrays and expressions",
    "supremum.dtype('int8') < supremum.dtype('int16')": "supremum.system('jax').can_promote",
    "supremum.dtype('int8') | supremum.dtype('int16')": "joined by supremum.promote_types",
    "supremum.compare('numpy', 'jax')": "supremum.diff shows two side by side",
    "supremum.can_promote('int32', 'int64', casting='safe')": "asked by numpy.can_cast",
    "supremum.can_promote('int32', 'int64', rules='numpy')": "name rules by system='jax'",
    "supremum.table(dtypes=['int8', 'uint8'])": "pass dtypes one by one",
    "supremum.result_type('int8[3]', 'uint8')": "supremum.explain takes arrays and expressions",
    "supremum.result_type('int8 + uint8')": "supremum.explain takes arrays and expressions",
    "supremum.result_type('int8', op=np.true_divide)": "type its name, op='divide'",
    "supremum.explain(lambda x: x)": "supremum.eval_dtypes(function, ...) runs a function",
    "supremum.explain(np.add, 'int8')": "supremum.eval_dtypes(function, ...) runs a function",
    "supremum.result_type(frame, 'int8')": "pass a column, or its dtypes, with *x.dtypes",
    "supremum.compare('int8')['nmpy']": "did you mean numpy",
    "supremum.fix": "type supremum.audit.fix('train.py', diff=True).patch",
    "supremum.result_type('int8', system='numpy 1.26')": "type numpy-legacy",
    "supremum.table('numpy', 'torch')": "supremum.diff('numpy', 'torch') shows two",
    "supremum.result_type(['int8', 'float32'])": "pass what is in it one by one, as with *x",
    "supremum.result_type('int8, float32')": "pass dtypes one by one, as in 'int8', 'float32'",
    "supremum.result_type('int8 float32')": "pass dtypes one by one, as in 'int8', 'float32'",
    "supremum.result_type('int8', 'int8', op='plus')": "did you mean add",
    "supremum.result_type('int8', op=lambda x: x)": "name one, as in op='add'",
    "supremum.table('numpy')['int8']": "answers for pairs, as in table['int8', 'int8']",
    "supremum.eval_dtypes('x + 1', 'float32[3]')": "supremum.explain('x + 1', x='float32[3]')",
    "supremum.eval_dtypes(abs, np.dtype('f4'))": "float32 has no shape; write 'float32[3]'",
    "supremum.eval_dtypes(abs, 'f32[3]', system='jax')": "are named by rules=",
    "supremum.audit.check('train.py')": "type supremum.audit.run('train.py')",
    "supremum.audit.enable()": "type supremum.audit.watch() in a with statement",
    "supremum.diff('numpy', 'jax', 'int8').items()": "type x.to_dict()",
    "supremum.system('numpy').promote('int8', 'int8')": "type x.promote_types('int8', 'uint8')",
    "supremum.system('jax').lattice.promote_types('int8', 'int8')": "type x.join(*nodes)",
    "supremum.system('jax').lattice.lub('int8', 'int8')": "type x.join(*nodes)",
    "supremum.table('numpy').promote('int8', 'int8')": "type x.join(*nodes)",
    "supremum.result_type('>f4', '<i4')": "or np.dtype('>f4') for NumPy's rules",
    "supremum.dtype('M8[s]')": "numpy.result_type answers for dates",
    "supremum.result_type('int8', 'int8', rules='numpy')": "name rules by system='jax'",
    "supremum.result_type('int8', 'int16', system='numpy', rules='numpy')": "no parameter 'rules'",
    "supremum.promote_types('int8', 'int16', system=np, rules=np)": "has no parameter 'rules'",
    "supremum.assert_keeps_dtype(len, 1)": "audit(on_finding='raise')",
    "supremum.AuditError": "type supremum.audit.AuditStop",
    "supremum.float8_e4m3fn": "type supremum.dtype('float8_e4m3fn')",
    "supremum.Rules": "type supremum.custom.PromotionSystem.from_lattice(",
    "supremum.explain('x + 1', {'x': 'int8'})": "as in explain('x + 1', x='int8')",
    "supremum.audit.sweep(frame)": "sweep takes names, not ",
    "supremum.show_versions()": "type supremum.__version__",
    "supremum.is_safe": "type supremum.can_promote('int8', 'int16')",
    "supremum.system('mine.toml')": "type supremum.custom.PromotionSystem.from_file('mine.toml')",
    "supremum.system({'int8': ['int16']})": "PromotionSystem.from_lattice(arrows), or from_table",
    "supremum.system(supremum.system('jax').lattice)": "PromotionSystem.from_lattice(lattice)",
    "supremum.result_type('int8', system=['numpy', 'torch'])": "supremum.compare(..., systems=[",
    "supremum.why": "supremum why FILE, as a command",
    "supremum.System": "type supremum.system('numpy')",
    "supremum.check_laws": "type supremum.laws('numpy')",
    "supremum.result_type_of": "type supremum.result_type('int8', op='sqrt')",
    "supremum.no_widening()": "audit(on_finding='raise')",
    "supremum.ignore": "# supremum: allow KIND on a line",
    "supremum.draw('jax', 'out.svg')": ".save('out.svg')",
    "supremum.result_type(unhashable, 1)": "is not an operand",
}


class Frame:
    dtypes = ()


class Unhashable:
    def __hash__(self):
        raise TypeError("an expression has no hash")


@pytest.mark.parametrize("code", WORKS)
def test_a_first_guess_works(code):
    assert eval(code, {"supremum": supremum, "np": np}) == WORKS[code]


@pytest.mark.parametrize("code", HELPED)
def test_a_first_guess_is_told_what_to_type(code):
    with pytest.raises(
        (AttributeError, DTypeError, RulesError, TypeError), match=re.escape(HELPED[code])
    ):
        eval(code, {"supremum": supremum, "np": np, "frame": Frame(), "unhashable": Unhashable()})


@pytest.mark.parametrize(
    ("name", "typed"),
    [("promote", "supremum.promote_types"), ("Lattice", "supremum.custom.Lattice")],
)
def test_an_import_of_a_name_is_told_what_to_type(name, typed):
    with pytest.raises(ImportError, match=f"'{name}' from 'supremum'; type {typed}"):
        exec(f"from supremum import {name}", {})
    assert not hasattr(supremum, name)


def test_a_table_is_a_data_frame():
    pytest.importorskip("pandas")
    frame = supremum.table("numpy", "int8", "uint8").to_dataframe()
    assert frame.loc["int8", "uint8"] == "int16"


def test_rules_in_force_decide_about_names():
    def asked():
        return (
            supremum.result_type("int64", "float32").name,
            supremum.promote_types("int32", "float32").name,
            supremum.result_type("int8", "int8", op="true_divide").name,
            supremum.explain("int32[3] + float32[3]").result.name,
            supremum.can_promote("int64", "float32"),
        )

    before, of_numpy = asked(), ("float64", "float64", "float64", "float64", False)
    for _ in range(2):
        with supremum.rules("numpy"):
            assert asked() == asked() == of_numpy
            with supremum.rules("torch"):
                assert asked() == before
            assert asked() == of_numpy
            assert supremum.result_type("int8", "uint8", system="jax").name == "int16"
        assert asked() == before == ("float32",) * 4 + (True,)
    with supremum.rules("tensorflow"), pytest.raises(supremum.PromotionError):
        supremum.result_type("int64", "float32")
    assert asked() == before


@pytest.mark.parametrize("rules", ["torch", "pandas", "jax"])
def test_rules_in_force_decide_whatever_the_operands_are(rules):
    operands = [
        (np.int64, np.float32), (np.ones(3, np.int64), np.ones(3, np.float32)),
        (np.ones(3, np.int64), 1.5), (np.dtype("int64"), "float32"), (np.float32, 2**40),
        (np.int64, np.float32, "int8"), (np.ones(3, np.int8), 300.0, 1),
    ]  # fmt: skip

    def asked(**how):
        return [supremum.result_type(*x, **how) for x in operands for _ in range(2)]

    alone, of_rules = asked(), asked(system=rules)
    for _ in range(2):
        with supremum.rules(rules):
            assert asked() == of_rules
            assert asked(system="numpy") == alone
            assert supremum.promote_types(np.int64, np.float32) == of_rules[0]
            assert supremum.explain(np.int64, np.float32).result == of_rules[0]
        assert asked() == alone
        assert supremum.promote_types(np.int64, np.float32).name == "float64"


def test_rules_in_force_decide_about_operands_of_several_libraries():
    texts = "np.int32", "torch.float32"
    with supremum.rules("numpy"):
        assert supremum.explain(*map(supremum.custom.operand, texts)).result.name == "float64"
        assert supremum.explain("torch.int32[3] + torch.float32[3]").system == "numpy"
