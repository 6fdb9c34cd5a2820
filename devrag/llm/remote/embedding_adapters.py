"""What is said to each kind of embedding API, and how its answer is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Purpose = Literal["document", "query"]
_TASKS: dict[Purpose, str] = {
    "document": "RETRIEVAL_DOCUMENT",
    "query": "RETRIEVAL_QUERY",
}


@dataclass(frozen=True, slots=True)
class RawEmbeddings:
    """Raw vectors in the order of the texts, and the tokens the provider counted."""

    vectors: Sequence[Sequence[float]]
    tokens: int = 0


class EmbeddingAdapter(Protocol):
    """One kind of API. title: its name in messages.

    read: raises KeyError, TypeError, ValueError or AttributeError on anything odd.
    """

    title: str
    base_url: str

    def headers(self, key: str) -> Mapping[str, str]:
        """Return what carries the key."""
        ...

    def path(self, model: str) -> str:
        """Return where to post, below the base address."""
        ...

    def body(
        self, model: str, texts: Sequence[str], purpose: Purpose, dimensions: int | None
    ) -> Mapping[str, Any]:
        """Return the request. dimensions: asked for only where the model can cut."""
        ...

    def read(self, data: Any) -> RawEmbeddings:
        """Return the vectors of a response."""
        ...


class OpenAIEmbeddingAdapter:
    """OpenAI's embeddings, which Ollama, TEI, vLLM, LM Studio and OpenRouter speak."""

    title = "OpenAI"
    base_url = "https://api.openai.com/v1"

    def headers(self, key: str) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def path(self, model: str) -> str:
        del model
        return "/embeddings"

    def body(
        self, model: str, texts: Sequence[str], purpose: Purpose, dimensions: int | None
    ) -> Mapping[str, Any]:
        del purpose  # such models take queries and documents alike
        wanted = {"dimensions": dimensions} if dimensions else {}
        return {
            "model": model,
            "input": list(texts),
            "encoding_format": "float",
            **wanted,
        }

    def read(self, data: Any) -> RawEmbeddings:
        rows = sorted(data["data"], key=lambda row: int(row["index"]))
        usage = data.get("usage") or {}
        tokens = int(usage.get("prompt_tokens") or usage.get("total_tokens") or 0)
        return RawEmbeddings([row["embedding"] for row in rows], tokens)


class GeminiEmbeddingAdapter:
    """Google's own API: it is told whether a text is a query or a document."""

    title = "Gemini"
    base_url = "https://generativelanguage.googleapis.com/v1beta"

    def headers(self, key: str) -> Mapping[str, str]:
        return {"x-goog-api-key": key} if key else {}

    def path(self, model: str) -> str:
        return f"/models/{model}:batchEmbedContents"

    def body(
        self, model: str, texts: Sequence[str], purpose: Purpose, dimensions: int | None
    ) -> Mapping[str, Any]:
        wanted = {"outputDimensionality": dimensions} if dimensions else {}
        common = {"model": f"models/{model}", "taskType": _TASKS[purpose], **wanted}
        return {
            "requests": [
                {**common, "content": {"parts": [{"text": text}]}} for text in texts
            ]
        }

    def read(self, data: Any) -> RawEmbeddings:
        return RawEmbeddings([row["values"] for row in data["embeddings"]])
