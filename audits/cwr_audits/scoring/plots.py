"""The plot of a design: power by bases and by replicas, as text SVG of whole coordinates, the same bytes for the same
figures. Bars are two Monte Carlo errors to either side; the dashed line is the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from cwr_audits.scoring.numbers import decimal_of
from cwr_audits.scoring.searches import Findings
from cwr_audits.scoring.summaries import Measured

WIDTH, HEIGHT = 360, 260  # of a panel
LEFT, TOP, RIGHT, BOTTOM = 56, 40, 20, 48
STYLE = (
    "text{font:12px monospace;fill:#1f2328}.axis{stroke:#59636e;fill:none}.line{stroke:#0550ae;fill:none}"
    ".dot{fill:#0550ae}.bar{stroke:#0550ae}.aim{stroke:#b3261e;stroke-dasharray:5 4}.back{fill:#ffffff}"
)


def plot(found: Findings, target: float) -> str:
    """The whole picture."""
    panels = [
        _panel("Power by bases", "bases", found.smallest.tried, target, 0),
        _panel("Power by replicas", "replicas of each base and arm", found.plateau.tried, target, WIDTH),
    ]
    said = "; ".join(
        f"{name} {number}: {decimal_of(one.value, 3)}"
        for name, tried in (("bases", found.smallest.tried), ("replicas", found.plateau.tried))
        for number, one in tried.items()
    )
    size = f'width="{2 * WIDTH}" height="{HEIGHT}" viewBox="0 0 {2 * WIDTH} {HEIGHT}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        "<title>Simulated power</title>",
        f"<desc>{escape(said)}</desc>",
        f"<style>{STYLE}</style>",
        f'<rect class="back" width="{2 * WIDTH}" height="{HEIGHT}"/>',
        *(line for panel in panels for line in panel),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _panel(title: str, axis: str, tried: Mapping[int, Measured], target: float, shift: int) -> list[str]:
    places = _places(list(tried), shift)
    points = [(places[number], _height(one.value), one) for number, one in tried.items()]
    way = " ".join(f"{x},{y}" for x, y, _ in points)
    return [
        _text(shift + WIDTH // 2, TOP - 16, title, "middle"),
        *_axes(axis, places, shift),
        f'<path class="aim" d="M{shift + LEFT} {_height(target)}H{shift + WIDTH - RIGHT}"/>',
        f'<polyline class="line" points="{way}"/>',
        *(
            f'<path class="bar" d="M{x} {_height(one.value + 2 * one.error)}V{_height(one.value - 2 * one.error)}"/>'
            f'<circle class="dot" cx="{x}" cy="{y}" r="3"/>'
            for x, y, one in points
        ),
    ]


def _axes(axis: str, places: Mapping[int, int], shift: int) -> list[str]:
    low, high = HEIGHT - BOTTOM, TOP
    ticks = [_text(shift + LEFT - 8, _height(share / 4) + 4, decimal_of(share / 4, 2), "end") for share in range(5)]
    shown, last = list[str](), -WIDTH
    for number, x in places.items():
        if x - last >= 28:  # so that numbers do not run into each other
            shown.append(_text(x, low + 18, str(number), "middle"))
            last = x
    return [
        f'<path class="axis" d="M{shift + LEFT} {high}V{low}H{shift + WIDTH - RIGHT}"/>',
        *ticks,
        *shown,
        _text(shift + (LEFT + WIDTH - RIGHT) // 2, low + 36, axis, "middle"),
    ]


def _places(numbers: Sequence[int], shift: int) -> dict[int, int]:
    """Where numbers stand: to scale, from 0 to the largest."""
    wide = WIDTH - LEFT - RIGHT
    return {number: shift + LEFT + number * wide // numbers[-1] for number in numbers}


def _height(value: float) -> int:
    kept = min(max(value, 0.0), 1.0)
    return HEIGHT - BOTTOM - round(kept * (HEIGHT - TOP - BOTTOM))


def _text(x: int, y: int, said: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(said)}</text>'
