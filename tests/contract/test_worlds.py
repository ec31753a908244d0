"""What every world of the catalogue keeps, whatever its rules are: no test here knows a family."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from json_mutants import broken, regrouped, vocabulary

from cwr_audits import late
from cwr_solvers import catalogue
from cwr_solvers.catalogue import WORLDS, showcases
from cwr_solvers.errors import MalformedInput
from cwr_solvers.grading import grade, read_text, run
from cwr_solvers.jsontext import Json, canonical, parse
from cwr_solvers.search import count, goal_choices, layers, listing, successors, tally, words
from cwr_solvers.showcases import index_path
from cwr_solvers.symmetry import class_of, classes, text
from cwr_solvers.world import Broken, Submission, World

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = sorted(WORLDS)
SEEDS = [f"contract-{number}" for number in range(28)]
MALFORMED = {"wrong-type", "unknown-key", "missing-key", "unknown-name", "out-of-range", "domain", "contradiction"}

each_family = pytest.mark.parametrize("family", FAMILIES)


@cache
def instances(family: str) -> tuple[Any, ...]:
    """The showcases of a family and random instances."""
    world = WORLDS[family]
    shown = [one.instance for one in showcases() if one.family == family]
    return tuple(world.read_instance(source) for source in [*shown, *map(world.generate, SEEDS)])


@cache
def accepted(family: str) -> tuple[tuple[Any, tuple[Submission[Any], ...]], ...]:
    """Each instance with all its words."""
    return tuple((instance, tuple(words(WORLDS[family], instance))) for instance in instances(family))


@cache
def walks(family: str) -> tuple[tuple[Any, tuple[Any, ...], tuple[Any, ...]], ...]:
    """Each instance with the states and the moves of two random legal walks."""
    return tuple(walk(WORLDS[family], instance, number) for instance in instances(family) for number in range(2))


def walk(world: World, instance: Any, number: int) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    draws = Random(number)
    states, made = [world.initial(instance)], []
    for _ in range(12):
        legal = [move for move in world.moves(instance, states[-1]) if is_legal(world, instance, states[-1], move)]
        if not legal:
            break
        made.append(draws.choice(legal))
        states.append(world.step(instance, states[-1], made[-1]))
    return instance, tuple(states), tuple(made)


def is_legal(world: World, instance: Any, state: Any, move: Any) -> bool:
    return not isinstance(world.step(instance, state, move), Broken)


def test_the_catalogue_and_the_folders_agree() -> None:
    folders = {path.parent.name for path in (ROOT / "cwr_solvers" / "worlds").glob("*/__init__.py")}
    assert {family.lower() for family in WORLDS} == folders
    assert all(world.family == family for family, world in WORLDS.items())
    assert {one.family for one in showcases()} == set(WORLDS)


@each_family
def test_witness_and_alternates_are_accepted(family: str) -> None:
    for one in showcases():
        if one.family == family:
            instance = WORLDS[family].read_instance(one.instance)
            for submission in (one.witness, *one.alternates):
                assert grade(WORLDS[family], instance, canonical(submission)).status == "accepted"


@each_family
def test_an_instance_survives_writing_and_reading(family: str) -> None:
    world = WORLDS[family]
    for instance in instances(family):
        written = canonical(world.write_instance(instance))
        again = world.read_instance(parse(written, 10**6, 16))
        assert again == instance
        assert canonical(world.write_instance(again)) == written


@each_family
def test_submissions_survive_writing_and_reading(family: str) -> None:
    world = WORLDS[family]
    seen = 0
    for instance, found in accepted(family):
        for word in found:
            assert read_text(world, instance, text(world, instance, word)) == word
            seen += 1
    assert seen > 100


@each_family
def test_states_and_moves_survive_writing_and_reading(family: str) -> None:
    world = WORLDS[family]
    seen = 0
    for instance, states, made in walks(family):
        assert len({canonical(world.write_state(instance, state)) for state in states}) == len(set(states))
        for state in states:
            assert world.read_state(instance, parse(canonical(world.write_state(instance, state)), 10**6, 16)) == state
            assert hash(state) == hash(world.read_state(instance, world.write_state(instance, state)))
        for move in made:
            assert world.read_move(instance, parse(canonical(world.write_move(instance, move)), 10**6, 16)) == move
            seen += 1
    assert seen > 50


@each_family
def test_steps_and_cost_count_from_nothing(family: str) -> None:
    world = WORLDS[family]
    for instance, states, _ in walks(family):
        assert (world.initial(instance).steps, world.initial(instance).cost) == (0, 0)
        assert [state.steps for state in states] == list(range(len(states)))
        assert all(after.cost >= before.cost for before, after in pairwise(states))


GENERATE = """
import sys
from hashlib import sha256
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.jsontext import canonical
from cwr_solvers.search import words
from cwr_solvers.symmetry import classes, text
for family, world in sorted(WORLDS.items()):
    digest = sha256()
    for seed in sys.argv[1:]:
        source = world.generate(seed)
        digest.update(canonical(source))
        instance = world.read_instance(source)
        for one in classes(world, instance, words(world, instance)):
            digest.update(text(world, instance, one.representative))
            digest.update(repr(world.edges(instance, one.representative)).encode())
    print(family, digest.hexdigest())
