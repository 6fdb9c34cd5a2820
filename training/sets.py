"""Questions to evaluate by, with the chunks that answer them, as token ids.

    python -m training.sets --git DIR --queries FILE --repos FILE --output sets.pkl

Reads the chunks of the running evaluation instance, where search_quality.py has indexed
the sets, and the repositories of pairs.ASIDE below --git: of these the written
questions, and subjects of commits with the files that they changed.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import django
import numpy as np
from django.db import connection

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import mixed_product, search_mixed, search_sets
from benchmarks.search_sets import read_rows
from devrag.core.hashing import sha256_hex
from devrag.llm.local.tokens import Tokens
from devrag.llm.local.weights import find_weights, open_weights
from devrag.search.evaluation.questions import read_questions
from devrag.search.semantic.embedded_text import embedded_text
from training.changes import changed_definitions
from training.pairs import ASIDE, Written, read_written
from training.repositories import Repository, embedded, is_source, key_of

_MOST_TOKENS = 508
_CHUNKS = """
SELECT s.name, f.path, c.kind, c.start_line, c.end_line, c.header, c.heading, c.text,
    coalesce(y.qualified_name, '')
FROM search_embedding e
JOIN search_embeddingspec spec ON spec.id = e.spec_id AND spec.is_active
JOIN sources_chunk c ON c.id = e.chunk_id
JOIN sources_file f ON f.id = c.file_id
JOIN sources s ON s.id = e.source_id
LEFT JOIN sources_symbol y ON y.file_id = c.file_id AND y.ordinal = c.symbol_ordinal
WHERE e.is_live ORDER BY s.id, f.path, c.ordinal
"""


@dataclass(frozen=True, slots=True)
class Place:
    """A chunk as the sets look at what was found."""

    path: str
    start_line: int
    end_line: int
    symbol_name: str = ""


@dataclass(slots=True)
class Source:
    """The chunks of a source: their places and what is embedded of them."""

    places: list[Place] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question. targets: of each thing that answers, which chunks are of it."""

    set: str
    source: str
    group: str
    text: str
    targets: Sequence[Sequence[int]]
    is_file: bool


Which = Callable[[Place], bool]


