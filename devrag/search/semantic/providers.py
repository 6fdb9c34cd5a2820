"""The embedding providers there are: which is active, what is set, does it answer."""

from __future__ import annotations

import time
from dataclasses import dataclass

from devrag.llm.providers import EMBEDDERS
from devrag.search.semantic.specs import (
    active_spec,
    first_model_of,
    make_embedder,
    remote_endpoints,
)

_WORD = "harbour"


@dataclass(frozen=True, slots=True)
class EmbeddingProvider:
    """One provider. key_setting: empty where none is needed; the key is never here."""

    name: str
    model: str
    dimensions: int
    base_url: str
    key_setting: str
    has_key: bool
    is_active: bool


@dataclass(frozen=True, slots=True)
class ProviderCheck:
    """A provider that answered: how long it took, and what came."""

    milliseconds: int
    model: str
    dimensions: int = 0


def list_embedding_providers() -> list[EmbeddingProvider]:
    """Return all, the active one with the model in use. Queries: 1."""
    spec, endpoints = active_spec(), remote_endpoints()
    found = []
    for name in EMBEDDERS:
        is_active = spec is not None and spec.provider == name
        usual, dimensions = first_model_of(name)
        place = endpoints.get(name)
        found.append(
            EmbeddingProvider(
                name=name,
                model=spec.model if spec and is_active else usual,
                dimensions=spec.dimensions if spec and is_active else dimensions,
                base_url=place.base_url if place else "",
                key_setting=place.key_setting if place else "",
                has_key=bool(place and place.key),
                is_active=is_active,
            )
        )
    return found


def ask_embedding_provider(name: str) -> ProviderCheck:
    """Ask for the vector of one word; ProviderError says why there is none."""
    (chosen,) = [each for each in list_embedding_providers() if each.name == name]
    # Of a model that is not in use nobody said how many dimensions it has here.
    wanted = chosen.dimensions if chosen.is_active else 0
    embedder = make_embedder(name, chosen.model, wanted)
    began = time.perf_counter()
    vector = embedder.embed_query(_WORD)
    took = round(1000 * (time.perf_counter() - began))
    return ProviderCheck(took, chosen.model, len(vector))
