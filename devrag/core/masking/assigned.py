"""Values that are assigned to a name such as `password`, `api_key` or `token`.

In code, configuration, XML, manifests, command lines and prose alike: the name ends
in a keyword, an assignment of some language follows, then the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from devrag.core.masking.rules import Found
from devrag.core.masking.scanned import Scanned, Span
from devrag.core.masking.values import (
    is_identifier,
    is_key,
    is_login,
    is_password,
    is_strong,
)

_PASSWORDS = (b"pass", b"pw")
_KEYS = (b"secret", b"token", b"credential", b"key", b"auth", b"sessionid")
# What `key` must follow: a primary key or the key of a map is no secret.
_OF_KEYS = (
    *(b"api", b"app", b"application", b"access", b"account", b"admin", b"aes", b"auth"),
    *(
        b"cipher",
        b"client",
        b"consumer",
        b"crypto",
        b"deploy",
        b"encrypt",
        b"encryption",
    ),
    *(
        b"hmac",
        b"host",
        b"integration",
        b"instrumentation",
        b"jwt",
        b"license",
        b"master",
    ),
    *(b"preshared", b"private", b"rsa", b"secret", b"security", b"server", b"service"),
    *(b"session", b"shared", b"sign", b"signing", b"ssh", b"storage", b"subscription"),
    *(b"webhook", b"write"),
)
# What `pass` may follow without a mark between them; it is a bypass elsewhere.
_OF_PASSES = (
    *(
        b"require",
        b"store",
        b"key",
        b"db",
        b"user",
        b"root",
        b"admin",
        b"my",
        b"ssh",
        b"ftp",
    ),
    *(b"smtp", b"mail", b"sudo", b"mysql", b"pg", b"host", b"auth"),
)
# How the word may go on until the name ends.
_REST = {
    b"pass": r"(?:w(?:or)?d|phrase|code|wort)?s?",
    b"pw": r"d?s?",
    b"secret": r"s?(?:[_-]?access)?(?:[_-]?(?:key|token|value))?s?(?:[_-]?base)?",
    b"token": r"s?",
    b"credential": r"s?",
    b"key": r"s?",
    b"auth": r"(?:orization)?",
    b"sessionid": r"",
}
# A byte that cannot come next; looking is quicker than trying the expression.
_GOES_ON = {b"pass": b"wpcs", b"pw": b"ds", b"secret": b"skatvb", b"auth": b"o"}
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyz")
_NEVER_NEXT = {
    word: (_LETTERS - frozenset(_GOES_ON.get(word, b"s"))) | frozenset(b".);[")
    for word in _REST
}
_SUFFIX = r"""(?:[_-](?:prod(?:uction)?|dev(?:elopment)?|test|staging|live|main|primary
    |secondary|default|old|new|value|plain|base64|b64|\d{1,3}))?+\d{0,3}+"""
_CLOSE = r"""(?:\\{0,2}["'`*]{1,3})?+\]?+"""
_ASSIGN = r"""
      (?P<typed> \s{0,4} (?: :\s{0,4}|[ ])&?'?[A-Za-z_][\w.\[\]<>|,? ]{0,40}?
        \s{0,4}=\s{0,8} )
    | (?P<named> \s{0,4},\s{0,80}["']?value["']?\s{0,4}[:=]\s{0,4}
        | \s{1,20}value\s{0,4}=\s{0,4}
        | \s{0,4}</(?:key|name)>\s{0,80}<(?:string|value)>
        | [^\S\n]{0,8}\n\s{0,40}value:[^\S\n]{1,4}
        | \s{0,4}\{\s{0,80}
            (?:(?:type|description|sensitive)[^\n]{0,200}+\s{1,80}+){0,3}+
            default\s{0,8}=\s{0,8} )
    | (?P<pair> \s{0,4},\s{0,80}
        | [^\S\n]{0,4}\)?[^\S\n]{0,4}(?:\|\||\?\?|or\s)\s{0,40}
        | \s{0,4}\{[^{}\n=;]{0,20};[^{}\n=]{0,40}\}\s{0,4}=\s{0,8} )
    | (?P<call> \s{0,2}\(\s{0,40} )
    | (?P<plain> [^\S\n]{0,40} (?: :=|=>|->|={1,2}|:{1,2}|\|[^\S\n] ) [^\S\n]{0,40}
        (?: [|>][+-]?[^\S\n]*\n\s{1,40} | [\[(]\s{0,80} | (?:\*\*|__)[^\S\n]{0,4}
            | \\?\n\s{0,40}(?=["']) )? )
    | (?P<prose> [ ](?:is|was)[ ]:?[ ]{0,2} )
    | (?P<markup> /?>\s{0,40}(?:<!\[CDATA\[)?
        | </\w{1,10}>\s{0,80}(?:[:=]|<\w{1,10}>)\s{0,40} )
    | (?P<argument> [ \t]{1,8}(?:-p[ ]?)? )
"""
# Before the credentials of a header.
_SCHEME = r"(?:(?:bearer|basic|token|api-?key|bot|digest|geniekey)[ ]{1,8})?+"
_BARE = r"""[^\s"'`,;&<>(){}\[\]|\\]"""
_BARE_REST = re.compile(_BARE + "*")
_PLACES = {
    word: re.compile(
        rf"""(?xi) {rest} {_SUFFIX} {_CLOSE} (?: {_ASSIGN} )
        (?: (?:[rbfu@$]{{0,2}}) \\{{0,2}} (?P<quote>["'`])(?:(?P=quote){{2}})? {_SCHEME}
              (?P<quoted> (?:\\[^\s"'nrt]|[^\s"'`\\]){{1,4096}}+ )
              (?=\\{{0,2}}(?P=quote))
          | {_SCHEME} (?P<bare> {_BARE}{{1,200}}+ ) (?! [(\[{{] | ["'`]\w )
        )"""
    )
    for word, rest in _REST.items()
}
_KINDS = ("typed", "pair", "call", "plain", "prose", "markup", "argument", "named")
_QUOTED_KINDS = {"typed", "pair", "call"}
_PLAIN_KEY = re.compile(r"[\w.+/=~!@#$%^&*()-]+", re.ASCII)
_NEXT_IN_LIST = re.compile(r"""["']\s{0,20},\s{0,80}["']([^\s"'\\]++)(?=["'])""")
# The rest of a text that is written in several: `"ab" + "cd"`.
_CONTINUED = re.compile(
    r"""(["'])\s{0,20}[+.&\\]?\s{0,80}\1([A-Za-z0-9+/=_.-]{4,4096}+)(?=\1)"""
)
# `--password x`, `ENV TOKEN x`, `machine h login l password x`, `requirepass x`,
# `#define PASSWORD "x"`
_MAY_HAVE_ARGUMENT = re.compile(
    r"""(?xi) (?: (?:^|\s)--?[\w-]* | \bssh
        | (?:^|\n)\s*(?:ENV|ARG|set|setx|export|user)\s+[\w.-]*
        | \#\s{0,4}define\s+\w*
        | login\s+\S+\s+ | require | (?:config\s+set|identified\s+by|with)\s+ ) \Z"""
)
_BEFORE = 80
_JAPANESE_NAMES = (
    *("パスワード", "パスフレーズ", "暗証番号", "合言葉", "シークレット", "トークン"),
    *("秘密鍵", "認証情報", "APIキー", "アクセスキー", "暗号化キー", "ログイン情報"),
)
_JAPANESE = re.compile(
    r"""(?xi) (?:\s?[（(][^）)\n]{0,20}[）)])?
        [」』"'*`]{0,3}\s{0,4}(?:[:：=＝|]|は)[^\S\n]{0,4}[、「『"'*`]{0,3}[^\S\n]?
        (?P<bare>[!-~！-～]{6,100}?)
        (?=[」』"'`、。\s|]|\*\*|[^\x00-\x7f！-～]|\Z)"""
)


def find_assigned(scanned: Scanned) -> Iterator[Found]:
    """Yield assigned values that are secrets."""
    for word in (*_PASSWORDS, *_KEYS):
        rule = "password" if word in _PASSWORDS else "generic-api-key"
        last = 0
        never, length, lower = _NEVER_NEXT[word], len(word), scanned.lower
        for place in scanned.places(word):
            after = place + length
            if place < last or (after < len(lower) and lower[after] in never):
                continue
            if not _names_secret(scanned, word, place):
                continue
            for start, end in _assigned(scanned.text, word, place):
                yield Found(start, end, rule)
                last = end
    if not scanned.text.isascii():
        for start, end in _assigned_in_japanese(scanned.text):
            yield Found(start, end, "password")


def _assigned_in_japanese(text: str) -> Iterator[Span]:
    for name in _JAPANESE_NAMES:
        place = text.find(name)
        while place >= 0:
            place += len(name)
            found = _JAPANESE.match(text, place)
            if found and is_password(found["bare"], is_quoted=False):
                yield found.span("bare")
            place = text.find(name, place)


def _names_secret(scanned: Scanned, word: bytes, place: int) -> bool:
    """Return whether the word stands for itself: no bypass, no primary key."""
    if word == b"key":
        return _follows(scanned.lower, place, _OF_KEYS)
    if word == b"pass":
        before, text = scanned.text[place - 1 : place], scanned.text
        is_word = scanned.lower[place + 4 : place + 5] == b"w"
        is_begin = not before.isalpha() or text[place].isupper()
        return is_word or is_begin or _follows(scanned.lower, place, _OF_PASSES)
    if word == b"token":  # of a .NET assembly
        return not scanned.lower[:place].endswith(b"publickey")
    if word == b"pw":
        return not scanned.text[place - 1 : place].isalpha() or place == 0
    return True


def _follows(lower: bytes, place: int, words: tuple[bytes, ...]) -> bool:
    before = lower[max(0, place - 20) : place]
    return before.rstrip(b"_- ").endswith(words)


def _assigned(text: str, word: bytes, place: int) -> Iterator[Span]:
    found = _PLACES[word].match(text, place + len(word))
    if found is None:
        return
    kind = next(kind for kind in _KINDS if found[kind] is not None)
    is_quoted = found["quoted"] is not None
    if kind == "argument" and not _MAY_HAVE_ARGUMENT.search(
        text, max(0, place - _BEFORE), place
    ):
        return
    if not is_quoted and (kind in _QUOTED_KINDS or _is_host(kind, found["bare"])):
        return
    value = _Value(
        word,
        is_quoted=is_quoted,
        is_strict=kind in {"pair", "call"},
        may_be_name=not is_quoted or found["quote"] == "`",
    )
    if is_quoted:
        start, end = found.span("quoted")
        if value.is_secret(found["quoted"]):
            yield start, end
            yield from _continued(text, end)
        if "[" in text[found.end(kind) - 1 : start]:
            yield from _rest_of_list(text, value, end)
    elif value.is_secret(found["bare"]):
        rest = _BARE_REST.match(text, found.end("bare"))
        yield found.start("bare"), rest.end() if rest else found.end("bare")


def _is_host(kind: str, bare: str) -> bool:
    """Return whether it follows `<password>` in the template of an address."""
    return kind == "markup" and bare.startswith("@")


@dataclass(frozen=True, slots=True)
class _Value:
    """How a value is assigned. is_strict: to a name that may be something else.

    may_be_name: it stands where code has names as well, without quotes.
    """

    word: bytes
    is_quoted: bool
    is_strict: bool
    may_be_name: bool

    def is_secret(self, value: str) -> bool:
        if self.is_strict and not _PLAIN_KEY.fullmatch(value):
            return False
        if self.word in _PASSWORDS:
            is_sure = not self.is_strict or is_strong(value)
            return is_sure and is_password(value, is_quoted=self.is_quoted)
        if (self.is_strict or self.may_be_name) and is_identifier(value):
            return False
        is_login_here = self.word == b"auth" and is_login(value)
        return is_login_here or is_key(value, is_quoted=self.is_quoted)


def _continued(text: str, place: int) -> Iterator[Span]:
    while found := _CONTINUED.match(text, place):
        yield found.span(2)
        place = found.end(2)


def _rest_of_list(text: str, value: _Value, place: int) -> Iterator[Span]:
    while found := _NEXT_IN_LIST.match(text, place):
        if value.is_secret(found[1]):
            yield found.span(1)
        place = found.end(1)
