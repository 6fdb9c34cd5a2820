"""A git repository as a source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import tee
from typing import Any, ClassVar

from devrag.core.errors import (
    ConfigurationError,
    DevragError,
    InvalidInput,
    NotFound,
)
from devrag.core.text import clean_text, shorten
from devrag.core.texts import gettext
from devrag.sources.connectors.forms import ConnectionForm
from devrag.sources.connectors.git.commands import GitCommands
from devrag.sources.connectors.git.confine import confinement
from devrag.sources.connectors.git.environment import (
    SERVE_PATH_CONFIG,
    local_environment,
)
from devrag.sources.connectors.git.failures import Damaged, explain
from devrag.sources.connectors.git.form import FORM
from devrag.sources.connectors.git.location import locate
from devrag.sources.connectors.git.mirror import Mirror, mirror_path, note_damage
from devrag.sources.connectors.git.refs import (
    DETACHED,
    HEADS,
    TAGS,
    Refs,
    RefTarget,
    find,
    find_default,
    is_commit,
)
from devrag.sources.connectors.git.remote import ask_refs, remote_environment
from devrag.sources.connectors.git.tree import parse_changes, parse_tree_record
from devrag.sources.connectors.pages.types import Probe
from devrag.sources.connectors.types import (
    ConnectorContext,
    Entry,
    Removed,
    Revision,
    Unlisted,
)
from devrag.sources.ssh_key import scan_command

_DIFF = (
    "diff-tree",
    "-r",
    "-z",
    "--raw",
    "--no-abbrev",
    "--no-renames",
    "--ignore-submodules=none",
)


class GitConnector:
    """Fetches into a bare mirror and reads from there."""

    form: ClassVar[ConnectionForm] = FORM

    def __init__(self, metadata: Mapping[str, Any], context: ConnectorContext) -> None:
        self._context = context
        self._location = locate(metadata, context)
        self._default_branch = str(metadata.get("default_branch") or "")
        self._path = mirror_path(context.repos_dir, self._location.url)
        self._names: frozenset[str] | None = None
        _make_directory(context)
        self._local = GitCommands(
            context.repos_dir, local_environment(self._path), self._explain_own
        )

    def resolve(self, ref: str | None = None, commit: str | None = None) -> Revision:
        """Fetch, then return the head of ref, or a commit that ref contains."""
        wanted, remote = self._asked()
        mirror = Mirror(self._path, self._local, remote)
        refs = mirror.update(self._location.url, wanted, self._context.on_progress)
        self._names = frozenset(refs.names)
        target = self._target(ref, refs)
        tip = self._commit_of(target)
        if not commit:
            return self._version(target, tip)
        return self._version(target, self._commit_on(commit, target, tip))

    def probe(self, ref: str | None = None) -> None:
        """Ask the repository for its refs, without fetching; unknown ref: NotFound."""
        refs, _ = self._asked()
        self._target(ref, refs)

    def preview(self) -> Probe:
        """Return which branch is read, and how many branches and tags there are."""
        refs, _ = self._asked()
        target = self._target(None, refs)
        tags = sum(name.startswith(TAGS) for name in refs.objects)
        counts = (("branches", len(refs.names) - tags), ("tags", tags))
        note = gettext("Reads the %(kind)s %(name)s.")
        kind = gettext(target.kind)
        return Probe("", counts, (note % {"kind": kind, "name": target.name},))

    def list(self, version: Revision) -> Iterator[Entry | Unlisted]:
        """Yield the tree of a commit that the mirror has."""
        commit = _checked_commit(version.identifier)
        records = self._local.records("ls-tree", "-r", "-z", "--long", commit)
        return map(parse_tree_record, records)

    def changes(
        self, since: str, version: Revision
    ) -> Iterator[Entry | Unlisted | Removed] | None:
        """Yield the difference of two commits; None when the mirror lacks the old."""
        commit = _checked_commit(version.identifier)
        if not (is_commit(since) and self._peeled(since)):
            return None
        return self._sized(parse_changes(self._local.records(*_DIFF, since, commit)))

    def ref_names(self) -> frozenset[str] | None:
        """Return the short names of all branches and tags."""
        return self._names

    def is_ancestor(self, commit: str, of: str) -> bool:
        """Return whether `of` descends from commit, or is it."""
        if not all(is_commit(one) and self._peeled(one) for one in (commit, of)):
            return False
        return self._local.succeeds("merge-base", "--is-ancestor", commit, of)

    def read(
        self, version: Revision, entries: Iterable[Entry]
    ) -> Iterator[tuple[Entry, bytes]]:
        """Yield blobs by their digests; the version does not matter any more."""
        shown, asked = tee(entries)
        blobs = self._local.blobs(_checked_commit(entry.digest) for entry in asked)
        with closing(blobs):
            for entry, data in zip(shown, blobs, strict=True):
                yield replace(entry, size=len(data)), data

    def close(self) -> None:
        """Nothing stays open between calls."""

    def _sized(
        self, changes: Iterator[Entry | Unlisted | Removed]
    ) -> Iterator[Entry | Unlisted | Removed]:
        shown, asked = tee(changes)
        digests = (item.digest for item in asked if isinstance(item, Entry))
        with closing(self._local.sizes(digests)) as sizes:
            for item in shown:
                if isinstance(item, Entry):
                    yield replace(item, size=next(sizes))
                else:
                    yield item

    def _target(self, ref: str | None, refs: Refs) -> RefTarget:
        if ref:
            return find(ref, refs, self._location.place)
        return find_default(
            refs,
            self._location.place,
            default_branch=self._default_branch,
            prefer_head=self._location.has_work_tree,
        )

    def _asked(self) -> tuple[Refs, GitCommands]:
        """Return the refs that the source has now, and the git that reaches it."""
        self._local.check_installed()
        environment = remote_environment(self._location, self._path, self._context)
        refs = ask_refs(self._location, environment, self._commands)
        return refs, self._commands(environment)

    def _commit_of(self, target: RefTarget) -> str:
        """Return the commit behind a ref; annotated tags are peeled."""
        commit = self._peeled(target.revision)
        if target.kind == "commit":
            if not (commit and self._is_reachable(commit)):
                raise self._no_commit(target.name)
        elif not commit:
            raise InvalidInput(
                gettext(
                    "The %(kind)s %(target)s of %(place)s does not point to a commit, "
                    "or the commit is missing. Choose another ref."
                )
                % {
                    "kind": gettext(target.kind),
                    "target": target.name,
                    "place": self._location.place,
                }
            )
        return commit

    def _commit_on(self, commit: str, target: RefTarget, tip: str) -> str:
        found = self._peeled(_checked_commit(commit))
        if not found:
            raise self._no_commit(commit)
        if not self._local.succeeds("merge-base", "--is-ancestor", found, tip):
            raise InvalidInput(
                gettext(
                    "Commit %(found)s is not on the %(kind)s %(target)s of %(place)s. "
                    "Choose the ref that contains it."
                )
                % {
                    "found": found,
                    "kind": gettext(target.kind),
                    "target": target.name,
                    "place": self._location.place,
                }
            )
        return found

    def _peeled(self, revision: str) -> str:
        return self._local.optional_text(
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            revision + "^{commit}",
        )

    def _is_reachable(self, commit: str) -> bool:
        scopes = (HEADS, TAGS, DETACHED)
        asked = ("for-each-ref", "--count=1", f"--contains={commit}", *scopes)
        return bool(self._local.optional_text(*asked))

    def _version(self, target: RefTarget, commit: str) -> Revision:
        output = self._local.text(
            "log", "-1", "--encoding=UTF-8", "--format=%ct%n%s", commit, "--"
        )
        seconds, _, subject = output.partition("\n")
        message = shorten(clean_text(subject), 300)
        return Revision(commit, target.name, target.kind, _moment(seconds), message)

    def _no_commit(self, commit: str) -> NotFound:
        return NotFound(
            gettext(
                "No branch or tag of %(place)s contains the commit %(commit)s. "
                "Check the hash, or push the commit first."
            )
            % {"place": self._location.place, "commit": commit}
        )

    def _commands(self, environment: Mapping[str, str]) -> GitCommands:
        prefix = self._confinement()
        return GitCommands(self._context.repos_dir, environment, self._explain, prefix)

    def _confinement(self) -> Sequence[str]:
        """Return what keeps git below the roots; it was only looked at before."""
        context = self._context
        if self._location.path is None or context.is_local_user:
            return []
        own = (self._path, context.repos_dir / SERVE_PATH_CONFIG)
        return confinement([*context.source_roots, *(path.resolve() for path in own)])

    def _explain(self, stderr: str) -> DevragError:
        context, address = self._context, self._location.address
        secret = context.credentials.secret
        facts = {
            "place": self._location.place,
            "mirror": str(self._path),
            "known_hosts": str(context.known_hosts_path),
            "scan": scan_command(address, context.known_hosts_path) if address else "",
        }
        return explain(stderr.replace(secret, "***") if secret else stderr, facts)

    def _explain_own(self, stderr: str) -> DevragError:
        """Explain a failure in the mirror, which may be mended by fetching anew."""
        error = self._explain(stderr)
        if isinstance(error, Damaged) and note_damage(self._path):
            return Damaged(
                gettext(
                    "The mirror %(mirror)s of %(place)s is damaged. It is cloned "
                    "again on the next attempt."
                )
                % {"mirror": self._path, "place": self._location.place},
                permanent=False,
            )
        return error


def _checked_commit(text: str) -> str:
    if not is_commit(text.lower()):
        raise InvalidInput(
            gettext("%(text)s is not a full commit hash of 40 digits.")
            % {"text": repr(text)}
        )
    return text.lower()


def _moment(seconds: str) -> datetime | None:
    """Return when it was committed; None for dates that no calendar has."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _make_directory(context: ConnectorContext) -> None:
    try:
        context.repos_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(
            gettext(
                "Cannot create the folder for git mirrors %(repos_dir)s: "
                "%(strerror)s. Choose another folder or change its owner."
            )
            % {"repos_dir": context.repos_dir, "strerror": error.strerror}
        ) from error
