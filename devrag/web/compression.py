"""Pages are sent compressed, without giving an attacker a length to guess secrets from.

A length tells what compresses well. Somebody who makes a reader's browser ask for pages
with words of their own, and who sees how long the encrypted answers are, could find out
a secret in the same page piece by piece (BREACH). So

* what answers a request that another site caused is sent as it is: browsers say so in
  `Sec-Fetch-Site`, and what does not say where it comes from is not compressed either;
* a page that shows a secret once (`no-store`) is sent as it is;
* the token of forms is masked anew in each page, and a random length is added.

Static files are compressed beforehand, by whitenoise; answers of REST by devrag.api.
"""

from __future__ import annotations

import gzip
import secrets
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

try:
    import brotli
except ImportError:  # a platform without wheels
    brotli = None

# A smaller answer fits into one packet anyway.
_SMALLEST_BYTES = 1_000
# As good as gzip's 9, in the time of its 4.
_BROTLI_QUALITY, _GZIP_LEVEL = 4, 5
_MOST_PADDING = 100
_TYPES = ("text/html", "text/plain", "text/markdown")
_OWN_SITE = frozenset({"same-origin", "none"})


class CompressionMiddleware:
    """Compress pages for browsers that ask for it from our own site."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not _is_compressible(response):
            return response
        patch_vary_headers(response, ["Accept-Encoding", "Sec-Fetch-Site"])
        encoding = _choose_encoding(request)
        if encoding and request.headers.get("Sec-Fetch-Site") in _OWN_SITE:
            response.content = _compress(_pad(response), encoding)
            response.headers["Content-Encoding"] = encoding
            response.headers["Content-Length"] = str(len(response.content))
        return response


def _is_compressible(response: HttpResponse) -> bool:
    return (
        not response.streaming
        and response.status_code != 206
        and "Content-Encoding" not in response.headers
        and "no-store" not in response.headers.get("Cache-Control", "")
        and response.headers.get("Content-Type", "").startswith(_TYPES)
        and len(response.content) >= _SMALLEST_BYTES
    )


def _choose_encoding(request: HttpRequest) -> str:
    """Return the best encoding that is accepted; `q=0` refuses one."""
    accepted = set()
    for part in request.headers.get("Accept-Encoding", "").lower().split(","):
        name, _, weight = part.partition(";")
        if weight.replace(" ", "").rstrip("0").rstrip(".") != "q=":
            accepted.add(name.strip())
    known = ("br", "gzip") if brotli else ("gzip",)
    return next((name for name in known if name in accepted), "")


def _pad(response: HttpResponse) -> bytes:
    """Return a page with a comment of random length at its end."""
    content: bytes = response.content
    if not response.headers.get("Content-Type", "").startswith("text/html"):
        return content
    noise = secrets.token_hex(secrets.randbelow(_MOST_PADDING) + 1)
    return content + f"<!-- {noise} -->".encode()


def _compress(content: bytes, encoding: str) -> bytes:
    if encoding == "br":
        compressed: bytes = brotli.compress(content, quality=_BROTLI_QUALITY)
        return compressed
    return gzip.compress(content, compresslevel=_GZIP_LEVEL, mtime=0)
