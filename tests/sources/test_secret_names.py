"""Files named as files of secrets are left out; their templates are read."""

from __future__ import annotations

import re

import pytest

from devrag.sources.ignore import IgnoreRules
from devrag.sources.secret_names import is_secret_file

SECRET = re.findall(
    r"\S+",
    """
.env .env.local .env.production .env.test a/.env .envrc prod.env .env-staging .flaskenv
.dev.vars id_rsa id_dsa id_ecdsa id_ed25519 id_ed25519_sk id_rsa.old deploy.pem a.key
AuthKey.p8 a.p12 a.pfx a.jks a.keystore debug.keystore a.truststore a.bks a.ppk a.kdb
a.kdbx a.keytab krb5.keytab a.keychain a.agilekeychain a.ovpn a.snk ssh_host_rsa_key
secring.gpg wg0.conf secret_key master.key example.pem sample.jks private.key
.netrc _netrc .pgpass pgpass.conf .my.cnf .mylogin.cnf .git-credentials .npmrc .pypirc
.yarnrc .gemrc .htpasswd htpasswd .dockercfg .s3cfg .boto rclone.conf .curlrc .wgetrc
.msmtprc .ftpconfig sftp-config.json filezilla.xml .vault-token .terraformrc
credentials.tfrc.json settings-security.xml
.docker/config.json .kube/config kubeconfig kubeconfig.yaml prod.kubeconfig
prod-kubeconfig.yml .aws/credentials .aws/config .ssh/deploy .ssh/config .gnupg/secring
.azure/accessTokens.json .config/gcloud/credentials.db .config/gh/hosts.yml
.gem/credentials .cargo/credentials .cargo/credentials.toml .composer/auth.json
auth.json .m2/settings.xml .gradle/gradle.properties .streamlit/secrets.toml
.kaggle/kaggle.json
.bundle/config .password-store/a.gpg etc/shadow
terraform.tfstate terraform.tfstate.backup terraform.tfvars prod.auto.tfvars
prod.tfvars.json rootkey.csv bob_accessKeys.csv credentials.csv
service-account.json service-account-prod.json shop-service_account.json
shop-firebase-adminsdk-x1.json gha-creds-1.json application_default_credentials.json
client_secret.json client_secret_1.apps.googleusercontent.com.json
google-services.json
secrets.yml secrets.yaml secrets.json secrets.toml secret.yaml secrets.prod.yaml
db-secret.yaml secrets.enc.yaml secrets.ini secrets.properties .secrets
config/secrets.yml
credentials.json credentials.xml credentials.yml.enc credentials aws-credentials.json
db_credentials.yml passwords.txt password.txt .vault_pass .vault_pass.txt
vault_password
keystore.properties key.properties signing.properties group_vars/all/vault.yml
private_key private-key.txt PrivateKey.json private_keys/deploy private_keys/deploy.txt
.env~ #.env# .npmrc.bak .netrc.old .git-credentials~ secrets.yml.bak secrets.yaml.old
credentials.json~ secrets.yml.swp .secrets.yml.swp .aws/credentials.bak .zsh_history.bak
deploy_key github_rsa kube.config .sentryclirc .consul-token logins.json api_key.txt
apikeys.json api-keys.yaml .api_key refresh_token.txt .codex/auth.json .vercel/auth.json
.netlify/config.json .mc/config.json .snowsql/config .snowflake/connections.toml
.dbt/profiles.yml .circleci/cli.yml etc/kubernetes/admin.conf
.bash_history .zsh_history .psql_history .mysql_history .python_history shadow
""",
)
ORDINARY = re.findall(
    r"\S+",
    """
.env.example .env.sample .env.template .env.dist .env.local.example example.env
.env.production.sample terraform.tfvars.example secrets.yml.example secrets.example.yml
credentials.json.sample credentials.example.json .npmrc.example auth.json.dist
id_rsa.pub id_ed25519.pub .ssh/id_rsa.pub .ssh/known_hosts server.crt ca.cer a.pub
secrets.py secrets.ts credentials.go password.rb Passwords.java token.rs tokens.json
environment.py env.ts id_generator.py keyboard.js monkey.py keys.md secrets.md
kube/config.go docker/config.json config.json settings.xml gradle.properties
chart/templates/secret.yaml .github/workflows/secrets.yml locales/en/passwords.json
external-secrets.yaml sealed-secret.yaml secret-scanning.yml package-lock.json
history.md ssh_config.md vault.md tfstate.go credential_helper.sh .secrets.baseline
PrivateKey.java private_key.rs crypto/private_key/mod.rs src/secret-keys/index.ts
kubeconfig.go kubeconfig_test.py main.py~ README.md.bak .env.example~ deploy_key.go
api_key.py api-keys.md access_token.ts profiles.yml config.json.old secrets.py.bak
src/auth.json shadow.css shadow.ts htpasswd.go netrc.py
""",
)


def test_files_of_secrets_are_left_out() -> None:
    rules = IgnoreRules.from_files({})
    assert [path for path in SECRET if rules.reason(path, 1) != "secret"] == []
    assert [path for path in SECRET if not is_secret_file(path.upper())] == []


@pytest.mark.parametrize(
    "path", ["credentials copy.json", "secrets (1).yml", ".env copy", "id_rsa (2)"]
)
def test_copies_with_spaces_are_left_out(path: str) -> None:
    assert is_secret_file(path)


def test_they_are_left_out_wherever_they_are() -> None:
    names = [path for path in SECRET if "/" not in path and path != "auth.json"]
    assert [name for name in names if not is_secret_file(f"a/deep/{name}")] == []


def test_templates_public_keys_and_code_are_read() -> None:
    rules = IgnoreRules.from_files({})
    assert [path for path in ORDINARY if rules.reason(path, 1) is not None] == []


def test_enough_names_are_held() -> None:
    assert len(set(SECRET)) >= 86
