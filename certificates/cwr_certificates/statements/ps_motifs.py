"""The motif of the safety protocol, negated (ps/1). Trusted; written from the rule book of PS.

`main` holds when an action u happens in a held interval between two free ones, and other actions p and q happen in the
free interval right after it, as the conditions (a) to (d) ask. Every literal defined here equals what is said of it, so
that nothing is a free choice.
"""

from __future__ import annotations

from cwr_certificates.cnf import TRUE, Cnf, all_of, any_of
from cwr_certificates.statements.ps_words import Model
from cwr_solvers.worlds.ps.instance import Instance, Literal, Operation, Resource

MOTIFS = ("main",)


def deny(cnf: Cnf, model: Model, motif: str) -> None:
    """Post "the motif, one of MOTIFS, does not hold": nothing where no resource is declared."""
    {"main": deny_main}[motif](cnf, model, model.instance.resource)


def deny_main(cnf: Cnf, model: Model, resource: Resource | None) -> None:
    """Post "no u, p and q show main"."""
    if resource is None:
        return
    operations, n = model.instance.operations, len(model.steps.chosen)
    asks_held = each(cnf, model, [asks(model.instance, resource, one, resource.held) for one in operations])
    asks_free = each(cnf, model, [asks(model.instance, resource, one, resource.free) for one in operations])
    assigns = each(cnf, model, [any(f != resource.field for f, _ in one.then) for one in operations])
    caused = causes(cnf, model, resource)
    for u, freed in enumerate(intervals(cnf, model, resource, asks_held)):
        happens = {p: all_of(cnf, [freed[p], freed[p + 1], asks_free[p]]) for p in range(u + 2, n)}
        for p in happens:
            for q in happens:
                if p != q:
                    cnf.add(-happens[p], -caused[u, p], -happens[q], -assigns[q])


def each(cnf: Cnf, model: Model, wanted: list[bool]) -> list[int]:
    """For each place a literal that equals "there is an action, and its operation is one of those wanted"."""
    return [any_of(cnf, [one for one, yes in zip(kinds, wanted, strict=True) if yes]) for kinds in model.steps.chosen]


def asks(instance: Instance, resource: Resource, operation: Operation, value: int) -> bool:
    """Whether a precondition is a literal on the resource field that is true for this value and for no other."""
    values = range(len(instance.fields[resource.field].values))
    on_it = [literal for literal in operation.when if literal.field == resource.field]
    return any([v for v in values if true_for(literal, v)] == [value] for literal in on_it)


def true_for(literal: Literal, value: int) -> bool:
    """Whether the literal is true when its field has the value."""
    return (value == literal.value) == literal.positive


def intervals(cnf: Cnf, model: Model, resource: Resource, asks_held: list[int]) -> list[dict[int, int]]:
    """For each u: {t: literal that equals "u is as (a) asks, its held interval has a free one right before it and right
    after it, and state t is in the latter"}, for t from u + 1.

    guarded: state u is in a held interval that has a free one right before it; still: state t is in that of u.
    """
    free, held = ([now[resource.field][v] for now in model.states] for v in (resource.free, resource.held))
    guarded, found = -TRUE, []
    for u, asked in enumerate(asks_held):
        still, freed = all_of(cnf, [asked, guarded, held[u + 1]]), {u + 1: -TRUE}
        for t in range(u + 2, len(model.states)):
            freed[t] = all_of(cnf, [free[t], any_of(cnf, [still, freed[t - 1]])])
            still = all_of(cnf, [still, held[t]])
        found.append(freed)
        guarded = all_of(cnf, [held[u + 1], any_of(cnf, [free[u], guarded])])
    return found


def causes(cnf: Cnf, model: Model, resource: Resource) -> dict[tuple[int, int], int]:
    """{(u, p): literal that equals (d)}, u before p. Each precondition literal that is not on the resource field and
    false in the initial state is a way: p needs it, u makes it true, and no other action does."""
    operations = model.instance.operations
    ways: dict[tuple[int, int], list[int]] = {(u, p): [] for p in range(len(model.steps.chosen)) for u in range(p)}
    for literal in sorted({literal for one in operations for literal in one.when}):
        if literal.field != resource.field and not literal.holds(model.instance.initial):
            needs = each(cnf, model, [literal in one.when for one in operations])
            makes = each(cnf, model, [makes_true(one, literal) for one in operations])
            for u, p in ways:
                others = [-one for t, one in enumerate(makes) if t != u]
                ways[u, p].append(all_of(cnf, [needs[p], makes[u], *others]))
    return {pair: any_of(cnf, some) for pair, some in ways.items()}


def makes_true(operation: Operation, literal: Literal) -> bool:
    """Whether the operation assigns the literal's field a value for which the literal is true."""
    return any(f == literal.field and true_for(literal, v) for f, v in operation.then)
