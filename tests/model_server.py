"""An embedding API on loopback that speaks OpenAI's and Gemini's shapes."""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager
from typing import Any

from tests.scripted_server import KEY, Request, Scripted, ScriptedServer, serving

__all__ = ["KEY", "ModelServer", "Scripted", "Seen", "model_server", "vector_of"]


class Seen(Request):
    """A request with the texts to embed."""

    @property
    def texts(self) -> list[str]:
        if "input" in self.body:
            return list(self.body["input"])
        parts = [each["content"]["parts"] for each in self.body["requests"]]
        return [part["text"] for (part,) in parts]


class ModelServer(ScriptedServer):
    """Models by name with their dimensions."""

    def __init__(self, **dimensions: int) -> None:
        super().__init__()
        self.dimensions = dimensions

    @property
    def texts(self) -> list[str]:
        return [text for request in self.seen for text in request.texts]

    def read(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> Seen:
        return Seen(path, headers, body)

    def answer(self, seen: Seen) -> Scripted:
        is_gemini = "requests" in seen.body
        name = seen.path.split("/")[-1].split(":")[0] if is_gemini else None
        model = name or seen.body["model"]
        if model not in self.dimensions:
            return Scripted(404, {"error": {"message": f"no model {model}"}})
        rows = [vector_of(each, self.dimensions[model]) for each in seen.texts]
        if is_gemini:
            return Scripted(200, {"embeddings": [{"values": row} for row in rows]})
        data = [{"index": n, "embedding": row} for n, row in enumerate(rows)]
        usage = {"prompt_tokens": 10 * len(rows)}
        return Scripted(200, {"data": data[::-1], "usage": usage})


def vector_of(text: str, size: int) -> list[float]:
    """Return a vector of a text's words: texts that share words are near."""
    vector = [0.01] * size
    for word in text.lower().split():
        vector[hashlib.sha256(word.encode()).digest()[0] % size] += 1.0
    return vector


def model_server(**dimensions: int) -> AbstractContextManager[ModelServer]:
    """Serve models until the block ends."""
    return serving(ModelServer(**dimensions))
