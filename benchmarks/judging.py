"""Asks a judge: a model behind an OpenAI-compatible server, or whoever reads files.

With `--prompts DIR` the prompts are written there, one file each, and nothing is
asked. With `--answers DIR` the answers are read from NAME.json for each NAME.md;
several folders are several judges. A name ends with a hash of the prompt: an answer to
another prompt is never read as one to this, and an answer can be used again in another
comparison. `--judge URL` asks a server instead; its key is in JUDGE_API_KEY.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import structlog

from devrag.llm.chat import ChatModel, Message
from devrag.llm.chat_registry import build_chat
from devrag.llm.remote.endpoint import Endpoint
from devrag.llm.retries import ask_patiently
from devrag.parsing.tokens import estimate_tokens

_KEY_VARIABLE = "JUDGE_API_KEY"
_HASH_LENGTH = 12
Row = Mapping[str, Any]
# Item id → the judge's row.
Verdicts = dict[str, Row]
# Return what is wrong with a row, '' if nothing.
Check = Callable[[Row], str]


class BadAnswerError(ValueError):
    """An answer that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question. subject: what it is about, in words that tell the judge nothing.

    ids: of the items that the answer has to judge.
    """

    subject: str
    instructions: str
    text: str
    ids: tuple[str, ...]

    @property
    def whole(self) -> str:
        """The prompt for a judge who gets one text."""
        return f"{self.instructions}\n\n{self.text}\n"

    @property
    def digest(self) -> str:
        """The beginning of a hash of all that the judge reads."""
        return hashlib.sha256(self.whole.encode()).hexdigest()[:_HASH_LENGTH]

    @property
    def name(self) -> str:
        """The name of its file, without the ending."""
        return f"{self.subject}-{self.digest}"


def add_judge_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say who judges."""
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--judge", metavar="URL", help="base URL, as …/v1")
    way.add_argument("--prompts", type=Path, metavar="DIR", help="write prompts only")
    way.add_argument("--answers", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--model", default="judge")
    parser.add_argument("--runs", type=int, default=1, help="times a server is asked")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=600.0, metavar="SECONDS")
    parser.add_argument("--window", type=int, default=128_000, metavar="TOKENS")
    parser.add_argument("--max-output", type=int, default=16_000, metavar="TOKENS")
    parser.add_argument("--seed", default="0", help="of what is shuffled or drawn")


def write_prompts(prompts: Sequence[Prompt], folder: Path) -> dict[str, Any]:
    """Write a file for each prompt; return how many there are and their size."""
    folder.mkdir(parents=True, exist_ok=True)
    for prompt in prompts:
        (folder / f"{prompt.name}.md").write_text(prompt.whole, "utf-8")
    tokens = sum(estimate_tokens(prompt.whole) for prompt in prompts)
    return {"prompts": len(prompts), "folder": str(folder), "tokens": tokens}


def collect_verdicts(
    prompts: Sequence[Prompt], options: argparse.Namespace, check: Check
) -> list[list[Verdicts]]:
    """Return for each judge the verdicts on each prompt, in the prompts' order.

    check: of a row. BadAnswerError when an answer cannot be used.
    """
    if options.answers:
        return [
            [_read_file(folder, prompt, check) for prompt in prompts]
            for folder in options.answers
        ]
    # What happens goes to stderr: stdout is for the figures.
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    model = build_chat(
        "openai",
        options.model,
        endpoint=Endpoint(options.judge, os.environ.get(_KEY_VARIABLE, "none")),
        timeout_seconds=options.timeout,
    )
    ask = partial(_ask, model, check=check, max_output_tokens=options.max_output)
    with ThreadPoolExecutor(options.concurrency) as pool:
        return [list(pool.map(ask, prompts)) for _ in range(options.runs)]


def read_answer(text: str, prompt: Prompt, check: Check) -> Verdicts:
    """Return the rows of an answer by item. BadAnswerError when one is amiss."""
    start, end = text.find("{"), text.rfind("}")
    try:
        rows = json.loads(text[start : end + 1])["items"]
        found = {str(row["id"]): row for row in rows}
    except (ValueError, KeyError, TypeError) as error:
        message = 'The answer is not JSON of the form {"items": [{"id": …}, …]}.'
        raise BadAnswerError(message) from error
    for item in prompt.ids:
        problem = check(found[item]) if item in found else "it is missing"
        if problem:
            raise BadAnswerError(f"Item {item}: {problem}.")
    return {item: found[item] for item in prompt.ids}


def _read_file(folder: Path, prompt: Prompt, check: Check) -> Verdicts:
    path = next(folder.glob(f"*-{prompt.digest}.json"), None)
    if path is None:
        raise BadAnswerError(f"There is no answer {folder / prompt.name}.json.")
    try:
        return read_answer(path.read_text("utf-8"), prompt, check)
    except BadAnswerError as error:
        raise BadAnswerError(f"{path}: {error}") from error


def _ask(
    model: ChatModel, prompt: Prompt, *, check: Check, max_output_tokens: int
) -> Verdicts:
    """Return a model's verdicts; it is asked a second time if it breaks the form."""
    messages = [
        Message("system", prompt.instructions),
        Message("user", prompt.text),
    ]

    def complete() -> str:
        return ask_patiently(
            lambda: model.complete(
                messages, max_output_tokens=max_output_tokens, temperature=0.0
            )
        ).text

    answer = complete()
    try:
        return read_answer(answer, prompt, check)
    except BadAnswerError as error:
        messages += [
            Message("assistant", answer or "(nothing)"),
            Message("user", f"{error} Answer again, in full, with JSON only."),
        ]
        return read_answer(complete(), prompt, check)
