"""How to begin with the product: how it is installed, and a first use of it.

Both are samples of code in its documents. What is installed has the name that a
manifest at the top of a source gives the product.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.prose import cited, clean
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.planning.topic_files import root_documents
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.start import guides, quote

_INSTALLS = re.compile(
    r"^\s*[$>%]?\s*(?:sudo )?(?:(?:python3? -m )?pip3? install|uv (?:add|pip install)"
    r"|uv tool install|pipx install|poetry add|conda install|npm (?:i|install|add)"
    r"|(?:yarn|pnpm|bun|deno|cargo) (?:add|install)|go (?:get|install)|gem install"
    r"|composer require|brew install|apt(?:-get)? install|dotnet add"
    r"|docker (?:pull|run)|git clone|mix deps\.get|make(?: install)?$|curl )"
    r"(?P<what>.*)$"
)
_NAMES = {
    "pyproject.toml": re.compile(r"^name\s*=\s*[\"']([\w.-]+)[\"']", re.MULTILINE),
    "setup.cfg": re.compile(r"^name\s*=\s*([\w.-]+)\s*$", re.MULTILINE),
    "Cargo.toml": re.compile(r"^name\s*=\s*\"([\w.-]+)\"", re.MULTILINE),
    "package.json": re.compile(r"^\s{0,4}\"name\"\s*:\s*\"([^\"]+)\"", re.MULTILINE),
    "go.mod": re.compile(r"^module\s+(\S+)", re.MULTILINE),
}
_START = re.compile(
    r"install|quick ?start|get(ting)? started|usage|set(ting)? ?up|\btry\b"
    r"|インストール|使い方|はじめ|始め|導入|セットアップ",
    re.IGNORECASE,
)
_CONTENTS = re.compile(r"\bcontents\b|目次", re.IGNORECASE)
_ALIASES = {"js": "javascript", "ts": "typescript", "py": "python", "golang": "go"}
_SHELLS = {"bash", "sh", "shell", "console", "shell-session", "zsh", ""}
_MOST_LINES = 30  # of a first use
_FEWEST_LINES = 2
_PROMPT = re.compile(r"^\s*\$ ")
_DEEPEST = 1  # folders around a document that says how to install

_Found = tuple[SurveyFile, Section, DocumentBlock]


def first_steps(ctx: PageContext) -> list[str]:
    """Return how the product is installed and first used, cited; [] if unknown."""
    install = _install(ctx)
    use = _first_use(ctx)
    shown = _shown(ctx, install) if install else []
    if use and (install is None or use[2] != install[2]):
        shown += _shown(ctx, use)
        run = _run_of(use)
        shown += quote(ctx, use[0], run) if run else []
    return shown


def _install(ctx: PageContext) -> _Found | None:
    """Return the commands that install the product by its name, else a README's."""
    names = _product_names(ctx)
    second: _Found | None = None
    for file, section, block in _code_blocks(ctx):
        found = [_INSTALLS.match(line) for line in block.text.split("\n")]
        matches = [match for match in found if match]
        if not matches:
            continue
        if any(_has_name(match["what"], names) for match in matches):
            return file, section, block
        is_front = file in root_documents(ctx.analysis)
        if second is None and is_front and _START.search(section.title):
            second = file, section, block
    return second


def _has_name(what: str, names: set[str]) -> bool:
    """Return whether one of the words behind a command is one of the names."""
    words = re.split(r"[\s\"'@=\[]+", what.replace("@latest", ""))
    return bool(names & set(words))


def _product_names(ctx: PageContext) -> set[str]:
    """Return what manifests at the top of the sources call the product."""
    names = set[str]()
    for file in ctx.analysis.survey.files:
        if file.directory or (pattern := _NAMES.get(file.name)) is None:
            continue
        if match := pattern.search(ctx.analysis.texts.text(file.id)):
            names.add(match[1])
    return names


def _code_blocks(ctx: PageContext) -> Iterator[_Found]:
    """Yield the samples of code in documents, READMEs first, then by depth."""
    docs = [f for f in ctx.analysis.with_role("doc") if f.path.count("/") <= _DEEPEST]
    docs.sort(key=lambda f: (not _START.search(f.stem), f.path.count("/"), f.path))
    for file in dict.fromkeys([*guides(ctx), *docs]):
        for section in ctx.analysis.sections(file):
            yield from ((file, section, b) for b in section.blocks if b.kind == "code")


def _first_use(ctx: PageContext) -> _Found | None:
    """Return the README's first sample in the language that most code is written in."""
    lines = Counter[str]()
    for file in ctx.analysis.with_role("code"):
        lines[file.language] += file.lines
    language = lines.most_common(1)[0][0] if lines else ""
    for file in root_documents(ctx.analysis):
        for section in ctx.analysis.sections(file):
            for block in section.blocks if language else ():
                size = block.text.count("\n") + 1
                written = _ALIASES.get(block.language, block.language)
                is_sample = block.kind == "code" and written == language
                if is_sample and _FEWEST_LINES <= size <= _MOST_LINES:
                    return file, section, block
    return None


def _run_of(found: _Found) -> DocumentBlock | None:
    """Return the session right below a first use that runs it."""
    _, section, block = found
    after = section.blocks[section.blocks.index(block) + 1 :][:1]
    return next(
        (
            replace(each, language="console")
            for each in after
            if each.kind == "code" and each.language in _SHELLS
            if _PROMPT.match(each.text)
        ),
        None,
    )


def _shown(ctx: PageContext, found: _Found) -> list[str]:
    file, section, block = found
    marker = ctx.book.cite(file.id, block.start_line, block.end_line)
    is_general = section.level == 0 or _CONTENTS.search(section.title)
    title = "" if is_general else clean(section.title, ctx.analysis.names)
    told = phrase("From {path}, “{title}”:") if title else phrase("From {path}:")
    intro = ctx.say(told, path=ctx.path(file), title=title)
    return [cited(intro, marker), *quote(ctx, file, block)]
