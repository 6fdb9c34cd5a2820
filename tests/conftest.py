"""Fixtures for all rooms: folders of one's own, jobs run to their end in-process."""

from __future__ import annotations

import contextlib
import functools
import math
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpcore2
import pytest
from django.conf import settings as django_settings
from django.test import override_settings
from django.utils import translation
from hypothesis import settings as hypothesis_settings
from pytest_django.plugin import DjangoDbBlocker
from xdist.scheduler import LoadScopeScheduling

from devrag.access import hashing
from devrag.core.principal import SYSTEM, Principal
from devrag.jobs import engine
from devrag.jobs.models import Batch, BatchState, Job
from devrag.search import retrievers as lists
from devrag.search.lexical.follower import catch_up
from devrag.spending.model_settings import remember_settings
from tests.databases import copy_template
from tests.flush import quick_flush
from tests.people import People, make_people
from tests.standing import Standing, home_settings, standing

_SPREAD = {
    "tests/runtime/test_postgres.py",
    "tests/runtime/test_server.py",
    "tests/web/test_accessible.py",
    "tests/web/test_browser.py",
    "tests/wiki/test_job_incremental.py",
    "tests/wiki/test_job_model.py",
    "tests/wiki/test_model_page_bad_answers.py",
}
# Those that start a browser for their quick tests share one.
_WITH_BROWSER = {
    "tests/web/test_accessible.py",
    "tests/web/test_ask_browser.py",
    "tests/web/test_browser.py",
    "tests/web/test_document_browser.py",
    "tests/web/test_search_browser.py",
}


def is_quick(config: pytest.Config) -> bool:
    """Return whether the slow tests are left out."""
    return bool(config.option.markexpr == "not slow")


class OneInstallation(LoadScopeScheduling):  # type: ignore[misc]  # no types
    """Keep on one worker what shares something dear: a room's installation, a file's
    `stand`, the browser of some. Files that are long with slow tests are spread then.

    xdist's own groups ride on `item._nodeid`, which pytest 9.2 no longer reads.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        room = file.split("/")[1]
        if room in {"e2e", "architecture", "recovery"}:
            return room
        if is_quick(self.config):
            return "browser" if file in _WITH_BROWSER else file
        return nodeid if file in _SPREAD else file

    def remove_node(self, node: Any) -> str | None:
        """Hand on what a dead worker had left, but for the test that ended it.

        xdist hands on that one too, and units of which nothing is left: it then waits
        for a worker that waits for it.
        """
        workload = self.assigned_work.pop(node)
        left = [test for unit in workload.values() for test in unit if not unit[test]]
        for test in left[1:]:
            self.workqueue.setdefault(self._split_scope(test), {})[test] = False
        for other in self.nodes:
            self._reschedule(other)
        return left[0] if left else None

    def _reschedule(self, node: Any) -> None:
        """Give a worker two tests or its end: with one test alone it only waits."""
        if node.shutting_down or node not in self.registered_collections:
            return
        while self.workqueue and self._pending_of(self.assigned_work[node]) <= 2:
            self._assign_work_unit(node)
        if not self.workqueue:
            node.shutdown()


# Without deadlines: a busy machine is no fault of a test.
hypothesis_settings.register_profile("quick", max_examples=30, deadline=None)
hypothesis_settings.register_profile("whole", deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples where the long tests are left out."""
    hypothesis_settings.load_profile("quick" if is_quick(config) else "whole")


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    return OneInstallation(config, log)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    request: pytest.FixtureRequest,
    django_db_modify_db_settings_parallel_suffix: None,
    django_test_environment: None,
    django_db_blocker: DjangoDbBlocker,
) -> None:
    """Copy a worker's database instead of migrating one each."""
    if hasattr(request.config, "workerinput"):
        with django_db_blocker.unblock():
            copy_template()


@pytest.fixture(scope="session", autouse=True)
def _quick_flush() -> Iterator[None]:
    with quick_flush():
        yield


# What the keys of this test's cache begin with.
_prefix = ""


def make_cache_key(key: str, _prefix_of_settings: str, version: int) -> str:
    """Rate limits of one test are not those of another."""
    return f"{_prefix}:{version}:{key}"


