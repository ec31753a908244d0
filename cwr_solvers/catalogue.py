"""The families that cwr knows, all loaded, and the showcases that come with it (see cwr_solvers.showcases).

Importing this loads no solver. Who needs one family only names it late, as cwr_audits.subject does.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from cwr_solvers.errors import UsageError
from cwr_solvers.showcases import Showcase, index_path, judged, listed
from cwr_solvers.world import World
from cwr_solvers.worlds.bc.world import WORLD as BC
from cwr_solvers.worlds.co.world import WORLD as CO
from cwr_solvers.worlds.ft.world import WORLD as FT
from cwr_solvers.worlds.kl.world import WORLD as KL
from cwr_solvers.worlds.pa.world import WORLD as PA
from cwr_solvers.worlds.ps.world import WORLD as PS
from cwr_solvers.worlds.rs.world import WORLD as RS
from cwr_solvers.worlds.tp.world import WORLD as TP
from cwr_solvers.worlds.tw.world import WORLD as TW

WORLDS: Mapping[str, World] = {world.family: world for world in (TW, TP, BC, KL, RS, PS, PA, FT, CO)}


def world(family: str) -> World:
    """The world of a family; raises UsageError for a family that is not in WORLDS."""
    if family not in WORLDS:
        raise UsageError(f"there is no family {family!r}; there are {', '.join(WORLDS)}")
    return WORLDS[family]


def showcases() -> tuple[Showcase, ...]:
    """All showcases in their order; raises MalformedInput, or UsageError where the file is missing."""
    return _showcases(index_path())


def showcase(code: str) -> Showcase:
    """The showcase of a code; raises UsageError for a code that is not there."""
    known = {one.code: one for one in showcases()}
    if code not in known:
        raise UsageError(f"there is no showcase {code!r}; there are {', '.join(known)}")
    return known[code]


@cache
def _showcases(path: Path) -> tuple[Showcase, ...]:
    return read_showcases(path.read_bytes())


def read_showcases(data: bytes) -> tuple[Showcase, ...]:
    """The showcases that a text lists, each judged to be of its family; raises MalformedInput.

    Instances, witnesses and alternates are read by their worlds here, so that a fault in the file shows at once.
    """
    found = listed(data, WORLDS)
    for one in found:
        judged(WORLDS[one.family], one)
    return found
