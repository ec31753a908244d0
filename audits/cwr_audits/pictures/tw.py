"""Token workshop as a path of states: a row is a place, a card shows how many tokens lie there."""

from __future__ import annotations

from cwr_audits.pictures import statepath, svg
from cwr_audits.pictures.drawing import Drawing, Run, play, rules_broken, tell
from cwr_audits.pictures.statepath import Card, Cell
from cwr_solvers.jsontext import LARGEST
from cwr_solvers.world import Submission
from cwr_solvers.worlds.tw import interpreter
from cwr_solvers.worlds.tw.instance import Bounds, Instance, Range

DOTS = 4
KEY = (
    "A card is a state, a row a place; dots are tokens. +1 −1: what the step made and took. ?: what the next step "
    "reads and leaves. Beside a place: its bounds in every state. The last card: what the goal asks, ✓ met, ○ not met.",
)


def draw(instance: Instance, submission: Submission[str], step: int | None) -> Drawing:
    """The drawing of a submission's first moves."""
    run = play(interpreter, instance, submission, step)
    rows = [f"{svg.cut(name, 14)}{_bounds(instance.throughout, i)}" for i, name in enumerate(instance.places)]
    parts, right, bottom = statepath.draw([*rows, f"total{_range(instance.throughout.total)}"], _cards(instance, run))
    said = [_said(instance, move) for move in run.made]
    asked = _said(instance, run.wrong[1]) if run.wrong else ""
    title = f"{instance.code}: token workshop"
    return Drawing(title, run, tuple(parts), right, bottom, KEY, tell(run, said, asked))


def _range(one: Range) -> str:
    """Bounds in short; nothing where everything is allowed."""
    if one.least == one.most:
        return f" ={one.least}"
    least = f" ≥{one.least}" if one.least else ""
    return least + (f" ≤{one.most}" if one.most is not None and one.most < LARGEST else "")


def _bounds(bounds: Bounds, place: int) -> str:
    return _range(bounds.places[place])


def _cards(instance: Instance, run: Run) -> list[Card]:
    states = run.trace.states
    moves = [*run.made, *([run.wrong[1]] if run.wrong else [])]
    cards = []
    for number, state in enumerate(states):
        before = states[number - 1].counts if number else state.counts
        reads = instance.recipe[moves[number]].read if number < len(moves) else (0,) * len(state.counts)
        cells = [_cell(*one) for one in zip(state.counts, before, reads, strict=True)]
        cells.append(_cell(sum(state.counts), sum(before), 0))
        called = f"{number} {svg.cut(moves[number - 1])}" if number else ""
        cards.append(Card(called, "start" if not number else str(number), tuple(cells)))
    if run.wrong is not None:
        broken = rules_broken(run.trace)
        return [*cards, Card(f"{run.wrong[0]} {svg.cut(run.wrong[1])}", f"✗ {broken}", (), "bad")]
    return [*cards, _goal(instance, states[-1].counts)]


def _cell(now: int, before: int, read: int) -> Cell:
    dots = " " + "●" * now if 0 < now <= DOTS else ""
    change = "" if now == before else f"+{now - before}" if now > before else f"−{before - now}"
    return Cell(f"{now}{dots}", change + "?" * (read > 0), now != before, now == 0)


def _goal(instance: Instance, counts: tuple[int, ...]) -> Card:
    asked = [*zip(instance.goal.places, counts, strict=True), (instance.goal.total, sum(counts))]
    cells = []
    for wanted, count in asked:
        words = _range(wanted).strip()
        cells.append(Cell(words or "any", ("✓" if wanted.holds(count) else "○") if words else "", False, not words))
    return Card("", "goal", tuple(cells), "help")


def _said(instance: Instance, name: str) -> str:
    """A recipe in words."""
    recipe = instance.recipe[name]
    told = []
    for verb, amounts in (("takes", recipe.consume), ("reads", recipe.read), ("makes", recipe.produce)):
        some = [f"{n} {place}" for n, place in zip(amounts, instance.places, strict=True) if n]
        told += [f"{verb} {', '.join(some)}"] if some else []
    return f"{name} {'; '.join(told) or 'does nothing'}"
