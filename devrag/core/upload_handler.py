"""Uploaded files on disk without a name: they go with the process, however it ends."""

from __future__ import annotations

import tempfile
from typing import IO, Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler


class UnnamedFileHandler(FileUploadHandler):
    """Writes each file of a form to UPLOAD_TEMP_DIR as it arrives."""

    file: IO[bytes]  # Django closes it by this name when a form breaks off

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Start a file."""
        super().new_file(*args, **kwargs)
        settings.UPLOAD_TEMP_DIR.mkdir(0o700, parents=True, exist_ok=True)
        self.file = tempfile.TemporaryFile(  # noqa: SIM115 - the request closes it
            dir=settings.UPLOAD_TEMP_DIR
        )

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Take a part of it."""
        self.file.write(raw_data)

    def file_complete(self, file_size: int) -> UploadedFile:
        """Return it, to be read from its beginning."""
        self.file.seek(0)
        return UploadedFile(
            file=self.file,
            name=self.file_name,
            content_type=self.content_type,
            size=file_size,
            charset=self.charset,
            content_type_extra=self.content_type_extra,
        )

    def upload_interrupted(self) -> None:
        """Forget a file that did not arrive whole."""
        self.file.close()
