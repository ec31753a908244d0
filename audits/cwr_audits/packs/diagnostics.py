"""The items of P, R and E of one target: what a step does, which artefact applies, how a candidate runs.

P  In pairs of one kind of step, legal in one state and illegal in another; so who always says the same is right about
   one of each pair and never about a pair. One pair for every set of rules that is broken in what was tried, and one
   of the showcase's own probes.
R  A handbook of three: one artefact that is accepted, one that is legal (or would be, with a later deadline) and made
   for another goal, one that is illegal. The places of the three take every order equally often, the valid one's id
   every value.
E  One candidate that is accepted, of a sibling instance and without any motif, so that the target's solutions are not
   shown; some that are legal and miss the goal; and for every step number up to the witness's length one that is
   illegal there. What leads to the illegal step is, where it can be, no beginning of an accepted submission.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from random import Random
from typing import Any

from cwr_audits.attacks.edits import neighbours
from cwr_audits.motifs import MOTIFS
from cwr_audits.packs.drafts import Draft, Target
from cwr_audits.packs.model import ROLES
from cwr_audits.packs.prompts import WORDINGS, question_e, question_p, question_r
from cwr_audits.packs.replicas import Replica
from cwr_audits.packs.walks import Tried, submitted, tried, vocabulary, walk, written
from cwr_audits.subject import from_json
from cwr_audits.tallies import NAMES, TALLIES
from cwr_solvers.errors import MalformedInput, Undecided
from cwr_solvers.grading import answer_e, answer_p, run
from cwr_solvers.jsontext import SUBMISSION_BYTES, SUBMISSION_DEPTH, Json, canonical, parse
from cwr_solvers.sampling import between, pick, some
from cwr_solvers.search import words
from cwr_solvers.world import Broken, Submission, World

WALKS = 30
STEPS = 6
MOST_PAIRS = 12
MISSED = 2  # candidates that are legal and miss the goal
ATTEMPTS = 400
SIBLINGS = 300
ONE_KIND: Mapping[str, str] = {"PA": "connection", "RS": "start"}
WHOLE = frozenset({"RS"})  # families whose submissions are whole from the start: no walk is one until its end


# --- P


def p_drafts(target: Target) -> list[Draft]:
    """Pairs of P items. Raises Undecided where a kind of step is never legal, or never illegal, in what was tried."""
    replica, draws = target.replica(target.about.source, "P"), target.draws("P")
    seen = [*_probes(target, replica), *_walked(replica, draws)]
    drafts = []
    for number, (legal, illegal) in enumerate(_pairs(target.about.code, replica, seen, draws, MOST_PAIRS)):
        wording = WORDINGS[number % len(WORDINGS)]
        drafts += [_p_draft(target, replica, one, wording, number) for one in (legal, illegal)]
    return drafts


def pairs_of(target: Target, replica: Replica, draws: Random, number: int) -> list[list[tuple[Tried, Tried]]]:
    """So many choices of one legal and one illegal step of every kind that a replica has, or as many as it has names
    for what steps are about, all from the same random walks. Raises Undecided."""
    wanted = len(list(NAMES[replica.family](replica.source)))
    walked = _walked(replica, draws)
    return [_pairs(target.about.code, replica, walked, draws, wanted) for _ in range(number)]


def _walked(replica: Replica, draws: Random) -> list[Tried]:
    """What random walks try; where some kind of step is never legal there, also the steps of accepted submissions."""
    moves = vocabulary(replica.world, replica.instance)
    found = tried(replica.world, replica.instance, moves, draws, WALKS, STEPS)
    missing = set(_kinds(replica)) - {_kind(replica, one) for one in found if one.legal}
    return found + [one for one in _along(replica) if _kind(replica, one) in missing] if missing else found


def _along(replica: Replica) -> Iterator[Tried]:
    """The steps of every accepted submission."""
    for word in words(replica.world, replica.instance):
        state = replica.world.initial(replica.instance)
        for place, move in enumerate(word.moves):
            after = replica.world.step(replica.instance, state, move)
            yield Tried(word.moves[:place], state, move, after)
            state = after


def _probes(target: Target, replica: Replica) -> Iterator[Tried]:
    """The showcase's own probes of single steps, in the replica's names. Their states need not be reachable."""
    world, instance = replica.world, replica.instance
    for probe in target.about.probes:
        if isinstance(probe, dict) and probe["kind"] == "step":
            state = world.read_state(instance, replica.carried("state", probe["state"]))
            move = world.read_move(instance, replica.carried("move", probe["move"]))
            yield Tried((), state, move, world.step(instance, state, move))


def _pairs(code: str, replica: Replica, seen: Sequence[Tried], draws: Random, most: int) -> list[tuple[Tried, Tried]]:
    """A pair for every kind of step, and others, up to so many in all, for other sets of broken rules."""
    kinds = {name: [one for one in seen if _kind(replica, one) == name] for name in _kinds(replica)}
    legal = {name: [one for one in found if one.legal] for name, found in kinds.items()}
    illegal = {name: _by_rules(one for one in found if not one.legal) for name, found in kinds.items()}
    lacking = [name for name in kinds if not legal[name] or not illegal[name]]
    if lacking:
        raise Undecided("unknown", f"{code}: steps {lacking} were not seen both legal and illegal")
    chosen = [(name, pick(draws, sorted(illegal[name]))) for name in kinds]
    more = [(name, rules) for name in kinds for rules in sorted(illegal[name]) if (name, rules) not in chosen]
    chosen += some(draws, more, max(0, most - len(chosen)))
    chosen = [chosen[number % len(chosen)] for number in range(max(most, len(chosen)))]
    used: set[tuple[Any, Any]] = set()
    pairs = [(_fresh(legal[name], used, draws), _fresh(illegal[name][rules], used, draws)) for name, rules in chosen]
    return [(one, other) for one, other in pairs if one is not None and other is not None]


def _fresh(found: Sequence[Tried], used: set[tuple[Any, Any]], draws: Random) -> Tried | None:
    """One that was not used yet, where there is one."""
    left = [one for one in found if (one.state, one.move) not in used]
    if not left:
        return None
    one = pick(draws, left)
    used.add((one.state, one.move))
    return one


def _by_rules(broken: Iterable[Tried]) -> dict[tuple[str, ...], list[Tried]]:
    found: dict[tuple[str, ...], list[Tried]] = {}
    for one in broken:
        if isinstance(one.after, Broken):
            found.setdefault(one.after.rules, []).append(one)
    return found


def _kinds(replica: Replica) -> list[str]:
    """The kinds of steps of the instance; connections are of one kind, and so are starts."""
    return [ONE_KIND[replica.family]] if replica.family in ONE_KIND else list(NAMES[replica.family](replica.source))


def _kind(replica: Replica, one: Tried) -> str:
    if replica.family in ONE_KIND:
        return ONE_KIND[replica.family]
    return next(iter(TALLIES[replica.family](replica.world.write_move(replica.instance, one.move))))[0]


def _p_draft(target: Target, replica: Replica, one: Tried, wording: int, pair: int) -> Draft:
    world, instance = replica.world, replica.instance
    state, move = world.write_state(instance, one.state), world.write_move(instance, one.move)
    made: dict[str, Json] = {"state": state, "move": move, "pair": pair, "path": _path(replica, one)}
    prompt = question_p(target.family, replica.source, wording, state, move)
    key = answer_p(world, instance, one.state, one.move)
    rests_on: tuple[Submission[Any], ...] = ()
    if one.path and replica.family not in WHOLE:
        rests_on = (submitted(world, instance, (*one.path, one.move), target.draws("P", "choice")),)
    return Draft("P", "renaming", replica, wording, prompt, key, made, rests_on)


def _path(replica: Replica, one: Tried) -> Json:
    """The moves that lead to the state of a step; None where it is a probe's state, to which nothing need lead."""
    if not one.path and one.state != replica.world.initial(replica.instance):
        return None
    return [replica.world.write_move(replica.instance, move) for move in one.path]


