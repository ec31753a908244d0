"""The motif of the token workshop, negated (tw/2). Trusted; written from the rule book of TW.

The negation of `main`: (b) fails, or an order (an accepted word of the same actions) has an assignment without (a). An
assignment gives each consumed token the action that made it, or none (initial): the others are alike. Free choices.
"""

from __future__ import annotations

from cwr_certificates.cnf import TRUE, Cnf, all_of, any_of, exactly_one, sum_at_most
from cwr_certificates.steps import Steps, reaches, same_kinds, tally
from cwr_solvers.worlds.tw.instance import Instance, Recipe

INITIAL = -1  # the maker of initial tokens
Slot = tuple[int, int, int]  # (p, q, i): number i of the tokens that action p takes from place q
Makers = dict[Slot, dict[int, int]]  # {slot: {m: literal "action m, or INITIAL, made the token of the slot"}}
Feeds = dict[tuple[int, int], int]  # {(m, p): literal "action p consumes a token that action m made"}, m < p


def deny_main(cnf: Cnf, instance: Instance, word: Steps, steps: Steps) -> None:
    """Post "main does not hold of the word"; `steps` are a row of their own, posted to be accepted: the order."""
    same_kinds(cnf, word, steps)
    makers = assignment(cnf, instance, steps, enough_to_read(cnf, instance, steps))
    initial_once(cnf, instance, makers)
    made_once(cnf, instance, steps, makers)
    n = len(steps.idle)
    feeds = {
        (m, p): any_of(cnf, [known[m] for slot, known in makers.items() if slot[0] == p])
        for p in range(n)
        for m in range(p)
    }
    no_unequal_join(cnf, n, feeds)


def enough_to_read(cnf: Cnf, instance: Instance, steps: Steps) -> int:
    """A literal that equals "(b) fails": in each place, no fewer tokens ever exist than actions read it.

    The difference is a running sum from the initial count on: an action adds what it produces, less 1 if it reads.
    """
    ends = []
    for q, start in enumerate(instance.initial):
        gains = [recipe.produce[q] - (1 if recipe.read[q] else 0) for recipe in instance.recipes]
        if min(gains, default=0) < 0:
            ends.append(reaches(tally(cnf, steps, start, gains)[-1], 0))
    return all_of(cnf, ends)


def assignment(cnf: Cnf, instance: Instance, steps: Steps, enough: int) -> Makers:
    """Each consumed token has exactly one maker, an earlier action or INITIAL; none is asked for when (b) fails."""
    makers, able = Makers(), can_fire(instance, len(steps.idle))
    for p, kinds in enumerate(steps.chosen):
        for q in range(len(instance.places)):
            for i in range(max((recipe.consume[q] for recipe in able), default=0)):
                takers = [one for one, recipe in zip(kinds, instance.recipes, strict=True) if recipe.consume[q] > i]
                makers[p, q, i] = {m: cnf.new() for m in range(INITIAL, p)}
                exactly_one(cnf, [-all_of(cnf, [-enough, any_of(cnf, takers)]), *makers[p, q, i].values()])
    return makers


def can_fire(instance: Instance, n: int) -> list[Recipe]:
    """The recipes but for those that no n actions bring enough tokens for; the others take no token, by R1."""
    held, able = list(instance.initial), list[Recipe]()
    for _ in range(n):
        able = [one for one in instance.recipes if all(held[q] >= used + read for q, used, read in one.wants)]
        held = [has + max((one.produce[q] for one in able), default=0) for q, has in enumerate(held)]
    return able


def initial_once(cnf: Cnf, instance: Instance, makers: Makers) -> None:
    """No more tokens of a place are taken to be initial than there were."""
    for q, start in enumerate(instance.initial):
        sum_at_most(cnf, [(1, known[INITIAL]) for slot, known in makers.items() if slot[1] == q], start)


def made_once(cnf: Cnf, instance: Instance, steps: Steps, makers: Makers) -> None:
    """No more tokens of a place are taken to be made by action m than its recipe makes there (none when idle).

    Of k slots: those that name m, and k - w for the recipe at m, that makes w < k, sum to at most k.
    """
    for m, kinds in enumerate(steps.chosen):
        for q in range(len(instance.places)):
            named = [(1, known[m]) for slot, known in makers.items() if slot[1] == q and m in known]
            k = len(named)
            makes = [max(0, k - recipe.produce[q]) for recipe in instance.recipes]
            sum_at_most(cnf, [*zip(makes, kinds, strict=True), (k, steps.idle[m]), *named], k)


def no_unequal_join(cnf: Cnf, n: int, feeds: Feeds) -> None:
    """(a) fails: two makers that feed one action have a common history or equal depths."""
    shared, deep = histories(cnf, n, feeds), depths(cnf, n, feeds)
    for p in range(n):
        for b in range(p):
            for a in range(b):
                for k in range(2, b + 2):
                    one, other = deep.get((a, k), -TRUE), deep[b, k]
                    join = (-feeds[a, p], -feeds[b, p], shared[a, b])
                    cnf.add(*join, -one, other)
                    cnf.add(*join, one, -other)


def histories(cnf: Cnf, n: int, feeds: Feeds) -> Feeds:
    """{(a, b): literal that equals "the histories of actions a < b share an action"}.

    A history holds nothing later than its action. So they share when a feeds b, or what feeds b shares with a.
    """
    shared: Feeds = {}
    for b in range(n):
        for a in range(b):
            through = [all_of(cnf, [feeds[c, b], shared[min(a, c), max(a, c)]]) for c in range(b) if c != a]
            shared[a, b] = any_of(cnf, [feeds[a, b], *through])
    return shared


def depths(cnf: Cnf, n: int, feeds: Feeds) -> Feeds:
    """{(p, k): literal that equals "the tokens that action p makes have a depth of at least k"}, 1 ≤ k ≤ p + 1."""
    deep: Feeds = {}
    for p in range(n):
        deep[p, 1] = TRUE
        for k in range(2, p + 2):
            deep[p, k] = any_of(cnf, [all_of(cnf, [feeds[m, p], deep[m, k - 1]]) for m in range(k - 2, p)])
    return deep
