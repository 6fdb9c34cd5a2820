"""What the steps of the trial share."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import Path

from engine import Project, run
from instance import Instance

IMAGE, NEXT_IMAGE = "localhost/devrag-trial:now", "localhost/devrag-trial:next"
PRODUCT, SOURCE = "trial", "product"
ADMIN = "captain"


@dataclass
class Setting:
    """A trial under way. source: the repository that is indexed, on this machine.

    rows: title, seconds and result of each step that is over.
    """

    folder: Path
    source: Path
    project: Project
    instance: Instance
    password: str = field(default_factory=lambda: secrets.token_urlsafe(18), repr=False)
    rows: list[tuple[str, float, str]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def commit_word(self) -> str:
        """Commit a file with a word that is nowhere else; return the word."""
        word = f"trialword{secrets.token_hex(8)}"
        name = f"trial_{len(self.words)}.py"
        text = f'def find_{word}() -> str:\n    return "{word}"\n'
        (self.source / name).write_text(text)
        plain_git(self.source)
        self.words.append(word)
        return word

    def request_index(self, *, is_full: bool = False) -> dict[str, str]:
        """Ask for the newest commit to be indexed; return the job."""
        body = {"sourceName": SOURCE, "fullIndex": is_full}
        return dict(self.instance.ask_json("/api/v1/sources/index", body))


def plain_git(folder: Path) -> None:
    """Commit all that is in the folder, and let every user read the repository."""
    git = ("git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@example")
    run(*git, "add", "--all")
    run(*git, "commit", "--quiet", "--allow-empty", "-m", "trial")
    run("chmod", "-R", "a+rX", str(folder))
