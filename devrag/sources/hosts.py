"""Which hosts an outgoing connection may go to.

A checked host comes back with the addresses that were checked, so that the connection
can be pinned to them and a second DNS answer changes nothing.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass

from devrag.core.errors import PermissionDenied, SourceError
from devrag.core.texts import gettext

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_INTERNAL = tuple(
    map(
        ipaddress.ip_network,
        ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"),
    )
)
# Services of clouds for their own machines (metadata, credentials, DNS, time) that hide
# among internal or public addresses; the others are link-local.
_OF_CLOUDS = tuple(
    map(
        ipaddress.ip_network,
        (
            "192.0.0.0/24",  # Oracle (192.0.0.192); all of it is for protocols
            "100.100.100.200/32",  # Alibaba
            "168.63.129.16/32",  # Azure
            "fd00:ec2::/32",  # AWS: metadata, DNS, time, identity of pods
            "fd20:ce::254/128",  # Google
            "fd00:c1::a9fe:a9fe/128",  # Oracle
            "fd00:42::42/128",  # Scaleway
            "fd00:a9fe:a9fe::1/128",  # Akamai
        ),
    )
)
# Neither of the internet nor of a company, whatever the library's edition knows.
_NOWHERE = tuple(
    map(
        ipaddress.ip_network,
        ("192.88.99.0/24", "64:ff9b:1::/48", "fec0::/10", "3fff::/20", "5f00::/16"),
    )
)
# IPv6 addresses that stand for the IPv4 address in their last 32 bits: NAT64, stateless
# translation, the deprecated compatible form.
_TRANSLATED = tuple(
    map(ipaddress.ip_network, ("64:ff9b::/96", "::ffff:0:0:0/96", "::/96"))
)
# The second half of an address begins so when ISATAP wraps IPv4.
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})


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
                "Cannot resolve the host %(host)s. Check its spelling and this "
                "machine's network, then try again."
            )
            % {"host": host},
            permanent=False,
        ) from error
    addresses = tuple(dict.fromkeys(str(entry[4][0]) for entry in found))
    for address in addresses:
        if not _is_allowed(ipaddress.ip_address(address.partition("%")[0]), rules):
            raise _refuse(host, address)
    return addresses


def _refuse(host: str, address: str) -> PermissionDenied:
    if host in (address, "localhost"):
        text = gettext(
            "Sources at the address %(host)s are not allowed. Use a host on your "
            "network or the internet, or the path of a local folder."
        )
    else:
        text = gettext(
            "%(host)s resolves to %(address)s, which sources are not allowed to use. "
            "Use a host on your network or the internet, or the path of a local "
            "folder."
        )
    return PermissionDenied(text % {"host": host, "address": address})


def _is_allowed(address: _Address, rules: AddressRules) -> bool:
    if address.is_unspecified or address.is_multicast or _is_within(address, _NOWHERE):
        return False
    if address.is_loopback:
        return rules.allow_loopback
    if translated := _translated(address):
        return all(_is_allowed(each, rules) for each in translated)
    if (tunnelled := _tunnelled(address)) and not _is_allowed(tunnelled, rules):
        return False
    if _is_within(address, _OF_CLOUDS):
        return False
    is_internal = _is_within(address, _INTERNAL)
    return (is_internal and not rules.public_only) or address.is_global


def _is_within(address: _Address, networks: Iterable[_Network]) -> bool:
    return any(address in network for network in networks)


def _translated(address: _Address) -> list[ipaddress.IPv4Address]:
    """Return the IPv4 addresses that an IPv6 address only stands for."""
    if isinstance(address, ipaddress.IPv4Address):
        return []
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if _is_within(address, _TRANSLATED):
        found.append(_last_bits(address))
    return [each for each in found if each is not None]


def _tunnelled(address: _Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address to which a router hands an IPv6 address on, if any."""
    is_isatap = (int(address) >> 32) & 0xFFFFFFFF in _ISATAP
    if isinstance(address, ipaddress.IPv6Address) and is_isatap:
        return _last_bits(address)
    return None


def _last_bits(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address:
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
