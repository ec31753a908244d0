"""The families that packs are made of: each of their showcases has sources for F and C, prompts, and measures.

Every other family has items of another kind, or none: cyclic order (CO) is asked in pictures, see cwr_audits.scenes.
"""

from __future__ import annotations

from cwr_audits.subject import Subject, showcase_codes, subjects
from cwr_solvers.errors import UsageError

PACKED = ("TW", "TP", "RS", "BC", "KL", "PS", "PA", "FT")  # in the order in which they were proposed


def targets(names: tuple[str, ...]) -> tuple[Subject, ...]:
    """The showcases of these names, all of PACKED when there are none. Raises UsageError for what is no showcase (a
    name in a pack must not open a file of whoever verifies it), and for a family of which no packs are made."""
    strange = [name for name in names if name not in showcase_codes()]
    if strange:
        raise UsageError(f"packs are made of showcases, and {strange[0][:64]!r} is none (cwr list names them)")
    found = subjects(names)
    wrong = [one.code for one in found if one.world.family not in PACKED]
    if names and wrong:
        raise UsageError(f"packs are made of the families {', '.join(PACKED)}, and so not of {', '.join(wrong)}")
    return tuple(one for one in found if one.world.family in PACKED)
