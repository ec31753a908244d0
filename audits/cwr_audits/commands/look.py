"""Commands that show what there is: list, show."""

from __future__ import annotations

from cwr_audits.files import blaming, read_bytes
from cwr_audits.late import TABLE, resolve
from cwr_audits.out import ACCEPTED, say, say_json, say_pretty
from cwr_audits.pictures import picture
from cwr_audits.rows import MOTIF_NAMES
from cwr_audits.staging import put_file
from cwr_audits.subject import Subject, subject, subjects
from cwr_solvers.errors import UsageError
from cwr_solvers.grading import read_text
from cwr_solvers.jsontext import SUBMISSION_BYTES, Json, canonical
from cwr_solvers.world import Submission


def list_worlds(json_out: bool) -> int:
    """List the showcases."""
    found = subjects(())
    if json_out:
        say_json([{"code": one.code, "family": one.world.family, **_titles(one)} for one in found])
    else:
        rows = [(one.code, one.world.title, str(len(one.world.rules)), one.digest[:16]) for one in found]
        resolve(TABLE)(("code", "world", "rules", "instance sha256"), rows)
    return ACCEPTED


def _titles(one: Subject) -> dict[str, Json]:
    return {"title": one.world.title, "instance_sha256": one.digest}


def show_world(code: str, svg: str | None, submission: str | None, step: int | None, json_out: bool) -> int:
    """Show a world, and write its picture."""
    about = subject(code)
    drawn = _drawn(about, submission)
    if svg is not None:
        if drawn is None:
            raise UsageError("an instance file has no witness to draw: name a --submission")
        drawing = picture(about.world.family, about.instance, drawn, step).encode("utf-8")
        put_file(svg, lambda file: file.write_bytes(drawing))
    if json_out:
        say_json(_world(about))
    else:
        _print(about)
    return ACCEPTED


def _drawn(about: Subject, submission: str | None) -> Submission[object] | None:
    """The submission to draw; None when there is none."""
    if submission is not None:
        with blaming(submission):
            return read_text(about.world, about.instance, read_bytes(submission, SUBMISSION_BYTES))
    if about.witness is None:
        return None
    return about.world.read_submission(about.instance, about.witness)


def _world(about: Subject) -> dict[str, Json]:
    return {
        "code": about.code,
        "family": about.world.family,
        **_titles(about),
        "instance": about.source,
        "rules": dict(about.world.rules),
        "witness": about.witness,
        "alternates": list(about.alternates),
    }


def _print(about: Subject) -> None:
    say(f"{about.code}: {about.world.title}")
    say(f"instance sha256 {about.digest}")
    say_pretty(about.source)
    resolve(TABLE)(("rule", "says"), list(about.world.rules.items()))
    family = about.world.family.lower()
    say(f"motifs      {', '.join(MOTIF_NAMES[about.world.family])}")
    say(f"rule book   cwr_solvers/worlds/{family}/__init__.py")
    say(f"formats     fixtures/schema/{family}.instance.schema.json, {family}.submission.schema.json")
    if about.witness is not None:
        say(f"witness     {canonical(about.witness).decode('utf-8')}")
