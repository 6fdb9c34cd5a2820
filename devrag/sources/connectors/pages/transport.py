"""HTTP connections that only go to addresses that were checked.

The host is looked up once per client, every address of it is checked, and the
connection goes to one of these: a second answer of the DNS changes nothing. The
certificate is still that of the name.
"""

from __future__ import annotations

import ipaddress

import httpx2

from devrag.sources.addresses import DEFAULT_PORTS
from devrag.sources.hosts import AddressRules, resolve_host


class CheckedTransport(httpx2.BaseTransport):
    """Connects to checked addresses; raises what resolve_host raises.

    Each host has connections of its own: two hosts behind one address never share one,
    whose certificate is that of the other.
    """

    def __init__(self, rules: AddressRules) -> None:
        self._rules = rules
        self._known: dict[tuple[str, int], tuple[str, ...]] = {}
        self._transports: dict[str, httpx2.HTTPTransport] = {}

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request to the first address of its host that takes connections."""
        url = request.url
        port = url.port or DEFAULT_PORTS[url.scheme]
        last: httpx2.ConnectError | None = None
        for address in self._addresses(url.host, port):
            request.url = url.copy_with(host=_in_url(address))
            request.extensions = {**request.extensions, "sni_hostname": url.host}
            try:
                return self._transport(url.host).handle_request(request)
            except httpx2.ConnectError as error:
                last = error
            finally:
                request.url = url
        raise last or httpx2.ConnectError(f"{url.host} has no address")

    def close(self) -> None:
        """Close all connections."""
        for transport in self._transports.values():
            transport.close()

    def _transport(self, host: str) -> httpx2.HTTPTransport:
        if host not in self._transports:
            limits = httpx2.Limits(max_connections=4)
            self._transports[host] = httpx2.HTTPTransport(
                trust_env=False, limits=limits
            )
        return self._transports[host]

    def _addresses(self, host: str, port: int) -> tuple[str, ...]:
        if (host, port) not in self._known:
            self._known[host, port] = resolve_host(host, port, self._rules)
        return self._known[host, port]


def _in_url(address: str) -> str:
    plain = address.partition("%")[0]
    return f"[{plain}]" if ipaddress.ip_address(plain).version == 6 else plain
