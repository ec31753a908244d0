"""RS for CP-SAT on published instances: the minimising run finds the published optimum, and nothing below it.

All published instances are run (Patterson 1-55, four of PSPLIB j30, job shop ft06). They are no part of this project:
they are looked for in the folder that CWR_EXTERNAL names, by default `../shared/external` beside the checkout.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest
from rs_readers import read_published

from cwr_encodings.rs.cpsat import build
from cwr_solvers.answers import Claim, Limits
from cwr_solvers.backends import cpsat
from cwr_solvers.worlds.rs.instance import read_instance

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("CWR_EXTERNAL", ROOT.parent / "shared" / "external")) / "RS"
COLLECTIONS = {"patterson": 55, "psplib": 4, "jobshop": 1}
FT06 = {"ft06.jss": 55}  # Fisher and Thompson 1963; the folder has no table for it
LIMITS = Limits(seconds=60, words=0)

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="published instances are absent: set CWR_EXTERNAL")


def published(collection: str) -> dict[str, int]:
    """{file name: optimum} of one collection."""
    table = FOLDER / collection / "optimum.csv"
    if not table.exists():
        return FT06
    with table.open(encoding="ascii", newline="") as rows:
        return {row["problem"]: int(row["optimum"]) for row in csv.DictReader(rows)}


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
