"""A ChatModel without a network: it writes from the evidence in its prompt.

It keeps the rules, so that a test that breaks one says which. `faults` take its place
for sections, one an answer, the last one for all that follow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from devrag.llm.chat import Completion, Message, Schema
from devrag.wiki.evidence.page_evidence import MARKER
from tests.llm.chat_server import Asked, Reply

_EVIDENCE = re.compile(r"<<DATA-\w+ (E\d+) \w* [^/\n]+/([^\n]+)\n")
_FACTS = re.compile(r"<<DATA-\w+ facts (S\d+) “([^”]*)”")
_PAGE = re.compile(r"^(\S+\.md) \([\w-]+, below (\S+)\) ([^:\n]*):", re.MULTILINE)
_STANDING = re.compile(r"<<DATA-(\w+) text\n(.*?)\nDATA-\1>>", re.DOTALL)
_SECTION = re.compile(r"<<DATA-\w+ the section to write\n(.*)\n")
Fault = Callable[[str], Completion | str]


def completion(text: str, finish_reason: str = "stop") -> Completion:
    return Completion(text, 1000, 100, finish_reason)


def asked_of(messages: Sequence[Message]) -> str:
    """Return the prompt of a conversation, which need not begin with a system's."""
    return next(each.content for each in messages if each.role == "user")


def all_supported(prompt: str) -> str:
    """Return that each claim of a prompt is supported."""
    numbers = re.findall(r"^(\d+)\| \(P", prompt, re.MULTILINE)
    return "\n".join(f"{number}| supported" for number in numbers)


@dataclass
class ScriptedModel:
    """language: what it writes in. asked: the conversations it was given."""

    language: str = "en"
    faults: Sequence[Fault] = ()
    outline: Fault | None = None
    summary: Fault | None = None
    translation: Callable[[str], str] | None = None
    tree: Fault | None = None
    rewriting: Fault | None = None
    verdicts: Callable[[str], str] | None = None
    provider: str = "scripted"
    model: str = "one"
    asked: list[Sequence[Message]] = field(default_factory=list)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_output_tokens: int = 2048,
        temperature: float = 0.2,
        schema: Schema | None = None,
    ) -> Completion:
        assert (max_output_tokens, temperature) == (2048, 0.2)
        begins = ("Plan the sections", "Order the pages")
        is_outline = asked_of(messages).startswith(begins)
        assert (schema is not None) == is_outline
        return self.respond(messages)

    def respond(self, messages: Sequence[Message]) -> Completion:
        """Return the answer to a conversation."""
        self.asked.append(list(messages))
        prompt = asked_of(messages)
        if prompt.startswith("Plan the sections"):
            return _as_completion((self.outline or self._outline)(prompt))
        if prompt.startswith("Order the pages"):
            return _as_completion((self.tree or self.keep)(prompt))
        if prompt.startswith("Say in one or two"):
            return _as_completion((self.summary or self._summary)(prompt))
        if prompt.startswith("Translate these lines"):
            return completion((self.translation or translated)(prompt))
        if prompt.startswith("These sentences of a page"):
            return _as_completion(self.rewriting(prompt) if self.rewriting else "-")
        if prompt.startswith("Check claims"):
            return completion((self.verdicts or all_supported)(prompt))
        if self.faults:
            number = min(len(self.sections()), len(self.faults)) - 1
            return _as_completion(self.faults[number](prompt))
        return completion(self.write(prompt))

    def serve(self, asked: Asked) -> Reply:
        """Answer a request over HTTP."""
        turns = [Message(role, text) for role, text in asked.messages]  # type: ignore[arg-type]
        said = self.respond(turns)
        finish: Any = said.finish_reason
        return Reply(said.text, finish, said.input_tokens, said.output_tokens)

    def sections(self) -> list[Sequence[Message]]:
        """Return the conversations about sections."""
        begins = ("Write the body", "Bring one section")
        return [m for m in self.asked if asked_of(m).startswith(begins)]

    def revisions(self) -> list[Sequence[Message]]:
        """Return those about sections that are brought up to date."""
        begin = "Bring one section"
        return [m for m in self.asked if asked_of(m).startswith(begin)]

    def write(self, prompt: str, *, most: int = 3) -> str:
        """Return an honest section, one that stands with what is new added."""
        if standing := _STANDING.search(prompt):
            kept = [p for p in standing[2].split("\n\n") if "[[" in p]
            said = {MARKER.sub("", p) for p in kept}
            told = self.write(prompt.replace(standing[0], ""), most=most).split("\n\n")
            new = [p for p in told if MARKER.sub("", p) not in said]
            return "\n\n".join([*kept, *new])
        heading = " ".join(re.findall(r"\w+", _SECTION.search(prompt)[1]))  # type: ignore[index]
        if self.language == "ja":
            heading = f"第{len(self.sections())}節"
            form = "「{}」のうち、`{}` はこの部分の処理を受け持つ [[{}]]。"
        else:
            form = "As to “{}”, the file `{}` holds what is told here [[{}]]."
        told = dict.fromkeys(_EVIDENCE.findall(prompt))
        return "\n\n".join(
            form.format(heading, path, key) for key, path in list(told)[:most]
        )

    def keep(self, prompt: str) -> str:
        """Return the tree as it is, in the product's language."""
        pages = [
            {"path": path, "title": title, "parent": parent}
            for path, parent, title in _PAGE.findall(prompt)
        ]
        return json.dumps({"pages": pages})

    def _outline(self, prompt: str) -> str:
        is_japanese = self.language == "ja"
        sections = [
            {"title": f"{title}（説明）" if is_japanese else title, "covers": [key]}
            for key, title in _FACTS.findall(prompt)
        ]
        return json.dumps({"sections": sections})

    def _summary(self, _prompt: str) -> str:
        if self.language == "ja":
            return "このページは、この部分の役割と中身を説明する。"
        return "This page tells what the part is for and what is in it."


def translated(prompt: str) -> str:
    """Return the lines of a prompt in Japanese words, what must stay left alone."""
    lines = re.findall(r"^(\d+)\| (.*)$", prompt, re.MULTILINE)
    return "\n".join(f"{n}| {_in_japanese(text)}" for n, text in lines)


def _in_japanese(text: str) -> str:
    pieces = re.split(r"(`[^`]*`|\[(?:[^\]\\]|\\.)*\]\([^)]*\)|\*\*)", text)
    return "".join(
        re.sub(r"[^\W\d_]+(?:[ ,’'-]+[^\W\d_]+)*", "日本語の文", piece)
        if number % 2 == 0
        else piece
        for number, piece in enumerate(pieces)
    )


def _as_completion(said: Completion | str) -> Completion:
    return said if isinstance(said, Completion) else completion(said)
