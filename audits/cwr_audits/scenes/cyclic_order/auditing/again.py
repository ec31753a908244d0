"""The same bytes again: items made by another process under another hash seed of Python, compared by their digests.

Started as a module it reads {"seeds": [instance seed], "config"} from standard input and prints a digest a line.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256

from cwr_audits.scenes.cyclic_order.making import made
from cwr_audits.scenes.parts import Export, Made
from cwr_solvers.errors import Undecided
from cwr_solvers.jsontext import Json, canonical

WHOLE = Export(width=None, png=True, certify=False)
HASH_SEEDS = (1, 2)


def digest_of(item: Made) -> str:
    """The digest of everything that an item is: its files, what a model is given, its record and its log."""
    files: dict[str, Json] = {name: sha256(data).hexdigest() for name, data in item.files.items()}
    log: list[Json] = [dict(entry) for entry in item.log]
    return sha256(canonical({"files": files, "item": item.item, "record": item.record, "log": log})).hexdigest()


def again(seeds: Sequence[str], config: Json, hash_seed: int) -> list[str]:
    """The digests of the items of these instance seeds, by a process of its own; raises Undecided where it fails."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "cwr_audits.scenes.cyclic_order.auditing.again"],
        input=canonical({"seeds": list(seeds), "config": config}),
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        check=False,
    )
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:200]
        raise Undecided("crashed", f"the process that makes items again ended with code {done.returncode}: {last}")
    return done.stdout.decode("ascii").split()


def main() -> None:
    """Print the digests of what standard input asks for."""
    asked = json.load(sys.stdin)
    for seed in asked["seeds"]:
        print(digest_of(made(seed, asked["config"], WHOLE)))


if __name__ == "__main__":
    main()