def main() -> None:
    """Collect questions and chunks, cut them into tokens, store them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--git", type=Path, required=True)
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    sources = _read_instance()
    asked = list(_of_sets(sources, options))
    written = read_written()
    for name in ASIDE:
        repository = Repository(options.git / name.replace("/", "+"))
        asked += _of_aside(repository, written[name], sources)
    store(sources, asked, options.output)


# -- the sets -----------------------------------------------------------------------


def _read_instance() -> dict[str, Source]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    django.setup()
    sources: dict[str, Source] = defaultdict(Source)
    with connection.cursor() as cursor:
        cursor.execute(_CHUNKS)
        for name, path, kind, start, end, header, heading, text, symbol in cursor:
            # Code, pages and tickets of the mixed product are asked at once.
            source = sources[name.removesuffix("-tracker")]
            source.places.append(Place(path, start, end, symbol))
            source.texts.append(
                embedded_text(kind=kind, header=header, heading=heading, text=text)
            )
    return sources


def _of_sets(
    sources: dict[str, Source], options: argparse.Namespace
) -> Iterator[Asked]:
    def ask(
        name: str, source: str, group: str, text: str, of: Sequence[Which], **how: bool
    ) -> Asked:
        places = sources[source].places
        targets = [[n for n, p in enumerate(places) if is_of(p)] for is_of in of]
        return Asked(name, source, group, text, targets, how.get("is_file", True))

    data = search_sets.DATA
    for row in read_rows(data / "functions.jsonl"):
        source = f"eval-{search_sets.source_of(row)}"
        is_of = _with(search_sets.is_definition, row)
        yield ask(
            *("functions", source, row["repo"], row["question"]), [is_of], is_file=False
        )
    for row in read_rows(data / "notes.jsonl"):
        source = f"eval-notes-{row['folder']}"
        yield ask("notes", source, row["folder"], row["question"], [_path(row["path"])])
    chosen = search_sets.SetOptions(data, options.git, "hybrid")
    for each in search_sets.cited_sets(chosen):
        for question in each.questions:
            paths = [_path(path) for path in question.paths]
            source = f"eval-swe-{each.name}"
            yield ask("swe-qa", source, each.name, question.text, paths)
    yield from _tuning(ask, options)
    yield from _japanese(ask, data.parent)
    yield from _mixed(ask, chosen)


def _tuning(ask: Callable[..., Asked], options: argparse.Namespace) -> Iterator[Asked]:
    rows = json.loads(options.repos.read_text("utf-8"))
    roots = {row["name"]: row.get("benchmark_root") or "" for row in rows}
    for question in read_questions(options.queries):
        lead = f"{roots[question.repo]}/" if roots[question.repo] else ""
        targets = [_touched(target, lead) for target in question.targets]
        source = f"eval-{question.repo}"
        yield ask("tuning", source, question.repo, question.text, targets)


def _japanese(ask: Callable[..., Asked], data: Path) -> Iterator[Asked]:
    for question in read_questions(data / "japanese_queries.jsonl"):
        names = [f"{sha256_hex(each.path)[:32]}.txt" for each in question.targets]
        targets = [_path(name) for name in names]
        source = "eval-japanese_corpus"
        yield ask("japanese", source, question.name, question.text, targets)


def _mixed(ask: Callable[..., Asked], options: Any) -> Iterator[Asked]:
    (product,) = read_rows(options.data / "mixed_product.jsonl")
    titles = mixed_product.page_titles(options.git, product)
    kinds = {"wiki": "page", "issues": "ticket"}
    for row in read_rows(options.data / "mixed.jsonl"):

        def is_gold(gold: Any, place: Place) -> bool:
            kind = kinds.get(place.path.partition("/")[0], "")
            return search_mixed.is_of(gold, place, kind=kind, titles=titles)

        targets = [_with(is_gold, gold) for gold in row["gold"]]
        yield ask(
            *("mixed", mixed_product.NAME, "", row["question"]), targets, is_file=False
        )


def _with(is_right: Callable[[Any, Any], bool], gold: Any) -> Which:
    return lambda place: is_right(gold, place)


def _path(path: str) -> Which:
    return lambda place: place.path == path


def _touched(target: Any, lead: str) -> Which:
    return lambda place: bool(
        target.is_touched_by(lead + place.path, place.start_line, place.end_line)
    )


# -- what is kept aside -------------------------------------------------------------


def _of_aside(
    repository: Repository, written: Written, sources: dict[str, Source]
) -> Iterator[Asked]:
    source, of_key, at = Source(), defaultdict(list), {}
    name = f"aside-{repository.name}"
    wanted = {path for path, _ in written.questions}
    for path in repository.list_files(written.commit):
        is_read = path in wanted or is_source(path)
        facts = repository.parse(written.commit, path) if is_read else None
        for chunk in facts.chunks if facts else ():
            at[path, chunk.start_line] = len(source.places)
            of_key[key_of(facts, chunk)].append(len(source.places))
            source.places.append(Place(path, chunk.start_line, chunk.end_line))
            source.texts.append(embedded(chunk, chunk.text))
    sources[name] = source
    for place, questions in written.questions.items():
        for question in questions if place in at else ():
            yield Asked("aside", name, name, question, [[at[place]]], is_file=False)
    changed: dict[str, set[str]] = defaultdict(set)
    chance = random.Random(repository.name.replace("+", "/"))
    for subject, _, key in changed_definitions(repository, chance):
        if key in of_key:
            changed[subject].add(key.partition("#")[0])
    for subject, paths in changed.items():
        targets = [
            [n for n, place in enumerate(source.places) if place.path == path]
            for path in sorted(paths)
        ]
        yield Asked("aside-change", name, name, subject, targets, is_file=True)


# -- tokens -------------------------------------------------------------------------


def store(sources: dict[str, Source], asked: Sequence[Asked], path: Path) -> None:
    """Write what evaluate.Sets reads, texts once each."""
    tokens = Tokens(open_weights(find_weights()).vocabulary)
    names = {each.source for each in asked}
    kept = {name: source for name, source in sources.items() if name in names}
    numbers: dict[str, int] = {}
    stored = {}
    for name, source in kept.items():
        files = _numbered([place.path for place in source.places])
        texts = [numbers.setdefault(text, len(numbers)) for text in source.texts]
        stored[name] = {
            "texts": np.array(texts, np.int32),
            "files": np.array(files, np.int32),
            "file_count": max(files) + 1,
        }
    rows = [
        {
            "set": each.set,
            "source": each.source,
            "group": each.group,
            "is_file": each.is_file,
            "targets": [
                np.unique(stored[each.source]["files"][of])
                if each.is_file and of
                else np.array(of, np.int32)
                for of in each.targets
            ],
        }
        for each in asked
    ]
    found = {
        "texts": _packed(tokens, list(numbers)),
        "questions": _packed(tokens, [each.text for each in asked]),
        "rows": rows,
        "sources": stored,
    }
    path.write_bytes(pickle.dumps(found))


def _numbered(names: Sequence[str]) -> list[int]:
    known: dict[str, int] = {}
    return [known.setdefault(each, len(known)) for each in names]


def _packed(tokens: Tokens, texts: Sequence[str]) -> tuple[Any, Any]:
    ids = [tokens.encode(text)[:_MOST_TOKENS] for text in texts]
    return (
        np.concatenate([np.array(each, np.uint32) for each in ids]),
        np.array([len(each) for each in ids], np.uint16),
    )


if __name__ == "__main__":
    main()
