"""Tags of JSDoc, Javadoc and Doxygen, `@param {string} name - what it is`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from inspect import cleandoc

# Lines that are indented by more are samples, in which decorators look like tags.
_TAG = re.compile(r"^[ ]{0,3}[@\\](?P<tag>[a-zA-Z]+)(?:\s+(?P<rest>.*))?$")
_TYPE = re.compile(r"\{(?P<type>(?:[^{}]|\{[^{}]*\})*)\}\s*")
_NAME = re.compile(
    r"\[?(?P<name>[\w$.*]+)(?:\[\])?(?:\s*=[^\]]*)?\]?\s*:?\s*(?:[-–]\s+)?"
)
_INLINE = re.compile(r"\{@(?:code|link|linkplain|literal)\s([^{}]*)\}")
_PARAMETERS = frozenset({"param", "arg", "argument", "prop", "property"})
_RETURNS = frozenset({"return", "returns"})
_THROWS = frozenset({"throws", "exception", "raises"})
# What these say stands beside the definition, or is for its tools, but for sentences.
_SILENT = frozenset(
    {
        *("public", "private", "protected", "api", "ignore", "internal", "inner"),
        *("memberof", "function", "method", "class", "constructor", "static"),
        *("type", "typedef", "name", "override", "inheritdoc", "export", "module"),
    }
)
# Decorators in samples look like tags: only these are some.
_SAID = {
    "deprecated": "Deprecated",
    "since": "Since",
    "see": "See",
    "version": "Version",
    "author": "Author",
    "yields": "Yields",
    "default": "Default",
    "template": "Type parameter",
}


@dataclass(frozen=True, slots=True)
class DocumentedTypes:
    """Types that a comment gives to parameters, by name, and to what is returned."""

    parameters: dict[str, str] = field(default_factory=dict)
    returned: str = ""


def to_markdown(line: str) -> str | None:
    """Return a line that begins with a tag as an item of a list; None for any other.

    Of a tag that says nothing to readers only a sentence behind it is left.
    """
    found = _TAG.match(line)
    if found is None:
        return None
    tag, rest = found["tag"].lower(), _plain(found["rest"] or "")
    if tag in _SILENT:
        words = _take_type(rest)[1].strip()
        return words if " " in words else ""
    if tag in _SAID:
        return f"- **{_SAID[tag]}**: {rest}" if rest else f"- **{_SAID[tag]}**"
    if tag not in _PARAMETERS | _RETURNS | _THROWS:
        return None
    type_, words = _take_type(rest)
    of_type = f" (`{type_}`)" if type_ else ""
    if tag in _PARAMETERS:
        name = _NAME.match(words)
        if name is None:
            return None
        return _item(f"`{name['name']}`{of_type}", words[name.end() :])
    title = "Returns" if tag in _RETURNS else "Throws"
    return _item(f"**{title}**{of_type}", words)


def is_tag(line: str) -> bool:
    """Return whether a line begins with a tag."""
    return _TAG.match(line) is not None


def is_example(line: str) -> bool:
    """Return whether the lines below are sample code, up to the next tag."""
    return line.strip() == "@example"


def read_types(comment: str) -> DocumentedTypes:
    """Return the types that the tags of a comment tell; its own indent does not count.

    >>> read_types("@param {Boolean|String} val\\n@return {this}").parameters
    {'val': 'Boolean|String'}
    """
    parameters: dict[str, str] = {}
    returned = ""
    for line in cleandoc(comment).splitlines():
        found = _TAG.match(line)
        if found is None:
            continue
        type_, words = _take_type(found["rest"] or "")
        name = _NAME.match(words)
        if type_ and found["tag"] in _PARAMETERS and name:
            parameters.setdefault(name["name"], type_)
        elif type_ and found["tag"] in _RETURNS:
            returned = returned or type_
    return DocumentedTypes(parameters, returned)


def _take_type(text: str) -> tuple[str, str]:
    """Return the type in braces that a text begins with, and the rest."""
    found = _TYPE.match(text)
    return (found["type"].strip(), text[found.end() :]) if found else ("", text)


def _item(head: str, words: str) -> str:
    return f"- {head}: {words}" if words.strip() else f"- {head}"


def _plain(text: str) -> str:
    return _INLINE.sub(lambda found: f"`{found[1].strip()}`", text)
