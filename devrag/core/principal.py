"""Who asks: built by each entry point, checked in selectors."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Role(IntEnum):
    """What a caller may do in general; each role includes the ones before."""

    NONE = 0
    VIEWER = 1
    MAINTAINER = 2
    ADMIN = 3


@dataclass(frozen=True, slots=True)
class Principal:
    """A caller: name for logs, role, and limits that a token may add.

    is_everywhere: all products are theirs as an administrator's are; what may be done
    there is still for role and scopes to say.
    user_name: of the account behind it, '' where there is none; unlike `name` it is the
    same in the browser and with each of the account's tokens.
    product_ids: None = not limited by a token.
    scopes: None = all that the role allows; else any of read, index, wiki, admin.
    is_for_all: what is read will be read by everybody who may read its product: sources
    that are limited to some members are left out, whatever the role.
    """

    name: str
    role: Role
    user_id: int | None = None
    is_everywhere: bool = False
    product_ids: frozenset[int] | None = None
    scopes: frozenset[str] | None = field(default=None)
    is_for_all: bool = False
    user_name: str = ""

    @property
    def is_admin(self) -> bool:
        return self.role >= Role.ADMIN

    def may(self, scope: str) -> bool:
        """Return whether a token's scopes (if any) include this one."""
        return self.scopes is None or scope in self.scopes or "admin" in self.scopes


SYSTEM = Principal(name="system", role=Role.ADMIN)
# Reads what wiki pages, labels of pages and other things for all readers are made of.
PUBLISHER = Principal(name="system", role=Role.ADMIN, is_for_all=True)
ANONYMOUS = Principal(name="anonymous", role=Role.NONE)
