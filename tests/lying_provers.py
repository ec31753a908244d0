"""Provers that lie: each hands over what the honest one made, but for one planted fault."""

from __future__ import annotations

import json
from typing import Any

from cwr_audits.engines.cnf import prove
from cwr_certificates.seal import sealed


def _remade(told: dict[str, Any], change: Any) -> dict[str, Any]:
    document = json.loads(told["files"]["certificate.json"])
    document["claims"] = change(document["claims"])
    return {**told, "files": {**told["files"], "certificate.json": sealed(document).decode()}}


def claims_nothing(task: dict[str, Any]) -> Any:
    return _remade(prove(task), lambda _claims: [])


def drops_the_optimum(task: dict[str, Any]) -> Any:
    return _remade(prove(task), lambda claims: [claim for claim in claims if claim["kind"] != "optimum"])


def claims_one_solution(task: dict[str, Any]) -> Any:
    def change(claims: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**claim, "raw_bound": True} if claim["kind"] == "unique" else claim for claim in claims]

    return _remade(prove(task), change)


def spoils_a_proof(task: dict[str, Any]) -> Any:
    told = prove(task)
    lines = told["files"]["optimum.lrat"].splitlines(keepends=True)
    return {**told, "files": {**told["files"], "optimum.lrat": "".join(lines[:-1])}}


def forgets_a_proof(task: dict[str, Any]) -> Any:
    told = prove(task)
    return {**told, "files": {name: text for name, text in told["files"].items() if name != "complete.lrat"}}
