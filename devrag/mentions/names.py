"""When a name that a text writes means a file or definition of the code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.db.models import F, Func, QuerySet, TextField, Value
from django.db.models.functions import Lower

# A name that more definitions of a product have tells none of them.
MOST_DEFINITIONS = 2
_LEAST_CHARACTERS = 4
# What prose does not write: snake_case, camelCase, HTTP, Class, a.b.
_CODE_LIKE = re.compile(
    r"\w_\w|[a-z\d][A-Z]|[A-Z]{2}|^[A-Z][a-z]+$|\w(?:\.|::|#)\w|\(\)$"
)
FILE_NAME = Lower(
    Func(
        F("path"),
        Value("/"),
        Value(-1),
        function="split_part",
        output_field=TextField(),
    )
)


def is_telling(written: str) -> bool:
    """Return whether a name is none that prose writes by chance."""
    return len(written) >= _LEAST_CHARACTERS and _CODE_LIKE.search(written) is not None


def means(written: str, full: str) -> bool:
    """Return whether what a text writes is a path or qualified name, or its end."""
    name = written.removesuffix("()").lstrip("~/").replace("::", ".").replace("#", ".")
    return f"/{full}".endswith(f"/{name}") or f".{full}".endswith(f".{name}")


def current(manager: Any, prefix: str, sources: Sequence[int]) -> QuerySet[Any]:
    """Return rows whose file, behind the prefix, is in what is indexed now."""
    rows: QuerySet[Any] = manager.filter(
        **{
            f"{prefix}source__in": sources,
            f"{prefix}manifests__until": None,
            f"{prefix}manifests__ref__is_current": True,
        }
    )
    return rows
