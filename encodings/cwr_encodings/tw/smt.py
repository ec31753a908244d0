"""TW in bits, by the state equation: a marking is no variable, it follows from how often each recipe ran so far.

position   one of the places of the run where an action may stand; there is one more than the budgets allow, so that
           the rules bind and not the size of the table
code       what stands at a position, a bit-vector: the number of a recipe, or the number of recipes for "idle"
count      how often a recipe ran before a position
marking    initial + sum over recipes of count · (produce − consume), in as many bits as the place can ever need
Arithmetic wraps, but under R1 no true marking is negative and none exceeds its bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.smt import Encoding, Model, ValueOf
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.tw.instance import Instance, Range, write_actions


@dataclass(frozen=True, slots=True)
class Run:
    """The terms of one question.

    actions   the code at each position
    idle      the code for "no action"
    counts    [position][recipe] how often the recipe ran before the position; the last row: at the end
    markings  [position][place] the tokens there before the position; the last row: at the end
    totals    [position] the total of all tokens likewise
    length    the number of actions
    """

    actions: tuple[z3.BitVecRef, ...]
    idle: int
    counts: tuple[tuple[z3.BitVecRef, ...], ...]
    markings: tuple[tuple[z3.BitVecRef, ...], ...]
    totals: tuple[z3.BitVecRef, ...]
    length: z3.BitVecRef

    def fires(self, position: int, recipe: int) -> z3.BoolRef:
        return self.actions[position] == recipe

    def rests(self, position: int) -> z3.BoolRef:
        return self.actions[position] == self.idle


def build(model: Model, instance: Instance, claim: Claim) -> Encoding:
    """Post the accepted submissions of `instance` within the claim's bound."""
    refuse_unsupported(claim, (), (), moves=False)
    run = _run(model, instance, claim)
    word_shape(model, run)
    r1_tokens(model, instance, run)
    r2_maximum(model, instance, run)
    r3_minimum(model, instance, run)
    r4_total(model, instance, run)
    r5_actions(model, instance, run)
    r6_cost(model, instance, run)
    g_goal(model, instance, run)
    claim_bound(model, claim, run)
    names = [recipe.name for recipe in instance.recipes]

    def decode(value_of: ValueOf) -> Json:
        codes = [value_of(action) for action in run.actions]
        return write_actions(tuple(names[code] for code in codes if code < run.idle))

    # Backwards, because what follows the last action is alike for all words of one length.
    return Encoding(run.actions[::-1], run.length, decode, "QF_BV")


def word_shape(model: Model, run: Run) -> None:
    """A code is a recipe or idle; after idle all is idle."""
    for position, action in enumerate(run.actions):
        model.post("word", z3.ULE(action, run.idle))
        if position:
            model.post("word", z3.Implies(run.rests(position - 1), run.rests(position)))


def r1_tokens(model: Model, instance: Instance, run: Run) -> None:
    """R1: every place holds at least consumed + read tokens of the recipe."""
    for position, marking in enumerate(run.markings[:-1]):
        for number, recipe in enumerate(instance.recipes):
            for held, consumed, read in zip(marking, recipe.consume, recipe.read, strict=True):
                if consumed + read:
                    enough = _at_least(held, consumed + read)
                    model.post("R1", z3.Implies(run.fires(position, number), enough))


def r2_maximum(model: Model, instance: Instance, run: Run) -> None:
    """R2: after every step no place is above its `throughout` maximum."""
    for marking in run.markings[1:]:
        for held, allowed in zip(marking, instance.throughout.places, strict=True):
            if allowed.most is not None:
                model.post("R2", _at_most(held, allowed.most))


def r3_minimum(model: Model, instance: Instance, run: Run) -> None:
    """R3: after every step no place is below its `throughout` minimum."""
    for marking in run.markings[1:]:
        for held, allowed in zip(marking, instance.throughout.places, strict=True):
            if allowed.least:
                model.post("R3", _at_least(held, allowed.least))


def r4_total(model: Model, instance: Instance, run: Run) -> None:
    """R4: after every step the total is within the `throughout` bounds of the total."""
    for total in run.totals[1:]:
        model.post("R4", *_within(total, instance.throughout.total))


