"""Drawing helpers for the pictures of all worlds: SVG as text, integer coordinates, no outside resources.

Shapes carry a kind, which the style sheet in each document gives its colours, for light and for dark screens:
  ink    lines and text            faint  helping lines, unchanged things
  fill   things that are there     new    things that the step at hand changed
  bad    what a rule forbids
Text is monospaced, so that its width is known. Everything written into a document is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from unicodedata import east_asian_width

from cwr_solvers.grading import Trace

CHARACTER = 8  # pixels, width of one character
LINE = 18  # pixels, height of one line of text
MARGIN = 16

_STYLE = """
.cwr{font:13px ui-monospace,Menlo,Consolas,monospace;color-scheme:light dark}
.cwr .paper{fill:#ffffff}
.cwr text{fill:#1f2328}.cwr text.faint{fill:#656d76}.cwr text.new{font-weight:700}.cwr text.bad{fill:#b3261e}
.cwr path{fill:none;stroke:#1f2328;stroke-width:1.5}.cwr path.faint{stroke:#c0c6cd;stroke-width:1}
.cwr path.bad{stroke:#b3261e}
.cwr rect.fill{fill:#d7e5fb;stroke:#1f2328}.cwr rect.new{fill:#fbe3a6;stroke:#1f2328}
.cwr rect.bad{fill:none;stroke:#b3261e;stroke-width:2;stroke-dasharray:5 3}
@media (prefers-color-scheme:dark){
.cwr .paper{fill:#0d1117}
.cwr text{fill:#e6edf3}.cwr text.faint{fill:#9198a1}.cwr text.bad{fill:#ff8e86}
.cwr path{stroke:#e6edf3}.cwr path.faint{stroke:#3d444d}.cwr path.bad{stroke:#ff8e86}
.cwr rect.fill{fill:#1f3a66;stroke:#e6edf3}.cwr rect.new{fill:#6b5310;stroke:#e6edf3}.cwr rect.bad{stroke:#ff8e86}
}
"""


def width(string: str) -> int:
    """The pixels that a text takes; wide characters of East Asian scripts count twice."""
    return sum(2 * CHARACTER if east_asian_width(character) in "WF" else CHARACTER for character in string)


def widest(strings: Iterable[str]) -> int:
    """The pixels of the widest text, 0 where there is none."""
    return max(map(width, strings), default=0)


def text(x: int, y: int, string: str, kind: str = "ink", anchor: str = "start") -> str:
    """A line of text with its base line at y; anchor is start, middle or end."""
    return f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{escape(string)}</text>'


def rect(x: int, y: int, wide: int, high: int, kind: str, title: str = "") -> str:
    """A rectangle with rounded corners; the title shows where a pointer rests."""
    shape = f'class="{kind}" x="{x}" y="{y}" width="{wide}" height="{high}" rx="3"'
    return f"<rect {shape}><title>{escape(title)}</title></rect>" if title else f"<rect {shape}/>"


def line(x1: int, y1: int, x2: int, y2: int, kind: str = "ink") -> str:
    """A straight line."""
    return f'<path class="{kind}" d="M{x1} {y1}L{x2} {y2}"/>'


def curve(x1: int, y1: int, x2: int, y2: int, kind: str = "ink") -> str:
    """A line that leaves and arrives level."""
    middle = (x1 + x2) // 2
    return f'<path class="{kind}" d="M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}"/>'


def steps(points: Sequence[tuple[int, int]], kind: str = "ink") -> str:
    """A broken line through the points."""
    return f'<path class="{kind}" d="M{"L".join(f"{x} {y}" for x, y in points)}"/>'


def document(title: str, right: int, bottom: int, parts: Iterable[str], caption: Sequence[tuple[str, str]] = ()) -> str:
    """A whole picture: parts that reach to `right` and `bottom`, and lines of (text, kind) below them."""
    below = [text(MARGIN, bottom + LINE * (i + 1), words, kind) for i, (words, kind) in enumerate(caption)]
    wide = max(right, MARGIN + widest(words for words, _ in caption)) + MARGIN
    high = bottom + LINE * len(caption) + MARGIN
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="cwr" role="img" viewBox="0 0 {wide} {high}" '
    size = f'width="{wide}" height="{high}">'
    paper = f'<rect class="paper" x="0" y="0" width="{wide}" height="{high}"/>'
    body = "\n".join([f"<title>{escape(title)}</title>", f"<style>{_STYLE}</style>", paper, *parts, *below])
    return f"{head}{size}\n{body}\n</svg>\n"


def caption(trace: Trace, shown: int, moves: int) -> list[tuple[str, str]]:
    """Lines of (text, kind) that say how a submission ran: `shown` of its `moves` moves were played."""
    told = [(f"{fault.rule}: found {fault.found}; needed {fault.needed}", "bad") for fault in trace.faults]
    if trace.first_illegal_step is not None:
        return [(f"illegal at step {trace.first_illegal_step}", "bad"), *told]
    cost = f"cost {trace.states[-1].cost}"
    if shown < moves:
        return [(f"after {shown} of {moves} steps, {cost}", "ink")]
    return [(f"{trace.status}, {cost}", "bad" if told else "ink"), *told]
