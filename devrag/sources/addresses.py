"""Where a source may lie: URLs, folders and ref names, checked before use."""

from __future__ import annotations

import ipaddress
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import unquote, urlsplit

from devrag.core.errors import InvalidInput, NotFound, PermissionDenied
from devrag.core.texts import gettext, gettext_noop
from devrag.sources.hosts import AddressRules
from devrag.sources.paths import printable

DEFAULT_PORTS = {"https": 443, "http": 80, "ssh": 22}

MAX_SOURCE_NAME = 100

_HELPER = re.compile(r"[A-Za-z0-9][A-Za-z0-9+.-]*::")
_SCP_LIKE = re.compile(r"(?:(?P<user>[^@:/]+)@)?(?P<host>[^@:/]+):(?P<path>[^:].*)")
_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?")
_USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_NOT_IN_NAME = re.compile(r"[/\\\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")
# What no git URL has, each with what is said about it.
_FAULTS = (
    (re.compile("^$"), gettext_noop("The URL is empty.")),
    (re.compile("^-"), gettext_noop("%(url)s starts with a hyphen.")),
    (re.compile(r"[ \xa0]"), gettext_noop("%(url)s contains a space.")),
    (re.compile(r"\\"), gettext_noop("%(url)s contains a backslash.")),
    (
        re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]"),
        gettext_noop("%(url)s contains a control character."),
    ),
)
# `https:/x` is meant as a URL, though ssh would take it for a path on a host `https`.
_SCHEMES = ("https", "http", "ssh", "git", "ftp", "file")
_LIKE_A_SCHEME = 0.75


@dataclass(frozen=True, slots=True)
class GitAddress:
    """A git URL taken apart; `url` is written anew from the checked parts.

    addresses: empty until the host was looked up.
    """

    url: str
    scheme: str
    host: str
    port: int
    addresses: tuple[str, ...] = ()


def parse_git_url(url: str, rules: AddressRules) -> GitAddress:
    """Check the form of a git URL, without a look at the network."""
    for fault, text in _FAULTS:
        if fault.search(url):
            raise InvalidInput(
                gettext("%(fault)s Use https://host/path or git@host:path.")
                % {"fault": gettext(text) % {"url": _shown(url)}}
            )
    if _HELPER.match(url):
        raise InvalidInput(
            gettext(
                "%(url)s uses a git transport helper, which is not allowed. Use "
                "https://host/path or git@host:path."
            )
            % {"url": _shown(url)}
        )
    if "://" in url:
        return _parse_url(url, rules)
    scp_like = _SCP_LIKE.fullmatch(url)
    if scp_like is None or _is_scheme(scp_like):
        raise InvalidInput(
            gettext(
                "%(url)s is not a git URL. Use https://host/path or git@host:path, or "
                "the path of a folder on the server."
            )
            % {"url": _shown(url)}
        )
    user, host = scp_like["user"], _checked_host(scp_like["host"], url)
    _check_user(user, url)
    path = scp_like["path"]
    if path.startswith("-") or "@" in path:
        raise InvalidInput(
            gettext(
                "The path in %(url)s starts with a hyphen or contains @, which may be "
                "part of a password. Use git@host:path."
            )
            % {"url": _shown(url)}
        )
    login = f"{user}@{host}" if user else host
    return GitAddress(f"{login}:{path}", "ssh", host, DEFAULT_PORTS["ssh"])


def _is_scheme(scp_like: re.Match[str]) -> bool:
    """Return whether what would be a host is rather the beginning of a URL."""
    host = scp_like["host"].lower()
    is_bare = scp_like["user"] is None and scp_like["path"].startswith("/")
    return is_bare and bool(get_close_matches(host, _SCHEMES, 1, _LIKE_A_SCHEME))


def split_login(url: str) -> tuple[str, str, str]:
    """Take an https URL apart: the URL without login, user name, secret.

    A login of one part is taken for a token, as hosts show them in clone addresses.
    """
    scheme, mark, rest = url.strip().partition("://")
    netloc, slash, path = rest.partition("/")
    userinfo, at, host = netloc.rpartition("@")
    if scheme.lower() not in {"https", "http"} or not at:
        return url, "", ""
    user, colon, secret = userinfo.partition(":")
    username, secret = (user, secret) if colon and secret else ("", user)
    return f"{scheme}{mark}{host}{slash}{path}", unquote(username), unquote(secret)


