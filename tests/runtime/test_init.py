"""`init`: the first `.env`, which is nobody's to overwrite."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from devrag.core.errors import Conflict
from devrag.runtime.management.commands import init
from tests.architecture.modules import ROOT


def test_a_commented_env_is_written_once(
    settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    example = (ROOT / ".env.example").read_text()
    (tmp_path / ".env.example").write_text(example)
    monkeypatch.setattr(init, "FILES_DIR", tmp_path)
    settings.ENV_FILE = tmp_path / ".env"
    call_command("init", stdout=io.StringIO())
    path = tmp_path / ".env"
    assert (path.read_text(), path.stat().st_mode & 0o777) == (example, 0o600)
    path.write_text("HTTP_PORT=9000\n")
    with pytest.raises(Conflict, match="--force"):
        call_command("init")
    assert path.read_text() == "HTTP_PORT=9000\n"
    call_command("init", "--force", stdout=io.StringIO())
    assert path.read_text() == example
