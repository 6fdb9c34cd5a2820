"""What the Django application is made of: apps, middleware, templates, static files."""

from __future__ import annotations

from importlib.metadata import distribution
from pathlib import Path

from devrag.core.installation import FILES_DIR, PACKAGE_DIR
from devrag.settings.environment import DEVRAG_HOME
from devrag.settings.services import BROKER_URL

INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "csp",
    "django_htmx",
    "template_partials",
    "devrag.runtime",
    "devrag.products",
    "devrag.access",
    "devrag.spending",
    "devrag.jobs",
    "devrag.sources",
    "devrag.labels",
    "devrag.search",
    "devrag.indexing",
    "devrag.wiki",
    "devrag.ask",
    "devrag.insights",
    "devrag.use_cases",
    "devrag.operations",
    "devrag.cli",
    "devrag.web",
    "devrag.mcp",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "devrag.web.compression.CompressionMiddleware",
    "devrag.web.policy.ResourcePolicyMiddleware",
    "devrag.web.head.HeadMiddleware",
    "devrag.api.errors.ProblemMiddleware",
    "devrag.web.conditional.PageConditionalMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "devrag.web.locale_middleware.LanguageMiddleware",
    "devrag.web.locale_middleware.TimeZoneMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "devrag.web.locale_middleware.PreferencesMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "devrag.web.policy.PolicyMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "devrag.access.middleware.PrincipalMiddleware",
    "devrag.web.errors.DevragErrorMiddleware",
]
ROOT_URLCONF = "devrag.urls"
ASGI_APPLICATION = "devrag.asgi.application"
# Files of the REST documentation; installed as an application it would be loaded.
_NINJA = Path(str(distribution("django-ninja").locate_file("ninja")))
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FILES_DIR / "templates", _NINJA / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["django.templatetags.i18n"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "devrag.web.context.shell",
            ],
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# The rate limits are in it, so it is one for all web processes.
CACHES = {
    "default": {
        "BACKEND": "devrag.access.shared_cache.SharedCache",
        "LOCATION": BROKER_URL,
        "KEY_PREFIX": "devrag",
    }
}
CSRF_FAILURE_VIEW = "devrag.web.errors.csrf_failure"
LANGUAGE_CODE = "en"
# Each by its own name; `make messages` keeps their catalogues.
LANGUAGES = [("en", "English"), ("ja", "日本語")]
LOCALE_PATHS = [PACKAGE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
STATIC_ROOT = DEVRAG_HOME / "static"
STATICFILES_DIRS = [FILES_DIR / "static", _NINJA / "static"]
MERMAID_PATH = FILES_DIR / "static" / "vendor" / "mermaid-11.17.2.min.js"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "devrag.web.static_storage.StaticFilesStorage"},
}
_ACCENT = "oklch({}% {} 178)"  # the green of static/app.css
UNFOLD = {
    "SITE_TITLE": "devrag",
    "SITE_HEADER": "devrag",
    "SITE_SUBHEADER": "devrag.web.branding.back_words",
    "SITE_URL": "/",
    "SITE_ICON": "devrag.web.branding.icon_url",
    "SITE_FAVICONS": [
        {
            "rel": "icon",
            "type": "image/svg+xml",
            "href": "devrag.web.branding.icon_url",
        }
    ],
    "COLORS": {
        "primary": {
            "50": _ACCENT.format(97.5, 0.015),
            "100": _ACCENT.format(94, 0.035),
            "200": _ACCENT.format(89, 0.06),
            "300": _ACCENT.format(82, 0.085),
            "400": _ACCENT.format(74, 0.1),
            "500": _ACCENT.format(58, 0.095),
            "600": _ACCENT.format(47.5, 0.085),
            "700": _ACCENT.format(41, 0.073),
            "800": _ACCENT.format(35, 0.06),
            "900": _ACCENT.format(30, 0.05),
            "950": _ACCENT.format(22, 0.04),
        }
    },
}
