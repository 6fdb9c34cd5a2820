"""Settings of the tiny project; the environment chooses what is embedded."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from devrag.runtime.endpoints import read_endpoints
from devrag.runtime.layout import Home

BASE_DIR = Path(__file__).parent
ENV_FILE = BASE_DIR / ".env"
MANAGE = (str(BASE_DIR / "manage.py"),)
DEVRAG_HOME = Path(os.environ["DEVRAG_HOME"])
HTTP_HOST = "127.0.0.1"
HTTP_PORT = int(os.environ["DEVRAG_PORT"])
IS_EMBEDDED_DATABASE = IS_EMBEDDED_BROKER = "EMBEDDED" in os.environ
SERVER_PROCESSES = (
    ("worker", (str(BASE_DIR / "worker.py"),), 5),
    ("web", (str(BASE_DIR / "web.py"), "{host}", "{port}"), 0),
)
SERVER_PREPARE = (str(BASE_DIR / "manage.py"), "migrate", "--noinput")
SECRET_KEY = "only for tests"
INSTALLED_APPS = ["devrag.runtime"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}

endpoints = read_endpoints(Home(DEVRAG_HOME))
if endpoints is not None and endpoints.database_url:
    url = urlsplit(endpoints.database_url)
    DATABASES["default"] = {
        "ENGINE": "django.db.backends.postgresql",
        "HOST": url.hostname or "",
        "PORT": str(url.port),
        "USER": url.username or "",
        "PASSWORD": url.password or "",
        "NAME": url.path[1:],
    }
