"""Route `cnf`: the trusted statement as clauses, enumerated by a SAT solver; and the prover of certificates."""

from __future__ import annotations

from cwr_audits.wire import Finding, Reply, Task, limits_of, write_finding
from cwr_certificates.catalogue import STATEMENTS
from cwr_certificates.prover import enumerate_words, issue
from cwr_solvers.answers import Answer
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, parse


def answer(task: Task) -> Reply:
    """The finding on the task's instance; raw counts are by the statement's own formula for namings."""
    statement = STATEMENTS[task["family"]]
    instance = WORLDS[task["family"]].read_instance(task["instance"])
    found = enumerate_words(statement, instance, limits_of(task))
    raw: dict[int, int] = {}
    for word, cost in found.words.items():
        named = statement.namings(instance, parse(word, SUBMISSION_BYTES, SUBMISSION_DEPTH))
        raw[cost] = raw.get(cost, 0) + named
    return write_finding(Finding(found, dict(sorted(raw.items()))))


def prove(task: Task) -> Reply:
    """The certificate of the task's instance, as {"files": {name: text}, "absent": [motif],
    "undecided": {motif: reason}}.

    The task has also code, witness, alternates, probes, and as `answer` the optimum and the words of some route, which
    the prover need not believe. Raises MalformedInput, Undecided and Disagreement.
    """
    told = Answer(task["answer"]["optimum"], {word.encode("utf-8"): cost for word, cost in task["answer"]["words"]})
    issued = issue(
        task["family"],
        task["code"],
        task["instance"],
        task["witness"],
        task["alternates"],
        task["probes"],
        limits_of(task),
        told,
    )
    files = {name: data.decode("utf-8") for name, data in issued.files.items()}
    return {"files": files, "absent": list(issued.absent), "undecided": dict(issued.undecided)}
