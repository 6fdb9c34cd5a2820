"""PDFs made for tests, byte by byte (ISO 32000-1), so that bad ones can be too."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from io import BytesIO

from pypdf import PdfReader, PdfWriter


def page_of(*lines: str) -> bytes:
    """Return a content stream that shows lines of text."""
    shown = "".join(f"({line}) Tj T*\n" for line in lines)
    return f"BT /F1 12 Tf 14 TL 72 720 Td\n{shown}ET".encode("latin-1")


def make_pdf(
    pages: Sequence[bytes], *, outline: Sequence[tuple[str, int]] = ()
) -> bytes:
    """Return a PDF of content streams; outline: (title, page from 0), flat."""
    objects: dict[int, bytes] = {}
    first = 4
    kids = " ".join(f"{first + 2 * n} 0 R" for n in range(len(pages)))
    objects[2] = f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode()
    objects[3] = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    for number, content in enumerate(pages):
        page = first + 2 * number
        objects[page] = (
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {page + 1} 0 R"
            "/Resources<</Font<</F1 3 0 R>>>>>>"
        ).encode()
        packed = zlib.compress(content)
        head = f"<</Filter/FlateDecode/Length {len(packed)}>>\nstream\n".encode()
        objects[page + 1] = head + packed + b"\nendstream"
    objects[1] = b"<</Type/Catalog/Pages 2 0 R>>"
    plain = _written(objects)
    if not outline:
        return plain
    writer = PdfWriter(clone_from=PdfReader(BytesIO(plain)))
    parent = None
    for title, page in outline:
        # A title that starts with > hangs below the last one without.
        below = parent if title.startswith(">") else None
        item = writer.add_outline_item(
            title=title.removeprefix(">"), page_number=page, parent=below
        )
        parent = parent if title.startswith(">") else item
    return _saved(writer)


def encrypted(data: bytes, password: str) -> bytes:
    """Return the PDF encrypted with AES-256."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(data)))
    writer.encrypt(user_password=password, algorithm="AES-256")
    return _saved(writer)


def _saved(writer: PdfWriter) -> bytes:
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def _written(objects: dict[int, bytes]) -> bytes:
    out = bytearray(b"%PDF-1.7\n")
    places = {}
    for number in sorted(objects):
        places[number] = len(out)
        out += f"{number} 0 obj\n".encode() + objects[number] + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    for number in sorted(objects):
        out += f"{places[number]:010d} 00000 n \n".encode()
    out += f"trailer\n<</Size {len(objects) + 1}/Root 1 0 R>>\n".encode()
    return bytes(out + f"startxref\n{start}\n%%EOF\n".encode())
