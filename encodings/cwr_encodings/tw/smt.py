"""TW in bits, by the state equation: a marking is no variable, it follows from how often each recipe ran so far.

position   one of the places of the run where an action may stand; there is one more than the budgets allow, so that
           the rules bind and not the size of the table
code       what stands at a position, a bit-vector: the number of a recipe, or the number of recipes for "idle"
count      how often a recipe ran before a position
marking    initial + sum over recipes of count · (produce − consume), in as many bits as the place can ever need
Arithmetic wraps, but under R1 no true marking is negative and none exceeds its bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import z3

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.smt import Encoding, Model, ValueOf, all_of, any_of
from cwr_solvers.jsontext import Json
from cwr_solvers.reading import as_name
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
    refuse_unsupported(claim, MOTIFS, MOTIFS, moves=True)
    run = _run(model, instance, _size(instance, claim), "action")
    word_shape(model, run)
    r1_tokens(model, instance, run)
    r2_maximum(model, instance, run)
    r3_minimum(model, instance, run)
    r4_total(model, instance, run)
    r5_actions(model, instance, run)
    r6_cost(model, instance, run)
    g_goal(model, instance, run)
    claim_bound(model, claim, run)
    claim_requests(model, claim, instance, run)
    names = [recipe.name for recipe in instance.recipes]

    def decode(value_of: ValueOf) -> Json:
        codes = [value_of(action) for action in run.actions]
        return write_actions(tuple(names[code] for code in codes if code < run.idle))

    # Backwards, because what follows the last action is alike for all words of one length.
    return Encoding(run.actions[::-1], run.length, decode, "BV" if claim.having else "QF_BV")


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


def claim_requests(model: Model, claim: Claim, instance: Instance, run: Run) -> None:
    """The motifs and moves that the claim wants to be there, or not.

    A motif asks something of all orders and assignments: to post it takes a quantifier, to deny it one of each.
    """
    for name in claim.having:
        found = MOTIFS[name](model, instance, run, f"having {name}")
        model.post("claim", found.always, _all(found.free, z3.Implies(found.valid, found.shows)))
    for name in claim.lacking:
        found = MOTIFS[name](model, instance, run, f"lacking {name}")
        model.post("claim", z3.Or(z3.Not(found.always), z3.And(found.valid, z3.Not(found.shows))))
    model.post("claim", *(_occurs(model, instance, run, move) for move in claim.required))
    model.post("claim", *(z3.Not(_occurs(model, instance, run, move)) for move in claim.forbidden))


@dataclass(frozen=True, slots=True)
class Reading:
    """A motif as terms: it holds when `always`, and `shows` whenever the values of `free` are `valid`."""

    always: z3.BoolRef
    free: tuple[z3.BitVecRef, ...]
    valid: z3.BoolRef
    shows: z3.BoolRef


@dataclass(frozen=True, slots=True)
class Streams:
    """How tokens flow in a run, by numbers: tokens of one place from one action are alike.

    amounts  [place][maker, taker] of the tokens that the action at `maker` produces there how many that at `taker`
             consumes; what it consumes beyond these is initial
    """

    amounts: dict[int, dict[tuple[int, int], z3.BitVecRef]]

    def feeds(self, model: Model, maker: int, taker: int) -> z3.BoolRef:
        """Whether an action consumes some token of another."""
        return any_of(model, (among[maker, taker] != 0 for among in self.amounts.values()))


def motif_main(model: Model, instance: Instance, run: Run, name: str) -> Reading:
    """main: catalysts are fewer than who reads them; in all orders and streams unequal branches meet."""
    order = _run(model, instance, len(run.actions), f"{name}: action")
    streams = _streams(model, instance, order, name)
    legal = Model(model.context, model.stop)
    word_shape(legal, order)
    for rule in (r1_tokens, r2_maximum, r3_minimum, r4_total):
        rule(legal, instance, order)
    legal.post("order", *(here == there for here, there in zip(order.counts[-1], run.counts[-1], strict=True)))
    _stream_limits(legal, instance, order, streams)
    amounts = [amount for among in streams.amounts.values() for amount in among.values()]
    return Reading(
        always=_is_scarce(model, instance, run),
        free=(*order.actions, *amounts),
        valid=all_of(model, (constraint for _, constraint in legal.posted)),
        shows=_branches_meet(model, order, streams),
    )


MOTIFS: dict[str, Callable[[Model, Instance, Run, str], Reading]] = {"main": motif_main}


def _all(free: Sequence[z3.BitVecRef], body: z3.BoolRef) -> z3.BoolRef:
    return z3.ForAll(list(free), body)


def _is_scarce(model: Model, instance: Instance, run: Run) -> z3.BoolRef:
    """(b): for some place fewer tokens ever exist than there are actions that read it."""
    size = len(run.actions)
    cases = []
    for place, start in enumerate(instance.initial):
        made = _level(model, start, [recipe.produce[place] for recipe in instance.recipes], run.counts[-1], size)
        readers = _level(model, 0, [int(recipe.read[place] > 0) for recipe in instance.recipes], run.counts[-1], size)
        bits = max(made.size(), readers.size())
        cases.append(z3.ULT(_resized(made, bits), _resized(readers, bits)))
    return any_of(model, cases)


def _branches_meet(model: Model, run: Run, streams: Streams) -> z3.BoolRef:
    """(a): some action consumes tokens of two others, of unequal depth and with disjoint histories."""
    size = len(run.actions)
    bits = size.bit_length()
    depths: list[z3.BitVecRef] = []
    histories: list[z3.BitVecRef] = []
    cases = []
    for taker in range(size):
        model.look_at_clock()
        feeds = [streams.feeds(model, maker, taker) for maker in range(taker)]
        deepest = z3.BitVecVal(0, bits, model.context)
        history = z3.BitVecVal(1 << taker, size, model.context)
        for fed, depth, past in zip(feeds, depths, histories, strict=True):
            deepest = z3.If(z3.And(fed, z3.UGT(depth, deepest)), depth, deepest)
            history = history | z3.If(fed, past, z3.BitVecVal(0, size, model.context))
        for one, two in combinations(range(taker), 2):
            apart = z3.And(histories[one] & histories[two] == 0, depths[one] != depths[two])
            cases.append(z3.And(feeds[one], feeds[two], apart))
        depths.append(deepest + 1)
        histories.append(history)
    return any_of(model, cases)


def _streams(model: Model, instance: Instance, run: Run, name: str) -> Streams:
    """An amount for each place that some recipe produces and some consumes, and for each two positions."""
    size = len(run.actions)
    amounts: dict[int, dict[tuple[int, int], z3.BitVecRef]] = {}
    for place in range(len(instance.places)):
        if any(one.consume[place] for one in instance.recipes) and any(one.produce[place] for one in instance.recipes):
            model.look_at_clock()
            bits = _stream_bits(instance, place, size)
            amounts[place] = {
                pair: z3.BitVec(f"{name}: {place} {pair}", bits, model.context) for pair in combinations(range(size), 2)
            }
    return Streams(amounts)


def _stream_bits(instance: Instance, place: int, size: int) -> int:
    """Enough bits for all that can be consumed in a run, and for what any one produces."""
    most = [size * recipe.consume[place] for recipe in instance.recipes]
    made = [recipe.produce[place] for recipe in instance.recipes]
    return max(1, max([instance.initial[place], *most, *made]).bit_length())


def _stream_limits(model: Model, instance: Instance, run: Run, streams: Streams) -> None:
    """No action takes more of a place than it consumes, gives more than it produces, and the initial tokens suffice."""
    size = len(run.actions)
    for place, among in streams.amounts.items():
        bits = _stream_bits(instance, place, size)
        none = z3.BitVecVal(0, bits, model.context)
        consumed = [
            _amount(run, at, [recipe.consume[place] for recipe in instance.recipes], none) for at in range(size)
        ]
        produced = [
            _amount(run, at, [recipe.produce[place] for recipe in instance.recipes], none) for at in range(size)
        ]
        initial = none
        for at in range(size):
            taken, given = none, none
            for (maker, taker), amount in among.items():
                if taker == at:
                    model.post("stream", z3.ULE(amount, consumed[at]))
                    taken = taken + amount
                if maker == at:
                    given = given + amount
            model.post("stream", z3.ULE(taken, consumed[at]), z3.ULE(given, produced[at]))
            initial = initial + consumed[at] - taken
        model.post("stream", z3.ULE(initial, instance.initial[place]))


def _amount(run: Run, position: int, weights: Sequence[int], none: z3.BitVecRef) -> z3.BitVecRef:
    """The weight of the recipe that stands at a position, 0 where none stands."""
    amount = none
    for recipe, weight in enumerate(weights):
        if weight:
            amount = z3.If(run.fires(position, recipe), z3.BitVecVal(weight, none.size(), none.ctx), amount)
    return amount


def _occurs(model: Model, instance: Instance, run: Run, move: Json) -> z3.BoolRef:
    """Whether a move stands at some position; raises MalformedInput for what is none."""
    name = as_name(move, "", instance.recipe, "recipe")
    number = [recipe.name for recipe in instance.recipes].index(name)
    return any_of(model, (run.fires(position, number) for position in range(len(run.actions))))


def _size(instance: Instance, claim: Claim) -> int:
    bounds = [instance.most_actions, instance.most_cost]
    return 1 + min(bounds if claim.most_cost is None else [*bounds, max(0, claim.most_cost)])


def _run(model: Model, instance: Instance, size: int, name: str) -> Run:
    idle = len(instance.recipes)
    bits = max(1, idle.bit_length())
    actions = tuple(z3.BitVec(f"{name} {position}", bits, model.context) for position in range(size))
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
