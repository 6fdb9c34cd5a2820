"""Which file names belong to secrets: such files are never read. Pure.

Templates (`.env.example`), public keys and code (`secrets.py`) are read; what looks
like a secret in them is masked.
"""

from __future__ import annotations

import re

# Names of files, wherever they are.
_NAME = re.compile(
    r"""
    # variables of an environment
      \.env(?:rc)?(?:[._-].+)? | .+\.env | \.flaskenv | \.dev\.vars | \.secrets?
    # keys and key stores
    | .*\.(?:pem|key|p8|p12|pfx|pkcs12|jks|jceks|bcfks|keystore|truststore|bks|ppk
        |kdbx?|keytab|keychain(?:-db)?|agilekeychain|opvault|agekey|gpgkey|ovpn|pgpass
        |snk|publishsettings|azurepubxml|tfstate|tfstate\..*backup|tfvars|tfvars\.json
        |mobileprovision|jwk|jwks\.private|wallet|rdp|tblk)
    | (?:deploy|github|gitlab|bitbucket)[._-](?:key|rsa|dsa|ecdsa|ed25519)
    | id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:[._-].+)?
    | ssh_host_\w+_key | secring\.(?:gpg|pgp) | private[._-]?key.* | otr\.private_key
    | wg\d+\.conf | secret[._-]?key | master[._-]?key | .*[._-]private[._-]key\.txt
    # logins of programs
    | [._]netrc | \.pgpass | pgpass\.conf | \.my\.cnf | \.mylogin\.cnf
    | \.git-credentials | \.npmrc | \.pypirc | \.yarnrc | \.gemrc | \.htpasswd.*
    | htpasswd | \.htdigest
    | \.dockercfg | \.dockerconfigjson | \.s3cfg | \.boto | \.?rclone\.conf
    | \.curlrc | \.wgetrc | \.msmtprc | \.fetchmailrc | \.offlineimaprc | \.mbsyncrc
    | \.ftpconfig | \.esmtprc | sftp-config\.json | \.remote-sync\.json | winscp\.ini
    | filezilla\.xml | sitemanager\.xml | recentservers\.xml | \.vault-token
    | \.terraformrc | terraform\.rc | credentials\.tfrc\.json | \.tugboat | \.rhosts
    | \.smbcredentials
    | settings-security\.xml | proftpdpasswd | robomongo\.json | \.dbeaver-.*\.xml
    | credentials\.xml | hudson\.util\.secret | jupyter_server_config\.json
    | \.age-keys? | \.sentryclirc | \.consul-token | logins\.json
    # keys of clouds
    | kubeconfig(?:[._-].*)? | .*[._-]kubeconfig(?:\.ya?ml)? | .*\.kubeconfig
    | kube\.config
    | \.?aws[._-]credentials | .*accesskeys?\.csv | rootkey\.csv | credentials\.csv
    | (?:.*[._-])?service[._-]?account(?:[._-].*)?\.json
    | .*firebase-adminsdk.*\.json | gha-creds-.*\.json | gcp-key.*\.json
    | google-services\.json | googleservice-info\.plist
    | application_default_credentials\.json | access_tokens\.db | credentials\.db
    | azureauth\.json | accesstokens\.json | azureprofile\.json | msal_token_cache\..*
    | client_secrets?.*\.json | oauth[._-]?(?:token|credentials?).*\.json
    # secrets and credentials by name
    | \.?(?:.*[._-])?(?:secrets?|credentials?|creds|vault[._-]?pass(?:word)?|passwords?)
        (?:[._-](?:prod|production|live|stag(?:ing|e)|dev|development|test|qa|uat|local
        |default|common|shared|backup|bak|old|dec|decrypted|enc|encrypted|auto|\d+))?
        \.(?:ya?ml|json|toml|ini|cfg|conf|properties|xml|txt|csv|enc|gpg
        |asc|plist|xcconfig|tfvars|auto\.tfvars|ya?ml\.enc|config)
    | \.?(?:credentials|passwords?|passwd|shadow|gshadow|vault[._-]pass(?:word)?)
    | (?:keystore|signing|key|release[._-]signing)\.properties
    | \.vault[._-]?pass(?:word)?(?:\.txt)?
    | \.?(?:refresh|access|auth|api)[._-]?tokens?\.(?:txt|ya?ml|json|pickle)
    | \.?api[._-]?keys?(?:\.(?:txt|ya?ml|json|toml|csv|ini))?
    # what was typed in a shell
    | \.(?:bash|zsh|sh|ksh|psql|mysql|sqlite|python|irb|node_repl|rediscli|dbshell
        |mongo)_?history | fish_history | \.histfile | \.lesshst
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
# Names that say something only with the folder they are in.
_IN_FOLDER = re.compile(
    r"""
    (?:.*/)? (?:
      \A auth\.json | \.ssh/.+ | \.gnupg/.+ | \.aws/(?:credentials|config|.*cache/.+)
    | \.docker/config\.json | \.kube/(?:config.*|cache/.+) | \.azure/.+
    | \.config/(?:gcloud/.+|gh/hosts\.yml|hub|glab-cli/config\.yml|doctl/config\.yaml
        |rclone/.+|op/.+|sops/.+|containers/auth\.json|configstore/.+|git/credentials)
    | \.gem/credentials | \.cargo/credentials(?:\.toml)?
    | \.?composer/auth\.json
    | \.m2/settings\.xml | \.gradle/gradle\.properties | \.nuget/nuget\.config
    | \.terraform\.d/.+ | \.fly/.+ | \.heroku/.+ | \.chef/.+ | \.bundle/config
    | \.streamlit/secrets\.toml | \.kaggle/.+ | \.huggingface/token | \.databrickscfg
    | \.(?:codex|openai|vercel)/auth\.json | \.netlify/config\.json
    | \.(?:mc|snowsql)/config(?:\.json)? | \.snowflake/(?:config|connections)\.toml
    | \.dbt/profiles\.ya?ml | \.circleci/cli\.yml | etc/kubernetes/.+\.conf
    | \.oci/.+ | \.bluemix/.+ | \.ngrok2?/.+ | \.minikube/(?:profiles/.+|.+\.key)
    | \.password-store/.+ | sops/age/keys\.txt | wireguard/.+\.conf
    | etc/g?shadow | (?:group|host)_vars/(?:.+/)?vault(?:\.ya?ml)?
    | secrets/[^/]+\.(?:enc|txt|asc|gpg)
    | (?:private|secret)[_-]?keys?/.+ | \.secrets?/.+ | \.irssi/config | \.databricks/.+
    )
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
# Text that shows which secrets there are, not what they are.
_TEMPLATE = re.compile(
    r"(?:.*[._-])?(?:examples?|samples?|templates?|tmpl|tpl|dist|skel(?:eton)?|schema)"
    r"(?:[._-].*|~)?|.*\.pub|known_hosts",
    re.IGNORECASE | re.DOTALL,
)
# Templates of Helm and its like, workflows and texts of an interface.
_FOLDER_OF_OTHERS = re.compile(
    r"(?:.*/)?(?:templates?|\.github|locales?|lang|i18n|translations|messages)/.*"
    r"\.(?:ya?ml|json|txt|conf|properties)",
    re.IGNORECASE | re.DOTALL,
)
# The operators of a cluster fill these in; they hold names or ciphertext.
_REFERENCES = re.compile(r"(?:.*[._-])?(?:external|sealed)[._-]?secrets?\b.*", re.I)
# Code about keys, such as `PrivateKey.java`.
_CODE_OF_KEYS = re.compile(
    r"(?:.*/)?(?:(?:private|secret)[._-]?keys?(?:/.*|[^/]*)|kubeconfig[^/]*)"
    r"\.(?:c|cc|cpp|cs|dart|exs?|go|hh?|hpp|hs|java|jsx?|kts?|mjs|mm?|php|pl|pyi?|rb|rs"
    r"|scala|swift|tsx?|vue)",
    re.IGNORECASE | re.DOTALL,
)
# Whatever it is called: an example of these still holds a key.
_KEY = re.compile(
    r".*\.(?:pem|key|p8|p12|pfx|pkcs12|jks|jceks|bcfks|keystore|truststore|bks|ppk|kdbx?"
    r"|keytab|tfstate)",
    re.IGNORECASE | re.DOTALL,
)
# What editors and people put around the name of a copy: `.env~`, `#.env#`,
# `.secrets.yml.swp`, `.npmrc.bak`, `secrets (1).yml`, `credentials copy.json`.
_COPY = re.compile(
    r"""
      \#(?P<autosaved>.+)\# | \.(?P<swapped>.+)\.sw[a-p]
    | (?P<name>.+?)(?:~|[._](?:bak|backup|old|orig|saved?|copy|sw[a-p]|\d{1,3}))
    | (?P<stem>.+)(?:[ ]\(\d{1,3}\)|[ -]copy(?:[ ]\d{1,3})?)(?P<ext>\.\w+)?
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


def is_secret_file(path: str) -> bool:
    """Return whether a file holds secrets, or a copy of them, by its name."""
    folder, slash, name = path.rpartition("/")
    copy = _COPY.fullmatch(name)
    return _is_secret_name(path) or (
        copy is not None and _is_secret_name(folder + slash + _original(copy))
    )


def _original(copy: re.Match[str]) -> str:
    plain = copy["autosaved"] or copy["swapped"] or copy["name"]
    return plain or copy["stem"] + (copy["ext"] or "")


def _is_secret_name(path: str) -> bool:
    name = path.rpartition("/")[2]
    if _KEY.fullmatch(name):
        return True
    if not (_NAME.fullmatch(name) or _IN_FOLDER.fullmatch(path)):
        return False
    return not (
        _TEMPLATE.fullmatch(name)
        or _REFERENCES.fullmatch(name)
        or _FOLDER_OF_OTHERS.fullmatch(path)
        or _CODE_OF_KEYS.fullmatch(path)
    )
