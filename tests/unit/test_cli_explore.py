"""cwr explore: what it writes and where it refuses to, and what its pages say when something is missing or wrong."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from architecture.sources import ROOT
from explorer_samples import HOSTILE_CODE, empty, hostile, many

from cwr_audits.cli import run
from cwr_audits.commands import explore as command
from cwr_audits.explorer import world as page
from cwr_audits.explorer.site import as_data
from cwr_audits.rows import ClassRow
from cwr_audits.subject import subject, subjects
from cwr_audits.table import rows
from cwr_solvers.errors import Undecided
from cwr_solvers.jsontext import canonical

CODES = [one.code for one in subjects(())]
ISSUED = ROOT / "certificates" / "issued"

Printed = pytest.CaptureFixture[str]


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def text(path: Path) -> str:
    return path.read_text("utf-8")


class Markup(HTMLParser):
    """What a strict policy and a folder without a server cannot have: collected while a page is read."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.bad: list[str] = []
        self.links: list[str] = []
        self.inline = False
        self.seen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen += 1
        told = dict(attrs)
        self.bad += [f"{tag} {name}" for name in told if name == "style" or name.startswith("on")]
        self.bad += [tag] if tag in {"style", "iframe", "object", "embed", "base"} else []
        self.inline = tag == "script" and "src" not in told and told.get("type") != "application/json"
        self.links += [value for name, value in attrs if name in {"href", "src"} and value is not None]

    def handle_data(self, data: str) -> None:
        self.bad += ["inline script"] if self.inline and data else []


