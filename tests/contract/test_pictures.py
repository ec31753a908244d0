"""What every picture keeps: well-formed, the same everywhere, no text on another, nothing after an illegal step."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from large_instances import cases
from svg_geometry import SVG, outside, overlaps

from cwr_audits.gallery import FOLDER, PAGE, files, main
from cwr_audits.late import DRAW
from cwr_audits.pictures import STYLE, bc, co, drawing, ft, inline, kl, pa, picture, rs, statepath, tp
from cwr_audits.renaming import NAMES, excluded, rename, vocabulary
from cwr_solvers.catalogue import WORLDS, showcases
from cwr_solvers.grading import read_text, run
from cwr_solvers.jsontext import canonical
from cwr_solvers.world import Broken, Submission, World

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = sorted(WORLDS)
SEEDS = [f"picture-{number}" for number in range(12)]
FILES = [
    path for verdict in ("accepted", "rejected", "illegal") for path in ROOT.glob(f"tests/corpus/*/{verdict}/*.json")
]
TAGS = {"svg", "title", "desc", "style", "g", "text", "rect", "path", "circle"}

each_family = pytest.mark.parametrize("family", FAMILIES)


@cache
def instances(family: str) -> tuple[Any, ...]:
    """The showcases of a family and random instances."""
    shown = [one.instance for one in showcases() if one.family == family]
    return tuple(WORLDS[family].read_instance(source) for source in [*shown, *map(WORLDS[family].generate, SEEDS)])


def walk(world: World, instance: Any, draws: Random, most: int = 12) -> tuple[Any, ...]:
    """The moves of a random legal walk."""
    state, made = world.initial(instance), []
    for _ in range(most):
        options = [(move, world.step(instance, state, move)) for move in world.moves(instance, state)]
        legal = [(move, after) for move, after in options if not isinstance(after, Broken)]
        if not legal:
            break
        move, state = draws.choice(legal)
        made.append(move)
    return tuple(made)


@cache
def walks(family: str) -> tuple[tuple[Any, Submission[Any], Any], ...]:
    """Instances, legal submissions of them with a choice, and an illegal move to follow, None where there is none."""
    world, draws, found = WORLDS[family], Random(family), []
    for instance in instances(family):
        for _ in range(2):
            made = walk(world, instance, draws)
            state = run(world, instance, Submission(made)).states[-1]
            wrong = [
                one for one in world.moves(instance, state) if isinstance(world.step(instance, state, one), Broken)
            ]
            choice = draws.choice(list(world.choices(instance, state)))
            found.append((instance, Submission(made, choice), draws.choice(wrong) if wrong else None))
    return tuple(found)


@cache
def corpus(family: str) -> tuple[tuple[str, Any, Submission[Any]], ...]:
    """The well-formed submissions of the corpus."""
    sources = {one.code: one.instance for one in showcases()}
    found = []
    for path in sorted(FILES):
        case = json.loads(path.read_text("utf-8"))
        source = case.get("instance") or sources[case["code"]]
        if source["family"] == family:
            world = WORLDS[family]
            data = base64.b64decode(case["base64"]) if "base64" in case else str(case.get("text", "")).encode()
            data = json.dumps(case["submission"]).encode() if "submission" in case else data
            instance = world.read_instance(source)
            found.append((path.parent.name, instance, read_text(world, instance, data)))
    return tuple(found)


def drawn(family: str) -> Iterator[str]:
    """Pictures of every kind: whole walks, their steps, illegal ones, showcases, the corpus."""
    for instance, submission, wrong in walks(family):
        yield picture(family, instance, submission)
        yield picture(family, instance, submission, len(submission.moves) // 2)
        if wrong is not None:
            yield picture(family, instance, Submission((*submission.moves, wrong, wrong)))
    for _, instance, submission in corpus(family):
        yield picture(family, instance, submission)


def assert_is_picture(document: str) -> None:
    """A well-formed SVG that a page can hold: no scripts, no addresses, no ids, no inline style; told in words."""
    root = ElementTree.fromstring(document)
    assert root.tag == f"{SVG}svg"
    assert root.attrib["role"] == "img"
    assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"
    assert [child.tag for child in root[:2]] == [f"{SVG}title", f"{SVG}desc"]
    assert all(root[place].text for place in (0, 1))
    assert root.attrib["aria-label"] == root[0].text
    for node in root.iter():
        assert node.tag.removeprefix(SVG) in TAGS
        assert not {name for name in node.attrib if name in ("id", "style", "href") or name.startswith(("on", "{"))}
    assert re.findall(r"url\(|https?:", document.replace('xmlns="http://www.w3.org/2000/svg"', "")) == []


def test_every_world_has_its_picture() -> None:
    assert set(DRAW) == set(WORLDS)


@each_family
def test_pictures_are_well_formed_and_no_text_lies_on_another(family: str) -> None:
    seen = 0
    for document in drawn(family):
        assert_is_picture(document)
        assert overlaps(document) == []
        assert outside(document) == []
        seen += 1
    assert seen > 60


@each_family
def test_steps_come_one_by_one(family: str) -> None:
    for one in showcases():
        if one.family == family:
            instance = WORLDS[family].read_instance(one.instance)
            word = WORLDS[family].read_submission(instance, one.witness)
            shown = [picture(family, instance, word, number) for number in range(len(word.moves) + 1)]
            assert len(set(shown)) == len(shown)
            assert shown[-1] == picture(family, instance, word)
            assert "accepted" in shown[-1]
            assert all(f"after step {number} of {len(word.moves)}" in one for number, one in enumerate(shown[:-1]))


@each_family
def test_the_first_illegal_step_is_marked_and_nothing_after_it_is_drawn(family: str) -> None:
    marked = 0
    for instance, submission, wrong in walks(family):
        if wrong is None:
            continue
        moves = (*submission.moves, wrong)
        trace = run(WORLDS[family], instance, Submission(moves))
        document = picture(family, instance, Submission(moves))
        words = [node.text or "" for node in ElementTree.fromstring(document).iter(f"{SVG}text")]
        assert any(one.startswith(f"✗ illegal at step {len(moves)};") for one in words)
        assert all(any(one.startswith(f"{fault.rule}: found ") for one in words) for fault in trace.faults)
        assert sum("✗" in one for one in words) > 1, "in the drawing as well as above it"
        assert f"Step {len(moves)}, illegal: " in document
        assert picture(family, instance, Submission((*moves, *moves, wrong))) == document
        assert "✗" not in picture(family, instance, Submission(moves), len(submission.moves))
        marked += 1
    assert marked > 3


@each_family
def test_verdicts_of_the_corpus_stand_in_its_pictures(family: str) -> None:
    seen = set()
    for verdict, instance, submission in corpus(family):
        assert f" {verdict}" in ElementTree.fromstring(picture(family, instance, submission))[1].text.splitlines()[0]
        seen.add(verdict)
    assert seen >= {"accepted", "illegal"}


@each_family
def test_the_inline_form_has_no_style_of_its_own(family: str) -> None:
    instance, submission, _ = walks(family)[0]
    alone, part = picture(family, instance, submission), inline(family, instance, submission)
    assert_is_picture(part)
    assert f"<style>{STYLE}</style>\n" in alone
    assert part == alone.replace(f"<style>{STYLE}</style>\n", "")
    used = {name for names in re.findall(r'class="([^"]*)"', part) for name in names.split()}
    assert {name for name in used if not name.startswith("cwr")} == set()


GENERATE = """
import sys
from hashlib import sha256
from cwr_audits.pictures import picture
from cwr_solvers.catalogue import WORLDS
from cwr_solvers.search import words
for family, world in sorted(WORLDS.items()):
    digest = sha256()
    for seed in sys.argv[1:]:
        instance = world.read_instance(world.generate(seed))
        for word, _ in zip(words(world, instance), range(4)):
            digest.update(picture(family, instance, word).encode())
    print(family, digest.hexdigest())
