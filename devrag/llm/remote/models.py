"""What is known of remote models: sizes and list prices. Others work by settings."""

from __future__ import annotations

from dataclasses import dataclass

UNKNOWN_MAX_TOKENS = 8191


@dataclass(frozen=True, slots=True)
class KnownModel:
    """dollars: list price of a million tokens. is_cuttable: makes fewer dimensions."""

    dimensions: int
    max_tokens: int
    dollars: float
    is_cuttable: bool = False


MODELS = {
    "text-embedding-3-small": KnownModel(1536, 8191, 0.02, is_cuttable=True),
    "text-embedding-3-large": KnownModel(3072, 8191, 0.13, is_cuttable=True),
    "text-embedding-ada-002": KnownModel(1536, 8191, 0.10),
    "gemini-embedding-001": KnownModel(3072, 2048, 0.15, is_cuttable=True),
}


def known_model(name: str) -> KnownModel | None:
    """Return what is known of a model, also by a router's name like `openai/…`."""
    return MODELS.get(name.rpartition("/")[2])