# --- R


def r_drafts(target: Target) -> list[Draft]:
    """Six R items, each of a replica of its own."""
    return [_r_draft(target, number, order) for number, order in enumerate(permutations(range(len(ROLES))))]


def _r_draft(target: Target, number: int, order: tuple[int, ...]) -> Draft:
    replica, draws = target.replica(target.about.source, "R", str(number)), target.draws("R", str(number))
    shown = _handbook(target, replica, draws)
    names = [f"H{(number + place) % len(ROLES)}" for place in range(len(ROLES))]
    artifacts: list[dict[str, Json]] = [
        {"artifact_id": names[place], "role": ROLES[role], "submission": shown[role]}
        for place, role in enumerate(order)
    ]
    wording = WORDINGS[number % len(WORDINGS)]
    told = [{key: one[key] for key in ("artifact_id", "submission")} for one in artifacts]
    prompt = question_r(target.family, replica.source, wording, told)
    key: Json = {"artifact_id": names[order.index(0)]}
    made: dict[str, Json] = {"artifacts": [*artifacts]}
    read = tuple(replica.world.read_submission(replica.instance, one) for one in shown)
    return Draft("R", "renaming", replica, wording, prompt, key, made, read)


def _handbook(target: Target, replica: Replica, draws: Random) -> tuple[Json, Json, Json]:
    """Submissions that are valid, made for another goal, and illegal."""
    world, instance = replica.world, replica.instance
    valid = pick(
        draws, sorted(words(world, instance), key=lambda word: canonical(world.write_submission(instance, word)))
    )
    told = world.write_submission(instance, valid)
    other = _other_goal(target, replica, len(world.read_submission(instance, told).moves), draws)
    return told, other, _distractor(target, replica, told, draws)


