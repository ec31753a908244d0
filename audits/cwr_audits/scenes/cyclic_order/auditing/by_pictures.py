"""In a worker: items made as `cwr generate` makes them, and what can be said of their pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cwr_audits.scenes.cyclic_order.auditing.again import WHOLE, digest_of
from cwr_audits.scenes.cyclic_order.auditing.boxes import boxes, outside, overlaps
from cwr_audits.scenes.cyclic_order.making import made
from cwr_audits.scenes.cyclic_order.seeing import seen
from cwr_audits.scenes.parts import Export, Made
from cwr_audits.wire import Reply, Task, run

UNSEEN = Export(width=None, png=False, certify=False)


def answer(task: Task) -> list[Reply]:
    """Of every picture {"boxes", "outside", "overlaps", "digest", "seen"}; `digest` and `seen` are null where it is not
    to be seen, and so not exported. `seen` is {"examined": things by check, "wrong": [text]}."""
    return [run(_picture, {**task, "asked": one}) for one in task["pictures"]]


def _picture(task: Task) -> Reply:
    asked = task["asked"]
    item = made(asked["seed"], asked["config"], WHOLE if asked["see"] else UNSEEN)
    told: Any = item.record
    place = told["render_map"]
    found = boxes(place)
    return {
        "boxes": len(found),
        "outside": list(outside(found, place["width"], place["height"])),
        "overlaps": list(overlaps(found)),
        "digest": digest_of(item) if asked["see"] else None,
        "seen": _seen(item) if asked["see"] else None,
    }


def _seen(item: Made) -> Reply:
    """What is read back from the pixels."""
    files: Mapping[str, bytes] = {name.rpartition(".")[2]: data for name, data in item.files.items()}
    looked = seen(item.record, files["png"], files["svg"].decode("utf-8"))
    wrong = [f"{one.check}: {one.where}: {one.fault}" for one in looked.findings]
    return {"examined": dict(looked.examined), "wrong": wrong}
