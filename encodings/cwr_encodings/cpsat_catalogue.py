"""Table family → CP-SAT build. A build posts "an accepted word of the claim" on the model it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ortools.sat.python.cp_model import CpModel

from cwr_encodings.bc import cpsat as bc
from cwr_encodings.co import cpsat as co
from cwr_encodings.ft import cpsat as ft
from cwr_encodings.kl import cpsat as kl
from cwr_encodings.pa import cpsat as pa
from cwr_encodings.ps import cpsat as ps
from cwr_encodings.rs import cpsat as rs
from cwr_encodings.tp import cpsat as tp
from cwr_encodings.tw import cpsat as tw
from cwr_solvers.answers import Claim
from cwr_solvers.backends.cpsat import Encoding

BuildCpsat: TypeAlias = Callable[[CpModel, Any, Claim], Encoding]  # model, the family's instance, claim

CPSAT: Mapping[str, BuildCpsat] = {
    "BC": bc.build,
    "CO": co.build,
    "FT": ft.build,
    "KL": kl.build,
    "PA": pa.build,
    "PS": ps.build,
    "RS": rs.build,
    "TP": tp.build,
    "TW": tw.build,
}
