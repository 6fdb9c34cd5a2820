"""Whether a question is in a language that the analyser does not know."""

from __future__ import annotations

import re

# Three letters: formulas have single ones.
_FOREIGN_WORD = re.compile(r"[\u0370-\u1dff\u2c00-\u2dff\ua000-\uabff\uac00-\ud7ff]{3}")
_ENOUGH = 2
_ENGLISH = frozenset(
    re.findall(
        r"\w+",
        "the a an is are was were be does do did how what where when which why who of "
        "to in on for with and or not it its this that from by at can",
    )
)
# What questions begin with in languages whose sentences are often as short as three
# words; none is an English word.
_OPENER = re.compile(
    r"\W*(?:wie|wieso|wer|wo|wohin|woher|womit|wofür|wann|warum|weshalb|welche[mnrs]?"
    r"|où|quand|pourquoi|quel(?:le)?s?|combien|cómo|dónde|cuándo|cuál(?:es)?|qué|quién"
    r"|quais|quando|quem|dove|perché|quale|quali|hoe|waar|waarom|welke|wanneer"
    r"|jak|gdzie|kiedy|dlaczego|który|która|które)\b",
    re.IGNORECASE,
)
# Of Chinese, in a text without the kana that a Japanese question has.
_CHINESE = re.compile(r"[吗呢么怎这哪]|如何|为什|是否")
_KANA = re.compile(r"[\u3041-\u30ff]")
# German, French, Spanish, Portuguese, Italian, Dutch, Polish.
_SMALL_WORDS = tuple(
    frozenset(line.split())
    for line in """
der die das den dem ein eine einen ich wie wo wer was wann warum welche ist wird werden
le la les un une des du est sont comment où quand pourquoi quel quelle que dans pour
el los las un una del es son está cómo como dónde donde cuándo qué quién se para con
o os as um uma do da é são como onde quando qual quais que quem em no na para com não
il lo la gli un una di della è sono come dove quando quale perché che chi si per con
de het een is zijn hoe waar wanneer waarom welke wat wie wordt worden en van niet met
jest są jak gdzie kiedy dlaczego który która które co kto się z do nie dla przez
""".strip().splitlines()
)


def is_foreign(text: str) -> bool:
    """Return whether a question is neither in English nor in Japanese, as it seems.

    Its script tells, or else the word that it begins with, or the small words that a
    language has in every sentence.
    """
    if _FOREIGN_WORD.search(text):
        return True
    if _CHINESE.search(text) and not _KANA.search(text):
        return True
    words = re.findall(r"[^\W\d_]+", text.lower())
    english = sum(word in _ENGLISH for word in words)
    most = max(sum(word in own for word in words) for own in _SMALL_WORDS)
    has_accents = any(not word.isascii() for word in words)
    if not english and _OPENER.match(text):
        return True
    return most > english and (most >= _ENOUGH or has_accents)
