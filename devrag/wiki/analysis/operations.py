"""What concerns running and guarding the product, found by what things are called.

A name is a hint, not a proof: writers say so, and what hints at two things stays out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.product_form import is_aside
from devrag.wiki.analysis.survey import SurveyFact, SurveyFile, SurveyReference

_FEWEST_SECRETS = 3
_STARTED = {"service", "container", "unit", "process"}
_HEALTH = re.compile(
    r"(^|/)_?(health(z|-?_?checks?)?|ready|readyz|readiness|livez|liveness)/?$"
    r"|^/?metrics/?$",
    re.IGNORECASE,
)
_SECRET = re.compile(
    r"(SECRET|PASSWORD|PASSWD|TOKEN|CREDENTIALS?|API_?KEY|ACCESS_KEY|PRIVATE_KEY"
    r"|SIGNING_KEY|ENCRYPTION_KEY|WEBHOOK_KEY)(_ID|_FILE|_PATH|_BASE)?$",
    re.IGNORECASE,
)
_LOGGING = re.compile(r"(^|_)(LOG|LOGGING|LOGGER|SENTRY|OTEL)(_|$)|^LOG", re.IGNORECASE)
# Beginnings of imported names, with dots for every separator.
LOGGERS = (
    *("structlog", "loguru", "sentry_sdk", "@sentry", "winston", "pino", "bunyan"),
    *("go.uber.org.zap", "github.com.sirupsen.logrus", "github.com.rs.zerolog"),
    *("log.slog", "org.slf4j", "org.apache.logging.log4j", "serilog", "monolog"),
    *("lograge", "tracing", "env_logger", "opentelemetry", "prometheus_client"),
)
_SEPARATORS = re.compile(r"[/:\\]+")
_MANIFEST = re.compile(
    r"(^|/)(k8s|kubernetes|helm|charts?|kustomize|terraform|ansible|systemd|nginx)/"
    r"|(^|/)(chart|kustomization|skaffold|fly|render|app|vercel|netlify)\.(ya?ml|toml)$"
    r"|\.(service|timer|socket|tf)$|(^|/)(nginx[\w.-]*\.conf|caddyfile|uwsgi\.ini"
    r"|supervisord?\.conf|procfile)$",
    re.IGNORECASE,
)
_GUARD = re.compile(
    r"^(auth|authn|authz|authentication|authenticators?|authori[sz]ation|permissions?"
    r"|policies|oauth2?|jwt|csrf|acl|rbac|security|access_control|sso|saml|ldap|2fa"
    r"|passwords?)$",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"(login|permissions?|auth|authenticated|admin|superuser|sudo)_?required$"
    r"|^(require|requires|needs)_?(login|auth|permission|role|scope)\w*$"
    r"|^(permission_classes|user_passes_test|PreAuthorize|Secured|RolesAllowed"
    r"|Authorize|UseGuards|csrf_exempt|authenticate)$",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(
    r"deploy|operat|production|self-?host|hosting|backup|monitor|observab|runbook"
    r"|security|hardening|運用|監視|本番",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Operations:
    """Facts and files by what they are for; marks: decorators that let some callers in.

    guards: code that is called after authentication or permission.
    """

    policies: tuple[SurveyFile, ...]
    documents: tuple[SurveyFile, ...]
    started: tuple[SurveyFact, ...]
    manifests: tuple[SurveyFile, ...]
    health: tuple[SurveyFact, ...]
    logging: tuple[SurveyFact, ...]
    loggers: tuple[SurveyReference, ...]
    guards: tuple[SurveyFile, ...]
    marks: tuple[SurveyReference, ...]
    secrets: tuple[SurveyFact, ...]

    @property
    def is_told(self) -> bool:
        """Return whether there is enough for a page.

        A lone secret or log is not; what is started is told of by Build and run, too.
        """
        parts = (self.documents, self.manifests, self.health, self.marks)
        return any(parts) or bool(self.guards) or len(self.secrets) >= _FEWEST_SECRETS

    def files(self, analysis: Analysis) -> list[SurveyFile]:
        """Return every file that this is about, but for those it only counts."""
        found: list[SurveyFile] = []
        for field in fields(self):
            if field.name not in {"loggers", "marks"}:
                items = getattr(self, field.name)
                found += (
                    i if isinstance(i, SurveyFile) else _at(analysis, i) for i in items
                )
        return found


def _is_aside(analysis: Analysis, fact: SurveyFact) -> bool:
    return is_aside(analysis.files[fact.file].path)


def _at(analysis: Analysis, fact: SurveyFact) -> SurveyFile:
    return analysis.files[fact.file]


def operations_of(analysis: Analysis) -> Operations:
    """Collect what concerns running and guarding."""
    docs = analysis.with_role("doc")
    settings = [f for f in analysis.facts("setting") if not _is_aside(analysis, f)]
    code = analysis.with_role("code")
    own = {file.id for file in code}
    references = [r for r in analysis.survey.references if r.file in own]
    return Operations(
        policies=tuple(f for f in docs if f.stem.lower() == "security"),
        documents=tuple(_documents(docs)),
        started=tuple(
            f
            for f in analysis.facts("entry_point")
            if f.data.get("type") in _STARTED and not _is_aside(analysis, f)
        ),
        manifests=tuple(
            f
            for f in analysis.with_role("build", "config", "data", "code")
            if _MANIFEST.search(f.path) and f.lines > 1
        ),
        health=tuple(
            f
            for f in analysis.facts("route")
            if _HEALTH.search(str(f.data.get("path") or ""))
        ),
        logging=tuple(f for f in settings if _LOGGING.search(f.name)),
        loggers=tuple(
            r for r in references if r.kind == "import" and logger_of(r.name)
        ),
        guards=tuple(f for f in code if f.lines > 1 and is_guard(f.path)),
        marks=tuple(
            r
            for r in references
            if r.kind == "decorator" and _MARK.search(r.name.rpartition(".")[2])
        ),
        secrets=tuple(f for f in settings if _SECRET.search(f.name)),
    )


def _documents(docs: Iterable[SurveyFile]) -> Iterable[SurveyFile]:
    for file in docs:
        is_about = _DOCUMENT.search(file.stem) and file.path.count("/") <= 3
        if is_about and file.stem.lower() != "security":
            yield file


def logger_of(name: str) -> str:
    """Return the package for logs or measures that an import names, '' for others."""
    dotted = _SEPARATORS.sub(".", name.lower()) + "."
    return next((each for each in LOGGERS if dotted.startswith(f"{each}.")), "")


def is_guard(path: str) -> bool:
    """Return whether a directory or module by a piece of its path is about who may."""
    return any(_GUARD.match(piece.partition(".")[0]) for piece in path.split("/"))
