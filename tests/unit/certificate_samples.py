"""Certificates to test with, made once a run; and what exhaustive search says of the claims of a certificate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, count, product
from typing import Any

from cwr_audits.motifs import MOTIFS
from cwr_certificates.catalogue import STATEMENTS
from cwr_certificates.check import Report, check
from cwr_certificates.desk import Rejected
from cwr_certificates.prover import Issued, issue
from cwr_certificates.seal import DOCUMENT
from cwr_solvers.answers import Limits
from cwr_solvers.catalogue import WORLDS, showcase
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import grade
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json, canonical, parse
from cwr_solvers.search import words
from cwr_solvers.symmetry import classes, text
from cwr_solvers.world import Submission, World

LIMITS = Limits(seconds=60.0, words=10_000)
CODES = ("TW-001", "TP-001", "RS-001")
# size of a random instance -> the fewest and the most words it has
SIZES = {"several": (3, 8), "few": (1, 2), "none": (0, 0)}


@cache
def of_showcase(code: str) -> Issued:
    """The certificate of a showcase with its alternates and its probes."""
    one = showcase(code)
    probes = [probe["submission"] for probe in one.probes if isinstance(probe, dict) and probe["kind"] == "sequence"]
    return issue(one.family, code, one.instance, one.witness, one.alternates, probes, LIMITS)


@cache
def of_size(family: str, size: str) -> Issued:
    """The certificate of the first random instance of a size."""
    fewest, most = SIZES[size]
    for number in count():
        value = WORLDS[family].generate(f"certificates-{number}")
        if fewest <= len(space(family, value).costs) <= most:
            return with_best_witness(family, value)
    raise AssertionError("unreachable")


@cache
def of_weld() -> Issued:
    """TW-001 with a second way to a widget, in which two tokens of equal depth meet: its motif is witness-only.

    Which smelt made which blank is a free choice there, so the claim needs literals beyond the word.
    """
    value: Any = parse(canonical(showcase("TW-001").instance), INSTANCE_BYTES, INSTANCE_DEPTH)
    weld = {"name": "weld", "consume": {"blank": 2}, "read": {"catalyst": 1}, "produce": {"widget": 1}}
    value["code"] = "TW-WELD"
    value["recipes"].append(weld)
    value["goal"]["places"]["flux"] = {"min": 0}
    return with_best_witness("TW", value)


def with_best_witness(family: str, value: Json) -> Issued:
    """The certificate of an instance; the witness has as many motifs as any accepted submission."""
    known = space(family, value)
    best = max(known.motifs, key=lambda word: (len(known.motifs[word]), word), default=None)
    witness = None if best is None else parse(best, INSTANCE_BYTES, INSTANCE_DEPTH)
    return issue(family, known.instance.code, value, witness, [], [], LIMITS)


def every() -> list[Issued]:
    """All samples, every kind of claim and both labels of motifs among them."""
    drawn = [of_size(family, size) for family in STATEMENTS for size in SIZES]
    return [*map(of_showcase, CODES), of_weld(), *drawn]


def proofs(files: Mapping[str, bytes]) -> Callable[[str], bytes]:
    """The reader of proofs out of a mapping."""

    def read(name: str) -> bytes:
        if name not in files:
            raise Rejected(f"the proof {name} is missing")
        return files[name]

    return read


def judge(files: Mapping[str, bytes]) -> Report:
    """Check a certificate out of a mapping, as it would be checked out of a folder."""
    return check(files[DOCUMENT], proofs(files))


def motifs_of(family: str, instance: Any, word: Submission[Any]) -> set[str]:
    """The motifs of an accepted word, by the predicates of the audits."""
    return {name for name, holds in MOTIFS[family].items() if holds(WORLDS[family], instance, word)}


@dataclass(frozen=True)
class Space:
    """All there is to know of an instance, by exhaustive search: no formula, no solver, no checker."""

    world: World
    instance: Any
    costs: Mapping[bytes, int]
    motifs: Mapping[bytes, set[str]]
    namings: Mapping[bytes, int]
    classes: Any


def space(family: str, value: Json) -> Space:
    """The space of an instance; raises MalformedInput where it is none."""
    return _space(family, canonical(value))


@cache
def _space(family: str, value: bytes) -> Space:
    world = WORLDS[family]
    instance = world.read_instance(parse(value, INSTANCE_BYTES, INSTANCE_DEPTH))
    found = {text(world, instance, word): word for word in words(world, instance)}
    listed = [
        {
            "representative": world.write_submission(instance, one.representative),
            "size": one.size,
            "members": [world.write_submission(instance, word) for word in one.members],
        }
        for one in classes(world, instance, found.values())
    ]
    costs = {word: grade(world, instance, word).cost or 0 for word in found}
    motifs = {word: motifs_of(family, instance, one) for word, one in found.items()}
    namings = {word: world.namings(instance, one) for word, one in found.items()}
    return Space(world, instance, costs, motifs, namings, listed)


def holds(document: Mapping[str, Any]) -> bool:
    """Whether every claim of a document is true of its instance, by exhaustive search."""
    try:
        known = space(document["family"], document["instance"])
        return all(TRUTHS[claim["kind"]](known, claim, document["claims"]) for claim in document["claims"])
    except MalformedInput:
        return False


def _legal(known: Space, claim: Any, _claims: Sequence[Any]) -> bool:
    status = grade(known.world, known.instance, canonical(claim["submission"])).status
    return status == ("accepted" if claim["goal"] else "rejected")


def _rejected(known: Space, claim: Any, _claims: Sequence[Any]) -> bool:
    verdict = grade(known.world, known.instance, canonical(claim["submission"]))
    return verdict.status == "illegal" and [verdict.step, [*verdict.codes]] == [claim["step"], claim["rules"]]


def _optimum(known: Space, claim: Any, _claims: Sequence[Any]) -> bool:
    least = min(known.costs.values(), default=None)
    return claim["value"] == least == grade(known.world, known.instance, canonical(claim["model"])).cost


def _complete(known: Space, claim: Any, _claims: Sequence[Any]) -> bool:
    means = "members" if set(known.namings.values()) <= {1} else "quotient"
    return bool(claim["classes"] == known.classes and claim["means"] == means)


def _raw_count(known: Space, claim: Any, _claims: Sequence[Any]) -> bool:
    evidence = "listed" if set(known.namings.values()) <= {1} else "orbit"
    return bool(claim["value"] == sum(known.namings.values()) and claim["evidence"] == evidence)


def _unique(known: Space, claim: Any, _claims: Sequence[Any]) -> bool:
    least = min(known.costs.values(), default=None)
    best = {word for word, cost in known.costs.items() if cost == least}
    parts = [{canonical(member) for member in one["members"]} for one in known.classes]
    found = {
        "raw_optimum": sum(known.namings[word] for word in best) == 1,
        "raw_bound": sum(known.namings.values()) == 1,
        "class_optimum": len([part for part in parts if part & best]) == 1,
        "class_bound": len(parts) == 1,
    }
    return all(claim[key] is value for key, value in found.items())


def _infeasible(known: Space, _claim: Any, _claims: Sequence[Any]) -> bool:
    return not known.costs


def _motif(known: Space, claim: Any, claims: Sequence[Any]) -> bool:
    word = known.world.read_submission(known.instance, claims[claim["rests_on"]]["submission"])
    witness = text(known.world, known.instance, known.world.normal(known.instance, word))
    if claim["label"] == "necessary":
        return witness in known.costs and all(claim["name"] in motifs for motifs in known.motifs.values())
    other = canonical(claim["counterexample"])
    return claim["name"] in known.motifs[witness] and claim["name"] not in known.motifs[other]


TRUTHS: Mapping[str, Callable[[Space, Any, Sequence[Any]], bool]] = {
    "legal": _legal,
    "rejected": _rejected,
    "optimum": _optimum,
    "infeasible": _infeasible,
    "complete": _complete,
    "raw_count": _raw_count,
    "unique": _unique,
    "motif": _motif,
}


def pigeons(holes: int) -> list[tuple[int, ...]]:
    """One pigeon more than holes: each sits somewhere, no two in one hole. Unsatisfiable."""
    at = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)]
    apart = [(-one[h], -other[h]) for h in range(holes) for one, other in combinations(at, 2)]
    return [*map(tuple, at), *apart]


def satisfiable(clauses: Sequence[tuple[int, ...]]) -> bool:
    """By trying every assignment."""
    variables = sorted({abs(literal) for clause in clauses for literal in clause})
    for signs in product((1, -1), repeat=len(variables)):
        true = {sign * variable for sign, variable in zip(signs, variables, strict=True)}
        if all(not true.isdisjoint(clause) for clause in clauses):
            return True
    return False
