"""The motif of keyed logistics, negated (kl/1). Trusted; written from the rule book of KL.

`main` is the conjunction of (a) and (b). Every literal defined here equals what is said of it, so that nothing is a
free choice.
"""

from __future__ import annotations

from cwr_certificates.cnf import TRUE, Cnf, all_of, any_of
from cwr_certificates.statements.kl_words import Actions, Model
from cwr_solvers.worlds.kl.instance import HELD, Edge

MOTIFS = ("main",)


def deny(cnf: Cnf, model: Model, motif: str) -> None:
    """Post "the motif, one of MOTIFS, does not hold"."""
    {"main": deny_main}[motif](cnf, model)


def deny_main(cnf: Cnf, model: Model) -> None:
    """Post "(a) or (b) fails". keyed[p] equals "action p is a keyed move"."""
    edges = [edge for edge in model.instance.edges if edge.key is not None and edge.source != edge.target]
    keyed = [along(cnf, actions, edges) for actions in model.actions]
    cnf.add(-carried(cnf, model, keyed), -key_on_the_way(cnf, model, edges, keyed))


def along(cnf: Cnf, actions: Actions, edges: list[Edge]) -> int:
    """A literal that equals "the action is a move along one of the edges"."""
    return any_of(cnf, [actions["move", edge.name] for edge in edges])


def carried(cnf: Cnf, model: Model, keyed: list[int]) -> int:
    """A literal that equals (a): there are two keyed moves, and a goal cargo is held in every state t that a keyed move
    is right before or right after, or that has keyed moves both before and after it."""
    goal, cargo = model.instance.goal_locations, []
    before = [any_of(cnf, keyed[:t]) for t in range(len(keyed) + 1)]
    later = [any_of(cnf, keyed[t:]) for t in range(len(keyed) + 1)]
    two = any_of(cnf, [all_of(cnf, [before[p], one]) for p, one in enumerate(keyed)])
    for name in goal:
        if goal[name] in model.instance.nodes:
            held = [places[name][HELD] for places in model.places]
            breaks = [all_of(cnf, [keyed[p], -held[t]]) for p in range(len(keyed)) for t in (p, p + 1)]
            breaks += [all_of(cnf, [before[t], later[t], -one]) for t, one in enumerate(held)]
            cargo.append(-any_of(cnf, breaks))
    return all_of(cnf, [two, any_of(cnf, cargo)])


def key_on_the_way(cnf: Cnf, model: Model, edges: list[Edge], keyed: list[int]) -> int:
    """A literal that equals (b): some keyed move asks for a key that is fresh."""
    consuming = [along(cnf, actions, [edge for edge in edges if edge.consumes]) for actions in model.actions]
    away = away_from_ends(cnf, model)
    found = []
    for key in sorted({edge.key for edge in edges if edge.key is not None}):
        asking = [along(cnf, actions, [edge for edge in edges if edge.key == key]) for actions in model.actions]
        first = first_pickups(cnf, model, key)
        now = fresh(cnf, keyed, consuming, [all_of(cnf, pair) for pair in zip(first, away, strict=True)])
        found += [all_of(cnf, pair) for pair in zip(asking, now, strict=True)]
    return any_of(cnf, found)


def away_from_ends(cnf: Cnf, model: Model) -> list[int]:
    """For each place a literal that equals "the carrier is neither at its initial node nor at its last one"."""
    others = [node for node in model.instance.nodes if node != model.instance.carrier]
    last = model.carrier[-1]
    return [any_of(cnf, [all_of(cnf, [here[node], -last[node]]) for node in others]) for here in model.carrier[:-1]]


def first_pickups(cnf: Cnf, model: Model, key: str) -> list[int]:
    """For each place a literal that equals "the key is picked up, for the first time"."""
    picks = [actions["pickup", key] for actions in model.actions]
    return [all_of(cnf, [one, *(-earlier for earlier in picks[:p])]) for p, one in enumerate(picks)]


def fresh(cnf: Cnf, keyed: list[int], consuming: list[int], acquired: list[int]) -> list[int]:
    """For each place a literal that equals "the last keyed move before consumed its key, and since then the key was
    acquired". used: the former half."""
    used, now, found = -TRUE, -TRUE, []
    for move, consumes, got in zip(keyed, consuming, acquired, strict=True):
        found.append(now)
        now = all_of(cnf, [-move, any_of(cnf, [now, all_of(cnf, [used, got])])])
        used = any_of(cnf, [consumes, all_of(cnf, [used, -move])])
    return found
