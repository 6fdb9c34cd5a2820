"""Options of commands that another machine can answer too; nothing needs Django."""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Iterable
from pathlib import Path

INDEX_HELP = (
    "Index a git URL, a repository on disk or a folder. "
    "Example: devrag index https://host/group/app.git --product shop --ref main"
)
WIKI_HELP = (
    "Write, export and compare a product's wiki. Example: "
    "devrag wiki generate --product shop"
)
PRODUCT_HELP = (
    "List, show, add, change and remove products; removing asks first and says how "
    "much goes. Example: devrag product update shop --description 'Takes orders'"
)
SOURCE_HELP = (
    "Add, list, show and change sources. Secrets come on standard input. Example: "
    "devrag source add https://host/group/app.git --token-stdin < token.txt"
)
SOURCE_SETTINGS = (
    *("include", "exclude", "exclude_exts", "max_file_bytes", "default_branch"),
    *("chunk_tokens", "chunk_overlap_tokens", "chunk_max_chars"),
)


def add_index_options(parser: ArgumentParser) -> None:
    """Add what to index, into which product, and how long to wait."""
    parser.add_argument("location", help="Git URL or path.")
    parser.add_argument(
        "--product", required=True, help="Product name; created if needed."
    )
    parser.add_argument(
        "--source", help="Source name; default: last part of the location."
    )
    parser.add_argument("--ref", help="Branch, tag or commit.")
    parser.add_argument(
        "--full", action="store_true", help="Read all files again, changed or not."
    )
    parser.add_argument(
        "--wiki", action="store_true", help="Write the wiki afterwards."
    )
    add_no_wait(parser)
    parser.add_argument(
        "--wait-vectors", action="store_true", help="Also wait for the embeddings."
    )
    parser.add_argument(
        "--verbose", action="store_true", help="Print counts and timings on stderr."
    )


def add_no_wait(parser: ArgumentParser) -> None:
    """Add the option not to wait for the job that is asked for."""
    parser.add_argument(
        "--no-wait", action="store_true", help="Print the job id instead of waiting."
    )


def add_generate_options(parser: ArgumentParser) -> None:
    """Add what `wiki generate` takes."""
    add_no_wait(parser)
    parser.add_argument(
        "--force", action="store_true", help="Write every page, changed or not."
    )


def add_product_options(parser: ArgumentParser) -> None:
    """Add what to do with which product, and what to set."""
    parser.add_argument("action", choices=["list", "show", "add", "update", "remove"])
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--title", help="Shown to people instead of the name.")
    parser.add_argument(
        "--description", help="What the product is, in a sentence or two; '' for none."
    )
    parser.add_argument(
        "--external-models",
        choices=["yes", "no"],
        help="no: never send text of this product to a remote model.",
    )
    parser.add_argument(
        "--source-roots",
        nargs="*",
        metavar="FOLDER",
        help="Folders on the server below which maintainers may add folders; each lies "
        "below SOURCE_ROOTS. None: no folder.",
    )
    parser.add_argument(
        "--ssh-key",
        choices=["yes", "no"],
        help="yes: maintainers may add repositories that need the server's SSH key.",
    )
    parser.add_argument(
        "--wiki",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="Wiki settings: language=ja, audience=TEXT, notes=TEXT, "
        "'glossary=WORD: FORM; …'. Repeatable.",
    )
    add_removal_options(parser)


def _login_options(parser: ArgumentParser) -> None:
    parser.add_argument("--username", help="User name for https; default: git.")
    parser.add_argument(
        "--token-stdin", action="store_true", help="Read the token from stdin."
    )


def add_source_options(parser: ArgumentParser) -> None:
    """Add what to register, and where."""
    parser.add_argument("location", help="Git URL or path.")
    parser.add_argument("--product", help="Default: a name taken from the location.")
    parser.add_argument("--name", help="Default: last part of the location.")
    parser.add_argument("--type", help="git, local or pdf; default: detected.")
    parser.add_argument("--ref", help="The branch to follow; default: main, else HEAD.")
    _login_options(parser)


def update_source_options(parser: ArgumentParser) -> None:
    """Add what can be changed of a source."""
    for key in ("include", "exclude", "exclude-exts"):
        parser.add_argument(
            f"--{key}", nargs="*", help="Path patterns; without a value: reset."
        )
    for key, text in _NUMBERS.items():
        parser.add_argument(
            f"--{key}", type=_number, metavar="NUMBER", help=f"{text}; '': default."
        )
    parser.add_argument("--default-branch", help="The branch to follow; '' for main.")
    parser.add_argument(
        "--every",
        type=int,
        metavar="MINUTES",
        help="Index at this interval; 0: only on request.",
    )
    parser.add_argument(
        "--wiki",
        action=BooleanOptionalAction,
        help="Also write the wiki in scheduled runs and after pushes.",
    )
    parser.add_argument("--rename", metavar="NAME", help="New name.")
    parser.add_argument("--url", help="New URL of the repository.")


_NUMBERS = {
    "max-file-bytes": "Skip larger files",
    "chunk-tokens": "Chunk size in tokens",
    "chunk-overlap-tokens": "Tokens repeated from the previous chunk",
    "chunk-max-chars": "Longest text kept as one chunk",
}


def _number(text: str) -> int | str:
    """Read a number; an empty text stands for the default."""
    return int(text) if text else ""


def describe_update(name: str, settings: Iterable[str]) -> str:
    """Return what follows from a change of a source's settings."""
    if any(key.startswith("chunk_") for key in settings):
        return (
            f"{name} is changed. The next index run splits all files again; search "
            "uses the current chunks until that run is complete."
        )
    return f"{name} is changed; it counts from its next index run."


def add_removal_options(parser: ArgumentParser) -> None:
    """Add the options not to be asked, and not to wait."""
    parser.add_argument(
        "--yes", action="store_true", help="Do not ask for confirmation."
    )
    parser.add_argument(
        "--no-wait", action="store_true", help="Print the job id instead of waiting."
    )


def add_export_options(parser: ArgumentParser) -> None:
    """Add which version is exported, in which format, and where to."""
    parser.add_argument(
        "--format", choices=["md", "html", "zip"], default="md", help="Default: md."
    )
    parser.add_argument(
        "--output",
        type=Path,
        help="Folder, or file for zip. Generated files are overwritten, others stay.",
    )
    parser.add_argument("--version", type=int, help="Default: the published version.")


def add_diff_options(parser: ArgumentParser) -> None:
    """Add which versions to compare."""
    parser.add_argument(
        "before", type=int, nargs="?", help="Default: the previous version."
    )
    parser.add_argument(
        "after", type=int, nargs="?", help="Default: the published version."
    )
    parser.add_argument("--full", action="store_true", help="Print changed lines too.")


def add_version_number(parser: ArgumentParser) -> None:
    """Add the number of a version."""
    parser.add_argument("number", type=int, help="Number of the version.")