def check_path(
    path: str,
    source_roots: Sequence[Path],
    *,
    is_local_user: bool,
    may_be_file: bool = False,
    is_administrator: bool = False,
) -> Path:
    """Return the real folder of a path; it must exist and lie under an allowed root.

    is_local_user: whoever types the path on the command line of this machine may read
    what the account may read. is_administrator: the roots are all that there are.
    """
    if not path or "\x00" in path:
        raise InvalidInput(gettext("The path is empty or contains a NUL character."))
    if not (is_local_user or Path(path).is_absolute()):
        raise InvalidInput(
            gettext("%(path)s is not an absolute path.") % {"path": printable(path)}
        )
    try:
        real = Path(path).resolve()
        # Asked first: a refusal must not tell what exists on this machine.
        if not is_local_user and not is_under(real, source_roots):
            raise _not_allowed(path, source_roots, is_administrator)
        mode = real.stat().st_mode
    except FileNotFoundError as error:
        raise NotFound(
            gettext("%(path)s does not exist. Check the path.")
            % {"path": printable(path)}
        ) from error
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of symlinks
        cause = error.strerror if isinstance(error, OSError) else "loop of symlinks"
        raise InvalidInput(
            gettext("Cannot open %(path)s: %(cause)s.")
            % {"path": printable(path), "cause": cause}
        ) from error
    if not (stat.S_ISDIR(mode) or (may_be_file and stat.S_ISREG(mode))):
        raise _is_a_file(path)
    return real


def _not_allowed(
    path: str, roots: Sequence[Path], is_administrator: bool
) -> PermissionDenied:
    if is_administrator:
        text = gettext(
            "%(path)s is outside the folders that can be added here (%(roots)s). Add "
            "it on the server with `devrag index FOLDER`, or add its folder to the "
            "setting SOURCE_ROOTS."
        )
    else:
        text = gettext(
            "You are not allowed to add %(path)s. Ask an administrator to add it, or "
            "to allow its folder in the product's settings."
        )
    shown = ", ".join(map(str, roots)) or gettext("none")
    return PermissionDenied(text % {"path": printable(path), "roots": shown})


def _is_a_file(path: str) -> InvalidInput:
    return InvalidInput(
        gettext(
            "%(path)s is a file. Use its folder; the only files that can be added on "
            "their own are PDFs and Office files (.docx, .xlsx, .odt …)."
        )
        % {"path": printable(path)}
    )


def is_under(path: Path, roots: Sequence[Path]) -> bool:
    """Return whether a real path is one of the roots or below one."""
    return any(path.is_relative_to(root.resolve()) for root in roots)


def check_ref(name: str) -> str:
    """Return a branch or tag name that git's own rules allow.

    source: git-check-ref-format(1), with --allow-onelevel.
    """
    parts = name.split("/")
    is_broken = (
        name in {"", "@"}
        or name.startswith("-")
        or name.endswith(".")
        or ".." in name
        or "@{" in name
        or re.search(r"[\x00-\x20\x7f~^:?*\[\\]", name) is not None
        or any(not p or p.startswith(".") or p.endswith(".lock") for p in parts)
    )
    if is_broken:
        raise InvalidInput(
            gettext(
                "%(name)s is not a valid branch or tag name. Use a branch, a tag or a "
                "full commit hash."
            )
            % {"name": _shown(name)}
        )
    return name


def check_source_name(name: str) -> str:
    """Return the name, or raise InvalidInput: it is also one part of a URL."""
    is_broken = (
        name in {"", ".", ".."}
        or len(name) > MAX_SOURCE_NAME
        or _NOT_IN_NAME.search(name)
        or name != name.strip()
        or name.startswith("~")  # names of what is being deleted
    )
    if is_broken:
        raise InvalidInput(
            gettext(
                "Invalid source name %(name)s. Use 1 to %(most)s characters without "
                "slashes, control characters or a leading ~, for example %(near)s."
            )
            % {
                "name": _shown(name),
                "most": MAX_SOURCE_NAME,
                "near": _shown(source_name_from_url(_NOT_IN_NAME.sub("-", name))),
            }
        )
    return name


