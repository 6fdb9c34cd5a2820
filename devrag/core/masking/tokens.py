"""Keys and tokens in the forms in which providers issue them.

They all have a run of at least 20 letters, digits, `_` and `-`. Such runs are found
with a search over bytes; only in them are the expressions tried.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator

from devrag.core.masking.rules import Found, name_token
from devrag.core.masking.scanned import Scanned, Span

_HEX = r"[0-9a-fA-F]"
_WORD = r"[A-Za-z0-9_-]"
_UUID = rf"{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}"
# How a token begins, and what follows until its end.
_FORMS = (
    # Code hosts and package registries
    (r"gh[opsur]_", r"[A-Za-z0-9]{20,}[\w.-]*"),
    (r"github_pat_", r"\w{20,}"),
    (
        r"gl(?:pat|ptt|rtr?|dt|cbt|ffct|ft|imt|agent|oas|soat|wt)-",
        r"[\w-]{16,}(?:\.[\w-]+)*",
    ),
    (r"GR1348941", rf"{_WORD}{{16,}}"),
    (r"AT(?:ATT3|BB|CTT3)", r"[\w=.-]{16,}"),
    (r"npm_", r"[A-Za-z0-9]{30,}"),
    (r"pypi-A", rf"{_WORD}{{30,}}"),
    (r"rubygems_", rf"{_HEX}{{32,}}"),
    (r"cio(?=[A-Za-z0-9]{0,80}\d)", r"[A-Za-z0-9]{32}(?![\w-])"),
    (r"oy2", r"[a-z0-9]{43}(?![\w-])"),
    (r"CLOJARS_", r"[A-Za-z0-9]{40,}"),
    (r"dckr_[a-z]{3}_", rf"{_WORD}{{20,}}"),
    (r"AKCp", r"[A-Za-z0-9]{10,}"),
    (r"cmVmd", r"[A-Za-z0-9]{59}(?![\w-])"),
    (r"API-", r"(?=[A-Z0-9]{0,26}\d)[A-Z0-9]{26}(?![\w-])"),
    (r"[ps]at\.(?=[\w-]{22}\.)", r"[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
    (r"sgp_|slk_", r"\w{32,}"),
    (r"sq[apu]_", rf"{_HEX}{{32,}}"),
    (r"rdme_", r"[a-z0-9]{40,}"),
    (r"CCI(?:PAT|PRJ)_", r"\w{20,}"),
    (r"bk(?:ua|aa|ct|pa)_", rf"{_HEX}{{32,}}"),
    # Clouds
    (r"A(?:KIA|SIA|BIA|CCA)", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    (r"bedrock-api-key-|ABSK", r"[\w+/=-]{20,}"),
    (r"AIza", rf"{_WORD}{{30,}}"),
    (r"ya29\.", rf"{_WORD}{{40,}}"),
    (r"1//0", rf"{_WORD}{{40,}}"),
    (r"AAAA[\w-]{7}:APA91b", rf"{_WORD}{{100,}}"),
    (r"AQVN", r"(?=[\w-]{0,80}\d)[\w-]{35,38}(?![\w-])"),
    (r"napi_", r"(?=[A-Za-z0-9]{0,80}\d)[A-Za-z0-9]{40,}"),
    (r"AVNS_", rf"{_WORD}{{15,}}"),
    (r"4b1d", r"(?=[A-Za-z0-9]{0,38}[A-Z])[A-Za-z0-9]{38}(?![A-Za-z0-9])"),
    (r"GOCSPX-", rf"{_WORD}{{20,}}"),
    (r"LTAI", r"(?=[A-Za-z0-9]{0,80}\d)[A-Za-z0-9]{16,}"),
    (r"AKID", r"(?=[A-Za-z0-9]{0,80}\d)[A-Za-z0-9]{24,}"),
    (r"do[oprt]_v1_", rf"{_HEX}{{32,}}"),
    (r"HRKU-", rf"{_WORD}{{20,}}"),
    (r"pscale_[a-z]{2,9}_", r"[\w=.-]{20,}"),
    (r"tskey-", rf"{_WORD}{{16,}}"),
    (r"nfp_", r"\w{30,}"),
    (r"sb_secret_", r"\w{20,}"),
    (r"sbp_", rf"(?:[a-z0-9]{{1,8}}_)?{_HEX}{{40}}"),
    (r"vc[a-z]_|vercel_", r"(?=\w{0,80}\d)[A-Za-z0-9]{24,}"),
    (r"f[mo][12][ar]?_", r"(?=[\w+/]{0,80}\d)[\w+/=-]{20,}"),
    (r"pul-", rf"{_HEX}{{40}}"),
    (r"pnu_", r"[A-Za-z0-9]{30,}"),
    (r"tk-us-", rf"{_WORD}{{40,}}"),
    (r"dapi", rf"{_HEX}{{32}}"),
    (r"v1\.0-", rf"{_HEX}{{24}}-{_WORD}{{100,}}"),
    # Language models
    (r"sk-", r"(?:[A-Za-z0-9]{20}|(?=[\w-]{0,80}\d)[\w-]{20})[\w-]*"),
    (r"hf_|r8_|gsk_|api_org_", r"[A-Za-z0-9]{30,}"),
    (r"xai-|pplx-|pcsk_|tgp_v1_|jina_|nvapi-|csk-", r"(?=[\w-]{0,80}\d)[\w-]{24,}"),
    (r"fw_", r"(?=[A-Za-z0-9]{0,80}\d)[A-Za-z0-9]{20,}"),
    (r"lsv2_[a-z]{2}_", rf"{_HEX}{{32}}_{_HEX}{{6,}}"),
    # Payments and shops
    (r"[srp]k_(?:live|test|prod)_", r"[A-Za-z0-9]{10,}"),
    (r"whsec_", r"[A-Za-z0-9+/=]{24,}"),
    (r"sq0(?:atp|csp|idp)-", rf"{_WORD}{{20,}}"),
    (r"EAAA", rf"{_WORD}{{56,}}"),
    (r"shp(?:at|ca|pa|ss|tka)_", r"[A-Za-z0-9]{20,}"),
    (r"shippo_(?:live|test)_", rf"{_HEX}{{32,}}"),
    (r"EZ[AT]K", r"(?=[A-Za-z0-9]{0,80}\d)[A-Za-z0-9]{40,}"),
    (r"access_token\$production\$", r"[a-z0-9$]{40,}"),
    (r"duffel_(?:live|test)_", rf"{_WORD}{{40,}}"),
    (r"pdl_(?:live|sdbx)_apikey_", r"\w{40,}"),
    (r"rzp_(?:live|test)_", r"[A-Za-z0-9]{14,}"),
    (r"FLW(?:SECK|PUBK)_TEST-", r"[a-zA-Z0-9]{12,}(?:-X)?"),
    # Messages, mail, people at work
    (r"xox[a-z](?:\.xox[a-z])?-", r"[\w.-]{10,}"),
    (r"xapp-\d-", r"[\w-]{20,}"),
    (r"\d{8,10}:AA", rf"{_WORD}{{32,36}}"),
    (r"[MNO](?=[\w-]{23,27}\.[\w-]{6}\.)", r"[\w-]+\.[\w-]{6}\.[\w-]{27,}"),
    (r"EAA[B-Z]", r"(?=[A-Za-z0-9]{0,80}\d)[A-Za-z0-9]{60,}"),
    (r"SK(?=[0-9a-f]{32})|AC(?=[0-9a-f]{32})", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    (r"SG(?=\.)", r"\.[\w-]{16,}\.[\w-]{16,}"),
    (r"key-", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    (r"[0-9a-f]{32}-us", r"\d{1,2}(?!\w)"),
    (r"xkeysib-", rf"{_WORD}{{60,}}"),
    (r"re_", r"(?=\w{0,80}\d)[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"),
    (r"(?:lin|secret)_(?:api|oauth)_", r"[A-Za-z0-9]{30,}"),
    (r"ntn_|secret_", r"(?=[A-Za-z0-9]{0,80}\d)[A-Za-z0-9]{40,}"),
    (r"fig[duo]r?_", r"(?=[\w-]{0,80}\d)[\w-]{36,}"),
    (r"pat(?=[A-Za-z0-9]{14}\.)", r"[A-Za-z0-9]{14}\.[0-9a-f]{32,}"),
    (r"pat-[a-z]{2}\d-|sdk-|api-|mob-", _UUID),
    (r"tfp_", r"[\w.=-]{40,}"),
    (r"CFPAT-", rf"{_WORD}{{40,}}"),
    (r"PMAK-", rf"{_HEX}{{24}}-{_HEX}{{32,}}"),
    (r"1/\d{10,20}:|2/\d{10,20}/\d{10,20}:", rf"{_HEX}{{32}}"),
    (r"A{20}", r"(?=[A-Za-z0-9%]{0,80}\d)[A-Za-z0-9%]{60,110}(?![\w%+/=-])"),
    (r"fio-u-", rf"{_WORD}{{60,}}"),
    (r"zpka_", r"\w{32,}"),
    (r"p8e-", r"(?=[A-Za-z0-9]{0,32}\d)[A-Za-z0-9]{32}(?![\w-])"),
    (r"s-s4t2(?:ud|af)-", rf"{_HEX}{{64}}"),
    (r"sm_[aps]at_", r"[A-Za-z0-9]{16}(?![\w-])"),
    (r"sk\.(?=eyJ)", r"[\w-]{20,}\.[\w-]{16,}"),
    (r"sl\.(?:u\.)?", rf"{_WORD}{{60,}}"),
    # Secrets, monitoring, operations
    (r"hv[sbr]\.", rf"{_WORD}{{20,}}"),
    (r"dp\.[a-z]{2,5}\.(?:[\w-]{1,30}\.)?", r"[A-Za-z0-9]{30,}"),
    (r"dt0[a-z]\d\d\.", r"[A-Z0-9]{20,}\.[A-Z0-9]{50,}"),
    (r"glsa_", rf"[A-Za-z0-9]{{32}}_{_HEX}{{8}}"),
    (r"glc_eyJ", r"[\w+/=-]{20,}"),
    (r"eyJrIjoi(?=[A-Za-z0-9]{70})", r"[A-Za-z0-9]{70,}={0,2}(?![\w.-])"),
    (r"NR(?:AK|II|AA|JS|RA|BR)-", r"[\w-]{16,}"),
    (r"sntry[su]_", r"[\w+/=]{30,}"),
    (r"pd[a-z]{2}_", r"(?=[\w-]{0,80}\d)(?=[\w-]{0,80}[A-Z])[\w-]{18,}(?![\w-])"),
    (r"A3-", r"[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){3,}"),
    (r"ops_eyJ", r"[\w+/=-]{40,}"),
    (r"ico-|nnp_|aio_", r"(?=[A-Za-z0-9]{0,80}\d)[A-Za-z0-9]{28,}"),
    (r"AGE-SECRET-KEY-|AGE-PLUGIN-[A-Z]{1,30}-", r"[A-Z0-9]{30,}"),
    (r"nsec1", r"[a-z0-9]{50,}"),
    (r"[xyz]prv(?=[1-9A-HJ-NP-Za-km-z]{90})", r"[A-Za-z0-9]{90,}"),
    (r"devrag_", rf"{_WORD}{{43}}"),
    # JSON web tokens, signed or encrypted
    (
        rf"eyJ(?={_WORD}{{10,2000}}+\.{_WORD}{{10,}}+\.)",
        r"[\w-]+(?:\.[\w-]*){2,4}",
    ),
)
_WHICH_HEAD = re.compile("|".join(f"({head})" for head, _ in _FORMS))
_WHOLE = [re.compile(f"(?:{head}){rest}", re.ASCII) for head, rest in _FORMS]
# An alternation without groups is several times as fast.
_HEAD = re.compile("|".join(head for head, _ in _FORMS))
# Where a word begins, also behind `\\n` and `%0A`; quicker where these cannot be.
_WORD_START = r"(?<![A-Za-z0-9])"
_START = rf"(?:{_WORD_START}|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{{2}}))"
# Heads without conditions on what follows them.
_PLAIN_HEADS = "|".join(re.sub(r"\(\?=[^)]*\)", "", head) for head, _ in _FORMS)
_BEGIN_OF_WORD = re.compile(f"{_WORD_START}(?:{_PLAIN_HEADS})")
_BEGIN = re.compile(f"{_START}(?:{_PLAIN_HEADS})")
_AUTHRESS = r"(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}"
# Tokens with a mark in their midst, and the mark.
_WITH_MARK = (
    ("AZDO", r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])"),
    (".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,}"),
    ("_mmk", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?!\w)"),
    ("sha256~", r"sha256~[\w-]{43}(?![\w-])"),
    (".acc_", rf"{_AUTHRESS}\.acc_[a-z0-9-]{{10,32}}\.[\w+/=-]{{30,120}}"),
    (".acc-", rf"{_AUTHRESS}\.acc-[a-z0-9-]{{10,32}}\.[\w+/=-]{{30,120}}"),
)
_MARKED = tuple(
    (mark, re.compile(_START + form, re.ASCII)) for mark, form in _WITH_MARK
)
# What begins with a short part and one of these has its long run behind them.
_JOINTS = {".", ":", "$", "/"}
_BEFORE_RUN = 40
_ESCAPES = {"\\", "%"}
_DELIMITERS = (" ", "\n", '"', "'", "(", "=", ",", ">")
_NEVER_IN_TOKENS = frozenset(" \t\n\"'`,;()[]{}<>|")

_ACCESS_KEY_ID = re.compile(r"A(?:KIA|SIA)")
_SECRET_KEY = re.compile(r"(?<![\w/+=-])[A-Za-z0-9/+]{40}(?![\w/+=-])", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{40}|[a-z_/]{40}", re.IGNORECASE)
_NEAR = 300


def find_tokens(scanned: Scanned) -> Iterator[Found]:
    """Yield tokens that their form gives away."""
    text, last = scanned.text, 0
    for mark, form in _MARKED:
        if mark in text:
            for each in form.finditer(text):
                yield Found(*each.span(), name_token(each[0]))
    for place in _beginnings(scanned):
        if place < last or not (found := _token(text, place)):
            continue
        start, last = found
        yield Found(start, last, name_token(text[start:last]))
        if _ACCESS_KEY_ID.match(text, place):
            yield from _beside(text, found)


def _beginnings(scanned: Scanned) -> Iterator[int]:
    """Yield where a token may begin, in runs and just before them."""
    text = scanned.text
    # Half of all runs are names that came before in the same text.
    harmless: set[str] = set()
    for start, end in scanned.runs:
        # With the characters around it, on which a token's beginning and end depend.
        run = text[max(0, start - 1) : end + 1]
        if run in harmless:
            continue
        if run[0] in _JOINTS:
            begins = _BEGIN.finditer(text, _before_joint(text, start), end)
            yield from (found.start() for found in begins)
            continue
        pattern = _BEGIN if run[0] in _ESCAPES else _BEGIN_OF_WORD
        places = [found.start() for found in pattern.finditer(text, start, end)]
        if not places and run[-1] in _NEVER_IN_TOKENS:
            harmless.add(run)
        yield from places


def _before_joint(text: str, start: int) -> int:
    """Return where what is joined to a run begins, at most 40 characters before it."""
    least = max(0, start - _BEFORE_RUN)
    return max(least, *(text.rfind(end, least, start) + 1 for end in _DELIMITERS))


def _token(text: str, place: int) -> Span | None:
    if not _HEAD.match(text, place):
        return None
    head = _WHICH_HEAD.match(text, place)
    found = _WHOLE[(head.lastindex or 1) - 1].match(text, place) if head else None
    return found.span() if found else None


def _beside(text: str, key_id: Span) -> Iterator[Found]:
    """Yield the secret key that stands near an AWS key id, without a name."""
    start, end = max(0, key_id[0] - _NEAR), key_id[1] + _NEAR
    for found in _SECRET_KEY.finditer(text, start, end):
        if not _DIGEST.fullmatch(found[0]):
            yield Found(*found.span(), "aws-secret-key")


_WRAPPED = (
    *("-----BEGIN", '{"', "{\n", "{ ", "apiVersion", "[default]", "machine "),
    *("ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "sk-", "sk_live_", "rk_live_"),
    *("AKIA", "ASIA", "AIza", "xoxb-", "xoxp-", "npm_", "pypi-", "SG.", "hvs."),
    *("dop_v1_", "hf_", "devrag_", "postgres", "mysql://", "mongodb", "redis", "amqp"),
    *("https://", "http://", "password", "DB_PASSWORD", "eyJ"),
)


def _wrapped_head(text: str) -> str:
    """Return the base64 digits that the text alone decides."""
    return base64.b64encode(text.encode()).decode().rstrip("=")[: len(text) * 8 // 6]


_BASE64_HEAD = re.compile("|".join(map(re.escape, map(_wrapped_head, _WRAPPED))))
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+(?:\n[ \t]*[A-Za-z0-9+/_-]{16,})*+={0,2}")
_MOST_WRAPPED = 200_000
_TO_STANDARD = str.maketrans("-_", "+/", " \t\n=")


def find_wrapped(
    scanned: Scanned, has_secret: Callable[[str], bool]
) -> Iterator[Found]:
    """Yield base64 in which a secret is encoded."""
    text, last = scanned.text, 0
    for start, _ in scanned.runs:
        # A run may begin with the `n` of an escaped line end.
        head = _BASE64_HEAD.match(text, start) or _BASE64_HEAD.match(text, start + 1)
        if start < last or not head:
            continue
        found = _BASE64.match(text, head.start(), head.start() + _MOST_WRAPPED)
        if found:
            last = found.end()
            if has_secret(_decoded(found[0])):
                is_jwt = found[0].startswith("ZXlK")
                yield Found(*found.span(), "jwt-base64" if is_jwt else "base64-secret")


def _decoded(encoded: str) -> str:
    digits = encoded.translate(_TO_STANDARD)
    digits = digits[: len(digits) - (len(digits) % 4 == 1)]
    try:
        data = base64.b64decode(digits + "=" * (-len(digits) % 4))
    except binascii.Error:
        return ""
    return data.decode("utf-8", "replace")
