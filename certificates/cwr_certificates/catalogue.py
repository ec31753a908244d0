"""Which statement speaks of which family. Trusted; a new family is one line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from cwr_certificates.cnf import Cnf
from cwr_certificates.statements import bc, co, ft, kl, pa, ps, rs, tp, tw
from cwr_solvers.jsontext import Json


class Statement(Protocol):
    """The names of a statement module; docs/contracts.md says what they mean. Instances and models are its own."""

    @property
    def NAME(self) -> str: ...
    @property
    def MOTIFS(self) -> tuple[str, ...]: ...
    @property
    def state(self) -> Callable[[Cnf, Any], Any]: ...
    @property
    def at_most(self) -> Callable[[Cnf, Any, int], None]: ...
    @property
    def deny(self) -> Callable[[Cnf, Any, str], None]: ...
    @property
    def literals(self) -> Callable[[Any, Json], tuple[int, ...]]: ...
    @property
    def occurs(self) -> Callable[[Cnf, Any, Json], list[int]]: ...
    @property
    def word(self) -> Callable[[Any, set[int]], Json]: ...
    @property
    def namings(self) -> Callable[[Any, Json], int]: ...


STATEMENTS: Mapping[str, Statement] = {
    "TW": tw,
    "TP": tp,
    "BC": bc,
    "KL": kl,
    "RS": rs,
    "PS": ps,
    "PA": pa,
    "FT": ft,
    "CO": co,
}
