"""`keys`: which keys are in use, rotate them, retire old ones."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.errors import ServiceError
from devrag.core.reencryption import KeyUses, count_uses
from devrag.operations import secret_keys
from devrag.operations.secret_keys import CREDENTIALS, SECRET, SETTINGS, KeyState


class Command(DevragCommand):
    """Rotate SECRET_KEY and CREDENTIALS_KEYS; the server may run."""

    help = (
        "Show, rotate and retire the keys that encrypt stored credentials and sign "
        "sessions. Example: devrag keys rotate credentials"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "action",
            choices=("status", "rotate", "retire"),
            help="status: what is in use. rotate: a new key, and everything encrypted "
            "with it. retire: forget old keys that nothing needs.",
        )
        parser.add_argument(
            "key",
            nargs="?",
            choices=tuple(SETTINGS),
            help="credentials: CREDENTIALS_KEYS. secret: SECRET_KEY. Without it, both.",
        )
        parser.add_argument(
            "--now",
            action="store_true",
            help="Retire at once; everybody signs in again. For a key that leaked.",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        names = [options["key"]] if options["key"] else list(SETTINGS)
        if options["action"] == "rotate":
            self._rotate(names)
        elif options["action"] == "retire":
            self._retire(names, is_at_once=options["now"])
        states = [each for each in secret_keys.describe_keys() if each.name in names]
        uses = count_uses()
        if options["json"]:
            self.write_json(_document(states, uses))
        elif options["action"] == "status":
            self._tell(states, uses)
        if uses.unknown and CREDENTIALS in names:
            raise ServiceError(
                f"{len(uses.unknown)} stored secrets cannot be decrypted with any key: "
                f"{', '.join(uses.unknown[:3])}. Add theirs to CREDENTIALS_KEYS, or "
                "enter them again."
            )

    def _rotate(self, names: list[str]) -> None:
        if CREDENTIALS in names:
            uses = secret_keys.rotate_credentials_key()
            self._say(f"{uses.first} stored secrets are encrypted with the first key.")
        if SECRET in names:
            secret_keys.rotate_secret_key()
            self._say("SECRET_KEY is new. Restart the server: `devrag server restart`.")
        self._say("Old keys are still accepted; `devrag keys retire` ends that.")

    def _retire(self, names: list[str], *, is_at_once: bool) -> None:
        for name in names:
            retire = {
                CREDENTIALS: secret_keys.retire_credentials_keys,
                SECRET: secret_keys.retire_secret_keys,
            }[name]
            count = retire(is_at_once=is_at_once)
            left = secret_keys.describe_keys()[name == SECRET].old
            text = f"{SETTINGS[name]}: {count} old keys retired"
            if left:
                text += f", {len(left)} kept: sessions that they signed are valid still"
            self._say(f"{text}.")
            if count and name == SECRET:
                self._say("Restart the server: `devrag server restart`.")

    def _tell(self, states: list[KeyState], uses: KeyUses) -> None:
        for state in states:
            place = state.file or "the environment"
            self._say(f"{state.setting} in {place}: {state.fingerprints[0]} in use")
            for position, mark in enumerate(state.fingerprints[1:]):
                since = (
                    f", replaced {state.old[position].replaced_at:%Y-%m-%d %H:%M}"
                    if position < len(state.old)
                    else ""
                )
                self._say(f"  {mark} accepted{since}")
        if any(state.name == CREDENTIALS for state in states):
            self._say(
                f"Stored secrets: {uses.first} with the first key, {uses.old} with an "
                f"old one, {len(uses.unknown)} with none of these."
            )

    def _say(self, text: str) -> None:
        self.stderr.write(text)


def _document(states: list[KeyState], uses: KeyUses) -> dict[str, Any]:
    return {
        "keys": [
            {
                "setting": state.setting,
                "file": str(state.file) if state.file else None,
                "fingerprints": state.fingerprints,
            }
            for state in states
        ],
        "storedSecrets": {
            "first": uses.first,
            "old": uses.old,
            "unknown": list(uses.unknown),
        },
    }
