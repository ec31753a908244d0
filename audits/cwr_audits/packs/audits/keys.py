"""Audit keys: the keys of P, R and E are the interpreter's, worked out anew, and an encoding says the same.

The encoding is the family's trusted statement in clauses (cwr_audits.packs.confirm). A step of P is asked as the last
one of the submission that leads to its state; a schedule's step as the schedule of the jobs that run. Not every step
can be asked so: states that nothing leads to, and events out of time, are the interpreter's word alone. How many is
printed, and of every condition some must be confirmed.

key-differs       the interpreter gives another key
clauses-differ    the clauses judge a submission that the key rests on otherwise
roles             R: the artefacts are not one valid, one changed-goal and one illegal, as their roles say
nothing-confirmed no key of a condition was confirmed
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cwr_audits.packs.audits.cases import Case, case, read
from cwr_audits.packs.audits.record import Found, Why, concluded, per_world
from cwr_audits.packs.confirm import judge
from cwr_audits.packs.diagnostics import WHOLE
from cwr_audits.packs.model import ROLES, Condition, EvaluatorRow, Pack
from cwr_audits.packs.verdicts import Audit
from cwr_solvers.grading import answer_e, answer_p, run
from cwr_solvers.jsontext import Json, canonical
from cwr_solvers.reading import as_items, as_list, as_map
from cwr_solvers.world import Broken, Submission, World

DIAGNOSTICS: tuple[Condition, ...] = ("P", "R", "E")
Judged = Callable[[Submission[Any]], str]
Asked = tuple[Submission[Any], str]  # a submission, and how the key says that it ends
LEGAL = "legal"  # accepted or rejected


def keys(pack: Pack) -> Audit:
    """The audit of a pack."""
    return concluded("keys", pack, lambda _pack: per_world(pack, lambda code: _world(case(pack, code))))


def _world(one: Case) -> Found:
    reasons, evidence = list[Why](), dict[str, Json]()
    judges: dict[bytes, Judged] = {}
    for condition in DIAGNOSTICS:
        rows, confirmed = one.of(condition), 0
        for row in rows:
            reasons += list(_differs(one.world, row))
            number, whys = _confirmed(one.world, row, judges)
            confirmed += number > 0
            reasons += whys
        evidence[condition] = {"confirmed": confirmed, "by the interpreter alone": len(rows) - confirmed}
        if not confirmed:
            reasons.append(Why("nothing-confirmed", one.about.code, f"no key of {condition} was confirmed by clauses"))
    return Found(len(one.of(*DIAGNOSTICS)), tuple(reasons), evidence)


# --- by the interpreter


def _differs(world: World, row: EvaluatorRow) -> Iterator[Why]:
    if row.condition == "R":
        yield from _roles(world, row)
        return
    key = _key(world, row)
    if canonical(key) != canonical(row.key):
        yield Why("key-differs", row.item, f"the interpreter says {canonical(key).decode('utf-8')}")


def _key(world: World, row: EvaluatorRow) -> Json:
    instance = read(world, row.instance)
    if row.condition == "E":
        return answer_e(world, instance, world.read_submission(instance, row.made["submission"]))
    state, move = world.read_state(instance, row.made["state"]), world.read_move(instance, row.made["move"])
    return answer_p(world, instance, state, move)


def _roles(world: World, row: EvaluatorRow) -> Iterator[Why]:
    instance = read(world, row.instance)
    ends = {}
    for entry in as_items(row.made["artifacts"], "/made/artifacts", as_map):
        said = run(world, instance, world.read_submission(instance, entry["submission"])).status
        ends[str(entry["role"])] = said
        if said == "accepted" and row.key != {"artifact_id": entry["artifact_id"]}:
            yield Why("key-differs", row.item, f"the artefact {entry['artifact_id']} is accepted")
    missed = "illegal" if world.family in WHOLE else "rejected"
    if ends != dict(zip(ROLES, ("accepted", missed, "illegal"), strict=True)):
        yield Why("roles", row.item, f"the artefacts end as {ends}")


# --- by the clauses


def _confirmed(world: World, row: EvaluatorRow, judges: dict[bytes, Judged]) -> tuple[int, list[Why]]:
    """How many submissions the clauses were asked about, and where they said something else."""
    number, reasons = 0, list[Why]()
    for source, submission, said in _asked(world, row):
        data = canonical(source)
        if data not in judges:
            judges[data] = judge(world, read(world, source))
        number, found = number + 1, judges[data](submission)
        if found != said and (said != LEGAL or found == "illegal"):
            reasons.append(Why("clauses-differ", row.item, f"by the key {said}, by the clauses {found}"))
    return number, reasons


def _asked(world: World, row: EvaluatorRow) -> Iterator[tuple[Json, Submission[Any], str]]:
    instance = read(world, row.instance)
    if row.condition == "P":
        yield from _step(world, row)
    elif row.condition == "R":
        for entry in as_items(row.made["artifacts"], "/made/artifacts", as_map):
            said = "accepted" if row.key == {"artifact_id": entry["artifact_id"]} else str(entry["role"])
            ends = {"changed-goal": "illegal" if world.family in WHOLE else "rejected"}
            yield row.instance, world.read_submission(instance, entry["submission"]), ends.get(said, said)
    else:
        for submission, said in _candidate(world, instance, row):
            yield row.instance, submission, said


def _candidate(world: World, instance: Any, row: EvaluatorRow) -> Iterator[Asked]:
    """The candidate up to its first illegal step, and what leads there where that is a submission."""
    key, whole = as_map(row.key, "/key"), world.read_submission(instance, row.made["submission"])
    place: Any = key["first_illegal_step"]
    if place is None or world.family in WHOLE:
        yield whole, "illegal" if place is not None else "accepted" if key["goal"] is True else "rejected"
        return
    before = Submission(whole.moves[: place - 1], whole.choice)
    if whole.choice in _choices(world, instance, before.moves):
        yield before, LEGAL
    yield Submission(whole.moves[:place], whole.choice), "illegal"


def _choices(world: World, instance: Any, moves: tuple[Any, ...]) -> list[Any]:
    state = _after(world, instance, moves)
    return [] if state is None else list(world.choices(instance, world.terminal(instance, state)))


def _after(world: World, instance: Any, moves: tuple[Any, ...]) -> Any:
    """The state that moves lead to; None where one of them is illegal."""
    state = world.initial(instance)
    for move in moves:
        state = world.step(instance, state, move)
        if isinstance(state, Broken):
            return None
    return state


def _step(world: World, row: EvaluatorRow) -> Iterator[tuple[Json, Submission[Any], str]]:
    legal = as_map(row.key, "/key")["legal"] is True
    said = LEGAL if legal else "illegal"
    if world.family in WHOLE:
        yield from _event(world, row, said)
        return
    instance, path = read(world, row.instance), row.made.get("path")
    if path is None:
        return
    moves = tuple(world.read_move(instance, move) for move in as_list(path, "/made/path"))
    state = _after(world, instance, moves)
    if state is not None and state == world.read_state(instance, row.made["state"]):
        choice = _choices(world, instance, moves)[0]
        yield row.instance, Submission((*moves, world.read_move(instance, row.made["move"])), choice), said


def _event(world: World, row: EvaluatorRow, said: str) -> Iterator[tuple[Json, Submission[Any], str]]:
    """The schedule of the jobs that were started, and with the one that is asked about, where that makes schedules."""
    state, move = as_map(row.made["state"], "/made/state"), as_map(row.made["move"], "/made/move")
    starts = {name: as_map(job, "/jobs")["start"] for name, job in as_map(state["jobs"], "/jobs").items()}
    started: dict[str, Json] = {name: start for name, start in starts.items() if start is not None}
    before = _schedule(world, row.instance, started)
    if move["job"] in started or int(str(move["start"])) < int(str(state["clock"])) or before is None:
        return
    instance, submission = read(world, before), world.read_submission(read(world, before), {"starts": started})
    whole = _schedule(world, row.instance, {**started, str(move["job"]): move["start"]})
    if whole is not None and run(world, instance, submission).status == "accepted":
        after: Json = {"starts": {**started, str(move["job"]): move["start"]}}
        yield before, submission, "accepted"
        yield whole, world.read_submission(read(world, whole), after), said


def _schedule(world: World, source: Any, starts: dict[str, Json]) -> Json:
    """The instance without the other jobs; None where one of these waits for one of those, or there are none."""
    jobs = [job for job in source["jobs"] if job["name"] in starts]
    if any(name not in starts for job in jobs for name in job["after"]):
        return None
    part: Json = {**source, "jobs": jobs}
    return world.write_instance(world.read_instance(part))