def source_name_from_url(url: str) -> str:
    """Return the last part of a URL or path, without `.git`: `backend-api`."""
    tail = re.split(r"[/:\\]", url.rstrip("/\\"))[-1]
    name = _NOT_IN_NAME.sub("-", unquote(tail).removesuffix(".git"))
    name = name.lstrip("~ \t")[:MAX_SOURCE_NAME].strip()
    return name if name.strip(".") else "source"


def mask_login(url: str) -> str:
    """Return the URL with what may be a password or token replaced by `***`."""
    before, at, after = url.rpartition("@")
    scheme, mark, login = before.rpartition("://")
    is_user_name = scheme.lower() in {"", "ssh"} and ":" not in login
    return f"{scheme}{mark}***@{after}" if at and not is_user_name else url


def _parse_url(url: str, rules: AddressRules) -> GitAddress:
    try:
        parts = urlsplit(url)
        hostname, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise InvalidInput(
            gettext("Invalid host or port in %(url)s.") % {"url": _shown(url)}
        ) from error
    scheme = parts.scheme.lower()
    _check_scheme(scheme, url, rules)
    if parts.query or parts.fragment or "?" in url or "#" in url:
        raise InvalidInput(
            gettext("%(url)s contains ? or #. Remove everything from there on.")
            % {"url": _shown(url)}
        )
    user = _checked_userinfo(parts.netloc, scheme, url)
    host = _checked_host(hostname, url)
    if not parts.path.strip("/"):
        raise InvalidInput(
            gettext("%(url)s contains a host but no repository.") % {"url": _shown(url)}
        )
    login = f"{user}@" if user else ""
    written_host = f"[{host}]" if ":" in host else host
    written_port = f":{port}" if port else ""
    clean = f"{scheme}://{login}{written_host}{written_port}{parts.path}"
    return GitAddress(clean, scheme, host, port or DEFAULT_PORTS[scheme])


def _check_scheme(scheme: str, url: str, rules: AddressRules) -> None:
    if scheme == "http" and not rules.allow_http:
        raise InvalidInput(
            gettext("%(url)s is not encrypted. Use https, or set GIT_ALLOW_HTTP=true.")
            % {"url": _shown(url)}
        )
    if scheme == "file":
        raise InvalidInput(
            gettext("%(url)s: use the plain path for a local folder.")
            % {"url": _shown(url)}
        )
    if scheme not in DEFAULT_PORTS:
        raise InvalidInput(
            gettext(
                "%(url)s uses the unsupported scheme '%(scheme)s'. Use https or ssh."
            )
            % {"url": _shown(url), "scheme": scheme}
        )


def _checked_userinfo(netloc: str, scheme: str, url: str) -> str | None:
    userinfo, at, _ = netloc.rpartition("@")
    if not at:
        return None
    if scheme != "ssh" or ":" in userinfo:
        raise InvalidInput(
            gettext(
                "%(url)s contains credentials. Use the address without them, and pass "
                "the token on standard input: `source add URL --token-stdin`, or "
                "`source credentials NAME --token-stdin` for an existing source."
            )
            % {"url": _shown(url)}
        )
    _check_user(userinfo, url)
    return userinfo


def _check_user(user: str | None, url: str) -> None:
    if user is not None and not _USER.fullmatch(user):
        raise InvalidInput(
            gettext("Invalid user name in %(url)s.") % {"url": _shown(url)}
        )


def _checked_host(host: str, url: str) -> str:
    """Return the host in the one form that DNS, curl and ssh agree on."""
    lowered = host.lower().removesuffix(".")
    if ":" in lowered and "%" not in lowered:
        try:
            return str(ipaddress.IPv6Address(lowered))
        except ValueError as error:
            raise InvalidInput(
                gettext("Invalid host in %(url)s.") % {"url": _shown(url)}
            ) from error
    if not lowered.isascii():
        raise InvalidInput(
            gettext(
                "The host in %(url)s contains non-ASCII characters. Use its xn-- form."
            )
            % {"url": _shown(url)}
        )
    if not _HOST.fullmatch(lowered) or ".." in lowered:
        raise InvalidInput(gettext("Invalid host in %(url)s.") % {"url": _shown(url)})
    return lowered


def _shown(url: str) -> str:
    """Return a URL fit for a message: no credentials, no control characters, short."""
    masked = mask_login(url)
    masked = "".join(char if char.isprintable() else "\ufffd" for char in masked)
    masked = masked if len(masked) <= 200 else masked[:199] + "…"
    return gettext("“%(text)s”") % {"text": masked}
