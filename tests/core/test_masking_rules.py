"""Each rule that the guide names finds its secret, under that name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from devrag.core.masking import mask_secrets, scan_secrets
from devrag.core.masking.rules import (
    GITLEAKS_BY_NAME,
    GITLEAKS_RULES,
    OWN_RULES,
    RULES,
)
from tests.core.secret_samples import GITLEAKS, LOWER, TOKENS, some, some_hex, to_base64

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "secrets.md"
_KIND = "PRIVATE" + " KEY-----\n"
KEY = f"-----BEGIN {_KIND}{some(64)}\n{some(64)}\n-----END {_KIND}"
HOOK = f"{some(9)}/{some(9)}/{some(24)}"
USER = f"ann:{some(12)}"
# A sample for each rule that goes by what stands around a value.
CONTEXTS = {
    "azure-ad-client-secret": f"f('{some(3)}8{'Q'}~{some(34)}')",
    "curl-auth-header": f"curl -H 'Authorization: Bearer {some(40)}' https://h.example",
    "curl-auth-user": f"curl -u {USER} https://h.example",
    "generic-api-key": f"api_{'key'} = '{some(32)}'",
    "gitlab-session-cookie": f"Cookie: _gitlab_{'session'}={some(32, LOWER)}",
    "hashicorp-tf-password": f'administrator_login_{"password"} = "{some(12)}"',
    "jwt-base64": to_base64(f"eyJ{some(30)}.eyJ{some(40)}.{some(43)}"),
    "kubernetes-secret-yaml": (
        f"apiVersion: v1\nkind: Secret\ndata:\n  a: {to_base64(some(12))}\n"
    ),
    "microsoft-teams-webhook": f"https://a.webhook.{'office'}.com/webhookb2/{HOOK}",
    "openai-api-key": f"f('s{'k'}-proj-{some(48)}')",
    "private-key": KEY,
    "sidekiq-sensitive-url": f"https://a:{some_hex(8)}@gems.contribsys.com/",
    "slack-webhook-url": f"https://hooks.{'slack'}.com/services/{HOOK}",
}
# Found, under a name that says more of the value.
_LISTED_AS = {"hashicorp-tf-password": "password"}
_OWN = {
    "base64-secret": to_base64(f"postgres://{USER}@db.example/app?{some(20)}"),
    "basic-auth": f"Authorization: Basic {to_base64(USER)}",
    "bearer-token": f"Authorization: Bearer {some(40)}",
    "password": f"password = 'tr0ub{'4dor'}&{some(5)}'",
    "password-hash": f"$2{'b'}$12${some(53)}",
    "salt": f"define('AUTH_{'SALT'}', '${some(63)}');",
    "seed-phrase": f"{'mnemonic'} = '{' '.join(['about', 'tea', 'cup'] * 4)}'",
    "signed-url": f"https://h.example/a?b=1&{'sig'}={some(40)}",
    "url-credentials": f"postgres://{USER}@db.example/app",
    "webhook-url": f"https://discord.com/api/{'webhooks'}/12345678/{some(60)}",
    "aws-secret-key": f"f('AKI{'A'}{some(16, 'ABCDEFGH234567')}', '{some(40)}')",
    "extended-private-key": f"f('xpr{'v'}{some(107, 'abcdefghkmnp23456789')}')",
    "gitlab-token": f"f('gl{'wt'}-{some(30)}')",
    "slack-token": f"f('xox{'c'}-{some(30)}')",
    "registry-token": f"f('oy{'2'}{some(43, LOWER)}')",
    "service-token": f"f('gs{'k'}_{some(52)}')",
}


def _rules(text: str) -> set[str]:
    return {rule for _, rule in scan_secrets(text).places}


@pytest.mark.parametrize("name", [*GITLEAKS, *CONTEXTS])
def test_each_rule_of_gitleaks_finds_its_secret(name: str) -> None:
    text = f"f('{GITLEAKS[name]()}')" if name in GITLEAKS else CONTEXTS[name]

    assert _LISTED_AS.get(name, name) in _rules(text)


def test_there_is_a_sample_for_each_rule() -> None:
    assert {*GITLEAKS, *CONTEXTS} == set(GITLEAKS_RULES)


def test_each_own_rule_finds_its_secret() -> None:
    found = {rule for make in TOKENS.values() for rule in _rules(f"f('{make()}')")}
    for name, text in _OWN.items():
        assert name in _rules(text), name

    assert found | {*_OWN} >= set(OWN_RULES)


@pytest.mark.parametrize("rule", GITLEAKS_BY_NAME)
def test_rules_by_name_are_found_where_the_name_says_what_it_is(rule: str) -> None:
    service = rule.split("-", maxsplit=1)[0]

    assert _rules(f'{service}_api_{"key"} = "{some(40, LOWER)}"')
    assert _rules(f"{service.upper()}_{'TOKEN'}={some(40, LOWER)}\n")


def test_no_other_rule_finds_anything() -> None:
    texts = [*CONTEXTS.values(), *_OWN.values(), *(make() for make in TOKENS.values())]

    assert {rule for text in texts for rule in _rules(text)} <= set(RULES)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (GITLEAKS_RULES, "rules of gitleaks, by form or surroundings:"),
        (GITLEAKS_BY_NAME, "rules of gitleaks, by name."),
        (OWN_RULES, "rules of devrag's own."),
    ],
)
def test_the_guide_lists_and_counts_the_rules(
    names: tuple[str, ...], words: str
) -> None:
    text = GUIDE.read_text()
    part = text.partition(f"**{len(names)} {words}")[2].partition("\n**")[0]
    listed = part.strip().rpartition("\n\n")[2]

    assert re.findall(r"`([^`]+)`", listed) == sorted(names)


def test_the_guide_says_how_many_there_are() -> None:
    said = f"{len(GITLEAKS_RULES)} are found by their form"

    assert said in GUIDE.read_text().replace("\n", " ")
    assert f"{len(GITLEAKS_BY_NAME)} more by the name" in GUIDE.read_text()


def test_lines_are_those_of_the_secrets() -> None:
    token = GITLEAKS["github-pat"]()
    text = f"a\n{KEY}b\nx = '{token}'\ny = '{token}' + '{token}'\n"

    assert scan_secrets(text).places == (
        (3, "private-key"),
        (7, "github-pat"),
        (8, "github-pat"),
    )


def test_two_private_keys_are_two_findings() -> None:
    assert scan_secrets(KEY + KEY).places == ((2, "private-key"), (6, "private-key"))


def test_the_form_names_a_finding_rather_than_the_assignment() -> None:
    text = f"{'token'} = '{GITLEAKS['github-pat']()}'\n"

    assert scan_secrets(text).places == ((1, "github-pat"),)


def test_masked_text_has_no_findings() -> None:
    text = mask_secrets("\n".join([*CONTEXTS.values(), *_OWN.values()]))

    assert scan_secrets(text).places == ()
