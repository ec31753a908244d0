"""Command generate: items of a scene from a seed, as a folder."""

from __future__ import annotations

import re
from pathlib import Path

from cwr_audits import allowed
from cwr_audits.files import blaming, read_json
from cwr_audits.late import SCENES, scene_maker
from cwr_audits.out import ACCEPTED, counted, say, say_error, say_json
from cwr_audits.scenes.batches import Run
from cwr_audits.scenes.batches import generate as make_batch
from cwr_audits.scenes.folder import MANIFEST
from cwr_audits.scenes.parts import Export
from cwr_audits.telling import telling
from cwr_solvers.errors import UsageError
from cwr_solvers.jsontext import INSTANCE_BYTES, INSTANCE_DEPTH, Json
from cwr_solvers.reading import as_name

TOKENS = re.compile(r"(?P<low>[0-9]{1,3})-(?P<high>[0-9]{1,3})|[0-9]{1,3}(,[0-9]{1,3})*")


def generate(
    scene: str,
    seed: str,
    number: int,
    out: str,
    config: str | None,
    tokens: str | None,
    export: Export,
    workers: int,
    json_out: bool,
) -> int:
    """Make so many items of a scene in a new folder; one that is there already with the same content is left."""
    allowed.seed_word("--seed", seed)
    folder = Path(out)
    with blaming("SCENE"):
        as_name(scene, "", SCENES, "scene")
    run = Run(scene, seed, number, read_config(scene, config, tokens), export)
    with telling() as tell:
        manifest = make_batch(run, folder, workers, tell, say_error)
    if json_out:
        say_json({"scene": scene, "items": number, "out": out, "run": manifest["run"]})
    else:
        say(f"{counted(number, 'item', 'items')} in {out}: model/ is for models, evaluator/ and {MANIFEST} for you")
    return ACCEPTED


def read_config(scene: str, config: str | None, tokens: str | None) -> dict[str, Json]:
    """The configuration of a file, with the token counts of the command line in its place; raises UsageError."""
    read = scene_maker(scene).read_config
    with blaming(f"--config {config}"):
        stated = read({} if config is None else read_json(config, INSTANCE_BYTES, INSTANCE_DEPTH))
    if tokens is None:
        return stated
    with blaming("--tokens"):
        counts: dict[str, Json] = {"token_counts": list(read_tokens(tokens))}
        return {**stated, **{key: read(counts)[key] for key in counts}}


def read_tokens(text: str) -> tuple[int, ...]:
    """The counts of "4-5" or "4,6"; raises UsageError."""
    found = TOKENS.fullmatch(text)
    if found is None:
        raise UsageError(f"--tokens is a range as 4-5 or a list as 4,6, not {text[:40]!r}")
    if found["low"] is None:
        return tuple(int(part) for part in text.split(","))
    low, high = int(found["low"]), int(found["high"])
    if low > high:
        raise UsageError(f"--tokens: the low end {low} is above the high end {high}")
    return tuple(range(low, high + 1))
