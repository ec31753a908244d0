"""Table family → builds, one table a solver. A build posts "an accepted word of the claim" on the model it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ortools.sat.python.cp_model import CpModel

from cwr_encodings.bc import cpsat as bc_cpsat
from cwr_encodings.bc import smt as bc_smt
from cwr_encodings.ft import cpsat as ft_cpsat
from cwr_encodings.ft import smt as ft_smt
from cwr_encodings.kl import cpsat as kl_cpsat
from cwr_encodings.kl import smt as kl_smt
from cwr_encodings.pa import cpsat as pa_cpsat
from cwr_encodings.pa import smt as pa_smt
from cwr_encodings.ps import cpsat as ps_cpsat
from cwr_encodings.ps import smt as ps_smt
from cwr_encodings.rs import cpsat as rs_cpsat
from cwr_encodings.rs import smt as rs_smt
from cwr_encodings.tp import cpsat as tp_cpsat
from cwr_encodings.tp import smt as tp_smt
from cwr_encodings.tw import cpsat as tw_cpsat
from cwr_encodings.tw import smt as tw_smt
from cwr_solvers.answers import Claim
from cwr_solvers.backends import smt as z3_backend
from cwr_solvers.backends.cpsat import Encoding

BuildCpsat: TypeAlias = Callable[[CpModel, Any, Claim], Encoding]  # model, the family's instance, claim

CPSAT: Mapping[str, BuildCpsat] = {
    "BC": bc_cpsat.build,
    "FT": ft_cpsat.build,
    "KL": kl_cpsat.build,
    "PA": pa_cpsat.build,
    "PS": ps_cpsat.build,
    "RS": rs_cpsat.build,
    "TP": tp_cpsat.build,
    "TW": tw_cpsat.build,
}

BuildSmt: TypeAlias = Callable[[z3_backend.Model, Any, Claim], z3_backend.Encoding]

SMT: Mapping[str, BuildSmt] = {
    "BC": bc_smt.build,
    "FT": ft_smt.build,
    "KL": kl_smt.build,
    "PA": pa_smt.build,
    "PS": ps_smt.build,
    "RS": rs_smt.build,
    "TP": tp_smt.build,
    "TW": tw_smt.build,
}
