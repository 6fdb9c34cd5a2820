"""The rules by name: which one found a secret, and what gitleaks calls it.

Names are gitleaks' ids where both know the same form, so that a finding can be looked
up and compared; the others are named alike.
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = [
    "GENERAL_RULES",
    "GITLEAKS_BY_NAME",
    "GITLEAKS_RULES",
    "OWN_RULES",
    "RULES",
    "Found",
    "name_token",
]


class Found(NamedTuple):
    """Where a secret is, as the first character and the one after the last."""

    start: int
    end: int
    rule: str


# Rules of gitleaks whose form is known, with how it begins. Found whatever stands
# around it.
_GITLEAKS_TOKENS = (
    ("1password-secret-key", r"A3-"),
    ("1password-service-account-token", r"ops_"),
    ("adobe-client-secret", r"p8e-"),
    ("age-secret-key", r"AGE-"),
    ("airtable-personnal-access-token", r"pat[A-Za-z0-9]{14}\."),
    ("alibaba-access-key-id", r"LTAI"),
    ("anthropic-admin-api-key", r"sk-ant-admin"),
    ("anthropic-api-key", r"sk-ant-"),
    ("artifactory-api-key", r"AKCp"),
    ("artifactory-reference-token", r"cmVmd"),
    ("authress-service-client-access-key", r"(?:sc|ext|scauth|authress)_[^.]+\.[^.]+"),
    ("aws-access-token", r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}\Z"),
    ("aws-amazon-bedrock-api-key-long-lived", r"ABSK"),
    ("aws-amazon-bedrock-api-key-short-lived", r"bedrock-"),
    ("clickhouse-cloud-api-secret-key", r"4b1d"),
    ("clojars-api-token", r"CLOJARS_"),
    ("cloudflare-origin-ca-key", r"v1\.0-"),
    ("databricks-api-token", r"dapi"),
    ("digitalocean-access-token", r"doo_"),
    ("digitalocean-pat", r"dop_"),
    ("digitalocean-refresh-token", r"dor_"),
    ("doppler-api-token", r"dp\."),
    ("duffel-api-token", r"duffel_"),
    ("dynatrace-api-token", r"dt0"),
    ("easypost-api-token", r"EZAK"),
    ("easypost-test-api-token", r"EZTK"),
    ("facebook-page-access-token", r"EAA[B-Z]"),
    ("flutterwave-public-key", r"FLWPUBK"),
    ("flutterwave-secret-key", r"FLWSECK"),
    ("flyio-access-token", r"f[mo][12]"),
    ("frameio-api-token", r"fio-u-"),
    ("gcp-api-key", r"AIza"),
    ("github-app-token", r"gh[us]_"),
    ("github-fine-grained-pat", r"github_pat_"),
    ("github-oauth", r"gho_"),
    ("github-pat", r"ghp_"),
    ("github-refresh-token", r"ghr_"),
    ("gitlab-cicd-job-token", r"glcbt-"),
    ("gitlab-deploy-token", r"gldt-"),
    ("gitlab-feature-flag-client-token", r"glffct-"),
    ("gitlab-feed-token", r"glft-"),
    ("gitlab-incoming-mail-token", r"glimt-"),
    ("gitlab-kubernetes-agent-token", r"glagent-"),
    ("gitlab-oauth-app-secret", r"gloas-"),
    ("gitlab-pat-routable", r"glpat-[\w-]+\."),
    ("gitlab-pat", r"glpat-"),
    ("gitlab-ptt", r"glptt-"),
    ("gitlab-rrt", r"GR1348941"),
    ("gitlab-runner-authentication-token-routable", r"glrt-[\w-]+\."),
    ("gitlab-runner-authentication-token", r"glrt-"),
    ("gitlab-scim-token", r"glsoat-"),
    ("grafana-api-key", r"eyJrIjoi[^.]*\Z"),
    ("grafana-cloud-api-token", r"glc_"),
    ("grafana-service-account-token", r"glsa_"),
    ("harness-api-key", r"[ps]at\."),
    ("hashicorp-tf-api-token", r"[^.]+\.atlasv1"),
    ("heroku-api-key-v2", r"HRKU-"),
    ("huggingface-access-token", r"hf_"),
    ("huggingface-organization-api-token", r"api_org_"),
    ("infracost-api-token", r"ico-"),
    ("intra42-client-secret", r"s-s4t2"),
    ("jwt", r"eyJ"),
    ("linear-api-key", r"lin_api_"),
    ("mailchimp-api-key", r"[0-9a-f]{32}-us"),
    ("mailgun-private-api-token", r"key-"),
    ("maxmind-license-key", r"\w{36}_mmk"),
    ("new-relic-browser-api-token", r"NRJS-"),
    ("new-relic-insert-key", r"NRII-"),
    ("new-relic-user-api-key", r"NRAK-"),
    ("notion-api-token", r"ntn_"),
    ("npm-access-token", r"npm_"),
    ("octopus-deploy-api-key", r"API-"),
    ("openshift-user-token", r"sha256~"),
    ("perplexity-api-key", r"pplx-"),
    ("planetscale-api-token", r"pscale_tkn_"),
    ("planetscale-oauth-token", r"pscale_oauth_"),
    ("planetscale-password", r"pscale_pw_"),
    ("postman-api-token", r"PMAK-"),
    ("prefect-api-token", r"pnu_"),
    ("pulumi-api-token", r"pul-"),
    ("pypi-upload-token", r"pypi-"),
    ("readme-api-token", r"rdme_"),
    ("rubygems-api-token", r"rubygems_"),
    ("scalingo-api-token", r"tk-us-"),
    ("sendgrid-api-token", r"SG\."),
    ("sendinblue-api-token", r"xkeysib-"),
    ("sentry-org-token", r"sntrys_"),
    ("sentry-user-token", r"sntryu_"),
    ("settlemint-application-access-token", r"sm_aat_"),
    ("settlemint-personal-access-token", r"sm_pat_"),
    ("settlemint-service-access-token", r"sm_sat_"),
    ("shippo-api-token", r"shippo_"),
    ("shopify-access-token", r"shpat_"),
    ("shopify-custom-access-token", r"shpca_"),
    ("shopify-private-app-access-token", r"shppa_"),
    ("shopify-shared-secret", r"shpss_"),
    ("slack-app-token", r"xapp-"),
    ("slack-config-access-token", r"xox[a-z]\.xox[a-z]-"),
    ("slack-config-refresh-token", r"xoxe-\d-"),
    ("slack-bot-token", r"xoxb-"),
    ("slack-legacy-token", r"xox[os]-"),
    ("slack-legacy-workspace-token", r"xox[ar]-"),
    ("slack-user-token", r"xox[pe]-"),
    ("sourcegraph-access-token", r"sgp_"),
    ("square-access-token", r"sq0|EAAA"),
    ("stripe-access-token", r"[srp]k_(?:live|test|prod)_"),
    ("telegram-bot-api-token", r"\d{8,10}:AA"),
    ("twilio-api-key", r"SK[0-9a-f]{32}\Z"),
    ("twitter-bearer-token", r"A{20}"),
    ("typeform-api-token", r"tfp_"),
    ("vault-batch-token", r"hvb\."),
    ("vault-service-token", r"hvs\."),
    ("yandex-api-key", r"AQVN"),
)
# Forms that gitleaks has no rule for.
_OWN_TOKENS = (
    ("devrag-token", r"devrag_"),
    ("openai-api-key", r"sk-"),
    ("mapbox-secret-token", r"sk\."),
    ("discord-bot-token", r"[MNO][\w-]+\.[\w-]{6}\."),
    ("azure-devops-pat", r"[A-Za-z0-9]{76}AZDO"),
    ("google-oauth-token", r"ya29\.|1//0|GOCSPX-|AAAA[\w-]{7}:APA91b"),
    ("atlassian-token", r"AT(?:ATT3|BB|CTT3)"),
    ("gitlab-token", r"gl"),
    ("slack-token", r"xox"),
    ("registry-token", r"cio|oy2|dckr_"),
    ("hubspot-token", r"pat-|sdk-|api-|mob-"),
    ("asana-token", r"[12]/\d"),
    ("extended-private-key", r"[xyz]prv|nsec1"),
)
# Rules of gitleaks that go by what stands around a value, as ours of the same name do.
_GITLEAKS_CONTEXTS = (
    *("azure-ad-client-secret", "curl-auth-header", "curl-auth-user"),
    *("generic-api-key", "gitlab-session-cookie", "hashicorp-tf-password"),
    *("jwt-base64", "kubernetes-secret-yaml", "microsoft-teams-webhook"),
    *("openai-api-key", "private-key", "sidekiq-sensitive-url", "slack-webhook-url"),
)
GITLEAKS_RULES = tuple(
    sorted({*(name for name, _ in _GITLEAKS_TOKENS), *_GITLEAKS_CONTEXTS})
)
# Rules of gitleaks for values without a form, beside the name of a service. They are
# masked where the name ends in a word such as `key`, `secret`, `token` or `password`
# (`ALGOLIA_API_KEY=…`), and not beside the bare name of the service (`algolia = "…"`).
GITLEAKS_BY_NAME = (
    *("adafruit-api-key", "airtable-api-key", "algolia-api-key", "alibaba-secret-key"),
    *("asana-client-secret", "atlassian-api-token", "beamer-api-token"),
    *("bitbucket-client-secret", "bittrex-access-key", "bittrex-secret-key"),
    *("cisco-meraki-api-key", "cloudflare-api-key", "cloudflare-global-api-key"),
    *("codecov-access-token", "cohere-api-token", "coinbase-access-token"),
    *("confluent-access-token", "confluent-secret-key"),
    *("contentful-delivery-api-token", "datadog-access-token"),
    *("defined-networking-api-token", "discord-api-token", "discord-client-secret"),
    *("droneci-access-token", "dropbox-api-token", "dropbox-long-lived-api-token"),
    *("dropbox-short-lived-api-token", "etsy-access-token", "facebook-secret"),
    *("fastly-api-token", "finicity-api-token", "finicity-client-secret"),
    *("finnhub-access-token", "flickr-access-token", "freshbooks-access-token"),
    *("gitter-access-token", "gocardless-api-token", "heroku-api-key"),
    *("hubspot-api-key", "intercom-api-key", "jfrog-api-key", "jfrog-identity-token"),
    *("kraken-access-token", "kucoin-access-token", "kucoin-secret-key"),
    *("launchdarkly-access-token", "linear-client-secret", "linkedin-client-secret"),
    *("lob-api-key", "lob-pub-api-key", "looker-client-secret"),
    *("mailgun-pub-key", "mailgun-signing-key", "mapbox-api-token"),
    *("mattermost-access-token", "messagebird-api-token", "netlify-access-token"),
    *("nytimes-access-token", "okta-access-token", "plaid-api-token"),
    *("plaid-secret-key", "privateai-api-token", "rapidapi-access-token"),
    *("sendbird-access-token", "sentry-access-token", "sidekiq-secret"),
    *("snyk-api-token", "sonar-api-token", "squarespace-access-token"),
    *("sumologic-access-token", "travisci-access-token", "twitch-api-token"),
    *("twitter-access-secret", "twitter-access-token", "twitter-api-key"),
    *("twitter-api-secret", "yandex-access-token", "yandex-aws-access-token"),
    "zendesk-secret-key",
)
OTHER_SERVICE = "service-token"
# Of secrets that are told from others by their surroundings alone.
GENERAL_RULES = ("generic-api-key", "password", "base64-secret")
OWN_RULES = tuple(
    sorted(
        {
            *(name for name, _ in _OWN_TOKENS if name not in GITLEAKS_RULES),
            *("aws-secret-key", "base64-secret", "bearer-token", "basic-auth"),
            *("password", "password-hash", "salt", "seed-phrase", "signed-url"),
            *("url-credentials", "webhook-url", OTHER_SERVICE),
        }
    )
)
RULES = tuple(sorted({*GITLEAKS_RULES, *OWN_RULES}))

_NAMED = (*_GITLEAKS_TOKENS, *_OWN_TOKENS)
_HEADS = re.compile("|".join(f"({head})" for _, head in _NAMED), re.ASCII)


def name_token(token: str) -> str:
    """Return the rule whose form a token has."""
    found = _HEADS.match(token)
    return _NAMED[(found.lastindex or 1) - 1][0] if found else OTHER_SERVICE
