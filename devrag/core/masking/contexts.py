"""Secrets that their surroundings give away: URLs, headers, commands, manifests."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.core.masking.rules import Found
from devrag.core.masking.scanned import Scanned, Span
from devrag.core.masking.values import is_key, is_login, is_mixed

_LOGIN = re.compile(
    r"""://(?:[^\s/:@"'<>`]{0,100}:(?!\d{1,5}/)(?P<password>[^\s@"'<>`]{1,200}
            (?:@[^\s/@"'<>`]{1,100}){0,5})
        |(?P<token>[\w.-]{20,200}))@(?=[\w\[.{$%-])""",
    re.VERBOSE,
)
_SIDEKIQ = re.compile(r"(?:gems|enterprise)\.contribsys\.com")
_TEMPLATE = re.compile(
    r"""[${<%*•] | \.{3} | (?i:x+)\Z | \[\w+\]{1,2}\Z
        | (?=[A-Z_]*(?:PASS|PW|SECRET|TOKEN|KEY|CRED|YOUR))[A-Z]+_[A-Z_]+\Z""",
    re.VERBOSE,
)
_LEAST_LOGIN = 3
_DEFAULT_LOGINS = frozenset(
    (
        *("pass", "password", "passwd", "pwd", "secret", "token", "user", "username"),
        *("root", "admin", "guest", "test", "example", "postgres", "mysql", "rabbitmq"),
    )
)
_BEARER = re.compile(
    r"""(?i)bearer["']?[ :=]{1,3}["']?([A-Za-z0-9._~+/=|-]{12,4096})"""
)
_BASIC = re.compile(r"""(?i)basic["']?[ :=]{1,3}["']?([A-Za-z0-9+/_-]{8,4096}={0,2})""")
_SIGNATURE = re.compile(
    r"""(?i)[?&;](?:sig|signature|x-amz-signature|x-goog-signature|code)
        =([A-Za-z0-9%+/=_.-]{20,4096})""",
    re.VERBOSE,
)
_WEBHOOK = re.compile(
    r"""(?i)://(?:[\w-]+\.)?(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/
        |discord(?:app)?\.com/api/webhooks/\d+/
        |webhook\.office\.com/webhookb2/|logic\.azure\.com[:/\w]*?/workflows/
        |hooks\.zapier\.com/hooks/catch/|chat\.googleapis\.com/v1/spaces/
        |api\.telegram\.org/bot)([\w/:@%?=&+.-]{12,1000})""",
    re.VERBOSE,
)
# `$1$2/path` is two arguments of a shell script: one digit alone says too little.
_HASH = re.compile(
    r"""\$(?:(?:apr1|2[abxy]?\$\d\d|argon2(?:id|i|d)|scrypt|md5|sha1)
        |[1567y]\$[\w./=,+-]{1,60})\$[\w./=,+$-]{20,500}""",
    re.VERBOSE,
)
_NAMED_HASH = re.compile(
    r"""(?i)(?:pbkdf2_sha\d{1,3}\$\d+\$[\w./=+$]{20,500}|\{S?SHA\d*\}[\w./=+]{20,500}
        |SCRAM-SHA-256\$[\w:/=+$]{20,500})""",
    re.VERBOSE,
)
_CLIENT = re.compile(r"(?:curl|wget|https?ie)(?=[^\n]*\Z)")
_BEFORE, _AFTER = 300, 600
_CURL_USER = re.compile(
    r"""\s(?:-u|--user|--proxy-user|-U)[\ =]{0,2}["']?[^\s:"']{1,100}
        :([^\s"'$]{3,200})""",
    re.VERBOSE,
)
_GLUED = re.compile(
    r"mysql(?:dump|admin)?\b(?=[^\n]{0,200}?"
    r" -p(?![ :])([^\s\"'$-]{4,100}))"
)
# A login of a program; `docker run -p` takes a port.
_SHORT_OPTION = re.compile(
    r"""(?:(?:docker|podman|registry|oc|az|buildah|skopeo)\s+login\b)
        (?=[^\n]{0,200}?\s-[paw][ ]?["']?([^\s"'$-][^\s"']{4,100}))""",
    re.VERBOSE,
)
_SECURE_STRING = re.compile(
    r"""(?i)securestring\s+(?:-string\s+)?["']([^"'\s$]{4,200})"""
)
_GO_DSN = re.compile(r"""["'=\s][\w.-]{1,64}:([^\s:@"'/$]{4,200})@(?:tcp|unix)\(""")
_SALT = re.compile(
    r"""define\(\s*['"][A-Z_]+_(?:KEY|SALT)['"]\s*,\s*'([^'\n]{40,120})'"""
)
_DEFINED = re.compile(
    r"""(?i)define\(\s*['"]\w*(?:pass(?:word|wd)?|pwd)['"]\s*,\s*
        (?:'(?!\w*_here')([^'\n]{6,200})'|"([^"\n$]{6,200})")""",
    re.VERBOSE,
)
_PGPASS = re.compile(r"(?m)^[\w.*-]+:(?:\d+|\*):[^:\s]+:[^:\s]+:(\S{4,200})$")
_AZURE_AD = re.compile(
    r"(?:(?<![\w~.-])|(?<=\\[nrt])|(?<=%[0-9A-F]{2}))"
    r"[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])",
    re.ASCII,
)
_SQL_PASSWORD = re.compile(
    r"""(?i)(?:user|role|\bto|set)\s[^;\n]{1,200}?\s+identified\s+by\s+
        (?:password\s+)?'([^'\n]{4,200})'""",
    re.VERBOSE,
)
_ORACLE = re.compile(
    r"""(?i)(?:jdbc:oracle:\w{1,10}:|\bsqlplus\s{1,4}(?:-\w{1,10}\s{1,4}){0,3})
        [\w$#]{1,64}/([^\s@"'/$<{(][^\s@"'/]{3,100})@""",
    re.VERBOSE,
)
_NET_USER = re.compile(r"(?i)\bnet\s+user\s+\S{1,64}\s+([^\s/*%$][^\s]{5,100})\s+/add")
_MNEMONIC = re.compile(
    r"""(?i)(?:mnemonic|(?:seed|recovery)[ _-]?phrase)["'`]?\s{0,4}[:=]{1,2}\s{0,4}
        ["'`]?((?:[a-z]{3,8}[ ]){11}(?:(?:[a-z]{3,8}[ ]){3,12})?[a-z]{3,8})
        (?![ ]?[a-z])""",
    re.VERBOSE,
)
_SSWS = re.compile(r"(?i)\bssws[ ]{1,4}([\w-]{30,100})")

_GITLAB_SESSION = re.compile(r"(?i)_gitlab_session=([0-9a-z]{32})")


def find_in_contexts(scanned: Scanned) -> Iterator[Found]:
    """Yield secrets that only their surroundings give away."""
    text, raw, lower = scanned.text, scanned.raw, scanned.lower
    yield from _in_addresses(scanned)
    yield from _in_headers(scanned)
    for byte, mark, pattern, rule in _MARKED:
        if byte in raw and mark in lower:
            for found in pattern.finditer(text):
                yield Found(*found.span(found.lastindex or 0), rule)
    if b"apiversion" in lower:
        for start, end in _kubernetes(text):
            yield Found(start, end, "kubernetes-secret-yaml")


# A byte that is quick to find, what else must be there (long words are quicker than
# short ones), the expression that is tried then, and the rule.
_MARKED = (
    (b"$", b"$", _HASH, "password-hash"),
    (b"$", b"pbkdf2_sha", _NAMED_HASH, "password-hash"),
    (b"$", b"scram-sha-256$", _NAMED_HASH, "password-hash"),
    (b"}", b"{ssha", _NAMED_HASH, "password-hash"),
    (b"$", b"_salt'", _SALT, "salt"),
    (b"(", b"define(", _DEFINED, "password"),
    (b"-", b"mysql", _GLUED, "password"),
    (b":", b":5432:", _PGPASS, "password"),
    (b"-", b" login ", _SHORT_OPTION, "password"),
    (b"-", b"securestring", _SECURE_STRING, "password"),
    (b"@", b"@tcp(", _GO_DSN, "url-credentials"),
    (b"~", b"q~", _AZURE_AD, "azure-ad-client-secret"),
    (b"'", b"identified", _SQL_PASSWORD, "password"),
    (b"@", b"jdbc:oracle:", _ORACLE, "url-credentials"),
    (b"@", b"sqlplus", _ORACLE, "url-credentials"),
    (b"/", b"net user", _NET_USER, "password"),
    (b" ", b"mnemonic", _MNEMONIC, "seed-phrase"),
    (b" ", b"phrase", _MNEMONIC, "seed-phrase"),
    (b" ", b"ssws", _SSWS, "bearer-token"),
    (b"_", b"_gitlab_session=", _GITLAB_SESSION, "gitlab-session-cookie"),
    (b"&", b"sig=", _SIGNATURE, "signed-url"),
    (b"&", b"signature=", _SIGNATURE, "signed-url"),
    (b"?", b"?code=", _SIGNATURE, "signed-url"),
)


def _in_headers(scanned: Scanned) -> Iterator[Found]:
    text, last = scanned.text, 0
    for place in scanned.places(b"bearer"):
        if place < last or not (found := _BEARER.match(text, place)):
            continue
        last = found.end()
        if _is_random(found[1]):
            yield Found(*found.span(1), _header_rule(text, place, "bearer-token"))
    for place in scanned.places(b"basic"):
        if (found := _BASIC.match(text, place)) and is_login(found[1]):
            yield Found(*found.span(1), _header_rule(text, place, "basic-auth"))


def _header_rule(text: str, place: int, rule: str) -> str:
    """Return the rule of a header's credentials; curl's has a name of its own."""
    is_curl = _CLIENT.search(text, max(0, place - _BEFORE), place)
    return "curl-auth-header" if is_curl else rule


def _in_addresses(scanned: Scanned) -> Iterator[Found]:
    text = scanned.text
    has_login = b"@" in scanned.raw
    for place in scanned.places(b"://"):
        if webhook := _WEBHOOK.match(text, place):
            yield Found(*webhook.span(1), _webhook_rule(webhook[0].lower()))
        if client := _CLIENT.search(text, max(0, place - _BEFORE), place):
            for start, end in _users(text, client.end()):
                yield Found(start, end, "curl-auth-user")
        if not has_login or not (found := _LOGIN.match(text, place)):
            continue
        is_sidekiq = _SIDEKIQ.match(text, found.end())
        rule = "sidekiq-sensitive-url" if is_sidekiq else "url-credentials"
        if (token := found["token"]) and is_key(token, is_quoted=True):
            yield Found(*found.span("token"), rule)
        if (password := found["password"]) and _is_login_password(password):
            yield Found(*found.span("password"), rule)


def _webhook_rule(address: str) -> str:
    if "slack" in address:
        return "slack-webhook-url"
    return "microsoft-teams-webhook" if "office" in address else "webhook-url"


def _users(text: str, place: int) -> Iterator[Span]:
    """Yield the password of `curl -u user:password`, before or after the address."""
    end = text.find("\n", place, place + _AFTER)
    for found in _CURL_USER.finditer(text, place, end if end > 0 else place + _AFTER):
        yield found.span(1)


def _is_login_password(value: str) -> bool:
    return (
        len(value) >= _LEAST_LOGIN
        and not _TEMPLATE.match(value)
        and value.lower() not in _DEFAULT_LOGINS
    )


def _is_random(value: str) -> bool:
    return sum(map(str.isdigit, value[:100])) >= 2 or is_mixed(value[:100])


_SECRET_KIND = re.compile(r"""(?m)^[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?Secret["']?""")
_DOCUMENT = re.compile(r"(?m)^---")
_DATA = re.compile(
    r"""(?m)^(?P<indent>[ \t]*)["']?(?:data|stringData)["']?
        [ \t]*:[ \t]*+(?:\{[ \t]*+)?\n
        (?P<body>(?:(?P=indent)[ \t]+[^\n]*(?:\n|\Z)|[ \t]*\n)+)""",
    re.VERBOSE,
)
_ENTRY = re.compile(
    r"""(?m)^[ \t]+(?:["']?[\w./-]+["']?[ \t]*:[ \t]+)?["']?
        (?P<value>(?!\{\{|[|>][+-]?\d?[ \t]*$)[^\s"'#][^\n"',]*)""",
    re.VERBOSE,
)


def _kubernetes(text: str) -> Iterator[Span]:
    """Yield the values of Secret manifests, whatever they look like."""
    if not _SECRET_KIND.search(text):
        return
    start = 0
    for end in [*(mark.start() for mark in _DOCUMENT.finditer(text)), len(text)]:
        if _SECRET_KIND.search(text, start, end):
            for data in _DATA.finditer(text, start, end):
                for entry in _ENTRY.finditer(text, *data.span("body")):
                    yield entry.span("value")
        start = end
