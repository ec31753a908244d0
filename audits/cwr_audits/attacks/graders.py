"""Graders attacked: is every mutant of the interpreter told from it by the corpus or by a probe of the fixtures?

trial     a case of the corpus or a probe, and what a grader must say of it: of a submission verdict, step, codes, and
          where it is legal its cost and the number of its moves; of a single move the broken rules, or the next state
killed    some trial gets another answer than is due, or none because the mutant crashes
hole      no trial tells, but some submission or move of the showcase or of a random instance does; it is shown
equal     no trial tells, and nothing does in what was exhausted, which is a proof for these instances and no other; or
          EQUAL has a proof by hand
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, cast

from cwr_audits.attacks.mutants import Mutant, copy_of, mutants
from cwr_audits.attacks.reach import Reach, reach, rules_of, submission, whole
from cwr_audits.attacks.rows import Row
from cwr_audits.attacks.vocabulary import VOCABULARIES
from cwr_audits.conform import CASE_DEPTH, Case, corpus
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import grade, read_text, run
from cwr_solvers.jsontext import INSTANCE_BYTES, LARGEST, Json, canonical, parse
from cwr_solvers.reading import as_int, as_map
from cwr_solvers.world import Broken, Choice, Submission, World

PART = "graders"
JUDGES = ("read_submission", "initial", "step", "terminal", "unmet")
# what a mutant may die of; it is code that nobody wrote, so this is wide
CRASHES = (ArithmeticError, AttributeError, LookupError, NameError, RuntimeError, StopIteration, TypeError, ValueError)
MOST_TRIED = 60_000  # moves and submissions of one instance on which a survivor is held against the original

# (family, function, edit) of a mutant -> why no submission can tell it, in any instance
EQUAL: Mapping[tuple[str, str, str], str] = {
    (
        "BC",
        "initial",
        "(1 << rows) - 1 → (1 << rows) + 1",
    ): "2^block + 1 is 3 or more and divides 2^rows - 1, so 2 more give the same quotient",
    (
        "BC",
        "g_goal",
        "state.vectors[place] if place < len(state.vectors) else None → state.vectors[place] if True else None",
    ): "the reader refuses an output that is no pin and no gate of the submission, so its vector is there",
    (
        "BC",
        "g_goal",
        "place < len(state.vectors) → place <= len(state.vectors)",
    ): "the reader refuses an output that is no pin and no gate of the submission, so its vector is there",
    (
        "RS",
        "apply",
        "if job.duration → if True",
    ): "what a job of no duration takes is given back before the next event is judged; a single move in an instance "
    "with such jobs does tell, and tests/unit/test_interpreter_rs.py looks at one",
}


@dataclass(frozen=True, slots=True)
class Trial:
    """One question to a grader, and the due answer."""

    name: str
    ask: Callable[[World], Hashable]
    due: Hashable


@dataclass(frozen=True, slots=True)
class Costed:
    """A case of the corpus, and the cost that it says a legal submission has (None where it says none)."""

    case: Case
    cost: int | None


def cases_of(folder: Path, family: str) -> tuple[Costed, ...]:
    """The corpus of a family; none where there is no file. Raises UsageError where a file is none of its format."""
    if not any(folder.glob(f"{family.lower()}/*/*.json")):
        return ()
    return tuple(Costed(case, _cost(folder / f"{case.name}.json")) for case in corpus(folder, (family,)))


def _cost(path: Path) -> int | None:
    """The cost that a case says; it has been read before, by its format."""
    fields = as_map(parse(path.read_bytes(), INSTANCE_BYTES, CASE_DEPTH), "")
    return as_int(fields["cost"], "/cost", 0, LARGEST) if fields.get("cost") is not None else None


def trials(world: World, instance: Any, probes: Sequence[Any], cases: Sequence[Costed]) -> tuple[Trial, ...]:
    """The corpus of a world and the probes of its showcase."""
    return (*(_case(world, one) for one in cases), *(_probe(world, instance, probe) for probe in probes))


def _case(world: World, one: Costed) -> Trial:
    """Verdict, step, codes and cost as the file says; and a legal submission counts as many steps as it has moves."""
    instance, due = world.read_instance(one.case.instance), one.case.due
    steps = None if one.cost is None else len(read_text(world, instance, one.case.data).moves)
    wanted = (due.verdict, due.step, due.codes, one.cost, steps)
    return Trial(one.case.name, partial(_told, instance, one.case.data), wanted)


def _told(instance: Any, data: bytes, world: World) -> Hashable:
    try:
        read = read_text(world, instance, data)
    except MalformedInput as error:
        return "malformed", None, (error.code,), None, None
    trace = run(world, instance, read)
    codes = tuple(sorted({fault.rule for fault in trace.faults}))
    cost, steps = (None, None) if trace.state is None else (trace.state.cost, trace.state.steps)
    return trace.status, trace.first_illegal_step, codes, cost, steps


def _graded(instance: Any, data: bytes, world: World) -> Hashable:
    verdict = grade(world, instance, data)
    return verdict.status, verdict.step, verdict.codes


def _probe(world: World, instance: Any, probe: Any) -> Trial:
    name = f"probe {probe['name']}"
    if probe["kind"] == "sequence":
        due: Hashable = (probe["verdict"], probe["step"], tuple(probe["rules"]))
        return Trial(name, partial(_graded, instance, canonical(probe["submission"])), due)
    state, move = world.read_state(instance, probe["state"]), world.read_move(instance, probe["move"])
    due = (tuple(probe["rules"]), canonical(probe["next_state"]))
    return Trial(name, partial(_moved, instance, state, move), due)


def _moved(instance: Any, state: Any, move: Any, world: World) -> Hashable:
    after = world.step(instance, state, move)
    return rules_of(after), canonical(None if isinstance(after, Broken) else world.write_state(instance, after))


def first_difference(world: World, asked: Sequence[Trial]) -> str | None:
    """The first trial on which a grader does not say what is due, and what it says; None where it says all that is."""
    for trial in asked:
        try:
            said = trial.ask(world)
        except CRASHES as error:
            return f"{trial.name}: crash ({type(error).__name__})"
        if said != trial.due:
            return f"{trial.name}: {said} instead of {trial.due}"
    return None


def interpreter_of(world: World) -> ModuleType:
    """The module in which a world's judging functions are."""
    return sys.modules[cast(FunctionType, world.step).__module__]


