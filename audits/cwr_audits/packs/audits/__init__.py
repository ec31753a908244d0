"""The audits of packs, by name; each looks at a pack and at nothing else, and says passed, failed or undecided."""

from __future__ import annotations

from collections.abc import Mapping

from cwr_audits.packs.verdicts import Auditor

AUDITS: Mapping[str, Auditor] = {}
