"""Read which definition a question names, and whether it asks for its uses: pure text.

Where is `res.json` defined?          →   res.json
Where is app.listen used?             →   app.listen, its uses
CheckErr はどこから呼ばれますか？     →   CheckErr, its uses
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from devrag.ask.named.common_words import is_only_word

_MOST_CHARACTERS, _MOST_NAMES = 300, 2
_PART = r"[A-Za-z_$][A-Za-z0-9_$]*"
_WRITTEN = rf"{_PART}(?:(?:\.|::|->|#){_PART})*"
_NAME = rf"(?P<open>[`'\"“「]*)(?P<name>{_WRITTEN})(?P<called>\(\))?[`'\"”」]*"
_KINDS = (
    r"(?:function|method|class|struct|type|interface|enum|constant|variable|decorator"
    r"|macro|hook|module)"
)
_IT = rf"(?:the\s+)?(?:{_KINDS}\s+)?{_NAME}(?:\s+{_KINDS})?"
_JAPANESE_KINDS = r"(?:関数|メソッド|クラス|構造体|型|定数|変数)"
_ITS = rf"{_NAME}\s*(?:という)?(?:の)?{_JAPANESE_KINDS}?\s*"
_AFTER_KIND = re.compile(rf"\b{_KINDS}\s+$", re.IGNORECASE)
_BEFORE_KIND = re.compile(
    rf"\s+{_KINDS}\b|\s*(?:という)?(?:の)?{_JAPANESE_KINDS}", re.IGNORECASE
)
_USED = r"(?:used|called|invoked|referenced|imported|instantiated|constructed|needed)"
_USES = r"(?:calls?|uses?|invokes?|references?|imports?|instantiates?|depends\s+on)"
_WHO = r"(?:who|what|(?:what|which)(?:\s+\w+){1,3})"
_IN_JAPANESE = r"(?:呼ばれ|呼び出され|使われ|使用され|利用され|参照され|インポートされ)"
_JAPANESE_CALLERS = r"(?:呼んで|呼び出して|使って|使用して|利用して|参照して)いる"
_OF_USES = (
    rf"\bwhere\s+(?:is|are|was|does|gets?)\s+{_IT}\s+(?:get\s+|being\s+)?{_USED}\b",
    rf"^{_WHO}\s+{_USES}\s+{_IT}\W*$",
    rf"\bwhere\s+(?:do|does|can)\s+(?:we|i|it|they|the\s+\w+)\s+{_USES}\s+{_IT}\W*$",
    rf"\b(?:callers?|usages?|uses|references|call\s+sites?)\s+(?:of|to)\s+{_IT}\W*$",
    rf"\bhow\s+(?:often|many\s+times)\s+is\s+{_IT}\s+{_USED}\b",
    rf"{_ITS}(?:は|が|を|って)?[、,]?\s*(?:どこ|どの|誰|何箇所|何か所).{{0,12}}{_IN_JAPANESE}",
    rf"{_ITS}を\s*(?:どこ|どの|誰|何).{{0,12}}{_JAPANESE_CALLERS}",
    rf"{_ITS}を\s*{_JAPANESE_CALLERS}",
    rf"どこ(?:で|から)\s*{_ITS}[はがを]\s*{_IN_JAPANESE}",
    rf"{_ITS}が\s*{_IN_JAPANESE}.{{0,6}}(?:場所|箇所|ところ|関数|ファイル)",
    (
        rf"{_ITS}を\s*(?:呼び?出す|呼ぶ|使う|使用する|利用する|参照する)\s*"
        r"(?:関数|メソッド|箇所|場所|ところ|コード|ファイル)"
    ),
    rf"{_ITS}の\s*(?:呼び?出し?(?:元|箇所|側)|(?:使用|利用|参照)(?:元|箇所|場所))",
)
# Asked for in a sentence of its own, after the name.
_AND_USES = re.compile(
    r"[。？?.]\s*(?:また[、,]?)?\s*(?:どこ|誰).{0,6}(?:呼ばれ|呼び出され|使われ|使用され|利用され)"
    rf"|[.?;,]?\s+(?:and\s+)?(?:where\s+is\s+it\s+{_USED}|who\s+{_USES}\s+it)\b",
    re.IGNORECASE,
)
_OF_PLACES = (
    (
        rf"\bwhere\s+(?:is|are)\s+{_IT}\s+"
        r"(?:defined|declared|implemented|located)\b"
    ),
    rf"\bwhere\s+(?:is|are|can\s+i\s+find|do\s+i\s+find)\s+{_IT}\W*$",
    (
        rf"{_ITS}[はが][、,]?\s*どの?(?:こ|ファイル)[にで]?\s*"
        r"(?:定義|宣言|実装|あり|ある|です|[？?]|$)"
    ),
    rf"どこ[でに]\s*{_ITS}[はが]\s*(?:定義|宣言|実装|あり|ある)",
    rf"{_ITS}の\s*(?:定義|宣言|実装)(?:場所|箇所|元|は?\s*どこ)",
)
_OF_DEFINITIONS = (
    *_OF_PLACES,
    rf"\bwhat\s+(?:does|do)\s+{_IT}\s+(?:do|return|mean|accept|take|expect)\b",
    rf"\bhow\s+(?:does|do)\s+{_IT}\s+work\b",
    rf"\bhow\s+is\s+{_IT}\s+(?:defined|declared|implemented)\b",
    rf"^what(?:\s+is|'s)\s+{_IT}(?:\s+(?:for|used\s+for|good\s+for))?\W*$",
    rf"^(?:explain|describe|show(?:\s+me)?)\s+{_IT}\W*$",
    rf"\b(?:definition|implementation|purpose|signature)\s+of\s+{_IT}\W*$",
    rf"{_ITS}(?:は|が)[、,]?\s*(?:何を|なにを|どう|どのよう|どんな|どこ[でに]|何の)",
    rf"{_ITS}(?:とは|って何|は何(?:です|$|？|\?))",
    rf"{_ITS}の\s*(?:定義|実装|役割|動作|仕組み|使い方|目的|引数|戻り値|機能|処理)",
    rf"{_ITS}(?:について)?(?:を)?\s*(?:説明|教えて)",
)
_USES_ASKED = tuple(re.compile(way, re.IGNORECASE) for way in _OF_USES)
_PLACE_ASKED = tuple(re.compile(way, re.IGNORECASE) for way in _OF_PLACES)
_DEFINITION_ASKED = tuple(re.compile(way, re.IGNORECASE) for way in _OF_DEFINITIONS)
_WRITTEN_AS_CODE = re.compile(
    rf"`(?P<quoted>{_WRITTEN})(?:\(\))?`|(?<![\w.$/-])(?P<bare>{_WRITTEN})(?![\w/-])",
    re.ASCII,
)
# What nobody writes in prose: snake_case, camelCase, a.b, A::b.
_CODE_LIKE = re.compile(r"\w_\w|[a-z0-9][A-Z]|\w(?:\.|::|->|#)\w")


@dataclass(frozen=True, slots=True)
class NameQuestion:
    """The definitions that a question names, as they were written.

    is_exact: one is what it asks about, not only named by it. is_about_uses: asked is
    where it is used. is_about_place: where it is defined, and nothing else.
    """

    names: tuple[str, ...]
    is_exact: bool = False
    is_about_uses: bool = False
    is_about_place: bool = False


def read_names(text: str) -> NameQuestion | None:
    """Return what a question names, None where it has no name that can be code."""
    line = " ".join(text.split())
    if not line or len(line) > _MOST_CHARACTERS:
        return None
    if match := _first_name(_USES_ASKED, line):
        return NameQuestion((match["name"],), is_exact=True, is_about_uses=True)
    if match := _first_name(_DEFINITION_ASKED, line):
        also = _AND_USES.search(line, match.end("name")) is not None
        is_place = not also and _first_name(_PLACE_ASKED, line) is not None
        return NameQuestion(
            (match["name"],),
            is_exact=True,
            is_about_uses=also,
            is_about_place=is_place,
        )
    names = dict.fromkeys(
        match["quoted"] or match["bare"]
        for match in _WRITTEN_AS_CODE.finditer(line)
        if match["quoted"] or _CODE_LIKE.search(match["bare"])
    )
    return NameQuestion(tuple(names)[:_MOST_NAMES]) if names else None


def is_code_like(name: str) -> bool:
    """Return whether nobody writes a name so in prose."""
    return _CODE_LIKE.search(name) is not None


def _first_name(ways: Sequence[re.Pattern[str]], line: str) -> re.Match[str] | None:
    """Return the first match whose name is no word of the language."""
    matches = (match for way in ways for match in way.finditer(line))
    return next((match for match in matches if _is_name(match)), None)


def _is_name(match: re.Match[str]) -> bool:
    line, name = match.string, match["name"]
    before, after = match.start("open"), match.end("name")
    has_kind = _AFTER_KIND.search(line[:before]) or _BEFORE_KIND.match(line, after)
    return not is_only_word(
        name,
        is_marked=bool(match["open"] or match["called"]),
        has_kind=bool(has_kind),
    )
