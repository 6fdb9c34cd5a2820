"""Count the tokens an agent reads until it has the lines it needs; prints JSON.

    python benchmarks/agent_tokens.py --checkouts DIR [--home DIR]

Questions of data/agent_questions.jsonl on repositories of the tuning set, each indexed
in the running installation as a source of its name, DIR/<name> being its files.

`devrag`: one `search` with default arguments, then the first places that it names as
`more`, then whole files, those of its results in their order. `context`: one
`gather_context` with default arguments and nothing more. `ripgrep`: a search for what a
developer would type, of which an agent's tool shows 100 lines, then whole files (up to
2,000 lines), the one with most hits first. Each stops when 80 % of the definition's
lines (of its first 30) were read, or after five files. Tokens are devrag's own
estimate. `tokens_times_median`: what ripgrep reads for each token of the other way,
over the questions that both found.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[0] = str(ROOT)

from benchmarks.mcp_door import Door  # noqa: E402

QUESTIONS = ROOT / "benchmarks" / "data" / "agent_questions.jsonl"
_NEEDED_LINES, _NEEDED_SHARE = 30, 0.8
_SHOWN_LINES, _READ_LINES, _FILES, _PLACES = 100, 2_000, 5, 8
_MOST_BUDGET = 20_000
_WAYS, _PEER = ("devrag", "context", "ripgrep"), "ripgrep"
_RIPGREP = ("rg", "--line-number", "--no-heading", "--ignore-case", "--sort", "path")
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--checkouts {checkouts} --questions {agent_questions} --ways devrag context"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and where its answer is."""

    question: str
    source: str
    path: str
    definition: str
    grep: str


class Reader:
    """What an agent has read of the lines it needs."""

    def __init__(self, needed: set[str]) -> None:
        self._left, self._most_left = needed, (1 - _NEEDED_SHARE) * len(needed)
        self.tokens = self.calls = 0

    def read(self, answer: str, code: str) -> None:
        """Read a tool's answer. code: the lines of files in it."""
        from devrag.parsing.tokens import estimate_tokens

        self.tokens += estimate_tokens(answer)
        self.calls += 1
        self._left = self._left - {line.strip() for line in code.split("\n")}

    @property
    def is_done(self) -> bool:
        return len(self._left) <= self._most_left

    def report(self) -> dict[str, Any]:
        return {"tokens": self.tokens, "calls": self.calls, "found": self.is_done}


def main() -> None:
    options = _options()
    if options.home:
        os.environ["DEVRAG_HOME"] = str(options.home)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    import django

    django.setup()
    lines = options.questions.read_text("utf-8").splitlines()
    door, rows = Door(), []
    for question in (Question(**json.loads(line)) for line in lines):
        needed = _needed(question)
        readers = {way: Reader(needed) for way in _WAYS}
        if "devrag" in options.ways:
            _ask_devrag(door, question, readers["devrag"])
        if "context" in options.ways:
            _ask_context(door, question, readers["context"])
        if "ripgrep" in options.ways:
            folder = options.checkouts / question.source
            _ask_ripgrep(folder, question, readers["ripgrep"])
        reports = {way: reader.report() for way, reader in readers.items()}
        rows.append({"question": question.question, **reports})
    print(json.dumps(_summary(rows), ensure_ascii=False, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkouts", type=Path, required=True)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--ways", nargs="+", choices=_WAYS, default=_WAYS)
    parser.add_argument("--home", type=Path)
    return parser.parse_args()


def _needed(question: Question) -> set[str]:
    """Return the lines of the definition that answers, stripped."""
    from devrag.navigation.symbol_search import current_symbols

    symbols = current_symbols().filter(
        name=question.definition,
        file__path__endswith=question.path,
        file__source__name=question.source,
    )
    symbol = max(symbols, key=lambda each: each.end_line - each.start_line)
    lines = symbol.file.text.split("\n")[symbol.start_line - 1 : symbol.end_line]
    return {line.strip() for line in lines[:_NEEDED_LINES]}


def _ask_devrag(door: Door, question: Question, reader: Reader) -> None:
    source = question.source
    said = door.call("search", query=question.question, collection=source)
    results = said["structuredContent"]["results"]
    code = "\n".join(result["content"] for result in results)
    reader.read(said["content"][0]["text"], code)
    named = [(r["path"], place) for r in results for place in r.get("more", ())]
    for path, place in named[:_PLACES]:
        if reader.is_done:
            return
        first, last = map(int, place.split(" ")[0].split("-"))
        said = door.call(
            "read_file", source=source, path=path, start_line=first, end_line=last
        )
        reader.read(said["content"][0]["text"], said["structuredContent"]["text"])
    for path in [result["path"] for result in results][:_FILES]:
        if reader.is_done:
            return
        said = door.call("read_file", source=source, path=path, budget=_MOST_BUDGET)
        reader.read(said["content"][0]["text"], said["structuredContent"]["text"])


def _ask_context(door: Door, question: Question, reader: Reader) -> None:
    said = door.call(
        "gather_context", question=question.question, collection=question.source
    )
    reader.read(said["content"][0]["text"], said["structuredContent"]["context"])


def _ask_ripgrep(folder: Path, question: Question, reader: Reader) -> None:
    done = subprocess.run(
        [*_RIPGREP, question.grep, "."],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    lines = done.stdout.splitlines()
    shown = lines[:_SHOWN_LINES]
    reader.read("\n".join(shown), "\n".join(line.split(":", 2)[2] for line in shown))
    hits = Counter(line.split(":", 1)[0] for line in lines)
    for path, _ in hits.most_common(_FILES):
        if reader.is_done:
            return
        text = "\n".join((folder / path).read_text("utf-8").split("\n")[:_READ_LINES])
        reader.read(text, text)


def _summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the rows and how the tokens of each way compare with ripgrep's."""
    return {
        "questions": rows,
        "found": {way: sum(row[way]["found"] for row in rows) for way in _WAYS},
        "tokens": {way: sum(row[way]["tokens"] for row in rows) for way in _WAYS},
        "tokens_times_median": {
            way: _times_median(rows, way) for way in _WAYS if way != _PEER
        },
    }


def _times_median(rows: list[dict[str, Any]], way: str) -> float | None:
    """Return what ripgrep reads for a token of a way; None where never both found."""
    both = [row for row in rows if row[way]["found"] and row[_PEER]["found"]]
    ratios = [row[_PEER]["tokens"] / row[way]["tokens"] for row in both]
    return round(statistics.median(ratios), 1) if ratios else None


if __name__ == "__main__":
    main()
