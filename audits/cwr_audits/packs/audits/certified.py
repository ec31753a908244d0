"""The certificates in a pack: their claims as they are written, and what the checker says of them, worked out anew."""

from __future__ import annotations

from functools import lru_cache

from cwr_audits.packs.model import Pack
from cwr_certificates.check import Report, check
from cwr_certificates.desk import Rejected
from cwr_solvers.jsontext import Json, parse
from cwr_solvers.reading import as_items, as_map

MOST_BYTES, MOST_DEPTH = 64 * 2**20, 24
NAME = "certificate.json"


def document(pack: Pack, code: str) -> dict[str, Json] | None:
    """The certificate of an instance as it is written; None where the pack has none. Raises MalformedInput."""
    data = pack.certificates.get(f"{code}/{NAME}")
    return None if data is None else as_map(parse(data, MOST_BYTES, MOST_DEPTH), "")


def claims(pack: Pack, code: str, kind: str) -> list[dict[str, Json]]:
    """The claims of one kind, as they are written; none where there is no certificate. Raises MalformedInput."""
    found = document(pack, code)
    listed = [] if found is None else as_items(found["claims"], "/claims", as_map)
    return [one for one in listed if one["kind"] == kind]


def checked(pack: Pack, code: str) -> Report:
    """What the checker says of the certificate of an instance, from its bytes and those of the proofs beside it."""
    beside = {name: data for name, data in pack.certificates.items() if name.rpartition("/")[0] == code}
    return _checked(code, tuple(sorted(beside.items())))


@lru_cache(maxsize=64)
def _checked(code: str, files: tuple[tuple[str, bytes], ...]) -> Report:
    held = dict(files)

    def proofs(name: str) -> bytes:
        if f"{code}/{name}" not in held:
            raise Rejected(f"the proof {name} is missing")
        return held[f"{code}/{name}"]

    return check(held[f"{code}/{NAME}"], proofs)
