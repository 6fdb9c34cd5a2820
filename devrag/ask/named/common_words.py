"""English words that a question means as words, not as names of definitions: pure."""

from __future__ import annotations

from devrag.ask.asking_words import asks_only

# These stand for something else; beside a kind, too: "this function".
_STANDING_FOR = (
    "it its itself this that these those they them their theirs he him his she her "
    "hers we us our ours i me my mine you your yours one ones who whom whose what "
    "which something anything everything nothing somebody anybody everybody nobody "
    "someone anyone everyone each every all any some none both either neither other "
    "others another such same a an the"
)
# Nobody asks with these about a definition without marking them as code.
_COMMON = (
    "about advice again already also always and annotations api apis applications "
    "architecture are as assistance background basics be been being best bug bugs "
    "business by called changelog changes code codebase company concept concepts "
    "constructed contact contributors copyright customers dependencies design "
    "developers directory doc docs documentation docstrings done everywhere example "
    "examples feature features folder folders for from functionality functions "
    "glossary going guidance guide guidelines guides had has have help here how if "
    "imported imports in information instantiated instructions introduction invoked "
    "is issues license licence located maintainers many meaning methods modules more "
    "most needed new news not of on only or overview package packages people policy "
    "prerequisites problem problems product programming project readme reference "
    "referenced references release releases repository requirements resources rules "
    "security software sources standard standards structure support team teams "
    "technology terms than then there things to tools tutorial tutorials used users "
    "was well were when where will with words"
)
_STANDING_FOR_WORDS = frozenset(_STANDING_FOR.split())
_COMMON_WORDS = frozenset(_COMMON.split())


def is_only_word(name: str, *, is_marked: bool, has_kind: bool) -> bool:
    """Return whether a written name is a word of the language, and no definition.

    is_marked: it stands between quotation marks, or parentheses follow. has_kind: a
    word like "function" is beside it.
    """
    if is_marked or not (name.isalpha() and name.islower()):
        return False
    if name in _STANDING_FOR_WORDS:
        return True
    return not has_kind and (name in _COMMON_WORDS or asks_only(name))
