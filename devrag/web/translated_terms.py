"""Terms that other packages store in English and pages show in the reader's language.

Names of phases, states and rules are keys there: stored, compared, given to programs.
The template filter `worded` translates them where they are shown.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop

STATES = (
    gettext_noop("running"),
    gettext_noop("completed"),
    gettext_noop("failed"),
    gettext_noop("skipped"),
    gettext_noop("cancelled"),
    gettext_noop("waiting"),
    gettext_noop("done"),
    gettext_noop("stopped"),
)
COUNTED = (
    gettext_noop("pages"),
    gettext_noop("attachments"),
    gettext_noop("comments"),
    gettext_noop("tickets"),
    gettext_noop("issues"),
    gettext_noop("pull requests"),
    gettext_noop("merge requests"),
    gettext_noop("branches"),
    gettext_noop("tags"),
)
TOKEN_STATES = (gettext_noop("expired"), gettext_noop("revoked"))
INVITATION_STATES = (gettext_noop("open"), gettext_noop("used"))
ROLES = (
    gettext_noop("viewer"),
    gettext_noop("maintainer"),
    gettext_noop("creator"),
    gettext_noop("administrator"),
)
PARTS = {
    "database": "PostgreSQL",
    "broker": "Valkey",
    "worker": gettext_noop("Workers"),
    "follower": gettext_noop("Keyword index"),
    "disk": gettext_noop("Disk"),
    "schema": gettext_noop("Tables"),
    "embeddings": gettext_noop("Embedding model"),
    "language model": gettext_noop("Language model"),
}
PHASES = (
    gettext_noop("plan"),
    gettext_noop("parse"),
    gettext_noop("activate"),
    gettext_noop("mark"),
    gettext_noop("reuse"),
    gettext_noop("embed"),
    gettext_noop("rules"),
    gettext_noop("meaning"),
    gettext_noop("write"),
    gettext_noop("write level 2"),
    gettext_noop("write level 3"),
    gettext_noop("write level 4"),
    gettext_noop("write overview"),
    gettext_noop("write other languages"),
    gettext_noop("graphs"),
    gettext_noop("publish"),
    gettext_noop("rows"),
    gettext_noop("rest"),
    gettext_noop("disk"),
    gettext_noop("documents"),
    gettext_noop("code"),
    gettext_noop("compare"),
    gettext_noop("model"),
    gettext_noop("history"),
    gettext_noop("outdated"),
)
UNITS = (
    *(gettext_noop("files"), gettext_noop("chunks"), gettext_noop("pages")),
    gettext_noop("passages"),
)
REFS = (gettext_noop("branch"), gettext_noop("tag"), gettext_noop("commit"))
# Who wrote a wiki, where it was no language model.
WRITERS = {"structural": gettext_noop("without a language model")}
# Why a wiki was written, where no source was the reason.
CAUSES = (gettext_noop("requested"),)
# Stored as `indexed NAME`: what became of a source.
CAUSES_OF_SOURCES = {
    "indexed": gettext_noop("Generated after %(source)s was indexed"),
    "deleted": gettext_noop("Generated after %(source)s was deleted"),
    "limited": gettext_noop("Generated after access to %(source)s was restricted"),
}
# Names of languages that are words; the others are called so everywhere.
LANGUAGES = frozenset({gettext_noop("Text"), gettext_noop("Ignore list")})
COMPLEXITIES = (gettext_noop("low"), gettext_noop("moderate"), gettext_noop("high"))
CLAIM_STATES = (gettext_noop("fresh"), gettext_noop("moved"), gettext_noop("stale"))
CLAIM_REASONS = (
    gettext_noop("deleted or renamed"),
    gettext_noop("the cited lines changed"),
)
KINDS = (
    gettext_noop("code"),
    gettext_noop("doc"),
    gettext_noop("config"),
    gettext_noop("data"),
    gettext_noop("wiki"),
    gettext_noop("page"),
    gettext_noop("ticket"),
    gettext_noop("function"),
    gettext_noop("method"),
    gettext_noop("class"),
    gettext_noop("struct"),
    gettext_noop("interface"),
    gettext_noop("enum"),
    gettext_noop("type"),
    gettext_noop("constant"),
    gettext_noop("variable"),
    gettext_noop("module"),
    gettext_noop("namespace"),
    gettext_noop("extension"),
    gettext_noop("symbol"),
    gettext_noop("section"),
    gettext_noop("window"),
    gettext_noop("entry"),
)
USES = (
    gettext_noop("call"),
    gettext_noop("import"),
    gettext_noop("inherit"),
    gettext_noop("implement"),
    gettext_noop("decorator"),
    gettext_noop("value"),
    gettext_noop("assign"),
    gettext_noop("link"),
)
LEFT_OUT = (
    gettext_noop("binary"),
    gettext_noop("secret"),
    gettext_noop("too large"),
    gettext_noop("not downloaded yet"),
    gettext_noop("not included"),
    gettext_noop("broken symlink"),
    gettext_noop("symlink to a folder"),
    gettext_noop("symlink to outside the folder"),
    gettext_noop("symlink in an archive"),
    gettext_noop("hard link in an archive"),
)
RULES = (
    gettext_noop("matches the definition"),
    gettext_noop("name matches"),
    gettext_noop("strong keyword match"),
    gettext_noop("uses this name"),
    gettext_noop("documentation for a how-to question"),
    gettext_noop("heading matches"),
    gettext_noop("tooling of documents (ranked lower)"),
    gettext_noop("semantically close"),
    gettext_noop("several matches in this file"),
    gettext_noop("file name matches"),
    gettext_noop("test (ranked lower)"),
    gettext_noop("example or vendored code (ranked lower)"),
    gettext_noop("older entry (ranked slightly lower)"),
    gettext_noop("contains the exact text"),
    gettext_noop("matches the pattern"),
)
NOTES = (
    gettext_noop("The words of the query are too long to search for."),
    gettext_noop("No text has been embedded yet; these are keyword results."),
    gettext_noop(
        "The query contains no searchable word. Type a word, a name or a question."
    ),
    gettext_noop(
        "The query contains only very common words. Add a more specific word, or use "
        "quotes."
    ),
    gettext_noop(
        "The keyword index is not ready yet, so quoted phrases are not matched exactly."
    ),
)
