"""`search` and `index`, answered by another devrag."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from devrag.client.address_check import check_address
from devrag.client.connection import Connection
from devrag.client.jobs import wait_for_job
from devrag.client.output import answer, complain, tell, tell_json
from devrag.core.errors import InvalidInput
from devrag.core.locations import make_absolute
from devrag.core.text import one_line
from devrag.search.terminal import print_answer, strategy_of
from devrag.use_cases.sentences import index_sentence
from devrag.use_cases.timings import embedding_lines, timing_lines

# Names of options and of the request's fields, where they differ.
_FIELDS = {
    "product": "productName",
    "source": "sourceName",
    "path": "pathPrefix",
    "pattern": "filePattern",
    "mime": "contentType",
    "min_complexity": "minComplexity",
    "max_complexity": "maxComplexity",
    "context": "contextSize",
    "generated": "includeGenerated",
    "clean_only": "includeCleanOnly",
    "max_chars": "maxCharacters",
}
_SAME = (
    *("query", "mode", "limit", "kind", "language", "tags", "rewrite", "summarize"),
)


def search(server: Connection, options: Namespace) -> None:
    """Search there, print as `search` does here."""
    given = vars(options)
    body = {name: given[name] for name in _SAME}
    body |= {field: given[name] for name, field in _FIELDS.items()}
    body["strategy"] = strategy_of(given)
    body["depths"] = _depths(options.depth)
    if options.related:
        body["query"] = options.related
    place = "/search/related" if options.related else "/search"
    began = time.perf_counter()
    found = server.post(place, body)
    if options.verbose:
        _print_timings(found, body["query"], time.perf_counter() - began)
    if options.json:
        if not options.summarize:
            del found["summary"]  # as the command says it where the database is
        tell_json(found)
    else:
        print_answer(found, given, tell, complain)


def _print_timings(found: Mapping[str, Any], query: str, seconds: float) -> None:
    """Print the time that a search took here and on the server, and its hits."""
    hits = found["hits"]
    for line in (
        f"query: {query!r}",
        f"search on the server: {found['milliseconds']:.1f} ms",
        f"total: {seconds * 1000:.1f} ms",
        f"chunks: {len(hits)}",
        *(f"  {h['score']:.4f} {h['path']}:{h['startLine']}" for h in hits),
    ):
        complain(one_line(line))


def index(server: Connection, options: Namespace) -> None:
    """Let the server read a repository, wait and say what it found."""
    wanted = {
        "sourceURL": check_address(server, make_absolute(options.location)),
        "productName": options.product,
        "sourceName": options.source,
        "ref": options.ref,
        "generateWiki": options.wiki,
        "fullIndex": options.full or None,
    }
    job = server.post("/sources", {k: v for k, v in wanted.items() if v is not None})
    if options.no_wait:
        answer(options, {"jobID": job["jobID"]}, job["jobID"])
        return
    done = wait_for_job(server, job["jobID"])
    report = done["report"]
    timings = list(timing_lines(report))
    if options.wait_vectors and "embedJobID" in report:
        embedded = wait_for_job(server, report["embedJobID"])
        timings += embedding_lines(embedded["report"])
    if options.wiki and "wikiJobID" in report:
        wait_for_job(server, report["wikiJobID"])
    if options.verbose:
        for line in timings:
            complain(one_line(line))
    data = {"jobID": done["jobID"], **report}
    answer(options, data, index_sentence(done["sourceName"], report))


def _depths(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")] if text else []
    except ValueError as error:
        raise InvalidInput(
            f"--depth {text} is no list of levels, as in 0,1,2."
        ) from error
