"""The audit itself: every puzzle of a seed by every route, its picture, and the balance of the axes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from cwr_audits.scenes.cyclic_order.auditing.again import HASH_SEEDS, again
from cwr_audits.scenes.cyclic_order.auditing.asking import PICTURES, Asked, Waiting
from cwr_audits.scenes.cyclic_order.auditing.balance import (
    BALANCED,
    LEVEL,
    TOO_FEW,
    Tested,
    answer_of,
    balances,
    level_of,
    tested_json,
)
from cwr_audits.scenes.cyclic_order.auditing.baselines import (
    CHANCE,
    LEAK,
    Earned,
    baselines,
    earned_json,
    number_judged,
)
from cwr_audits.scenes.cyclic_order.auditing.comparing import Compared, compared
from cwr_audits.scenes.cyclic_order.auditing.outcome import DISAGREE, REJECTED, UNDECIDED, Fault, Outcome
from cwr_audits.scenes.cyclic_order.certifying import OPEN, VISIBLE, opened, read_puzzle
from cwr_audits.scenes.cyclic_order.contract import SCENE_ID, Puzzle, SceneConfig
from cwr_audits.scenes.cyclic_order.sampling import instance_seed, sample, to_world, write_config
from cwr_audits.wire import found
from cwr_solvers.errors import Disagreement, MalformedInput, Undecided
from cwr_solvers.jsontext import Json
from cwr_solvers.worlds.co.instance import write_instance

COMBINATION = "combination"
ONCE = ("cpsat", "smt")  # routes that are asked about one open sibling of an arrangement
Tell = Callable[[str], None]
Sampler = Callable[[str, SceneConfig], Puzzle]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked for: puzzles, lanes, seconds for a chunk, how many of the puzzles are seen and made again."""

    seed: str
    number: int
    lanes: int
    seconds: float
    seen: int
    again: int
    config: SceneConfig = field(default_factory=SceneConfig)
    sampler: Sampler = sample


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that is asked for; `index` is that of its puzzle, None where it shows a combination."""

    index: int | None
    seed: str
    config: SceneConfig
    see: bool


def audit(crew: Asked, routes: Sequence[str], plan: Plan, tell: Tell) -> Outcome:
    """Audit the puzzles of a plan. The crew has workers of every route and of pictures in so many lanes."""
    tell("sampling")
    puzzles = [plan.sampler(instance_seed(plan.seed, index), plan.config) for index in range(plan.number)]
    instances = [instances_of(puzzle) for puzzle in puzzles]
    first = _first(puzzles)
    lists = {route: _asked(route, instances, first) for route in routes}
    waiting = {route: Waiting(crew, route, plan.lanes, "puzzles", lists[route], plan.seconds) for route in routes}
    pictures = [*_of_puzzles(plan), *_of_combinations(plan)]
    asked: Any = [{"seed": one.seed, "config": write_config(one.config), "see": one.see} for one in pictures]
    drawn = Waiting(crew, PICTURES, plan.lanes, PICTURES, asked, plan.seconds)
    judged, faults = _judged(puzzles, instances, first, waiting, tell)
    looked, more = _looked(pictures, drawn, tell)
    tell("making items again")
    repeated, others = _again(plan, looked)
    level = level_of(plan.config, number_judged(plan.config))
    balance = balances(puzzles, plan.config, level)
    earned = baselines(puzzles, plan.config, level)
    told: dict[str, Json] = {
        "scene": SCENE_ID,
        "seed": plan.seed,
        "number": plan.number,
        "config": write_config(plan.config),
        "routes": {route: sum(route in one.sole for one in judged) for route in routes},
        "arrangements": len(set(first)),
        "agreed": sum(one.agreed for one in judged),
        "repairs": _repairs(puzzles, judged),
        "pictures": _counted(pictures, looked),
        "again": repeated,
        "balance": {"level": f"{float(LEVEL)}", "tests": [tested_json(one) for one in balance]},
        "baselines": {"chance": str(CHANCE), "guesses": [earned_json(one) for one in earned]},
    }
    uneven = (*map(_unbalanced, _odd(balance)), *_leaks(earned))
    return Outcome(told, (*faults, *more, *others, *uneven, *_nothing(told)))


def instances_of(puzzle: Puzzle) -> dict[str, Json]:
    """The visible instance of a puzzle and its open sibling."""
    visible = to_world(puzzle)
    return {VISIBLE: visible, OPEN: write_instance(opened(read_puzzle(visible)))}


# --- what is asked


def _first(puzzles: Sequence[Puzzle]) -> list[int]:
    """For every puzzle the index of the first one of its arrangement."""
    known: dict[tuple[int, ...], int] = {}
    return [
        known.setdefault(tuple(puzzle.reference.index(token) for token in puzzle.broken), index)
        for index, puzzle in enumerate(puzzles)
    ]


def _asked(route: str, instances: Sequence[Mapping[str, Json]], first: Sequence[int]) -> list[Mapping[str, Json]]:
    """What a route is asked of every puzzle."""
    if route not in ONCE:
        return list(instances)
    return [one if first[index] == index else {VISIBLE: one[VISIBLE]} for index, one in enumerate(instances)]


def _of_puzzles(plan: Plan) -> Iterator[Picture]:
    for index in range(plan.number):
        yield Picture(index, instance_seed(plan.seed, index), plan.config, index < max(plan.seen, plan.again))


def _of_combinations(plan: Plan) -> Iterator[Picture]:
    """One of every combination."""
    config = plan.config
    axes = (config.token_counts, config.token_styles, config.loop_paths, config.scene_variants)
    for place, (count, style, path, variant) in enumerate(product(*axes)):
        only = replace(
            config, token_counts=(count,), token_styles=(style,), loop_paths=(path,), scene_variants=(variant,)
        )
        yield Picture(None, instance_seed(f"{plan.seed}/{COMBINATION}", place), only, True)


# --- what came of it


def _judged(
    puzzles: Sequence[Puzzle],
    instances: Sequence[Mapping[str, Json]],
    first: Sequence[int],
    waiting: Mapping[str, Waiting],
    tell: Tell,
) -> tuple[list[Compared], list[Fault]]:
    told = {route: iter(replies) for route, replies in waiting.items()}
    known: dict[tuple[str, int], Any] = {}
    judged = []
    for index, (puzzle, asked) in enumerate(zip(puzzles, instances, strict=True)):
        tell(f"puzzle {index} of {len(puzzles)}")
        replies = {route: _both(next(ones), known, (route, first[index])) for route, ones in told.items()}
        judged.append(compared(index, asked, answer_of(puzzle).label, replies))
    return judged, [fault for one in judged for fault in one.faults]


def _both(sides: Any, known: dict[tuple[str, int], Any], at: tuple[str, int]) -> Any:
    """The replies on both sides of a puzzle, one of which may have been told with an earlier puzzle."""
    if VISIBLE not in sides:  # what befell the whole chunk
        known.setdefault(at, sides)
        return sides
    if OPEN not in sides:
        return {**sides, OPEN: known[at]}
    known[at] = sides[OPEN]
    return sides


def _looked(pictures: Sequence[Picture], drawn: Waiting, tell: Tell) -> tuple[list[Any], list[Fault]]:
    """What was found of every picture, None where there is nothing."""
    looked: list[Any] = []
    faults = []
    for place, (picture, reply) in enumerate(zip(pictures, drawn, strict=True)):
        tell(f"picture {place} of {len(pictures)}")
        try:
            one = found(reply)
        except (Undecided, Disagreement, MalformedInput) as error:
            word = UNDECIDED if isinstance(error, Undecided) else DISAGREE
            faults.append(_of_picture(word, picture, str(error)))
            looked.append(None)
            continue
        looked.append(one)
        wrong = (*one["outside"], *one["overlaps"], *(one["seen"] or {"wrong": ()})["wrong"])
        faults += [_of_picture(REJECTED, picture, text) for text in wrong]
    return looked, faults


def _of_picture(word: str, picture: Picture, text: str) -> Fault:
    if picture.index is not None:
        return Fault(word, picture.index, text)
    only = picture.config
    names = (only.token_counts, only.token_styles, only.loop_paths, only.scene_variants)
    return Fault(word, None, f"the picture of {', '.join(str(name) for (name,) in names)}: {text}")


def _again(plan: Plan, looked: Sequence[Any]) -> tuple[dict[str, Json], list[Fault]]:
    """The first puzzles made again under other hash seeds; they must be what the workers made, where they made them."""
    number = min(plan.again, plan.number)
    seeds = [instance_seed(plan.seed, index) for index in range(number)]
    first = [None if one is None else one["digest"] for one in looked[:number]]
    faults = []
    for hash_seed in HASH_SEEDS:
        try:
            made = again(seeds, write_config(plan.config), hash_seed)
        except Undecided as error:
            faults.append(Fault(UNDECIDED, None, str(error)))
            continue
        for index, (before, after) in enumerate(zip(first, made, strict=True)):
            if before is not None and before != after:
                faults.append(Fault(REJECTED, index, f"other bytes under the hash seed {hash_seed}: {before}, {after}"))
    return {"items": number, "processes": 1 + len(HASH_SEEDS), "same": not faults and None not in first}, faults


def _repairs(puzzles: Sequence[Puzzle], judged: Sequence[Compared]) -> dict[str, Json]:
    """{token count: {number of all repairing swaps: number of puzzles}}; "unknown" where routes do not agree."""
    told: dict[str, Counter[str]] = {}
    for puzzle, one in zip(puzzles, judged, strict=True):
        repairs = "unknown" if one.repairs is None else str(one.repairs)
        told.setdefault(str(puzzle.axes.token_count), Counter())[repairs] += 1
    return {count: dict(sorted(numbers.items())) for count, numbers in sorted(told.items())}


def _counted(pictures: Sequence[Picture], looked: Sequence[Any]) -> dict[str, Json]:
    pairs = [(picture, one) for picture, one in zip(pictures, looked, strict=True) if one is not None]
    seen = [picture for picture, one in pairs if one["seen"] is not None]
    examined: Counter[str] = Counter()
    for _, one in pairs:
        examined.update((one["seen"] or {"examined": {}})["examined"])
    return {
        "drawn": len(pairs),
        "boxes": sum(one["boxes"] for _, one in pairs),
        "with_a_box_outside": sum(bool(one["outside"]) for _, one in pairs),
        "with_overlaps": sum(bool(one["overlaps"]) for _, one in pairs),
        "seen": len(seen),
        "combinations": len({picture.config for picture in seen if picture.index is None}),
        "examined": dict(examined),
        "seen_otherwise": sum(bool(one["seen"] and one["seen"]["wrong"]) for _, one in pairs),
    }


def _odd(balance: Sequence[Tested]) -> list[Tested]:
    return [one for one in balance if one.word != BALANCED]


def _unbalanced(one: Tested) -> Fault:
    word = UNDECIDED if one.word == TOO_FEW else REJECTED
    return Fault(word, None, f"{one.axis}, {one.within}: {one.word}: {', '.join(map(str, one.counts))}")


def _leaks(earned: Sequence[Earned]) -> Iterator[Fault]:
    """Guesses that see no token and earn more than chance, or of which that is not known."""
    for one in earned:
        if one.word in (LEAK, TOO_FEW):
            word = UNDECIDED if one.word == TOO_FEW else REJECTED
            yield Fault(word, None, f"guess {one.guess}, {one.within}: {one.word}: {one.right} of {one.puzzles}")


def _nothing(told: Mapping[str, Any]) -> Iterator[Fault]:
    """What was not examined is no success."""
    looked = told["pictures"]
    examined = {
        "puzzle": told["number"],
        "route": len(told["routes"]),
        "box": looked["boxes"],
        "picture seen": looked["seen"],
        "combination seen": looked["combinations"],
        "item made again": told["again"]["items"],
        "axis": len(told["balance"]["tests"]),
        "guess": len(told["baselines"]["guesses"]),
    }
    for what, number in examined.items():
        if not number:
            yield Fault(REJECTED, None, f"no {what}: nothing was examined")
