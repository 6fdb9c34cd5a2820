"""A ChatModel without a network: it writes from the evidence in its prompt.

It keeps the rules, so that a test that breaks one says which. `faults` take its place
for sections, one a request, the last one for all that follow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from devrag.llm.chat import Completion, Message, Schema
from devrag.wiki.evidence.page_evidence import MARKER
from tests.llm.chat_server import Asked, Reply

_EVIDENCE = re.compile(r"<<DATA-\w+ (E\d+) \w* [^/\n]+/([^\s]+)[^\n]*\n")
_SECTION = re.compile(r"<<DATA-\w+ section (\d+), at most \d+ words\n(.*)\n")
_STANDING = re.compile(r"<<DATA-(\w+) text\n(.*?)\nDATA-\1>>", re.DOTALL)
_REVISED = re.compile(r"<<DATA-\w+ the section to revise\n(.*)\n")
_FACTS = re.compile(
    r"<<DATA-(\w+) facts for section (\d+)\n(.*?)\nDATA-\1>>", re.DOTALL
)
_GROUP = re.compile(r"^T(\d+) “([^”]*)”", re.MULTILINE)
Fault = Callable[[str], Completion | str]


def completion(text: str, finish_reason: str = "stop") -> Completion:
    return Completion(text, 1000, 100, finish_reason)


def in_parts(sections: Mapping[int, str], summary: str = "") -> str:
    """Return an answer as a request for sections wants it."""
    parts = [f"=== {number}\n{text}" for number, text in sections.items()]
    return "\n".join([*parts, "=== summary", summary])


def numbers_in(prompt: str) -> list[int]:
    """Return the sections that a request is for."""
    return [int(number) for number, _ in _SECTION.findall(prompt)]


def asked_of(messages: Sequence[Message]) -> str:
    """Return the prompt of a conversation, which need not begin with a system's."""
    return next(each.content for each in messages if each.role == "user")


def all_supported(prompt: str) -> str:
    """Return that each claim of a prompt is supported."""
    return f"checked| {len(claims_in(prompt))}"


def claims_in(prompt: str) -> list[tuple[str, str]]:
    """Return number and text of each claim of a prompt."""
    return re.findall(r"^(\d+)\| \(P[^)]*\) (.*)$", prompt, re.MULTILINE)


@dataclass
class ScriptedModel:
    """language: what it writes in. asked: the conversations it was given."""

    language: str = "en"
    faults: Sequence[Fault] = ()
    outline: Fault | None = None
    summary: str | None = None
    rewriting: Fault | None = None
    verdicts: Callable[[str], str] | None = None
    translation: Callable[[str], str] | None = None
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
        assert max_output_tokens <= 8_000
        assert temperature == 0.2
        is_outline = asked_of(messages).startswith("Design the outline")
        assert (schema is not None) == is_outline
        return self.respond(messages)

    def respond(self, messages: Sequence[Message]) -> Completion:
        """Return the answer to a conversation."""
        self.asked.append(list(messages))
        prompt = asked_of(messages)
        if prompt.startswith("Design the outline"):
            return _as_completion((self.outline or self.as_found)(prompt))
        if prompt.startswith("These sentences of a page"):
            return _as_completion(self.rewriting(prompt) if self.rewriting else "-")
        if prompt.startswith("Check claims"):
            return completion((self.verdicts or all_supported)(prompt))
        if prompt.startswith("Translate these lines"):
            return completion((self.translation or translated)(prompt))
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
        return self.about("Write these sections", "Bring one section")

    def revisions(self) -> list[Sequence[Message]]:
        """Return those about sections that are brought up to date."""
        return self.about("Bring one section")

    def outlines(self) -> list[Sequence[Message]]:
        """Return those about the pages of the wiki."""
        return self.about("Design the outline")

    def about(self, *begins: str) -> list[Sequence[Message]]:
        """Return the conversations whose request begins so."""
        return [m for m in self.asked if asked_of(m).startswith(begins)]

    def write(self, prompt: str, *, most: int = 3) -> str:
        """Return honest sections, one that stands with what is new added."""
        if standing := _STANDING.search(prompt):
            kept = [p for p in standing[2].split("\n\n") if "[[" in p]
            said = {MARKER.sub("", p) for p in kept}
            heading = _REVISED.search(prompt)[1]  # type: ignore[index]
            told = self._tell(heading, _EVIDENCE.findall(prompt), most)
            new = [p for p in told if MARKER.sub("", p) not in said]
            return "\n\n".join([*kept, *new])
        sections = {}
        for number, heading, evidence in given_in(prompt):
            told = self._tell(heading, evidence, most)
            sections[number] = "\n\n".join(told) or "-"
        return in_parts(sections, self._summary())

    def _tell(
        self, heading: str, evidence: Sequence[tuple[str, str]], most: int
    ) -> list[str]:
        words = " ".join(re.findall(r"\w+", heading))
        form = "As to “{}”, the file `{}` holds what is told here [[{}]]."
        if self.language == "ja":
            words = f"第{len(self.sections())}の{len(words)}節"
            form = "「{}」のうち、`{}` はこの部分の処理を受け持つ [[{}]]。"
        places = {path: key for key, path in reversed(evidence)}
        told = [form.format(words, path, key) for path, key in places.items()]
        return told[::-1][:most]

    def as_found(self, prompt: str) -> str:
        """Return a page for each group of the digest."""
        form = "{}（説明）" if self.language == "ja" else "{}"
        pages = [
            {
                "title": form.format(title) if "FIXED" not in prompt else title,
                "question": form.format("What is it for?"),
                "parent": "",
                "code": [f"T{number}"],
                "documents": [],
                "sections": [
                    {"title": form.format(f"How {title} works"), "question": "?"},
                    {"title": form.format(f"What {title} keeps"), "question": "?"},
                ],
            }
            for number, title in _GROUP.findall(prompt)
        ]
        return json.dumps({"pages": pages}, ensure_ascii=False)

    def _summary(self) -> str:
        if self.summary is not None:
            return self.summary
        if self.language == "ja":
            return "このページは、この部分の役割と中身を説明する。"
        return "This page tells what the part is for and what is in it."


def given_in(prompt: str) -> list[tuple[int, str, list[tuple[str, str]]]]:
    """Return number, title and evidence of each section that a request is for.

    Without evidence of its own a section leans on what its facts cite.
    """
    pieces = re.split(r"(?=<<DATA-\w+ section \d+, at most)", prompt)[1:]
    found = []
    for piece in pieces:
        number, title = _SECTION.findall(piece)[0]
        evidence = _EVIDENCE.findall(piece)
        if not evidence:
            facts = " ".join(text for _, _, text in _FACTS.findall(piece))
            evidence = [(key, f"fact {key}") for key in MARKER.findall(facts)]
        found.append((int(number), title, evidence))
    return found


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
