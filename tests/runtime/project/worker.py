"""A worker with a child of its own; at SIGTERM it finishes the task it is at."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

stopping = False


def note_stop(_number: int, _frame: object) -> None:
    global stopping
    stopping = True


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, note_stop)
    home = Path(os.environ["DEVRAG_HOME"])
    # To be killed; left behind, it ends by itself.
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    (home / "grandchild").write_text(str(child.pid))
    while not stopping or (home / "task").exists():
        time.sleep(0.02)
    with (home / "order").open("a") as file:
        file.write("worker\n")
    child.kill()
