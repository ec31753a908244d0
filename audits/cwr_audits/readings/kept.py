"""What an audit of motifs keeps for the report, and reading it back: audits/issued/CODE.motifs.json.

{"schema": SCHEMA, "code", "instance_sha256", "certificate_sha256", "readings": [the JSON of each reading]}

The file is believed in nothing that can be looked up: a label that the certificate does not claim is a fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cwr_audits.readings.rates import SAYS
from cwr_solvers.errors import MalformedInput
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, LARGEST, Json, parse, pointer
from cwr_solvers.reading import as_int, as_items, as_map, as_name, as_text, refuse

SCHEMA = "cwr-motifs/1"
CLAIMED = ("necessary", "witness-only")  # labels that are claims of a certificate
COUNTED = ("instances", "classes", "classes_with")
READ = (
    "motif",
    "label",
    "scope",
    "classes",
    "classes_with",
    "raw",
    "raw_with",
    "optimum",
    "survives",
    "base_rate",
    "routes",
)


def kept_name(code: str) -> str:
    """The name of the file of a world."""
    return f"{code}.motifs.json"


def read_kept(data: bytes, instance_sha256: str, certificate: Mapping[str, str], digest: str) -> list[dict[str, Any]]:
    """The readings in a file, when it is of this instance and of the certificate with this digest.

    `certificate` says which label that certificate claims of which motif. Raises MalformedInput, saying what is wrong.
    """
    told = as_map(parse(data, INSTANCE_BYTES, INSTANCE_DEPTH), "")
    _demand(told, "", ("schema", "code", "instance_sha256", "certificate_sha256", "readings"))
    as_name(told["schema"], "/schema", (SCHEMA,), "schema")
    for name, meant in (("instance_sha256", instance_sha256), ("certificate_sha256", digest)):
        if as_text(told[name], pointer("", name)) != meant:
            refuse("contradiction", pointer("", name), f"that of what is on disk, {meant}", str(told[name]))
    readings = as_items(told["readings"], "/readings", _reading)
    said = {one["motif"]: one["label"] for one in readings if one["label"] in CLAIMED}
    if said != dict(certificate):
        refuse("contradiction", "/readings", f"the labels that the certificate claims, {dict(certificate)}", f"{said}")
    return list(readings)


def _reading(value: Json, at: str) -> dict[str, Any]:
    fields = as_map(value, at)
    _demand(fields, at, READ)
    for name in ("motif", "label", "scope"):
        as_text(fields[name], pointer(at, name))
    _demand(as_map(fields["optimum"], f"{at}/optimum"), f"{at}/optimum", ("classes", "classes_with"))
    _rate(as_map(fields["base_rate"], f"{at}/base_rate"), f"{at}/base_rate")
    for route, said in as_map(fields["routes"], f"{at}/routes").items():
        for sense, status in as_map(said, f"{at}/routes/{route}").items():
            as_text(status, f"{at}/routes/{route}/{sense}")
    as_items(fields["survives"], f"{at}/survives", _survival)
    return dict(fields)


def _rate(fields: Mapping[str, Json], at: str) -> None:
    _demand(fields, at, (*COUNTED, "says"))
    as_name(fields["says"], f"{at}/says", SAYS, "meaning of a base rate")
    for name in COUNTED:
        as_int(fields[name], f"{at}/{name}", 0, LARGEST)


def _survival(value: Json, at: str) -> None:
    fields = as_map(value, at)
    _demand(fields, at, ("by", "label", "survives"))


def _demand(fields: Mapping[str, Json], at: str, names: Sequence[str]) -> None:
    for name in names:
        if name not in fields:
            refuse("missing-key", at, f"the key {name}", "nothing")


def why_not(error: MalformedInput, code: str) -> str:
    """What the report says of a file that it does not use."""
    return f"{code}: audits/issued/{kept_name(code)} is {error}"
