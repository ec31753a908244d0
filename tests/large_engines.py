"""Routes and provers for large spaces, each with one planted fault."""

from __future__ import annotations

import json
from typing import Any

from cwr_audits.engines import cnf, cpsat, interpreter
from cwr_certificates.seal import sealed
from cwr_solvers.errors import Undecided


def out_of_states(_task: dict[str, Any]) -> Any:
    raise Undecided("states", "more than 5 states")


def counts_one_more(task: dict[str, Any]) -> Any:
    told = interpreter.answer(task)
    (cost, many), *others = told["raw"]
    return {**told, "raw": [[cost, hex(int(many, 16) + 1)], *others]}


def counts_at_another_cost(task: dict[str, Any]) -> Any:
    told = interpreter.answer(task)
    first, (cost, many), *others = told["raw"]
    return {**told, "raw": [first, [cost + 100, many], *others]}


def forgets_its_cheapest(task: dict[str, Any]) -> Any:
    told = interpreter.answer(task)
    return {**told, "raw": told["raw"][1:]}


def another_optimum(task: dict[str, Any]) -> Any:
    return {**cpsat.answer(task), "optimum": 3}


def _remade(told: dict[str, Any], change: Any) -> dict[str, Any]:
    document = json.loads(told["files"]["certificate.json"])
    document["claims"] = change(document["claims"])
    return {**told, "files": {**told["files"], "certificate.json": sealed(document).decode()}}


def does_not_count(task: dict[str, Any]) -> Any:
    told = _remade(cnf.prove(task), lambda claims: [one for one in claims if one["kind"] != "raw_count"])
    return {**told, "uncounted": "undecided (size): too large"}


def claims_to_be_unique(task: dict[str, Any]) -> Any:
    four = dict.fromkeys(("raw_optimum", "raw_bound", "class_optimum", "class_bound"), True)
    return _remade(cnf.prove(task), lambda claims: [*claims, {"kind": "unique", **four, "rests_on": 0}])


def spoils_the_layers(task: dict[str, Any]) -> Any:
    told = cnf.prove(task)
    spoilt = told["files"]["raw-count.layers"].replace('"end"', "null", 1)
    return {**told, "files": {**told["files"], "raw-count.layers": spoilt}}
