"""A plain agent's tools, ripgrep and reading lines, with every call kept in a log.

    plain_agent.py HOME QUESTION rg ARGUMENTS…
    plain_agent.py HOME QUESTION read PATH [FIRST [LAST]]
    plain_agent.py HOME QUESTION answer < ANSWER
    plain_agent.py HOME QUESTION tokens

HOME holds questions.json (see ask_answers.py) and repos/NAME. Outputs are cut as such
tools do. Calls that begin within a second of the last are one round of a chat: an
agent that asks for several at once pays for its earlier reading once.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from devrag.parsing.tokens import estimate_tokens

MOST_MATCHES, MOST_LINES, LONGEST_LINE = 100, 200, 500
_SAME_ROUND_SECONDS = 1.0
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "{plain_home} shop-01 tokens"
# What a chat that offers both tools has to send before everything else.
SYSTEM = """\
You answer a developer's question about a repository. Find out with the tools, then \
answer in Markdown, naming files and lines. Tools: rg(arguments) runs ripgrep in the \
repository and returns at most 100 lines; read(path, first, last) returns the lines of \
a file, at most 200 at a time."""


def main() -> None:
    """Run one call and log it, or print what the calls so far cost as JSON."""
    home, question, action, *rest = sys.argv[1:]
    place = Path(home)
    rows = json.loads((place / "questions.json").read_text("utf-8"))
    asked = {row["id"]: row for row in rows}
    if question not in asked:
        sys.exit(f"There is no question {question}.")
    log = place / "log" / f"{question}.jsonl"
    if action == "tokens":
        print(json.dumps(count_tokens(asked[question]["question"], log)))
        return
    began = time.time()
    output = _run(place / "repos" / asked[question]["repo"], action, rest)
    if action == "answer":
        _write(place / "plain-answers" / f"{question}.md", output + "\n", "w")
    row = {"at": began, "ended": time.time(), "call": shlex.join([action, *rest])}
    _write(log, json.dumps(row | {"output": output}, ensure_ascii=False) + "\n", "a")
    print(f"The answer to {question} is kept." if action == "answer" else output)


def _run(repository: Path, action: str, arguments: list[str]) -> str:
    if action == "rg":
        return _search(repository, arguments)
    if action == "read":
        return _read(repository, arguments)
    if action == "answer":
        return sys.stdin.read().strip()
    sys.exit("Use rg, read, answer or tokens.")


def _write(path: Path, text: str, mode: str) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open(mode, encoding="utf-8") as file:
        file.write(text)


def _search(repository: Path, arguments: list[str]) -> str:
    command = ["rg", "--line-number", "--no-heading", "--sort", "path", *arguments]
    done = subprocess.run(
        command,
        cwd=repository,
        stdin=subprocess.DEVNULL,  # else ripgrep searches what is piped in
        capture_output=True,
        text=True,
        check=False,
    )
    lines = (done.stdout + done.stderr).splitlines()
    kept = [line[:LONGEST_LINE] for line in lines[:MOST_MATCHES]]
    if len(lines) > MOST_MATCHES:
        kept.append(f"({len(lines) - MOST_MATCHES} more lines; narrow the search.)")
    return "\n".join(kept) or "(no match)"


def _read(repository: Path, arguments: list[str]) -> str:
    path = (repository / arguments[0]).resolve()
    if not path.is_relative_to(repository.resolve()) or not path.is_file():
        return f"There is no file {arguments[0]}."
    lines = path.read_text("utf-8", "replace").splitlines()
    first = int(arguments[1]) if len(arguments) > 1 else 1
    last = int(arguments[2]) if len(arguments) > 2 else first + MOST_LINES - 1
    last = min(last, first + MOST_LINES - 1, len(lines))
    shown = [
        f"{number:5} {lines[number - 1][:LONGEST_LINE]}"
        for number in range(max(first, 1), last + 1)
    ]
    if last < len(lines):
        shown.append(f"({len(lines)} lines in all.)")
    return "\n".join(shown)


def count_tokens(question: str, log: Path) -> dict[str, Any]:
    """Return what a question cost a chat API, by its log.

    billed: every round sends the system prompt, the question, and all earlier calls and
    outputs again. once: each of these counted one time. output: calls and answer.
    """
    rows = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    start = estimate_tokens(SYSTEM) + estimate_tokens(question)
    rounds: list[list[dict[str, Any]]] = []
    for row in rows:
        is_new = not rounds or row["at"] - rounds[-1][-1]["ended"] > _SAME_ROUND_SECONDS
        if is_new or row["call"] == "answer":
            rounds.append([])
        rounds[-1].append(row)
    sent, billed, output = start, 0, 0
    for calls in rounds:
        billed += sent
        for row in calls:
            is_answer = row["call"] == "answer"
            said = estimate_tokens(row["output"] if is_answer else row["call"])
            output += said
            sent += said + (0 if is_answer else estimate_tokens(row["output"]))
    return {
        "calls": len(rows),
        "rounds": len(rounds),
        "billed": billed + output,
        "once": sent,
        "output": output,
    }


if __name__ == "__main__":
    main()
