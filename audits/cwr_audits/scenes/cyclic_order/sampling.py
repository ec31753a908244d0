"""Seed to puzzle: every choice comes from a stream of its own, named by what is chosen.

A stream is named by scene, code version, instance seed and choice. The configuration is no part of the name: what one
choice is made from does not move the others, so a further token style leaves loops, cards and labels as they were. (A
choice whose range another one sets follows that: positions depend on the token count.)

  token_count, token_style, loop_path, scene_variant, palette    evenly over the values of the configuration
  shape, symbol, colour    the tokens' looks, drawn without repetition; the reference is read in this order
  rotation      evenly over 1 to n-1, or 0 to n-1 where zero rotation is allowed: by how many positions the copy of the
                reference is turned before the swap. (With 0 excluded the broken loop may still begin as the reference
                does, namely when the swap brings that token there.)
  cards         four pairs of positions, drawn evenly one after the other; a pair that would repair whatever an earlier
                one repairs is thrown away, another one is drawn, and this is kept as a redraw. (It happens with four
                tokens and opposite positions only.) Nothing else of the instance is drawn anew; nothing is relaxed
  planted       evenly one of the four cards: the swap that spoils the copy, and so repairs it. It is drawn after the
                cards, so that the pairs on them tell nothing of the answer (docs/adr/0017)
  labels        the four options in the order of their labels: an even permutation
"""

from __future__ import annotations

from dataclasses import asdict, fields
from hashlib import sha256
from random import Random

from cwr_audits.scenes.cyclic_order.contract import (
    FEWEST_TOKENS,
    LABELS,
    LOOP_PATHS,
    MOST_TOKENS,
    SCENE_ID,
    SCENE_VARIANTS,
    STYLE_USES,
    TOKEN_STYLES,
    ZERO_ROTATION,
    Axes,
    Look,
    Option,
    Puzzle,
    Redraw,
    SceneConfig,
)
from cwr_audits.scenes.cyclic_order.judging import Loop, Swap, accepted, all_swaps, instance_json, mirrored
from cwr_audits.scenes.cyclic_order.looks import PALETTES, SHAPES, SYMBOLS
from cwr_solvers.jsontext import Json, canonical, pointer
from cwr_solvers.reading import as_int, as_items, as_name, as_object, distinct, refuse
from cwr_solvers.sampling import between, digest, pick, some, stream

CODE_VERSION = "cyclic_order/2"  # changes when a seed would give another puzzle
REPAIRS_ALIKE = "repairs alike"  # just what a card drawn before repairs

# axis of the configuration -> (the values it may have, what one is called)
AXES = {
    "token_styles": (TOKEN_STYLES, "token style"),
    "loop_paths": (LOOP_PATHS, "loop path"),
    "scene_variants": (SCENE_VARIANTS, "scene variant"),
    "palettes": (tuple(PALETTES), "palette"),
}


def read_config(value: Json) -> SceneConfig:
    """The configuration that a JSON object is; raises MalformedInput. What is left out has its default.

    {"token_counts":[n],"token_styles":[name],"loop_paths":[name],"scene_variants":[name],"palettes":[name],
     "zero_rotation":"excluded" or "allowed"}. Lists are sets: their order means nothing.
    """
    stated = as_object(value, "", (), [field.name for field in fields(SceneConfig)])
    read: dict[str, tuple[str, ...]] = {}
    for axis, (known, what) in AXES.items():
        if axis in stated:
            read[axis] = _names(stated[axis], pointer("", axis), known, what)
    made = SceneConfig(**read)  # type: ignore[arg-type]  # a mapping of names has no types of their own
    counts = _counts(stated["token_counts"]) if "token_counts" in stated else made.token_counts
    zero = as_name(stated.get("zero_rotation", made.zero_rotation), "/zero_rotation", ZERO_ROTATION, "policy")
    return SceneConfig(counts, made.token_styles, made.loop_paths, made.scene_variants, made.palettes, zero)


