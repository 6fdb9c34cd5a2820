"""Samples of secrets, assembled from pieces by a seeded generator.

So neither this file nor the tests hold anything that looks like a secret itself.
"""

from __future__ import annotations

import base64
import json
import random
import string
import uuid
from collections.abc import Callable

ALNUM = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
BASE32 = string.ascii_uppercase + "234567"
generator = random.Random(20_261)


def some(count: int, alphabet: str = ALNUM) -> str:
    """Return random characters, at least three of them digits."""
    drawn = generator.choices(alphabet, k=count - 3)
    drawn += generator.choices([c for c in alphabet if c.isdigit()] or ["4"], k=3)
    return "".join(drawn)


def some_hex(count: int) -> str:
    return some(count, "0123456789abcdef")


def some_uuid() -> str:
    return str(uuid.UUID(int=generator.getrandbits(128)))


def to_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def some_jwt() -> str:
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": "1234567890", "name": "ann"})
    encoded = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
        for part in parts
    )
    return ".".join((*encoded, some(43)))


# Tokens that their form gives away: no name stands beside them.
TOKENS: dict[str, Callable[[], str]] = {
    "aws access key id": lambda: "AKI" + "A" + some(16, BASE32),
    "aws temporary key id": lambda: "ASI" + "A" + some(16, BASE32),
    "github personal": lambda: "gh" + "p_" + some(36),
    "github oauth": lambda: "gh" + "o_" + some(36),
    "github user": lambda: "gh" + "u_" + some(36),
    "github server": lambda: "gh" + "s_" + some(36),
    "github refresh": lambda: "gh" + "r_" + some(76),
    "github fine-grained": lambda: f"github_{'pat'}_{some(22)}_{some(59)}",
    "gitlab personal": lambda: "glp" + "at-" + some(20),
    "gitlab routable": lambda: f"glp{'at'}-{some(27)}.01.{some(9)}",
    "gitlab runner": lambda: "glr" + "t-" + some(20),
    "gitlab deploy": lambda: "gld" + "t-" + some(20),
    "gitlab trigger": lambda: "glp" + "tt-" + some_hex(40),
    "bitbucket": lambda: "ATB" + "B" + some(32),
    "atlassian": lambda: "ATAT" + "T3xFfGF0" + some(180) + "=" + some_hex(8).upper(),
    "google api": lambda: "AIz" + "a" + some(35),
    "google oauth client": lambda: "GOCS" + "PX-" + some(28),
    "slack bot": lambda: f"xox{'b'}-{some(12, '0123456789')}-{some(24)}",
    "slack user": lambda: f"xox{'p'}-{some(12, '0123456789')}-{some_hex(32)}",
    "slack app": lambda: f"xap{'p'}-1-A{some(10)}-{some(13)}-{some_hex(64)}",
    "stripe live": lambda: "sk_" + "live_" + some(24),
    "stripe restricted": lambda: "rk_" + "live_" + some(24),
    "stripe test": lambda: "sk_" + "test_" + some(24),
    "stripe webhook": lambda: "whs" + "ec_" + some(32),
    "twilio key": lambda: "S" + "K" + some_hex(32),
    "sendgrid": lambda: f"S{'G'}.{some(22)}.{some(43)}",
    "mailgun": lambda: "ke" + "y-" + some_hex(32),
    "mailchimp": lambda: some_hex(32) + "-us" + "12",
    "brevo": lambda: f"xkey{'sib'}-{some_hex(64)}-{some(16)}",
    "npm": lambda: "np" + "m_" + some(36),
    "pypi": lambda: "pyp" + "i-AgEIcHlwaS5vcmc" + some(150),
    "rubygems": lambda: "ruby" + "gems_" + some_hex(48),
    "crates.io": lambda: "ci" + "o" + some(32),
    "nuget": lambda: "oy" + "2" + some(43, LOWER),
    "docker hub": lambda: f"dckr_{'pat'}_{some(27)}",
    "openai": lambda: f"s{'k'}-proj-{some(48)}",
    "openai legacy": lambda: f"s{'k'}-{some(20)}T3BlbkFJ{some(20)}",
    "anthropic": lambda: f"s{'k'}-ant-api03-{some(93)}AA",
    "hugging face": lambda: "h" + "f_" + some(34),
    "replicate": lambda: "r" + "8_" + some(37),
    "groq": lambda: "gs" + "k_" + some(52),
    "digitalocean": lambda: "dop" + "_v1_" + some_hex(64),
    "databricks": lambda: "dap" + "i" + some_hex(32),
    "shopify": lambda: "shp" + "at_" + some_hex(32),
    "square": lambda: "sq0" + "atp-" + some(22),
    "telegram bot": lambda: f"{some(10, '0123456789')}:A{'A'}{some(33)}",
    "discord bot": lambda: f"M{some(23)}.{some(6)}.{some(27)}",
    "facebook": lambda: "EA" + "ACEdEose0cBA" + some(150),
    "airtable": lambda: f"pa{'t'}{some(14)}.{some_hex(64)}",
    "notion": lambda: "nt" + "n_" + some(46),
    "linear": lambda: "lin" + "_api_" + some(40),
    "figma": lambda: "fig" + "d_" + some(40),
    "hubspot": lambda: f"pat-{'na'}1-{some_uuid()}",
    "postman": lambda: f"PMA{'K'}-{some_hex(24)}-{some_hex(34)}",
    "vault": lambda: "hv" + "s." + some(90),
    "terraform cloud": lambda: f"{some(14)}.atlas{'v1'}.{some(60)}",
    "doppler": lambda: "dp." + "pt." + some(43),
    "dynatrace": lambda: f"dt0{'c01'}.{some(24, BASE32)}.{some(64, BASE32)}",
    "grafana": lambda: f"gls{'a'}_{some(32)}_{some_hex(8)}",
    "new relic": lambda: "NRA" + "K-" + some(27, BASE32),
    "sentry": lambda: "sntr" + "ys_" + some(100),
    "planetscale": lambda: "psca" + "le_tkn_" + some(43),
    "tailscale": lambda: f"tsk{'ey'}-auth-{some(12)}-{some(32)}",
    "supabase": lambda: "sb" + "p_" + some_hex(40),
    "netlify": lambda: "nf" + "p_" + some(40),
    "sonarqube": lambda: "sq" + "p_" + some_hex(40),
    "fly.io": lambda: "fm" + "2_" + some(120),
    "pulumi": lambda: "pu" + "l-" + some_hex(40),
    "alibaba": lambda: "LTA" + "I5t" + some(20),
    "1password": lambda: f"op{'s'}_eyJ{some(250)}",
    "age": lambda: "AGE-SECRET-" + "KEY-1" + some(58, BASE32),
    "json web token": some_jwt,
    "azure client secret": lambda: f"{some(3)}8{'Q'}~{some(34)}",
    "google access": lambda: "ya2" + "9." + some(100),
    "google refresh": lambda: f"1/{'/0'}{some(60)}",
    "firebase messaging": lambda: f"AAA{'A'}{some(7)}:APA91{'b'}{some(134)}",
    "yandex cloud": lambda: "AQV" + "N" + some(36),
    "azure devops": lambda: f"{some(76)}AZ{'DO'}{some(4)}",
    "neon": lambda: "nap" + "i_" + some(60),
    "aiven": lambda: "AVN" + "S_" + some(20),
    "clickhouse": lambda: "4b" + "1d" + some(30) + "aQ3Zk7Lm",
    "duffel": lambda: "duff" + "el_live_" + some(43),
    "paddle": lambda: f"pdl_{'live'}_apikey_{some(26)}_{some(22)}_{some(3)}",
    "x bearer": lambda: "A" * 21 + some(40) + "%3D" + some(40),
    "frame.io": lambda: "fi" + "o-u-" + some(64),
    "zuplo": lambda: f"zpk{'a'}_{some(32)}_{some(8)}",
    "mapbox": lambda: f"s{'k'}.ey{'J'}{some(60)}.{some(22)}",
    "asana": lambda: f"2/{'1' * 16}/{'2' * 16}:{some_hex(32)}",
    "devrag": lambda: "devr" + "ag_" + some(43),
}


