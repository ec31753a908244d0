"""The colours of all pictures, for light and for dark screens, and the style sheet made of them.

  texts   ink, faint (names, help), new (bold), bad (a broken rule), good (a goal met), on (on a coloured face)
  areas   paper (behind all), card (a thing at rest), fill (a thing that acts), new (what the step at hand changed)
  lines   ink, faint (help), route (thick, what was used), bad (dashed), dash0 to dash5 (kinds of wires)
  faces   face0 to face7, by colour-blind safe hues; a letter always stands on them

Nothing is told by colour alone: what is new is bold and marked, what is bad is dashed and marked, faces bear letters.
Class names start with "cwr-", so that a page's own style sheet does not meet them by chance.
"""

from __future__ import annotations

from collections.abc import Mapping

Colours = Mapping[str, str]

LIGHT: Colours = {
    "ink": "#1f2328",
    "faint": "#59636e",
    "bad": "#b3261e",
    "good": "#116329",
    "help": "#c5ccd3",
    "paper": "#ffffff",
    "card": "#f4f6f8",
    "fill": "#dbe8fb",
    "new": "#fbe7b2",
    "route": "#0550ae",
}
DARK: Colours = {
    "ink": "#e6edf3",
    "faint": "#a3adb8",
    "bad": "#ffa198",
    "good": "#56d364",
    "help": "#444c56",
    "paper": "#0d1117",
    "card": "#161b22",
    "fill": "#1b3356",
    "new": "#4d3c08",
    "route": "#79c0ff",
}
FACES = ("#e69f00", "#56b4e9", "#3fbf97", "#f0e442", "#d98bb4", "#b8bec6", "#f0855a", "#b8a1e8")
ON_FACE = "#1f2328"
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2")


def _coloured(colours: Colours) -> list[str]:
    """The rules of a style sheet that name a colour."""
    texts = [f".cwr text.cwr-{kind}{{fill:{colours[kind]}}}" for kind in ("faint", "bad", "good")]
    areas = [
        f".cwr .cwr-area.cwr-{kind}{{fill:{colours[kind]};stroke:{colours['ink']}}}"
        for kind in ("paper", "card", "fill", "new")
    ]
    lines = [
        f".cwr .cwr-line.cwr-{kind}{{stroke:{colours[tint]}}}"
        for kind, tint in (("faint", "help"), ("route", "route"), ("bad", "bad"), ("wrong", "bad"))
    ]
    return [
        f".cwr .cwr-ground{{fill:{colours['paper']}}}",
        f".cwr text{{fill:{colours['ink']}}}",
        *texts,
        f".cwr .cwr-line{{stroke:{colours['ink']}}}",
        *lines,
        *areas,
        f".cwr .cwr-area.cwr-help{{fill:{colours['card']};stroke:{colours['help']}}}",
        f".cwr .cwr-area.cwr-bad{{stroke:{colours['bad']}}}",
        f".cwr .cwr-solid{{fill:{colours['ink']}}}.cwr .cwr-solid.cwr-route{{fill:{colours['route']}}}"
        f".cwr .cwr-solid.cwr-bad{{fill:{colours['bad']}}}",
        *[f".cwr .cwr-face{face}{{fill:{tint};stroke:{colours['ink']}}}" for face, tint in enumerate(FACES)],
        f".cwr text.cwr-on{{fill:{ON_FACE}}}",
    ]


def _style() -> str:
    """Shapes first, then colours for light screens, then those for dark ones."""
    dashes = [f".cwr .cwr-line.cwr-dash{i}{{stroke-dasharray:{dash or 'none'}}}" for i, dash in enumerate(DASHES)]
    shapes = [
        ".cwr{color-scheme:light dark}",
        ".cwr text{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}",
        ".cwr text.cwr-new,.cwr text.cwr-bad,.cwr text.cwr-on{font-weight:700}",
        ".cwr .cwr-line{fill:none;stroke-width:1.5}",
        ".cwr .cwr-line.cwr-faint{stroke-width:1}.cwr .cwr-line.cwr-route{stroke-width:3}",
        ".cwr .cwr-line.cwr-bad{stroke-width:2;stroke-dasharray:5 3}",
        ".cwr .cwr-area.cwr-bad{fill:none;stroke-width:2;stroke-dasharray:5 3}",
        ".cwr .cwr-area.cwr-help{stroke-dasharray:3 3}",
        ".cwr .cwr-line.cwr-wrong,.cwr .cwr-line.cwr-thick{stroke-width:3}",
        ".cwr rect.cwr-area.cwr-bare{stroke:none}",
        *dashes,
    ]
    dark = "@media (prefers-color-scheme:dark){\n" + "\n".join(_coloured(DARK)) + "\n}"
    return "\n".join([*shapes, *_coloured(LIGHT), dark]) + "\n"


STYLE = _style()
