from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.architecture.modules import ROOT


def test_the_stubs_are_those_of_the_proto(tmp_path: Path) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(
        ["sh", str(ROOT / "scripts" / "stubs.sh"), str(tmp_path)],
        env={**os.environ, "PATH": path},
        check=True,
        capture_output=True,
    )
    made = sorted(each for each in tmp_path.rglob("*") if each.is_file())
    assert len(made) == 3
    for path_made in made:
        kept = ROOT / path_made.relative_to(tmp_path)
        assert kept.read_text() == path_made.read_text()
