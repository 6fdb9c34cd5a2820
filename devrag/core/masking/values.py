"""Whether a value is a secret, or a name, a reference or a placeholder."""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata

_LEAST_PASSWORD, _LEAST_KEY, _LEAST_BARE_KEY = 6, 12, 16
_LEAST_STRONG, _LEAST_DIGITS = 8, 3
_LONG_WORD = 16
_LETTERS = re.compile(rf"[a-z]{{{_LONG_WORD},}}")
# So many characters show what a value is.
_ENOUGH = 80
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_PASSPHRASE = re.compile(r"[a-z]{2,}(?:[-_. ][a-z]{2,}){3,}", re.IGNORECASE)
# Another place that holds the secret: a variable, a template, a path, an address.
_REFERENCE = re.compile(
    r"""(?xi)
      [{<] | \$[({] | [$%@!&*.]?[({] | \$[a-z_]\w*\Z | %[a-z_]\w*%\Z | %[sdv(] | @@
    | (?:env|file|vault|ssm|ref\+\w+|arn|op|sm|secretsmanager|keyring|https?):
    | [/.~]{1,2}/ | /[a-z]+/ | projects/ | process\.env | os\.env
    | [\[(^]*(?:A-Z|a-z|0-9)
    """
)
# A package and its version, `js-tokens@10.0.0`, `npm:next-auth@^4.24.11` or `^5.1.1`.
_VERSION = re.compile(r"(?:npm:)?(?:@?[\w./-]+@)?[\^~]?v?\d+\.\d+\.\d+(?:[-+][\w.]+)?")
# Standards and products whose own names hold digits, in names such as `OAuth2Client`.
_TERM = re.compile(
    r"""(?x)
      [Oo]?[Aa]uth[0-2] | OAUTH[12] | (?:B2[BC]|b2[bc]) | (?:[Ss]ig)?[Vv][1-9]
    | (?i: X(?:25519|448|50\d) | Ed(?:25519|448) | sha3?_?(?:1|224|256|384|512) | md[45]
        | utf_?(?:8|16|32) | base(?:16|32|58|64) | pkcs_?\d{1,2} | rfc_?\d{3,4}
        | http[123] | aes_?(?:128|192|256) | ipv[46] | p(?:256|384|521) | openid2
        | k8s | argon2 | (?:s3|[iu](?:8|16|32|64))(?![a-z\d]) )"""
)
_NAME = re.compile(r"[A-Za-z_.][A-Za-z_.:/\-]*")
_NAME_WITH_KEYWORD = re.compile(
    r"[\w.:$>+?=-]*(?:pass|pwd|secret|token|credential|api_?key)[\w.:>-]*?\d{0,2}",
    re.IGNORECASE | re.ASCII,
)
# `passw0rd` and `MyPass2024`: digits that no name of a variable has.
_UNLIKE_NAME = re.compile(r"\d[a-z](?!_)|\d{3,}\Z")
_NUMBERED = re.compile(
    r"[A-Za-z]{2,}+(?:[_.-][A-Za-z]{3,}+)*+[_.-]?\d{0,4}(?:[-.]\d+)*"
)
_PLACEHOLDER = re.compile(
    r"""(?xi)
      (?:x|\*|\.|•|-|_|0|y|z|\#)+ | your[-_].* | .*[-_]?(?:goes|here) | .*placeholder.*
    | change[-_]?(?:me|it|this)\W? | example | replace[-_]?(?:me|with).*
    | (?:my)?pass(?:w(?:or)?d|phrase)?\d? | pw | pwd | secret | root | admin
    | user(?:name)? | test | guest | postgres | mysql | token | none | null
    | undefined | required | string\??
    """
)
# Parts of an identifier: a run of capitals, a word, digits.
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_IDENTIFIER = re.compile(r"[A-Za-z_\d]\w*(?:[.:/-]\w+)*", re.ASCII)
# A number within a word, and letters that nobody can speak.
_UNLIKE_WORDS = re.compile(r"\d[a-z]|[A-Z]\d+[A-Z]{2}|(?i:[b-df-hj-np-tv-xz]{5,})")
_LETTERS_PER_PART, _VOWELS_PER_LETTER = 3.5, 0.27
_MOST_NUMBERS, _MOST_DIGITS = 2, 3
_MIGRATION = re.compile(r"\A\d{4,5}_(?=[a-z])")
_CHANGE = re.compile(
    r"[a-z](?=[A-Z0-9])|[A-Z](?=[0-9])|[A-Z]{2}(?=[a-z])|[0-9](?=[A-Za-z])"
)
_CHANGES_PER_CHARACTER = 0.2


