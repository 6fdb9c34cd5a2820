"""Restate a question whose words mean a definition that it does not name itself.

And where is it called?                →  where is `Command.Execute` called?
What about `Command.Find`?             →  How does `Command.Find` work?
How does res.sendfil work?             →  How does `res.sendFile` work?

A follow-up gets the definition of the question before it, a misspelled name the one
definition that is spelled nearly so.
"""

from __future__ import annotations

import re
from dataclasses import replace

from django.utils import translation
from django.utils.translation import gettext

from devrag.ask.language import language_of
from devrag.ask.named.definitions import find_definitions
from devrag.ask.named.misspelled import find_misspelled
from devrag.ask.named.question import read_names
from devrag.ask.types import AskRequest

_NAME = r"`?(?P<name>[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*)*)(?:\(\))?`?"
# A follow-up that is nothing but another name.
_OTHER_NAME = (
    re.compile(rf"^(?:and\s+)?(?:what|how)\s+about\s+{_NAME}\W*$", re.IGNORECASE),
    re.compile(rf"^and\s+{_NAME}\W*$", re.IGNORECASE),
    re.compile(
        rf"^(?:では|じゃあ|それでは|次に)?[、\s]*{_NAME}\s*"
        r"(?:は|については|の場合は)(?:どう(?:です|でしょう)か)?[？?。]*$"
    ),
)
_BEGIN = re.compile(
    r"^\s*(?:and|but|so|then|also|では|じゃあ|そして|また)[,、\s]*", re.I
)
_ITS = re.compile(r"\bits\s+(?P<what>[\w-]+(?:\s+[\w-]+)?)(?=\W*$|\s+and\b)", re.I)
_IT = re.compile(
    r"\b(?:it|(?:this|that|the\s+same)\s+(?:function|method|class|type|one))\b",
    re.IGNORECASE,
)
_ITS_IN_JAPANESE = re.compile(r"その(?!他|後|ため|場合|とき|時)|それの|これの")
_IT_IN_JAPANESE = re.compile(
    r"(?:その|この)(?:関数|メソッド|クラス|型)|(?:それ|これ)(?=[はをがに]|$)"
)


def restate(request: AskRequest) -> tuple[AskRequest, tuple[str, ...]]:
    """Return the question that is meant, with a note where it is another one.

    Raises NotFound for a scope that the asker cannot see.
    """
    follow_up = _restated_follow_up(request)
    if follow_up is not None:
        return follow_up, (_note(request, follow_up.question),)
    if wrong := find_misspelled(request):
        text = request.question.replace(wrong.written, wrong.meant)
        with translation.override(language_of(request)):
            said = gettext(
                "No definition is named “%(written)s”; this is about “%(meant)s”."
            ) % {"written": wrong.written, "meant": wrong.meant}
        return replace(request, question=text), (said,)
    return request, ()


def _note(request: AskRequest, question: str) -> str:
    with translation.override(language_of(request)):
        return gettext("Understood as: %(question)s") % {
            "question": question.replace("`", "")
        }


def _restated_follow_up(request: AskRequest) -> AskRequest | None:
    """Return a follow-up with the name that it goes on about, None for another one."""
    if not request.history:
        return None
    before = replace(
        request, question=request.history[-1].question, history=request.history[:-1]
    )
    earlier = _restated_follow_up(before) or before
    text = restate_text(request.question, earlier.question)
    if text is None:
        return None
    alone = replace(request, question=text, history=(), language=language_of(request))
    return alone if find_definitions(alone) else None


def restate_text(question: str, before: str) -> str | None:
    """Return a follow-up as a question of its own, None where it cannot be one."""
    named = read_names(before)
    if named is None or len(named.names) != 1:
        return None
    name = named.names[0]
    line = " ".join(question.split())
    for way in _OTHER_NAME:
        if match := way.match(line):
            return _with_name(before, name, match["name"])
    own = read_names(line)
    if own is not None and own.names[0].lower() not in {"it", "its", "this", "that"}:
        return None
    text = _BEGIN.sub("", line)
    marked = f"`{name}`"
    for way, said in (
        (_ITS, rf"the \g<what> of {marked}"),
        (_IT, marked),
        (_IT_IN_JAPANESE, f"{marked} "),
        (_ITS_IN_JAPANESE, f"{marked} の"),
    ):
        found, count = way.subn(said, text, count=1)
        if count:
            return found[:1].upper() + found[1:]
    return None


def _with_name(question: str, name: str, other: str) -> str | None:
    """Return a question about another name than the one that it has."""
    written = re.compile(rf"`?(?<![\w.$]){re.escape(name)}(?![\w$])(?:\(\))?`?")
    found, count = written.subn(f"`{other}`", " ".join(question.split()))
    return found if count else None
