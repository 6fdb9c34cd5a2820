"""Japanese text to the words that carry meaning, by IPADIC.

Left out: particles, auxiliaries, conjunctions, pronouns and question words, verbs and
nouns that only support others (している, こと), and single kana. Verbs and adjectives
are given as the dictionary has them (止めて: 止める), words of several kanji without
the kana that not every writer puts between them (引き当て, 引当て: 引当), longer
katakana words without the mark at their end that half of all writers leave out
(サーバー: サーバ). The index holds the reading of words in kanji as well, for questions
in kana alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

import lindera

# Beside a Latin word the dictionary takes a particle for a conjunction: `mainで`.
_DROPPED_CLASSES = frozenset(
    {"助詞", "助動詞", "記号", "接続詞", "フィラー", "連体詞", "感動詞"}
)
# Of nouns and verbs: こと, それ; ている, れる.
_DROPPED_SUBCLASSES = frozenset({"非自立", "代名詞"})
_DROPPED_VERB_SUBCLASS = "接尾"
_DROPPED_WORDS = frozenset(
    {
        "する",
        "ある",
        "いる",
        "なる",
        "できる",
        "やる",
        "おる",
        "くださる",
        "いただく",
        "どう",
        "なぜ",
        "いつ",
        "いかが",
    }
)
_PLAIN_FORM = 6  # among the details of a word; unknown words have none
_LONG_KATAKANA = re.compile(r"([\u30a1-\u30fe]{3,})ー")
_KANA = r"\u3040-\u30ff\u31f0-\u31ff"
_SINGLE_KANA = re.compile(f"[{_KANA}]")
_HIRAGANA = re.compile(r"[\u3041-\u309f]+")
_MIN_READING = 3
_READING = 7  # in katakana, among the details of a word
_READ_ALOUD = re.compile(rf"[\u3041-\u3096ー]{{{_MIN_READING + 1},}}")
_TO_KATAKANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}
# No token begins so: a reading is never taken for a word.
_READING_MARK = "~"
_KANJI = re.compile(r"[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def japanese_words(run: str) -> Iterator[tuple[str, str]]:
    """Yield each word of a run as it is written and as it is indexed."""
    for token in _tokenizer().tokenize(run):
        form = _form(token.surface, token.details)
        if form:
            yield token.surface, form


def indexed_forms(run: str) -> Iterator[str]:
    """Yield what the index holds of a run: its words, each before its reading."""
    for token in _tokenizer().tokenize(run):
        form = _form(token.surface, token.details)
        if form:
            yield form
            if len(token.details) > _READING and _KANJI.search(token.surface):
                reading = token.details[_READING]
                if len(reading) >= _MIN_READING:
                    yield _READING_MARK + reading


def has_dictionary_word(run: str) -> bool:
    """Return whether the dictionary has a word of a run, not a single sign."""
    return any(
        len(token.surface) > 1 and token.details[_PLAIN_FORM : _PLAIN_FORM + 1] != ["*"]
        for token in _tokenizer().tokenize(run)
        if token.details[0] not in _DROPPED_CLASSES
    )


def readings_asked(text: str) -> set[str]:
    """Return the readings that words in hiragana may be, in the index's terms.

    >>> readings_asked("たなおろしAPI")
    {'~タナオロシ'}
    """
    words = _READ_ALOUD.findall(text)
    return {_READING_MARK + word.translate(_TO_KATAKANA) for word in words}


def _form(surface: str, details: Sequence[str]) -> str:
    """Return what is indexed of a word; nothing of one without a meaning of its own."""
    if details[0] in _DROPPED_CLASSES:
        return ""
    if len(details) > 1 and _is_support(details[0], details[1]):
        return ""
    plain = details[_PLAIN_FORM] if len(details) > _PLAIN_FORM else "*"
    word = surface if plain == "*" else plain
    if word in _DROPPED_WORDS or _SINGLE_KANA.fullmatch(word):
        return ""
    return _as_most_write(word)


def _is_support(word_class: str, subclass: str) -> bool:
    is_ending = word_class == "動詞" and subclass == _DROPPED_VERB_SUBCLASS
    return is_ending or subclass in _DROPPED_SUBCLASSES


def _as_most_write(word: str) -> str:
    katakana = _LONG_KATAKANA.fullmatch(word)
    if katakana:
        return katakana[1]
    is_compound = len(_KANJI.findall(word)) > 1
    return _HIRAGANA.sub("", word) if is_compound else word


@cache
def _tokenizer() -> lindera.Tokenizer:
    builder = lindera.TokenizerBuilder()
    builder.set_dictionary("embedded://ipadic")
    return builder.build()