def is_password(value: str, *, is_quoted: bool) -> bool:
    """Return whether what is assigned to a name like `password` is one."""
    value = _plain(value)
    if len(value) < _LEAST_PASSWORD or not _may_be_secret(value):
        return False
    if _PASSPHRASE.fullmatch(value):
        return is_quoted and not _NAME_WITH_KEYWORD.fullmatch(value)
    if _NAME.fullmatch(value):
        return is_mixed(value)
    if _UNLIKE_NAME.search(value):
        return True
    return is_quoted or not _NAME_WITH_KEYWORD.fullmatch(value)


def is_strong(value: str) -> bool:
    """Return whether no label and no name of a field looks like it."""
    value = _plain(value)
    return (
        len(value) >= _LEAST_STRONG
        and any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and not _NUMBERED.fullmatch(value)
        and not _NAME_WITH_KEYWORD.fullmatch(value)
    )


def is_key(value: str, *, is_quoted: bool) -> bool:
    """Return whether what is assigned to a name like `api_key` is one."""
    value = _plain(value)
    least = _LEAST_KEY if is_quoted else _LEAST_BARE_KEY
    if len(value) < least or not _may_be_secret(value):
        return False
    digits = sum(map(str.isdigit, value))
    if _LEAST_DIGITS <= digits < len(value):
        is_word = is_quoted and value.isalnum() and len(value) >= _LONG_WORD
        return is_word or not _NUMBERED.fullmatch(value)
    if is_quoted and _LETTERS.fullmatch(value):
        return not _NAME_WITH_KEYWORD.fullmatch(value)
    return is_mixed(value)


def is_mixed(value: str) -> bool:
    """Return whether small letters, capitals and digits alternate as by chance."""
    changes = len(_CHANGE.findall(value))
    return len(value) >= _LEAST_KEY and changes >= _CHANGES_PER_CHARACTER * len(value)


def is_identifier(value: str) -> bool:
    """Return whether a value reads like a name in code: words, few numbers between."""
    value = _plain(value.rstrip("."))
    if not _IDENTIFIER.fullmatch(value) or _UNLIKE_WORDS.search(value):
        return False
    parts = _PART.findall(_MIGRATION.sub("", value, count=1))
    numbers = [part for part in parts if part.isdigit()]
    words = [part for part in parts if not part.isdigit()]
    letters = "".join(words).lower()
    return (
        len(numbers) <= _MOST_NUMBERS
        and all(len(number) <= _MOST_DIGITS for number in numbers)
        and len(letters) >= _LETTERS_PER_PART * len(words) > 0
        and sum(map(letters.count, "aeiouy")) >= _VOWELS_PER_LETTER * len(letters)
    )


def is_login(encoded: str) -> bool:
    """Return whether it is base64 of `user:password`."""
    try:
        data = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
        return ":" in data.decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return False


def _plain(value: str) -> str:
    """Return the beginning, in ASCII where only its form is another.

    Terms with digits become words: they make nothing of a value look random.
    """
    value = value[:_ENOUGH]
    if not value.isascii():
        value = unicodedata.normalize("NFKC", _INVISIBLE.sub("", value))
    return _TERM.sub("Term", value) if _IDENTIFIER.fullmatch(value) else value


def _may_be_secret(value: str) -> bool:
    return (
        value.isascii()
        and not _REFERENCE.match(value)
        and not _PLACEHOLDER.fullmatch(value)
        and not _VERSION.fullmatch(value)
    )