"""


def test_nothing_depends_on_the_hash_seed() -> None:
    said = set()
    for hash_seed in ("0", "1", "4242"):
        command = [sys.executable, "-c", GENERATE, *SEEDS[:12]]
        environment = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=120)
        said.add(done.stdout)
    assert len(said) == 1
    assert len(said.pop().splitlines()) == len(WORLDS)


@each_family
def test_a_seed_is_an_instance(family: str) -> None:
    generate = WORLDS[family].generate
    made = [canonical(generate(seed)) for seed in SEEDS]
    assert made == [canonical(generate(seed)) for seed in SEEDS]
    assert len({sha256(source).hexdigest() for source in made}) == len(SEEDS)


@each_family
def test_random_instances_are_a_mixture(family: str) -> None:
    optima = [count(WORLDS[family], instance).optimum for instance in instances(family)]
    assert len(optima) / 2 <= sum(optimum is not None for optimum in optima) < len(optima)
    assert 0 in optima
    assert len({optimum for optimum in optima if optimum}) >= 3
    assert sum(len(found) > 4 for _, found in accepted(family)) >= 2
    assert max(len(found) for _, found in accepted(family)) <= 3000


@each_family
def test_every_rule_is_in_the_rule_book_and_every_rule_of_the_book_is_named(family: str) -> None:
    book = importlib.import_module(f"cwr_solvers.worlds.{family.lower()}").__doc__ or ""
    named = re.findall(r"^ {2}(R[0-9]+|G) ", book, re.MULTILINE)
    assert named == list(WORLDS[family].rules)


def probes(family: str) -> Iterator[tuple[Any, Any, Any]]:
    """Moves of a walk, and near misses of them, in every state of the walk; with the instance and the state."""
    world = WORLDS[family]
    for instance, states, made in walks(family):
        listed = [move for state in states for move in islice(world.moves(instance, state), 12)]
        written = [world.write_move(instance, move) for move in [*made, *listed]]
        near = [changed for source in written[:6] for changed in regrouped(source, vocabulary(written))]
        moves = []
        for source in [*written, *near]:
            try:
                moves.append(world.read_move(instance, source))
            except MalformedInput:
                continue
        yield from ((instance, state, move) for state in states for move in dict.fromkeys(moves))


@each_family
def test_no_rule_is_dead_and_no_other_is_named(family: str) -> None:
    world = WORLDS[family]
    broken_rules: Counter[str] = Counter()
    for instance, state, move in islice(probes(family), 20_000):
        after = world.step(instance, state, move)
        if isinstance(after, Broken):
            assert after.faults
            assert list(after.faults) == sorted(after.faults)
            assert all(fault.found and fault.needed for fault in after.faults)
            broken_rules.update(after.rules)
    for instance, states, _ in walks(family):
        for state in states:
            end = world.terminal(instance, state)
            broken_rules.update(
                fault.rule for choice in world.choices(instance, end) for fault in world.unmet(instance, end, choice)
            )
    assert set(broken_rules) == set(world.rules)


@each_family
def test_words_are_accepted_and_counted(family: str) -> None:
    world = WORLDS[family]
    for instance, found in accepted(family):
        raw: Counter[int] = Counter()
        for word in found:
            trace = run(world, instance, word)
            assert trace.status == "accepted"
            assert world.normal(instance, word) == word
            raw[trace.state.cost] += world.namings(instance, word)
        assert len(set(found)) == len(found)
        counted = count(world, instance)
        assert counted.raw == dict(raw)
        assert counted.optimum == min(raw, default=None)


@each_family
def test_words_stand_for_all_raw_submissions(family: str) -> None:
    """Raw submissions, listed by every move there is, are the namings of the words; each comes once."""
    world = WORLDS[family]
    seen = 0
    for instance, found in accepted(family):
        expected = Counter({word: world.namings(instance, word) for word in found})
        if sum(expected.values()) <= 400 and prefixes(world, instance) <= 3_000:
            raw = list(islice(submissions(world, instance), 401))
            assert len({text(world, instance, one) for one in raw}) == len(raw)
            assert Counter(world.normal(instance, one) for one in raw) == expected
            seen += len(raw)
    assert seen > 100


@each_family
def test_layers_that_were_kept_give_the_count_and_the_words(family: str) -> None:
    world = WORLDS[family]
    seen = 0
    for instance in instances(family)[:5]:
        kept = tuple(layers(world, instance))
        assert tally(world, instance, kept) == count(world, instance)
        assert list(listing(world, instance, kept)) == list(words(world, instance))
        for layer, following in zip(kept, (*kept[1:], {}), strict=True):
            assert frozenset().union(*(node.after for node in layer.values())) == following.keys()
            seen += len(layer)
    assert seen > 30


def prefixes(world: World, instance: Any) -> int:
    """The number of legal sequences of moves."""
    found = layers(replace(world, finish=None), instance, 10**6)
    return sum(node.paths for layer in found for node in layer.values())


def submissions(world: World, instance: Any) -> Iterator[Submission[Any]]:
    """Every accepted raw submission, by depth-first search over `moves`, and back through its text."""
    stack: list[tuple[Any, tuple[Any, ...]]] = [(world.initial(instance), ())]
    while stack:
        state, made = stack.pop()
        for choice in goal_choices(world, instance, state):
            yield read_text(world, instance, text(world, instance, Submission(made, choice)))
        for move in world.moves(instance, state):
            after = world.step(instance, state, move)
            if not isinstance(after, Broken):
                stack.append((after, (*made, move)))


@pytest.mark.parametrize("family", [family for family in FAMILIES if WORLDS[family].expand is not None])
def test_expand_is_moves_and_step(family: str) -> None:
    world = WORLDS[family]
    assert world.expand is not None
    seen = 0
    for instance, states, _ in walks(family):
        for state in states:
            sides = []
            for found in (world.expand(instance, state), successors(world, instance, state)):
                side: Counter[Any] = Counter()
                for after, ways in found.items():
                    side[world.key(instance, after)] += ways
                sides.append(side)
            assert sides[0] == sides[1]
            seen += len(sides[0])
    assert seen > 50


@each_family
def test_classes_are_a_partition_and_each_is_found_from_each_member(family: str) -> None:
    world = WORLDS[family]
    for instance, found in accepted(family):
        if len(found) > 60:
            continue
        partition = classes(world, instance, found)
        assert sorted(text(world, instance, word) for one in partition for word in one.members) == sorted(
            text(world, instance, word) for word in found
        )
        for one in partition:
            assert one.representative == one.members[0]
            assert all(class_of(world, instance, word) == one for word in one.members)


@each_family
def test_edges_point_back(family: str) -> None:
    world = WORLDS[family]
    seen = 0
    for instance, found in accepted(family):
        for word in found[:20]:
            for edge in world.edges(instance, word):
                assert -1 <= edge.source < edge.target < len(word.moves)
                assert edge.label
                seen += 1
    assert seen > 20


@each_family
def test_what_is_malformed_is_said_in_one_line_and_never_crashes(family: str) -> None:
    """Values with one place spoilt are read or refused, by instance, submission, state and move alike."""
    world = WORLDS[family]
    errors: list[MalformedInput] = []
    for instance, states, made in walks(family)[:6]:
        word = Submission(made, world.choices(instance, states[-1])[0])
        readers: list[tuple[Any, Json]] = [
            (world.read_instance, world.write_instance(instance)),
            (lambda value, i=instance: world.read_submission(i, value), world.write_submission(instance, word)),
            (lambda value, i=instance: world.read_state(i, value), world.write_state(instance, states[-1])),
            *((lambda value, i=instance: world.read_move(i, value), world.write_move(instance, move)) for move in made),
        ]
        for read, source in readers:
            errors += [error for spoilt in islice(broken(source), 500) if (error := refusal(read, spoilt)) is not None]
    assert {error.code for error in errors} <= MALFORMED
    assert all(error.pointer == "" or error.pointer.startswith("/") for error in errors)
    assert [str(error) for error in errors if "\n" in str(error)] == []
    assert {error.code for error in errors} >= {"wrong-type", "unknown-key", "missing-key", "unknown-name"}
    assert len(errors) > 500


def refusal(read: Callable[[Json], Any], value: Json) -> MalformedInput | None:
    try:
        read(value)
    except MalformedInput as error:
        return error
    return None


def test_worlds_named_late_are_those_of_the_catalogue() -> None:
    assert {family: late.world(family) for family in late.WORLDS} == WORLDS
    assert list(late.WORLDS) == list(WORLDS)


def test_the_showcase_file_is_read_strictly() -> None:
    good = index_path().read_bytes()
    assert catalogue.read_showcases(good) == showcases()
    source: Any = parse(good, 10**6, 16)
    first = source["worlds"][0]
    faulty = {
        "/schema": {**source, "schema": "cwr-showcase/2"},
        "/worlds": {**source, "worlds": [first, first]},
        "/worlds/0/family": {**source, "worlds": [{**first, "family": "XX"}]},
        "/worlds/0/witness": {**source, "worlds": [{key: first[key] for key in first if key != "witness"}]},
        "/worlds/0/instance/code": {**source, "worlds": [{**first, "code": "TW-002"}]},
        "/worlds/0/probes/0/kind": {**source, "worlds": [{**first, "probes": [{"name": "x"}]}]},
        "/worlds/0/probes": {**source, "worlds": [{**first, "probes": [first["probes"][0]] * 2}]},
    }
    for pointer, changed in faulty.items():
        with pytest.raises(MalformedInput) as caught:
            catalogue.read_showcases(canonical(changed))
        assert caught.value.pointer == pointer


def test_the_catalogue_is_light() -> None:
    """Grading must not wait for solvers: nothing outside the standard library is loaded."""
    code = (
        "import sys; before = set(sys.modules); import cwr_solvers.catalogue; print(*sorted(set(sys.modules) - before))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, env={"PYTHONPATH": str(ROOT)}, check=True, capture_output=True, text=True, timeout=60
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "cwr_solvers" in loaded
    assert loaded - sys.stdlib_module_names == {"cwr_solvers"}
