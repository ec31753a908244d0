"""Safety protocol as a path of states: a row is a field, a card shows its value."""

from __future__ import annotations

from cwr_audits.pictures import statepath, svg
from cwr_audits.pictures.drawing import Drawing, Run, play, rules_broken, tell
from cwr_audits.pictures.statepath import Card, Cell
from cwr_solvers.world import Submission
from cwr_solvers.worlds.ps import interpreter
from cwr_solvers.worlds.ps.instance import Instance, Literal

KEY = (
    "A card is a state, a row a field. *: what the step set. ?: what the next step asks for. "
    "The last card: what the goal asks (≠: any other value), ✓ met, ○ not met.",
)


def draw(instance: Instance, submission: Submission[str], step: int | None) -> Drawing:
    """The drawing of a submission's first moves."""
    run = play(interpreter, instance, submission, step)
    parts, right, bottom = statepath.draw([field.name for field in instance.fields], _cards(instance, run))
    said = [_said(instance, move) for move in run.made]
    asked = _said(instance, run.wrong[1]) if run.wrong else ""
    title = f"{instance.code}: safety protocol"
    return Drawing(title, run, tuple(parts), right, bottom, (*KEY, *_invariants(instance)), tell(run, said, asked))


def _cards(instance: Instance, run: Run) -> list[Card]:
    states = run.trace.states
    moves = [*run.made, *([run.wrong[1]] if run.wrong else [])]
    cards = []
    for number, state in enumerate(states):
        set_now = {field for field, _ in instance.operation[moves[number - 1]].then} if number else set()
        asks = {literal.field for literal in instance.operation[moves[number]].when} if number < len(moves) else set()
        cells = [
            Cell(_value(instance, field, value), "*" * (field in set_now) + "?" * (field in asks), field in set_now)
            for field, value in enumerate(state.values)
        ]
        called = f"{number} {svg.cut(moves[number - 1])}" if number else ""
        cards.append(Card(called, str(number) if number else "start", tuple(cells)))
    if run.wrong is not None:
        broken = rules_broken(run.trace)
        return [*cards, Card(f"{run.wrong[0]} {svg.cut(run.wrong[1])}", f"✗ {broken}", (), "bad")]
    return [*cards, _goal(instance, states[-1].values)]


def _value(instance: Instance, field: int, value: int) -> str:
    found = instance.fields[field].values[value]
    return svg.cut(str(found), 16)


def _goal(instance: Instance, values: tuple[int, ...]) -> Card:
    cells = []
    for field in range(len(instance.fields)):
        asked = [literal for literal in instance.goal if literal.field == field]
        words = " ".join(("" if one.positive else "≠") + _value(instance, field, one.value) for one in asked)
        met = "✓" if all(one.holds(values) for one in asked) else "○"
        cells.append(Cell(svg.cut(words) if asked else "any", met if asked else "", False, not asked))
    return Card("", "goal", tuple(cells), "help")


def _literal(instance: Instance, literal: Literal) -> str:
    field = instance.fields[literal.field]
    return f"{field.name}{'=' if literal.positive else '≠'}{field.values[literal.value]}"


def _invariants(instance: Instance) -> list[str]:
    """What holds in every state, in words."""
    said = [" or ".join(_literal(instance, one) for one in clause) for clause in instance.invariants]
    return [f"In every state: {'; '.join(said)}."] if said else []


def _said(instance: Instance, name: str) -> str:
    """An operation in words."""
    operation = instance.operation[name]
    asks = ", ".join(_literal(instance, literal) for literal in operation.when)
    sets = ", ".join(f"{instance.fields[f].name} to {instance.fields[f].values[v]}" for f, v in operation.then)
    return f"{name}" + (f" asks for {asks};" if asks else "") + (f" sets {sets}" if sets else " sets nothing")
