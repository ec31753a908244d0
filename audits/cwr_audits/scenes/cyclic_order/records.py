"""The record of an instance: all that the contract names, for evaluators.

Units. A picture is drawn in the user units of its SVG and exported as a PNG of some width; where that is the width of
the SVG, both are the same.
  projected_annotation.bbox         the box of the answer's card in user units
  projected_annotation.pixel_bbox   the same in pixels of the exported picture, integers
  annotation_gt.value, render_map   pixels of the exported picture
A box is [left, top, right, bottom]; the centre line of the card's border runs along it.

Answer and annotation are projected by one function from one option id: the one that the solver trace found valid. The
trace asks the interpreter of CO about every option. Where it does not accept exactly one, or another one than was
planted, there is no record but a Disagreement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from hashlib import sha256

from cwr_audits.scenes.cyclic_order.contract import (
    ANNOTATION_TYPE,
    ANSWER_TYPE,
    DOMAIN,
    OPERATIONS,
    PROGRAM,
    PROMPT_BUNDLE,
    QUERY_ID,
    QUERY_KEY,
    SCENE_ID,
    SCENE_KEY,
    SCOPE,
    TASK_ID,
    TASK_KEY,
    Box,
    Look,
    Option,
    Puzzle,
    Rendering,
    SceneConfig,
)
from cwr_audits.scenes.cyclic_order.judging import Judged, Loop, Swap, accepted, all_swaps, judge
from cwr_audits.scenes.cyclic_order.looks import PALETTES
from cwr_audits.scenes.cyclic_order.prompts import Prompt
from cwr_audits.scenes.cyclic_order.sampling import CODE_VERSION, config_digest, to_world
from cwr_solvers.errors import Disagreement
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.sampling import digest

SCHEMA = "cwr-cyclic-order-record/1"
INTERPRETER, CERTIFICATE = "interpreter", "certificate"


@dataclass(frozen=True, slots=True)
class Typed:
    """A value of the ground truth and the name of its schema."""

    type: str
    value: str | Box


@dataclass(frozen=True, slots=True)
class Projection:
    """What follows from the valid option: its label, and the box of its card in user units and in pixels."""

    label: str
    bbox: Box
    pixel_bbox: Box


@dataclass(frozen=True, slots=True)
class ProjectedAnnotation:
    """The box of the answer's card: see the units above."""

    bbox: Box
    pixel_bbox: Box


@dataclass(frozen=True, slots=True)
class AxisValues:
    """The render and generation axes of an instance."""

    token_style: str
    loop_path: str
    scene_variant: str
    palette: str
    token_count: int
    answer_label_position: str
    rotation: int


@dataclass(frozen=True, slots=True)
class PromptSource:
    """Which prompt was asked; the texts themselves stand in the model's items."""

    bundle: str
    bundle_sha256: str
    scene_key: str
    task_key: str
    query_key: str
    wording: str


@dataclass(frozen=True, slots=True)
class RenderMap:
    """Where things are in the exported picture, in pixels; `svg_*` is the size in user units."""

    width: int
    height: int
    svg_width: int
    svg_height: int
    svg_sha256: str
    option_choice_bboxes_px: Mapping[str, Box]
    token_bboxes_px: Mapping[str, tuple[Box, ...]]
    number_bboxes_px: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """A visible option."""

    option_choice_id: str
    label: str
    swap: Swap


@dataclass(frozen=True, slots=True)
class RedrawnSwap:
    """A swap that was drawn as a distractor and thrown away, and why."""

    swap: Swap
    reason: str


@dataclass(frozen=True, slots=True)
class Unmet:
    """A rule that stands against an option."""

    rule: str
    found: str
    needed: str


@dataclass(frozen=True, slots=True)
class OptionTrace:
    """What playing an option comes to. `matches_at`: the position of the loop from which it reads like the reference,
    None where there is none."""

    option_choice_id: str
    label: str
    loop: Loop
    verdict: str
    unmet: tuple[Unmet, ...]
    matches_at: int | None
    mirror: bool


@dataclass(frozen=True, slots=True)
class SolverTrace:
    """Who judged the options, of which instance of CO, and with what outcome. `repairing_swaps`: of all pairs."""

    routes: tuple[str, ...]
    world: str
    instance_sha256: str
    options: tuple[OptionTrace, ...]
    repairing_swaps: tuple[Swap, ...]


@dataclass(frozen=True, slots=True)
class PublicQuery:
    """What was asked, by the names of the contract."""

    task_id: str
    query_id: str
    query_key: str
    program: str
    scope: str


