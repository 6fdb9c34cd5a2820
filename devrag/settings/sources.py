"""What may be read, how much of it, and how it is split into chunks."""

from __future__ import annotations

from pathlib import Path

from environs import validate

from devrag.parsing.chunking import (
    MAX_CHARS,
    MAX_TOKENS,
    MIN_CHARS,
    MIN_TOKENS,
    complete_options,
)
from devrag.settings.environment import at_least_one, env, not_negative

_source_roots: list[str] = env.list("SOURCE_ROOTS", [])
SOURCE_ROOTS = [Path(folder) for folder in _source_roots]
SOURCES_PUBLIC_ONLY = env.bool("SOURCES_PUBLIC_ONLY", False)
GIT_ALLOW_HTTP = env.bool("GIT_ALLOW_HTTP", False)
GIT_SSH_KEY_PATH = Path(env.str("GIT_SSH_KEY_PATH", "/etc/dev-rag/ssh/id_rsa"))
GIT_KNOWN_HOSTS_PATH = Path(
    env.str("GIT_KNOWN_HOSTS_PATH", "/etc/dev-rag/ssh/known_hosts")
)
MAX_FILE_BYTES = env.int("MAX_FILE_BYTES", 2_000_000, validate=at_least_one)
MAX_PDF_BYTES = env.int("MAX_PDF_BYTES", 50_000_000, validate=at_least_one)
SHOW_AUTHORS = env.bool("SHOW_AUTHORS", True)
MAX_FILES = env.int("MAX_FILES", 1_000_000, validate=at_least_one)
MAX_UPLOAD_BYTES = env.int("MAX_UPLOAD_BYTES", 200_000_000, validate=not_negative)
MAX_UPLOAD_UNPACKED_BYTES = env.int(
    "MAX_UPLOAD_UNPACKED_BYTES", 1_000_000_000, validate=at_least_one
)
MAX_UPLOAD_FILES = env.int("MAX_UPLOAD_FILES", 20_000, validate=at_least_one)
MAX_UPLOAD_RATIO = env.int("MAX_UPLOAD_RATIO", 100, validate=at_least_one)
PARSER_MEMORY_MB = env.int("PARSER_MEMORY_MB", 1000, validate=validate.Range(min=100))
CHUNK_TOKENS = env.int(
    "CHUNK_TOKENS", 800, validate=validate.Range(MIN_TOKENS, MAX_TOKENS)
)
_chunking = complete_options(CHUNK_TOKENS)
CHUNK_MAX_CHARS = env.int(
    "CHUNK_MAX_CHARS",
    _chunking.max_chars,
    validate=validate.Range(MIN_CHARS, MAX_CHARS),
)
_chunking = complete_options(CHUNK_TOKENS, max_chars=CHUNK_MAX_CHARS)
CHUNK_OVERLAP_TOKENS = env.int(
    "CHUNK_OVERLAP_TOKENS",
    _chunking.overlap_tokens,
    validate=validate.Range(0, _chunking.tokens // 2),
)
