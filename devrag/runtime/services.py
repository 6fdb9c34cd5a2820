"""The embedded services of a home as one thing to start, watch and stop."""

from __future__ import annotations

from devrag.runtime.endpoints import Endpoints, forget_endpoints, write_endpoints
from devrag.runtime.layout import Home, Say
from devrag.runtime.postgres import EmbeddedPostgres
from devrag.runtime.valkey import EmbeddedValkey


class EmbeddedServices:
    """PostgreSQL and Valkey, each None where a server of one's own is configured."""

    def __init__(
        self,
        home: Home,
        postgres: EmbeddedPostgres | None,
        valkey: EmbeddedValkey | None,
    ) -> None:
        self._home = home
        self.postgres = postgres
        self.valkey = valkey

    @classmethod
    def of(
        cls, home: Home, *, has_postgres: bool = True, has_valkey: bool = True
    ) -> EmbeddedServices:
        """Build those services that nothing else provides."""
        return cls(
            home,
            EmbeddedPostgres(home) if has_postgres else None,
            EmbeddedValkey(home) if has_valkey else None,
        )

    def start(self, say: Say) -> Endpoints:
        """Start what does not run, adopt what does, and publish the addresses."""
        endpoints = Endpoints(
            database_url=self.postgres.start(say) if self.postgres else None,
            redis_url=self.valkey.start(say) if self.valkey else None,
        )
        write_endpoints(self._home, endpoints)
        return endpoints

    def pids(self) -> dict[str, int | None]:
        """Return the pid of each embedded service, None where it does not run."""
        services = (("PostgreSQL", self.postgres), ("Valkey", self.valkey))
        return {name: one.pid for name, one in services if one is not None}

    def dead(self) -> list[str]:
        """Name the services that should run and do not."""
        return [name for name, pid in self.pids().items() if pid is None]

    def stop(self, say: Say) -> None:
        """Stop Valkey, then PostgreSQL, also when another process started them."""
        try:
            if self.valkey is not None and self.valkey.pid is not None:
                say("stopping Valkey")
                self.valkey.stop()
        finally:
            if self.postgres is not None and self.postgres.pid is not None:
                say("stopping PostgreSQL")
                self.postgres.stop()
        forget_endpoints(self._home)
