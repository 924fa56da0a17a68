"""A system with some of its options left open: its callers set them, in one module."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from ..core.errors import RulesError
from ..core.system import PromotionSystem
from ..core.systems import options, system
from .description import Description
from .reading import read


def with_modes(
    rules: PromotionSystem, description: Description, names: Sequence[str]
) -> Description:
    """Return a description that has others for the settings of some options.

    Args:
        rules: the system.
        description: its description.
        names: the options that are left open.

    Raises:
        RulesError: for an unknown option, and if the rules are no lattice under each setting.
    """
    known = options(rules.name)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise RulesError(f"{rules.title} rules have no option {unknown[0]}", unknown[0], [*known])
    given = {name: value for name, value in rules.setting.items() if name in known}
    modes = {}
    for values in product(*(known[name] for name in names)):
        own = read(system(rules.name, **{**given, **dict(zip(names, values, strict=True))}))
        if own.join != "lattice" or own.stands_for or own.dtypes != description.dtypes:
            raise RulesError(f"{own.title} rules ({own.label}) are no lattice of the same dtypes")
        modes[values] = own
    first = next(iter(modes.values()))
    chosen = {name: known[name][0] for name in names}
    return replace(first, functions=description.functions, options=chosen, modes=modes)
