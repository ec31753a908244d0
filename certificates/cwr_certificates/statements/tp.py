"""Typed pipeline as clauses (tp/1). Trusted; written from the rule book in cwr_solvers/worlds/tp/__init__.py.

A place for each step the budget allows holds one operation or is idle, idle places last. Values have no names here but
references: (q, s) is output s of step q, (-1, k) initial id number k. The decisions are "step p is operation o" and
"argument i of step p is reference r", so that a word, whose names follow from its order, has exactly one assignment.
"""

from __future__ import annotations

from cwr_certificates.cnf import TRUE, Cnf, all_of, any_of, post, sum_at_most
from cwr_certificates.statements.tp_arguments import of_type, r1_arity, r2_live, r3_distinct, r4_types, uses
from cwr_certificates.statements.tp_motifs import deny_main
from cwr_certificates.statements.tp_values import Ref
from cwr_certificates.statements.tp_words import Model, kinds, literals, model_of, namings, occurs, word
from cwr_certificates.steps import Steps, length_at_most, reaches, step_row, tally
from cwr_solvers.worlds.tp.instance import Instance

__all__ = ["MOTIFS", "NAME", "Model", "at_most", "deny", "literals", "namings", "occurs", "state", "word"]

NAME = "tp/1"
MOTIFS = ("main",)


def state(cnf: Cnf, instance: Instance) -> Model:
    """Post "an accepted word of the instance". Raises Undecided("size")."""
    steps = r9_steps(cnf, instance)
    model = model_of(cnf, instance, steps, r5_outputs(cnf, instance, steps))
    post(cnf, model, ("", r1_arity), ("R2", r2_live), ("R3", r3_distinct), ("R4", r4_types), ("R6", r6_fresh))
    post(cnf, model, ("R7", r7_table), ("R8", r8_live), ("R10", r10_cost), ("G", g_goal))
    return model


def r5_outputs(cnf: Cnf, instance: Instance, steps: Steps) -> dict[Ref, int]:
    """A step has as many outputs as its operation: {(q, s): literal that equals "step q has an output s"}."""
    outputs: dict[Ref, int] = {}
    for q in range(len(steps.idle)):
        for s in range(max((len(op.outputs) for op in instance.operations), default=0)):
            outputs[q, s] = any_of(cnf, [one for op, one in kinds(instance, steps, q) if len(op.outputs) > s])
    return outputs


def r6_fresh(cnf: Cnf, model: Model) -> None:
    """There are ids for all outputs; that each gets another is the normal form of words."""
    steps = [kinds(model.instance, model.steps, p) for p in range(len(model.args))]
    sum_at_most(cnf, [(len(op.outputs), one) for step in steps for op, one in step], len(model.instance.ids))


def r7_table(cnf: Cnf, model: Model) -> None:
    """A step applies a row of its operation's table."""
    for chosen, rows in zip(model.steps.chosen, model.rows, strict=True):
        for o, literal in enumerate(chosen):
            cnf.add(-literal, *(row.literal for row in rows if row.op == o))


def r8_live(cnf: Cnf, model: Model) -> None:
    """After each step there are no more live values than the limit; inputs are consumed, outputs made."""
    gains = [len(op.outputs) - len(op.inputs) for op in model.instance.operations]
    for level in tally(cnf, model.steps, len(model.instance.initial), gains)[1:]:
        cnf.add(-reaches(level, model.instance.most_live + 1))


def r9_steps(cnf: Cnf, instance: Instance) -> Steps:
    """There are as many places for steps as the budget allows steps."""
    return step_row(cnf, instance.most_steps, len(instance.operations))


def r10_cost(cnf: Cnf, model: Model) -> None:
    """The cost, which counts steps, is at most the cost budget."""
    at_most(cnf, model, model.instance.most_cost)


def g_goal(cnf: Cnf, model: Model) -> None:
    """At the end m live values are the goal's value v, for each v that the goal has m times, or more than m; where
    nothing may be left over, no more values are live than the goal has."""
    goal = model.instance.goal
    live = {ref: all_of(cnf, [exists, *(-one for _, one in uses(model, ref))]) for ref, exists in model.made.items()}
    for wanted in sorted(set(goal)):
        fits = []
        for ref, left in live.items():
            typed = any_of(cnf, of_type(model, ref, wanted[0]))
            fits.append(all_of(cnf, [left, typed, model.worth[ref].get(wanted[1], -TRUE)]))
        sum_at_most(cnf, [(1, -fit) for fit in fits], len(fits) - goal.count(wanted))
    if not model.instance.leftovers_allowed:
        sum_at_most(cnf, [(1, left) for left in live.values()], len(goal))


def at_most(cnf: Cnf, model: Model, cost: int) -> None:
    """Post "the cost is at most `cost`"."""
    length_at_most(cnf, model.steps, cost)


def deny(cnf: Cnf, model: Model, motif: str) -> None:
    """Post "the motif, one of MOTIFS, does not hold"."""
    {"main": deny_main}[motif](cnf, model.args, model.made, model.rows)
