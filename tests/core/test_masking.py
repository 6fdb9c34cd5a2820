"""What looks like a secret is masked, and nothing else moves or changes.

Every sample is assembled from pieces by a seeded generator, so that this file holds
nothing that looks like a secret itself.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.core.masking import MASK, mask_secrets
from tests.core.secret_samples import (
    ALNUM,
    BASE32,
    LOWER,
    TOKENS,
    some,
    some_hex,
    some_uuid,
    to_base64,
)


@pytest.mark.parametrize(
    ("before", "after"),
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
def test_a_token_is_masked_by_its_form(before: str, after: str) -> None:
    for kind, make in TOKENS.items():
        token = make()

        masked = mask_secrets(f"{before}{token}{after}")

        assert masked == f"{before}{MASK * len(token)}{after}", kind


def _lines(count: int, tail: int = 20) -> str:
    return "\n".join([*(some(64) for _ in range(count)), some(tail) + "=="])


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
    head = f"Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{some_hex(32).upper()}\n\n"

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
    secret = some(43)
    return json.dumps({"kty": "EC", "crv": "P-256", "d": secret}), secret


def _kubernetes() -> tuple[str, str]:
    secret = to_base64("tea-and-cake")
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
    secret = to_base64("ann:tea")
    return json.dumps({"auths": {"r.example": {"auth": secret}}}), secret


def _wrapped(text: str, secret_of: Callable[[str], str] = to_base64) -> tuple[str, str]:
    secret = secret_of(text)
    return f"data = {secret}\n", secret


def _assigned(form: str, secret: str) -> tuple[str, str]:
    return form.replace("§", secret), secret


PW = "hunter" + "2Xz!"
# Secrets that a name or their surroundings give away.
NAMED: dict[str, Callable[[], tuple[str, str]]] = {
    "aws secret key, ini": lambda: _assigned(
        "aws_secret_access_key = §\n", some(40, ALNUM + "/+")
    ),
    "aws secret key beside its id": lambda: _assigned(
        f"AKI{'A'}{some(16, BASE32)},§\n", some(40)
    ),
    "aws session token": lambda: _assigned("AWS_SESSION_TOKEN=§\n", some(700)),
    "azure storage": lambda: _assigned(
        "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=§;x=y",
        some(86) + "==",
    ),
    "azure service bus": lambda: _assigned(
        "Endpoint=sb://a.example/;SharedAccessKeyName=Root;SharedAccessKey=§",
        some(43) + "=",
    ),
    "azure shared access signature": lambda: _assigned(
        "https://a.example/c?sv=2022-11-02&sig=§&se=1", some(44) + "%3D"
    ),
    "presigned url": lambda: _assigned(
        "https://b.example/k?X-Amz-Date=1&X-Amz-Signature=§", some_hex(64)
    ),
    "slack webhook": lambda: _assigned(
        "https://hooks.slack.com/services/§", f"T0A/B0B/{some(24)}"
    ),
    "discord webhook": lambda: _assigned(
        "https://discord.com/api/webhooks/123456789012345678/§", some(68)
    ),
    "url password": lambda: _assigned("https://ann:§@git.example/a.git", PW),
    "url token": lambda: _assigned("https://§@git.example/a.git", some(30)),
    "postgres url": lambda: _assigned("postgres://app:§@db:5432/app", PW),
    "mongodb url": lambda: _assigned("mongodb+srv://app:§@c.example/db", PW),
    "redis url": lambda: _assigned("redis://:§@cache:6379/0", PW),
    "amqp url": lambda: _assigned("amqps://a:§@mq:5671/%2f", PW),
    "ado connection string": lambda: _assigned(
        "Server=db;Database=a;User Id=sa;Password=§;Encrypt=True", PW
    ),
    "jdbc": lambda: _assigned("jdbc:mysql://db/a?user=b&password=§&x=y", PW),
    "basic header": lambda: _assigned("Authorization: Basic §\n", to_base64("ann:tea")),
    "bearer header": lambda: _assigned("Authorization: Bearer §\n", some(40)),
    "token header": lambda: _assigned("Authorization: token §\n", some_hex(40)),
    "api key header": lambda: _assigned("curl -H 'X-Api-Key: §' h", some(32)),
    "private token header": lambda: _assigned("PRIVATE-TOKEN: §\n", some(20)),
    "curl user": lambda: _assigned("curl -u ann:§ https://h.example", PW),
    "mysql option": lambda: _assigned("mysql -u root -p§ shop\n", PW),
    "password option": lambda: _assigned("tool --password § --force", PW),
    "token option": lambda: _assigned("tool --token=§ --force", some(30)),
    "netrc": lambda: _assigned("machine h.example login ann password §\n", PW),
    "pgpass": lambda: _assigned("db.example:5432:shop:app:§\n", PW),
    "npmrc": lambda: _assigned("//r.example/:_authToken=§\n", some_uuid()),
    "npmrc auth": lambda: _assigned("_auth = §\n", to_base64("ann:correct-horse-9")),
    "pypirc": lambda: _assigned("[pypi]\nusername = a\npassword = §\n", PW),
    "docker auth": _docker,
    "htpasswd, bcrypt": lambda: _assigned("ann:§\n", f"$2y$10${some(53)}"),
    "htpasswd, apr1": lambda: _assigned("ann:§\n", f"$apr1${some(8)}${some(22)}"),
    "shadow": lambda: _assigned("ann:§:1:0\n", f"$6${some(16)}${some(86)}"),
    "django hash": lambda: _assigned(
        "'§'", f"pbkdf2_sha256$870000${some(22)}${some(43)}="
    ),
    "sql user": lambda: _assigned("CREATE USER a IDENTIFIED BY '§';", PW),
    "sql user below": lambda: _assigned("CREATE USER a\n  IDENTIFIED BY '§';", PW),
    "putty": _putty,
    "service account": _service_account,
    "json web key": _jwk,
    "wireguard": lambda: _assigned("[Interface]\nPrivateKey = §\n", some(43) + "="),
    "kubernetes secret": _kubernetes,
    "kubernetes block": _kubernetes_block,
    "kubernetes env": lambda: _assigned("- name: DB_PASSWORD\n  value: §\n", PW),
    "github token in base64": lambda: _wrapped("gh" + "p_" + some(36)),
    "private key in base64": lambda: _wrapped("".join(_armoured("PRIVATE" + " KEY"))),
    "service account in base64": lambda: _wrapped(_service_account()[0]),
    "django secret key": lambda: _assigned(
        "SECRET_KEY = '§'\n", "django-insecure-" + some(50, LOWER + "!@#$%^&*")
    ),
    "environment": lambda: _assigned("export DB_PASSWORD=§\n", PW),
    "dockerfile": lambda: _assigned("FROM a\nENV API_TOKEN §\n", some(32)),
    "yaml": lambda: _assigned("db:\n  password: § # ours\n", PW),
    "yaml block": lambda: _assigned("token: >-\n  §\n", some(40)),
    "json": lambda: _assigned('{"client_secret": "§"}', some(32)),
    "json in a string": lambda: _assigned(r'"{\"password\": \"§\"}"', PW),
    "toml": lambda: _assigned('[a]\napi_key = "§"\n', some_hex(32)),
    "properties": lambda: _assigned("spring.datasource.password=§\n", PW),
    "xml element": lambda: _assigned("<password>§</password>", PW),
    "xml attribute": lambda: _assigned('<add key="ApiKey" value="§"/>', some_hex(32)),
    "plist": lambda: _assigned("<key>apiKey</key>\n<string>§</string>", some_hex(32)),
    "python call": lambda: _assigned('connect(host="h", password="§")', PW),
    "python annotated": lambda: _assigned('password: str = "§"\n', PW),
    "python mapping": lambda: _assigned('os.environ["API_KEY"] = "§"\n', some_hex(32)),
    "python default": lambda: _assigned('env("SECRET_KEY", "§")', some(32)),
    "php define": lambda: _assigned("define('DB_PASSWORD', '§');", some(20)),
    "go": lambda: _assigned('const apiKey string = "§"\n', some_hex(32)),
    "java": lambda: _assigned('builder.apiKey("§")', some_hex(32)),
    "typescript": lambda: _assigned("const authToken: string = '§';", some(32)),
    "ruby": lambda: _assigned(':api_key => "§"', some_hex(32)),
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
        f'api_key = "{some_hex(20)}" \\\n    "§"\n', some_hex(20)
    ),
    "with an invisible character": lambda: _assigned(
        'password = "§"\n', PW[:4] + "\u200b" + PW[4:]
    ),
    "full width": lambda: _assigned("パスワード：§\n", "Ｔｒ０ｕｂ４ｄｏｒ"),
    "list of keys": lambda: _assigned('api_keys = ["k1", "§"]', some_hex(32)),
    "query": lambda: _assigned("https://h.example/a?access_token=§&b=1", some(32)),
    "prose": lambda: _assigned("The password is § for now.", PW),
    "markdown": lambda: _assigned("* **Password**: `§`\n", PW),
    "markdown, bold with its colon": lambda: _assigned("**Password:** §\n", PW),
    "html, bold": lambda: _assigned("<b>Password</b>: §\n", PW),
    "html, cells": lambda: _assigned("<td>Password</td><td>§</td>\n", PW),
    "word for passwords in a password": lambda: _assigned(
        "DB_PASSWORD=§\n", "Str0ng" + "Pass1"
    ),
    "year in a password": lambda: _assigned("password: §\n", "My" + "Pass2024"),
    "dockerfile, with the word": lambda: _assigned(
        "ENV MYSQL_ROOT_PASSWORD §\n", "r00t" + "pass"
    ),
    "brackets": lambda: _assigned('PASSWORD = (\n    "§"\n)\n', PW),
    "fallback, javascript": lambda: _assigned(
        "process.env.API_SECRET || '§'", some(24)
    ),
    "fallback, null": lambda: _assigned("config.apiToken ?? '§'", some(24)),
    "fallback, python": lambda: _assigned(
        "os.environ.get('API_SECRET') or '§'", some(24)
    ),
    "php constant": lambda: _assigned("define( 'DB_PASSWORD', '§' );", "My" + "Pass12"),
    "c# property": lambda: _assigned(
        'public string DbPassword { get; set; } = "§";', "cs4pw" + "x12"
    ),
    "url, @ in the password": lambda: _assigned(
        "mysql://root:§@h.example:3306/a", "p@ss" + "w0rd1"
    ),
    "oracle": lambda: _assigned("jdbc:oracle:thin:scott/§@h:1521:x", "t1ger" + "Xa"),
    "windows user": lambda: _assigned("net user ann § /add", "W1n" + "pw99x"),
    "recovery phrase": lambda: _assigned('mnemonic = "§"', " ".join(["tea"] * 12)),
    "okta": lambda: _assigned("Authorization: SSWS §", "00" + some(40)),
    "japanese": lambda: _assigned("パスワードは「§」です。", PW),
    "japanese, full width": lambda: _assigned("パスワード：§\n", PW),
}


def test_a_secret_is_masked_by_what_is_around_it() -> None:
    for kind, make in NAMED.items():
        text, secret = make()

        masked = mask_secrets(text)

        first, last = secret.split("\n")[0], secret.split("\n")[-1]
        assert first in text, kind
        assert first not in masked, kind
        assert last not in masked, kind
        assert len(masked) == len(text), kind


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ('{"source": "DB_PASSWORD\\u003d§ x"}', PW),
        ('{"DB_P\\u0041SSWORD": "§"}', PW),
        ('"pass\\x77ord": "§"\n', PW),
        ("The token is ghp\\_§ here.", "a1B2" * 9),
        ("<p>DB_PASSWORD&#61;§</p>", PW),
        ("<i>ghp</i>_<b>§</b>", "a1B2" * 9),
        ('<span class="n">password</span> = <span class="s">"§"</span>', PW),
        ("ghp_\u00ad§", "a1B2" * 9),
    ],
)
def test_a_secret_with_escapes_around_it_is_masked(text: str, secret: str) -> None:
    masked = mask_secrets(text.replace("§", secret))

    assert secret not in masked
    assert masked.replace(MASK * len(secret), "") != masked
    assert mask_secrets(masked) == masked


# Texts that make an expression try again from many places, or in many ways.
HOSTILE = {
    "a name without an end": lambda: 'token = "' + "a" * 60 + '123!"',
    "escapes": lambda: "\\u0041\\_&#61;" * 30_000,
    "tags without an end": lambda: "<span " * 100_000,
    "a name without an end in a call": lambda: 'password, "' + "a" * 200 + '1!a"',
    "keywords in a value": lambda: ('password, "' + "pass" * 1_000 + '1!a"\n') * 30,
    "attributes without an end": lambda: (
        ("password {" + ("type" + " " * 76) * 4 + "\n") * 20
    ),
    "a manifest of spaces": lambda: (
        "apiVersion: v1\nkind: Secret\ndata:" + " " * 200_000 + "x"
    ),
    "keys within keys": lambda: ("A" * 16 + "-----BEGIN PRIVATE" + " KEY-----") * 3_000,
    "heads of web tokens": lambda: "eyJ-" * 50_000 + "." + "eyJ-" * 50_000,
    "bearers": lambda: "bearer=" * 100_000,
    "words that may begin tokens": lambda: "a_" * 100_000,
    "addresses": lambda: "://a:b" * 30_000,
    "commands before addresses": lambda: ("curl" * 30 + "\n" + "://" * 60) * 500,
    "backslashes": lambda: ("-----BEGIN PRIVATE" + " KEY-----" + "\\" * 9) * 5_000,
    "base64": lambda: ("eyI" + "A" * 60 + "\n") * 3_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_text_takes_more_than_linear_time(kind: str) -> None:
    text = HOSTILE[kind]()

    began = time.process_time()
    mask_secrets(text)

    assert time.process_time() - began < 3


def test_enough_kinds_are_held() -> None:
    assert len(TOKENS) + len(ARMOURED) + len(NAMED) >= 62


def test_a_key_id_does_not_take_hashes_beside_it_along() -> None:
    digest = some_hex(40)
    text = f"AKI{'A'}{some(16, BASE32)} {digest}\n"

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
