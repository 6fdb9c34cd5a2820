"""C and C++ as a grammar without a preprocessor can read them.

Macros that only decorate stand where no name may stand, and a condition or a brace
that is meant for one compiler alone breaks everything around it. Spaces take their
place, so that every offset stays.
"""

from __future__ import annotations

import re

# Each pattern begins with what is rare in a text: that is what makes it fast.
_ARGUMENTS = rb"(?:[ \t]*\((?:[^()\n]|\([^()\n]*\))*\))"
_CONDITIONS = re.compile(
    # extern "C" { or its end, for C++ alone.
    rb"\#[ \t]*if[^\n]*__cplusplus[^\n]*\n"
    rb"\s*(?:extern[ \t]+\"C\"\s*\{|\}[^\n]*)\s*\n[ \t]*\#[ \t]*endif[^\n]*"
    # Any condition will do.
    rb"|\#[ \t]*(?:el)?if\b[ \t]*(?P<condition>(?:\\\n|[^\n])+)"
)
_DECORATIONS = re.compile(
    # Not within a word.
    rb"[A-Z](?<!\w[A-Z])(?:"
    # class FOO_API Name {
    rb"(?:(?<=class [A-Z])|(?<=struct [A-Z])|(?<=union [A-Z]))"
    rb"[A-Z0-9_]*" + _ARGUMENTS + rb"?(?=\s+[A-Za-z_]\w*\s*(?:final\s*)?[:{<])"
    # A line of its own above a declaration.
    rb"|(?:(?<=\n[A-Z])|(?<=\A[A-Z]))[A-Z0-9_]+"
    + _ARGUMENTS
    + rb"(?=[ \t]*\n[A-Za-z_/#\n])"
    rb"|[A-Z_]*(?:_OBJECT|_GADGET|BEGIN_[A-Z_]+|END_[A-Z_]+|_DECLS)\b"
    rb"" + _ARGUMENTS + rb"?;?(?=[ \t]*\n)"
    # FOO_API and its like before a name.
    rb"|(?:[A-Z0-9]*_)*(?:(?<=[A-Z_])|(?<=_.)|(?<=\W.))"
    rb"(?:API|CAPI|EXPORTS?|EXTERN|PUBLIC|INLINE|DECL|VISIBLE|DEPRECATED|NORETURN"
    rb"|CONSTEXPR|CONSTEXPR20|NODISCARD|CALLBACK|STDCALL)(?=\s+[A-Za-z_])"
    rb"|(?:INAPI|PIENTRY|EXPORT|EXTERN)(?=\s+[A-Za-z_])"
    # Any such word before a built-in type.
    rb"|[A-Z0-9]*(?:_[A-Z0-9]+)+(?=[ \t]+(?:void|int|bool|char|u?int\d+_t|double"
    rb"|float|unsigned|static|inline|auto|struct|size_t|extern|explicit|virtual)\b)"
    rb")"
)
# What the C library's headers say behind the parameters.
_TAILS = re.compile(
    rb"__(?:BEGIN_DECLS|END_DECLS|THROW|THROWNL|wur|nonnull"
    + _ARGUMENTS
    + rb"|attr_[a-z_]+"
    + _ARGUMENTS
    + rb"|attribute_[a-z_]+__"
    + _ARGUMENTS
    + rb"?)(?!\w)"
)
# What an expression or a list goes on after.
_OPEN = {b",", b"(", b"=", b"|", b"&", b"+"}
_BEFORE = 200
_VISIBLE = re.compile(rb"[^\n]")


def without_macros(data: bytes) -> bytes:
    """Return the text with spaces for what is meant for the preprocessor alone."""
    data = _CONDITIONS.sub(_without_condition, data)
    data = _TAILS.sub(blank, data)
    return _DECORATIONS.sub(_without_decoration, data)


def _without_condition(match: re.Match[bytes]) -> bytes:
    condition = match["condition"]
    if condition is None:
        return blank(match)
    kept = len(match[0]) - len(condition)
    return match[0][:kept] + b"1" + _VISIBLE.sub(b" ", condition[1:])


def _without_decoration(match: re.Match[bytes]) -> bytes:
    text = match.string
    line = text.rfind(b"\n", 0, match.start()) + 1
    if text[line : match.start()].lstrip()[:1] == b"#":
        return match[0]
    before = text[max(0, match.start() - _BEFORE) : match.start()].rstrip()
    return match[0] if before[-1:] in _OPEN else blank(match)


def blank(match: re.Match[bytes]) -> bytes:
    """Return spaces in place of what was found, line ends kept."""
    return _VISIBLE.sub(b" ", match[0])
