"""Motifs as predicates on the graph of one accepted submission, written apart from the clauses that deny them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cwr_audits.motifs import bc, co, ft, kl, pa, ps, rs, tp, tw
from cwr_solvers.world import Submission, World

# family -> motif -> predicate(world, instance, accepted submission)
MOTIFS: Mapping[str, Mapping[str, Callable[[World, Any, Submission[Any]], bool]]] = {
    "TW": {"main": tw.main},
    "TP": {"main": tp.main},
    "RS": {"overlap": rs.overlap, "crossed": rs.crossed, "strict": rs.strict, "full": rs.full},
    "PA": {"main": pa.main},
    "FT": {"main": ft.main},
    "KL": {"main": kl.main},
    "PS": {"main": ps.main},
    "BC": {"shape": bc.shape, "typed": bc.typed, "mid": bc.mid, "weak": bc.weak},
    "CO": {"main": co.main},
}
