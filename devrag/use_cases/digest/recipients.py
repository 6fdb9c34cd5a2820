"""Each recipient of a digest gets it in the language that their account has chosen."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext

from devrag.access.preferences import language_of_addresses
from devrag.core.errors import SourceError
from devrag.products.models import Product, WeeklyDigest
from devrag.sources.api import Unconfirmed
from devrag.use_cases.digest.contents import Digest, build_digest
from devrag.use_cases.digest.sending import send_digest, send_email


def send_to_recipients(
    target: WeeklyDigest,
    product: Product,
    digest: Digest,
    until: datetime,
    message_id: str,
) -> None:
    """Send a digest, by e-mail one message for each language that recipients read.

    digest: in the language of the wiki, for whoever has chosen none. Raises what
    send_digest raises; Unconfirmed where only some recipients have got it.
    """
    if target.channel != WeeklyDigest.Channel.EMAIL:
        send_digest(target, digest, message_id)
        return
    sent = False
    for language, addresses in _by_language(target.recipients, digest.language).items():
        is_usual = language == digest.language
        told = digest if is_usual else build_digest(product, until, language)
        try:
            suffix = "" if is_usual else f"-{language}"
            send_email(told, addresses, message_id + suffix)
        except SourceError as error:
            if sent and not isinstance(error, Unconfirmed):
                said = gettext("Not all recipients received the message: %(reason)s")
                raise Unconfirmed(said % {"reason": error.message}) from error
            raise
        sent = True


def _by_language(addresses: list[str], usual: str) -> dict[str, list[str]]:
    chosen = language_of_addresses(addresses)
    groups: dict[str, list[str]] = {}
    for address in addresses:
        groups.setdefault(chosen.get(address, usual), []).append(address)
    return groups
