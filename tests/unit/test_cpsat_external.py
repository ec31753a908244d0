"""RS for CP-SAT on published instances: the minimising run finds the published optimum, and nothing below it.

All published instances are run (Patterson 1-55, four of PSPLIB j30, job shop ft06). They are no part of this project:
they are looked for in the folder that CWR_EXTERNAL names, by default `../shared/external` beside the checkout.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from rs_readers import read_jss, read_published, read_rcp, read_sm

from cwr_encodings.rs.cpsat import build
from cwr_solvers.answers import Claim, Limits
from cwr_solvers.backends import cpsat
from cwr_solvers.worlds.rs.instance import read_instance

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("CWR_EXTERNAL", ROOT.parent / "shared" / "external")) / "RS"
COLLECTIONS = {"patterson": 55, "psplib": 4, "jobshop": 1}
FT06 = {"ft06.jss": 55}  # Fisher and Thompson 1963; the folder has no table for it
LIMITS = Limits(seconds=60, words=0)

RCP = "3 1   2   0 1 1 2   4 2 1 3   0 0 0"
SM = """PRECEDENCE RELATIONS:
jobnr.    #modes  #successors   successors
   1        1          1           2
   2        1          1           3
   3        1          0
************************************************************************
REQUESTS/DURATIONS:
jobnr. mode duration  R 1
------------------------------------------------------------------------
  1      1     0       1
  2      1     4       2
  3      1     0       0
************************************************************************
RESOURCEAVAILABILITIES:
  R 1
    2
************************************************************************
"""
JSS = "# two jobs on two machines\n2 2\n0 3 1 2\n1 4 0 1\n"


def chain(*jobs: tuple[int, dict[str, int], list[str]]) -> list[dict[str, object]]:
    named = enumerate(jobs, 1)
    return [
        {"name": f"j{number}", "duration": duration, "demand": demand, "after": after}
        for number, (duration, demand, after) in named
    ]


def test_readers_on_files_made_by_hand() -> None:
    three = chain((0, {"r0": 1}, []), (4, {"r0": 2}, ["j1"]), (0, {}, ["j2"]))
    expected = {"family": "RS", "code": "X", "resources": {"r0": 2}, "jobs": three, "deadline": 4}
    assert read_rcp("X", RCP) == expected
    assert read_sm("X", SM) == expected
    shop = chain((3, {"r0": 1}, []), (2, {"r1": 1}, ["j1"]), (4, {"r1": 1}, []), (1, {"r0": 1}, ["j3"]))
    resources = {"r0": 1, "r1": 1}
    assert read_jss("X", JSS) == {"family": "RS", "code": "X", "resources": resources, "jobs": shop, "deadline": 10}


@pytest.mark.parametrize(
    ("read", "text", "complaint"),
    [
        (read_rcp, RCP + " 7", "1 numbers left over"),
        (read_sm, SM.replace("  3      1     0       0", "  4      1     0       0"), "different jobs"),
        (read_sm, SM.replace("  2      1     4       2", "  2      2     4       2"), "not of one mode"),
        (read_sm, SM.replace("  2      1     4       2", "  2      1     4       2    0"), "not of its length"),
        (read_jss, JSS.replace("2 2", "3 2"), "3 jobs announced, 2 found"),
        (read_jss, JSS.replace("0 3 1 2", "0 3 1"), "shorter"),
    ],
)
def test_readers_refuse_what_is_not_of_the_format(
    read: Callable[[str, str], object], text: str, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        read("X", text)


def published(collection: str) -> dict[str, int]:
    """{file name: optimum} of one collection."""
    table = FOLDER / collection / "optimum.csv"
    if not table.exists():
        return FT06
    with table.open(encoding="ascii", newline="") as rows:
        return {row["problem"]: int(row["optimum"]) for row in csv.DictReader(rows)}


@pytest.mark.skipif(not FOLDER.is_dir(), reason="published instances are absent: set CWR_EXTERNAL")
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_the_published_optimum_is_found_and_nothing_below_it(collection: str) -> None:
    optima = published(collection)
    assert len(optima) == COLLECTIONS[collection]
    for name, optimum in optima.items():
        instance = read_instance(read_published(FOLDER / collection / name))
        found = cpsat.optimum(lambda model, given=instance: build(model, given, Claim()), LIMITS)
        assert found == optimum, name
        below = Claim(optimum - 1)
        assert cpsat.optimum(lambda model, given=instance, claim=below: build(model, given, claim), LIMITS) is None, (
            name
        )
