"""XML as elements with line numbers.

Entities of a document are refused where they are declared and external ones are never
fetched, so that a small file cannot become a big one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from devrag.parsing.source import SourceText

_MAX_DEPTH = 200


@dataclass(slots=True)
class Element:
    """An element; name without its namespace, text without what children hold."""

    name: str
    start_line: int
    end_line: int = 0
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces).strip()

    def at(self, *path: str) -> Iterator[Element]:
        """Yield the elements under a path of names."""
        if not path:
            yield self
            return
        for child in self.children:
            if child.name == path[0]:
                yield from child.at(*path[1:])

    def value(self, name: str) -> str:
        """Return the text of the first child of that name, '' without one."""
        return next((child.text for child in self.at(name)), "")


def load_xml(source: SourceText) -> Element:
    """Return an element that holds the file's root; raises for what is no XML."""
    builder = _Builder()
    # The text is Unicode already, whatever its declaration says.
    parser = expat.ParserCreate("utf-8", namespace_separator="}")
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: builder.start(
        name, attributes, parser.CurrentLineNumber
    )
    parser.EndElementHandler = lambda _: builder.end(parser.CurrentLineNumber)
    parser.CharacterDataHandler = builder.text
    parser.EntityDeclHandler = _refuse
    parser.Parse(source.text.encode("utf-8", "replace"), True)
    return builder.open[0]


class _Builder:
    def __init__(self) -> None:
        self.open = [Element("", 1)]

    def start(self, name: str, attributes: Mapping[str, str], line: int) -> None:
        if len(self.open) > _MAX_DEPTH:
            raise ValueError(f"elements nested too deeply: line {line}")
        element = Element(name.rpartition("}")[2], line, line, attributes)
        self.open[-1].children.append(element)
        self.open.append(element)

    def text(self, text: str) -> None:
        self.open[-1].pieces.append(text)

    def end(self, line: int) -> None:
        self.open.pop().end_line = line


def _refuse(name: str, *_: object) -> None:
    raise ValueError(f"it declares the entity {name}")
