"""A worker's engine that audits as its name says: passes, fails, disagrees, sleeps, dies, or answers with nonsense."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from cwr_audits.packs.model import read_pack
from cwr_audits.packs.verdicts import Audit, Reason, audit_bytes
from cwr_solvers.errors import Disagreement, Undecided


def answer(task: dict[str, Any]) -> dict[str, Any]:
    name = task["audit"]
    items = len(read_pack(Path(task["folder"])).model)
    if name == "sleeps":
        time.sleep(600)
    if name == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "breaks":
        raise ZeroDivisionError(name)
    if name == "disagrees":
        raise Disagreement("a key", {"one": "a", "two": "b"})
    if name == "gives up":
        raise Undecided("states", "too many")
    if name == "babbles":
        return {"file": "{}"}
    reasons = (Reason("planted", "by a test"),) if name == "fails" else ()
    return {"file": audit_bytes(Audit(name, "failed" if reasons else "passed", reasons, {"items": items})).decode()}
