"""A small pack written by hand, and runs of it: two arms of each showcase of a pack, and three pairs of P items."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from cwr_audits.packs.families import targets
from cwr_audits.packs.model import EvaluatorRow, ModelRow, Pack, files
from cwr_solvers.jsontext import canonical

ABOUT = targets(())
CODES = tuple(one.code for one in ABOUT)
FAMILIES = tuple(one.world.family for one in ABOUT)
WITNESS = {one.code: canonical(one.witness).decode() for one in ABOUT}
COPIES = 2
NO = {"legal": False, "next_state": None}


def compound() -> list[EvaluatorRow]:
    return [
        EvaluatorRow(
            item=f"{about.code}-{arm}-{copy}",
            session=f"s-{about.code}-{arm}-{copy}",
            world=about.code,
            family=about.world.family,
            condition=arm,
            base=sha256(about.code.encode()).hexdigest(),
            replica="renaming",
            wording=1,
            instance=about.source,
            key=None,
            made={},
        )
        for about in ABOUT
        for arm in ("F", "C")
        for copy in range(COPIES)
    ]


def pairs() -> list[EvaluatorRow]:
    """The state is the initial one: a step is legal there and another is not, as the keys have it."""
    about = ABOUT[0]
    start = about.world.write_state(about.instance, about.world.initial(about.instance))
    keys: list[Any] = [{"legal": True, "next_state": start}, NO]
    return [
        EvaluatorRow(
            f"P-{pair}-{place}",
            f"s-P-{pair}-{place}",
            about.code,
            about.world.family,
            "P",
            sha256(about.code.encode()).hexdigest(),
            "renaming",
            1,
            about.source,
            key,
            {"pair": pair},
        )
        for pair in range(3)
        for place, key in enumerate(keys)
    ]


ITEMS = {row.item: row for row in (*compound(), *pairs())}


def write_pack(folder: Path, *, frozen: bool = True) -> str:
    """The pack as files; returns the digest that rows cite."""
    rows = tuple(ITEMS.values())
    model = tuple(ModelRow(row.item, row.session, f"prompt of {row.item}") for row in rows)
    made = files(Pack("seed", "00" * 16, CODES, (), model, rows, {}, {}))
    for name, data in made.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    if not frozen:
        return sha256(made["model/items.jsonl"]).hexdigest()
    subject = [{"name": name, "digest": {"sha256": sha256(data).hexdigest()}} for name, data in made.items()]
    manifest = json.dumps({"_type": "https://in-toto.io/Statement/v1", "subject": subject}).encode()
    (folder / "manifest.json").write_bytes(manifest)
    return sha256(manifest).hexdigest()


def right(row: EvaluatorRow) -> str:
    return WITNESS[row.world] if row.key is None else canonical(row.key).decode()


def lines(digest: str, say: Callable[[EvaluatorRow], str | None] = right) -> list[dict[str, Any]]:
    """A row for every item; what is submitted is as `say` has it."""
    return [
        {
            "item": row.item,
            "session": row.session,
            "arm": row.condition if row.condition in ("F", "C") else None,
            "submission": say(row),
            "prose": "not read",
            "pack": digest,
        }
        for row in ITEMS.values()
    ]


def write_run(path: Path, rows: Iterable[dict[str, Any]]) -> str:
    path.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    return str(path)


def arms_of(rows: Sequence[dict[str, Any]], arm: str) -> list[dict[str, Any]]:
    return [row for row in rows if row["arm"] == arm]
