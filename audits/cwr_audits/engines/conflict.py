"""Why no word meets a request, by the clauses of the statement (see cwr_certificates.explain).

The task has code, request, `first` (rules to be preferred) and `candidate` (a submission, or null). The answer is
{"word", "rules", "relaxed": [[rule, word], …], "posted", "files": {name: text} (empty where a word meets the request)}.
"""

from __future__ import annotations

from cwr_audits.wire import Reply, Task, limits_of
from cwr_certificates.explain import explain


def answer(task: Task) -> Reply:
    """Raises MalformedInput where the request is none of the clauses, Undecided and Disagreement."""
    found = explain(
        task["family"],
        task["code"],
        task["instance"],
        task["request"],
        limits_of(task),
        task["first"],
        task["candidate"],
    )
    issued = {} if found.issued is None else found.issued.files
    return {
        "word": found.word,
        "rules": list(found.rules),
        "relaxed": [[rule, word] for rule, word in found.relaxed.items()],
        "posted": list(found.posted),
        "files": {name: data.decode("utf-8") for name, data in issued.items()},
    }
