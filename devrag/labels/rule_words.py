"""Names, folders and modules that say what a file is about; rules read them."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


AUTH_WORDS = _words(
    """
    auth oauth oauth2 login logout signin signup password passwords jwt credential
    credentials permission permissions authn authz authentication authorization
    authenticate authenticator authorizer acl rbac ldap saml sso
    """
)
AUTH_MODULES = _words(
    """
    jwt jose oauthlib authlib passlib bcrypt flask_login django.contrib.auth allauth
    golang.org/x/oauth2 golang.org/x/crypto/bcrypt github.com/golang-jwt/jwt passport
    jsonwebtoken next-auth devise org.springframework.security
    """
)
SECURITY_WORDS = _words(
    """
    security ssl tls crypto cipher ciphers certificate certificates x509 ocsp csrf
    encryption encrypt decrypt openssl keystore hsts cors csp
    """
)
SECURITY_MODULES = _words(
    """
    cryptography itsdangerous javax.net.ssl javax.crypto crypto/tls crypto/x509
    crypto/aes crypto/rsa org.bouncycastle nacl rustls java.security.cert
    java.security.KeyStore java.security.MessageDigest
    """
)
STORAGE_WORDS = _words(
    """
    storage storages database databases db sql sqlite postgres postgresql mysql mongo
    mongodb dao orm migrations persistence datastore s3
    """
)
STORAGE_MODULES = _words(
    """
    sqlite3 psycopg psycopg2 sqlalchemy peewee pymongo redis django.db database/sql
    gorm.io/gorm go.etcd.io/bbolt github.com/jackc/pgx java.sql javax.persistence
    jakarta.persistence org.hibernate sequelize typeorm mongoose knex prisma diesel sqlx
    boto3 pgvector ActiveRecord
    """
)
API_FOLDERS = _words(
    """
    api apis routes routers controllers endpoints graphql rest rpc grpc
    """
)
API_WORDS = _words(
    """
    router routers routing route routes endpoint endpoints graphql openapi swagger grpc
    views blueprint blueprints
    """
)
DOC_FOLDERS = _words(
    """
    doc docs documentation
    """
)
UI_ENDINGS = _words(
    """
    html htm css scss sass less vue svelte jsx tsx jinja jinja2 j2 hbs erb haml ejs tmpl
    """
)
UI_FOLDERS = _words(
    """
    static components pages views ui frontend widgets assets public
    """
)
CLI_NAMES = _words(
    """
    cli cmd command commands argparsing argparse completions
    """
)
CLI_FOLDERS = _words(
    """
    cli cmd commands bin
    """
)
CLI_MODULES = _words(
    """
    argparse click typer optparse docopt github.com/spf13/cobra github.com/urfave/cli
    github.com/spf13/pflag picocli commander yargs clap structopt thor
    """
)
CONFIG_NAMES = _words(
    """
    config configuration settings conf options flags editorconfig env
    """
)
LOGGING_WORDS = _words(
    """
    log logs logger loggers logging metric metrics telemetry tracing monitoring
    prometheus opentelemetry
    """
)
BUILD_NAMES = _words(
    """
    pyproject.toml setup.py setup.cfg tox.ini noxfile.py manifest.in pipfile
    pipfile.lock poetry.lock uv.lock makefile gnumakefile cmakelists.txt meson.build
    configure.ac dockerfile docker-compose.yml docker-compose.yaml compose.yml
    compose.yaml pom.xml build.gradle build.gradle.kts settings.gradle
    settings.gradle.kts gradle.properties gradlew gradlew.bat mvnw mvnw.cmd build.xml
    go.mod go.sum package.json package-lock.json yarn.lock pnpm-lock.yaml
    webpack.config.js rollup.config.js vite.config.js vite.config.ts tsconfig.json
    cargo.toml cargo.lock gemfile gemfile.lock rakefile composer.json composer.lock
    build.sbt mix.exs jenkinsfile procfile .travis.yml .gitlab-ci.yml appveyor.yml
    .pre-commit-config.yaml .readthedocs.yml .readthedocs.yaml .goreleaser.yml
    .goreleaser.yaml .golangci.yml codecov.yml .codecov.yml dependabot.yml make.bat
    """
)
EXAMPLE_FOLDERS = _words(
    """
    example examples sample samples demo demos
    """
)
STORED_MODELS = _words(
    """
    model:activerecord model:django model:doctrine model:ecto model:ef model:gorm
    model:jpa model:laravel model:mikro-orm model:mongodb model:sequelize model:sql
    model:sqlalchemy model:sqlmodel model:typeorm
    """
)
