"""Questions with the texts that answer them, to train the embedding model on.

    python -m training.pairs --git DIR --translations DIR... --output pairs.npz

DIR of --git holds repositories as `owner+name/repo` or `owner+name`; those that
questions.jsonl.xz names are read at the commit that it says, others at HEAD. A text is
what the product embeds of a chunk. Pairs are

* the first sentence of a doc comment, with its definition: in half of the pairs
  without the comment, in the others without the lines that say what is asked;
* a sentence of a document, with the section around it without that sentence;
* a heading, with the section below it without the heading;
* a sentence of a document, with a definition that it names (mostly without the name);
* the subject of a commit, with the definitions that it changed (changes.py);
* a Japanese sentence of a translation (.po), with the English text around it;
* questions that a language model wrote for a chunk (questions.jsonl.xz, JSON Lines of
  repo, commit, path, start_line, questions).

Pairs of one repository are a group: training tells a text from others of its group.
Texts of one key are the same definition or section; pairs of one question have the
same number in `asked`. Repositories of ASIDE are left out: models are chosen by them.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent.parent))

from devrag.llm.local.tokens import Tokens
from devrag.llm.local.weights import find_weights, open_weights
from devrag.parsing.types import ChunkFacts, FileFacts, SymbolFacts
from training.changes import changed_definitions
from training.repositories import (
    Repository,
    definitions_in,
    embedded,
    is_source,
    is_test,
    key_of,
)

_QUESTIONS = Path(__file__).with_name("questions.jsonl.xz")
KINDS = (
    *("comment", "section", "translation", "written"),
    *("heading", "naming", "change"),
)
ASIDE = (
    *("Seldaek/monolog", "etcd-io/bbolt", "google/leveldb", "jhy/jsoup"),
    *("labstack/echo", "rust-lang-ja/book-ja"),
)
# The mixed set asks it; it has written questions of an earlier time.
_ASKED = ("encode/starlette",)
_MOST_FILES = 160
_MOST = {"comment": 900, "section": 300, "heading": 300, "naming": 250}
_MOST_TRANSLATED = 5_000
QUESTION_TOKENS, TEXT_TOKENS = 64, 208
_SHORTEST_TEXT = 120
_COMMENT_MARKS = re.compile(r"^[\s/*#\"'!;<>-]*|[\s*/\"'>]*$")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*])|(?<=[。！？])|\n\s*\n")
_MARKUP = re.compile(r":[\w:+-]+:`~?([^`<]*)[^`]*`|``([^`]*)``|`([^`]*)`")
_KANA = re.compile("[\u3040-\u30ff]")
_NAME = re.compile(r"(\w{5,})(\(\))?$")


@dataclass(frozen=True, slots=True)
class Pair:
    """A question and a text that answers it. group: of texts to tell it from."""

    kind: str
    group: str
    question: str
    text: str
    key: str


Found = tuple[str, str, str, str]  # kind, question, text, key


@dataclass(slots=True)
class Written:
    """Questions for chunks of a repository, by path and first line of the chunk."""

    commit: str = "HEAD"
    questions: dict[tuple[str, int], list[str]] = field(default_factory=dict)


def main() -> None:
    """Collect pairs, cut them into tokens, store them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--git", type=Path, required=True)
    parser.add_argument("--translations", type=Path, nargs="*", default=[])
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    written, left_out = read_written(), {*ASIDE, *_ASKED}
    folders = sorted(each for each in options.git.iterdir() if each.is_dir())
    named = [(each, each.name.replace("+", "/")) for each in folders]
    jobs = [(each, written[name]) for each, name in named if name not in left_out]
    with ProcessPoolExecutor() as pool:
        pairs = [pair for found in pool.map(_of_repository, jobs) for pair in found]
        for found in pool.map(_of_translation, options.translations):
            pairs += found
        store(pairs, options.output, pool)


