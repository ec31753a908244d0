"""What a step of a typed pipeline may take as its arguments, R1 to R4 (tp/1). Trusted; from the rule book of TP."""

from __future__ import annotations

from itertools import combinations

from cwr_certificates.cnf import TRUE, Cnf, any_of, exactly_one
from cwr_certificates.statements.tp_values import Ref
from cwr_certificates.statements.tp_words import Model, kinds


def r1_arity(cnf: Cnf, model: Model) -> None:
    """Argument i of a step is exactly one reference, or none where the step has no input i."""
    for p, slots in enumerate(model.args):
        for i, refs in enumerate(slots):
            fewer = [one for op, one in kinds(model.instance, model.steps, p) if len(op.inputs) <= i]
            exactly_one(cnf, [any_of(cnf, [model.steps.idle[p], *fewer]), *refs.values()])


def r2_live(cnf: Cnf, model: Model) -> None:
    """An argument exists, and is no argument of another step."""
    for ref, exists in model.made.items():
        for _, literal in uses(model, ref):
            cnf.add(-literal, exists)
        for (p, one), (q, other) in combinations(uses(model, ref), 2):
            if p != q:
                cnf.add(-one, -other)


def r3_distinct(cnf: Cnf, model: Model) -> None:
    """No two arguments of a step are the same."""
    for ref in model.made:
        for (p, one), (q, other) in combinations(uses(model, ref), 2):
            if p == q:
                cnf.add(-one, -other)


def r4_types(cnf: Cnf, model: Model) -> None:
    """An argument has the type that the operation asks for, or does not exist (then R2 speaks)."""
    for p, slots in enumerate(model.args):
        for op, chosen in kinds(model.instance, model.steps, p):
            for i, wanted in enumerate(op.inputs):
                for ref, literal in slots[i].items():
                    cnf.add(-chosen, -literal, -model.made[ref], *of_type(model, ref, wanted))


def uses(model: Model, ref: Ref) -> list[tuple[int, int]]:
    """All (p, literal "this argument of step p is ref")."""
    return [(p, refs[ref]) for p, slots in enumerate(model.args) for refs in slots if ref in refs]


def of_type(model: Model, ref: Ref, wanted: str) -> list[int]:
    """Literals, one of which holds just when the reference exists and has the type."""
    q, s = ref
    if q < 0:
        return [TRUE] if list(model.instance.initial.values())[s][0] == wanted else []
    return [one for op, one in kinds(model.instance, model.steps, q) if op.outputs[s : s + 1] == (wanted,)]
