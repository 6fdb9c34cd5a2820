"""What looks like a secret is masked, and nothing else moves or changes.

Every sample is assembled from pieces by a seeded generator, so that this file holds
nothing that looks like a secret itself.
"""

from __future__ import annotations

import base64
import json
import random
import string
import uuid
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.core.masking import MASK, mask_secrets

_ALNUM = string.ascii_letters + string.digits
_LOWER = string.ascii_lowercase + string.digits
_BASE32 = string.ascii_uppercase + "234567"
_random = random.Random(20_261)


def _some(count: int, alphabet: str = _ALNUM) -> str:
    """Return random characters, at least three of them digits."""
    drawn = _random.choices(alphabet, k=count - 3)
    drawn += _random.choices([c for c in alphabet if c.isdigit()] or ["4"], k=3)
    return "".join(drawn)


def _hex(count: int) -> str:
    return _some(count, "0123456789abcdef")


def _uuid() -> str:
    return str(uuid.UUID(int=_random.getrandbits(128)))


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _jwt() -> str:
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": "1234567890", "name": "ann"})
    encoded = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
        for part in parts
    )
    return ".".join((*encoded, _some(43)))


# Tokens that their form gives away: no name stands beside them.
TOKENS: dict[str, Callable[[], str]] = {
    "aws access key id": lambda: "AKI" + "A" + _some(16, _BASE32),
    "aws temporary key id": lambda: "ASI" + "A" + _some(16, _BASE32),
    "github personal": lambda: "gh" + "p_" + _some(36),
    "github oauth": lambda: "gh" + "o_" + _some(36),
    "github user": lambda: "gh" + "u_" + _some(36),
    "github server": lambda: "gh" + "s_" + _some(36),
    "github refresh": lambda: "gh" + "r_" + _some(76),
    "github fine-grained": lambda: f"github_{'pat'}_{_some(22)}_{_some(59)}",
    "gitlab personal": lambda: "glp" + "at-" + _some(20),
    "gitlab routable": lambda: f"glp{'at'}-{_some(27)}.01.{_some(9)}",
    "gitlab runner": lambda: "glr" + "t-" + _some(20),
    "gitlab deploy": lambda: "gld" + "t-" + _some(20),
    "gitlab trigger": lambda: "glp" + "tt-" + _hex(40),
    "bitbucket": lambda: "ATB" + "B" + _some(32),
    "atlassian": lambda: "ATAT" + "T3xFfGF0" + _some(180) + "=" + _hex(8).upper(),
    "google api": lambda: "AIz" + "a" + _some(35),
    "google oauth client": lambda: "GOCS" + "PX-" + _some(28),
    "slack bot": lambda: f"xox{'b'}-{_some(12, '0123456789')}-{_some(24)}",
    "slack user": lambda: f"xox{'p'}-{_some(12, '0123456789')}-{_hex(32)}",
    "slack app": lambda: f"xap{'p'}-1-A{_some(10)}-{_some(13)}-{_hex(64)}",
    "stripe live": lambda: "sk_" + "live_" + _some(24),
    "stripe restricted": lambda: "rk_" + "live_" + _some(24),
    "stripe test": lambda: "sk_" + "test_" + _some(24),
    "stripe webhook": lambda: "whs" + "ec_" + _some(32),
    "twilio key": lambda: "S" + "K" + _hex(32),
    "sendgrid": lambda: f"S{'G'}.{_some(22)}.{_some(43)}",
    "mailgun": lambda: "ke" + "y-" + _hex(32),
    "mailchimp": lambda: _hex(32) + "-us" + "12",
    "brevo": lambda: f"xkey{'sib'}-{_hex(64)}-{_some(16)}",
    "npm": lambda: "np" + "m_" + _some(36),
    "pypi": lambda: "pyp" + "i-AgEIcHlwaS5vcmc" + _some(150),
    "rubygems": lambda: "ruby" + "gems_" + _hex(48),
    "crates.io": lambda: "ci" + "o" + _some(32),
    "nuget": lambda: "oy" + "2" + _some(43, _LOWER),
    "docker hub": lambda: f"dckr_{'pat'}_{_some(27)}",
    "openai": lambda: f"s{'k'}-proj-{_some(48)}",
    "openai legacy": lambda: f"s{'k'}-{_some(20)}T3BlbkFJ{_some(20)}",
    "anthropic": lambda: f"s{'k'}-ant-api03-{_some(93)}AA",
    "hugging face": lambda: "h" + "f_" + _some(34),
    "replicate": lambda: "r" + "8_" + _some(37),
    "groq": lambda: "gs" + "k_" + _some(52),
    "digitalocean": lambda: "dop" + "_v1_" + _hex(64),
    "databricks": lambda: "dap" + "i" + _hex(32),
    "shopify": lambda: "shp" + "at_" + _hex(32),
    "square": lambda: "sq0" + "atp-" + _some(22),
    "telegram bot": lambda: f"{_some(10, '0123456789')}:A{'A'}{_some(33)}",
    "discord bot": lambda: f"M{_some(23)}.{_some(6)}.{_some(27)}",
    "facebook": lambda: "EA" + "ACEdEose0cBA" + _some(150),
    "airtable": lambda: f"pa{'t'}{_some(14)}.{_hex(64)}",
    "notion": lambda: "nt" + "n_" + _some(46),
    "linear": lambda: "lin" + "_api_" + _some(40),
    "figma": lambda: "fig" + "d_" + _some(40),
    "hubspot": lambda: f"pat-{'na'}1-{_uuid()}",
    "postman": lambda: f"PMA{'K'}-{_hex(24)}-{_hex(34)}",
    "vault": lambda: "hv" + "s." + _some(90),
    "terraform cloud": lambda: f"{_some(14)}.atlas{'v1'}.{_some(60)}",
    "doppler": lambda: "dp." + "pt." + _some(43),
    "dynatrace": lambda: f"dt0{'c01'}.{_some(24, _BASE32)}.{_some(64, _BASE32)}",
    "grafana": lambda: f"gls{'a'}_{_some(32)}_{_hex(8)}",
    "new relic": lambda: "NRA" + "K-" + _some(27, _BASE32),
    "sentry": lambda: "sntr" + "ys_" + _some(100),
    "planetscale": lambda: "psca" + "le_tkn_" + _some(43),
    "tailscale": lambda: f"tsk{'ey'}-auth-{_some(12)}-{_some(32)}",
    "supabase": lambda: "sb" + "p_" + _hex(40),
    "netlify": lambda: "nf" + "p_" + _some(40),
    "sonarqube": lambda: "sq" + "p_" + _hex(40),
    "fly.io": lambda: "fm" + "2_" + _some(120),
    "pulumi": lambda: "pu" + "l-" + _hex(40),
    "alibaba": lambda: "LTA" + "I5t" + _some(20),
    "1password": lambda: f"op{'s'}_eyJ{_some(250)}",
    "age": lambda: "AGE-SECRET-" + "KEY-1" + _some(58, _BASE32),
    "json web token": _jwt,
    "azure client secret": lambda: f"{_some(3)}8{'Q'}~{_some(34)}",
    "devrag": lambda: "devr" + "ag_" + _some(43),
}


