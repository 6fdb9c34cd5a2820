"""XML without document types: nothing in it expands, and nothing is fetched.

Entities and addresses of other files can only be declared in a document type, so one
that has any is refused before it is parsed. Names lose their namespaces: `w:p` is `p`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any
from xml.etree.ElementTree import Element, ParseError, XMLParser, XMLPullParser
from xml.parsers import expat

from devrag.parsing.office.errors import broken

# What may come before the first element: a declaration, comments.
_PROLOG_BYTES = 64 * 1024
_BAD = (ParseError, ValueError, LookupError)


class _Begun(Exception):
    """The first element was reached."""


def parse_xml(data: bytes) -> Element:
    """Return the root of a part. Raises Unusable for what is no plain XML."""
    _check_prolog(data)
    parser = XMLParser()  # noqa: S314  without a document type nothing expands
    try:
        parser.feed(data)
        root = parser.close()
    except _BAD as error:
        raise broken("not valid XML") from error
    for each in root.iter():
        _without_namespaces(each)
    return root


def iterate_xml(pieces: Iterable[bytes], names: frozenset[str]) -> Iterator[Element]:
    """Yield elements of these names when they end; what they hold is freed then."""
    parser: Any = XMLPullParser(["end"])
    is_first = True
    try:
        for piece in pieces:
            if is_first:
                _check_prolog(piece)
                is_first = False
            parser.feed(piece)
            for _, element in parser.read_events():
                if element.tag.rpartition("}")[2] in names:
                    for each in element.iter():
                        _without_namespaces(each)
                    yield element
                    element.clear()
        parser.close()
    except _BAD as error:
        raise broken("not valid XML") from error


def _check_prolog(data: bytes) -> None:
    """Refuse a document type; what else may be wrong is left to the parser."""
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    parser.StartElementHandler = _begin
    head = data[:_PROLOG_BYTES]
    try:
        parser.Parse(head, len(head) == len(data))
    except (_Begun, expat.ExpatError, ValueError, LookupError):
        return
    raise broken("not valid XML")


def _refuse(*_: object) -> None:
    raise broken("XML with a document type")


def _begin(*_: object) -> None:
    raise _Begun


@lru_cache(maxsize=4096)
def _attribute_name(name: str) -> str:
    """Return `val` for `{…}val`; ids of relationships keep their mark, `r:id`."""
    space, _, local = name.rpartition("}")
    return f"r:{local}" if space.endswith("/relationships") else local


def _without_namespaces(element: Element) -> None:
    tag = element.tag
    if not isinstance(tag, str):  # a comment
        element.tag = ""
        return
    element.tag = tag.rpartition("}")[2]
    for name in element.attrib:
        if name[:1] == "{":
            element.attrib = _renamed(element.attrib)
            return


def _renamed(attributes: dict[str, str]) -> dict[str, str]:
    """Return attributes by local names; of two with one name the first counts."""
    found: dict[str, str] = {}
    for name, value in attributes.items():
        found.setdefault(_attribute_name(name), value)
    return found


def child_value(element: Element | None, name: str, key: str = "val") -> str:
    """Return an attribute of a child, '' where there is none."""
    child = None if element is None else element.find(name)
    return "" if child is None else child.get(key, "")


def is_on(element: Element | None, name: str) -> bool:
    """Return whether a switch of WordprocessingML such as `<w:vanish/>` is on."""
    child = None if element is None else element.find(name)
    return child is not None and child.get("val", "1") not in {"0", "false", "off"}


def number(text: str | None, default: int = 0) -> int:
    """Return a whole number of at most nine digits, the default for anything else."""
    text = text or ""
    return (
        int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default
    )
