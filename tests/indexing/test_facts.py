"""`facts` prints what the parser finds, without a database."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from devrag.core.errors import NotFound


def facts(path: Path) -> Any:
    out = StringIO()
    call_command("facts", str(path), stdout=out)
    return json.loads(out.getvalue())


def test_the_facts_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "cups").mkdir()
    (tmp_path / "cups/cup.go").write_text("package cups\n\nfunc Fill() {}\n")
    (tmp_path / "tea.py").write_text("def pour(): ...\n")
    (tmp_path / "leaf.bin").write_bytes(b"\0\1")
    leaf, tea, go = facts(tmp_path)
    assert (go["path"], go["language"]) == ("cups/cup.go", "go")
    assert [symbol["name"] for symbol in go["symbols"]] == ["Fill"]
    assert leaf == {"path": "leaf.bin", "warnings": ["leaf.bin: binary"]}
    assert {"path", "language", "symbols", "references", "chunks"} <= set(tea)


def test_the_facts_of_one_file(tmp_path: Path) -> None:
    (tmp_path / "tea.py").write_text("def pour(): ...\n")
    (found,) = facts(tmp_path / "tea.py")
    assert [symbol["name"] for symbol in found["symbols"]] == ["tea", "pour"]


def test_hidden_folders_of_the_project_are_read(tmp_path: Path) -> None:
    for folder in (".github/workflows", ".git", ".venv"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "ci.yml").write_text("on: push\n")
    assert [each["path"] for each in facts(tmp_path)] == [".github/workflows/ci.yml"]


def test_an_empty_folder_has_none(tmp_path: Path) -> None:
    assert facts(tmp_path) == []


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="File or folder not found"):
        facts(tmp_path / "no")