@pytest.mark.parametrize("kind", TOKENS)
@pytest.mark.parametrize(
    "around",
    [
        ("", ""),
        ('x = "', '"\n'),
        ("see ", ", please"),
        ("--header='X: ", "'"),
        ("a\\n", "\\n"),
        ("値は", "です。"),
        ("https://h.example/?a=%3D", "&b=1"),
    ],
)
def test_a_token_is_masked_by_its_form(kind: str, around: tuple[str, str]) -> None:
    before, after = around
    token = TOKENS[kind]()

    masked = mask_secrets(f"{before}{token}{after}")

    assert masked == f"{before}{MASK * len(token)}{after}"


def _lines(count: int, tail: int = 20) -> str:
    return "\n".join([*(_some(64) for _ in range(count)), _some(tail) + "=="])


def _armoured(kind: str) -> tuple[str, str, str]:
    """Return begin, body and end of an armoured private key."""
    return f"-----BEGIN {kind}-----\n", _lines(6), f"\n-----END {kind}-----\n"


ARMOURED = [
    *("RSA PRIVATE" + " KEY", "EC PRIVATE" + " KEY", "DSA PRIVATE" + " KEY"),
    *("PRIVATE" + " KEY", "ENCRYPTED PRIVATE" + " KEY", "OPENSSH PRIVATE" + " KEY"),
    *("PGP PRIVATE" + " KEY BLOCK", "OpenVPN Static" + " key V1"),
]


