"""What concerns running and guarding a product is found and told by its page."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.operations import is_guard, logger_of, operations_of
from tests.wiki.shop import SHOP, analyse
from tests.wiki.written import write

PAGE = "operations-and-security.md"
RUN = {
    "SECURITY.md": "# Security\n\nWrite to the keeper of the shop about weaknesses.\n",
    "Dockerfile": "FROM python:3.12\nHEALTHCHECK CMD true\nCMD shop serve\n",
    "compose.yaml": "services:\n  db:\n    image: postgres:16\n"
    "    ports: ['5432:5432']\n    environment:\n      DB_PASSWORD: hunter2\n",
    "k8s/web.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n"
    "  labels: {}\n  name: web\nspec:\n  livenessProbe:\n    httpGet: {}\n"
    "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: '{{ shop }}'\n",
    "docs/deployment.md": "# Deployment\n\nOne machine is enough for a small shop.\n",
    "shop/auth/__init__.py": '"""Says who a customer is."""\n',
    "shop/auth/tokens.py": '"""Reads the tokens of customers."""\n\nimport os\n'
    'import structlog\n\nAPI_TOKEN = os.environ["API_TOKEN"]\n'
    'LOG_LEVEL = os.environ.get("LOG_LEVEL", "info")\n' + "# filler\n" * 60,
    "shop/views.py": '"""Pages of the shop."""\n\n'
    "from django.contrib.auth.decorators import login_required\n\n\n"
    '@login_required\ndef basket(request):\n    """Show the basket."""\n',
    "shop/urls.py": "from django.urls import path\n\nfrom shop import views\n\n"
    'urlpatterns = [path("healthz/", views.basket)]\n',
    ".github/workflows/ci.yml": "name: CI\njobs:\n  deploy:\n    steps:\n"
    "      - run: ./deploy.sh\n  lint:\n    steps:\n      - run: ruff check\n",
}


@pytest.fixture(scope="module")
def text() -> str:
    draft = write({**SHOP, **RUN})[PAGE]
    assert draft.findings == ()
    return draft.markdown


@pytest.mark.parametrize(
    "told",
    [
        "The image of `Dockerfile` starts `shop serve`",
        "The service `db` of `compose.yaml` runs `postgres:16`, on the ports",
        "**`k8s/web.yaml`** declares a Deployment `web` and a Service",
        "| CI (`.github/workflows/ci.yml`) | `./deploy.sh`",
        "`healthz/` is a route of `shop/urls.py`",
        "`Dockerfile` sets `HEALTHCHECK`",
        "`k8s/web.yaml` sets `livenessProbe`",
        "concern it: `LOG_LEVEL`",
        "`structlog` is imported by `shop/auth/tokens.py`",
        "`login_required` marks definitions in `",
        "**[Authentication](features/authentication.md)**: Says who a customer is",
        "hold secrets: `API_TOKEN`",
        "One machine is enough for a small shop",
        "Write to the keeper of the shop",
    ],
)
def test_the_page_tells(told: str, text: str) -> None:
    assert told in text


def test_no_value_of_a_secret_is_shown(text: str) -> None:
    assert "hunter2" not in text


def test_a_job_that_brings_nothing_out_is_no_deploy(text: str) -> None:
    assert "ruff check" not in text


def test_a_product_that_is_only_a_library_has_no_such_page() -> None:
    assert PAGE not in write({"lib/a.py": '"""Counts things well."""\n' * 90})


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("structlog.get_logger", "structlog"),
        ("github.com/sirupsen/logrus", "github.com.sirupsen.logrus"),
        ("Monolog\\\\Logger", "monolog"),
        ("tracing", "tracing"),
        ("server.tracing.span", ""),
        ("pinocchio", ""),
    ],
)
def test_a_package_for_logs_is_known_by_its_first_name(name: str, package: str) -> None:
    assert logger_of(name) == package


@pytest.mark.parametrize(
    ("path", "guards"),
    [
        ("app/auth/login.py", True),
        ("src/Security.java", True),
        ("app/permissions.rb", True),
        ("app/authors/list.py", False),
        ("lib/policy_holder.py", False),
    ],
)
def test_guards_are_known_by_a_whole_piece_of_the_path(path: str, guards: bool) -> None:
    assert is_guard(path) is guards


def test_files_that_are_only_counted_are_not_of_the_page() -> None:
    analysis = analyse({**SHOP, **RUN})
    found = {file.path for file in operations_of(analysis).files(analysis)}
    assert "shop/views.py" not in found
    assert {"SECURITY.md", "Dockerfile", "shop/auth/tokens.py"} <= found
