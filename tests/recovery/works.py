"""A repository of generated files with a first version and one that changes much."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.conftest import Repository

FILES = 320  # more than one batch of the parser
_MODULE = '''"""Part {n} of the works."""

from works.part_{before:03} import step_{before}

LIMIT_{n} = {n}


def step_{n}(value: int) -> int:
    """Go one step beyond part {before}."""
    return step_{before}(value) + LIMIT_{n}{more}
'''
_GUIDE = "# Guide {n}\n\nHow part {n} works.\n\n## Use\n\nCall `step_{n}`.\n"


def _module(n: int, more: str = "") -> str:
    return _MODULE.format(n=n, before=max(n - 1, 0), more=more)


def first_version() -> dict[str, str | bytes | None]:
    """Return modules, guides, equal texts, other encodings, and what is left out."""
    files: dict[str, str | bytes | None] = {
        f"works/part_{n:03}.py": _module(n) for n in range(FILES)
    }
    files |= {f"docs/guide_{n:02}.md": _GUIDE.format(n=n) for n in range(20)}
    files |= {
        f"copies/same_{n}.py": "def same() -> int:\n    return 1\n" for n in "abc"
    }
    files |= {
        "README.md": "# Works\n\nMany parts that call one another.\n",
        "pyproject.toml": '[project]\nname = "works"\ndependencies = ["httpx"]\n',
        "docs/設計.md": "# 設計\n\n部品は前の部品を呼び出す。\n".encode("shift_jis"),
        "logo.bin": bytes(range(256)) * 8,
        ".gitignore": "build/\n",
        ".env": "PASSWORD=hidden\n",
    }
    return files


def second_version() -> dict[str, str | bytes | None]:
    """Return changes: edited, added, removed, renamed, skipped and no longer so."""
    files: dict[str, str | bytes | None] = {
        f"works/part_{n:03}.py": _module(n, " * 2") for n in range(0, FILES, 8)
    }
    for n in range(1, FILES, 16):
        files[f"works/part_{n:03}.py"] = None
        files[f"moved/part_{n:03}.py"] = _module(n)
    for n in range(2, FILES, 16):
        files[f"works/part_{n:03}.py"] = None
    files |= {f"more/new_{n:03}.py": _module(n, " + 7") for n in range(310)}
    files |= {
        "logo.bin": "a logo in words\n",
        "docs/guide_00.md": bytes(range(256)),
        "copies/same_b.py": None,
    }
    return files


class Works:
    """The repository, whose copies stand at the first version."""

    def __init__(self, folder: Path) -> None:
        self._made = Repository(folder)
        self.first = self._made.commit(first_version(), "first")
        self._made.git("branch", "first")
        self.second = self._made.commit(second_version(), "second")
        self._made.git("branch", "second")
        self._made.git("reset", "-q", "--hard", "first")

    def copy(self, folder: Path) -> Path:
        shutil.copytree(self._made.path, folder, symlinks=True)
        return folder

    @staticmethod
    def move_on(folder: Path) -> None:
        """Bring a copy to the second version."""
        subprocess.run(
            ["git", "reset", "-q", "--hard", "second"], cwd=folder, check=True
        )
