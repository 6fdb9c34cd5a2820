"""What can be a title: headings of the documentation, and terms of names.

A title is never a path: `vector_stores/lancedb.py` gives “Vector stores”.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from devrag.wiki.analysis.topics.words import (
    ACRONYMS,
    FOLDER_TITLES,
    GENERAL_WORDS,
    LAYER_WORDS,
    SPELT_OUT,
    VAGUE_WORDS,
    action_of,
    is_abbreviation,
    is_pair,
    is_telling,
    meaning_of,
    split_name,
    words_in,
)

_LONGEST = 42
_MOST_WORDS = 5
_LONGEST_TERM = 3  # words
_PAIR_BONUS = 1.25
_LEAST_OWN = 0.34  # of the uses of a word, those in the topic
_NUMBERED = re.compile(r"^(step\s*)?\d+([.)]\d*)*[.):]?\s+", re.IGNORECASE)
_MARKUP = re.compile(
    r"[`*#]|(?<!\w)_|_(?!\w)|\[([^\]]*)\]\([^)]*\)|<[^>]+>|:\w+:"
    r"|[\U0001F000-\U0001FAFF\u2190-\u2bff\ufe0f]"
)
_CODE = re.compile(r"[/\\<>{}=$@]|\w_\w|\w\.\w|\w\(\)|^--?\w")
# Headings that stand in any document.
_GENERAL_HEADING = re.compile(
    r"^\W*((an? )?(brief )?introduction|overview|about|features?|usage|readme|faq"
    r"|(.* )?(examples?|best practices|considerations|ecosystem)|install\w*|goals?"
    r"|(quick|getting)[ -]?start\w*|get(ting)? started|set ?up"
    r"|requirements?|prerequisites|notes?|other|misc\w*|general|summary|background"
    r"|details?|options|basics?|advanced|tips|todo|index|home|welcome.*|help|motivation"
    r"|using .*|why.*|how .*|troubleshooting.*|goals .*|.* (it|them)|.*:.*"
    r"|what is.*|documentation|docs|guides?|(.* )?tutorials?|reference"
    r"|api|architecture|design|.*\b(user|users'?|developer|design|reference)\b.*"
    r"\b(guide|document|manual|docs)|decisions?|situation|context|price|consequences"
    r"|status|commands|changes|limitations|troubleshooting|more( .*)?|concepts?"
    r"|概要|はじめに|使い方|インストール.*|例|その他.*|環境構築|実行|.*サンプルコード)\W*$",
    re.IGNORECASE,
)
_STOP_WORDS = frozenset(("and", "the", "for", "with", "from", "of", "to", "in", "on"))
_PLURALS = ("ies", "es", "s")
_ENDINGS = ("ation", "ing", "or", "er", "e", "y")
_SHORTEST_STEM = 3
_LONGEST_CLAUSE = 4  # words
_STRANGE_COST, _FEWEST_KNOWN = 0.6, 200
_LONGEST_SHORT = 6  # letters of an abbreviation
_OFTEN = 4
_PLAIN_WORD = re.compile(r"(?<![\w`.@$/-])[A-Za-z]+(?![\w(`/])")  # of no identifier
_TAG = re.compile(r"^@?(module|file|fileoverview|packageDocumentation)\b\W*")
_CLAUSE = re.compile(r"^(?P<head>[^.:。：\n]{3,60})[.:。：\n]")
_PROVIDES = re.compile(
    r"^(the )?(package|module|crate|library) [\w./-]+ (provides|implements|contains"
    r"|defines|is|offers|holds) (?P<what>[^\n]+)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(an?|the|some) ", re.IGNORECASE)
_AMOUNT = re.compile(r"^(set|collection|number|list|bunch|wrapper|type)s? (of|for) ")
_END_OF_PHRASE = re.compile(
    r"[.,;:(]|\b(that|which|for|to|with|in|using|where|from|on|by|used|based)\b"
)
_JAPANESE_TAIL = re.compile(
    r"(機能を提供する.*|を提供する.*|関連の.*|に関する.*|の(処理|管理|実装|定義|モジュール))$"
)
_JAPANESE_NOUN = re.compile(
    r"^(?=.*[\u30a1-\u30fa\u4e00-\u9fff])[\u30a1-\u30fc\u3005\u4e00-\u9fffA-Za-z0-9]{2,16}$"
)
_JAPANESE_GENERAL = {"処理", "管理", "定数", "共通処理", "ユーティリティ", "モジュール"}
_ABOUT = re.compile(r"(について|に関して|の(説明|概要))$")


def plain_heading(text: str) -> str:
    """Return a heading without markup, numbers and a final mark."""
    bare = _MARKUP.sub(lambda m: m.group(1) or "", text)
    text = _NUMBERED.sub("", " ".join(bare.split())).strip(" :.-–—")
    text = _ABOUT.sub("", text.removeprefix("The "))
    return text[:1].upper() + text[1:].replace("-", " ") if text.islower() else text


def clause_of(said: str) -> str:
    """Return the name that an explanation begins with, else ''.

    `Orders: from …` gives `Orders`, `Package x provides type adapters for …` gives
    `Type adapters`, `設定関連の処理` gives `設定`.
    """
    text = _TAG.sub("", said.strip())
    if match := _PROVIDES.match(text):
        return _noun_phrase(match["what"])
    match = _CLAUSE.match(f"{text}\n")
    text = plain_heading(match["head"]) if match else ""
    if not text.isascii():
        return _japanese_noun(text)
    text = re.sub(r"^(this (module|package|file) (is|holds|contains) )", "", text)
    is_short = len(text.split()) <= _LONGEST_CLAUSE
    repeats = len(stems_of(text)) < len(split_name(text)) == 2
    return text if is_short and is_title(text) and not repeats else ""


def _japanese_noun(text: str) -> str:
    """Return what a Japanese explanation is about, if that is one compound noun.

    Particles and verbs are written in hiragana: what has none is a noun.
    """
    noun = _JAPANESE_TAIL.sub("", text)
    is_noun = _JAPANESE_NOUN.match(noun) and noun not in _JAPANESE_GENERAL
    return noun if is_noun and is_title(noun) else ""


def _noun_phrase(text: str) -> str:
    """Return what comes before the first clause of a description, as a title."""
    bare = _AMOUNT.sub("", _ARTICLE.sub("", _END_OF_PHRASE.split(text, 1)[0]).strip())
    name = plain_heading(bare[:1].upper() + bare[1:])
    is_named = any(is_telling(word.lower()) for word in split_name(name))
    return name if is_named and is_title(name) and name.isascii() else ""


def clarity_of(title: str, known: Collection[str]) -> float:
    """Return how much a title of terms tells, at most 1.

    known: the words that documents and comments use, unless they are few. A word that
    none of them uses is likely an abbreviation.
    """
    if len(known) < _FEWEST_KNOWN:
        return 1.0
    words = [w.lower() for w in split_name(title) if w.lower() not in _STOP_WORDS]
    strange = sum(1 for w in words if w not in known and not _is_spelt_out(w))
    return 1 - _STRANGE_COST * strange / max(1, len(words))


def is_vague(title: str) -> bool:
    """Return whether a title is one general word: `Models`, not `Order models`."""
    return title.lower() in LAYER_WORDS | VAGUE_WORDS


def _is_spelt_out(word: str) -> bool:
    return word in ACRONYMS or word in SPELT_OUT or len(word) > _LONGEST_SHORT


def words_of_texts(texts: Iterable[str]) -> set[str]:
    """Return the words of texts in lower case, of plurals also the singular."""
    words = {word.lower() for text in texts for word in _PLAIN_WORD.findall(text)}
    return words | {word.removesuffix("s") for word in words}


def is_title(text: str) -> bool:
    """Return whether a heading can name a topic: short, and not of any document."""
    words = text.split()
    is_short = len(text) <= _LONGEST and len(words) <= _MOST_WORDS
    is_name = bool(text) and not text.endswith(("?", "!")) and not _CODE.search(text)
    is_general = text.isascii() and not any(
        is_telling(word.lower()) for word in split_name(text)
    )
    return is_short and is_name and not is_general and not _GENERAL_HEADING.match(text)


def terms_of_name(name: str) -> set[str]:
    """Return the words of a name, and pairs: `vector stores` of `VectorStores` too."""
    words = words_in(name)
    terms = {f"{a} {b}" for a, b in pairwise(words) if is_pair(a, b)}
    if len(words) == _LONGEST_TERM and all(map(is_telling, words)):
        terms.add(" ".join(words))
    return terms | {word for word in words if is_telling(word)}


def fit_of_terms(
    terms: Mapping[str, float],
    others: Iterable[Mapping[str, float]],
    ignored: frozenset[str],
) -> dict[str, float]:
    """Return term → how well it tells a topic from the others, at most 1.

    terms, others: of the topic and of the others, term → share of it that bears the
    term. ignored: the words of the product's own name.
    """
    used: dict[str, float] = defaultdict(float, terms)
    for each in others:
        for term, share in each.items():
            used[term] += share
    own = {term: share / used[term] for term, share in terms.items()}
    return {
        term: terms[term] * own[term]
        for term in own
        if not set(term.split()) <= ignored
        and all(
            own.get(word, 1.0) >= _LEAST_OWN
            for word in term.split()
            if word not in ignored
        )
    }


def distinctive_terms(fit: Mapping[str, float]) -> list[str]:
    """Return up to three terms that tell a topic from the others, the best first."""
    scored = {t: f * (_PAIR_BONUS if " " in t else 1.0) for t, f in fit.items()}
    chosen: list[str] = []
    for term in sorted(scored, key=lambda t: (-scored[t], t)):
        if not any(stems_of(term) & stems_of(other) for other in chosen):
            chosen.append(term)
        if len(chosen) == 3:
            break
    return chosen


def support_of(heading: str, fit: Mapping[str, float]) -> float:
    """Return how well the words of a heading fit a topic, in the mean.

    `Authentication` is supported by the term `auth`: one begins with the other.
    """
    words = [w.lower() for w in split_name(heading) if len(w) > 2]
    words = [w for w in words if w not in _STOP_WORDS]
    best = [
        max((f for t, f in fit.items() if " " not in t and _is_kin(t, w)), default=0.0)
        for w in words
    ]
    return sum(best) / len(best) if best else 0.0


def stems_of(title: str) -> frozenset[str]:
    """Return the words of a title without endings, to compare titles by."""
    words = (word.lower() for word in split_name(title))
    return frozenset(_stem(word) for word in words if word not in _STOP_WORDS)


def _is_kin(one: str, other: str) -> bool:
    short, long = sorted((_stem(one), _stem(other)), key=len)
    return short == long or (len(short) >= 4 and long.startswith(short))


def _stem(word: str) -> str:
    for endings in (_PLURALS, _ENDINGS):
        ending = next((e for e in endings if word.endswith(e)), "")
        if ending and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word.removesuffix(ending)
    return word


class Spelling:
    """How words are written: as the documents and the names of types have them."""

    def __init__(self, texts: Iterable[str], names: Iterable[str]) -> None:
        """texts: prose, in which a capital inside a word tells; names: of types."""
        written: dict[str, Counter[str]] = defaultdict(Counter)
        for text in texts:
            for word in re.findall(r"[A-Za-z]+", text):
                written[word.lower()][word] += 1
        self._written = {
            word: form
            for word, forms in written.items()
            if (form := _special(word, forms)) != word
        }
        self._words = frozenset(written)
        self._plurals = {
            word: f"{word}s"
            for word, forms in written.items()
            if sum(forms.values()) < written.get(f"{word}s", Counter()).total()
        }
        humps: dict[str, Counter[str]] = defaultdict(Counter)
        for name in names:
            for hump in split_name(name) if not name.isupper() else ():
                humps[hump.lower()][hump] += 1
        self._endings = sorted(filter(is_abbreviation, humps), key=len, reverse=True)
        self._apart = {
            "".join(words): words
            for name in names
            for words in pairwise(words_in(name))
            if min(map(len, words)) > 1
        }
        self._capitals = {
            word
            for word, forms in humps.items()
            if len(word) > 1 and forms[word.upper()] > forms[word.capitalize()]
        }

    def title(self, term: str, *, is_first: bool = True) -> str:
        """Return a term as a title has it: `Vector stores`, `HTTP transports`."""
        words = term.split()
        spelt = [self._word(word) for word in words]
        if len(words) == 1:
            spelt = [self._plurals.get(spelt[0], action_of(spelt[0]))]
        text = " ".join(spelt)
        return text[:1].upper() + text[1:] if is_first else text

    def name(self, words: Sequence[str]) -> str:
        """Return the name of a file in words, in the number that it has."""
        spelt = [self._word(word) for word in words]
        spelt = [action_of(spelt[0])] if len(spelt) == 1 else spelt
        text = " ".join(spelt)
        return text[:1].upper() + text[1:]

    def _word(self, word: str) -> str:
        if word == "cli":
            return FOLDER_TITLES[word].lower()
        if word in self._written:
            return self._written[word]
        if word in ACRONYMS or word in self._capitals:
            return word.upper()
        if word in self._apart and word not in self._words:
            return " ".join(map(meaning_of, self._apart[word]))
        if not is_abbreviation(word) and (ending := self._ending_of(word)):
            kind = word.removesuffix(ending)
            return f"{self._word(kind)} {meaning_of(ending)}"
        return meaning_of(word)

    def _ending_of(self, word: str) -> str:
        """Return the abbreviation of the product's types that ends a word: `zipfs`."""
        for ending in self._endings:
            kind = word.removesuffix(ending)
            is_known = kind in self._words or kind in ACRONYMS
            is_cut = len(kind) < _SHORTEST_STEM or kind in GENERAL_WORDS
            if kind != word and is_known and not is_cut:
                return ending
        return ""


def _special(word: str, forms: Counter[str]) -> str:
    """Return the form with a capital inside that most uses have, else the word."""
    form, count = min(forms.items(), key=lambda f: (-f[1], f[0]))
    has_inner = any(letter.isupper() for letter in form[1:])
    is_name = not has_inner and len(forms) == 1 and form.istitle() and count >= _OFTEN
    if is_name:  # `Cloudflare`, of which no sentence has another form
        return form
    is_shouted = form.isupper() and len(forms) > 1  # `PATH` beside `path`
    return form if has_inner and count >= 2 and not is_shouted else word
