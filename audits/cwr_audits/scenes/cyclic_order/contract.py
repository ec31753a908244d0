"""The public contract of the cyclic-order scene: its fixed fields, its axes, and what a puzzle and a rendering are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cwr_audits.scenes.cyclic_order.looks import PALETTES

DOMAIN = "puzzles"
SCENE_ID = "cyclic_order"
TASK_ID = "task_puzzles__cyclic_order__swap_repair_label"
QUERY_ID = "single"
SCENE_KEY = "cyclic_order"
TASK_KEY = "swap_repair_label_query"
QUERY_KEY = "swap_repair"
PROMPT_BUNDLE = "puzzles_cyclic_order_v1"
SCOPE = "swap_repair_label"
PROGRAM = (
    "select_option(cyclic_order.swap_repair, reference=reference_loop, broken=numbered_broken_loop, "
    "action=swap_two_numbered_positions); scene=cyclic_order; scope=swap_repair_label"
)
ANSWER_TYPE = "option_letter"
ANNOTATION_TYPE = "bbox"
OPERATIONS = ("topology", "state_update", "matching")

LABELS = ("A", "B", "C", "D")
TOKEN_STYLES = ("colored_beads", "shape_tokens", "colored_shape_tokens", "outline_shape_tokens", "symbol_badges")
LOOP_PATHS = ("ellipse", "rounded_rect", "polygon_loop", "wavy_loop", "beaded_string")
SCENE_VARIANTS = ("necklace_board", "charm_card_grid", "route_loop_diagram", "token_ring_outline")
TOKEN_COUNTS = (4, 5)
FEWEST_TOKENS = 4  # with three, every swap repairs
MOST_TOKENS = 10  # what looks.py can tell apart and a loop can carry legibly
ZERO_ROTATION = ("excluded", "allowed")  # whether the broken loop may begin where the reference begins

# what tells the tokens of a style apart; a style that uses both gives every token its own shape and its own colour
STYLE_USES: Mapping[str, tuple[str, ...]] = {
    "colored_beads": ("colour",),
    "shape_tokens": ("shape",),
    "colored_shape_tokens": ("shape", "colour"),
    "outline_shape_tokens": ("shape",),
    "symbol_badges": ("symbol",),
}

Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class SceneConfig:
    """The values that each axis is drawn from, evenly, and the policy on rotation. Empty or unknown values are refused
    where a configuration is read (sampling.py)."""

    token_counts: tuple[int, ...] = TOKEN_COUNTS
    token_styles: tuple[str, ...] = TOKEN_STYLES
    loop_paths: tuple[str, ...] = LOOP_PATHS
    scene_variants: tuple[str, ...] = SCENE_VARIANTS
    palettes: tuple[str, ...] = tuple(PALETTES)
    zero_rotation: str = "excluded"


@dataclass(frozen=True, slots=True)
class Look:
    """How a token looks: names out of looks.py. `shape` names a shape or, for symbol_badges, a symbol; None where the
    style does not tell tokens apart by it. `name` is what the token is called in CO ("red", "star", "red-star")."""

    name: str
    shape: str | None
    colour: str | None


@dataclass(frozen=True, slots=True)
class Axes:
    """The value of each render axis of an instance."""

    token_style: str
    loop_path: str
    scene_variant: str
    palette: str
    token_count: int


@dataclass(frozen=True, slots=True)
class Option:
    """A visible option: `option_id` is evaluator material, `label` is drawn on the card; positions count from 1."""

    option_id: str
    label: str
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Redraw:
    """A swap that was drawn for a card and rejected, and why: it would repair the loop as well as one drawn before it,
    were that the answer."""

    first: int
    second: int
    reason: str


@dataclass(frozen=True, slots=True)
class Puzzle:
    """An instance before it is drawn.

    looks        by token name, in the order of the reference
    reference    token names in reading direction
    rotation     by how many positions the copy of the reference was rotated before the swap
    broken       token names on positions 1 to n
    options      in the order of their labels; `answer` is the option_id of the one that repairs
    redraws      in the order in which they were drawn
    near_misses  option_ids of visible options that lead to a mirror image of the reference
    """

    instance_seed: str
    axes: Axes
    looks: tuple[Look, ...]
    reference: tuple[str, ...]
    rotation: int
    broken: tuple[str, ...]
    options: tuple[Option, ...]
    answer: str
    redraws: tuple[Redraw, ...]
    near_misses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rendering:
    """A drawn puzzle. All boxes are integers in pixels of a picture of width × height.

    option_choice_bboxes_px   {option_id: box of its card}; the centre line of the card's border runs along the box
    token_bboxes_px           {"reference" | "broken": the boxes of the tokens in reading order, outlines included}
    number_bboxes_px          the boxes of the position numbers of the broken loop, in order
    """

    svg: str
    width: int
    height: int
    option_choice_bboxes_px: Mapping[str, Box]
    token_bboxes_px: Mapping[str, tuple[Box, ...]]
    number_bboxes_px: tuple[Box, ...]
