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
    | \.age-keys?
    # keys of clouds
    | kubeconfig(?:[._-].*)? | .*[._-]kubeconfig(?:\.ya?ml)? | .*\.kubeconfig
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
    r"(?:[._-].*)?|.*\.pub|known_hosts",
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
# Whatever it is called: an example of these still holds a key.
_KEY = re.compile(
    r".*\.(?:pem|key|p8|p12|pfx|pkcs12|jks|jceks|bcfks|keystore|truststore|bks|ppk|kdbx?"
    r"|keytab|tfstate)",
    re.IGNORECASE | re.DOTALL,
)


def is_secret_file(path: str) -> bool:
    """Return whether a file's name says that it holds secrets."""
    name = path.rpartition("/")[2]
    if _KEY.fullmatch(name):
        return True
    if not (_NAME.fullmatch(name) or _IN_FOLDER.fullmatch(path)):
        return False
    return not (
        _TEMPLATE.fullmatch(name)
        or _REFERENCES.fullmatch(name)
        or _FOLDER_OF_OTHERS.fullmatch(path)
    )