def _upper(count: int) -> str:
    return some(count, BASE32)


def _digits(count: int) -> str:
    return some(count, "0123456789")


# One sample for each rule of gitleaks that goes by the form of a value.
GITLEAKS: dict[str, Callable[[], str]] = {
    "1password-secret-key": lambda: (
        "A3-" + "-".join(_upper(n) for n in (6, 11, 5, 5, 5))
    ),
    "1password-service-account-token": lambda: "op" + "s_eyJ" + some(250),
    "adobe-client-secret": lambda: "p8" + "e-" + some(32, LOWER),
    "age-secret-key": lambda: "AGE-SECRET-" + "KEY-1" + _upper(58),
    "airtable-personnal-access-token": lambda: f"pa{'t'}{some(14)}.{some_hex(64)}",
    "alibaba-access-key-id": lambda: "LTA" + "I" + some(20),
    "anthropic-admin-api-key": lambda: f"s{'k'}-ant-admin01-{some(93)}AA",
    "anthropic-api-key": lambda: f"s{'k'}-ant-api03-{some(93)}AA",
    "artifactory-api-key": lambda: "AK" + "Cp" + some(69),
    "artifactory-reference-token": lambda: "cm" + "Vmd" + some(59),
    "authress-service-client-access-key": lambda: (
        f"sc_{some(20, LOWER)}.{some(5, LOWER)}.acc_{some(20, LOWER)}.{some(60, LOWER)}"
    ),
    "aws-access-token": lambda: "AKI" + "A" + _upper(16),
    "aws-amazon-bedrock-api-key-long-lived": lambda: "AB" + "SK" + some(120),
    "aws-amazon-bedrock-api-key-short-lived": lambda: (
        "bedrock-api-" + "key-YmVkcm9jay5hbWF6b25hd3MuY29t"
    ),
    "clickhouse-cloud-api-secret-key": lambda: "4b" + "1d" + some(37) + "Q",
    "clojars-api-token": lambda: "CLO" + "JARS_" + some(60, LOWER),
    "cloudflare-origin-ca-key": lambda: f"v1.{'0'}-{some_hex(24)}-{some_hex(146)}",
    "databricks-api-token": lambda: "dap" + "i" + some_hex(32),
    "digitalocean-access-token": lambda: "do" + "o_v1_" + some_hex(64),
    "digitalocean-pat": lambda: "do" + "p_v1_" + some_hex(64),
    "digitalocean-refresh-token": lambda: "do" + "r_v1_" + some_hex(64),
    "doppler-api-token": lambda: "dp." + "pt." + some(43),
    "duffel-api-token": lambda: "duff" + "el_live_" + some(43),
    "dynatrace-api-token": lambda: f"dt0{'c01'}.{_upper(24)}.{_upper(64)}",
    "easypost-api-token": lambda: "EZ" + "AK" + some(54),
    "easypost-test-api-token": lambda: "EZ" + "TK" + some(54),
    "facebook-page-access-token": lambda: "EA" + "AC" + some(150),
    "flutterwave-public-key": lambda: f"FLWPUBK_{'TEST'}-{some_hex(32)}-X",
    "flutterwave-secret-key": lambda: f"FLWSECK_{'TEST'}-{some_hex(32)}-X",
    "flyio-access-token": lambda: "fo" + "1_" + some(43),
    "frameio-api-token": lambda: "fi" + "o-u-" + some(64),
    "gcp-api-key": lambda: "AIz" + "a" + some(35),
    "github-app-token": lambda: "gh" + "s_" + some(36),
    "github-fine-grained-pat": lambda: f"github_{'pat'}_{some(22)}_{some(59)}",
    "github-oauth": lambda: "gh" + "o_" + some(36),
    "github-pat": lambda: "gh" + "p_" + some(36),
    "github-refresh-token": lambda: "gh" + "r_" + some(36),
    "gitlab-cicd-job-token": lambda: f"glc{'bt'}-{some(4)}_{some(20)}",
    "gitlab-deploy-token": lambda: "gl" + "dt-" + some(20),
    "gitlab-feature-flag-client-token": lambda: "gl" + "ffct-" + some(20),
    "gitlab-feed-token": lambda: "gl" + "ft-" + some(20),
    "gitlab-incoming-mail-token": lambda: "gl" + "imt-" + some(25),
    "gitlab-kubernetes-agent-token": lambda: "gl" + "agent-" + some(50),
    "gitlab-oauth-app-secret": lambda: "gl" + "oas-" + some(64),
    "gitlab-pat": lambda: "gl" + "pat-" + some(20),
    "gitlab-pat-routable": lambda: f"gl{'pat'}-{some(27)}.01.{some(9)}",
    "gitlab-ptt": lambda: "gl" + "ptt-" + some_hex(40),
    "gitlab-rrt": lambda: "GR13" + "48941" + some(20),
    "gitlab-runner-authentication-token": lambda: "gl" + "rt-" + some(20),
    "gitlab-runner-authentication-token-routable": lambda: (
        f"gl{'rt'}-t1_{some(27)}.01.{some(9)}"
    ),
    "gitlab-scim-token": lambda: "gl" + "soat-" + some(20),
    "grafana-api-key": lambda: "eyJr" + "Ijoi" + some(80),
    "grafana-cloud-api-token": lambda: "gl" + "c_eyJ" + some(60),
    "grafana-service-account-token": lambda: f"gls{'a'}_{some(32)}_{some_hex(8)}",
    "harness-api-key": lambda: f"pa{'t'}.{some(22)}.{some(24)}.{some(20)}",
    "hashicorp-tf-api-token": lambda: f"{some(14)}.atlas{'v1'}.{some(60)}",
    "heroku-api-key-v2": lambda: "HR" + "KU-AA" + some(58),
    "huggingface-access-token": lambda: "h" + "f_" + some(34),
    "huggingface-organization-api-token": lambda: "api_" + "org_" + some(34),
    "infracost-api-token": lambda: "ic" + "o-" + some(32),
    "intra42-client-secret": lambda: "s-s4" + "t2ud-" + some_hex(64),
    "jwt": some_jwt,
    "linear-api-key": lambda: "lin" + "_api_" + some(40),
    "mailchimp-api-key": lambda: some_hex(32) + "-us" + "12",
    "mailgun-private-api-token": lambda: "ke" + "y-" + some_hex(32),
    "maxmind-license-key": lambda: f"{some(6)}_{some(29)}_mm{'k'}",
    "new-relic-browser-api-token": lambda: "NR" + "JS-" + some_hex(19),
    "new-relic-insert-key": lambda: "NR" + "II-" + some(32),
    "new-relic-user-api-key": lambda: "NR" + "AK-" + _upper(27),
    "notion-api-token": lambda: f"nt{'n'}_{_digits(11)}{some(35)}",
    "npm-access-token": lambda: "np" + "m_" + some(36),
    "octopus-deploy-api-key": lambda: "AP" + "I-" + _upper(26),
    "openshift-user-token": lambda: "sha" + "256~" + some(43),
    "perplexity-api-key": lambda: "pp" + "lx-" + some(48),
    "planetscale-api-token": lambda: "psca" + "le_tkn_" + some(43),
    "planetscale-oauth-token": lambda: "psca" + "le_oauth_" + some(43),
    "planetscale-password": lambda: "psca" + "le_pw_" + some(43),
    "postman-api-token": lambda: f"PMA{'K'}-{some_hex(24)}-{some_hex(34)}",
    "prefect-api-token": lambda: "pn" + "u_" + some(36),
    "pulumi-api-token": lambda: "pu" + "l-" + some_hex(40),
    "pypi-upload-token": lambda: "pyp" + "i-AgEIcHlwaS5vcmc" + some(150),
    "readme-api-token": lambda: "rd" + "me_" + some(70, LOWER),
    "rubygems-api-token": lambda: "ruby" + "gems_" + some_hex(48),
    "scalingo-api-token": lambda: "tk-" + "us-" + some(48),
    "sendgrid-api-token": lambda: f"S{'G'}.{some(22)}.{some(43)}",
    "sendinblue-api-token": lambda: f"xkey{'sib'}-{some_hex(64)}-{some(16)}",
    "sentry-org-token": lambda: "sntr" + "ys_eyJpYXQiO" + some(100),
    "sentry-user-token": lambda: "sntr" + "yu_" + some_hex(64),
    "settlemint-application-access-token": lambda: "sm_" + "aat_" + some(16),
    "settlemint-personal-access-token": lambda: "sm_" + "pat_" + some(16),
    "settlemint-service-access-token": lambda: "sm_" + "sat_" + some(16),
    "shippo-api-token": lambda: "shippo_" + "live_" + some_hex(40),
    "shopify-access-token": lambda: "shp" + "at_" + some_hex(32),
    "shopify-custom-access-token": lambda: "shp" + "ca_" + some_hex(32),
    "shopify-private-app-access-token": lambda: "shp" + "pa_" + some_hex(32),
    "shopify-shared-secret": lambda: "shp" + "ss_" + some_hex(32),
    "slack-app-token": lambda: f"xap{'p'}-1-A{some(10)}-{some(13)}-{some_hex(64)}",
    "slack-bot-token": lambda: f"xox{'b'}-{_digits(12)}-{some(24)}",
    "slack-config-access-token": lambda: f"xoxe.xox{'p'}-1-{_upper(163)}",
    "slack-config-refresh-token": lambda: f"xox{'e'}-1-{_upper(146)}",
    "slack-legacy-token": lambda: f"xox{'s'}-{_digits(9)}-{_digits(9)}-{some_hex(10)}",
    "slack-legacy-workspace-token": lambda: f"xox{'a'}-2-{some(24)}",
    "slack-user-token": lambda: f"xox{'p'}-{_digits(12)}-{_digits(12)}-{some(30)}",
    "sourcegraph-access-token": lambda: "sg" + "p_" + some_hex(40),
    "square-access-token": lambda: "sq0" + "atp-" + some(22),
    "stripe-access-token": lambda: "sk_" + "live_" + some(24),
    "telegram-bot-api-token": lambda: f"{_digits(10)}:A{'A'}{some(33)}",
    "twilio-api-key": lambda: "S" + "K" + some_hex(32),
    "twitter-bearer-token": lambda: "A" * 22 + some(80),
    "typeform-api-token": lambda: "tf" + "p_" + some(59),
    "vault-batch-token": lambda: "hv" + "b." + some(140),
    "vault-service-token": lambda: "hv" + "s." + some(90),
    "yandex-api-key": lambda: "AQ" + "VN" + some(36),
}
