"""Whether a sentence of an answer may stand, and the citation that it lacks: pure.

A sentence cites passages that show its names and numbers and do not contradict it. It
has no HTML, no image, no link, and no address that no passage has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from devrag.ask.types import Passage
from devrag.ask.writing.copied_code import lines_of_code
from devrag.ask.writing.markup import (
    diagram_markup_problem,
    markup_problem,
    without_links,
)
from devrag.ask.writing.prompt import SYSTEM
from devrag.ask.writing.sketch import sketch_problem
from devrag.wiki.api import (
    MARKER,
    is_name,
    leaks,
    problem_of_diagram,
    shown_terms,
    terms_of,
    with_markers,
)
from devrag.wiki.checking.shown_names import (
    CODE,
    is_of_language,
    is_shown,
    missing_names,
    names_in,
)
from devrag.wiki.checking.support import SupportClaim, bears_words, judge_claim
from devrag.wiki.evidence.blocks import plain

_MARKER = re.compile(rf"\s*{MARKER.pattern}")
_UNCITED = "it cites no passage, and those cited beside it do not have its words"
_DIAGRAM_WORDS = re.compile(
    r"\b(?:\w+Diagram(?:-v2)?|flowchart|graph|subgraph|end|participant|actor|as|loop"
    r"|alt|else|opt|TD|LR|TB|RL)\b"
)
_WORD = re.compile(r"[A-Za-z_]\w{2,}")
_LATIN = re.compile(r"[A-Za-z]{3}")
_KANA = re.compile("[\u3041-\u30ff]")
# A name that stands in prose without backticks; Japanese goes on without a blank.
_LOOSE_NAME = re.compile(
    r"(?<![\w./-])(?:\w+_\w+|[A-Z]?[a-z]+[A-Z]\w+|[a-z]\w+\.[a-z]\w+)(?:\(\))?(?![\w-])",
    re.ASCII,
)
_COMMON = frozenset(
    re.findall(
        r"\S+",
        """JavaScript TypeScript GitHub GitLab OpenAI OpenAPI PostgreSQL MySQL WebSocket
    WebSockets CommonMark DevOps YouTube iOS macOS JSONSchema GraphQL PowerShell node.js
    asp.net""",
    )
)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)*")
# Where a small number is a value and not how many things there are.
_OF_AMOUNTS = re.compile(
    r"\b(?:defaults?|timeouts?|limits?|seconds|\d second|minutes?|hours?|ms|percent"
    r"|bytes|[KMG]B|port|version|maximum|minimum|at (?:most|least))\b"
    r"|[%％]|既定|デフォルト|秒|分間"
    r"|時間|バイト|最大|最小|上限|下限|ポート|バージョン",
    re.IGNORECASE,
)
_GAP = re.compile(
    r"""\b(?:passages?|sources?|excerpts?|evidence)\b[^.]{0,30}?
      \b(?:do(?:es)?\ not|do(?:es)?n['’]t)\ (?:\w+\ )?
      (?:show|say|contain|tell|include|cover|mention|explain|define|have|describe)\b
    | \b(?:not|n['’]t)\ (?:be\ )?(?:shown|included|covered|contained|mentioned|defined
      |described|visible)\ (?:in|by)\ (?:the\ |these\ |any\ )*(?:passages?|sources?)
    | (?:抜粋|ソース|根拠|資料|箇所)[^。]{0,60}
      (?:示され(?:ていません|ていない|ません|ない)|示していません|含まれ(?:ません|ていません)
      |(?:記載|記述|説明)(?:が|は)?(?:ありません|ない)|見つかりません|(?:分|わ)かりません)""",
    re.VERBOSE | re.IGNORECASE,
)
_LONGEST_GAP, _LONGEST_LEAD, _SHORT = 300, 200, 60
_LEAST_SHARE = 0.2  # of a sentence's words and names, in what it cites
_LEAST_WORDS = 1  # for a citation to stay
_LEAST_CODE = 6  # characters, for code to be told from another
_SPACE = re.compile(r"\s+")
_MOST_ADDED = 2  # ids for names that the cited passages lack
_PROMPT = tuple(part.strip(" -") for part in SYSTEM.split("\n") if len(part) > 60)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A sentence as it may stand. reason: why it may not, '' where it may."""

    sentence: str
    reason: str = ""


class SentenceChecks:
    """Checks against the passages of one question; each sentence is judged once.

    fence: the random word of the request's marks. diagram_error: returns why Mermaid
    text does not parse, None where it does.
    """

    def __init__(
        self,
        passages: Sequence[Passage],
        *,
        question: str,
        fence: str,
        diagram_error: Callable[[str], str | None],
    ) -> None:
        self.passages = {each.id: each for each in passages}
        self._texts = {key: _as_shown(each) for key, each in self.passages.items()}
        self.evidence = "\n".join(self._texts.values())
        self._asked = f"{self.evidence}\n{question}"
        self._words = frozenset(_WORD.findall(self._asked))
        self._fence, self._diagram_error = fence, diagram_error
        self._diagrams: dict[str, str] = {}
        self._known: dict[tuple[str, tuple[str, ...]], Verdict] = {}
        self._refused: dict[str, str] = {}

    def check(self, sentence: str, near: tuple[str, ...] = ()) -> Verdict:
        """Judge a sentence. near: ids that its neighbours cite, the nearest first."""
        key = sentence, near
        if key not in self._known:
            self._known[key] = self._judge(sentence, near)
        verdict = self._known[key]
        reason = verdict.reason or self._refusal(verdict.sentence)
        return Verdict(verdict.sentence, reason)

    @property
    def texts(self) -> Mapping[str, str]:
        """Return the passages as the model saw them, by their ids."""
        return self._texts

    def refuse(self, reasons: Mapping[str, str]) -> None:
        """Let sentences that passed fail. reasons: a sentence as it passed → why."""
        for sentence, reason in reasons.items():
            self._refused[_MARKER.sub("", sentence)] = reason

    def _refusal(self, sentence: str) -> str:
        return self._refused.get(_MARKER.sub("", sentence), "")

    def check_heading(self, text: str) -> Verdict:
        """Judge a heading, or what only leads to a list: it cites nothing."""
        bare = without_links(_MARKER.sub("", text))
        reason = self._form(text) or self._unknown_names(bare)
        if not reason and len(plain(bare)) > _LONGEST_LEAD:
            reason = _UNCITED
        if not reason and len(plain(bare)) > _SHORT and not _shares(bare, self._asked):
            reason = _UNCITED
        return Verdict(bare, reason)

    def passage_of_code(self, code: str) -> str:
        """Return the id of the passage that has these lines in this order, '' if none.

        A line of dots stands for those left out; indentation does not count.
        """
        found = (k for k, p in self.passages.items() if lines_of_code(code, p.text))
        return next(found, "")

    def sketch_problem(self, code: str, language: str) -> str:
        """Return why code of the model's own may not be shown, '' where it may."""
        if leaks(code, self._fence):
            return "it repeats the prompt or speaks of the writer"
        return sketch_problem(code, language, self._words)

    def diagram_problem(self, text: str) -> str:
        """Return why a diagram may not be shown, '' where it may."""
        if text not in self._diagrams:
            reason = diagram_markup_problem(text)
            reason = reason or problem_of_diagram(text, lambda: self.evidence)
            shown = _DIAGRAM_WORDS.sub(" ", text)
            reason = reason or self._unknown_names(shown)
            if not reason and not _shares(shown, self._asked):
                reason = "the passages have none of its words"
            if not reason and (error := self._diagram_error(text)):
                reason = f"it does not parse: {error}"
            self._diagrams[text] = reason
        return self._diagrams[text]

    # -- one sentence -------------------------------------------------------------

    def _judge(self, sentence: str, near: tuple[str, ...]) -> Verdict:
        if reason := self._form(sentence):
            return Verdict(sentence, reason)
        sentence = without_links(sentence)
        ids = MARKER.findall(sentence)
        known = [key for key in ids if key in self._texts]
        if ids and not known:
            return Verdict(sentence, f"{ids[0]} is no passage of this question")
        if not known:
            return self._uncited(sentence, near)
        if len(known) < len(ids):
            sentence = _MARKER.sub(self._known_marker, sentence)
        verdict = self._cited(sentence, known, near)
        if verdict.reason and self._is_gap(sentence):
            return self._uncited(_MARKER.sub("", sentence), ())
        return verdict

    def _known_marker(self, match: re.Match[str]) -> str:
        return match.group() if match.group(1) in self._texts else ""

    def _form(self, sentence: str) -> str:
        if reason := markup_problem(sentence, self.evidence):
            return reason
        bare = plain(sentence)
        if leaks(sentence, self._fence) or any(part in bare for part in _PROMPT):
            return "it repeats the prompt or speaks of the writer"
        return ""

    def check_lead(self, sentence: str, near: tuple[str, ...] = ()) -> Verdict:
        """Judge a short sentence that leads to lines which are checked by themselves.

        What it cites need not have its words: the lines say it.
        """
        verdict = self.check(sentence, near)
        if not verdict.reason:
            return verdict
        if self.check_heading(sentence).reason:
            return verdict
        return Verdict(_MARKER.sub(self._known_marker, sentence))

    def check_opening(self, sentence: str, near: tuple[str, ...] = ()) -> Verdict:
        """Judge a sentence that begins the answer: it sums up what the others show.

        No passage that it cites need have its words, and all of them may have its
        names; what contradicts them is refused.
        """
        verdict = self.check(sentence, near)
        if not verdict.reason or self._form(sentence):
            return verdict
        bare = without_links(sentence)
        if self._unknown_names(bare) or self._unsupported(bare, self._texts, 0.0):
            return verdict
        summary = _MARKER.sub(self._known_marker, bare)
        return Verdict(summary, self._refusal(summary))

    def _cited(self, sentence: str, ids: list[str], near: tuple[str, ...]) -> Verdict:
        if reason := self._unknown_names(sentence):
            return Verdict(sentence, reason)
        added = list(self._showing_names(sentence, ids, near))
        # A conclusion has words of its own; what stands beside it cites the same.
        least = 0.0 if set(ids) <= set(near) else _LEAST_SHARE
        reason = self._unsupported(sentence, [*ids, *added], least)
        if reason:
            for key in self._texts:
                if key in {*ids, *added} or not self._bears(sentence, key):
                    continue
                if not self._unsupported(sentence, [*ids, *added, key]):
                    added, reason = [*added, key], ""
                    break
        if reason:
            return Verdict(sentence, reason)
        idle = [key for key in ids if self._is_idle(sentence, key)]
        if len(idle) < len(ids) + len(added):
            sentence = _without(sentence, idle)
        return Verdict(_attach(sentence, added))

    def _showing_names(
        self, sentence: str, ids: Sequence[str], near: tuple[str, ...]
    ) -> Iterator[str]:
        """Yield passages that show what the cited ones lack, those alike first."""
        shown = [self._texts[key] for key in ids]
        for _ in range(_MOST_ADDED):
            missing = missing_names(sentence, shown, self._is_known)
            others = [key for key in self._texts if self._texts[key] not in shown]
            others = [
                key
                for key in others
                if missing and is_shown(missing[0], self._texts[key], sentence)
            ]
            best = self._best_of(others, sentence, ids, missing)
            best = best or next((key for key in near if key in others), "")
            if not best:
                return
            shown.append(self._texts[best])
            yield best

    def _best_of(
        self,
        others: Sequence[str],
        sentence: str,
        ids: Sequence[str],
        missing: Sequence[str],
    ) -> str:
        """Return which to cite too, '' for none.

        It is of the same definition, has the sentence's words, or defines the name
        while those that are cited have the words.
        """
        cited = {_definition_of(self.passages[key]) for key in ids} - {None}
        is_borne = bears_words(sentence, "\n".join(self._texts[key] for key in ids))
        defines = (
            k for k in others if is_borne and _is_title(missing[0], self.passages[k])
        )
        same = (k for k in others if _definition_of(self.passages[k]) in cited)
        alike = (k for k in others if self._has_its_words(sentence, k))
        return next(defines, "") or next(same, "") or next(alike, "")

    def _has_its_words(self, sentence: str, key: str) -> bool:
        """Return whether a passage has enough of a sentence's words, if it can."""
        is_foreign = _KANA.search(sentence) and not _KANA.search(self._texts[key])
        return bool(is_foreign) or bears_words(sentence, self._texts[key])

    def _is_idle(self, sentence: str, key: str) -> bool:
        """Return whether a cited passage has no name, code or word of a sentence.

        A single word is enough: what joins two places has few words of each.
        """
        text = self._texts[key]
        names = names_in(sentence)
        if not names or any(is_shown(name, text, sentence) for name in names):
            return False
        bare = _MARKER.sub("", sentence)
        codes = (_SPACE.sub("", match.group(2)) for match in CODE.finditer(bare))
        flat = _SPACE.sub("", text)
        if any(len(code) >= _LEAST_CODE and code in flat for code in codes):
            return False
        words = {t: w for t, w in terms_of(bare).items() if not is_name(w)}
        return len(shown_terms(words, [text])) < _LEAST_WORDS

    def _uncited(self, sentence: str, near: Iterable[str]) -> Verdict:
        if reason := self._unknown_names(sentence):
            return Verdict(sentence, reason)
        if self._is_gap(sentence):
            return Verdict(sentence)
        is_row = sentence.startswith("|")
        for key in dict.fromkeys([*near, *(self._texts if is_row else ())]):
            is_borne = self._bears(sentence, key, is_near=key in near)
            if is_borne and not self._unsupported(sentence, [key]):
                return Verdict(_attach(sentence, [key]))
        return Verdict(sentence, _UNCITED)

    def _is_gap(self, sentence: str) -> bool:
        """Return whether a sentence says what the passages do not show."""
        return len(sentence) <= _LONGEST_GAP and _GAP.search(sentence) is not None

    def _bears(self, sentence: str, key: str, *, is_near: bool = False) -> bool:
        """Return whether a passage has a sentence's names and enough of its words.

        Names and numbers are enough where the words cannot be the same, and of a
        passage that the sentence's neighbours cite.
        """
        text = self._texts[key]
        if missing_names(sentence, [text], self._is_known):
            return False
        if bears_words(sentence, text):
            return True
        is_by_names = is_near or sentence.startswith("|")
        is_by_names = is_by_names or self._has_its_words(sentence, key)
        numbers = _NUMBER.findall(plain(sentence))
        return bool(
            is_by_names and names_in(sentence) and all(n in text for n in numbers)
        )

    def _unsupported(
        self, sentence: str, ids: Iterable[str], least: float = _LEAST_SHARE
    ) -> str:
        """Return what the passages do not show or contradict, '' for nothing.

        least: share of its words that they have to have; 0 for one word at least.
        """
        cited = tuple(self._texts[key] for key in ids)
        if missing := missing_names(sentence, cited, self._is_known):
            return f"`{missing[0]}` is not in the cited passages"
        verdict = judge_claim(SupportClaim(0, plain(sentence), cited))
        if verdict.support == "unsupported":
            return verdict.reason
        if _OF_AMOUNTS.search(sentence):
            numbers = _NUMBER.findall(plain(sentence))
            unseen = [n for n in numbers if not any(n in text for text in cited)]
            if unseen:
                return f"{unseen[0]} is not in the cited passages"
        if not _shares(sentence, "\n".join(cited), least):
            return "the cited passages have none of its words"
        return ""

    def _is_known(self, name: str) -> bool:
        return is_shown(name, self._asked)

    def _unknown_names(self, sentence: str) -> str:
        """Return which name or code stands in no passage, '' for none."""
        for match in CODE.finditer(sentence):
            span = match.group(2).strip()
            words = {*_WORD.findall(span)} - self._words
            is_new = not all(is_of_language(word, sentence) for word in words)
            if is_new and not self._is_known(span):
                return f"`{span[:80]}` is in no passage"
        prose = CODE.sub(" ", _MARKER.sub("", sentence))
        for name in _LOOSE_NAME.findall(prose):
            bare = name.removesuffix("()")
            is_known = bare.casefold() in self._asked.casefold() or self._is_known(bare)
            if bare not in _COMMON and not is_known:
                return f"“{name[:80]}” is in no passage"
        return ""


def _as_shown(passage: Passage) -> str:
    """Return a passage as the model saw it, with its path and title."""
    return f"{passage.source}/{passage.path}\n{passage.title}\n{passage.text}"


def _definition_of(passage: Passage) -> tuple[str, str, str] | None:
    """Return what several passages have that are pieces of one, None for no name."""
    if not passage.title:
        return None
    return passage.source, passage.path, passage.title


def _is_title(name: str, passage: Passage) -> bool:
    """Return whether a passage is the definition that a sentence names."""
    return f".{passage.title}".endswith(f".{name.removesuffix('()')}")


def _without(sentence: str, ids: Sequence[str]) -> str:
    """Return a sentence without these ids."""
    return _MARKER.sub(lambda m: "" if m.group(1) in ids else m.group(), sentence)


def _attach(sentence: str, ids: Sequence[str]) -> str:
    """Put ids at the end of a sentence, in a table's row into its last cell."""
    markers = "".join(f" [[{key}]]" for key in ids)
    if not markers:
        return sentence
    if sentence.startswith("|") and sentence.endswith("|"):
        return f"{sentence[:-1].rstrip()}{markers} |"
    return with_markers(sentence, markers)


def _shares(sentence: str, text: str, least: float = _LEAST_SHARE) -> bool:
    """Return whether a text has some of what a sentence says, one word at least.

    Japanese about code in English shares but its names.
    """
    terms = terms_of(sentence)
    if _KANA.search(sentence) and not _KANA.search(text):
        terms = {term: terms[term] for term in terms if _LATIN.search(term)}
    if not terms:
        return True
    shown = shown_terms(terms, text.split("\n"))
    return bool(shown) and sum(shown.values()) >= least * sum(terms.values())
