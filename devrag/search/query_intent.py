"""What a query asks for, as far as its words tell: the ranking rules look at this."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from devrag.search.lexical.analyser import STOP_WORDS, tokenize
from devrag.search.lexical.stemming import stem

_KANA_KANJI = "\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f"
# Japanese has no spaces: `getUserの戻り値` names getUser.
_PART = rf"[^\W\d{_KANA_KANJI}][^\W{_KANA_KANJI}]*[!?]?"
_NAME = re.compile(rf"{_PART}(?:(?:\.|::|->|#|/|\\){_PART})*")
_SEPARATORS = re.compile(r"\.|::|->|#|/|\\")
# What nobody writes in prose: snake_case, camelCase, a.b, A::b, f().
_CODE_LIKE = re.compile(r"\w_\w|[a-z][A-Z]|\w(?:\.|::|->|#)\w|\w\(\)")
# Read by PostgreSQL too.
JAPANESE = re.compile(f"[{_KANA_KANJI}]")
_HIRAGANA = re.compile("[\u3041-\u309fー]+")
_ABOUT_TESTS = frozenset({"test", "tests", "testing", "fixture", "spec", "テスト"})
# Who asks how something is done wants instructions, not code that does it.
_TASK = (
    "build|configure|contribute|deploy|install|migrate|release|run|set ?up|start|"
    "test|upgrade|write (?:a |the )?(?:docs|tests?)"
)
_TASK_JA = (
    "インストール|コントリビュート|セットアップ|テスト|デプロイ|ビルド|リリース|"
    "移行|起動|実行|導入"
)
_HOW_TO = re.compile(
    rf"\bhow to\b|\bhow (?:do|can|should) (?:i|we|you|one) (?:{_TASK})\b"
    r"|\b(?:instructions|steps|guide) (?:for|to)\b"
    rf"|方法|手順|やり方|(?:{_TASK_JA})(?:する|したい|するには|の仕方)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Question:
    """words: its tokens without stop words; stems: of these.

    pairs: stems of neighbouring tokens, written as one word.
    names: identifiers that it writes, the last part of dotted ones. is_name: it is
    nothing but one identifier. is_how_to: it asks for instructions.
    """

    words: frozenset[str]
    stems: frozenset[str]
    pairs: frozenset[str]
    names: tuple[str, ...]
    is_name: bool
    is_japanese: bool
    is_how_to: bool = False

    @property
    def deciding_words(self) -> frozenset[str]:
        """The words that say what it is about: those in hiragana only without others.

        A dictionary finds such words in anything: ぬるい in ぬるぽ.
        """
        found = (word for word in self.words if not _HIRAGANA.fullmatch(word))
        return frozenset(found) or self.words

    @property
    def is_about_tests(self) -> bool:
        """Whether tests answer it; how they are run or written, documents say."""
        return not self.is_how_to and not self.words.isdisjoint(_ABOUT_TESTS)


def read_question(text: str) -> Question:
    """Tell a name from a question in words, in which names may stand."""
    bare = text.strip().strip("`'\"").removesuffix("()")
    is_name = bool(bare) and _NAME.fullmatch(bare) is not None and bare.isascii()
    found = [bare] if is_name else _code_like(text)
    tokens = [token for token in tokenize(text) if token not in STOP_WORDS]
    words = [token for token in tokens if len(token) > 1]
    return Question(
        words=frozenset(words),
        stems=frozenset(map(stem, words)),
        pairs=frozenset(stem(one + next_) for one, next_ in pairwise(tokens)),
        names=tuple(dict.fromkeys(_SEPARATORS.split(name)[-1] for name in found)),
        is_name=is_name,
        is_japanese=is_japanese(text),
        is_how_to=not is_name and _HOW_TO.search(text) is not None,
    )


def name_parts(name: str) -> list[str]:
    """Return the parts of a dotted name in lower case, as the index holds them.

    >>> name_parts("Client.getUser()")
    ['client', 'getuser']
    """
    written = "".join(sign if sign.isalnum() or sign == "_" else " " for sign in name)
    return written.lower().split()


def is_japanese(text: str) -> bool:
    """Return whether a text has kana or kanji."""
    return JAPANESE.search(text) is not None


def _code_like(text: str) -> Iterable[str]:
    """Yield the words of a sentence that can only be identifiers.

    The mark that ends it is none of a name, as it may be elsewhere in Ruby.
    """
    for match in _NAME.finditer(text.rstrip("?! ")):
        written = text[match.start() : match.end() + 2]
        if "/" not in match[0] and _CODE_LIKE.search(written):
            yield match[0]
