"""Command attack: mutants, neighbours and vitality of worlds.

Exit codes: 0 no holes, 1 holes, 2 wrong usage, 3 undecided: no hole, but something is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cwr_audits import allowed
from cwr_audits.attack import PARTS, Attack, attacks, counts
from cwr_audits.attacks.rows import HOLE, OPEN, row_json
from cwr_audits.files import checkout
from cwr_audits.judges import attack_name, code_digest
from cwr_audits.late import ATTACKS, TABLE, resolve
from cwr_audits.out import ACCEPTED, REJECTED, UNDECIDED, say, say_error, say_json
from cwr_audits.routes import limits
from cwr_audits.subject import subjects
from cwr_audits.workers import crew
from cwr_certificates.seal import write_file
from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import Json, canonical

OUTCOMES = {ACCEPTED: "no hole", REJECTED: "holes", UNDECIDED: "open"}
WORST = (REJECTED, UNDECIDED, ACCEPTED)
LISTED = ("equal", "by construction", "crashes", "move", "inert", *HOLE, *OPEN)
SHOWN = 400  # characters of one line for people


def attack(codes: tuple[str, ...], corpus: str | None, time_limit: float, keep: bool, json_out: bool) -> int:
    """Attack the worlds of these codes, each once (all showcases when there are none).

    With `keep` the counts go to the checkout's results, where `cwr report` reads them; so they are of the checkout's
    own corpus.
    """
    allowed.time_limit(time_limit)
    if keep and corpus is not None:
        raise UsageError("--keep is about the checkout's own corpus, so it goes without --corpus")
    folder = checkout() / "tests" / "corpus" if corpus is None else Path(corpus)
    about = subjects(tuple(dict.fromkeys(codes)))
    with crew(ATTACKS) as workers:
        found = list(attacks(workers, about, folder, limits(time_limit)))
    for one in found if keep else ():
        _keep(one, checkout())
    if json_out:
        say_json([_json(one) for one in found])
    else:
        _print(found)
    for one in found:
        for row in one.of((*HOLE, *OPEN)):
            say_error(f"{one.about.code}: {row.part}: {row.subject}: {row.word}: {row.text}")
    return min((one.code for one in found), key=WORST.index)


def _json(one: Attack) -> Json:
    counted: dict[str, Json] = {part: dict(counts(one, part)) for part in PARTS}
    rows: list[Json] = [row_json(row) for row in one.rows]
    return {"code": one.about.code, "instance_sha256": one.about.digest, "counts": counted, "rows": rows}


def _keep(one: Attack, root: Path) -> None:
    """The counts of an attack, with the digest of the code that was attacked."""
    told: dict[str, Json] = {"code": one.about.code, "instance_sha256": one.about.digest}
    told |= {"code_sha256": code_digest(one.about.world.family, root), "outcome": OUTCOMES[one.code]}
    counted: dict[str, Json] = {part: dict(counts(one, part)) for part in PARTS}
    told["counts"] = counted
    write_file(root / "audits" / "issued" / attack_name(one.about.code), canonical(told) + b"\n")


def _print(found: Sequence[Attack]) -> None:
    table = resolve(TABLE)
    table(("world", *PARTS), [(one.about.code, *(_cell(one, part) for part in PARTS)) for one in found])
    say("Rules that bite alone (alone: in a submission; move: in a single move; inert: proved that in none)")
    vital = [(one, row) for one in found for row in one.rows if row.part == "vitality"]
    table(
        ("world", "rule", "", "shown by"),
        [(one.about.code, row.subject, row.word, _cut(row.text)) for one, row in vital],
    )
    say("Survivors")
    left = [(one, row) for one in found for row in one.of(LISTED) if row.part != "vitality"]
    table(
        ("world", "part", "what", "", "why"),
        [(one.about.code, row.part, _cut(row.subject), row.word, _cut(row.text)) for one, row in left],
    )


def _cell(one: Attack, part: str) -> str:
    return ", ".join(f"{number} {word}" for word, number in counts(one, part).items()) or "nothing"


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
