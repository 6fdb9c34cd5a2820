"""C and C++ as a grammar without a preprocessor can read them.

Macros that only decorate stand where no name may stand, and a condition or a brace
that is meant for one compiler alone breaks everything around it. Spaces take their
place, so that every offset stays.
"""

from __future__ import annotations

import re

from devrag.parsing.languages.blanking import VISIBLE, blank
from devrag.parsing.languages.c_branches import with_whole_branches

# Each pattern begins with what is rare in a text: that is what makes it fast.
_ARGUMENTS = rb"(?:[ \t]*\((?:[^()\n]|\([^()\n]*\))*\))"
_FOR_CPLUSPLUS = re.compile(
    # extern "C" { or its end.
    rb"\#[ \t]*if[^\n]*__cplusplus[^\n]*\n"
    rb"\s*(?:extern[ \t]+\"C\"\s*\{|\}[^\n]*)\s*\n[ \t]*\#[ \t]*endif[^\n]*"
)
_CONDITIONS = re.compile(
    # Any will do.
    rb"\#[ \t]*(?:el)?if\b[ \t]*(?P<condition>(?:\\\n|[^\n])+)"
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
    # The same without arguments: above a blank line, a directive or a keyword, for it
    # may be the type of the function below.
    rb"|(?P<alone>[A-Z0-9]*_[A-Z0-9_]+)(?=[ \t]*\n[ \t]*(?:\n|\#|/[/*]|(?:template"
    rb"|namespace|class|struct|union|enum|typedef|using|friend|static|extern|inline"
    rb"|const|constexpr|explicit|virtual|void|bool|char|int|unsigned|long)\b))"
    # What a lock's name is told with, and other words behind a declaration.
    rb"|(?:UARDED_BY|OCKS_EXCLUDED|[A-Z_]*(?:_GUARDED_BY|LOCKS?_REQUIRED|LOCKS_EXCLUDED"
    rb"|LOCK_FUNCTION|SAFETY_ANALYSIS|_ATTR|_NON_NULL|_SENTINEL))\b"
    + _ARGUMENTS
    + rb"?(?=\s*[;{=]|\s*\n)"
    rb"|[A-Z_]*(?:_OBJECT|_GADGET|BEGIN_[A-Z_]+|END_[A-Z_]+|_DECLS)\b"
    rb"" + _ARGUMENTS + rb"?;?(?=[ \t]*\n)"
    # FOO_API and its like before a name.
    rb"|(?:[A-Z0-9]*_)*(?:(?<=[A-Z_])|(?<=_.)|(?<=\W.))"
    rb"(?:API|CAPI|EXPORTS?|EXTERN|PUBLIC|INLINE|DECL|VISIBLE|DEPRECATED|NORETURN"
    rb"|CONSTEXPR|CONSTEXPR20|NODISCARD|CALLBACK|STDCALL|FUNC|API_)(?=\s+[A-Za-z_])"
    rb"|(?:INAPI|SAAPI|PIENTRY|ALLBACK|ASCAL|EXPORT|EXTERN)(?=\s+[A-Za-z_]|[ \t]*\*)"
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
# A type where a function takes values: `va_arg(list, int)`, `of(at, struct item, x)`.
_LISTED = re.compile(rb"va_arg\([^(),\n]+(,[^()\n]*)")
_STRUCT = re.compile(rb", (struct)(?=[ ]\w+,)")
# Sections of a class of Qt.
_SLOTS = re.compile(
    rb"(?:public|private|protected)(\s+(?:Q_SLOTS|slots))(?=\s*:)"
    rb"|(?<=\n)([ \t]*(?:Q_SIGNALS|signals)[ ]*:)"
)
# A table over several lines, and what the preprocessor is told inside of one.
_TABLE = re.compile(rb"\][ \t]*=[ \t]*\{[ \t]*\n")
_DIRECTIVE = re.compile(rb"(?m)^[ \t]*\#[ \t]*(?:include|define|undef)\b[^\n]*")
# What an expression or a list goes on after.
_OPEN = {b",", b"(", b"=", b"|", b"&", b"+"}
_BEFORE = 200


def without_macros(data: bytes) -> bytes:
    """Return the text with spaces for what is meant for the preprocessor alone."""
    data = with_whole_branches(_FOR_CPLUSPLUS.sub(blank, data))
    data = _without_directives_in_tables(data)
    data = _CONDITIONS.sub(_without_condition, data)
    data = _STRUCT.sub(_without_end, _TAILS.sub(blank, data))
    data = _LISTED.sub(_without_end, data)
    if b"slots" in data or b"signals" in data or b"Q_S" in data:
        data = _SLOTS.sub(_without_end, data)
    return _DECORATIONS.sub(_without_decoration, data)


def _without_directives_in_tables(data: bytes) -> bytes:
    for start in [match.end() for match in _TABLE.finditer(data)]:
        end = data.find(b"\n}", start)
        if data[end : end + 3] == b"\n};" and data.find(b"#", start, end) > 0:
            body = _DIRECTIVE.sub(blank, data[start:end])
            data = data[:start] + body + data[end:]
    return data


def _without_condition(match: re.Match[bytes]) -> bytes:
    condition = match["condition"]
    kept = len(match[0]) - len(condition)
    return match[0][:kept] + b"1" + VISIBLE.sub(b" ", condition[1:])


def _without_end(match: re.Match[bytes]) -> bytes:
    """Return what was found with spaces for the group that ends it."""
    kept = match.start(match.lastindex or 0) - match.start()
    return match[0][:kept] + VISIBLE.sub(b" ", match[0][kept:])


def _without_decoration(match: re.Match[bytes]) -> bytes:
    text = match.string
    line = text.rfind(b"\n", 0, match.start()) + 1
    indent = text[line : match.start()].lstrip()
    if indent[:1] == b"#" or (match["alone"] and indent):
        return match[0]
    before = text[max(0, match.start() - _BEFORE) : match.start()].rstrip()
    return match[0] if before[-1:] in _OPEN else blank(match)
