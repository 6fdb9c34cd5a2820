"""Which hosts an outgoing connection may go to.

A checked host comes back with the addresses that were checked, so that the connection
can be pinned to them and a second DNS answer changes nothing.
"""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass

from django.utils.translation import gettext

from devrag.core.errors import PermissionDenied, SourceError

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_INTERNAL = tuple(
    map(
        ipaddress.ip_network,
        ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"),
    )
)
# Metadata services of clouds that hide among internal or public addresses; the others
# are link-local.
_METADATA = frozenset(
    map(
        ipaddress.ip_address,
        ("100.100.100.200", "168.63.129.16", "fd00:ec2::254", "fd20:ce::254"),
    )
)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class AddressRules:
    """What the installation allows.

    allow_http: plain http too. public_only: company networks are refused as well.
    allow_loopback: this machine itself (development and tests).
    """

    allow_http: bool = False
    public_only: bool = False
    allow_loopback: bool = False


def resolve_host(host: str, port: int, rules: AddressRules) -> tuple[str, ...]:
    """Look a host up; every one of its addresses must be allowed."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise SourceError(
            gettext(
                "The host %(host)s cannot be found. Check its spelling and this "
                "machine's network, then try again."
            )
            % {"host": host},
            permanent=False,
        ) from error
    addresses = tuple(dict.fromkeys(str(entry[4][0]) for entry in found))
    for address in addresses:
        if not _is_allowed(ipaddress.ip_address(address.partition("%")[0]), rules):
            raise PermissionDenied(
                gettext(
                    "%(host)s leads to %(address)s, an address that sources may not "
                    "use. Give a host of your network or the internet, or a local "
                    "folder by its path."
                )
                % {"host": host, "address": address}
            )
    return addresses


def _is_allowed(address: _Address, rules: AddressRules) -> bool:
    inner = _embedded(address)
    if inner is not None:
        return _is_allowed(inner, rules)
    if address in _METADATA or address.is_multicast or address.is_unspecified:
        return False
    if address.is_loopback:
        return rules.allow_loopback
    is_internal = any(address in network for network in _INTERNAL)
    return (is_internal and not rules.public_only) or address.is_global


def _embedded(address: _Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address that an IPv6 address is a wrapping of."""
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo[1] if address.teredo else None
    return address.ipv4_mapped or address.sixtofour or teredo
