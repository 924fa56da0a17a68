"""Operations to which the rules of the target give another dtype or value, or none."""

from __future__ import annotations

from .kind import Kind, Wanted, first_remark

KIND = Kind(
    name="port-mismatch",
    order=110,
    severity="warning",
    meaning="the rules of the target give another dtype or value, or none",
    remedy="name the dtype of the result, so that both rules give it",
    former_name="other-dtype",
    headline=first_remark,
    wants=Wanted.RESULT,
    is_of_target=True,
    is_cast_back=True,
    names_introduction=False,
)
