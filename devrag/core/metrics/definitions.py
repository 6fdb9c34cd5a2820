"""Everything that is counted while it happens, by name.

Labels have few values: names of routes, kinds of jobs, models that were set; never
paths, users, products or words that somebody typed.
"""

from __future__ import annotations

from dataclasses import dataclass

_REQUEST_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_MODEL_SECONDS = (0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
_JOB_SECONDS = (0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14400.0)


@dataclass(frozen=True, slots=True)
class Counter:
    """What only grows; its name ends with `_total`."""

    name: str
    help: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Histogram:
    """How long things took. bounds: upper ends of its buckets, in seconds."""

    name: str
    help: str
    labels: tuple[str, ...]
    bounds: tuple[float, ...]


HTTP_REQUESTS = Counter(
    "devrag_http_requests_total",
    "Answered HTTP requests by route, method and status.",
    ("route", "method", "status"),
)
HTTP_SECONDS = Histogram(
    "devrag_http_request_duration_seconds",
    "Time until the first byte of an answer, by route.",
    ("route",),
    _REQUEST_SECONDS,
)
JOBS = Counter(
    "devrag_jobs_ended_total",
    "Jobs that ended, by kind and final state.",
    ("kind", "state"),
)
JOB_SECONDS = Histogram(
    "devrag_job_duration_seconds",
    "Time from a job's start to its end, of those that completed or failed.",
    ("kind",),
    _JOB_SECONDS,
)
BATCH_RETRIES = Counter(
    "devrag_batch_retries_total",
    "Pieces of jobs that failed and are tried again, by kind of job.",
    ("kind",),
)
LEASE_LOSSES = Counter(
    "devrag_lease_losses_total",
    "Pieces of jobs whose worker died or whose lease ran out, by kind of job.",
    ("kind",),
)
EMBEDDED_TEXTS = Counter(
    "devrag_embedded_texts_total", "Texts that got a vector, by model.", ("model",)
)
EMBEDDING_SECONDS = Counter(
    "devrag_embedding_seconds_total",
    "Time that the embedding model worked for jobs, by model.",
    ("model",),
)
MODEL_CALLS = Counter(
    "devrag_model_calls_total",
    "Calls of language and remote embedding models, by purpose and outcome.",
    ("purpose", "provider", "model", "outcome"),
)
MODEL_SECONDS = Histogram(
    "devrag_model_call_duration_seconds",
    "Time from a call of a language model to the end of its answer, by purpose.",
    ("purpose",),
    _MODEL_SECONDS,
)
MODEL_TOKENS = Counter(
    "devrag_model_tokens_total",
    "Tokens of calls of models, by direction: input or output.",
    ("purpose", "provider", "model", "direction"),
)
MODEL_COST = Counter(
    "devrag_model_cost_dollars_total",
    "What calls of models cost, in dollars, where prices are known.",
    ("purpose", "provider", "model"),
)

COUNTERS = (
    HTTP_REQUESTS,
    JOBS,
    BATCH_RETRIES,
    LEASE_LOSSES,
    EMBEDDED_TEXTS,
    EMBEDDING_SECONDS,
    MODEL_CALLS,
    MODEL_TOKENS,
    MODEL_COST,
)
HISTOGRAMS = (HTTP_SECONDS, JOB_SECONDS, MODEL_SECONDS)