def read(source: str) -> Markup:
    found = Markup()
    found.feed(source)
    found.close()
    return found


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two explorers of all showcases, by processes with other hash seeds."""
    made = []
    for seed in ("1", "2"):
        out = tmp_path_factory.mktemp("explore") / "site"
        called = [sys.executable, "-m", "cwr_audits.cli", "explore", "--json", "--out", str(out)]
        ended = subprocess.run(called, capture_output=True, check=False, env={**os.environ, "PYTHONHASHSEED": seed})
        assert (ended.returncode, ended.stderr) == (0, b"")
        told = json.loads(ended.stdout)
        assert [one["code"] for one in told["worlds"]] == CODES
        assert {one["certificate"] for one in told["worlds"]} == {"verified"}
        assert told["files"] + 1 == len(tree(out))
        made.append(out)
    return made


# --- what is written


def test_two_runs_write_the_same_bytes(sites: list[Path]) -> None:
    assert tree(sites[0]) == tree(sites[1])


def test_the_list_names_every_file_with_its_digest(sites: list[Path]) -> None:
    files = tree(sites[0])
    listed = json.loads(files.pop("explorer.json"))
    assert listed["files"] == {name: sha256(data).hexdigest() for name, data in files.items()}


def test_pages_need_nothing_that_is_not_in_the_folder(sites: list[Path]) -> None:
    pages = sorted(sites[0].rglob("*.html"))
    assert len(pages) == 2 + len(CODES)
    for path in pages:
        found = read(text(path))
        assert found.seen > 50
        assert found.bad == []
        for link in found.links:
            target, _, fragment = link.partition("#")
            where = (path.parent / target).resolve() if target else path
            assert where.is_file(), f"{path}: {link}"
            assert where.is_relative_to(sites[0].resolve())
            assert not fragment or fragment.startswith("class=") or f'id="{fragment}"' in text(where)
        assert "default-src 'none'" in unescape(text(path))


def test_the_markup_check_can_see_what_it_looks_for() -> None:
    planted = (
        '<p style="color:red" onclick="x()">a</p><style>p{}</style><script>run()</script><script src="a.js"></script>'
    )
    assert read(planted).bad == ["p style", "p onclick", "style", "inline script"]
    assert read('<script type="application/json">{}</script>').bad == []


@pytest.mark.parametrize("code", CODES)
def test_a_world_has_its_instance_certificate_rules_and_classes(sites: list[Path], code: str) -> None:
    about, folder = subject(code), sites[0] / "worlds" / code
    shown = text(folder / "index.html")
    assert sha256((folder / "instance.json").read_bytes()).hexdigest() == about.digest
    assert about.digest in shown
    for name, data in tree(ISSUED / code).items():
        assert (folder / "certificate" / name).read_bytes() == data
        assert sha256(data).hexdigest() in shown
    assert all(f'<th scope="row">{rule}</th>' in shown for rule in about.world.rules)
    assert shown.count("<tr data-class=") == len(rows(about))
    told = json.loads((folder / "classes.json").read_bytes())
    assert [one["members"] for one in sorted(told["classes"], key=lambda one: one["class"])] == [
        [json.loads(word.word) for word in row.words] for row in rows(about)
    ]
    assert "have the same classes and words" in shown


def test_every_step_of_every_class_has_a_picture(sites: list[Path]) -> None:
    for about in subjects(()):
        folder = sites[0] / "worlds" / about.code
        wanted = {
            f"{row.number}-{step}.svg"
            for row in rows(about)
            for step in range(
                len(about.world.read_submission(about.instance, json.loads(row.representative)).moves) + 1
            )
        }
        assert {path.name for path in (folder / "pictures").iterdir()} == wanted


def test_a_certificate_in_the_site_is_checked_as_the_page_says(sites: list[Path]) -> None:
    shown = text(sites[0] / "worlds" / "TW-001" / "index.html")
    (line,) = re.findall(r"python3 -I -S (certificates .*)", shown)
    checked = [
        str(sites[0]) + part[len("explorer") :] if part.startswith("explorer/") else part for part in line.split()
    ]
    ended = subprocess.run([sys.executable, "-I", "-S", *checked], cwd=ROOT, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_the_wheel_has_templates_and_assets(tmp_path: Path) -> None:
    built = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(built, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    here = ROOT / "audits"
    wanted = {path.relative_to(here).as_posix() for path in (here / "cwr_audits" / "explorer").glob("[at]*s/*.*")}
    assert len(wanted) == 9
    assert wanted <= set(zipfile.ZipFile(wheel).namelist())


def test_motifs_have_what_their_audit_found(sites: list[Path]) -> None:
    kept = json.loads((ROOT / "audits" / "issued" / "RS-001.motifs.json").read_bytes())
    shown = text(sites[0] / "worlds" / "RS-001" / "index.html")
    assert len(kept["readings"]) == 4
    for one in kept["readings"]:
        (line,) = re.findall(f'<th scope="row"><bdi>{one["motif"]}</bdi></th>.*\n.*', shown)
        assert f"{one['classes_with']} of {one['classes']}" in line
        assert f"{one['base_rate']['classes_with']} of {one['base_rate']['classes']}" in line
    assert "was not measured here" not in shown


def test_an_audit_of_another_certificate_is_not_shown(tmp_path: Path) -> None:
    about = subject("TW-001")
    made = command.chain(about, ISSUED / "TW-001", 60.0)
    assert made is not None
    kept = json.loads((ROOT / "audits" / "issued" / "TW-001.motifs.json").read_bytes())
    for changes, count in (({}, 1), ({"certificate_sha256": "0" * 64}, 0), ({"readings": 3}, 0)):
        (tmp_path / "TW-001.motifs.json").write_bytes(canonical({**kept, **changes}))
        assert len(command.readings(tmp_path, about, made)) == count


# --- names


def test_data_cannot_leave_its_script_element() -> None:
    value = {"a": "</script><!--<script>&'\u2028\u2029\"\\"}
    made = str(as_data(value))
    assert not re.search("[<>&'\u2028\u2029]", made)
    assert json.loads(made) == value


def test_hostile_names_stay_text_and_choose_no_path(tmp_path: Path) -> None:
    file = hostile(tmp_path)
    assert run(["explore", str(file), "--out", str(tmp_path / "site")]) == 0
    (folder,) = (tmp_path / "site" / "worlds").iterdir()
    assert re.fullmatch("world-[0-9a-f]{16}", folder.name)
    for path in (folder / "index.html", tmp_path / "site" / "index.html"):
        assert read(text(path)).bad == []
        assert HOSTILE_CODE not in text(path)
        assert "&lt;script&gt;window.ran=4&lt;/script&gt;" in text(path)


def test_codes_that_differ_in_case_only_are_refused(tmp_path: Path, capsys: Printed) -> None:
    source = {**json.loads(canonical(subject("TW-001").source)), "code": "tw-001"}
    (tmp_path / "low.json").write_text(json.dumps(source))
    assert run(["explore", "TW-001", str(tmp_path / "low.json"), "--out", str(tmp_path / "site")]) == 2
    assert "twice" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


# --- limits


def test_a_limit_of_classes_keeps_the_cheapest_and_says_so(tmp_path: Path) -> None:
    assert run(["explore", "RS-001", "--limit", "2", "--out", str(tmp_path / "site")]) == 0
    shown = text(tmp_path / "site" / "worlds" / "RS-001" / "index.html")
    assert shown.count("<tr data-class=") == 2
    assert "The first 2 of 9 classes, by cost." in shown
    assert "5 of 9" in re.sub(r"\s", " ", shown)  # motifs are counted over all classes


def test_a_limit_of_pictures_leaves_the_table_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "MOST_PICTURES", 13)
    monkeypatch.setattr(page, "MOST_MEMBERS", 1)
    assert run(["explore", "BC-001", "--out", str(tmp_path / "site")]) == 0
    folder = tmp_path / "site" / "worlds" / "BC-001"
    assert len([*(folder / "pictures").iterdir()]) == 10
    shown = text(folder / "index.html")
    assert "The first 2 of these have pictures." in shown
    assert "The first 1 of 3: classes.json has all." in shown
    assert shown.count("<tr data-class=") == 15


def test_long_submissions_have_their_last_picture_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "MOST_STEPS", 3)
    assert run(["explore", "BC-001", "--out", str(tmp_path / "site")]) == 0
    pictures = (tmp_path / "site" / "worlds" / "BC-001" / "pictures").iterdir()
    assert {path.name for path in pictures} == {f"{number}-4.svg" for number in range(1, 16)}


def test_a_table_that_a_limit_cut_off_is_undecided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    def late(*_: Any) -> Any:
        raise Undecided("words", "there are more words than anybody lists")

    monkeypatch.setattr(command, "table", late)
    assert run(["explore", "BC-001", "--out", str(tmp_path / "site")]) == 3
    assert "undecided" in capsys.readouterr().err
    shown = text(tmp_path / "site" / "worlds" / "BC-001" / "index.html")
    assert "there are more words than anybody lists" in shown
    assert "not counted" in shown
    assert "certificate verified" in shown
    assert "No submission is accepted" not in shown


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "1e9"])
def test_a_time_limit_is_a_time(tmp_path: Path, capsys: Printed, seconds: str) -> None:
    assert run(["explore", "TW-001", "--time-limit", seconds, "--out", str(tmp_path / "site")]) == 2
    assert "time limit" in capsys.readouterr().err


def test_an_instance_without_solutions_has_a_page(tmp_path: Path) -> None:
    assert run(["explore", str(empty(tmp_path)), "--out", str(tmp_path / "site")]) == 0
    shown = text(tmp_path / "site" / "worlds" / "TW-NONE" / "index.html")
    assert "No submission is accepted." in shown
    assert "There is no certificate of this instance here" in shown


# --- certificates


@pytest.fixture
def issued(tmp_path: Path) -> Path:
    """A copy of the certificate of TW-001."""
    shutil.copytree(ISSUED / "TW-001", tmp_path / "issued" / "TW-001")
    return tmp_path / "issued"


def explored(issued: Path, *more: str) -> tuple[int, str]:
    out = issued.parent / "site"
    code = run(["explore", *(more or ("TW-001",)), "--certificates", str(issued), "--out", str(out)])
    return code, text(next((out / "worlds").iterdir()) / "index.html") if out.exists() else ""


def test_a_certificate_that_is_refused_is_shown_as_refused(issued: Path, capsys: Printed) -> None:
    proof = issued / "TW-001" / "optimum.lrat"
    proof.write_bytes(proof.read_bytes()[:-20])
    code, shown = explored(issued)
    assert code == 1
    assert "the certificate is rejected" in capsys.readouterr().err
    assert "certificate rejected" in shown
    assert "certificate verified" not in shown
    assert "claim rejected" not in shown
    assert '<span class="bad">rejected</span>' in shown


def test_a_text_that_is_no_certificate_is_malformed(issued: Path) -> None:
    (issued / "TW-001" / "certificate.json").write_text("{")
    code, shown = explored(issued)
    assert code == 2
    assert "certificate malformed" in shown
    assert "no certificate here claims that it is complete" in shown


def test_a_label_of_a_refused_claim_is_not_repeated(issued: Path) -> None:
    (issued / "TW-001" / "motif-main.lrat").write_bytes(b"")
    code, shown = explored(issued)
    assert code == 1
    assert ": necessary" not in shown
    assert "<bdi>main</bdi>: claim rejected" in shown


def test_a_certificate_of_another_instance_is_none(issued: Path) -> None:
    source = json.loads(canonical(subject("TW-001").source))
    file = issued.parent / "other.json"
    file.write_text(json.dumps({**source, "code": "TW-X", "budget": {"actions": 5, "cost": 5}}))
    (issued / "TW-001").rename(issued / "TW-X")
    code, shown = explored(issued, str(file))
    assert code == 0
    assert "There is no certificate of this instance here" in shown
    assert "certificate verified" not in shown


def test_a_table_that_contradicts_the_certificate_is_no_explorer(
    issued: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    def shorter(about: Any) -> tuple[ClassRow, ...]:
        return rows(about)[1:]

    monkeypatch.setattr("cwr_audits.explorer.classes.rows", shorter)
    assert run(["explore", "BC-001", "--out", str(issued.parent / "site")]) == 4
    assert "routes disagree on the classes of BC-001" in capsys.readouterr().err
    assert not (issued.parent / "site").exists()


# --- the folder


def test_an_explorer_is_replaced_whole(tmp_path: Path) -> None:
    out = tmp_path / "site"
    assert run(["explore", "BC-001", "TW-001", "--out", str(out)]) == 0
    assert run(["explore", "TW-001", "--out", str(out)]) == 0
    assert [path.name for path in (out / "worlds").iterdir()] == ["TW-001"]
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    assert run(["explore", "TW-001", "--out", str(tmp_path / "site")]) == 0


def planted_file(out: Path) -> None:
    (out / "mine.txt").write_text("mine")


def changed_file(out: Path) -> None:
    (out / "index.html").write_text("mine")


def planted_folder(out: Path) -> None:
    (out / "worlds" / "mine").mkdir()


def planted_link(out: Path) -> None:
    (out / "assets" / "link").symlink_to(out)


def lost_list(out: Path) -> None:
    (out / "explorer.json").unlink()


def broken_list(out: Path) -> None:
    (out / "explorer.json").write_text('{"schema":"cwr-explorer/1","files":[]}')


CHANGES = [planted_file, changed_file, planted_folder, planted_link, lost_list, broken_list]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_folder_with_something_of_somebody_stays_as_it_is(
    tmp_path: Path, capsys: Printed, change: Callable[[Path], None]
) -> None:
    out = tmp_path / "site"
    assert run(["explore", "TW-001", "--out", str(out)]) == 0
    change(out)
    before = tree(out)
    capsys.readouterr()
    assert run(["explore", "TW-001", "--out", str(out)]) == 2
    assert re.fullmatch(r"cwr: [^\n]+ --out[^\n]*\n", capsys.readouterr().err)
    assert tree(out) == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


@pytest.mark.parametrize("kind", ["file", "link", "foreign"])
def test_what_is_no_explorer_is_not_replaced(tmp_path: Path, capsys: Printed, kind: str) -> None:
    out, other = tmp_path / "site", tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    if kind == "file":
        out.write_text("mine")
    elif kind == "link":
        out.symlink_to(other)
    else:
        shutil.copytree(other, out)
    assert run(["explore", "TW-001", "--out", str(out)]) == 2
    assert "--out" in capsys.readouterr().err
    assert (other / "mine.txt").read_text() == "mine"
    assert out.is_symlink() == (kind == "link")


def test_a_write_that_fails_leaves_the_old_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "site"
    assert run(["explore", "TW-001", "--out", str(out)]) == 0
    before = tree(out)
    replace = os.replace

    def failing(source: Any, target: Any) -> None:
        if Path(source).name == "new":
            raise OSError(28, "No space left on device", str(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", failing)
    assert run(["explore", "BC-001", "--out", str(out)]) == 2
    assert tree(out) == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_file_that_holds_no_instance_writes_nothing(tmp_path: Path, capsys: Printed) -> None:
    (tmp_path / "bad.json").write_text('{"family":"TW"')
    for name in ("TW-009", str(tmp_path / "bad.json")):
        assert run(["explore", "TW-001", name, "--out", str(tmp_path / "site")]) == 2
        assert capsys.readouterr().err.startswith("cwr: ")
    assert not (tmp_path / "site").exists()


def test_many_classes_are_all_in_the_file(tmp_path: Path) -> None:
    assert run(["explore", str(many(tmp_path, 6)), "--limit", "39", "--out", str(tmp_path / "site")]) == 0
    told = json.loads((tmp_path / "site" / "worlds" / "RS-MANY" / "classes.json").read_bytes())
    assert (told["all"], len(told["classes"])) == (40, 39)
    costs = [one["cost"] for one in told["classes"]]
    assert costs == sorted(costs)
