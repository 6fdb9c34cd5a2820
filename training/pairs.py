"""Questions with the texts that answer them, to train the embedding model on.

    python -m training.pairs --git DIR --translations DIR... --output pairs.npz

DIR of --git holds repositories as `owner+name/repo` or `owner+name`; those that
questions.jsonl.xz names are read at the commit that it says, others at HEAD. A text is
what the product embeds of a chunk. Pairs are

* the first sentence of a doc comment, with its definition: in half of the pairs
  without the comment, in the others without the lines that say what is asked;
* a sentence of a document, with the section around it without that sentence;
* a Japanese sentence of a translation (.po), with the English text around it;
* questions that a language model wrote for a chunk (questions.jsonl.xz, JSON Lines of
  repo, commit, path, start_line, questions).

Pairs of one repository are a group: training tells a text from others of its group.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

sys.path.insert(0, str(Path(__file__).parent.parent))

from devrag.llm.local.tokens import Tokens
from devrag.llm.local.weights import find_weights, open_weights
from devrag.parsing.api import parse_file
from devrag.parsing.types import ChunkFacts, FileFacts, SymbolFacts
from devrag.search.semantic.embedded_text import embedded_text

_QUESTIONS = Path(__file__).with_name("questions.jsonl.xz")
KINDS = ("comment", "section", "translation", "written")
_MOST_FILES, _LARGEST_FILE = 900, 250_000
_MOST_COMMENTS, _MOST_SECTIONS, _MOST_TRANSLATED = 1_800, 250, 6_000
_QUESTION_TOKENS, _TEXT_TOKENS = 64, 208
_SHORTEST_TEXT = 120
_NO_SOURCE = re.compile(
    r"(^|/)(vendor|node_modules|dist|third_party|locales?|testdata|fixtures)/"
    r"|\.(lock|svg|json|csv|txt|xml|po|pot|html|snap|map|min\.js)$"
)
_COMMENT_MARKS = re.compile(r"^[\s/*#\"'!;<>-]*|[\s*/\"'>]*$")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*])|(?<=[。！？])|\n\s*\n")
_MARKUP = re.compile(r":[\w:+-]+:`~?([^`<]*)[^`]*`|``([^`]*)``|`([^`]*)`")
_KANA = re.compile("[\u3040-\u30ff]")


@dataclass(frozen=True, slots=True)
class Pair:
    """A question and a text that answers it. group: of texts to tell it from."""

    kind: str
    group: str
    question: str
    text: str


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
    written = _read_written()
    folders = sorted(each for each in options.git.iterdir() if each.is_dir())
    jobs = [(each, written[each.name.replace("+", "/")]) for each in folders]
    with ProcessPoolExecutor() as pool:
        pairs = [pair for found in pool.map(_of_repository, jobs) for pair in found]
    for folder in options.translations:
        pairs += list(_of_translation(folder))
    _store(pairs, options.output)


def _read_written() -> dict[str, Written]:
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
    chance = random.Random(folder.name)
    found: dict[str, list[tuple[str, str]]] = {kind: [] for kind in KINDS}
    for facts in _read_files(folder, written, chance):
        for chunk in facts.chunks:
            for kind, question, text in _of_chunk(facts, chunk, written, chance):
                found[kind].append((question, text))
    for kind, most in (("comment", _MOST_COMMENTS), ("section", _MOST_SECTIONS)):
        chance.shuffle(found[kind])
        del found[kind][most:]
    return [
        Pair(kind, folder.name, question, text)
        for kind, rows in found.items()
        for question, text in rows
    ]


def _read_files(
    folder: Path, written: Written, chance: random.Random
) -> Iterator[FileFacts]:
    git = folder / "repo" if (folder / "repo").is_dir() else folder
    wanted = {path for path, _ in written.questions}
    listed = _git(git, "ls-tree", "-r", "-z", "--name-only", written.commit).decode()
    paths = [path for path in listed.split("\0") if path]
    others = [p for p in paths if p not in wanted and not _NO_SOURCE.search(p)]
    chance.shuffle(others)
    for path in [p for p in paths if p in wanted] + others[:_MOST_FILES]:
        data = _git(git, "show", f"{written.commit}:{path}")
        if len(data) <= _LARGEST_FILE:
            facts = parse_file(path, data.decode("utf-8", "replace"))
            if facts.kind in {"code", "doc"}:
                yield facts


def _git(folder: Path, *argv: str) -> bytes:
    return subprocess.run(
        ["git", "--literal-pathspecs", *argv],
        cwd=folder,
        capture_output=True,
        check=True,
    ).stdout


def _of_chunk(
    facts: FileFacts,
    chunk: ChunkFacts,
    written: Written,
    chance: random.Random,
) -> Iterator[tuple[str, str, str]]:
    whole = _embedded(chunk, chunk.text)
    for question in written.questions.get((facts.path, chunk.start_line), ()):
        yield "written", question, whole
    if chunk.symbol is not None:
        symbol = facts.symbols[chunk.symbol]
        if symbol.docstring and chunk.start_line <= symbol.start_line + 3:
            yield from _of_comment(chunk, symbol, chance)
    elif chunk.kind in {"section", "entry"}:
        yield from _of_section(whole, chance)


def _embedded(chunk: ChunkFacts, text: str) -> str:
    return embedded_text(
        kind=chunk.kind, header=chunk.header, heading=chunk.heading, text=text
    )


def _of_comment(
    chunk: ChunkFacts, symbol: SymbolFacts, chance: random.Random
) -> Iterator[tuple[str, str, str]]:
    opening = re.split(r"\n\s*\n|\n\s*[@:]\w", symbol.docstring)[0]
    question = _plain(_SENTENCE_END.split(opening)[0])
    if len(question) < 20 or len(question.split()) < 4:
        return
    is_bare = chance.random() < 0.55
    said = symbol.docstring if is_bare else question
    text = _embedded(chunk, _without(chunk.text, said))
    if len(text) >= _SHORTEST_TEXT:
        yield "comment", question, text


def _without(text: str, said: str) -> str:
    """Return a text without the lines that mostly repeat what is said elsewhere."""
    words = set(re.findall(r"\w+", said.lower()))
    kept = []
    for line in text.split("\n"):
        own = re.findall(r"\w+", _COMMENT_MARKS.sub("", line).lower())
        if len(own) < 3 or sum(word in words for word in own) < 0.6 * len(own):
            kept.append(line)
    return "\n".join(kept)


def _of_section(text: str, chance: random.Random) -> Iterator[tuple[str, str, str]]:
    sentences = [s for s in _SENTENCE_END.split(text) if s and _is_sentence(s)]
    if len(sentences) < 2:
        return
    asked = chance.choice(sentences)
    rest = text.replace(asked, " ", 1)
    if len(rest) >= _SHORTEST_TEXT:
        yield "section", _plain(asked), rest


def _is_sentence(text: str) -> bool:
    is_long = 15 < len(text) < 120 if _KANA.search(text) else 40 < len(text) < 220
    return is_long and not re.search(r"https?:|[|{}=;]{2}|```", text)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[`*]|<[^>]+>", " ", text).split()[:40])


# -- translations -------------------------------------------------------------------


def _of_translation(folder: Path) -> Iterator[Pair]:
    chance = random.Random(folder.name)
    found = []
    for path in sorted(folder.rglob("*.po")):
        with path.open("rb") as file:
            catalogue = read_po(file, locale="ja", ignore_obsolete=True)
        messages = [m for m in catalogue if isinstance(m.id, str) and m.id]
        found += list(_of_messages(messages, chance))
    chance.shuffle(found)
    for question, text in found[:_MOST_TRANSLATED]:
        yield Pair("translation", folder.name, question, text)


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


def _store(pairs: Sequence[Pair], path: Path) -> None:
    groups = sorted({pair.group for pair in pairs})
    arrays = {
        "group": np.array([groups.index(pair.group) for pair in pairs], np.int16),
        "kind": np.array([KINDS.index(pair.kind) for pair in pairs], np.int8),
        **_packed("questions", [p.question for p in pairs], _QUESTION_TOKENS),
        **_packed("texts", [p.text for p in pairs], _TEXT_TOKENS),
    }
    np.savez_compressed(path, **arrays)
    counts = {kind: sum(p.kind == kind for p in pairs) for kind in KINDS}
    print(json.dumps({"pairs": counts, "groups": len(groups)}))


def _packed(
    name: str, texts: Iterable[str], most: int
) -> dict[str, np.ndarray[tuple[int], np.dtype[np.generic]]]:
    tokens = Tokens(open_weights(find_weights()).vocabulary)
    ids = [tokens.encode(text)[:most] for text in texts]
    return {
        name: np.concatenate([np.array(each, np.uint32) for each in ids]),
        f"{name}_lengths": np.array([len(each) for each in ids], np.uint16),
    }


if __name__ == "__main__":
    main()
