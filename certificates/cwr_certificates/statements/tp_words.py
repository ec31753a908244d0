"""Words of the typed pipeline and their decisions (tp/1). Trusted; from the rule book of TP.

Values have no names in the clauses but references, so a word is told by which operation each step is and which
references its arguments are; names are given back in order of creation.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import perm

from cwr_certificates.cnf import TRUE, Cnf, all_of, any_of, signed
from cwr_certificates.statements.tp_values import Args, Ref, Rows, Worth, values
from cwr_certificates.steps import Level, Steps, reaches, taken, tally
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import refuse
from cwr_solvers.worlds.tp.instance import Instance, Operation, Step, read_step, read_steps, write_steps


@dataclass(frozen=True, slots=True)
class Model:
    """`steps.chosen` and `args` are the decisions; made[ref]: ref exists; `worth` and `rows` are as in tp_values."""

    instance: Instance
    steps: Steps
    made: dict[Ref, int]
    args: Args
    worth: Worth
    rows: Rows
    decisions: tuple[int, ...]


def model_of(cnf: Cnf, instance: Instance, steps: Steps, outputs: dict[Ref, int]) -> Model:
    """Define the arguments, each of any earlier reference, and what follows from them."""
    made = {(-1, k): TRUE for k in range(len(instance.initial))} | outputs
    width = range(max((len(op.inputs) for op in instance.operations), default=0))
    args = [[{ref: cnf.new() for ref in made if ref[0] < p} for _ in width] for p in range(len(steps.idle))]
    worth, rows = values(cnf, instance, steps, args)
    kinds = [literal for row in steps.chosen for literal in row]
    decisions = (*kinds, *(literal for slots in args for refs in slots for literal in refs.values()))
    return Model(instance, steps, made, args, worth, rows, decisions)


def kinds(instance: Instance, steps: Steps, p: int) -> list[tuple[Operation, int]]:
    """All (operation, literal "step p is the operation")."""
    return list(zip(instance.operations, steps.chosen[p], strict=True))


def literals(model: Model, word: Json) -> tuple[int, ...]:
    """The decisions of a word; raises MalformedInput, also where the decisions do not give the word back."""
    given = read_steps(model.instance, word)
    place = {op.name: o for o, op in enumerate(model.instance.operations)}
    chosen = taken(model.steps, [place[step.op] for step in given], "/steps")
    refs: dict[str, Ref] = {name: (-1, k) for k, name in enumerate(model.instance.initial)}
    for p, step in enumerate(given):
        for slot, name in zip(model.args[p], step.args, strict=False):
            chosen.update(literal for ref, literal in slot.items() if refs.get(name) == ref)
        refs.update({name: (p, s) for s, name in enumerate(step.out)})
    if named(model, chosen) != given:
        refuse("domain", "/steps", "arguments that exist, as many as inputs, and ids in order of creation", "others")
    return signed(model.decisions, chosen)


def occurs(cnf: Cnf, model: Model, move: Json) -> list[int]:
    """Literals, one of which holds just when the move, with names as words have them, is in the word.

    Raises MalformedInput.
    """
    step, ids = read_step(model.instance, move, ""), list(model.instance.ids)
    created = tally(cnf, model.steps, 0, [len(op.outputs) for op in model.instance.operations])
    found = []
    for p, slots in enumerate(model.args):
        for op, chosen in kinds(model.instance, model.steps, p):
            if (op.name, len(op.inputs), len(op.outputs)) == (step.op, len(step.args), len(step.out)):
                out = [_exactly(created[p], ids.index(name) - s) for s, name in enumerate(step.out) if name in ids]
                args = [_called(cnf, model, created, slots[i], name) for i, name in enumerate(step.args)]
                literals = [literal for pair in out for literal in pair]
                found.append(all_of(cnf, [chosen, TRUE if len(out) == len(step.out) else -TRUE, *args, *literals]))
    return found


def _called(cnf: Cnf, model: Model, created: list[Level], slot: dict[Ref, int], name: str) -> int:
    """A literal that equals "the argument has the name"; output s of step q has the id after those before it."""
    initial, ids = list(model.instance.initial), list(model.instance.ids)
    ways = [one for (q, k), one in slot.items() if q < 0 and initial[k] == name]
    for (q, s), one in slot.items() if name in ids else ():
        if q >= 0:
            ways.append(all_of(cnf, [one, model.made[q, s], *_exactly(created[q], ids.index(name) - s)]))
    return any_of(cnf, ways)


def _exactly(level: Level, value: int) -> tuple[int, int]:
    """Two literals, both of which hold just when the sum is the value."""
    return reaches(level, value), -reaches(level, value + 1)


def named(model: Model, true: set[int]) -> tuple[Step, ...]:
    """The steps that the true variables tell, named in order of creation; the name "" where there is none left."""
    names = {(-1, k): name for k, name in enumerate(model.instance.initial)}
    fresh, steps = iter(model.instance.ids), []
    for p, slots in enumerate(model.args):
        for op, chosen in kinds(model.instance, model.steps, p):
            if chosen in true:
                args = [names.get(ref, "") for slot in slots for ref, literal in slot.items() if literal in true]
                out = tuple(next(fresh, "") for _ in op.outputs)
                names.update({(p, s): name for s, name in enumerate(out)})
                steps.append(Step(op.name, tuple(args), out))
    return tuple(steps)


def word(model: Model, true: set[int]) -> Json:
    """The word whose decisions are among the true variables."""
    return write_steps(named(model, true))


def namings(instance: Instance, word: Json) -> int:
    """n·(n-1)·…·(n-k+1) for n listed ids and k created values; raises MalformedInput."""
    return perm(len(instance.ids), sum(len(step.out) for step in read_steps(instance, word)))
