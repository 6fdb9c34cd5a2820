"""Options with which a build finds Python's packages where this machine finds them.

A machine can have package indexes, folders and certificates of its own, which pip knows
by its configuration. A copy of that and the paths that it names are mounted during the
build: the Dockerfile stays as it is, and nothing of them is in the image.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

from engine import run


def pip_options(folder: Path) -> list[str]:
    """Return the options of `podman build`; folder: where the configuration is put."""
    shown = run(sys.executable, "-m", "pip", "config", "list")
    settings = pip_settings(shown)
    if not settings:
        return []
    file = folder / "pip.conf"
    lines = [f"{name} = {value}" for name, value in settings.items()]
    file.write_text("\n".join(["[global]", *lines, ""]))
    file.chmod(0o644)
    mounts = {str(file): "/etc/pip.conf"}
    mounts |= {path: path for path in local_paths(settings)}
    return [f"--volume={path}:{inside}:ro" for path, inside in mounts.items()]


def pip_settings(shown: str) -> dict[str, str]:
    """Return the names and values in what `pip config list` printed."""
    lines = re.findall(r"^(:env:|global)\.([\w-]+)=(.+)$", shown, re.MULTILINE)
    # The environment has the last word.
    lines.sort(key=lambda line: line[0] == ":env:")
    return {name: str(ast.literal_eval(value)) for _, name, value in lines}


def local_paths(settings: dict[str, str]) -> list[str]:
    """Return the files and folders of this machine that pip's settings name."""
    words = " ".join(settings.values()).split()
    paths = [Path(word.removeprefix("file://")) for word in words]
    found = {path for path in paths if path.is_absolute() and path.exists()}
    # The pages of an index may point to files beside it.
    return sorted({str(p.parent if p.name == "simple" else p) for p in found})
