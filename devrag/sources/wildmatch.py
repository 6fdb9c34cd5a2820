"""git's glob language as regular expressions over bytes. Pure.

Source: gitignore(5) and git's wildmatch. A glob of a repository is hostile input, so
every `*` but the last of its stretch is matched atomically: the leftmost match is as
good as any other, and no name can make matching slower than quadratic.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from itertools import groupby

_TOKEN = re.compile(
    rb"""
      (?P<tail> (?<![^/]) \*\*+ \Z )           # a/**   everything below
    | (?P<globstar> (?<![^/]) \*\*+ / )        # a/**/b any number of directories
    | (?P<star> \*+ )
    | (?P<any> \? )
    | (?P<slash> / )
    | (?P<set> \[ (?P<negated> [!^]?+ )
          (?P<members> \]?+ (?: \[:(?!\])[^\]]*+(?<=:)\] | \\. | [^\]\\] )*+ ) \] )
    | \\ (?P<escaped> . )
    | (?P<literal> [^\\\[] )                   # an open bracket or a last \\: no match
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN = re.compile(rb"[^*?\[\\]+")
_MEMBER = re.compile(
    rb"\[:(?!\])(?P<posix>[^\]]*+)(?<=:)\]|\\?(?P<low>.)(?:-\\?(?P<high>.))?",
    re.DOTALL,
)
_POSIX = {
    b"alnum": string.ascii_letters + string.digits,
    b"alpha": string.ascii_letters,
    b"blank": " \t",
    b"cntrl": "".join(map(chr, [*range(32), 127])),
    b"digit": string.digits,
    b"graph": string.ascii_letters + string.digits + string.punctuation,
    b"lower": string.ascii_lowercase,
    b"print": string.ascii_letters + string.digits + string.punctuation + " ",
    b"punct": string.punctuation,
    b"space": string.whitespace,
    b"upper": string.ascii_uppercase,
    b"xdigit": string.hexdigits,
}
NEVER = rb"(?!)"

# Marks between atoms; no atom of a regular expression equals them.
_STAR, _GLOBSTAR = b"*", b"**/"


def glob_regex(glob: bytes) -> bytes:
    """Return a regex source for fullmatch; one that never matches for a broken glob."""
    # git compares the plain beginning first and reads the rest as a glob of its own,
    # so that `**` counts as free-standing there (`a**/b` matches `a/c/b`).
    plain = _PLAIN.match(glob)
    atoms = [re.escape(plain[0])] if plain else []
    glob = glob[plain.end() :] if plain else glob
    position = 0
    while position < len(glob):
        token = _TOKEN.match(glob, position)
        if token is None:
            return NEVER
        atoms.append(_atom(token))
        position = token.end()
    return _join_globstars(_split(atoms, _GLOBSTAR))


def _atom(token: re.Match[bytes]) -> bytes:
    kind = token.lastgroup
    if kind == "set":
        return _set(token["members"], is_negated=bool(token["negated"]))
    fixed = {"tail": b".*", "globstar": _GLOBSTAR, "star": _STAR, "any": b"[^/]"}
    return fixed.get(str(kind)) or re.escape(token[str(kind)])


def _set(members: bytes, *, is_negated: bool) -> bytes:
    """Return a class of single bytes; `/` is never among them."""
    chosen: set[int] = set()
    for member in _MEMBER.finditer(members):
        if member["posix"] is not None:
            name = member["posix"].removesuffix(b":")
            if name not in _POSIX:
                return NEVER
            chosen.update(_POSIX[name].encode())
        else:
            low = member["low"][0]
            high = member["high"][0] if member["high"] else low
            chosen.update(range(low, high + 1))
    if is_negated:
        chosen = set(range(256)) - chosen
    chosen.discard(ord("/"))
    ranges = "".join(f"\\x{low:02x}-\\x{high:02x}" for low, high in _ranges(chosen))
    return f"[{ranges}]".encode() if ranges else NEVER


def _ranges(chosen: set[int]) -> Iterator[tuple[int, int]]:
    """Yield the runs of successive bytes, so that a class stays short."""
    for _, group in groupby(enumerate(sorted(chosen)), lambda item: item[1] - item[0]):
        run = [byte for _, byte in group]
        yield run[0], run[-1]


def _join_globstars(parts: list[list[bytes]]) -> bytes:
    first, *rest = [_join_stars(_split(part, _STAR)) for part in parts]
    if not rest:
        return first
    middle = b"".join(rb"(?>(?:.*?/)??" + part + b")" for part in rest[:-1])
    return first + middle + rb"(?:.*/)?" + rest[-1]


def _join_stars(parts: list[list[bytes]]) -> bytes:
    """Join what stands between stars.

    The match may be left early only when the next star is in the same directory.
    """
    texts = [b"".join(part) for part in parts]
    joined = texts[0]
    for index, text in enumerate(texts[1:], start=1):
        is_last = index == len(texts) - 1 or b"/" in parts[index]
        joined += b"[^/]*" + text if is_last else rb"(?>[^/]*?" + text + b")"
    return joined


def _split(atoms: list[bytes], mark: bytes) -> list[list[bytes]]:
    parts: list[list[bytes]] = [[]]
    for atom in atoms:
        if atom == mark:
            parts.append([])
        else:
            parts[-1].append(atom)
    return parts
