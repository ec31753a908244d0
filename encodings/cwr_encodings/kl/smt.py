"""KL by sets of objects: each place (a node, the carrier's hold, the consumed) is a bit-vector with a bit an object.

position   one of the places of the run where an action may stand; there is one more than the action budget allows, so
           that the rules bind and not the size of the table
code       what stands at a position, a bit-vector: pickups in the order of objects, then drops, then moves in the order
           of edges, then "idle"
set        a bit-vector with one bit an object, the first object lowest
Every action takes a set out of all places and lays it down in one: a pickup the object into the hold, a drop the object
at the carrier's node, a move the key that it uses up, if any, among the consumed. Where the sets are and where the
carrier is are no variables: they follow from the codes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import z3

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.smt import Encoding, Model, ValueOf, any_of, post_requests
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.kl.instance import CONSUMED, HELD, Edge, Instance, read_action, write_actions

Bits: TypeAlias = z3.BitVecRef


@dataclass(frozen=True, slots=True)
class Moment:
    """What is so between two actions: the number of the carrier's node, and the set of objects in each place."""

    carrier: Bits
    sets: dict[str, Bits]


@dataclass(frozen=True, slots=True)
class Run:
    """The terms of one question.

    asked       the instance
    actions     the code at each position
    objects     how many objects there are
    idle        the code for "no action"
    moments     the moment before each position; the last: at the end
    traversals  how many moves there are
    cost        what all actions cost
    """

    asked: Instance
    actions: tuple[Bits, ...]
    objects: int
    idle: int
    moments: tuple[Moment, ...]
    traversals: Bits
    cost: Bits

    def picks_up(self, position: int, thing: int) -> z3.BoolRef:
        return self.actions[position] == thing

    def drops(self, position: int, thing: int) -> z3.BoolRef:
        return self.actions[position] == self.objects + thing

    def moves(self, position: int, edge: int) -> z3.BoolRef:
        return self.actions[position] == 2 * self.objects + edge

    def rests(self, position: int) -> z3.BoolRef:
        return self.actions[position] == self.idle


def build(model: Model, instance: Instance, claim: Claim) -> Encoding:
    """Post the accepted submissions of `instance` within the claim's bound."""
    refuse_unsupported(claim, MOTIFS, MOTIFS, moves=True)
    run = _run(model, instance)
    word_shape(model, run)
    for rule in RULES.values():
        rule(model, run)
    claim_bound(model, claim, run)
    claim_requests(model, claim, run)
    vocabulary = tuple(instance.action.values())

    def decode(value_of: ValueOf) -> Json:
        codes = [value_of(action) for action in run.actions]
        return write_actions(tuple(vocabulary[code] for code in codes if code < run.idle))

    # Backwards, because what follows the last action is alike for all words of one length.
    return Encoding(run.actions[::-1], run.cost, decode, "QF_BV")


def word_shape(model: Model, run: Run) -> None:
    """A code is an action or idle; after idle all is idle."""
    for position, action in enumerate(run.actions):
        model.post("word", z3.ULE(action, run.idle))
        if position:
            model.post("word", z3.Implies(run.rests(position - 1), run.rests(position)))


def r1_there(model: Model, run: Run) -> None:
    """R1: what is picked up lies at the carrier's node."""
    for position, moment in enumerate(run.moments[:-1]):
        here = _lying_here(run.asked, moment)
        for thing in range(run.objects):
            model.post("R1", z3.Implies(run.picks_up(position, thing), _has(here, thing)))


def r2_space(model: Model, run: Run) -> None:
    """R2: before a pickup fewer objects are held than the capacity."""
    for position, moment in enumerate(run.moments[:-1]):
        spare = _at_most(_size(moment.sets[HELD], run.objects), run.asked.capacity - 1)
        model.post("R2", *(z3.Implies(run.picks_up(position, thing), spare) for thing in range(run.objects)))


def r3_held(model: Model, run: Run) -> None:
    """R3: what is dropped is held."""
    for position, moment in enumerate(run.moments[:-1]):
        for thing in range(run.objects):
            model.post("R3", z3.Implies(run.drops(position, thing), _has(moment.sets[HELD], thing)))


def r4_from(model: Model, run: Run) -> None:
    """R4: the carrier is at the node where the edge starts."""
    for position, moment in enumerate(run.moments[:-1]):
        for number, edge in enumerate(run.asked.edges):
            there = moment.carrier == run.asked.nodes.index(edge.source)
            model.post("R4", z3.Implies(run.moves(position, number), there))


def r5_key(model: Model, run: Run) -> None:
    """R5: the key that the edge asks for is held."""
    for position, moment in enumerate(run.moments[:-1]):
        for number, edge in enumerate(run.asked.edges):
            if edge.key is not None:
                key = _has(moment.sets[HELD], run.asked.index[edge.key])
                model.post("R5", z3.Implies(run.moves(position, number), key))


def r6_actions(model: Model, run: Run) -> None:
    """R6: at most as many steps as the action budget."""
    model.post("R6", *(run.rests(position) for position in range(run.asked.most_actions, len(run.actions))))