@pytest.mark.parametrize("kind", ARMOURED)
def test_a_private_key_is_masked_line_by_line(kind: str) -> None:
    begin, body, end = _armoured(kind)

    masked = mask_secrets(f"a\n{begin}{body}{end}b\n")

    hidden = "\n".join(MASK * len(line) for line in body.split("\n"))
    assert masked == f"a\n{begin}{hidden}{end}b\n"


def test_an_encrypted_key_keeps_its_headers() -> None:
    begin, body, end = _armoured("RSA PRIVATE" + " KEY")
    head = f"Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{_hex(32).upper()}\n\n"

    masked = mask_secrets(begin + head + body + end)

    assert masked.startswith(begin + head + MASK * 64)
    assert body[-10:] not in masked


@pytest.mark.parametrize(
    "joint", ["\\n", "\\\\n", '\\n" +\n  "', "\n# ", "\n    ", " "]
)
def test_a_private_key_within_code_or_json_is_masked(joint: str) -> None:
    begin, body, end = _armoured("PRIVATE" + " KEY")
    text = (begin + body + end).rstrip().replace("\n", joint)

    masked = mask_secrets(f'key("{text}")')

    assert not any(line in masked for line in body.split("\n"))
    assert masked.count(joint) == f'key("{text}")'.count(joint)


def test_a_private_key_whose_end_is_cut_off_is_masked() -> None:
    begin, body, _ = _armoured("RSA PRIVATE" + " KEY")

    masked = mask_secrets(begin + body)

    assert masked == begin + "\n".join(MASK * len(each) for each in body.split("\n"))


@pytest.mark.parametrize(
    "kind", ["CERTIFICATE", "PUBLIC KEY", "PGP PUBLIC KEY BLOCK", "RSA PUBLIC KEY"]
)
def test_public_keys_and_certificates_stay(kind: str) -> None:
    begin, body, end = _armoured(kind)

    assert mask_secrets(begin + body + end) == begin + body + end


def test_code_that_only_names_a_private_key_stays() -> None:
    name = "-----BEGIN RSA PRIVATE" + " KEY-----"
    text = f'if "{name}" in text:\n    return load_private_key_from_text(text)\n'

    assert mask_secrets(text) == text


def _putty() -> tuple[str, str]:
    body = _lines(3)
    return f"PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 4\n{body}\n", body


def _service_account() -> tuple[str, str]:
    begin, body, end = _armoured("PRIVATE" + " KEY")
    key = {"type": "service_account", "private" + "_key": begin + body + end}
    return json.dumps(key), body.split("\n")[0]


def _jwk() -> tuple[str, str]:
    secret = _some(43)
    return json.dumps({"kty": "EC", "crv": "P-256", "d": secret}), secret


def _kubernetes() -> tuple[str, str]:
    secret = _b64("tea-and-cake")
    text = (
        f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ndata:\n  pin: {secret}\n"
    )
    return text, secret


def _kubernetes_block() -> tuple[str, str]:
    text = (
        "apiVersion: v1\nstringData:\n  conf.ini: |\n    tea-and-cake\nkind: Secret\n"
    )
    return text, "tea-and-cake"


def _docker() -> tuple[str, str]:
    secret = _b64("ann:tea")
    return json.dumps({"auths": {"r.example": {"auth": secret}}}), secret


def _wrapped(text: str, secret_of: Callable[[str], str] = _b64) -> tuple[str, str]:
    secret = secret_of(text)
    return f"data = {secret}\n", secret


def _assigned(form: str, secret: str) -> tuple[str, str]:
    return form.replace("§", secret), secret


