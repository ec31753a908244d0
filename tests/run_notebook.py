"""Run a notebook in a process of its own: `python run_notebook.py NOTEBOOK FOLDER` writes FOLDER/done.ipynb.

The kernel is named here and started with this interpreter: no kernel that a user has installed is asked. Apart from the
tests' own process, because what talks to a kernel closes its sockets when Python ends.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

KERNEL = "cwr-tests"


def main(notebook: Path, folder: Path) -> None:
    spec = folder / "kernels" / KERNEL
    spec.mkdir(parents=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    environment = {"CWR_STORE": str(folder / "store"), "IPYTHONDIR": str(folder / "ipython")}
    told = {"argv": command, "display_name": KERNEL, "language": "python", "env": environment}
    (spec / "kernel.json").write_text(json.dumps(told), "utf-8")
    specs = KernelSpecManager(kernel_dirs=[str(folder / "kernels")], ensure_native_kernel=False)
    manager = AsyncKernelManager(kernel_spec_manager=specs, kernel_name=KERNEL)
    read = nbformat.read(notebook, as_version=4)
    client = NotebookClient(read, km=manager, timeout=300, resources={"metadata": {"path": str(folder)}})
    nbformat.write(client.execute(), folder / "done.ipynb")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
