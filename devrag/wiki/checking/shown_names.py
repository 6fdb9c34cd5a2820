"""Whether a name in backticks stands in lines, as a reader of these lines would say."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterable, Iterator

from devrag.wiki.analysis.names import is_name_like
from devrag.wiki.evidence.blocks import CODE_SPAN, links_in

CODE = CODE_SPAN
NameTest = Callable[[str], bool]
_JOINTS = re.compile(r"(?:\.(?!\.)|::|->|#|/|:)+")
_LEFT_OUT = re.compile(r"\.{3}|…|\*|<[^<>]*>|\{[^{}]*\}")
_CALL = re.compile(r"\([^()]*\)$")
_ENDING = re.compile(r"_\w+")
# Where a sentence speaks of how names begin or end.
_OF_AFFIXES = re.compile(
    r"\b(?:prefix|suffix|(?:begin|start|end)(?:s|n?ing)? (?:with|in)\b)"
    r"|接頭|接尾|始ま|終わ",
    re.IGNORECASE,
)
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z\d]+")


def _is_exception(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


# Words of programming languages: they name nothing of this code.
KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """abstract and as assert async await base bool boolean break byte case catch
    char class const continue def default defer delegate delete do double elif else enum
    except export extends extern false False final finally float fn for foreach from
    func function global go goto if impl implements import in inline int interface
    internal is lambda let long loop match mod module mut namespace new nil None
    nonlocal not null object or out override package params partial pass private
    protected pub public raise readonly record ref return sealed select self short
    static str string struct super switch synchronized this throw throws trait true
    True try type typeof undefined union unsafe use using val var virtual void volatile
    when where while with yield""",
    )
)
# Of an example in numbers: what a reader calculates with, and single letters.
# Every class of Python may have them, as `__new__`.
_SPECIAL_METHOD = re.compile(r"__[a-z]+__")
_ARITHMETIC = frozenset(
    re.findall(r"\w+", "floor ceil abs min max sum round sqrt log len")
)
# What languages raise by themselves: a conclusion may name it, and no line has to.
_ERRORS = frozenset(
    [
        *(name for name, of in vars(builtins).items() if _is_exception(of)),
        *("RangeError", "ReferenceError", "NullPointerException", "ClassCastException"),
        *("IllegalArgumentException", "IllegalStateException", "NumberFormatException"),
        *("IndexOutOfBoundsException", "UnsupportedOperationException"),
        *("NoMethodError", "ArgumentError", "NullReferenceException"),
    ]
)
_CONCLUDES = re.compile(
    r"\b(?:so|thus|hence|therefore|would|otherwise|fails?|because|since)\b|\AAs\b"
    r"|ため|ので|したがって|よって|なければ",
    re.IGNORECASE,
)
# What a sentence says is not there cannot stand in its lines: “without a `retry`”.
_ABSENT_BEFORE = re.compile(
    r"""(?:\b(?:no|without|lacks?|neither|nor|ignor(?:es?|ed|ing)|instead\ of
      |rather\ than|unlike) | \bbut\ not | \b(?:does|do|is|are|has|have)\ not
      (?!\ only\b)(?:\ [a-z]+)? | n['’]t(?:\ [a-z]+)?)
    (?:\ (?:an?|the|any|its|their|such|further|more))*\ \Z""",
    re.VERBOSE | re.IGNORECASE,
)
_ABSENT_AFTER = re.compile(
    r"\A(?: [a-z]+){0,4} (?:is|are|was|were) not [a-z]+ed\b", re.IGNORECASE
)
_ABSENT_AFTER_JA = re.compile(r"\A[^、。`]{0,12}(?:ない|なし|せず|ません)")


def names_in(sentence: str) -> list[str]:
    """Return the names that a sentence has in backticks, labels of links left aside."""
    return [name for name, _ in _named(sentence)]


def missing_names(
    sentence: str,
    texts: Iterable[str],
    exists: NameTest | None = None,
    is_indexed: NameTest | None = None,
) -> list[str]:
    """Return the names of a sentence that none of these texts shows.

    A name that the sentence says is not there need only exist. exists: whether the
    product has it anywhere; is_indexed: whether the index has it; None: not known.
    """
    text = "\n".join(texts)
    return [
        name
        for name, match in _named(sentence)
        if not is_shown(name, text, sentence, is_indexed)
        and not (_is_absent(sentence, match) and (not exists or exists(name)))
    ]


def _named(sentence: str) -> Iterator[tuple[str, re.Match[str]]]:
    labels = " ".join(label for label, _ in links_in(sentence))
    for match in CODE.finditer(sentence):
        name = match.group(2).strip()
        is_name = is_name_like(name) and not is_of_language(name, sentence)
        if is_name and f"`{name}`" not in labels:
            yield name, match


def is_of_language(name: str, sentence: str) -> bool:
    """Return whether a name of a sentence is none of the code that it is about.

    >>> is_of_language("TypeError", "So it raises a `TypeError`.")
    True
    """
    if name in KEYWORDS or name in _ARITHMETIC or len(name) == 1:
        return True
    if _SPECIAL_METHOD.fullmatch(name):
        return True
    return name in _ERRORS and _CONCLUDES.search(sentence) is not None


def _is_absent(sentence: str, match: re.Match[str]) -> bool:
    """Return whether a sentence says that the name is not there."""
    before, after = sentence[: match.start()], sentence[match.end() :]
    if _ABSENT_BEFORE.search(before):
        return True
    return bool(_ABSENT_AFTER.search(after) or _ABSENT_AFTER_JA.search(after))


def is_shown(
    span: str, text: str, sentence: str = "", is_indexed: NameTest | None = None
) -> bool:
    """Return whether a text holds a name, or every part of one that is put together.

    `Class.method()` is shown where both are; `/etc/…` and `LLM_*` by what they spell;
    `create_` by what begins with it, where the sentence speaks of a prefix.
    """

    def stands(name: str) -> bool:
        return (
            _stands(name, text)
            or _stands_otherwise(name, text)
            or _is_number_of(name, text, is_indexed)
            or (bool(_OF_AFFIXES.search(sentence)) and _is_affix(name, text))
        )

    bare = _CALL.sub("", span.strip()).strip()
    if stands(bare):
        return True
    spelt = [piece.strip("./:@") for piece in _LEFT_OUT.split(bare)]
    if len(spelt) > 1:
        return any(spelt) and all(piece in text for piece in spelt)
    parts = [part for part in _JOINTS.split(bare.strip("@./:")) if part]
    return bool(parts) and all(map(stands, parts))


def _stands_otherwise(name: str, text: str) -> bool:
    """Return whether a text has a name in another form that is the same to a reader.

    `run-all` is the command of `run_all`, `AUTO` the constant for "auto", `limit` the
    parameter kept as `_limit`, and a document writes “Enum validator” of
    `EnumValidator`.
    """
    if _stands(f"_{name}", text):
        return True
    if name.isupper() and re.search(rf"[`'\"]{re.escape(name.lower())}[`'\"]", text):
        return True
    if "-" in name and _stands(name.replace("-", "_"), text):
        return True
    humps = _HUMP.findall(name)
    if len(humps) < 2 or "".join(humps) != name:
        return False
    apart = r"[ -]".join(map(re.escape, humps))
    return re.search(rf"\b{apart}s?\b", text, re.IGNORECASE) is not None


def _is_number_of(name: str, text: str, is_indexed: NameTest | None) -> bool:
    """Return whether a text has one where `Validators` are named, or several for one.

    Not where the index has the plural: `Option` and `Options` are then two types.
    """
    if not name[:1].isupper():
        return False
    if _stands(f"{name}s", text):
        several = f"{name}s"
    elif name.endswith("s") and _stands(name[:-1], text):
        several = name
    else:
        return False
    return is_indexed is None or not is_indexed(several)


def _is_affix(name: str, text: str) -> bool:
    """Return whether words of a text begin with `name_`, or end with `_name`."""
    if name.endswith("_"):
        return re.search(rf"(?<!\w){re.escape(name)}\w", text) is not None
    is_ending = _ENDING.fullmatch(name) is not None
    return is_ending and re.search(rf"\w{re.escape(name)}(?!\w)", text) is not None


def _stands(name: str, text: str) -> bool:
    """Return whether a name stands in a text, not as a part of another word."""
    at = text.find(name) if name else -1
    while at >= 0:
        end = at + len(name)
        if not (
            _joins(text[at - 1 : at], name[0]) or _joins(name[-1], text[end : end + 1])
        ):
            return True
        at = text.find(name, at + 1)
    return False


def _joins(before: str, after: str) -> bool:
    """Return whether two characters are within one word."""
    return (before.isalnum() or before == "_") and (after.isalnum() or after == "_")