def r7_traversals(model: Model, run: Run) -> None:
    """R7: at most as many moves as the traversal budget; their number only rises, so it is judged at the end."""
    model.post("R7", _at_most(run.traversals, run.asked.most_traversals))


def r8_cost(model: Model, run: Run) -> None:
    """R8: the cost is within the cost budget; it never falls, so it is judged at the end."""
    model.post("R8", _at_most(run.cost, run.asked.most_cost))


def g_goal(model: Model, run: Run) -> None:
    """G: at the end carrier and objects are where the goal says, and no more are held than it says."""
    end = run.moments[-1]
    if run.asked.goal_carrier is not None:
        model.post("G", end.carrier == run.asked.nodes.index(run.asked.goal_carrier))
    for name, place in run.asked.goal_locations.items():
        model.post("G", _has(end.sets[place], run.asked.index[name]))
    if run.asked.most_held is not None:
        model.post("G", _at_most(_size(end.sets[HELD], run.objects), run.asked.most_held))


RULES: dict[str, Callable[[Model, Run], None]] = {
    "R1": r1_there,
    "R2": r2_space,
    "R3": r3_held,
    "R4": r4_from,
    "R5": r5_key,
    "R6": r6_actions,
    "R7": r7_traversals,
    "R8": r8_cost,
    "G": g_goal,
}


def claim_bound(model: Model, claim: Claim, run: Run) -> None:
    """The claim's own bound of the cost."""
    if claim.most_cost is not None:
        model.post("claim", _at_most(run.cost, claim.most_cost))


def claim_requests(model: Model, claim: Claim, run: Run) -> None:
    """The motifs and moves that the claim wants to be there, or not."""
    post_requests(model, claim, lambda name: MOTIFS[name](model, run), lambda move: _occurs(model, run, move))


def motif_main(model: Model, run: Run) -> z3.BoolRef:
    """main: some cargo stays held through all keyed moves, and between two of them the later one's key is acquired."""
    return z3.And(_carried_through(model, run), _acquired_between(model, run))


MOTIFS: dict[str, Callable[[Model, Run], z3.BoolRef]] = {"main": motif_main}


def _carried_through(model: Model, run: Run) -> z3.BoolRef:
    """(a): there are two keyed moves, and some goal cargo is held from before the first to after the last."""
    keyed = [_moves_along(model, run, position, _keyed(run.asked)) for position in range(len(run.actions))]
    cargo = sum(1 << run.asked.index[name] for name, at in run.asked.goal_locations.items() if at in run.asked.nodes)
    kept = z3.BitVecVal(cargo, run.moments[0].sets[HELD].size(), model.context)
    two = any_of(model, (z3.And(one, any_of(model, keyed[:position])) for position, one in enumerate(keyed)))
    for number, moment in enumerate(run.moments):
        model.look_at_clock()
        begun, unfinished = any_of(model, keyed[: number + 1]), any_of(model, keyed[max(0, number - 1) :])
        kept = z3.If(z3.And(begun, unfinished), kept & moment.sets[HELD], kept)
    return z3.And(two, kept != 0)


def _acquired_between(model: Model, run: Run) -> z3.BoolRef:
    """(b): the key of some keyed move was first picked up on the way since the one before, which consumed its own."""
    consuming = [number for number in _keyed(run.asked) if run.asked.edges[number].consumes]
    none = z3.BitVecVal(0, run.moments[0].sets[HELD].size(), model.context)
    known, fresh = none, none  # what was ever picked up, and what of it for the first time where it counts
    consumed = any_of(model, ())  # whether the latest keyed move consumed its key
    found = []
    for position, action in enumerate(run.actions):
        model.look_at_clock()
        for number in _keyed(run.asked):
            found.append(
                z3.And(run.moves(position, number), _has(fresh, run.asked.index[str(run.asked.edges[number].key)]))
            )
        picked = _pick(action, [1 << thing for thing in range(run.objects)], none)
        counts = z3.And(consumed, _is_midway(run, run.moments[position]))
        moved = _moves_along(model, run, position, _keyed(run.asked))
        fresh = z3.If(moved, none, fresh | z3.If(counts, picked & ~known, none))
        consumed = z3.If(moved, _moves_along(model, run, position, consuming), consumed)
        known = known | picked
    return any_of(model, found)


def _keyed(instance: Instance) -> list[int]:
    """The edges that ask for a key and lead to another node."""
    return [number for number, edge in enumerate(instance.edges) if edge.key is not None and edge.source != edge.target]


def _moves_along(model: Model, run: Run, position: int, edges: Sequence[int]) -> z3.BoolRef:
    return any_of(model, (run.moves(position, number) for number in edges))


def _is_midway(run: Run, moment: Moment) -> z3.BoolRef:
    """Whether the carrier is neither at its initial node nor at its last one."""
    return z3.And(moment.carrier != run.moments[0].carrier, moment.carrier != run.moments[-1].carrier)


