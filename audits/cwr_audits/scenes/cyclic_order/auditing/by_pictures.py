"""In a worker: items made as `cwr generate` makes them, and what can be said of their pictures."""

from __future__ import annotations

from typing import Any

from cwr_audits.scenes.cyclic_order.auditing.again import WHOLE, digest_of
from cwr_audits.scenes.cyclic_order.auditing.boxes import boxes, outside, overlaps
from cwr_audits.scenes.cyclic_order.making import made
from cwr_audits.scenes.parts import Export
from cwr_audits.wire import Reply, Task, run

UNSEEN = Export(width=None, png=False, certify=False)


def answer(task: Task) -> list[Reply]:
    """Of every picture {"digest", "boxes", "outside", "overlaps", "seen"}; `digest` and `seen` are null where it is not
    to be seen, and so not exported."""
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
        "seen": None,
    }
