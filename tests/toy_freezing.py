"""Freeze a pack and be killed on the way: `python toy_freezing.py PACK OUT NUMBER`, once so many files are on disk.

A NUMBER of -1 kills just before the folder takes its name.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from cwr_audits.commands.freezing import freeze_by
from cwr_audits.packs.auditing import in_process
from cwr_audits.packs.verdicts import Audit


def killed(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(pack: str, out: str, number: int) -> int:
    real, left = os.fsync, number

    def sync(descriptor: int) -> None:
        nonlocal left
        if left == 0:
            killed()
        left -= 1
        real(descriptor)

    os.fsync = sync
    if number < 0:
        os.rename = killed
    audits = {"only": lambda pack: Audit("only", "passed", (), {"items": len(pack.model)})}
    return freeze_by(in_process(audits), pack, out, None, 600.0, True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
