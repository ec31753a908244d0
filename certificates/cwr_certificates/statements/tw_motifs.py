"""The motif of the token workshop, negated (tw/3). Trusted; written from the rule book of TW.

The tokens of a place are numbered as they come to be there: initial ones first, then as they are produced. An action
has hands at each place, one for each token that it consumes there, and a hand takes a token by its number. The numbers
in the hands are an assignment; they and the order are the only free choices, made only where (b) holds. What is true
of a token (its depth, its history) passes through the hand that takes it to the action, and on to what that produces.
"""

from __future__ import annotations

from itertools import combinations, pairwise, permutations
from typing import NamedTuple

from cwr_certificates.cnf import TRUE, Cnf, all_of, any_of
from cwr_certificates.statements.tw_words import can_run
from cwr_certificates.steps import Level, Steps, reaches, same_kinds, tally
from cwr_solvers.worlds.tw.instance import Instance

# Of a token, of what a hand holds, or of what an action makes, where the budget has n actions: literal d equals "its
# depth is above d", literal n + s "action s is in its history". All are false of initial tokens and of idle hands.
Line = list[int]


class Shelf(NamedTuple):
    """A place while the actions of the order pass: `put[t]` is how many tokens were ever there before action t,
    `weights` how many each recipe consumes there. `gone` and `lines` are of each token, as things stand."""

    put: list[Level]
    weights: list[int]
    gone: list[int]
    lines: list[Line]


def deny_main(cnf: Cnf, instance: Instance, word: Steps, order: Steps) -> None:
    """Post "(b) fails, or (a) fails in an assignment of the order", which breaks no rule and has the word's actions."""
    short = short_of_tokens(cnf, instance, word)
    if short == -TRUE:
        return
    same_kinds(cnf, word, order)
    shelves = [shelf(cnf, instance, order, q) for q in range(len(instance.places))]
    nothing = [-TRUE] * 2 * len(order.idle)
    for t, kinds in enumerate(order.chosen):
        acts = [both(cnf, short, kind) for kind in kinds]
        hands = [held(cnf, taken, one, nothing) for one in shelves for taken in takes(cnf, one, acts, t)]
        no_unequal_join(cnf, hands)
        made = product(cnf, [nothing, *hands], t)
        for one in shelves:
            put_down(cnf, one, made, t)


def short_of_tokens(cnf: Cnf, instance: Instance, word: Steps) -> int:
    """A literal that equals (b): for some place, the tokens ever there less the actions that read there are below 0."""
    short = []
    for q, start in enumerate(instance.initial):
        if any(recipe.read[q] for recipe in instance.recipes):
            gains = [recipe.produce[q] - (recipe.read[q] > 0) for recipe in instance.recipes]
            short.append(-reaches(tally(cnf, word, start, gains)[-1], 0))
    return any_of(cnf, short)


def shelf(cnf: Cnf, instance: Instance, order: Steps, q: int) -> Shelf:
    """A place before the first action. More tokens than the whole order can take are never missed, neither of the
    initial ones nor of those that one action produces."""
    n, recipes = len(order.idle), instance.recipes
    weights = [recipe.consume[q] * runs for recipe, runs in zip(recipes, can_run(instance, n), strict=True)]
    most = n * max(weights)
    put = tally(cnf, order, min(instance.initial[q], most), [min(recipe.produce[q], most) for recipe in recipes])
    tokens = put[-1][-1][0]
    cnf.room(most * tokens)
    return Shelf(put, weights, [-TRUE] * tokens, [[-TRUE] * 2 * n] * tokens)


def takes(cnf: Cnf, shelf: Shelf, acts: list[int], t: int) -> list[list[int]]:
    """For each hand of action t at the place, literals that equal "it takes token n": one is true when the action
    consumes so many there, else none. Post: tokens that are taken are there and not gone."""
    tokens, hands = shelf.put[t][-1][0], []
    for hand in range(max(shelf.weights)):
        works = any_of(cnf, [act for act, weight in zip(acts, shelf.weights, strict=True) if weight > hand])
        number = [works, *(cnf.new() for _ in range(1, tokens)), -TRUE]  # [n]: it takes token n or a later one
        hands.append([both(cnf, low, -high) for low, high in pairwise(number)])
        for n, taken in enumerate(hands[-1]):
            cnf.add(-number[n + 1], number[n])
            cnf.add(-taken, reaches(shelf.put[t], n + 1))
            cnf.add(-taken, -shelf.gone[n])
            shelf.gone[n] = any_of(cnf, [shelf.gone[n], taken])
    return hands


def held(cnf: Cnf, taken: list[int], shelf: Shelf, nothing: Line) -> Line:
    """What is true of the token that a hand takes."""
    ways = [[both(cnf, one, true) for true in line] for one, line in zip(taken, shelf.lines, strict=False)]
    return [any_of(cnf, same) for same in zip(nothing, *ways, strict=True)]


def no_unequal_join(cnf: Cnf, hands: list[Line]) -> None:
    """Post: no two hands hold produced tokens of disjoint histories and unequal depth."""
    for pair in combinations(hands, 2):
        n = len(pair[0]) // 2
        common = any_of(cnf, [both(cnf, *acts) for acts in zip(pair[0][n:], pair[1][n:], strict=True)])
        for deep, flat in permutations(pair):
            for d in range(1, n):
                cnf.add(common, -flat[0], -deep[d], flat[d])


def product(cnf: Cnf, hands: list[Line], t: int) -> Line:
    """What is true of a token that action t makes: one deeper than the deepest in its hands, and action t made it."""
    n, joint = len(hands[0]) // 2, [any_of(cnf, same) for same in zip(*hands, strict=True)]
    return [TRUE, *joint[: n - 1], *joint[n : n + t], TRUE, *joint[n + t + 1 :]]


def put_down(cnf: Cnf, shelf: Shelf, made: Line, t: int) -> None:
    """Follow the tokens over action t: those that are there only after it are what it makes, the others as before."""
    for n, line in enumerate(shelf.lines):
        comes = both(cnf, reaches(shelf.put[t + 1], n + 1), -reaches(shelf.put[t], n + 1))
        shelf.lines[n] = [any_of(cnf, [old, both(cnf, comes, new)]) for old, new in zip(line, made, strict=True)]


def both(cnf: Cnf, one: int, other: int) -> int:
    """A literal that equals the conjunction, with none made anew where one of the two is false."""
    return -TRUE if -TRUE in (one, other) else all_of(cnf, [one, other])
