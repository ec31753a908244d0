"""Cyclic order (CO) for CP-SAT, by positions: at each step at most one card; which token is on which position between.

The rules are those of the rule book, `cwr_solvers.worlds.co`. A word is a sequence of cards; steps after its end are
idle. There is one step more than the budget allows (or than there are cards), so that the budget rule has something to
forbid. Cards, positions and tokens are numbered from 0, tokens as they stand in the reference; the number after the
last card stands for idle.

  card     of a step: which card is played, one integer
  source   of a step and a position: from which position the token comes that is on it after the step; the card
           determines all sources, and they ask for nothing: only R1 keeps a card from being played twice
  loop     before the first step, then after each: the token on each position
  offset   how far the last loop is rotated against the reference, where it equals it up to rotation; tokens differ,
           so that there is one offset at most and no word comes twice

`RULES` lists the functions that post the rules; `build` posts them all. `MOTIFS` lists the functions that give the
literal of a motif.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr, LinearExprT

from cwr_solvers.answers import Claim, refuse_unsupported
from cwr_solvers.backends.cpsat import Encoding, afford, any_of, equal, meet
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.co.instance import Card, Instance, read_label

Loop = tuple[IntVar, ...]  # by position


@dataclass(frozen=True, slots=True)
class Plan:
    """The variables. `played` is step × card, whether it is that step's card; `last` is the loop after all steps."""

    cards: tuple[IntVar, ...]
    played: tuple[tuple[IntVar, ...], ...]
    last: Loop
    length: LinearExprT


def build(model: CpModel, instance: Instance, claim: Claim) -> Encoding:
    """Post "an accepted word of the claim"; decisions are the cards of the steps."""
    refuse_unsupported(claim, MOTIFS, MOTIFS, moves=True)
    plan = _plan(model, instance, claim)
    for post in RULES.values():
        post(model, instance, plan)
    if claim.most_cost is not None:
        model.add(plan.length <= claim.most_cost)
    meet(
        model,
        claim,
        lambda motif: MOTIFS[motif](model, instance, plan),
        lambda move: occurs(model, instance, plan, move),
    )
    return Encoding(plan.cards, plan.length, lambda value_of: _decode(instance, plan, value_of))


def r1_once(model: CpModel, _instance: Instance, plan: Plan) -> None:
    """R1: a card is played at one step at most."""
    for literals in zip(*plan.played, strict=True):
        model.add_at_most_one(literals)


def r2_budget(model: CpModel, instance: Instance, plan: Plan) -> None:
    """R2: at most as many cards are played as the card budget."""
    model.add(plan.length <= instance.most_cards)


def g_goal(model: CpModel, instance: Instance, plan: Plan) -> None:
    """G: for some offset, each position has the token that the reference has that far on, from its end to its start."""
    number = len(instance.reference)
    offset = model.new_int_var(0, number - 1, "offset")
    for position, token in enumerate(plan.last):
        model.add_element(offset, [(position + shift) % number for shift in range(number)], token)


RULES: Mapping[str, Callable[[CpModel, Instance, Plan], None]] = {"R1": r1_once, "R2": r2_budget, "G": g_goal}


def occurs(model: CpModel, instance: Instance, plan: Plan, move: Json) -> IntVar:
    """Whether a card is played at some step; raises MalformedInput."""
    label = read_label(instance, move, "")
    return _some(model, instance, plan, lambda card: card.label == label)


def motif_main(model: CpModel, instance: Instance, plan: Plan) -> IntVar:
    """Some played card swaps positions that follow on each other, the last and the first included."""
    number = len(instance.reference)
    return _some(model, instance, plan, lambda card: card.second - card.first in (1, number - 1))


MOTIFS: Mapping[str, Callable[[CpModel, Instance, Plan], IntVar]] = {"main": motif_main}


def _some(model: CpModel, instance: Instance, plan: Plan, wanted: Callable[[Card], bool]) -> IntVar:
    """Whether some such card is played at some step."""
    numbers = [number for number, card in enumerate(instance.cards) if wanted(card)]
    return any_of(model, [literals[number] for literals in plan.played for number in numbers])


def _plan(model: CpModel, instance: Instance, claim: Claim) -> Plan:
    """Variables, and what is no rule: idle steps come last, and the loops that the cards lead to."""
    steps, idle, size = _steps(instance, claim), len(instance.cards), len(instance.reference)
    # the solver spells an element of variables out by index and value
    afford(steps * (4 * idle + size * (idle + size * size)), f"a word of {steps} cards")
    token = {name: number for number, name in enumerate(instance.reference)}
    loop: Loop = tuple(model.new_constant(token[name]) for name in instance.broken)
    cards: list[IntVar] = []
    played: list[tuple[IntVar, ...]] = []
    ended: list[IntVar] = []
    for step in range(steps):
        card = model.new_int_var(0, idle, f"card@{step}")
        played.append(tuple(equal(model, card, number) for number in range(idle)))
        ended.append(equal(model, card, idle))
        if step:
            model.add_implication(ended[-2], ended[-1])
        loop = _after(model, instance, loop, card)
        cards.append(card)
    return Plan(tuple(cards), tuple(played), loop, steps - LinearExpr.sum(ended))


def _steps(instance: Instance, claim: Claim) -> int:
    """One more than the most cards that budget and claim allow and that there are."""
    most = min(instance.most_cards, len(instance.cards))
    return 1 + (most if claim.most_cost is None else max(0, min(most, claim.most_cost)))


def _after(model: CpModel, instance: Instance, before: Loop, card: IntVar) -> Loop:
    """The loop after a step."""
    after: list[IntVar] = []
    for position in range(len(before)):
        source = model.new_int_var(0, len(before) - 1, f"source of {position}")
        model.add_element(card, [*(_source(one, position) for one in instance.cards), position], source)
        token = model.new_int_var(0, len(before) - 1, f"token on {position}")
        model.add_element(source, before, token)
        after.append(token)
    return tuple(after)


def _source(card: Card, position: int) -> int:
    """From which position (numbered from 0) a card fetches the token for this one."""
    return {card.first - 1: card.second - 1, card.second - 1: card.first - 1}.get(position, position)


def _decode(instance: Instance, plan: Plan, value_of: Callable[[IntVar], int]) -> Json:
    numbers = [value_of(card) for card in plan.cards]
    return {"cards": [instance.cards[number].label for number in numbers if number < len(instance.cards)]}