def _distractor(target: Target, replica: Replica, valid: Json, draws: Random) -> Json:
    """A submission one edit away from a valid one that is illegal."""
    near = sorted(neighbours(replica.world, replica.instance, [valid]))
    for one in some(draws, near, len(near)):
        edited = parse(one, SUBMISSION_BYTES, SUBMISSION_DEPTH)
        if _status(replica.world, replica.instance, edited) == "illegal":
            return edited
    raise Undecided("unknown", f"{target.about.code}: no edit of a valid submission is illegal")


def _other_goal(target: Target, replica: Replica, steps: int, draws: Random) -> Json:
    """A legal submission that misses the goal, as long as can be found; for schedules, one for a later deadline."""
    world, instance = replica.world, replica.instance
    if target.family in WHOLE:
        return _late(replica, draws)
    moves = vocabulary(world, instance)
    lengths = [max(1, steps - number % steps) for number in range(ATTEMPTS // 10)]
    found = [written(world, instance, walk(world, instance, moves, draws, length), draws) for length in lengths]
    missed = [one for one in found if _status(world, instance, one) == "rejected"]
    if not missed:
        raise Undecided("unknown", f"{target.about.code}: no legal submission was found that misses the goal")
    return max(missed, key=lambda one: (len(world.read_submission(instance, one).moves), canonical(one)))


def _late(replica: Replica, draws: Random) -> Json:
    """A schedule that would do with a later deadline and breaks this one."""
    source: Any = replica.source
    relaxed = from_json({**source, "deadline": source["deadline"] + 2})
    found = [relaxed.world.write_submission(relaxed.instance, word) for word in words(relaxed.world, relaxed.instance)]
    return pick(
        draws,
        sorted((one for one in found if _status(replica.world, replica.instance, one) == "illegal"), key=canonical),
    )


def _status(world: World, instance: Any, submission: Json) -> str:
    try:
        return run(world, instance, world.read_submission(instance, submission)).status
    except MalformedInput:
        return "malformed"


# --- E


def e_drafts(target: Target) -> list[Draft]:
    """Candidates of every kind that there is."""
    replica, draws = target.replica(target.about.source, "E"), target.draws("E")
    about = target.about
    steps = len(about.world.read_submission(about.instance, about.witness).moves)
    drafts = [_e_draft(target, "sibling", *_solved_sibling(target), 0)]
    if target.family not in WHOLE:
        for number in range(MISSED):
            missed = _other_goal(target, replica, 1 + between(draws, 0, steps - 1), draws)
            drafts.append(_e_draft(target, "renaming", replica, missed, 1 + number))
    for place in range(1, steps + 1):
        broken = _broken_at(replica, place, draws)
        if broken is not None:
            drafts.append(_e_draft(target, "renaming", replica, broken, MISSED + place))
    return drafts


def _e_draft(target: Target, kind: str, replica: Replica, candidate: Json, number: int) -> Draft:
    world, instance = replica.world, replica.instance
    start = world.write_state(instance, world.initial(instance))
    wording = WORDINGS[number % len(WORDINGS)]
    prompt = question_e(target.family, replica.source, wording, candidate, start)
    submission = world.read_submission(instance, candidate)
    key = answer_e(world, instance, submission)
    return Draft("E", kind, replica, wording, prompt, key, {"submission": candidate}, _rests_on(replica, submission))


def _rests_on(replica: Replica, submission: Submission[Any]) -> tuple[Submission[Any], ...]:
    """The candidate, up to its first illegal step; and, where that makes a submission, what leads to it."""
    place = run(replica.world, replica.instance, submission).first_illegal_step
    if place is None or replica.family in WHOLE:
        return (submission,)
    ends = [Submission(submission.moves[:last], submission.choice) for last in (place, place - 1)]
    return tuple(one for one in ends if _chosen(replica, one))


def _chosen(replica: Replica, one: Submission[Any]) -> bool:
    """Whether the final choice is still one when the submission is cut short."""
    state = run(replica.world, replica.instance, one).states[-1]
    return one.choice in replica.world.choices(replica.instance, state)


def _solved_sibling(target: Target) -> tuple[Replica, Json]:
    """An instance of the family with a solution of two steps or more that has none of the family's motifs."""
    for number in range(SIBLINGS):
        about = from_json(target.about.world.generate(f"{target.seed} {target.about.code} sibling {number}"))
        for word in sorted(words(about.world, about.instance), key=lambda one: len(one.moves), reverse=True)[:1]:
            if len(word.moves) > 1 and not any(
                holds(about.world, about.instance, word) for holds in MOTIFS[target.family].values()
            ):
                replica = target.replica(about.source, "E", "sibling")
                return replica, replica.carried("submission", about.world.write_submission(about.instance, word))
    raise Undecided("unknown", f"{target.about.code}: no sibling with a solution without motif was found")


def _broken_at(replica: Replica, place: int, draws: Random) -> Json | None:
    """A submission whose first illegal step is that one; None where none was found."""
    world, instance = replica.world, replica.instance
    if replica.family in WHOLE:
        return _schedule_broken_at(replica, place, draws)
    moves, begun = vocabulary(world, instance), {word.moves[: place - 1] for word in words(world, instance)}
    found: Json | None = None
    for _ in range(ATTEMPTS):
        path = walk(world, instance, moves, draws, place - 1) if place > 1 else ()
        broken = _illegal_after(world, instance, moves, path, draws) if len(path) == place - 1 else None
        if broken is not None:
            found = written(world, instance, (*path, broken), draws)
            if path not in begun or place == 1:
                break
    return found


def _illegal_after(world: World, instance: Any, moves: Sequence[Any], path: tuple[Any, ...], draws: Random) -> Any:
    state = world.initial(instance)
    for move in path:
        state = world.step(instance, state, move)
    for move in some(draws, moves, min(len(moves), 50)):
        if isinstance(world.step(instance, state, move), Broken):
            return move
    return None


def _schedule_broken_at(replica: Replica, place: int, draws: Random) -> Json | None:
    source: Any = replica.source
    for _ in range(ATTEMPTS):
        starts: Json = {"starts": {job["name"]: between(draws, 0, source["deadline"]) for job in source["jobs"]}}
        read = replica.world.read_submission(replica.instance, starts)
        if run(replica.world, replica.instance, read).first_illegal_step == place:
            return starts
    return None
