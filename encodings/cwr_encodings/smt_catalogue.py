"""Table family → Z3 build. A build posts "an accepted word of the claim" on the model it is given.

SMT_MOTIFS names for each family the motifs that its build can post and deny.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from cwr_encodings.bc import smt as bc
from cwr_encodings.co import smt as co
from cwr_encodings.ft import smt as ft
from cwr_encodings.kl import smt as kl
from cwr_encodings.pa import smt as pa
from cwr_encodings.ps import smt as ps
from cwr_encodings.rs import smt as rs
from cwr_encodings.tp import smt as tp
from cwr_encodings.tw import smt as tw
from cwr_solvers.answers import Claim
from cwr_solvers.backends.smt import Encoding, Model

BuildSmt: TypeAlias = Callable[[Model, Any, Claim], Encoding]  # model, the family's instance, claim

SMT: Mapping[str, BuildSmt] = {
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

SMT_MOTIFS: Mapping[str, tuple[str, ...]] = {
    "BC": tuple(bc.MOTIFS),
    "CO": tuple(co.MOTIFS),
    "FT": tuple(ft.MOTIFS),
    "KL": tuple(kl.MOTIFS),
    "PA": tuple(pa.MOTIFS),
    "PS": tuple(ps.MOTIFS),
    "RS": tuple(rs.MOTIFS),
    "TP": tuple(tp.MOTIFS),
    "TW": tuple(tw.MOTIFS),
}
