"""Words of keyed logistics, their decisions, and where all is meanwhile (kl/1). Trusted; from the rule book of KL.

Only definitions stand here: they forbid no word, legal or not. Illegal actions have effects too (a pickup takes the
object from wherever it is), so that the rules alone say what is illegal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cwr_certificates.cnf import TRUE, Cnf, exactly_one, signed
from cwr_certificates.steps import Level, Steps, taken, tally
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.kl.instance import CONSUMED, HELD, Instance, read_action, read_actions, write_actions

Actions = dict[tuple[str, str], int]  # {(operation, argument): literal "the action is this one"}
Place = dict[str, int]  # {location: literal that equals "it is there"}


@dataclass(frozen=True, slots=True)
class Model:
    """`actions[p]`: which action p is; these are the decisions. `carrier[t]` and `places[t][object]`: where the carrier
    and an object are after t actions. `cost`: the sum of all costs."""

    instance: Instance
    steps: Steps
    actions: tuple[Actions, ...]
    carrier: tuple[Place, ...]
    places: tuple[dict[str, Place], ...]
    cost: Level
    decisions: tuple[int, ...]

    def moments(self) -> Iterable[tuple[Actions, Place, dict[str, Place]]]:
        """Each place for an action, with where the carrier and the objects are before it."""
        return zip(self.actions, self.carrier, self.places, strict=False)


def model_of(cnf: Cnf, instance: Instance, steps: Steps) -> Model:
    """Define where all is at first and after each action (idle places change nothing), and the cost."""
    actions = tuple(dict(zip(instance.action, kinds, strict=True)) for kinds in steps.chosen)
    objects, everywhere = instance.initial, (*instance.nodes, HELD, CONSUMED)
    carrier = [{node: TRUE if node == instance.carrier else -TRUE for node in instance.nodes}]
    places = [{name: {one: TRUE if one == at else -TRUE for one in everywhere} for name, at in objects.items()}]
    for action in actions:
        now = carrier[-1]
        carrier.append(moved(cnf, now, [(action["move", edge.name], TRUE, edge.target) for edge in instance.edges]))
        places.append(
            {name: moved(cnf, place, effects(instance, action, now, name)) for name, place in places[-1].items()}
        )
    cost = tally(cnf, steps, 0, [price(instance, *one) for one in instance.action])[-1]
    decisions = tuple(variable for kinds in steps.chosen for variable in kinds)
    return Model(instance, steps, actions, tuple(carrier), tuple(places), cost, decisions)


def effects(instance: Instance, action: Actions, carrier: Place, name: str) -> list[tuple[int, int, str]]:
    """What an action may do to an object, as (literal "the action", literal "in this case", location after it)."""
    dropped = [(action["drop", name], here, node) for node, here in carrier.items()]
    used = [
        (action["move", edge.name], TRUE, CONSUMED) for edge in instance.edges if edge.key == name and edge.consumes
    ]
    return [(action["pickup", name], TRUE, HELD), *dropped, *used]


def moved(cnf: Cnf, before: Place, changes: list[tuple[int, int, str]]) -> Place:
    """Define where something is after an action: where a change puts it, else where it was."""
    after = {place: cnf.new() for place in before}
    exactly_one(cnf, tuple(after.values()))
    for action, case, place in changes:
        cnf.add(-action, -case, after[place])
    for place, old in before.items():
        cnf.add(*(action for action, _, _ in changes), -old, after[place])
    return after


def price(instance: Instance, op: str, arg: str) -> int:
    """The cost of an action."""
    if op == "move":
        return instance.edge[arg].cost
    return instance.pickup_cost if op == "pickup" else instance.drop_cost


def literals(model: Model, word: Json) -> tuple[int, ...]:
    """The decisions of a word; raises MalformedInput."""
    place = {one: number for number, one in enumerate(model.instance.action)}
    given = read_actions(model.instance, word)
    kinds = [place[action.op, action.arg] for action in given]
    return signed(model.decisions, taken(model.steps, kinds, "/actions"))


def occurs(_cnf: Cnf, model: Model, move: Json) -> list[int]:
    """Literals, one of which holds just when the move is in the word; raises MalformedInput."""
    one = read_action(model.instance, move, "")
    return [row[one.op, one.arg] for row in model.actions]


def word(model: Model, true: set[int]) -> Json:
    """The word whose decisions are among the true variables."""
    known = model.instance.action
    return write_actions(tuple(known[one] for row in model.actions for one, chosen in row.items() if chosen in true))


def namings(instance: Instance, word: Json) -> int:
    """A word stands for itself; raises MalformedInput."""
    read_actions(instance, word)
    return 1
