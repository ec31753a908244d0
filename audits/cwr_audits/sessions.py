"""Sessions shown in documents, made by running them: `python -m cwr_audits.sessions README.md` puts in what came out.

A session is a fenced block of kind `console`. Each line that starts with "$ " is a command, run by bash in an empty
folder that the commands of a document share; what stands between it and the next command is its output.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

FENCE = "```"
PROMPT = "$ "


def refreshed(text: str, run: Callable[[str], str]) -> str:
    """The document with the output of every command as `run` gives it."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        if line.startswith(FENCE):
            inside = line == f"{FENCE}console"
        elif inside and line.startswith(PROMPT):
            lines += [line, *(out.rstrip() for out in run(line.removeprefix(PROMPT)).splitlines())]
            continue
        elif inside:
            continue
        lines.append(line)
    return "\n".join(lines) + "\n"


def played(text: str) -> str:
    """The document with its sessions played anew; standard error stands among the output."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])

        def run(command: str) -> str:
            ended = subprocess.run(
                ["bash", "-c", command],
                cwd=folder,
                env={**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
            return ended.stdout.decode("utf-8")

        return refreshed(text, run)


def main(names: list[str]) -> None:
    """Refresh the sessions of these documents."""
    for name in names:
        path = Path(name)
        path.write_text(played(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
