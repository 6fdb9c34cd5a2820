"""A body is JSON in UTF-8, and said to be."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest
from ninja.parser import Parser

from devrag.api.problems import UnsupportedMedia
from devrag.core.errors import InvalidInput


class JsonParser(Parser):
    """Refuses what is no JSON, saying where."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Return the body; ninja hands on what is raised as a cause."""
        kind = request.content_type or "application/json"
        if kind != "application/json" and not kind.endswith("+json"):
            raise UnsupportedMedia(
                f"Unsupported body type '{kind[:80]}'. Send JSON with 'Content-Type: "
                "application/json'."
            )
        try:
            return json.loads(request.body)
        except UnicodeDecodeError as error:
            raise InvalidInput(
                f"The body is not valid UTF-8 at byte {error.start}."
            ) from error
        except json.JSONDecodeError as error:
            raise InvalidInput(
                f"The body is not valid JSON: {error.msg} in line {error.lineno}, "
                f"column {error.colno}."
            ) from error
        except RecursionError as error:
            raise InvalidInput("The body is nested too deeply.") from error
