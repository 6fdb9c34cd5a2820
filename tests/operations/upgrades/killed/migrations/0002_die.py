"""Lose the process, while KILL_UPGRADE is set; otherwise fail."""

from __future__ import annotations

import os
import signal
from typing import Any, ClassVar

from django.db import migrations


def _die(_apps: Any, _editor: Any) -> None:
    if os.environ.get("KILL_UPGRADE"):
        os.kill(os.getpid(), signal.SIGKILL)
    raise ValueError("no")


class Migration(migrations.Migration):
    dependencies: ClassVar = [("killed", "0001_rename")]
    operations: ClassVar = [migrations.RunPython(_die)]
