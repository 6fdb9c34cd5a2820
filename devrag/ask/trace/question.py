"""Read from where to where a question traces, in English and Japanese: pure text.

How does `Client.get` reach `Transport.handle`?   →   Client.get, Transport.handle
path from sign-in to the token check              →   sign-in, token check
`load` は `parse` からどのように呼ばれますか        →   parse, load
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_MOST_CHARACTERS = 600
_LONGEST_END, _MOST_WORDS = 160, 8
# Where a name stands as code, other words do not count: `a to b` is one name.
_QUOTED = re.compile(r"`+([^`\n]{1,300})`+|「([^」\n]{1,160})」|“([^”\n]{1,160})”")
_MARK = "\ue000{}\ue001"
_MARKED = re.compile("\ue000(\\d+)\ue001")
_HELPERS = r"(?:does|do|did|can|could|will|would|might|may|is|are)"
_REACHES = (
    r"(?:(?:eventually|finally|indirectly|actually|ever|then|later)\s+)*"
    r"(?:reach(?:es)?|call(?:s)?|invoke(?:s)?|end(?:s)? up (?:in|at|calling|inside)"
    r"|get(?:s)? to|lead(?:s)? to|arrive(?:s)? (?:at|in)|trigger(?:s)?)"
)
_REACHED = r"(?:reached|called|invoked|triggered|arrived at)"
_PATH = r"(?:call\s+)?(?:path|route|way|chain|flow|trace|calls?|steps|graph)s?"
_ARROW = r"\s*(?:->|=>|→|⇒|-->)\s*"
_FROM, _TO = r"(?P<from>.+?)", r"(?P<to>.+?)"
_ENGLISH = (
    rf"(?:^|\b)from\s+{_FROM}\s+(?:in)?to\s+{_TO}$",
    rf"(?<!difference )(?<!differences )\bbetween\s+{_FROM}\s+and\s+{_TO}$",
    (
        rf"\bhow\s+{_HELPERS}\s+{_TO}\s+(?:get\s+|be\s+|being\s+)?{_REACHED}"
        rf"\s+(?:by|from)\s+{_FROM}$"
    ),
    rf"\bhow\s+{_HELPERS}\s+{_FROM}\s+{_REACHES}\s+{_TO}$",
    (
        rf"^(?:where|when|why|does|do|can|could|will|would)\s+(?:{_HELPERS}\s+)?"
        rf"{_FROM}\s+{_REACHES}\s+{_TO}$"
    ),
    rf"^how\s+(?!{_HELPERS}\b){_FROM}\s+{_REACHES}\s+{_TO}$",
    rf"^(?:please\s+)?(?:trace|follow)\s+(?:from\s+)?{_FROM}\s+(?:in)?to\s+{_TO}$",
    (
        rf"^(?:show\s+(?:me\s+)?)?(?:the\s+)?{_PATH}\s+(?:of\s+calls\s+)?{_FROM}"
        rf"\s+to\s+{_TO}$"
    ),
    rf"^(?:(?:please\s+)?(?:trace|show|path|follow)\s+)?{_FROM}{_ARROW}{_TO}$",
)
_HOW = r"(?:どうやって|どのように(?:して)?|どういうふうに|どう|いつ|どこで)"
_CALLS = r"(?:呼|到達|たどり|辿り|至|実行|届|行き着|つなが|繋が|起動)"
_JAPANESE = (
    # X から Y まで, X から Y への経路
    (
        rf"{_FROM}\s*から[、,]?\s*{_HOW}?\s*{_TO}\s*"
        r"(?:まで|への|へと|に至る|に到達|にたどり|に届|が呼ばれるまで|を呼ぶまで|が呼び出されるまで)"
    ),
    # Y は X からどのように呼ばれますか
    rf"{_TO}\s*[はが]\s*{_FROM}\s*から[、,]?\s*{_HOW}?\s*(?:呼ばれ|呼び出され|実行され)",
    # X から Y はどのように呼ばれますか
    rf"{_FROM}\s*から[、,]?\s*{_TO}\s*[はがを]\s*{_HOW}\s*{_CALLS}",
    # X はどうやって Y を呼びますか
    rf"{_FROM}\s*[はが][、,]?\s*{_HOW}\s*{_TO}\s*(?:[をにへ]|まで)\s*{_CALLS}",
    # X は Y をどうやって呼びますか
    rf"{_FROM}\s*[はが][、,]?\s*{_TO}\s*(?:[をにへ]|まで)\s*{_HOW}?\s*{_CALLS}",
)
_WAYS = tuple(re.compile(way, re.IGNORECASE) for way in (*_ENGLISH, *_JAPANESE))
# What follows an end and is no part of it.
_TAIL = re.compile(
    r"\s+(?:through|via|step by step|exactly|in this (?:repository|project|code\w*))"
    r"\b.*$"
    r"|[,;:]?\s+and\s+(?:where|what|how|which|why|when|who)\b.*$"
    r"|[。？?!！].*$|[.,;:]+$",
    re.IGNORECASE | re.DOTALL,
)
_ARTICLES = re.compile(
    r"^(?:(?:the|a|an|our|my|its|this|that|function|method|class|module|file|command"
    r"|route|endpoint|call(?:s)?(?: to| of)?|関数|メソッド|クラス)\s+)+",
    re.IGNORECASE,
)
_NOUNS = re.compile(
    r"\s*(?:\s(?:function|method|class|module|file|command|endpoint|route)"
    r"|の?(?:関数|メソッド|クラス|コマンド|ファイル|処理))$",
    re.IGNORECASE,
)
# `main` in server.py, server.py の `main`.
_FILE = r"(?P<file>[\w./-]*\w\.[a-z][a-z0-9]{0,4})"
_IN_FILE = (
    re.compile(rf"^(?P<name>.+?)\s+(?:in|of|from)\s+(?:the\s+file\s+)?{_FILE}$"),
    re.compile(rf"^{_FILE}\s*(?:の中)?の\s*(?P<name>.+)$"),
)
# Who asks, or what only the words before it say.
_NOBODIES = (
    "i we you they he she one it this that these those there something anything "
    "everything someone anyone people itself here what which who 私 これ それ"
)
_NOBODY = frozenset(_NOBODIES.split())
_CODE = re.compile(
    r"^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+/\S*$|^/\S+$"
    r"|^[^\s]*(?:\w[._#/\\]\w|::|->|\w\(|[a-z0-9][A-Z]|_\w|\w_)[^\s]*$"
)


@dataclass(frozen=True, slots=True)
class TraceEnd:
    """A definition as it was written. is_code: as a name, not in plain words.

    file: the end of the path of the file that it is said to be in, "" for none.
    """

    text: str
    is_code: bool = False
    file: str = ""


@dataclass(frozen=True, slots=True)
class TraceQuestion:
    """From where to where a question traces."""

    start: TraceEnd
    end: TraceEnd

    @property
    def is_named(self) -> bool:
        """Whether both ends are names of code, so that nothing else can be meant."""
        return all(each.is_code or each.file for each in (self.start, self.end))


def read_endpoints(text: str) -> TraceQuestion | None:
    """Return from where to where a question traces, None when it asks for no path."""
    line = " ".join(text.split())
    if not line or len(line) > _MOST_CHARACTERS:
        return None
    names: list[str] = []

    def mark(match: re.Match[str]) -> str:
        names.append(next(filter(None, match.groups())).strip())
        return f" {_MARK.format(len(names) - 1)} "

    line = " ".join(_QUOTED.sub(mark, line).split())
    line = re.sub(r"[\s?？。!！.]+$", "", line)
    for way in _WAYS:
        match = way.search(line)
        if match is not None:
            ends = _end(match["from"], names), _end(match["to"], names)
            if ends[0] and ends[1] and ends[0].text != ends[1].text:
                return TraceQuestion(ends[0], ends[1])
    return None


def _end(written: str, names: list[str]) -> TraceEnd | None:
    """Return an end without the words around its name."""
    marks = _MARKED.findall(written)
    if marks:
        # More than one name at one end says nothing that can be traced.
        return _named(names[int(marks[0])], written) if len(marks) == 1 else None
    bare = written.strip()
    for _ in range(2):
        bare = _NOUNS.sub("", _ARTICLES.sub("", _TAIL.sub("", bare).strip())).strip()
    bare = bare.strip(" \"'、,")
    is_too_long = len(bare) > _LONGEST_END or len(bare.split()) > _MOST_WORDS
    if not bare or is_too_long or bare.lower() in _NOBODY:
        return None
    name, file = _in_file(bare)
    return TraceEnd(name, bool(_CODE.match(name)), file)


def _named(name: str, written: str) -> TraceEnd | None:
    """Return an end whose name is marked, with the file that stands beside it."""
    _, file = _in_file(_MARKED.sub("it", written).strip())
    return TraceEnd(name, is_code=True, file=file) if name else None


def _in_file(text: str) -> tuple[str, str]:
    """Return an end without the file that it is said to be in, and that file."""
    for way in _IN_FILE:
        if match := way.match(text):
            return match["name"].strip(), match["file"]
    return text, ""


def written_ends(question: TraceQuestion) -> Iterable[str]:
    """Return the ends as they were written."""
    return question.start.text, question.end.text
