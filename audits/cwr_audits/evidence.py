"""What is on disk about one world, as the report and the list of what is ready read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cwr_audits.subject import Subject
from cwr_certificates.check import Report


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is on disk about one world. An audit of another instance is no evidence and left out.

    `claimed` says of each claim of a certificate that was judged what it is about: the name of a submission or motif.
    `motifs` are the readings of the audit of motifs, None where there is none of this very certificate.
    """

    about: Subject
    audit: dict[str, Any] | None
    audit_digest: str
    report: Report | None
    certificate_digest: str
    claimed: tuple[str, ...]
    motifs: list[dict[str, Any]] | None
    motifs_digest: str

    def verified(self, kind: str) -> bool:
        """Whether there are verified claims of a kind, and no others of it."""
        found = [] if self.report is None else [one.outcome for one in self.report.findings if one.kind == kind]
        return bool(found) and set(found) == {"verified"}
