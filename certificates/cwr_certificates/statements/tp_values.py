"""What the references of a typed pipeline are worth (tp/1). Trusted; from the rule book of TP.

References: (q, s) is output s of step q, (-1, k) is initial id number k. Only definitions stand here: they forbid no
word. Types are not looked at: R4 does.
"""

from __future__ import annotations

from typing import NamedTuple

from cwr_certificates.cnf import TRUE, Cnf, all_of, any_of
from cwr_certificates.steps import Steps
from cwr_solvers.worlds.tp.instance import Instance, Value

Ref = tuple[int, int]
Args = list[list[dict[Ref, int]]]  # args[p][i][ref]: argument i of step p is ref
Worth = dict[Ref, dict[Value, int]]  # {ref: {value: literal "ref is worth value"}}; what is left out is impossible


class Row(NamedTuple):
    """A row of an operation's table, at one step. `literal` equals "the step is operation number `op`, and its
    arguments are worth `ins`"; then its outputs are worth `outs`."""

    op: int
    ins: tuple[Value, ...]
    outs: tuple[Value, ...]
    literal: int


Rows = list[list[Row]]  # the rows of each step


def values(cnf: Cnf, instance: Instance, steps: Steps, args: Args) -> tuple[Worth, Rows]:
    """Define, step by step, the rows and what the outputs are worth.

    A row is left out where an argument would have to be worth what no reference to an earlier value may be worth:
    that step cannot apply it.
    """
    worth = {(-1, k): {value: TRUE} for k, (_, value) in enumerate(instance.initial.values())}
    all_rows: Rows = []
    for p, slots in enumerate(args):
        given = [argument(cnf, refs, worth) for refs in slots]
        rows = []
        for o, (op, chosen) in enumerate(zip(instance.operations, steps.chosen[p], strict=True)):
            for ins, outs in op.table.items():
                if all(value in given[i] for i, value in enumerate(ins)):
                    literal = all_of(cnf, [chosen, *(given[i][value] for i, value in enumerate(ins))])
                    rows.append(Row(o, ins, outs, literal))
        for s in range(max((len(op.outputs) for op in instance.operations), default=0)):
            worth[p, s] = output(cnf, rows, s)
        all_rows.append(rows)
    return worth, all_rows


def argument(cnf: Cnf, refs: dict[Ref, int], worth: Worth) -> dict[Value, int]:
    """{value: literal "the argument is worth it"}: when the argument is ref, that equals "ref is worth it"."""
    given = {value: cnf.new() for value in sorted({value for ref in refs for value in worth[ref]})}
    for ref, chosen in refs.items():
        for value, literal in given.items():
            same = worth[ref].get(value, -TRUE)
            cnf.add(-chosen, -literal, same)
            cnf.add(-chosen, literal, -same)
    return given


def output(cnf: Cnf, rows: list[Row], s: int) -> dict[Value, int]:
    """{value: literal that equals "a row is applied that gives it as output s"}."""
    makers: dict[Value, list[int]] = {}
    for row in rows:
        if s < len(row.outs):
            makers.setdefault(row.outs[s], []).append(row.literal)
    return {value: any_of(cnf, literals) for value, literals in makers.items()}


def differs(cnf: Cnf, rows: list[Row], i: int, s: int) -> int:
    """A literal that equals "the step has an input i and an output s, and they are worth different values"."""
    both = [row for row in rows if i < len(row.ins) and s < len(row.outs)]
    return any_of(cnf, [row.literal for row in both if row.ins[i] != row.outs[s]])
