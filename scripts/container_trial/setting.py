"""What the steps of the trial share."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import Project, run
from instance import Instance

IMAGE = "localhost/devrag-trial:now"
# What is upgraded to: first with all containers at once, then one after the other.
NEXT_IMAGE, NEXT_VERSION = "localhost/devrag-trial:next", "99.0.0"
NEWEST_IMAGE, NEWEST_VERSION = "localhost/devrag-trial:newest", "99.1.0"
PRODUCT, SOURCE = "trial", "product"
ADMIN = "captain"
# What a step has measured, by a name with its unit.
Figures = dict[str, Any]


@dataclass
class Setting:
    """A trial under way. source: the repository that is indexed, on this machine.

    figures: what each step that is over has measured, by its title.
    """

    folder: Path
    source: Path
    project: Project
    instance: Instance
    password: str = field(default_factory=lambda: secrets.token_urlsafe(18), repr=False)
    figures: dict[str, Figures] = field(default_factory=dict)
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