def read_written() -> dict[str, Written]:
    """Return the written questions by repository."""
    found: dict[str, Written] = defaultdict(Written)
    with lzma.open(_QUESTIONS, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            of_repository = found[row["repo"]]
            of_repository.commit = row["commit"]
            of_repository.questions[row["path"], row["start_line"]] = row["questions"]
    return found


# -- repositories -------------------------------------------------------------------


def _of_repository(job: tuple[Path, Written]) -> list[Pair]:
    folder, written = job
    repository, chance = Repository(folder), random.Random(folder.name)
    files = list(_read_files(repository, written, chance))
    names = _definitions_by_name(files)
    found: dict[str, list[Found]] = defaultdict(list)
    for facts in files:
        for chunk in facts.chunks:
            for row in _of_chunk(facts, chunk, written, names, chance):
                found[row[0]].append(row)
    for question, text, key in changed_definitions(repository, chance):
        found["change"].append(("change", question, text, key))
    for kind, most in _MOST.items():
        chance.shuffle(found[kind])
        del found[kind][most:]
    rows = [row for kind in KINDS for row in found[kind]]
    print(folder.name, {kind: len(of) for kind, of in found.items()}, flush=True)
    return [
        Pair(kind, folder.name, question, text, f"{folder.name}:{key}")
        for kind, question, text, key in rows
    ]


def _read_files(
    repository: Repository, written: Written, chance: random.Random
) -> Iterator[FileFacts]:
    wanted = {path for path, _ in written.questions}
    paths = repository.list_files(written.commit)
    others = [path for path in paths if path not in wanted and is_source(path)]
    chance.shuffle(others)
    for path in [p for p in paths if p in wanted] + others[:_MOST_FILES]:
        facts = repository.parse(written.commit, path)
        if facts is not None:
            yield facts


def _definitions_by_name(files: Iterable[FileFacts]) -> dict[str, tuple[str, str, str]]:
    """Return name, text and key of definitions whose names no other one has."""
    found: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for facts in files:
        if not is_test(facts.path):
            for chunk in definitions_in(facts):
                name = facts.symbols[chunk.symbol or 0].name
                row = name, embedded(chunk, chunk.text), key_of(facts, chunk)
                found[name].append(row)
    return {
        name: rows[0]
        for name, rows in found.items()
        if len({key for *_, key in rows}) == 1 and len(rows[0][1]) >= _SHORTEST_TEXT
    }


def _of_chunk(
    facts: FileFacts,
    chunk: ChunkFacts,
    written: Written,
    names: Mapping[str, tuple[str, str, str]],
    chance: random.Random,
) -> Iterator[Found]:
    whole, key = embedded(chunk, chunk.text), key_of(facts, chunk)
    for question in written.questions.get((facts.path, chunk.start_line), ()):
        yield "written", question, whole, key
    if chunk.symbol is not None:
        symbol = facts.symbols[chunk.symbol]
        if symbol.docstring and chunk.start_line <= symbol.start_line + 3:
            for question, text in _of_comment(chunk, symbol, chance):
                yield "comment", question, text, key
    elif chunk.kind in {"section", "entry"}:
        for question, text in _of_section(whole, chance):
            yield "section", question, text, key
        for question, text in _of_heading(facts, chunk):
            yield "heading", question, text, key
        yield from _of_names(chunk.text, names, chance)


def _of_heading(facts: FileFacts, chunk: ChunkFacts) -> Iterator[tuple[str, str]]:
    """Yield the last heading with what is below it."""
    heading = _plain(re.split(r" [>›/] ", chunk.heading or facts.title)[-1])
    is_long = len(heading) >= 6 if _KANA.search(heading) else len(heading.split()) >= 3
    text = "\n".join(
        line for line in chunk.text.split("\n") if heading not in _plain(line)
    )[:500]
    if is_long and len(text) >= _SHORTEST_TEXT:
        yield heading, text


def _of_names(
    text: str, names: Mapping[str, tuple[str, str, str]], chance: random.Random
) -> Iterator[Found]:
    """Yield sentences with the definitions that they name."""
    for sentence in _SENTENCE_END.split(text):
        if not _is_sentence(sentence):
            continue
        for marked in _MARKUP.finditer(sentence):
            said = next(filter(None, marked.groups()), "")
            named = _NAME.search(said)
            if named is None or named[1] not in names:
                continue
            kept = said if chance.random() < 0.4 else ""
            asked = sentence[: marked.start()] + kept + sentence[marked.end() :]
            question = _plain(_unmarked(asked))
            if len(question) >= 30:
                _, definition, key = names[named[1]]
                yield "naming", question, definition, key


def _of_comment(
    chunk: ChunkFacts, symbol: SymbolFacts, chance: random.Random
) -> Iterator[tuple[str, str]]:
    opening = re.split(r"\n\s*\n|\n\s*[@:]\w", symbol.docstring)[0]
    question = _plain(_SENTENCE_END.split(opening)[0])
    if len(question) < 20 or len(question.split()) < 4:
        return
    is_bare = chance.random() < 0.55
    said = symbol.docstring if is_bare else question
    text = embedded(chunk, _without(chunk.text, said))
    if len(text) >= _SHORTEST_TEXT:
        yield question, text


def _without(text: str, said: str) -> str:
    """Return a text without the lines that mostly repeat what is said elsewhere."""
    words = set(re.findall(r"\w+", said.lower()))
    kept = []
    for line in text.split("\n"):
        own = re.findall(r"\w+", _COMMENT_MARKS.sub("", line).lower())
        if len(own) < 3 or sum(word in words for word in own) < 0.6 * len(own):
            kept.append(line)
    return "\n".join(kept)


def _of_section(text: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    sentences = [s for s in _SENTENCE_END.split(text) if s and _is_sentence(s)]
    if len(sentences) < 2:
        return
    asked = chance.choice(sentences)
    rest = text.replace(asked, " ", 1)
    if len(rest) >= _SHORTEST_TEXT:
        yield _plain(asked), rest


def _is_sentence(text: str) -> bool:
    is_long = 15 < len(text) < 120 if _KANA.search(text) else 40 < len(text) < 220
    return is_long and not re.search(r"https?:|[|{}=;]{2}|```", text)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[`*]|<[^>]+>", " ", text).split()[:40])


# -- translations -------------------------------------------------------------------


def _of_translation(folder: Path) -> list[Pair]:
    chance = random.Random(folder.name)
    found = []
    for path in sorted(folder.rglob("*.po")):
        with path.open("rb") as file:
            catalogue = read_po(file, locale="ja", ignore_obsolete=True)
        messages = [m for m in catalogue if isinstance(m.id, str) and m.id]
        found += list(_of_messages(messages, chance))
    chance.shuffle(found)
    return [
        Pair("translation", folder.name, question, text, f"{folder.name}:{text}")
        for question, text in found[:_MOST_TRANSLATED]
    ]


def _of_messages(
    messages: Sequence[Message], chance: random.Random
) -> Iterator[tuple[str, str]]:
    for at, message in enumerate(messages):
        japanese = str(message.string)
        if message.fuzzy or not (15 < len(japanese) < 140 and _KANA.search(japanese)):
            continue
        around = messages[max(0, at - chance.randint(0, 2)) : at + 2]
        if chance.random() < 0.8:
            text = "\n".join(str(each.id) for each in around)
            yield _unmarked(japanese), text[:500]
        else:
            text = "\n".join(str(each.string) for each in around)
            yield _unmarked(str(message.id))[:200], text[:500]


def _unmarked(text: str) -> str:
    return _MARKUP.sub(lambda found: next(filter(None, found.groups()), ""), text)


# -- tokens -------------------------------------------------------------------------


def store(pairs: Sequence[Pair], path: Path, pool: Executor) -> None:
    """Write pairs as token ids, questions and texts one after the other."""
    groups = sorted({pair.group for pair in pairs})
    arrays = {
        "group": np.array([groups.index(pair.group) for pair in pairs], np.int16),
        "kind": np.array([KINDS.index(pair.kind) for pair in pairs], np.int8),
        "key": _numbers([pair.key for pair in pairs]),
        "asked": _numbers([f"{pair.group}:{pair.question}" for pair in pairs]),
        **_packed("questions", [p.question for p in pairs], QUESTION_TOKENS, pool),
        **_packed("texts", [p.text for p in pairs], TEXT_TOKENS, pool),
    }
    np.savez_compressed(path, **arrays)
    counts = {kind: sum(p.kind == kind for p in pairs) for kind in KINDS}
    print(json.dumps({"pairs": counts, "groups": len(groups)}))


def _numbers(names: Sequence[str]) -> NDArray[np.int32]:
    """Return the same number for equal names."""
    known: dict[str, int] = {}
    return np.array([known.setdefault(each, len(known)) for each in names], np.int32)


def _packed(
    name: str, texts: Sequence[str], most: int, pool: Executor
) -> dict[str, NDArray[np.generic]]:
    different = list(dict.fromkeys(texts))
    parts = [different[at : at + 2_000] for at in range(0, len(different), 2_000)]
    encoded = [ids for part in pool.map(encode_texts, parts) for ids in part]
    known = dict(zip(different, encoded, strict=True))
    ids = [known[text][:most] for text in texts]
    return {
        name: np.concatenate([np.array(each, np.uint32) for each in ids]),
        f"{name}_lengths": np.array([len(each) for each in ids], np.uint16),
    }


@cache
def _tokens() -> Tokens:
    return Tokens(open_weights(find_weights()).vocabulary)


def encode_texts(texts: Sequence[str]) -> list[Sequence[int]]:
    """Return the token ids of texts."""
    return [_tokens().encode(text) for text in texts]


if __name__ == "__main__":
    main()
