"""A model that costs nothing, for what a wiki asks of one: it answers over HTTP.

The instance that is measured names it: `LLM_PROVIDER=openai`, any `LLM_API_KEY`, and
`LLM_BASE_URL=http://127.0.0.1:PORT/v1`. It keeps the rules and answers at the length
that is asked for; tokens are counted from the texts, and by devrag's own client.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from devrag.parsing.tokens import estimate_tokens
from tests.llm.chat_server import Asked, Reply, chat_server
from tests.wiki.scripted import ScriptedModel

_PARAGRAPHS = 12


class _Writer(ScriptedModel):
    def write(self, prompt: str, *, most: int = _PARAGRAPHS) -> str:
        return super().write(prompt, most=most)

    def serve(self, asked: Asked) -> Reply:
        said = super().serve(asked)
        self.asked.clear()
        given = sum(estimate_tokens(text) for _, text in asked.messages)
        answered = estimate_tokens(said.text)
        return replace(said, input_tokens=given, output_tokens=answered)


@contextmanager
def answering(port: int) -> Iterator[None]:
    """Answer as a model at this port until the block ends."""
    with chat_server(port) as server:
        server.write = _Writer().serve
        yield
