"""What the groups of an OpenID provider grant: OIDC_GROUPS, read and applied.

It is JSON: `{"GROUP": "administrator", "OTHER": "shop:maintainer docs:viewer"}`. The
grants of a group are separated by spaces, or a list; none at all only lets people in
where OIDC_REQUIRE_GROUP is set.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from environs import ValidationError

EXAMPLE = '{"devrag-admins": "administrator", "shop-team": "shop:maintainer"}'
ADMINISTRATOR, CREATOR = "administrator", "creator"
# From the least to the most.
_ROLES = ("viewer", "maintainer")


@dataclass(frozen=True, slots=True)
class Grants:
    """What a person gets by their groups.

    is_known: whether any group is in the list. may_add_products: as staff.
    roles: name of a product → role.
    """

    is_known: bool = False
    is_administrator: bool = False
    may_add_products: bool = False
    roles: Mapping[str, str] = field(default_factory=dict)


def read_groups(text: str) -> dict[str, list[str]]:
    """Return group → its grants. Raises ValueError with what is wrong."""
    if not text.strip():
        return {}
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"It is not JSON like {EXAMPLE}") from error
    if not isinstance(given, dict):
        raise ValueError(f"It is not a JSON object like {EXAMPLE}")  # noqa: TRY004
    return {group: _read_grants(group, value) for group, value in given.items()}


def check_groups(text: str) -> None:
    """Raise ValidationError unless the text can be read."""
    try:
        read_groups(text)
    except ValueError as error:
        raise ValidationError(str(error)) from error


def grants_of(groups: Iterable[str], granted: Mapping[str, list[str]]) -> Grants:
    """Return what groups grant together: of two roles in a product the higher one."""
    own = [granted[group] for group in groups if group in granted]
    words = {word for grants in own for word in grants}
    roles: dict[str, str] = {}
    for word in words - {ADMINISTRATOR, CREATOR}:
        product, _, role = word.rpartition(":")
        roles[product] = higher_role(role, roles.get(product, ""))
    return Grants(bool(own), ADMINISTRATOR in words, CREATOR in words, roles)


def higher_role(one: str, other: str) -> str:
    """Return the role that includes the other; empty means none."""
    return max(one, other, key=lambda role: _ROLES.index(role) if role else -1)


def _read_grants(group: str, value: object) -> list[str]:
    words = value.split() if isinstance(value, str) else value
    if not isinstance(words, list):
        raise ValueError(f"The grants of the group '{group}' are not text")  # noqa: TRY004
    for word in words:
        product, _, role = str(word).rpartition(":")
        if word not in {ADMINISTRATOR, CREATOR} and (not product or role not in _ROLES):
            raise ValueError(
                f"The group '{group}' grants '{word}'; write {ADMINISTRATOR}, "
                f"{CREATOR}, PRODUCT:viewer or PRODUCT:maintainer"
            )
    return words
