"""An engine that takes long to load."""

from __future__ import annotations

import time
from typing import Any

time.sleep(60)


def echo(task: dict[str, Any]) -> Any:
    return task["instance"]
