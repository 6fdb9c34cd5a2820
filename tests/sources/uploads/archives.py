"""Archives as people and attackers make them."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping

from devrag.sources.uploads.unpack import UploadedFile


def sent(name: str, data: bytes) -> UploadedFile:
    return UploadedFile(name, io.BytesIO(data), len(data))


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return made.getvalue()


def zipped_as(names: Mapping[bytes, bytes]) -> bytes:
    """A zip file with names in an encoding that it does not state."""
    parts = {f"{number:0>{len(raw)}}": raw for number, raw in enumerate(names)}
    files = dict(zip(parts, names.values(), strict=True))
    data = zipped(files, zipfile.ZIP_STORED)
    for text, raw in parts.items():
        assert data.count(text.encode()) == 2
        data = data.replace(text.encode(), raw)
    return data


def tarred(files: Mapping[str, bytes], mode: str = "w:gz") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as packed:  # type: ignore[call-overload]
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            packed.addfile(info, io.BytesIO(data))
    return made.getvalue()


def tar_of(*infos: tarfile.TarInfo) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as packed:
        for info in infos:
            packed.addfile(info, io.BytesIO(b"x" * info.size))
    return made.getvalue()