def write_config(config: SceneConfig) -> dict[str, Json]:
    """The JSON that reads as this configuration."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(config).items()}


def config_digest(config: SceneConfig) -> str:
    """sha256 of the canonical JSON of a configuration."""
    return sha256(canonical(write_config(config))).hexdigest()


def _names(value: Json, at: str, known: tuple[str, ...], what: str) -> tuple[str, ...]:
    named = distinct(as_items(value, at, lambda item, where: as_name(item, where, known, what)), at, what)
    if not named:
        refuse("out-of-range", at, f"at least one {what}", "none")
    return tuple(one for one in known if one in named)


def _counts(value: Json) -> tuple[int, ...]:
    at = "/token_counts"
    counts = as_items(value, at, lambda item, where: as_int(item, where, FEWEST_TOKENS, MOST_TOKENS))
    distinct(map(str, counts), at, "token count")
    if not counts:
        refuse("out-of-range", at, "at least one token count", "none")
    return tuple(sorted(counts))


def instance_seed(seed: str, index: int) -> str:
    """The seed of one instance of a batch: 32 hex digits."""
    return digest(SCENE_ID, "instance", seed, str(index))[:32]


def draws(seed: str, choice: str) -> Random:
    """The stream of one choice of an instance."""
    return stream(SCENE_ID, CODE_VERSION, seed, choice)


def sample(instance_seed: str, config: SceneConfig) -> Puzzle:
    """The puzzle of an instance seed."""
    axes = _axes(instance_seed, config)
    looks = _looks(instance_seed, axes)
    reference = tuple(look.name for look in looks)
    rotation = _rotation(instance_seed, axes.token_count, config.zero_rotation)
    turned = reference[rotation:] + reference[:rotation]
    swaps, redraws = _cards(instance_seed, reference, turned)
    planted = pick(draws(instance_seed, "planted"), swaps)
    broken = swapped(turned, planted)
    options = _labelled(instance_seed, swaps)
    mirrors = mirrored(reference, broken, tuple((one.first, one.second) for one in options))
    return Puzzle(
        instance_seed=instance_seed,
        axes=axes,
        looks=looks,
        reference=reference,
        rotation=rotation,
        broken=broken,
        options=options,
        answer=option_id(planted),
        redraws=redraws,
        near_misses=tuple(one.option_id for one in options if (one.first, one.second) in mirrors),
    )


def option_id(swap: Swap) -> str:
    """What an option is called in evaluator material."""
    return f"swap_{swap[0]}_{swap[1]}"


def swapped(loop: Loop, swap: Swap) -> Loop:
    """The loop with the tokens of two positions exchanged."""
    made = list(loop)
    first, second = swap[0] - 1, swap[1] - 1
    made[first], made[second] = made[second], made[first]
    return tuple(made)


def to_world(puzzle: Puzzle) -> dict[str, Json]:
    """The instance of CO that a puzzle is: four cards in the order of their labels, one of which may be played."""
    cards = {one.label: (one.first, one.second) for one in puzzle.options}
    content = instance_json("CO", puzzle.reference, puzzle.broken, cards)
    code = digest(SCENE_ID, puzzle.instance_seed, canonical(content).decode("utf-8"))[:8]
    return {**content, "code": f"CO-{code}"}


def _axes(seed: str, config: SceneConfig) -> Axes:
    return Axes(
        token_style=pick(draws(seed, "token_style"), config.token_styles),
        loop_path=pick(draws(seed, "loop_path"), config.loop_paths),
        scene_variant=pick(draws(seed, "scene_variant"), config.scene_variants),
        palette=pick(draws(seed, "palette"), config.palettes),
        token_count=pick(draws(seed, "token_count"), config.token_counts),
    )


def _looks(seed: str, axes: Axes) -> tuple[Look, ...]:
    """As many looks as there are tokens, told apart by all that the style uses."""
    uses = STYLE_USES[axes.token_style]
    known = {"shape": SHAPES, "symbol": SYMBOLS, "colour": tuple(PALETTES[axes.palette])}
    drawn = {use: some(draws(seed, use), known[use], axes.token_count) for use in uses}
    nothing = [None] * axes.token_count
    outlines = drawn.get("shape") or drawn.get("symbol") or nothing
    looks = zip(outlines, drawn.get("colour") or nothing, strict=True)
    return tuple(
        Look("-".join(part for part in (colour, outline) if part is not None), outline, colour)
        for outline, colour in looks
    )


def _rotation(seed: str, length: int, zero_rotation: str) -> int:
    return between(draws(seed, "rotation"), 0 if zero_rotation == "allowed" else 1, length - 1)


def _cards(seed: str, reference: Loop, turned: Loop) -> tuple[tuple[Swap, ...], tuple[Redraw, ...]]:
    """Four swaps of which no two repair the same loop, in the order in which they were drawn, and those thrown away."""
    kept: list[Swap] = []
    redraws: list[Redraw] = []
    pairs = all_swaps(len(reference))
    for swap in some(draws(seed, "cards"), pairs, len(pairs)):
        if len(kept) == len(LABELS):
            break
        if any(accepted(reference, swapped(turned, one), (swap,)) for one in kept):
            redraws.append(Redraw(*swap, REPAIRS_ALIKE))
        else:
            kept.append(swap)
    return tuple(kept), tuple(redraws)


def _labelled(seed: str, swaps: tuple[Swap, ...]) -> tuple[Option, ...]:
    """The options, in the order of their labels."""
    order = some(draws(seed, "labels"), swaps, len(swaps))
    return tuple(Option(option_id(swap), label, *swap) for label, swap in zip(LABELS, order, strict=True))