def remade(world: World, module: ModuleType, copy: ModuleType) -> World:
    """The world with the functions of a module's copy in place of those of the module."""
    changed = {}
    for field in fields(world):
        function = getattr(world, field.name)
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            changed[field.name] = getattr(copy, function.__name__)
    return replace(world, **changed)


def mutant_world(world: World, mutant: Mutant) -> World:
    """The world whose interpreter has the edit."""
    module = interpreter_of(world)
    return remade(world, module, copy_of(module, {mutant.function: mutant.code}))


@dataclass(frozen=True, slots=True)
class Ground:
    """What can happen in an instance, and what the original grader says of it.

    ends    (submission JSON, state, final choice, what is said of the end): every way in which a submission can end
    whole   (submission JSON, what is said of it), instead of ends where there are finitely many submissions
    """

    code: str
    instance: Any
    reach: Reach
    ends: tuple[tuple[Json, Any, Choice, Hashable], ...]
    whole: tuple[tuple[Json, Hashable], ...]
    complete: bool


def ground(world: World, instance: Any) -> Ground:
    """All that can happen in an instance, or as much as may be tried."""
    reached = reach(world, instance, MOST_TRIED)
    if VOCABULARIES[world.family].whole is not None:
        found = whole(world, instance)
        played = tuple((one, _played(world, instance, one)) for one in found or ())
        return Ground(instance.code, instance, reached, (), played, reached.complete and found is not None)
    ends = []
    for visit in reached.visits:
        for choice in world.choices(instance, visit.state):
            value = world.write_submission(instance, Submission(visit.path, choice))
            ends.append((value, visit.state, choice, _end(world, instance, visit.state, choice)))
    return Ground(instance.code, instance, reached, tuple(ends), (), reached.complete)


