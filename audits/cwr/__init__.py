"""cwr for notebooks: worlds, their solutions, and questions to them, which show as tables and pictures.

    import cwr
    circuits = cwr.world("BC-001")
    circuits.solutions().without("shape").table()
    circuits.solutions().classes().nearest().limit(3).picture()

Nothing here changes: every method gives a new object, and a question is asked when its answer is first looked at. What
is asked is answered as `cwr alternatives` answers it (docs/alternatives.md). Where a limit comes before an answer,
Undecided is raised: it is neither a yes nor a no.
"""

from __future__ import annotations

from cwr.questions import Solution, Solutions
from cwr.shown import Picture, Table
from cwr.worlds import Verdict, World, world, worlds
from cwr_solvers.errors import CwrError, Disagreement, MalformedInput, Undecided, UsageError

__all__ = [
    "CwrError",
    "Disagreement",
    "MalformedInput",
    "Picture",
    "Solution",
    "Solutions",
    "Table",
    "Undecided",
    "UsageError",
    "Verdict",
    "World",
    "world",
    "worlds",
]
