"""Workers of the audit of motifs that lie: each answers as the honest one does, but for one planted fault."""

from __future__ import annotations

import json
from typing import Any

from cwr_audits.engines.cnf import prove
from cwr_audits.readings import by_clauses, by_cpsat, by_graph, by_smt
from cwr_certificates.seal import sealed
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided


def drops_a_verdict(task: dict[str, Any]) -> Any:
    """The graph predicate forgets the first word that has each motif."""
    told = by_graph.answer(task)
    if task["ask"] == "list":
        told["having"] = {motif: words[1:] for motif, words in told["having"].items()}
    return told


def mixes_random_classes(task: dict[str, Any]) -> Any:
    """In random instances, the first word of a larger class has every motif and the others lack it."""
    told = by_graph.answer(task)
    for one in told["classes"]:
        if len(one["words"]) > 1:
            told["having"] = dict.fromkeys(told["having"], one["words"][:1])
    return told


def judges_wrongly(task: dict[str, Any]) -> Any:
    told = by_graph.answer(task)
    if task["ask"] == "judge":
        return [{**one, "has": dict.fromkeys(one["has"], True)} for one in told]
    return told


def finds_illegal_models(task: dict[str, Any]) -> Any:
    told = by_graph.answer(task)
    return [{"verdict": "illegal", "has": {}} for _ in told] if task["ask"] == "judge" else told


def never_lists(task: dict[str, Any]) -> Any:
    if task["ask"] == "list":
        raise Undecided("states", "more than any")
    return by_graph.answer(task)


def never_draws(task: dict[str, Any]) -> Any:
    if task["ask"] == "draw":
        raise Undecided("time", "planted")
    return by_graph.answer(task)


def clauses_drop_a_word(task: dict[str, Any]) -> Any:
    told = by_clauses.answer(task)
    return {"listed": told["listed"][1:]} if task["ask"] == "words" else told


def clauses_never_end(task: dict[str, Any]) -> Any:
    if task["ask"] == "bound":
        raise Undecided("time", "planted")
    return by_clauses.answer(task)


def clauses_refute_all(task: dict[str, Any]) -> Any:
    if task["ask"] == "bound":
        return {"clauses": 1, "steps": 1, "formula_sha256": "0" * 64, "proof_sha256": "0" * 64}
    return by_clauses.answer(task)


def cpsat_says_one_more(task: dict[str, Any]) -> Any:
    try:
        told = by_cpsat.answer(task)["listed"]
    except Undecided:
        told = []
    return {"listed": [*told, '{"actions":["rivet"]}']}


def smt_is_late(_task: dict[str, Any]) -> Any:
    raise Undecided("time", "planted")


def smt_knows_none(_task: dict[str, Any]) -> Any:
    raise Undecided("unsupported", "planted")


def smt_contradicts_itself(_task: dict[str, Any]) -> Any:
    raise Disagreement("the optimum", {"one run": "1", "another": "2"})


def smt_refuses(_task: dict[str, Any]) -> Any:
    raise MalformedInput("domain", "/budget", "another", "this")


def smt_crashes(task: dict[str, Any]) -> Any:
    return by_smt.answer(task)["no such field"]


def proves_all_necessary(task: dict[str, Any]) -> Any:
    """A certificate in which every witness-only motif is said to be necessary, by the proof that it has."""
    told = prove(task)
    document = json.loads(told["files"]["certificate.json"])
    document["claims"] = [relabelled(claim) for claim in document["claims"]]
    return {**told, "files": {**told["files"], "certificate.json": sealed(document).decode()}}


def relabelled(claim: dict[str, Any]) -> dict[str, Any]:
    """A claim that a motif is witness-only turned into the claim that it is necessary; any other as it is."""
    if claim.get("label") != "witness-only":
        return claim
    kept = {name: value for name, value in claim.items() if name not in ("counterexample", "extra")}
    return {**kept, "label": "necessary"}


def leaves_motifs_undecided(task: dict[str, Any]) -> Any:
    told = prove(task)
    document = json.loads(told["files"]["certificate.json"])
    motifs = [claim["name"] for claim in document["claims"] if claim["kind"] == "motif"]
    document["claims"] = [claim for claim in document["claims"] if claim["kind"] != "motif"]
    files = {**told["files"], "certificate.json": sealed(document).decode()}
    return {**told, "files": files, "undecided": dict.fromkeys(motifs, "undecided (size): planted")}
