"""Work that goes on while things break: commits, wikis, searches, questions."""

from __future__ import annotations

import random
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.fault_injection.ground import Ground

PRODUCT = SOURCE = "chaos"
MARK = "landmark_of_the_repository"
ENDED = ("completed", "failed", "cancelled", "skipped")
_FILES, _PATIENCE_SECONDS = 60, 900.0
_MODULE = '''"""Part {n} of the works."""

from works.part_{before:03} import step_{before}

LIMIT_{n} = {n}


def step_{n}(value: int) -> int:
    """Go one step beyond part {before}: {word}."""
    return step_{before}(value) + LIMIT_{n}
'''
_GUIDE = "# Guide {n}\n\nHow part {n} works: {word}.\n\n## Use\n\nCall `step_{n}`.\n"


class Repository:
    """A small git repository whose versions depend on their number alone."""

    def __init__(self, path: Path, seed: int) -> None:
        self.path, self._seed, self.count = path, seed, 0
        path.mkdir()
        self._git("init", "-q", "-b", "main")
        for number in range(_FILES):
            self._write(number, "first")
        (path / "README.md").write_text(
            "# Works\n\nMany parts that call one another.\n"
        )
        (path / "landmark.py").write_text(f"def {MARK}() -> int:\n    return 1\n")
        self._commit()

    def commit(self) -> str:
        """Change, add and remove some files; return a word that only this has."""
        self.count += 1
        chosen = random.Random(f"{self._seed}/{self.count}")
        word = "".join(chosen.choices("abcdefghijklmnopqrstuvwxyz", k=16))
        for number in chosen.sample(range(_FILES), 4):
            self._write(number, word)
        self._write(_FILES + self.count % 40, word)
        gone = self.path / f"works/part_{_FILES + (self.count + 20) % 40:03}.py"
        gone.unlink(missing_ok=True)
        self._commit()
        return word

    def _write(self, number: int, word: str) -> None:
        names = {"n": number, "before": max(number - 1, 0), "word": word}
        for path, text in (
            (f"works/part_{number:03}.py", _MODULE),
            (f"docs/guide_{number:03}.md", _GUIDE),
        ):
            if path.startswith("works") or number % 5 == 0:
                target = self.path / path
                target.parent.mkdir(exist_ok=True)
                target.write_text(text.format(**names))

    def _commit(self) -> None:
        self._git("add", "-A")
        names = ("-c", "user.name=chaos", "-c", "user.email=chaos@example.com")
        self._git(*names, "commit", "-q", "-m", f"Version {self.count}")

    def _git(self, *argv: str) -> None:
        subprocess.run(["git", *argv], cwd=self.path, check=True)


@dataclass
class Record:
    """What was seen, by all threads.

    answers: statuses by kind of request. wrong: answers that should not have been
    given. jobs: those that were accepted, with their ends.
    """

    answers: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    jobs: dict[str, str] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, kind: str, status: int) -> None:
        """Count an answer."""
        with self.lock:
            self.answers.setdefault(kind, Counter())[str(status)] += 1


class Load:
    """Threads that work on an installation until they are ended."""

    def __init__(self, ground: Ground, repository: Repository) -> None:
        self.ground, self.repository = ground, repository
        self.record = Record()
        self._is_over = threading.Event()
        self._threads = [
            threading.Thread(target=self._repeat, args=(act,), daemon=True)
            for act in (self._push, self._search, self._ask)
        ]
        self._turn = 0
        self.failure: BaseException | None = None

    def begin(self) -> None:
        """Index the first version, then start the threads."""
        self.index()
        for thread in self._threads:
            thread.start()

    def index(self) -> None:
        """Register the repository and index it."""
        self.accept("/sources", self._source())

    def end(self) -> None:
        """Let each thread finish what it is at."""
        self._is_over.set()
        for thread in self._threads:
            thread.join(2 * _PATIENCE_SECONDS)
            assert not thread.is_alive(), "a thread of the load hangs"
        if self.failure is not None:
            raise self.failure

    def accept(self, path: str, body: dict[str, Any]) -> None:
        """Have a job accepted, however often it takes, and wait for its end."""
        job = ""

        def is_accepted() -> bool:
            nonlocal job
            status, answer = self.ground.send(f"/api/v1{path}", body)
            self.record.note(path, status)
            assert status not in {400, 401, 403, 404, 422}, (path, answer)
            job = str(answer["jobID"]) if status in {201, 202} else ""
            return bool(job) or status == 409

        self._wait(is_accepted, f"{path} to be accepted")
        if job:
            self.record.jobs[job] = "open"
            self._wait(lambda: self._has_ended(job), f"the end of job {job}")

    def finds(self, words: str, path: str) -> bool:
        """Return whether a keyword search leads to the file."""
        body = {"query": words, "mode": "keyword", "limit": 5}
        status, answer = self.ground.send("/api/v1/search", body)
        self.record.note("search", status)
        if status != 200:
            return False
        if any(hit["path"] == path for hit in answer["hits"]):
            return True
        if not answer["notes"]:
            self.record.wrong.append(f"search: {words} not found, without a note")
        return False

    def _source(self) -> dict[str, Any]:
        location = str(self.repository.path)
        return {"sourceURL": location, "productName": PRODUCT, "sourceName": SOURCE}

    def _has_ended(self, job: str) -> bool:
        status, answer = self.ground.send(f"/api/v1/jobs/{job}")
        self.record.note("job", status)
        if status == 404:
            self.record.jobs[job] = "lost"
            return True
        if status == 200 and answer["status"] in ENDED:
            self.record.jobs[job] = answer["status"]
            if answer["status"] == "failed":
                self.record.jobs[job] += f": {answer.get('error')}"
            return True
        return False

    def _push(self) -> None:
        self._turn += 1
        self.repository.commit()
        wiki = self._turn % 3 == 0
        self.accept("/sources/index", {"sourceName": SOURCE, "generateWiki": wiki})

    def _search(self) -> None:
        self.finds(MARK, "landmark.py")
        time.sleep(0.2)

    def _ask(self) -> None:
        body = {"question": f"What does {MARK} return?", "productNames": [PRODUCT]}
        status, _ = self.ground.send("/api/v1/ask", body, seconds=60)
        self.record.note("ask", status)
        time.sleep(2)

    def _repeat(self, act: Callable[[], None]) -> None:
        try:
            while not self._is_over.is_set():
                act()
        except BaseException as error:  # noqa: BLE001  # raised again by `end`
            self.failure = error

    def _wait(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(f"waited {_PATIENCE_SECONDS:.0f} s for {what}")
            time.sleep(0.3)