@dataclass(frozen=True, slots=True)
class ExecutionTrace:
    """How the instance came to be and how it was solved."""

    query: PublicQuery
    axes: AxisValues
    reference_sequence: Loop
    solved_sequence: Loop
    broken_sequence: Loop
    option_specs: tuple[OptionSpec, ...]
    answer_option_id: str
    answer_option_label: str
    valid_option_id: str
    redraws: tuple[RedrawnSwap, ...]
    near_misses: tuple[str, ...]
    rotation: int
    zero_rotation: str
    looks: tuple[Look, ...]
    palette: Mapping[str, str]
    instance_seed: str
    code_version: str
    config_sha256: str
    bundle_sha256: str
    solver_trace: SolverTrace


@dataclass(frozen=True, slots=True)
class Record:
    """The record of an instance; `id` is what the model's side calls it."""

    schema: str
    id: str
    domain: str
    scene_id: str
    task_id: str
    query_id: str
    scene_key: str
    task_key: str
    query_key: str
    program: str
    operations: tuple[str, ...]
    axes: AxisValues
    answer_gt: Typed
    annotation_gt: Typed
    projected_annotation: ProjectedAnnotation
    prompt: PromptSource
    render_map: RenderMap
    instance: Mapping[str, Json]
    execution_trace: ExecutionTrace


def item_id(instance_seed: str, config: SceneConfig, prompt: Prompt, pixels: tuple[int, int]) -> str:
    """What an item is called on both sides. It tells nothing of the answer, since it follows from what was asked for;
    and answers to items of another batch are not graded by mistake, since all of that goes in."""
    asked = (CODE_VERSION, config_digest(config), prompt.bundle_sha256, *map(str, pixels))
    return digest(SCENE_ID, "item", instance_seed, *asked)[:16]


def record(
    puzzle: Puzzle, config: SceneConfig, rendering: Rendering, prompt: Prompt, pixels: tuple[int, int]
) -> Record:
    """The record of a puzzle whose picture was exported with so many pixels (width, height); raises Disagreement."""
    trace = solver_trace(puzzle)
    valid = _valid(puzzle, trace)
    shown = project(puzzle, rendering, valid.option_choice_id, pixels)
    axes = _axes(puzzle, shown.label)
    return Record(
        schema=SCHEMA,
        id=item_id(puzzle.instance_seed, config, prompt, pixels),
        domain=DOMAIN,
        scene_id=SCENE_ID,
        task_id=TASK_ID,
        query_id=QUERY_ID,
        scene_key=SCENE_KEY,
        task_key=TASK_KEY,
        query_key=QUERY_KEY,
        program=PROGRAM,
        operations=OPERATIONS,
        axes=axes,
        answer_gt=Typed(ANSWER_TYPE, shown.label),
        annotation_gt=Typed(ANNOTATION_TYPE, shown.pixel_bbox),
        projected_annotation=ProjectedAnnotation(shown.bbox, shown.pixel_bbox),
        prompt=PromptSource(PROMPT_BUNDLE, prompt.bundle_sha256, SCENE_KEY, TASK_KEY, QUERY_KEY, prompt.wording),
        render_map=_render_map(rendering, pixels),
        instance=to_world(puzzle),
        execution_trace=_execution_trace(puzzle, config, prompt, axes, trace, valid),
    )


def write_record(made: Record) -> dict[str, Json]:
    """The JSON of a record."""
    return {field.name: plain(getattr(made, field.name)) for field in fields(made)}


def with_certificate(made: Record) -> Record:
    """The record of which a certificate says the same as the interpreter."""
    trace = made.execution_trace
    judged = replace(trace.solver_trace, routes=(*trace.solver_trace.routes, CERTIFICATE))
    return replace(made, execution_trace=replace(trace, solver_trace=judged))


