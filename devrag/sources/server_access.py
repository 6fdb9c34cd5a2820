"""What of this machine a source may use: folders, and the installation's SSH key.

Whoever sits at the machine may read what the account may read. Administrators may add
any folder below SOURCE_ROOTS and use the key: their sources are granted that folder and
the key. Other maintainers have what an administrator allowed their product.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext

from devrag.core.errors import InvalidInput, PermissionDenied
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.sources.addresses import is_under
from devrag.sources.models import Source

MAX_ROOTS = 50


@dataclass(frozen=True, slots=True)
class ServerAccess:
    """roots: real folders below which paths may lie; a local user needs none.

    is_granted: an administrator asks, so that the source keeps this access.
    """

    roots: tuple[Path, ...] = ()
    is_ssh_key_allowed: bool = False
    is_local_user: bool = False
    is_granted: bool = False


def access_to_add(
    principal: Principal, product: Product | None, *, is_local_user: bool = False
) -> ServerAccess:
    """Return what a caller's new source may use in a product; None: it is new."""
    if is_local_user or _may_use_everything(principal):
        return ServerAccess(_installation_roots(), True, is_local_user, True)
    return _product_access(product) if product else ServerAccess()


def access_at(
    access: ServerAccess, product: Product | None, location: str
) -> ServerAccess:
    """Return what is left of a caller's access for a source at a checked location."""
    if access.is_local_user or not access.is_granted:
        return access
    return _granted_access(product, location)


def widest_access(principal: Principal, *, is_local_user: bool) -> ServerAccess:
    """Return what a caller may use in one product or another.

    For questions before the product is known: a refusal must not tell what exists.
    """
    access = access_to_add(principal, None, is_local_user=is_local_user)
    if access.is_granted:
        return access
    products = Product.objects.maintained_by(principal).exclude(source_roots=[])
    found = (root for product in products for root in _product_access(product).roots)
    return ServerAccess(tuple(dict.fromkeys(found)), is_ssh_key_allowed=True)


def access_of(source: Source) -> ServerAccess:
    """Return what a registered source may use when it is read.

    Raises PermissionDenied for a granted folder that has become a symlink: whoever may
    write beside it must not choose another folder for it.
    """
    if source.metadata.get("isLocalUser"):
        return ServerAccess(_installation_roots(), True, is_local_user=True)
    if not source.metadata.get("isGranted"):
        return _product_access(source.product)
    path = source.metadata.get("path")
    if path and os.path.realpath(path) != path:
        own = _product_access(source.product)
        if is_under(Path(path).resolve(), own.roots):
            return own
        raise PermissionDenied(
            gettext("%(path)s is now a symlink. Add the folder it points to.")
            % {"path": path}
        )
    return _granted_access(source.product, source.location)


def check_grants(principal: Principal, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return changes of a product with the roots as real paths.

    Raises PermissionDenied unless an administrator allows folders or the key, and
    InvalidInput for a folder that is not below SOURCE_ROOTS.
    """
    checked = dict(changes)
    if not checked.keys() & {"source_roots", "is_ssh_key_allowed"}:
        return checked
    if not may_grant(principal):
        raise PermissionDenied(
            gettext(
                "%(who)s is not allowed to change a product's access to the server. "
                "Ask an administrator."
            )
            % {"who": principal.name}
        )
    if "source_roots" in checked:
        checked["source_roots"] = _checked_roots(checked["source_roots"])
    return checked


def may_grant(principal: Principal) -> bool:
    """Return whether a caller decides what of the server products use."""
    return principal.is_admin and principal.product_ids is None


def _may_use_everything(principal: Principal) -> bool:
    is_administrator = principal.is_admin or principal.is_everywhere
    return is_administrator and principal.product_ids is None


def _product_access(product: Product) -> ServerAccess:
    """SOURCE_ROOTS may have become narrower since the folders were allowed."""
    limits = _installation_roots()
    roots = (Path(os.path.realpath(root)) for root in product.source_roots)
    allowed = tuple(root for root in roots if is_under(root, limits))
    return ServerAccess(allowed, is_ssh_key_allowed=product.is_ssh_key_allowed)


def _granted_access(product: Product | None, location: str) -> ServerAccess:
    """Return what an administrator grants a source: its folder, beside its product's.

    Not all of SOURCE_ROOTS: whoever may write in the folder could have git read another
    product's repository, by alternates and symlinks.
    """
    roots = _product_access(product).roots if product else ()
    if os.path.isabs(location) and is_under(Path(location), _installation_roots()):
        roots = (*roots, Path(location))
    return ServerAccess(roots, is_ssh_key_allowed=True, is_granted=True)


def _installation_roots() -> tuple[Path, ...]:
    return tuple(settings.SOURCE_ROOTS)


def _checked_roots(given: Iterable[str]) -> list[str]:
    roots = list(dict.fromkeys(path.strip() for path in given if path.strip()))
    if len(roots) > MAX_ROOTS:
        raise InvalidInput(
            gettext("At most %(most)s folders can be allowed.") % {"most": MAX_ROOTS}
        )
    return [_checked_root(root) for root in roots]


def _checked_root(text: str) -> str:
    if not os.path.isabs(text) or "\0" in text:
        raise InvalidInput(
            gettext("%(path)s is not an absolute path.") % {"path": repr(text[:200])}
        )
    real = Path(os.path.realpath(text))
    if not is_under(real, _installation_roots()):
        raise InvalidInput(
            gettext(
                "%(path)s is outside the folders that this server allows. Add its "
                "folder to the setting SOURCE_ROOTS first."
            )
            % {"path": text[:200]}
        )
    return str(real)
