"""Route `cnf`: the trusted statement as clauses, enumerated by a SAT solver; and the prover of certificates."""

from __future__ import annotations

from cwr_audits.wire import Finding, Reply, Task, limits_of, only_optimum, write_finding
from cwr_certificates.catalogue import STATEMENTS
from cwr_certificates.prover import enumerate_words, issue, optimal_word
from cwr_solvers.answers import Answer, Limits
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, parse

PROVING_SHARE = 0.7  # of the time, for a large space: a motif may take all of it, and the checker comes after that


def answer(task: Task) -> Reply:
    """The finding on the task's instance; raw counts are by the statement's own formula for namings."""
    statement = STATEMENTS[task["family"]]
    instance = WORLDS[task["family"]].read_instance(task["instance"])
    if only_optimum(task):
        best = optimal_word(statement, instance, limits_of(task))
        return write_finding(Finding(Answer(None if best is None else best[0], {}), listed=False))
    found = enumerate_words(statement, instance, limits_of(task))
    raw: dict[int, int] = {}
    for word, cost in found.words.items():
        named = statement.namings(instance, parse(word, SUBMISSION_BYTES, SUBMISSION_DEPTH))
        raw[cost] = raw.get(cost, 0) + named
    return write_finding(Finding(found, dict(sorted(raw.items()))))


def prove(task: Task) -> Reply:
    """The certificate of the task's instance, as {"files": {name: text}, "absent": [motif],
    "undecided": {motif: reason}, "uncounted": reason}.

    The task has also code, witness, alternates, probes, and as `answer` the optimum and the words of some route, which
    the prover need not believe. Of a large space there is no answer; the witness is one of least cost where none is
    given. Raises MalformedInput, Undecided and Disagreement.
    """
    large, within, told, witness = only_optimum(task), limits_of(task), None, task["witness"]
    if large:
        within = Limits(within.seconds * PROVING_SHARE, within.words)
        statement, instance = STATEMENTS[task["family"]], WORLDS[task["family"]].read_instance(task["instance"])
        best = optimal_word(statement, instance, within) if witness is None else None
        witness = witness if best is None else best[1]
    else:
        told = Answer(task["answer"]["optimum"], {word.encode("utf-8"): cost for word, cost in task["answer"]["words"]})
    issued = issue(
        task["family"],
        task["code"],
        task["instance"],
        witness,
        task["alternates"],
        task["probes"],
        within,
        told,
        listed=not large,
    )
    files = {name: data.decode("utf-8") for name, data in issued.files.items()}
    left = {"absent": list(issued.absent), "undecided": dict(issued.undecided), "uncounted": issued.uncounted}
    return {"files": files, **left}
