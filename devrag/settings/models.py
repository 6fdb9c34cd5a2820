"""Language and embedding models, their keys, limits and prices."""

from __future__ import annotations

import os

from environs import validate

from devrag.llm.prices import check_prices, read_prices
from devrag.settings.environment import env, not_negative

_timeout = validate.Range(1, 600)  # seconds

OPENAI_API_KEY = env.str("OPENAI_API_KEY", "")
OPENAI_BASE_URL = env.str("OPENAI_BASE_URL", "")
ANTHROPIC_API_KEY = env.str("ANTHROPIC_API_KEY", "")
GEMINI_API_KEY = env.str("GEMINI_API_KEY", "")
GEMINI_BASE_URL = env.str("GEMINI_BASE_URL", "")
# What a first start takes; afterwards only `embeddings use` changes it.
EMBEDDING_PROVIDER = env.str(
    "EMBEDDING_PROVIDER",
    "",
    validate=validate.OneOf(["", "local", "openai", "gemini", "grpc"]),
)
EMBEDDING_BASE_URL = env.str("EMBEDDING_BASE_URL", "")
EMBEDDING_API_KEY = env.str("EMBEDDING_API_KEY", "")
EMBEDDING_GRPC_ADDRESS = env.str("EMBEDDING_GRPC_ADDRESS", "localhost:50051")
EMBEDDING_MODEL = env.str("EMBEDDING_MODEL", "text-embedding-3-small")
EMBEDDING_DIMENSION = env.int(
    "EMBEDDING_DIMENSION", 1536, validate=validate.Range(1, 16_000)
)
EMBEDDING_BATCH_SIZE = env.int(
    "EMBEDDING_BATCH_SIZE", 8, validate=validate.Range(1, 2048)
)
EMBEDDING_CONCURRENCY = env.int(
    "EMBEDDING_CONCURRENCY", 4, validate=validate.Range(1, 64)
)
EMBEDDING_TIMEOUT = env.float("EMBEDDING_TIMEOUT", 30.0, validate=_timeout)
EMBEDDING_MAX_TOKENS = env.int("EMBEDDING_MAX_TOKENS", 0, validate=not_negative)
_price = env.str("EMBEDDING_PRICE", "")
EMBEDDING_PRICE: float | None = (
    env.float("EMBEDDING_PRICE", validate=not_negative) if _price else None
)
# Limits of the embedding provider, over all hosts; 0 = none.
EMBEDDING_TEXTS_PER_MINUTE = env.int(
    "EMBEDDING_TEXTS_PER_MINUTE", 0, validate=not_negative
)
EMBEDDING_REQUESTS_PER_MINUTE = env.int(
    "EMBEDDING_REQUESTS_PER_MINUTE", 0, validate=not_negative
)
# Orders the first results of a search anew; none by default.
RERANK_BASE_URL = env.str(
    "RERANK_BASE_URL", "", validate=validate.Regexp(r"(https?://[^/\s]\S*)?$")
)
RERANK_API_KEY = env.str("RERANK_API_KEY", "")
RERANK_MODEL = env.str("RERANK_MODEL", "", validate=validate.Length(max=120))
LLM_PROVIDER = env.str(
    "LLM_PROVIDER",
    "structural",
    validate=validate.OneOf(["structural", "openai", "anthropic"]),
)
LLM_MODEL = env.str("LLM_MODEL", "")
LLM_CHECK_MODEL = env.str("LLM_CHECK_MODEL", "", validate=validate.Length(max=100))
LLM_BASE_URL = env.str("LLM_BASE_URL", "")
LLM_API_KEY = env.str("LLM_API_KEY", "")
# Silence in an answer; half an hour without a word would end the worker.
LLM_TIMEOUT = env.float("LLM_TIMEOUT", 120.0, validate=_timeout)
# The providers' own models have at least the larger one; others may have little.
LLM_WINDOW = env.int(
    "LLM_WINDOW",
    32_768 if LLM_BASE_URL else 128_000,
    validate=validate.Range(min=8_192),
)
LLM_PRICES = read_prices(env.str("LLM_PRICES", "", validate=check_prices))
# Dollars, of a wiki's run and of a product's month.
LLM_CAP_PER_RUN = env.float("LLM_CAP_PER_RUN", 10.0, validate=not_negative)
LLM_CAP_PER_MONTH = env.float("LLM_CAP_PER_MONTH", 100.0, validate=not_negative)
# Who answers questions; empty: LLM_MODEL.
ASK_MODEL = env.str("ASK_MODEL", "", validate=validate.Length(max=100))
# Dollars that answers may cost a product in a day.
ASK_CAP_PER_DAY = env.float("ASK_CAP_PER_DAY", 5.0, validate=not_negative)
# Dollars that comparing documents with code may cost a product in a month; 0: none is
# compared by the model.
CONFLICTS_CAP_PER_MONTH = env.float(
    "CONFLICTS_CAP_PER_MONTH", 5.0, validate=not_negative
)
# How often a thorough answer may look further before it has to be written.
ASK_MAX_ROUNDS = env.int("ASK_MAX_ROUNDS", 6, validate=validate.Range(min=1, max=20))
# Those of these that the environment or `.env` sets: what the browser chooses does not
# count there.
MODEL_SETTINGS_IN_ENVIRONMENT = frozenset(
    name
    for name in (
        *("LLM_PROVIDER", "LLM_BASE_URL", "LLM_MODEL", "LLM_CHECK_MODEL", "ASK_MODEL"),
        *("LLM_WINDOW", "LLM_PRICES", "LLM_CAP_PER_RUN", "LLM_CAP_PER_MONTH"),
        *("ASK_CAP_PER_DAY", "CONFLICTS_CAP_PER_MONTH"),
    )
    if os.environ.get(name)
)