def r5_actions(model: Model, instance: Instance, run: Run) -> None:
    """R5: at most as many steps as the action budget."""
    model.post("R5", *(run.rests(position) for position in range(instance.most_actions, len(run.actions))))


def r6_cost(model: Model, instance: Instance, run: Run) -> None:
    """R6: the cost, one a step, is within the cost budget."""
    model.post("R6", *(run.rests(position) for position in range(instance.most_cost, len(run.actions))))


def g_goal(model: Model, instance: Instance, run: Run) -> None:
    """G: at the end every place and the total are within the goal's bounds."""
    for held, allowed in zip(run.markings[-1], instance.goal.places, strict=True):
        model.post("G", *_within(held, allowed))
    model.post("G", *_within(run.totals[-1], instance.goal.total))


def claim_bound(model: Model, claim: Claim, run: Run) -> None:
    """The claim's own bound of the cost."""
    if claim.most_cost is not None:
        model.post(
            "claim",
            claim.most_cost >= 0,
            *(run.rests(position) for position in range(max(0, claim.most_cost), len(run.actions))),
        )


def _run(model: Model, instance: Instance, claim: Claim) -> Run:
    bounds = [instance.most_actions, instance.most_cost]
    most = min(bounds if claim.most_cost is None else [*bounds, max(0, claim.most_cost)])
    size = most + 1
    idle = len(instance.recipes)
    bits = max(1, idle.bit_length())
    actions = tuple(z3.BitVec(f"action {position}", bits, model.context) for position in range(size))
    counts = _counts(model, actions, idle)
    gains = [[made - used for made, used in zip(one.produce, one.consume, strict=True)] for one in instance.recipes]
    columns = [[gain[place] for gain in gains] for place in range(len(instance.places))]
    markings = []
    for row in counts:
        model.look_at_clock()
        levels = zip(instance.initial, columns, strict=True)
        markings.append(tuple(_level(model, start, column, row, size) for start, column in levels))
    sums = [sum(gain) for gain in gains]
    totals = tuple(_level(model, sum(instance.initial), sums, row, size) for row in counts)
    length = _level(model, 0, [1] * idle, counts[-1], size)
    return Run(actions, idle, counts, tuple(markings), totals, length)


def _counts(model: Model, actions: Sequence[z3.BitVecRef], recipes: int) -> tuple[tuple[z3.BitVecRef, ...], ...]:
    """How often each recipe ran before each position, and at the end."""
    bits = len(actions).bit_length()
    none, one = (z3.BitVecVal(number, bits, model.context) for number in (0, 1))
    rows = [(none,) * recipes]
    for action in actions:
        model.look_at_clock()
        rows.append(tuple(z3.If(action == recipe, count + one, count) for recipe, count in enumerate(rows[-1])))
    return tuple(rows)


def _level(model: Model, start: int, gains: Sequence[int], counts: Sequence[z3.BitVecRef], size: int) -> z3.BitVecRef:
    """start + sum of gain · count, in enough bits for the greatest sum that `size` actions can reach."""
    bits = max(1, (start + size * max([0, *gains])).bit_length())
    level = z3.BitVecVal(start, bits, model.context)
    for gain, count in zip(gains, counts, strict=True):
        if gain:
            level = level + _resized(count, bits) * z3.BitVecVal(gain, bits, model.context)
    return level


def _resized(count: z3.BitVecRef, bits: int) -> z3.BitVecRef:
    """The count modulo 2^bits."""
    if count.size() < bits:
        return z3.ZeroExt(bits - count.size(), count)
    return z3.Extract(bits - 1, 0, count)


def _at_least(held: z3.BitVecRef, bound: int) -> z3.BoolRef | bool:
    """held ≥ bound; a bound beyond the bits of `held` is never reached."""
    return False if bound >= 2 ** held.size() else z3.UGE(held, bound)


def _at_most(held: z3.BitVecRef, bound: int) -> z3.BoolRef | bool:
    """held ≤ bound; a bound beyond the bits of `held` always holds."""
    return True if bound >= 2 ** held.size() else z3.ULE(held, bound)


def _within(held: z3.BitVecRef, allowed: Range) -> tuple[z3.BoolRef | bool, ...]:
    least = _at_least(held, allowed.least)
    return (least,) if allowed.most is None else (least, _at_most(held, allowed.most))
