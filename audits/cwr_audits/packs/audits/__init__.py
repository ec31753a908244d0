"""The audits of packs, by name; each looks at a pack and at nothing else, and says passed, failed or undecided
(docs/audits.md)."""

from __future__ import annotations

from collections.abc import Mapping

from cwr_audits.packs.audits.balance import balance
from cwr_audits.packs.audits.determinism import determinism
from cwr_audits.packs.audits.keys import keys
from cwr_audits.packs.audits.leakage import leakage
from cwr_audits.packs.audits.matching import matching
from cwr_audits.packs.audits.motif import motif
from cwr_audits.packs.audits.policies import policies
from cwr_audits.packs.audits.space import space
from cwr_audits.packs.audits.vitality import vitality
from cwr_audits.packs.audits.withholding import withholding
from cwr_audits.packs.audits.witness import witness
from cwr_audits.packs.verdicts import Auditor

AUDITS: Mapping[str, Auditor] = {
    "witness": witness,
    "space": space,
    "motif": motif,
    "vitality": vitality,
    "withholding": withholding,
    "leakage": leakage,
    "matching": matching,
    "balance": balance,
    "keys": keys,
    "policies": policies,
    "determinism": determinism,
}
