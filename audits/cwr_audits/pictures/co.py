"""Cyclic order as a path of rings: the loop with its numbered positions before and after each card, and the goal.

A ring reads clockwise, from position 1 on top down its right side and up its left one, so that names of any length have
room. The goal is the reference, turned so that most tokens stand where they stand in the last state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from cwr_audits.pictures import statepath, svg
from cwr_audits.pictures.drawing import Drawing, Run, play, rules_broken, tell
from cwr_audits.pictures.statepath import Panel
from cwr_audits.pictures.svg import CHARACTER, LINE
from cwr_solvers.world import Submission
from cwr_solvers.worlds.co import interpreter
from cwr_solvers.worlds.co.instance import Card, Instance

GAP = 48  # pixels between the two sides of a ring
PAD = 6
BOX = LINE + 4
ROW = 34  # pixels from a token to the next one on a side
HEAD = LINE + 12
NAMES = 14  # characters of a token, or of a card's label
KEY = (
    "A ring is the loop after a step, read clockwise (↻), with the numbers of its positions. ⇄: the two tokens that "
    "the card exchanged. The last ring: the reference, turned to fit as well as it can; ✓ is there now, ○ is not.",
)


@dataclass(frozen=True)
class Token:
    """What stands on one position of a ring: its number ("" in the goal), its name, a mark."""

    number: str
    name: str
    mark: str = ""
    changed: bool = False


def draw(instance: Instance, submission: Submission[str], step: int | None) -> Drawing:
    """The drawing of a submission's first moves."""
    run = play(interpreter, instance, submission, step)
    count = len(instance.broken)
    high = HEAD + ROW * _rows(count) + BOX - ROW + PAD
    parts, right, bottom = statepath.flow(_panels(instance, run), 0, high, lambda _: [])
    states = run.trace.states
    moves = [*run.made, *([run.wrong[1]] if run.wrong else [])]
    said = [_said(instance.card[label], states[number].loop) for number, label in enumerate(moves)]
    told = tell(run, said[: len(run.made)], said[-1] if run.wrong else "")
    title = f"{instance.code}: cyclic order"
    return Drawing(title, run, tuple(parts), right, bottom, KEY, told)


def _rows(count: int) -> int:
    """How many rows a ring of so many tokens takes: the first token stands alone, and of an even number another one."""
    return count // 2 + 1


def _place(count: int, number: int) -> tuple[int, int]:
    """Where the token on a position, counted from 0, stands: -1 left, 0 in the middle, 1 right; and in which row."""
    if number in (0, count - number):
        return 0, number
    return (1, number) if number < count - number else (-1, count - number)


def _panels(instance: Instance, run: Run) -> list[Panel]:
    wide = svg.widest(svg.cut(name, NAMES) for name in instance.broken) + 5 * CHARACTER + 2 * PAD
    panels = []
    for number, state in enumerate(run.trace.states):
        card = instance.card[run.made[number - 1]] if number else None
        called = f"{number} {_called(card)}" if card else ""
        ring = partial(_ring, wide, str(number) if number else "start", "card", _tokens(state.loop, card))
        panels.append(Panel(called, False, 2 * wide + GAP, ring))
    if run.wrong is None:
        return [*panels, Panel("", False, 2 * wide + GAP, _goal(instance, run.trace.states[-1].loop, wide))]
    words = f"✗ {rules_broken(run.trace)}"
    called = f"{run.wrong[0]} {_called(instance.card[run.wrong[1]])}"
    return [*panels, Panel(called, True, svg.width(words) + 16, lambda x, y: svg.box(x, y + 2, words)[0])]


def _tokens(loop: Sequence[str], card: Card | None) -> list[Token]:
    """The tokens of a state; those that the card has just exchanged are marked."""
    moved = () if card is None else (card.first, card.second)
    return [Token(str(n), name, "⇄" * (n in moved), n in moved) for n, name in enumerate(loop, 1)]


def _goal(instance: Instance, loop: Sequence[str], wide: int) -> partial[list[str]]:
    """The reference, turned so that most tokens are where they are in the loop."""
    turned = [instance.reference[start:] + instance.reference[:start] for start in range(len(loop))]
    wanted = max(turned, key=lambda one: sum(map(str.__eq__, one, loop)))
    tokens = [Token("", name, "✓" if name == now else "○") for name, now in zip(wanted, loop, strict=True)]
    return partial(_ring, wide, "goal", "help", tokens)


def _ring(wide: int, head: str, kind: str, tokens: Sequence[Token], x: int, y: int) -> list[str]:
    """A ring with its corner at (x, y): the line through all tokens, then their boxes."""
    count, middle = len(tokens), x + wide + GAP // 2
    corners = []
    for number in range(count):
        side, row = _place(count, number)
        corners.append((middle - wide // 2 + side * (wide + GAP) // 2, y + HEAD + row * ROW))
    through = [(left + wide // 2, top + BOX // 2) for left, top in corners]
    parts = [svg.text(middle, y + LINE, head, "faint", "middle"), svg.line([*through, through[0]])]
    parts.append(svg.text(middle, y + HEAD + ROW + 15, "↻", "faint", "middle"))
    for token, (left, top) in zip(tokens, corners, strict=True):
        parts += _box(token, kind, wide, left, top)
    return parts


def _box(token: Token, kind: str, wide: int, x: int, y: int) -> list[str]:
    ink = "new" if token.changed else "ink"
    name = x + PAD + (3 * CHARACTER if token.number else 0)
    parts = [
        svg.rect(x, y, wide, BOX, "new" if token.changed else kind),
        svg.name(name, y + 15, token.name, ink, most=NAMES),
    ]
    parts += [svg.text(x + PAD, y + 15, token.number, "faint")] if token.number else []
    return [*parts, svg.text(x + wide - PAD, y + 15, token.mark, "new", "end")] if token.mark else parts


def _called(card: Card) -> str:
    return f"{svg.cut(card.label, NAMES)}: {card.first} ⇄ {card.second}"


def _said(card: Card, loop: Sequence[str]) -> str:
    """A card in words, played on a loop."""
    first, second = loop[card.first - 1], loop[card.second - 1]
    return f"{card.label} exchanges {first} on {card.first} and {second} on {card.second}"
