"""Public functions: decode bytes, detect a language, parse a file.

parse_file() raises nothing but MemoryError: whatever else goes wrong inside a parser
becomes windows and a warning, so that every file stays searchable.
"""

from __future__ import annotations

import time
from dataclasses import replace

from devrag.core.text import clean_text, normalise_newlines
from devrag.parsing.chunking import (
    DEFAULT_CHUNKING,
    ChunkOptions,
)
from devrag.parsing.code.chunks import window_chunks
from devrag.parsing.code.errors import NotThatLanguage
from devrag.parsing.decoding import BINARY_PROBE_BYTES, Decoded, Unreadable, decode
from devrag.parsing.extract import extract
from devrag.parsing.facts.registry import file_facts, limited
from devrag.parsing.generated import is_generated, is_vendored
from devrag.parsing.language import Language, detect_language, language_of
from devrag.parsing.languages.registry import PARSERS
from devrag.parsing.mentions import address_key, is_file_name, name_key, read_mentions
from devrag.parsing.source import Parsed, ParseTimeout, SourceText, TooMuch
from devrag.parsing.tokens import estimate_tokens, text_language
from devrag.parsing.types import (
    PARSER_ERROR,
    PARSER_MEMORY,
    PARSER_TIMEOUT,
    REASONS,
    FileFacts,
)
from devrag.parsing.windows import text_windows, window_spans

__all__ = [
    "BINARY_PROBE_BYTES",
    "ChunkOptions",
    "Decoded",
    "Language",
    "Unreadable",
    "address_key",
    "decode",
    "detect_language",
    "estimate_tokens",
    "extract",
    "is_file_name",
    "is_generated",
    "is_vendored",
    "name_key",
    "parse_as_windows",
    "parse_file",
    "text_windows",
    "window_spans",
]

PARSE_TIMEOUT_SECONDS = 5.0

# A file with so many chunks may have none shorter than this on average.
_MANY_CHUNKS = 20_000
_LEAST_CHARACTERS = 20


def parse_file(
    path: str,
    text: str,
    chunking: ChunkOptions = DEFAULT_CHUNKING,
    *,
    timeout_seconds: float = PARSE_TIMEOUT_SECONDS,
) -> FileFacts:
    """Return all facts of one file, in bounded time; raises only MemoryError."""
    text = clean_text(normalise_newlines(text))
    language = language_of(path, text)
    source = SourceText(path, text, time.thread_time() + timeout_seconds, chunking)
    parsed = _parse(source, language)
    found, troubles = file_facts(source)
    facts, warnings = limited(path, parsed.facts + found)
    mentions = read_mentions(source, is_prose=language.kind == "doc")
    return FileFacts(
        path=path,
        language=language.name,
        mime=language.mime,
        kind=language.kind,
        lines=len(source.lines),
        title=parsed.title,
        module=parsed.module,
        chunks=tuple(parsed.chunks),
        symbols=tuple(parsed.symbols),
        references=(*parsed.references, *mentions),
        facts=tuple(facts),
        warnings=tuple(parsed.warnings + troubles + warnings),
        fallback=parsed.fallback,
        facts_version=chunking.facts_version(),
    )


def parse_as_windows(
    path: str,
    text: str,
    chunking: ChunkOptions = DEFAULT_CHUNKING,
    *,
    code: str,
) -> FileFacts:
    """Return a file as plain windows with a warning, by no parser and no detector.

    For a file on which a process died: what did it is never called again. code: one
    of REASONS.
    """
    text = clean_text(normalise_newlines(text))
    language = language_of(path, text)
    source = SourceText(path, text, 0.0, chunking)
    return FileFacts(
        path=path,
        language=language.name,
        mime=language.mime,
        kind=language.kind,
        lines=len(source.lines),
        chunks=tuple(_as_windows(source, language).chunks),
        warnings=(f"{path} is indexed as plain text: {REASONS[code]}",),
        fallback=code,
        facts_version=chunking.facts_version(),
    )


def _parse(source: SourceText, language: Language) -> Parsed:
    parser = PARSERS.get(language.name)
    if parser is None:
        return _as_windows(source, language)
    try:
        return _checked(source, parser(source))
    except ParseTimeout:
        code, reason = PARSER_TIMEOUT, REASONS[PARSER_TIMEOUT]
    except NotThatLanguage as error:
        code, reason = "", str(error)
    except TooMuch as error:
        code, reason = PARSER_MEMORY, str(error)
    except MemoryError:  # whoever limits this process decides what becomes of it
        raise
    # The outer edge of every language's rules: one file must never stop an index run.
    except Exception as error:  # noqa: BLE001
        code = PARSER_ERROR
        reason = f"its {language.name} parser failed ({type(error).__name__}: {error})"
    parsed = _as_windows(source, language)
    parsed.fallback = code
    parsed.warnings.append(f"{source.path} is indexed as plain text: {reason}")
    return parsed


def _checked(source: SourceText, parsed: Parsed) -> Parsed:
    """Return it; raise TooMuch for a file of crumbs, each a row, a vector and a hit."""
    count = len(parsed.chunks)
    if count > _MANY_CHUNKS and count * _LEAST_CHARACTERS > len(source.text):
        raise TooMuch(f"it has {count:,} chunks, most of them a few characters long")
    return parsed


def _as_windows(source: SourceText, language: Language) -> Parsed:
    is_prose = language.kind == "doc"
    kind = text_language(source.text) if is_prose else "code"
    chunks = window_chunks(source)
    return Parsed(chunks=[replace(chunk, language=kind) for chunk in chunks])