def _occurs(model: Model, run: Run, move: Json) -> z3.BoolRef:
    """Whether a move stands at some position; raises MalformedInput for what is none."""
    code = list(run.asked.action.values()).index(read_action(run.asked, move, ""))
    return any_of(model, (action == code for action in run.actions))


def _run(model: Model, instance: Instance) -> Run:
    objects, edges = len(instance.initial), instance.edges
    idle = 2 * objects + len(edges)
    bits = _bits(idle)
    actions = tuple(
        z3.BitVec(f"action {position}", bits, model.context) for position in range(instance.most_actions + 1)
    )
    moments = [_first(model, instance)]
    for action in actions:
        model.look_at_clock()
        moments.append(_next(instance, moments[-1], action))
    costs = [instance.pickup_cost] * objects + [instance.drop_cost] * objects + [edge.cost for edge in edges]
    moved = [0] * (2 * objects) + [1] * len(edges)
    return Run(
        instance, actions, objects, idle, tuple(moments), _total(model, actions, moved), _total(model, actions, costs)
    )


def _first(model: Model, instance: Instance) -> Moment:
    """The moment before the first action."""
    width = max(1, len(instance.initial))
    sets = {
        place: z3.BitVecVal(
            sum(1 << thing for thing, at in enumerate(instance.initial.values()) if at == place), width, model.context
        )
        for place in (*instance.nodes, HELD, CONSUMED)
    }
    carrier = instance.nodes.index(instance.carrier)
    return Moment(z3.BitVecVal(carrier, _bits(len(instance.nodes) - 1), model.context), sets)


def _next(instance: Instance, before: Moment, action: Bits) -> Moment:
    """The moment after an action: what it takes up is nowhere but where it lays it down."""
    objects = len(instance.initial)
    singles = [1 << thing for thing in range(objects)]
    keys = [_used_up(instance, edge) for edge in instance.edges]
    taken = _pick(action, [*singles, *singles, *keys], before.sets[HELD])
    picks_up = z3.ULT(action, objects)
    drops = z3.And(z3.UGE(action, objects), z3.ULT(action, 2 * objects))
    here = {node: z3.And(drops, before.carrier == number) for number, node in enumerate(instance.nodes)}
    goes = {**here, HELD: picks_up, CONSUMED: z3.UGE(action, 2 * objects)}
    nothing = z3.BitVecVal(0, taken.size(), taken.ctx)
    sets = {place: (held & ~taken) | z3.If(goes[place], taken, nothing) for place, held in before.sets.items()}
    carrier = before.carrier
    for number, edge in enumerate(instance.edges):
        target = z3.BitVecVal(instance.nodes.index(edge.target), carrier.size(), carrier.ctx)
        carrier = z3.If(action == 2 * objects + number, target, carrier)
    return Moment(carrier, sets)


def _used_up(instance: Instance, edge: Edge) -> int:
    """The set of what a traversal uses up."""
    return 1 << instance.index[edge.key] if edge.key is not None and edge.consumes else 0


def _lying_here(instance: Instance, moment: Moment) -> Bits:
    """The set of the objects at the carrier's node."""
    here = z3.BitVecVal(0, moment.sets[HELD].size(), moment.carrier.ctx)
    for number, node in enumerate(instance.nodes):
        here = z3.If(moment.carrier == number, moment.sets[node], here)
    return here


def _has(things: Bits, thing: int) -> z3.BoolRef:
    return z3.Extract(thing, thing, things) == 1


def _size(things: Bits, objects: int) -> Bits:
    """How many of the objects a set has."""
    bits = _bits(objects)
    total = z3.BitVecVal(0, bits, things.ctx)
    for thing in range(objects):
        total = total + _resized(z3.Extract(thing, thing, things), bits)
    return total


def _total(model: Model, actions: Sequence[Bits], worth: Sequence[int]) -> Bits:
    """The sum over all positions of what the action there is worth; idle is worth nothing."""
    none = z3.BitVecVal(0, _bits(len(actions) * max([0, *worth])), model.context)
    total = none
    for action in actions:
        model.look_at_clock()
        total = total + _pick(action, worth, none)
    return total


def _pick(action: Bits, values: Sequence[int], like: Bits) -> Bits:
    """The value of the action that stands there, 0 for idle, in as many bits as `like` has."""
    picked = z3.BitVecVal(0, like.size(), like.ctx)
    for number, value in enumerate(values):
        if value:
            picked = z3.If(action == number, z3.BitVecVal(value, like.size(), like.ctx), picked)
    return picked


def _bits(most: int) -> int:
    """Enough bits for 0..most."""
    return max(1, most.bit_length())


def _resized(bit: Bits, bits: int) -> Bits:
    """One bit as a number of so many bits."""
    return bit if bits == 1 else z3.ZeroExt(bits - 1, bit)


def _at_most(number: Bits, bound: int) -> z3.BoolRef | bool:
    """number ≤ bound; a bound beyond the bits of `number` always holds, one below 0 never."""
    if bound < 0:
        return False
    return True if bound >= 2 ** number.size() else z3.ULE(number, bound)