@pytest.fixture(scope="session", autouse=True)
def _settings_of_all() -> Iterator[None]:
    """Hashed names need collectstatic, which tests are not about.

    For the whole session: a late request of a test's browser must not find others, and
    a cache whose settings change connects anew.
    """
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    cache = {**django_settings.CACHES["default"], "KEY_FUNCTION": make_cache_key}
    with override_settings(
        STORAGES={**django_settings.STORAGES, "staticfiles": plain},
        CACHES={**django_settings.CACHES, "default": cache},
        CREDENTIALS_KEYS=["a key for tests only, of no use elsewhere"],
    ):
        yield


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """To hash one as often as in production takes a quarter of a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashing.BoundedPBKDF2Hasher, "iterations", 1_000)
        yield


@pytest.fixture(scope="session", autouse=True)
def _certificates_read_once() -> Iterator[None]:
    """Each client reads all of them anew, for 30 ms; servers of tests have none."""
    with pytest.MonkeyPatch.context() as patch:
        read = httpcore2.default_ssl_context
        patch.setattr(httpcore2, "default_ssl_context", functools.cache(read))
        yield


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def own_folders(request: pytest.FixtureRequest, _homes: Path) -> Iterator[None]:
    """Each test has its own repos, wikis and lexical index; models are shared.

    They lie in the folder of the test, which is only made for who asks for it. Nobody
    listens to changes of these settings, and to announce them takes a millisecond.
    """
    global _prefix
    _prefix = uuid4().hex
    folder = _homes / _prefix
    if "tmp_path" in request.fixturenames:
        folder = request.getfixturevalue("tmp_path")
    own = home_settings(folder / "home")
    before = {name: getattr(django_settings, name) for name in own}
    _set(own)
    lists.reader_at.cache_clear()
    yield
    lists.reader_at.cache_clear()
    _set(before)


def _set(values: dict[str, Path]) -> None:
    for name, path in values.items():
        setattr(django_settings, name, path)


@pytest.fixture(autouse=True)
def _no_stored_model() -> Iterator[None]:
    """Nothing is stored, and nobody asks the database; `forget_settings` lets them."""
    remember_settings(None, seconds=math.inf)
    yield
    remember_settings(None, seconds=math.inf)


@pytest.fixture(autouse=True)
def _own_language() -> Iterator[None]:
    """A request of a Japanese browser leaves its language to the thread."""
    yield
    translation.deactivate()


Make = Callable[[Path], Any]
Stand = Callable[[Make], Standing[Any]]


@pytest.fixture(scope="module")
def stand(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Stand]:
    """Make what stands for a whole module."""
    with contextlib.ExitStack() as stack:

        def make(maker: Make) -> Standing[Any]:
            folder = tmp_path_factory.mktemp("standing")
            return stack.enter_context(standing(django_db_blocker, folder, maker))

        yield make


def run_job(job: Job, *, queues: tuple[str, ...] | None = None) -> Job:
    """Do what workers would do, in this process, until nothing is left."""
    engine.start_job(job.pk)
    while True:
        open_batches = Batch.objects.filter(job=job, state=BatchState.OPEN)
        if queues is not None:
            open_batches = open_batches.filter(queue__in=queues)
        batch = open_batches.first()
        run = engine.claim_batch(job.pk, batch.queue) if batch else None
        if run is None:
            break
        engine.run_batch(run)
        engine.advance_job(job.pk)
    job.refresh_from_db()
    return job


@pytest.fixture(name="run_job")
def run_job_fixture() -> Callable[..., Job]:
    return run_job


@pytest.fixture
def principal() -> Principal:
    return SYSTEM


class Repository:
    """A real git repository to index."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *argv: str) -> str:
        identity = ("-c", "user.name=Alice", "-c", "user.email=alice@example.org")
        done = subprocess.run(
            ["git", *identity, *argv],
            cwd=self.path,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def commit(self, files: dict[str, str | bytes | None], message: str = "c") -> str:
        """Write files (None removes), commit, return the hash."""
        for name, content in files.items():
            path = self.path / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            data = content.encode() if isinstance(content, str) else content
            path.write_bytes(data)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    @contextlib.contextmanager
    def taking_back(self) -> Iterator[Repository]:
        """Forget what is committed meanwhile."""
        head = self.git("rev-parse", "HEAD")
        yield self
        self.git("reset", "-q", "--hard", head)


SHOP = {
    "README.md": "# Shop\n\nA small shop that sells tea. It has a cart and a till.\n\n"
    "## Running\n\nRun `python -m shop` and open the page.\n",
    "shop/__init__.py": '"""The shop: cart, till and stock."""\n',
    "shop/cart.py": '"""What a customer wants to buy."""\n\n'
    "from shop.till import charge\n\n\n"
    "class Cart:\n"
    '    """Items and their total."""\n\n'
    "    def __init__(self) -> None:\n        self.items = []\n\n"
    "    def add(self, item: str, price: int) -> None:\n"
    '        """Put an item into the cart."""\n'
    "        self.items.append((item, price))\n\n"
    "    def checkout(self) -> int:\n"
    '        """Charge the customer for everything."""\n'
    "        return charge(sum(price for _, price in self.items))\n",
    "shop/till.py": '"""Where money goes."""\n\nimport os\n\n\n'
    "def charge(amount: int) -> int:\n"
    '    """Take the money from the customer, tax included."""\n'
    '    rate = int(os.environ.get("TAX_RATE", "10"))\n'
    "    return amount + amount * rate // 100\n",
    "shop/__main__.py": '"""Start the shop."""\n\nfrom shop.cart import Cart\n\n'
    'if __name__ == "__main__":\n    Cart().checkout()\n',
    "tests/test_cart.py": "from shop.cart import Cart\n\n\n"
    "def test_checkout_adds_tax():\n    cart = Cart()\n    cart.add('tea', 100)\n"
    "    assert cart.checkout() == 110\n",
    "docs/日本語.md": "# 設計\n\nカートは商品を保持し、精算時に税金を計算する。\n",
}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "shop")


@pytest.fixture
def shop(repository: Repository) -> Repository:
    repository.commit(dict(SHOP), "Open the shop")
    return repository


@pytest.fixture
def follow() -> Callable[[], Any]:
    """Bring the lexical index up to date, as the follower would."""
    return lambda: catch_up(django_settings.LEXICAL_DIR)


@pytest.fixture
def people(db: None) -> People:
    return make_people()