def attack(world: World, instances: Sequence[Any], asked: Sequence[Trial]) -> Iterator[Row]:
    """A row for the trials themselves where they are wrong, else one for each mutant. The showcase comes first."""
    if not asked:
        yield Row(PART, "trials", "hole", "there is neither a case nor a probe")
    wrong = first_difference(world, asked)
    if wrong is not None:
        yield Row(PART, "trials", "hole", f"the grader itself fails {wrong}")
        return
    # worked out when the first survivor asks for it
    grounds = [cache(partial(ground, world, instance)) for instance in instances]
    proofs = {key[1:]: why for key, why in EQUAL.items() if key[0] == world.family}
    for mutant in mutants(interpreter_of(world), JUDGES):
        proof = proofs.pop((mutant.function, mutant.said), None)
        row = judge(mutant.name, world, mutant_world(world, mutant), asked, [] if proof else grounds)
        yield row if proof is None else _proved(row, proof)
    for function, said in proofs:
        yield Row(PART, f"{function}: {said}", "hole", "EQUAL has a proof for a mutant that there is not")


def _proved(row: Row, proof: str) -> Row:
    """The row of a mutant that is proved equal: it must not have been killed."""
    if row.word == "killed":
        return Row(PART, row.subject, "hole", f"EQUAL is wrong ({proof}): {row.text}")
    return Row(PART, row.subject, "equal", f"by hand: {proof}")


def judge(
    name: str, world: World, changed: World, asked: Sequence[Trial], grounds: Sequence[Callable[[], Ground]]
) -> Row:
    """The row of one mutant."""
    killer = first_difference(changed, asked)
    if killer is not None:
        return Row(PART, name, "killed", killer)
    for one in grounds:
        told = difference(world, changed, one())
        if told is not None:
            return Row(PART, name, "hole", f"no trial tells it, but {told}")
    open_ = [one() for one in grounds if not one().complete]
    if open_ or not grounds:
        why = f"{open_[0].code}: {open_[0].reach.words}" if open_ else "nothing was tried"
        return Row(PART, name, "undecided", f"no trial tells it; {why}")
    return Row(PART, name, "equal", f"no difference in {_exhausted(grounds[0]())}, nor in {len(grounds) - 1} more")


def _exhausted(where: Ground) -> str:
    ends = f"{len(where.whole)} submissions" if where.whole else f"{len(where.ends)} ends"
    return f"{where.code}: {where.reach.words}, {ends}"


def difference(world: World, changed: World, where: Ground) -> str | None:
    """What of an instance two graders judge differently: start, a move, an end or a submission; None for nothing.

    Alike in all of them, they judge every submission alike, by induction over its moves.
    """
    instance = where.instance
    if _start(changed, instance) != _start(world, instance):
        return f"the initial state of {where.code} does"
    for tried in where.reach.tried:
        if _outcome(changed, instance, tried.visit.state, tried.move) != (rules_of(tried.after), tried.after):
            told = submission(world, instance, (*tried.visit.path, tried.move))
            return f"the last move of {_shown(told)} in {where.code} does"
    for value, state, choice, due in where.ends:
        if _end(changed, instance, state, choice) != due:
            return f"the end of {_shown(value)} in {where.code} does"
    for value, due in where.whole:
        if _played(changed, instance, value) != due:
            return f"{_shown(value)} in {where.code} does"
    return None


def _start(world: World, instance: Any) -> Hashable:
    try:
        return cast(Hashable, world.initial(instance))
    except CRASHES as error:
        return type(error).__name__


def _outcome(world: World, instance: Any, state: Any, move: Any) -> Hashable:
    try:
        after = world.step(instance, state, move)
        return rules_of(after), after
    except CRASHES as error:
        return type(error).__name__


def _end(world: World, instance: Any, state: Any, choice: Any) -> Hashable:
    try:
        end = world.terminal(instance, state)
        return end, tuple(sorted({fault.rule for fault in world.unmet(instance, end, choice)}))
    except CRASHES as error:
        return type(error).__name__


def _played(world: World, instance: Any, value: Json) -> Hashable:
    try:
        return _told(instance, canonical(value), world)
    except CRASHES as error:
        return type(error).__name__


def _shown(value: Json) -> str:
    return canonical(value).decode("utf-8")
