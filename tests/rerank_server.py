"""A reranker on loopback that speaks either format; a text scores by shared words."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from typing import Any

from tests.scripted_server import Request, Scripted, ScriptedServer, serving

_MISSING_FIELD = "Failed to deserialize the JSON body: missing field `texts`"


class RerankServer(ScriptedServer):
    """speaks: `documents` (Jina, Cohere, vLLM) or `texts` (TEI)."""

    def __init__(self, speaks: str) -> None:
        super().__init__()
        self.speaks = speaks

    @property
    def texts(self) -> list[str]:
        """All texts that came."""
        bodies = [request.body for request in self.seen]
        return [
            each for body in bodies for each in body.get("documents", body.get("texts"))
        ]

    def answer(self, seen: Request) -> Scripted:
        if self.speaks not in seen.body:
            return Scripted(422, _MISSING_FIELD)
        rows = enumerate(map(words_of, seen.body[self.speaks]))
        asked = words_of(seen.body["query"])
        scores = [(n, len(words & asked) / (len(asked) or 1)) for n, words in rows]
        return Scripted(body=self._written(sorted(scores, key=lambda row: -row[1])))

    def _written(self, scores: list[tuple[int, float]]) -> Any:
        if self.speaks == "texts":
            return [{"index": index, "score": score} for index, score in scores]
        rows = [{"index": index, "relevance_score": score} for index, score in scores]
        return {"results": rows, "usage": {"total_tokens": 90}}


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


def rerank_server(speaks: str = "documents") -> AbstractContextManager[RerankServer]:
    """Serve a reranker until the block ends."""
    return serving(RerankServer(speaks))
