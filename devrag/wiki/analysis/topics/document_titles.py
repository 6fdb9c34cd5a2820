"""Titles for groups of documents: their shelf, a label, a document, shared words."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from devrag.wiki.analysis.topics.assignment import words_of
from devrag.wiki.analysis.topics.document_groups import DocumentGroup, TopicDocument
from devrag.wiki.analysis.topics.titles import is_title, plain_heading
from devrag.wiki.analysis.topics.words import ACRONYMS, STOP_WORDS

_MORE = "more"
_NAMES = 3  # of shelves in a title
_NUMBER = re.compile(r"^(ch(apter)?)?\d+([-_. ]+\d+)*[-_. ]+", re.IGNORECASE)
_WORD = re.compile(
    r"[^\W\d_\u3040-\u30ff\u4e00-\u9fff]{3,}|[\u30a0-\u30ff]{2,}|[\u4e00-\u9fff]{2,}"
)
_LATIN = re.compile(r"[A-Za-z][A-Za-z+#.]*")
_LABEL_SHARE, _OWN_SHARE = 0.6, 0.5
_TITLE_BONUS = 2.0  # of a word in titles over one in the text
# Of the documents that a word of the title must be in; then, where none is.
_LEAST_SHARES = (0.3, 0.15)
_TITLE_TERMS = 3  # of a document that stands for others
_LONGEST = 42
_INDEXES = {"readme", "index", "_index", "home", "overview"}


class DocumentTitles:
    """Names groups of the same documents, no two alike."""

    def __init__(self, documents: Sequence[TopicDocument], other: str) -> None:
        """other: what a group is called that nothing else names."""
        self._documents = documents
        self._other = other
        self._taken: set[str] = set()
        self._spelling = _spelling(d.title for d in documents)
        self._labels = Counter(x for d in documents for x in set(d.labels))
        self._linked = Counter(t for d in documents for t in d.links)

    def title(
        self, group: DocumentGroup, beside: Sequence[DocumentGroup], around: str
    ) -> str:
        """Return a title that no group has yet.

        beside: the groups next to it. around: the title of the group that it is in.
        """
        wanted = self._wanted(group, [g for g in beside if g is not group], around)
        title = next((t for t in wanted if t.casefold() not in self._taken), "")
        if not title:
            first = self._other
            numbered = (f"{first} ({n})" for n in range(2, len(self._documents) + 3))
            title = next(
                t for t in (first, *numbered) if t.casefold() not in self._taken
            )
        self._taken.add(title.casefold())
        return title

    def _wanted(
        self, group: DocumentGroup, beside: Sequence[DocumentGroup], around: str
    ) -> Iterable[str]:
        if len(group.shelves) == 1:
            yield self._of_shelf(group)
            yield self._spelt(group.shelves[0])
        elif group.shelves:
            names = [self._spelt(name) for name in group.shelves[:_NAMES]]
            names += [_MORE] if len(group.shelves) > _NAMES else []
            yield f"{', '.join(names[:-1])} and {names[-1]}"
        label = self._label(group)
        if label:
            yield self._spelt(label)
        known = words_of(around)
        for least in _LEAST_SHARES:
            found = self._fit(group, beside, least)
            fit = {word: told for word, told in found.items() if word not in known}
            yield from self._documents_of(group, fit)
            yield from self._of_words(fit)

    def _of_words(self, fit: Mapping[str, float]) -> Iterable[str]:
        """Yield a title of the words that tell a group from the others best."""
        best = sorted(fit, key=lambda w: (-fit[w], w))
        spelt = dict.fromkeys(self._spelling.get(word, word) for word in best)
        words = list(spelt)[:_NAMES]
        if len(words) > 1:
            first = words[0][:1].upper() + words[0][1:]
            yield ", ".join([first, *words[1:-1]]) + f" and {words[-1]}"
        elif words:
            yield words[0][:1].upper() + words[0][1:]

    def _of_shelf(self, group: DocumentGroup) -> str:
        """Return what the document that opens a shelf calls it, '' without any."""
        for document in group.documents:
            file = document.file
            is_own = file.directory.rpartition("/")[2] == group.shelves[0]
            title = plain_heading(document.title)
            if is_own and file.stem.lower() in _INDEXES and is_title(title):
                return title
        return self._spelt(group.shelves[0])

    def _spelt(self, name: str) -> str:
        """Return a folder's name or a label as people write it: `GitHub actions`."""
        bare = _NUMBER.sub("", name).strip() or name
        if " " in bare or not bare.isascii():
            return bare[:1].upper() + bare[1:]
        words = [word for word in re.split(r"[-_.]+", bare) if word]
        spelt = [
            self._spelling.get(word.lower())
            or (word.upper() if word.lower() in ACRONYMS else word)
            for word in words
        ]
        text = " ".join(spelt)
        return text[:1].upper() + text[1:]

    def _label(self, group: DocumentGroup) -> str:
        """Return the label that most of a group have and few others."""
        own = Counter(x for d in group.documents for x in set(d.labels))
        for label, count in sorted(own.items(), key=lambda x: (-x[1], x[0])):
            if count < _LABEL_SHARE * len(group.documents):
                break
            if count >= _OWN_SHARE * self._labels[label]:
                return label
        return ""

    def _fit(
        self, group: DocumentGroup, beside: Sequence[DocumentGroup], least: float
    ) -> dict[str, float]:
        """Return word → how well it tells the group from the others, at most 1."""
        own = _shares(group.documents)
        rest = [d for other in beside for d in other.documents]
        others = _shares(rest or self._documents)
        return {
            word: share * share / (share + others.get(word, 0.0))
            for word, share in own.items()
            if share >= least and word in self._spelling
        }

    def _documents_of(
        self, group: DocumentGroup, fit: Mapping[str, float]
    ) -> Iterable[str]:
        """Yield titles of documents that stand for the group, the best first."""
        score = {}
        for document in group.documents:
            title = plain_heading(document.title)
            words = words_of(title)
            if not words or not is_title(title) or len(title) > _LONGEST:
                continue
            if len(words) > _TITLE_TERMS or not words.keys() <= fit.keys():
                continue
            told = sum(fit.get(word, 0.0) for word in words) / len(words)
            linked = self._linked[document.file.id]
            if told > 0:
                score[title] = told * (1 + min(linked, 10) / 10)
        best = max(fit.values(), default=0.0)
        ranked = sorted(score, key=lambda t: (-score[t], t))
        yield from (t for t in ranked[:1] if score[t] >= 0.75 * best)


def _shares(documents: Collection[TopicDocument]) -> dict[str, float]:
    """Return word → the share of documents that have it, in titles more."""
    found: dict[str, float] = defaultdict(float)
    for document in documents:
        titled = words_of(document.title)
        for word in document.words:
            found[word] += _TITLE_BONUS if word in titled else 1.0
    count = max(1, len(documents)) * _TITLE_BONUS
    return {word: value / count for word, value in found.items()}


def _spelling(titles: Iterable[str]) -> dict[str, str]:
    """Return word, with and without its ending → as most titles write it."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for title in titles:
        for place, word in enumerate(_WORD.findall(title)):
            if word.lower() in STOP_WORDS:
                continue
            is_first = place == 0 and word.istitle()
            for key in {word.lower(), *words_of(word.lower())}:
                forms[key][word.lower() if is_first else word] += 1
    return {key: _usual(own) for key, own in forms.items()}


def _usual(forms: Counter[str]) -> str:
    return min(forms, key=lambda form: (-forms[form], form))