def plain(value: object) -> Json:
    """The JSON of dataclasses, tuples, mappings, names and integers."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if value is None or isinstance(value, str | int):
        return value
    raise TypeError(f"{type(value).__name__} has no place in a record")


# --- the parts


def project(puzzle: Puzzle, rendering: Rendering, option_id: str, pixels: tuple[int, int]) -> Projection:
    """Answer and annotation, both of the option of this id."""
    option = next(one for one in puzzle.options if one.option_id == option_id)
    box = rendering.option_choice_bboxes_px[option_id]
    return Projection(option.label, box, scaled(box, rendering, pixels))


def scaled(box: Box, rendering: Rendering, pixels: tuple[int, int]) -> Box:
    """A box in user units as one in pixels of the exported picture; halves are rounded up."""
    across, down = (pixels[0], rendering.width), (pixels[1], rendering.height)
    left, top, right, bottom = (
        (2 * edge * size + whole) // (2 * whole)
        for edge, (size, whole) in zip(box, (across, down, across, down), strict=True)
    )
    return left, top, right, bottom


def solver_trace(puzzle: Puzzle) -> SolverTrace:
    """What the interpreter says of every option and of every pair of positions."""
    cards = {one.label: (one.first, one.second) for one in puzzle.options}
    judged = judge(puzzle.reference, puzzle.broken, cards)
    mirrors = judge(puzzle.reference[::-1], puzzle.broken, cards)
    return SolverTrace(
        routes=(INTERPRETER,),
        world=str(to_world(puzzle)["family"]),
        instance_sha256=sha256(canonical(to_world(puzzle))).hexdigest(),
        options=tuple(
            _option_trace(puzzle, one, judged[one.label], mirrors[one.label].accepted) for one in puzzle.options
        ),
        repairing_swaps=tuple(sorted(accepted(puzzle.reference, puzzle.broken, all_swaps(len(puzzle.reference))))),
    )


def _option_trace(puzzle: Puzzle, option: Option, judged: Judged, mirror: bool) -> OptionTrace:
    turns = (judged.loop[turn:] + judged.loop[:turn] for turn in range(len(judged.loop)))
    matches = next((turn + 1 for turn, read in enumerate(turns) if read == puzzle.reference), None)
    if (matches is not None) != judged.accepted:
        sides = {INTERPRETER: str(judged.accepted), "rotations": f"match at {matches}"}
        raise Disagreement(f"whether {option.option_id} of {puzzle.instance_seed} repairs", sides)
    return OptionTrace(
        option_choice_id=option.option_id,
        label=option.label,
        loop=judged.loop,
        verdict="accepted" if judged.accepted else "rejected",
        unmet=tuple(Unmet(*one) for one in judged.unmet),
        matches_at=matches,
        mirror=mirror,
    )


def _valid(puzzle: Puzzle, trace: SolverTrace) -> OptionTrace:
    """The one option that repairs; raises Disagreement where that is not the planted one alone."""
    valid = [one for one in trace.options if one.verdict == "accepted"]
    if [one.option_choice_id for one in valid] != [puzzle.answer]:
        found = ", ".join(one.option_choice_id for one in valid) or "none"
        sides = {INTERPRETER: found, "sampling": puzzle.answer}
        raise Disagreement(f"the valid option of {puzzle.instance_seed}", sides)
    return valid[0]


def _axes(puzzle: Puzzle, label: str) -> AxisValues:
    axes = puzzle.axes
    return AxisValues(
        axes.token_style, axes.loop_path, axes.scene_variant, axes.palette, axes.token_count, label, puzzle.rotation
    )


def _render_map(rendering: Rendering, pixels: tuple[int, int]) -> RenderMap:
    cards, tokens = rendering.option_choice_bboxes_px, rendering.token_bboxes_px
    return RenderMap(
        width=pixels[0],
        height=pixels[1],
        svg_width=rendering.width,
        svg_height=rendering.height,
        svg_sha256=sha256(rendering.svg.encode("utf-8")).hexdigest(),
        option_choice_bboxes_px={name: scaled(box, rendering, pixels) for name, box in cards.items()},
        token_bboxes_px={
            name: tuple(scaled(box, rendering, pixels) for box in boxes) for name, boxes in tokens.items()
        },
        number_bboxes_px=tuple(scaled(box, rendering, pixels) for box in rendering.number_bboxes_px),
    )


def _execution_trace(
    puzzle: Puzzle, config: SceneConfig, prompt: Prompt, axes: AxisValues, trace: SolverTrace, valid: OptionTrace
) -> ExecutionTrace:
    return ExecutionTrace(
        query=PublicQuery(TASK_ID, QUERY_ID, QUERY_KEY, PROGRAM, SCOPE),
        axes=axes,
        reference_sequence=puzzle.reference,
        solved_sequence=valid.loop,
        broken_sequence=puzzle.broken,
        option_specs=tuple(OptionSpec(one.option_id, one.label, (one.first, one.second)) for one in puzzle.options),
        answer_option_id=puzzle.answer,
        answer_option_label=valid.label,
        valid_option_id=valid.option_choice_id,
        redraws=tuple(RedrawnSwap((one.first, one.second), one.reason) for one in puzzle.redraws),
        near_misses=puzzle.near_misses,
        rotation=puzzle.rotation,
        zero_rotation=config.zero_rotation,
        looks=puzzle.looks,
        palette=PALETTES[puzzle.axes.palette],
        instance_seed=puzzle.instance_seed,
        code_version=CODE_VERSION,
        config_sha256=config_digest(config),
        bundle_sha256=prompt.bundle_sha256,
        solver_trace=trace,
    )
