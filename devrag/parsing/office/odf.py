"""OpenDocument files (odt, ods, odp) as Markdown, by the standard's own parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

from devrag.parsing.office.archive import Archive
from devrag.parsing.office.errors import ENCRYPTED, Unusable, broken
from devrag.parsing.office.markup import parse_xml
from devrag.parsing.office.odf_sheets import read_spreadsheet
from devrag.parsing.office.odf_slides import read_slides
from devrag.parsing.office.odf_styles import OdfStyles
from devrag.parsing.office.odf_text import OdfText

_CONTENT, _STYLES, _MANIFEST = "content.xml", "styles.xml", "META-INF/manifest.xml"


def is_odf(archive: Archive) -> bool:
    """Return whether an archive is an OpenDocument file."""
    return _CONTENT in archive and "[Content_Types].xml" not in archive


def read_odf(archive: Archive, warn: Callable[[str], None]) -> Iterator[str]:
    """Yield the blocks of a document. Raises Unusable."""
    _refuse_encrypted(archive)
    content = parse_xml(archive.read(_CONTENT))
    shared = parse_xml(archive.read(_STYLES)) if _STYLES in archive else None
    styles = OdfStyles([shared, content])
    body = content.find("body")
    kinds: list[Element] = [] if body is None else list(body)
    for each in kinds:
        if each.tag == "text":
            yield from OdfText(styles).blocks(each)
        elif each.tag == "presentation":
            yield from read_slides(each, styles, warn)
        elif each.tag == "spreadsheet":
            yield from read_spreadsheet(each, styles, warn)
    if not kinds:
        raise broken("no document in it")


def _refuse_encrypted(archive: Archive) -> None:
    if _MANIFEST not in archive:
        return
    manifest = parse_xml(archive.read(_MANIFEST))
    if next(manifest.iter("encryption-data"), None) is not None:
        raise Unusable(ENCRYPTED)
