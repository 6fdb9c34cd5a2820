"""Files that try to steer the model, and a model that does what they say."""

from __future__ import annotations

import re

import pytest

from devrag.ask.types import AskRequest, Evidence, Passage
from devrag.ask.writing.prompt import fence_of, messages_of
from devrag.core.markdown import Citation, render_markdown
from devrag.core.principal import SYSTEM
from tests.ask.hostile import HOSTILE, OBEYED_FENCE, HostileFile
from tests.ask.passages import ASKED, PASSAGES, SpokenModel, answer_of, passage

TRUE = "`charge` adds the tax to the amount [[E1]]."
_MARK = re.compile(r"DATA-([a-z]{12})>>")


def passages_with(file: HostileFile) -> tuple[Passage, ...]:
    hostile = passage("E4", file.path, file.text, kind="documentation", title="x")
    return (*PASSAGES, hostile)


class Obeying(SpokenModel):
    """Writes what a file wants, with the word of the marks where it asks for it."""

    def stream(self, messages, **options):  # type: ignore[no-untyped-def]
        word = _MARK.findall(messages[-1].content)[0]
        self.text = self.text.replace(OBEYED_FENCE, word)
        return super().stream(messages, **options)


def _by_path(file: HostileFile) -> str:
    return file.path


def test_there_are_enough_of_them() -> None:
    assert len({file.text for file in HOSTILE}) >= 50


@pytest.mark.parametrize("file", HOSTILE, ids=_by_path)
def test_no_file_ends_its_own_quotation(file: HostileFile) -> None:
    passages = passages_with(file)
    request = AskRequest(ASKED, SYSTEM)
    fence = fence_of(request, passages)
    _, user = messages_of(request, passages, fence)
    parts = user.content.split(f"<<DATA-{fence.word} ")
    assert fence.word not in file.text
    assert len(parts) == 1 + len(passages)
    assert all(part.count(f"DATA-{fence.word}>>") == 1 for part in parts[1:])
    last, after = parts[-1].split(f"DATA-{fence.word}>>")
    assert "[[E4]]" in last
    assert after.strip().startswith("The question:")


@pytest.mark.parametrize("file", HOSTILE, ids=_by_path)
def test_a_model_that_obeys_a_file_says_nothing_of_it(file: HostileFile) -> None:
    model = Obeying(f"{TRUE}\n\n{file.obeyed}\n\n{TRUE}")
    answer = answer_of(model, evidence=Evidence(passages_with(file), is_found=True))
    assert answer.markdown == "`charge` adds the tax to the amount [1](cite:1).\n"
    assert [each.id for each in answer.citations] == ["E1"]


@pytest.mark.parametrize("file", HOSTILE, ids=_by_path)
def test_what_a_file_makes_a_model_cite_leads_nowhere(file: HostileFile) -> None:
    """A model copies the file as it is, and cites it."""
    copied = f"{TRUE}\n\n{file.text} [[E4]]."
    answer = answer_of(copied, evidence=Evidence(passages_with(file), is_found=True))
    html = render_markdown(
        answer.markdown, resolve_citation=lambda key: Citation(f"#c{key}", "")
    ).html
    assert all(target.startswith("#c") for target in re.findall(r'href="([^"]*)', html))
    assert not re.search(r"<(?:img|script|iframe|style|form|object)\b", html)
