"""`prepare`: make a database ready; the supervisor runs it before the web starts."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command

from devrag.core.commands import DevragCommand
from devrag.core.generated_secrets import read_or_create_secret
from devrag.operations.backup_events import record_restore
from devrag.operations.outdated import index_outdated
from devrag.operations.static_files import collect_changed_static_files
from devrag.operations.upgrade import finish
from devrag.runtime.api import own_home
from devrag.search.api import (
    ensure_active_spec,
    replace_older_local_model,
    request_lacking,
)
from devrag.wiki.api import index_unindexed_versions

ADMIN_NAME = "admin"


class Command(DevragCommand):
    """Migrate, collect static files, bring indexes up to date, make the first admin."""

    help = (
        "Apply migrations, collect static files and create the first administrator "
        "(idempotent). Example: docker compose run --rm web devrag prepare"
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        record_restore(own_home())
        finish(own_home())  # from now on its backup lacks what is written
        collect_changed_static_files()
        ensure_active_spec()
        replace_older_local_model()
        index_outdated()
        for _ in index_unindexed_versions():
            pass  # those of an older release, one after the other
        # A job that lacked a key has failed; now the key may be there.
        request_lacking()
        if settings.IS_EMBEDDED_DATABASE:
            self._create_admin()

    def _create_admin(self) -> None:
        """One administrator with a random password, kept 0600 and printed once."""
        if User.objects.filter(username=ADMIN_NAME).exists():
            return
        path = settings.DEVRAG_HOME / "run" / "admin_password"
        password = read_or_create_secret(path, length_bytes=15)
        User.objects.create_superuser(ADMIN_NAME, password=password)
        # Not the password itself: this output goes to a log.
        self.stdout.write(f"created the user {ADMIN_NAME}; its password is in {path}")
