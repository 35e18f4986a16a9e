"""Uploads: no form of this site has a file, so none is kept, and a large one isn't even read."""

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler


class NoFiles(FileUploadHandler):
    """Django counts only the fields of a form that comes in parts; this counts all of it."""

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803 -- Django's name
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> None:
        """Refuse a form that is larger than any may be.

        :raises RequestDataTooBig: where it is, before any of it is taken apart.
        """
        if content_length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Let go of what a file holds."""

    def file_complete(self, file_size: int) -> None:
        """Give nothing for a file."""
