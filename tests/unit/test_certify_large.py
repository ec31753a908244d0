"""cwr certify of spaces too large to list: what is claimed, what is compared, what is said not to be measured."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import factorial
from pathlib import Path
from typing import Any

import pytest
from inline_crew import inline
from unit.large_spaces import assembly, idle_workshop

from cwr_audits.certify import PROVING, Result, as_json, certify
from cwr_audits.cli import run
from cwr_audits.late import PROVER, ROUTES
from cwr_audits.routes import MOST_CERTIFIED
from cwr_audits.subject import Subject, to_certify
from cwr_solvers.answers import Limits
from cwr_solvers.jsontext import Json

ENGINES = {**ROUTES, PROVING: PROVER}
FEW = Limits(30.0, 10)  # with so few words a small space is a large one
NOT_CLAIMED = {"complete", "unique"}


def about(folder: Path, value: Json) -> Subject:
    path = folder / "instance.json"
    path.write_text(json.dumps(value))
    return to_certify(str(path))


def outcome(folder: Path, value: Json, within: Limits = FEW, **engines: str) -> tuple[Result, dict[str, Any]]:
    """The result on an instance, and its JSON."""
    table: Mapping[str, str] = {**ENGINES, **engines}
    with inline(table) as crew:
        (result,) = certify(crew, tuple(ROUTES), (about(folder, value),), within, folder / "out", lambda _: None)  # type: ignore[arg-type]
    assert isinstance(result, Result), result
    return result, as_json(result)


def kinds(told: dict[str, Any]) -> list[str]:
    return [claim["kind"] for claim in told["claims"]]


def test_a_large_space_is_counted_and_not_listed(tmp_path: Path) -> None:
    result, told = outcome(tmp_path, idle_workshop(5))
    assert (result.code, told["agreed"], told["checked"]) == (0, True, True)
    assert (told["optimum"], told["optimum_raw"], told["accepted_raw"]) == (0, 1, 2**6 - 1)
    assert (told["evidence"], told["listed"], told["classes"], told["unique"]) == ("layered", False, None, None)
    assert set(kinds(told)) >= {"legal", "optimum", "raw_count"}
    assert not NOT_CLAIMED & set(kinds(told))
    assert {route: said["optimum"] for route, said in told["routes"].items()} == dict.fromkeys(ROUTES, 0)
    assert [said["accepted_raw"] for said in told["routes"].values()].count(None) == 3
    assert run(["check", str(tmp_path / "out" / "TW-IDLE")]) == 0


def test_a_space_within_the_limit_is_listed(tmp_path: Path) -> None:
    _, told = outcome(tmp_path, idle_workshop(2))
    assert (told["evidence"], told["listed"], told["accepted_raw"]) == ("listed", True, 7)
    assert set(kinds(told)) >= NOT_CLAIMED


def test_the_limit_is_20_000_words(tmp_path: Path) -> None:
    """2 ** 15 - 1 words are more."""
    assert MOST_CERTIFIED < 2**15 - 1
    _, told = outcome(tmp_path, idle_workshop(14), Limits(60.0, MOST_CERTIFIED))
    assert (told["listed"], told["accepted_raw"]) == (False, 2**15 - 1)


def test_24_actions_from_the_command_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    about(tmp_path, idle_workshop(24))
    assert run(["certify", str(tmp_path / "instance.json"), "--json", "--out", str(tmp_path / "out")]) == 0
    out, err = capfd.readouterr()
    (told,) = json.loads(out)
    assert (told["accepted_raw"], told["evidence"], told["agreed"]) == (2**25 - 1, "layered", True)
    assert "not measured: complete list, classes, uniqueness" in err


def test_what_the_interpreter_cannot_count_is_counted_by_layers_and_undecided(tmp_path: Path) -> None:
    """12 components: three routes and the certificate agree on the optimum; no second method counts."""
    result, told = outcome(tmp_path, assembly(3, 4), Limits(60.0, 10), interpreter="large_engines:out_of_states")
    assert result.code == 3
    assert set(told["undecided"]) == {"interpreter"}
    assert (told["agreed"], told["checked"]) == (None, True)
    assert told["accepted_raw"] == factorial(4) ** 3 * factorial(12) > 10**12
    assert told["evidence"] == "orbit"
    assert told["certificate_sha256"] is not None
    assert run(["check", str(tmp_path / "out" / "PA-LARGE")]) == 0


def test_a_certificate_made_without_a_route_takes_the_place_of_none(tmp_path: Path) -> None:
    """The interpreter may only have been slow, and the certificate that is there may have the complete list."""
    outcome(tmp_path, idle_workshop(2))
    before = (tmp_path / "out" / "TW-IDLE" / "certificate.json").read_bytes()
    result, told = outcome(tmp_path, idle_workshop(2), interpreter="large_engines:out_of_states")
    assert (result.code, told["certificate_sha256"]) == (3, None)
    assert (tmp_path / "out" / "TW-IDLE" / "certificate.json").read_bytes() == before


def test_what_no_layers_count_is_interpreter_only(tmp_path: Path) -> None:
    result, told = outcome(tmp_path, idle_workshop(5), **{PROVING: "large_engines:does_not_count"})
    assert result.code == 0
    assert (told["evidence"], told["accepted_raw"]) == ("interpreter only", 63)
    assert told["uncounted"] == "undecided (size): too large"
    assert "raw_count" not in kinds(told)


def test_an_infeasible_instance_that_the_interpreter_gave_up(tmp_path: Path) -> None:
    value: Any = idle_workshop(3)
    value["goal"] = {"places": {"a": {"min": 2}}}
    _, told = outcome(tmp_path, value, interpreter="large_engines:out_of_states")
    assert (told["optimum"], told["accepted_raw"], kinds(told)) == (None, 0, ["infeasible"])


LIES = {
    "counts_one_more": ("interpreter", 4, "the certificate's raw_count"),
    "counts_at_another_cost": ("interpreter", 4, "the certificate's costs"),
    "forgets_its_cheapest": ("interpreter", 4, "optimum and raw counts"),
    "another_optimum": ("cpsat", 4, "optimum"),
    "claims_to_be_unique": (PROVING, 4, "the certificate's unique"),
    "spoils_the_layers": (PROVING, 1, None),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_about_a_large_space_is_caught_and_nothing_is_kept(tmp_path: Path, lie: str) -> None:
    route, code, subject = LIES[lie]
    result, told = outcome(tmp_path, idle_workshop(5), **{route: f"large_engines:{lie}"})
    assert result.code == code
    assert told["certificate_sha256"] is None
    assert not (tmp_path / "out" / "TW-IDLE").exists()
    assert subject is None or subject in [difference.subject for difference in result.differences]


def test_one_route_alone_is_not_enough(tmp_path: Path) -> None:
    lost = dict.fromkeys(("interpreter", "cpsat", "smt"), "large_engines:out_of_states")
    result, told = outcome(tmp_path, idle_workshop(5), **lost)
    assert result.code == 3
    assert (told["agreed"], told["certificate_sha256"], told["optimum"]) == (None, None, None)
    assert not (tmp_path / "out" / "TW-IDLE").exists()