"""


def test_pictures_do_not_depend_on_the_hash_seed() -> None:
    said = set()
    for hash_seed in ("0", "1", "4242"):
        paths = ":".join(map(str, (ROOT, ROOT / "audits", ROOT / "certificates", ROOT / "encodings")))
        environment = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": paths}
        command = [sys.executable, "-c", GENERATE, *SEEDS[:6]]
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=120)
        said.add(done.stdout)
    assert len(said) == 1
    assert len(said.pop().splitlines()) == len(WORLDS)


def test_large_instances_can_be_read() -> None:
    for family, instance, submission in cases():
        for step in (None, len(submission.moves) // 2):
            document = picture(family, instance, submission, step)
            assert_is_picture(document)
            assert overlaps(document) == []
            assert outside(document) == []


HOSTILE = (
    "<script>alert(1)</script>",
    "]]>&amp;\"'<b",
    "w" * 64,
    "e" + "\u0301" * 60,
    "שלוםעולם",
    "漢" * 64,
    "--><svg/onload=x>",
    "عربي" * 16,
    "👩" * 20,
    "${x}{{y}}",
)


def hostile(family: str, source: Any) -> dict[str, dict[bytes, Any]]:
    """For every vocabulary of an instance new names: the hostile ones, each made different by a number at its end."""
    spellings: dict[str, dict[bytes, Any]] = {}
    for kind, names in NAMES[family].items():
        if names.joined:
            continue
        fit = [one for one in HOSTILE if not (names.never and excluded(names.never, one))]
        old = [one for one in vocabulary(family, source)[kind] if isinstance(one, str)]
        spellings[kind] = {canonical(one): f"{fit[i % len(fit)][:60]}{i}" for i, one in enumerate(old)}
    return spellings


@each_family
def test_hostile_names_stay_text_and_overlap_nothing(family: str) -> None:
    world = WORLDS[family]
    for one in showcases():
        if one.family != family:
            continue
        names = hostile(family, one.instance)
        assert any(names.values())
        instance = world.read_instance(rename(family, "instance", names, one.instance))
        for text in (one.witness, *(probe["submission"] for probe in one.probes if probe.get("verdict") == "illegal")):
            word = world.read_submission(instance, rename(family, "submission", names, text))
            document = picture(family, instance, word)
            assert_is_picture(document)
            assert overlaps(document) == []
            assert outside(document) == []
            assert "<script" not in document


def test_the_page_of_pictures_is_what_it_should_be() -> None:
    made = files()
    on_disk = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs" / FOLDER).iterdir()} | {PAGE}
    assert on_disk == set(made)
    stale = [name for name, content in made.items() if (ROOT / "docs" / name).read_bytes() != content]
    assert stale == [], "python -m cwr_audits.gallery docs"
    assert all(f"]({name})" in made[PAGE].decode() for name in made if name != PAGE)


def test_the_page_is_written_whole_and_old_pictures_go(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "XX-001-witness.svg").write_text("old")
    main(str(tmp_path))
    found = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert found == files()


# module, a measure of it, and a value that makes things lie on each other
MUTANTS = (
    ("TW", statepath, "LINE", 6),
    ("PS", statepath, "HEAD", 0),
    ("KL", kl, "BETWEEN", -60),
    ("KL", kl, "GAP", -80),
    ("BC", bc, "ROOM", 10),
    ("BC", bc, "LEAST", -90),
    ("RS", rs, "ROW", 8),
    ("TP", tp, "ROW", 10),
    ("PA", pa, "BETWEEN", -40),
    ("PA", pa, "LINE", 6),
    ("FT", ft, "LEAST", 20),
    ("CO", co, "ROW", 10),
    ("CO", co, "GAP", -60),
    ("TW", drawing, "LINE", 5),
)


@pytest.mark.parametrize(("family", "module", "measure", "value"), MUTANTS)
def test_a_wrong_measure_is_noticed(
    family: str, module: Any, measure: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, measure, value)
    assert any(overlaps(document) or outside(document) for document in drawn(family))


def test_a_picture_that_goes_on_after_an_illegal_step_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above compares with the picture of the moves up to the illegal one: one more step makes a difference."""
    instance, submission, wrong = next(case for case in walks("TW") if case[2] is not None)
    moves = (*submission.moves, wrong)
    document = picture("TW", instance, Submission(moves))
    honest = drawing.verdict
    monkeypatch.setattr(drawing, "verdict", lambda one: [*honest(one), (f"{one.total} moves", "ink")])
    assert picture("TW", instance, Submission((*moves, wrong))) != document