PW = "hunter" + "2Xz!"
# Secrets that a name or their surroundings give away.
NAMED: dict[str, Callable[[], tuple[str, str]]] = {
    "aws secret key, ini": lambda: _assigned(
        "aws_secret_access_key = §\n", _some(40, _ALNUM + "/+")
    ),
    "aws secret key beside its id": lambda: _assigned(
        f"AKI{'A'}{_some(16, _BASE32)},§\n", _some(40)
    ),
    "aws session token": lambda: _assigned("AWS_SESSION_TOKEN=§\n", _some(700)),
    "azure storage": lambda: _assigned(
        "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=§;x=y",
        _some(86) + "==",
    ),
    "azure service bus": lambda: _assigned(
        "Endpoint=sb://a.example/;SharedAccessKeyName=Root;SharedAccessKey=§",
        _some(43) + "=",
    ),
    "azure shared access signature": lambda: _assigned(
        "https://a.example/c?sv=2022-11-02&sig=§&se=1", _some(44) + "%3D"
    ),
    "presigned url": lambda: _assigned(
        "https://b.example/k?X-Amz-Date=1&X-Amz-Signature=§", _hex(64)
    ),
    "slack webhook": lambda: _assigned(
        "https://hooks.slack.com/services/§", f"T0A/B0B/{_some(24)}"
    ),
    "discord webhook": lambda: _assigned(
        "https://discord.com/api/webhooks/123456789012345678/§", _some(68)
    ),
    "url password": lambda: _assigned("https://ann:§@git.example/a.git", PW),
    "url token": lambda: _assigned("https://§@git.example/a.git", _some(30)),
    "postgres url": lambda: _assigned("postgres://app:§@db:5432/app", PW),
    "mongodb url": lambda: _assigned("mongodb+srv://app:§@c.example/db", PW),
    "redis url": lambda: _assigned("redis://:§@cache:6379/0", PW),
    "amqp url": lambda: _assigned("amqps://a:§@mq:5671/%2f", PW),
    "ado connection string": lambda: _assigned(
        "Server=db;Database=a;User Id=sa;Password=§;Encrypt=True", PW
    ),
    "jdbc": lambda: _assigned("jdbc:mysql://db/a?user=b&password=§&x=y", PW),
    "basic header": lambda: _assigned("Authorization: Basic §\n", _b64("ann:tea")),
    "bearer header": lambda: _assigned("Authorization: Bearer §\n", _some(40)),
    "token header": lambda: _assigned("Authorization: token §\n", _hex(40)),
    "api key header": lambda: _assigned("curl -H 'X-Api-Key: §' h", _some(32)),
    "private token header": lambda: _assigned("PRIVATE-TOKEN: §\n", _some(20)),
    "curl user": lambda: _assigned("curl -u ann:§ https://h.example", PW),
    "mysql option": lambda: _assigned("mysql -u root -p§ shop\n", PW),
    "password option": lambda: _assigned("tool --password § --force", PW),
    "token option": lambda: _assigned("tool --token=§ --force", _some(30)),
    "netrc": lambda: _assigned("machine h.example login ann password §\n", PW),
    "pgpass": lambda: _assigned("db.example:5432:shop:app:§\n", PW),
    "npmrc": lambda: _assigned("//r.example/:_authToken=§\n", _uuid()),
    "npmrc auth": lambda: _assigned("_auth = §\n", _b64("ann:correct-horse-9")),
    "pypirc": lambda: _assigned("[pypi]\nusername = a\npassword = §\n", PW),
    "docker auth": _docker,
    "htpasswd, bcrypt": lambda: _assigned("ann:§\n", f"$2y$10${_some(53)}"),
    "htpasswd, apr1": lambda: _assigned("ann:§\n", f"$apr1${_some(8)}${_some(22)}"),
    "shadow": lambda: _assigned("ann:§:1:0\n", f"$6${_some(16)}${_some(86)}"),
    "django hash": lambda: _assigned(
        "'§'", f"pbkdf2_sha256$870000${_some(22)}${_some(43)}="
    ),
    "sql user": lambda: _assigned("CREATE USER a IDENTIFIED BY '§';", PW),
    "putty": _putty,
    "service account": _service_account,
    "json web key": _jwk,
    "wireguard": lambda: _assigned("[Interface]\nPrivateKey = §\n", _some(43) + "="),
    "kubernetes secret": _kubernetes,
    "kubernetes block": _kubernetes_block,
    "kubernetes env": lambda: _assigned("- name: DB_PASSWORD\n  value: §\n", PW),
    "github token in base64": lambda: _wrapped("gh" + "p_" + _some(36)),
    "private key in base64": lambda: _wrapped("".join(_armoured("PRIVATE" + " KEY"))),
    "service account in base64": lambda: _wrapped(_service_account()[0]),
    "django secret key": lambda: _assigned(
        "SECRET_KEY = '§'\n", "django-insecure-" + _some(50, _LOWER + "!@#$%^&*")
    ),
    "environment": lambda: _assigned("export DB_PASSWORD=§\n", PW),
    "dockerfile": lambda: _assigned("FROM a\nENV API_TOKEN §\n", _some(32)),
    "yaml": lambda: _assigned("db:\n  password: § # ours\n", PW),
    "yaml block": lambda: _assigned("token: >-\n  §\n", _some(40)),
    "json": lambda: _assigned('{"client_secret": "§"}', _some(32)),
    "json in a string": lambda: _assigned(r'"{\"password\": \"§\"}"', PW),
    "toml": lambda: _assigned('[a]\napi_key = "§"\n', _hex(32)),
    "properties": lambda: _assigned("spring.datasource.password=§\n", PW),
    "xml element": lambda: _assigned("<password>§</password>", PW),
    "xml attribute": lambda: _assigned('<add key="ApiKey" value="§"/>', _hex(32)),
    "plist": lambda: _assigned("<key>apiKey</key>\n<string>§</string>", _hex(32)),
    "python call": lambda: _assigned('connect(host="h", password="§")', PW),
    "python annotated": lambda: _assigned('password: str = "§"\n', PW),
    "python mapping": lambda: _assigned('os.environ["API_KEY"] = "§"\n', _hex(32)),
    "python default": lambda: _assigned('env("SECRET_KEY", "§")', _some(32)),
    "php define": lambda: _assigned("define('DB_PASSWORD', '§');", _some(20)),
    "go": lambda: _assigned('const apiKey string = "§"\n', _hex(32)),
    "java": lambda: _assigned('builder.apiKey("§")', _hex(32)),
    "typescript": lambda: _assigned("const authToken: string = '§';", _some(32)),
    "ruby": lambda: _assigned(':api_key => "§"', _hex(32)),
    "powershell": lambda: _assigned('$env:DB_PASSWORD = "§"', PW),
    "terraform": lambda: _assigned('  db_password = "§"\n', PW),
    "go data source": lambda: _assigned('dsn := "root:§@tcp(127.0.0.1:3306)/a"', PW),
    "c macro": lambda: _assigned('#define WIFI_PASSWORD "§"', PW),
    "json by name": lambda: _assigned('{"name": "DB_PASSWORD", "value": "§"}', PW),
    "terraform default": lambda: _assigned(
        'variable "db_password" {\n  type = string\n  default = "§"\n}', PW
    ),
    "php fallback": lambda: _assigned("env('DB_PASSWORD', '§')", PW),
    "powershell secure string": lambda: _assigned(
        'ConvertTo-SecureString "§" -AsPlainText', PW
    ),
    "docker login": lambda: _assigned("docker login -u bob -p § r.example", PW),
    "sshpass": lambda: _assigned("sshpass -p § ssh h.example", PW),
    "redis configuration": lambda: _assigned("requirepass §\n", PW),
    "keytool": lambda: _assigned("keytool -storepass § -list", PW),
    "in two texts": lambda: _assigned(
        f'api_key = "{_hex(20)}" \\\n    "§"\n', _hex(20)
    ),
    "with an invisible character": lambda: _assigned(
        'password = "§"\n', PW[:4] + "\u200b" + PW[4:]
    ),
    "full width": lambda: _assigned("パスワード：§\n", "Ｔｒ０ｕｂ４ｄｏｒ"),
    "list of keys": lambda: _assigned('api_keys = ["k1", "§"]', _hex(32)),
    "query": lambda: _assigned("https://h.example/a?access_token=§&b=1", _some(32)),
    "prose": lambda: _assigned("The password is § for now.", PW),
    "markdown": lambda: _assigned("* **Password**: `§`\n", PW),
    "japanese": lambda: _assigned("パスワードは「§」です。", PW),
    "japanese, full width": lambda: _assigned("パスワード：§\n", PW),
}


