"""Words of circuits, their decisions and vectors (bc/1). Trusted; from the rule book of BC.

Signals have numbers: the pins from 0 in stated order, then gate p as number (pins + p). Only definitions stand here:
they forbid no word.
"""

from __future__ import annotations

from dataclasses import dataclass

from cwr_certificates.cnf import TRUE, Cnf, all_of, any_of, signed
from cwr_certificates.steps import Level, Steps, taken, tally
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import refuse
from cwr_solvers.worlds.bc.instance import Circuit, Gate, Instance, read_circuit, read_gate, write_circuit

Pairs = dict[tuple[int, int], int]  # {(s, t): literal "the gate reads s, then t"}
Vector = tuple[int, ...]  # for each row a literal that equals the value of the signal there


@dataclass(frozen=True, slots=True)
class Model:
    """`steps.chosen` (operators), `reads[p]` (of gate p) and `outputs[j][s]` (output j is signal s) are the decisions.
    `vectors[s]` is that of signal s; `cost` is the sum of all costs."""

    instance: Instance
    steps: Steps
    reads: tuple[Pairs, ...]
    outputs: tuple[tuple[int, ...], ...]
    vectors: tuple[Vector, ...]
    cost: Level
    decisions: tuple[int, ...]


def model_of(cnf: Cnf, instance: Instance, steps: Steps) -> Model:
    """Define which pairs of signals gates may read, what they compute, which signals outputs may be, and the cost.

    Where all operators are symmetric, pairs are sorted in every word, and there are no others.
    """
    n, every = len(instance.pins), all(operator.symmetric for operator in instance.operators)
    vectors = [tuple(TRUE if r >> (n - 1 - pin) & 1 else -TRUE for r in range(2**n)) for pin in range(n)]
    reads = []
    for kinds in steps.chosen:
        before = range(len(vectors))
        reads.append({(s, t): cnf.new() for s in before for t in before if s <= t or not every})
        vectors.append(computed(cnf, instance, kinds, reads[-1], vectors))
    outputs = tuple(tuple(cnf.new() for _ in vectors) for _ in instance.goal)
    cost = tally(cnf, steps, 0, [operator.cost for operator in instance.operators])[-1]
    rows = (*steps.chosen, *(tuple(pairs.values()) for pairs in reads), *outputs)
    decisions = tuple(literal for row in rows for literal in row)
    return Model(instance, steps, tuple(reads), outputs, tuple(vectors), cost, decisions)


def computed(cnf: Cnf, instance: Instance, kinds: Vector, pairs: Pairs, vectors: list[Vector]) -> Vector:
    """Define the vector of a gate: where it reads s and t, a row that gives them the values x and y has the value at
    number 2x + y of its operator's table. Of an idle place nothing is said."""
    vector = tuple(cnf.new() for _ in vectors[0])
    for number in range(4):
        chosen = zip(instance.operators, kinds, strict=True)
        value = any_of(cnf, [one for operator, one in chosen if operator.table[number]])
        x, y = divmod(number, 2)
        for (s, t), literal in pairs.items():
            for one, other, result in zip(vectors[s], vectors[t], vector, strict=True):
                unless = (-literal, -one if x else one, -other if y else other)
                cnf.add(*unless, -value, result)
                cnf.add(*unless, value, -result)
    return vector


def literals(model: Model, word: Json) -> tuple[int, ...]:
    """The decisions of a word; raises MalformedInput, also where the circuit is not in normal form."""
    instance, circuit = model.instance, read_circuit(model.instance, word)
    number = {operator.name: o for o, operator in enumerate(instance.operators)}
    chosen = taken(model.steps, [number[gate.op] for gate in circuit.gates], "/gates")
    normal = True
    for pairs, gate in zip(model.reads, circuit.gates, strict=False):
        s, t = (instance.place[name] for name in gate.inputs)
        chosen.update(literal for pair, literal in pairs.items() if pair == (s, t))
        normal = normal and (s <= t or not instance.operator[gate.op].symmetric)
    chosen.update(row[instance.place[name]] for row, name in zip(model.outputs, circuit.outputs, strict=True))
    if not normal or told(model, chosen) != circuit:
        refuse("domain", "/gates", "gates g0, g1, … that read signals before them, sorted where symmetric", "others")
    return signed(model.decisions, chosen)


def told(model: Model, true: set[int]) -> Circuit:
    """The circuit that the true variables tell."""
    instance, gates = model.instance, list[Gate]()
    names = (*instance.pins, *instance.ids)
    for name, kinds, pairs in zip(instance.ids, model.steps.chosen, model.reads, strict=True):
        operators = [operator.name for operator, one in zip(instance.operators, kinds, strict=True) if one in true]
        inputs = [(names[s], names[t]) for (s, t), one in pairs.items() if one in true]
        gates += [Gate(name, operator, pair) for operator in operators for pair in inputs]
    signals = [name for row in model.outputs for name, one in zip(names, row, strict=True) if one in true]
    return Circuit(tuple(gates), tuple(signals))


def occurs(cnf: Cnf, model: Model, move: Json) -> list[int]:
    """Literals, one of which holds just when the move is in the word; raises MalformedInput."""
    instance, gate = model.instance, read_gate(model.instance, move, "")
    pair = instance.place[gate.inputs[0]], instance.place[gate.inputs[1]]
    if pair[0] > pair[1] and instance.operator[gate.op].symmetric:
        refuse("domain", "/inputs", "the inputs of a symmetric operator in their order", "another order")
    p, o = instance.ids.index(gate.id), list(instance.operator).index(gate.op)
    return [all_of(cnf, [model.steps.chosen[p][o], model.reads[p][pair]])] if pair in model.reads[p] else []


def word(model: Model, true: set[int]) -> Json:
    """The word whose decisions are among the true variables."""
    return write_circuit(model.instance, told(model, true))


def namings(instance: Instance, word: Json) -> int:
    """2^k for k gates with a symmetric operator and two different inputs; raises MalformedInput."""
    gates = read_circuit(instance, word).gates
    return 1 << sum(instance.operator[gate.op].symmetric and len(set(gate.inputs)) == 2 for gate in gates)
