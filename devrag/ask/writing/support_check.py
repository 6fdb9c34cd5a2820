"""Ask a second model whether cited lines show what the sentences of an answer say.

Checks by words do not see a “not” too much. All sentences go in one call, as those of a
wiki page do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field

from devrag.llm.chat import Completion, StreamingChat, Usage
from devrag.spending.language_model import model_window
from devrag.wiki.api import MARKER, SupportRequest, support_requests
from devrag.wiki.checking.support import SupportClaim

_OUTPUT_TOKENS, _MOST_TOKENS = 2_048, 30_000
_PROMPT_TOKENS = 2_048  # of the rules around the claims


@dataclass(slots=True)
class SupportCheck:
    """A check of one answer. refused: sentence → why its lines do not show it.

    usage: of all calls, also of one that failed.
    """

    chat: StreamingChat
    refused: dict[str, str] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)

    async def judge(self, sentences: Iterable[str], texts: Mapping[str, str]) -> None:
        """Have sentences judged. texts: of the passages, by the ids they cite.

        Raises what a model fails with; what it refused by then is known.
        """
        claims = _claims(sentences, texts)
        most = min(_MOST_TOKENS, model_window() - _OUTPUT_TOKENS - _PROMPT_TOKENS)
        for request in support_requests(claims, most):
            by_number = {claim.number: claim.sentence for claim in request.claims}
            for verdict in request.read(await self._ask(request)):
                if verdict.support == "unsupported":
                    self.refused[by_number[verdict.number]] = verdict.reason

    async def _ask(self, request: SupportRequest) -> str:
        stream = self.chat.stream(
            request.messages, max_output_tokens=_OUTPUT_TOKENS, temperature=0.0
        )
        text = ""
        try:
            async with aclosing(stream):
                async for piece in stream:
                    if isinstance(piece, Completion):
                        text = piece.text
        finally:
            self.usage = Usage(
                self.usage.input_tokens + stream.usage.input_tokens,
                self.usage.output_tokens + stream.usage.output_tokens,
            )
        return text


def _claims(
    sentences: Iterable[str], texts: Mapping[str, str]
) -> Iterable[SupportClaim]:
    cited = {each: MARKER.findall(each) for each in dict.fromkeys(sentences)}
    for number, (sentence, ids) in enumerate(cited.items(), 1):
        if ids:
            excerpts = tuple(texts[key] for key in dict.fromkeys(ids))
            yield SupportClaim(number, sentence, excerpts)
