"""`index`: read a repository or folder into a product's index."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from devrag.cli.command import Command, add_no_wait, add_wiki_language
from devrag.cli.interfaces import Backend, IndexRequest
from devrag.cli.sentences import index_sentence
from devrag.core.terminal import Terminal
from devrag.core.text import one_line


def _add_options(parser: ArgumentParser) -> None:
    parser.add_argument("location", help="Git URL or path.")
    parser.add_argument(
        "--product", required=True, help="Product name; created if it does not exist."
    )
    parser.add_argument(
        "--source", help="Source name; default: last part of the location."
    )
    parser.add_argument("--ref", help="Branch, tag or commit.")
    parser.add_argument(
        "--full", action="store_true", help="Read all files again, even unchanged ones."
    )
    parser.add_argument(
        "--wiki", action="store_true", help="Generate the wiki afterwards."
    )
    add_wiki_language(parser)
    add_no_wait(parser)
    parser.add_argument(
        "--wait-vectors", action="store_true", help="Also wait for the embeddings."
    )
    parser.add_argument(
        "--verbose", action="store_true", help="Print counts and timings on stderr."
    )


def _run(backend: Backend, options: Namespace, terminal: Terminal) -> None:
    job_id = backend.sources.index(
        IndexRequest(
            location=options.location,
            product=options.product,
            source=options.source,
            ref=options.ref,
            is_full=options.full,
            is_wiki_wanted=options.wiki,
            wiki_language=options.wiki_language,
        )
    )
    if options.no_wait:
        terminal.answer({"jobID": job_id}, job_id)
        return
    job = backend.jobs.wait(job_id)
    report = job["report"]
    embedding = None
    if options.wait_vectors and "embedJobID" in report:
        embedding = backend.jobs.wait(report["embedJobID"])
    if options.wiki and "wikiJobID" in report:
        backend.jobs.wait(report["wikiJobID"])
    if options.verbose:
        for line in backend.jobs.timings(job, embedding):
            terminal.note(one_line(line))
    data = {"jobID": job["jobID"], **report}
    terminal.answer(data, index_sentence(job["sourceName"], report))


COMMAND = Command(
    "Index a git URL, a repository on disk or a folder. "
    "Example: devrag index https://host/group/app.git --product shop --ref main",
    _add_options,
    _run,
)