@pytest.mark.parametrize("kind", NAMED)
def test_a_secret_is_masked_by_what_is_around_it(kind: str) -> None:
    text, secret = NAMED[kind]()

    masked = mask_secrets(text)

    first, last = secret.split("\n")[0], secret.split("\n")[-1]
    assert first in text
    assert first not in masked
    assert last not in masked
    assert len(masked) == len(text)


ORDINARY = [
    "token = get_token(request)",
    "password = form.cleaned_data['password']",
    "password: str",
    "def login(username: str, password: str = '') -> Token:",
    'fields = ("username", "password1", "password2")',
    '"password": "Passwort"',
    "password = os.environ['DB_PASSWORD']",
    "password: ${DB_PASSWORD}",
    "password={{ db_password }}",
    "DB_PASSWORD=$DB_PASSWORD",
    "secretKeyRef: {name: shop, key: password}",
    "secretName: shop-tls-2024",
    "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')",
    "max_tokens=4096, token_count=128000",
    "token_url = 'https://login.example/oauth2/v2.0/token'",
    "primary_key = 'id', foreign_key='customer_id_2024_01'",
    "skip_validation_of_everything_here = True",
    "pk_constraint_name_that_is_rather_long = 1",
    "class PasswordResetTokenGenerator2(Base):",
    '"integrity": "sha512-' + "q3F/" * 21 + 'AA=="',
    "commit 0123456789abcdef0123456789abcdef01234567",
    "--hash=sha256:" + "0123456789abcdef" * 4,
    "uuid = '123e4567-e89b-12d3-a456-426614174000'",
    "http://localhost:8000/users/@me",
    "git@github.com:owner/name.git",
    "postgres://user:password@localhost/db",
    "https://user:${TOKEN}@host/a",
    "Basic authentication is off; a bearer token is needed",
    "Authorization: Bearer <token>",
    "api_key: your-api-key-goes-here-1234",
    "ssh-ed25519 " + "AAAAC3NzaC1lZDI1NTE5AAAAI" + "abcd1234" * 5,
    "import { useAccessTokenFromStorage2 } from './access-token'",
    "if (secret === sha256(value)) return token2;",
    "auth0_domain = 'tenant-2024.eu.auth0.com'",
    "パスワードを入力してください",
    "------------------------------------------------------------",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays(text: str) -> None:
    assert mask_secrets(text) == text


def test_enough_kinds_are_held() -> None:
    assert len(TOKENS) + len(ARMOURED) + len(NAMED) >= 62


def test_a_key_id_does_not_take_hashes_beside_it_along() -> None:
    digest = _hex(40)
    text = f"AKI{'A'}{_some(16, _BASE32)} {digest}\n"

    assert digest in mask_secrets(text)


_PIECES = st.sampled_from(
    [
        *("password", "token=", "api_key: ", '"', "'", "\n", " ", "://", "@", ":", "="),
        *("-----BEGIN PRIVATE KEY-----", "kind: Secret\ndata:\n  a: ", "AKIA", "eyJ"),
        *(
            "パスワードは",
            "é",
            "\\n",
            "%3D",
            "$6$",
            "Bearer ",
            "[",
            "abc123" * 8,
            "a.b",
        ),
    ]
)


@given(st.lists(_PIECES | st.text(max_size=8), max_size=30).map("".join))
def test_lines_and_columns_stay_and_masked_text_is_final(text: str) -> None:
    masked = mask_secrets(text)

    assert [len(line) for line in masked.split("\n")] == [
        len(line) for line in text.split("\n")
    ]
    assert mask_secrets(masked) == masked
    assert all(new in {old, MASK} for old, new in zip(text, masked, strict=True))
