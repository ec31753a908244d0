"""The motif of the typed pipeline, negated (tp/1). Trusted; written from the rule book of TP.

`main` holds when for some steps s < j < k: j consumes an output y of s, and a value at the end of a path from another
output x of s, changed on it; k consumes a value that j made, no other step does, and no step consumes one that k made.
That y stays unused until j, and that x is not y, go without saying: y is consumed by j only, x by a step before j.
"""

from __future__ import annotations

from cwr_certificates.cnf import TRUE, Cnf, all_of, any_of
from cwr_certificates.statements.tp_values import Args, Ref, Rows, differs


def deny_main(cnf: Cnf, args: Args, made: dict[Ref, int], rows: Rows) -> None:
    """Post "main does not hold". feeds[q, p] equals "step p consumes a value that step q made"."""
    n = len(args)
    feeds = {
        (q, p): any_of(cnf, [one for refs in args[p] for ref, one in refs.items() if ref[0] == q])
        for p in range(n)
        for q in range(p)
    }
    for s in range(n):
        changed = consumes_changed(cnf, args, made, rows, s)
        for j in range(s + 1, n):
            for k in range(j + 1, n):
                another = [feeds[j, p] for p in range(j + 1, n) if p != k]
                further = [feeds[k, p] for p in range(k + 1, n)]
                cnf.add(-feeds[s, j], -changed[j], -feeds[j, k], *another, *further)


def consumes_changed(cnf: Cnf, args: Args, made: dict[Ref, int], rows: Rows, s: int) -> dict[int, int]:
    """{p: literal that equals "step p consumes a value at the end of a path from an output of s, changed on it"}.

    on_path[p] equals "p is s, or consumes a value at the end of a path from s" (a path may have no step);
    changed[p, t] equals "a path from s to output t of p has a change": it had one before p, or p makes it.
    """
    on_path, changed, consumes = {s: TRUE}, dict[Ref, int](), dict[int, int]()
    for p in range(s + 1, len(args)):
        ends = [path_end(cnf, refs, on_path) for refs in args[p]]
        old = [all_of(cnf, [one, changed[ref]]) for refs in args[p] for ref, one in refs.items() if ref in changed]
        on_path[p], consumes[p] = any_of(cnf, ends), any_of(cnf, old)
        for ref in made:
            if ref[0] == p:
                new = [all_of(cnf, [end, differs(cnf, rows[p], i, ref[1])]) for i, end in enumerate(ends)]
                changed[ref] = any_of(cnf, [consumes[p], *new])
    return consumes


def path_end(cnf: Cnf, refs: dict[Ref, int], on_path: dict[int, int]) -> int:
    """A literal that equals "the argument was made by a step on a path"."""
    return any_of(cnf, [all_of(cnf, [one, on_path[ref[0]]]) for ref, one in refs.items() if ref[0] in on_path])
