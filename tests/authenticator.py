"""A WebAuthn authenticator in software: makes a passkey and signs with it."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import struct
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2 import cbor
from fido2.cose import ES256

# User present, user verified; with a new credential.
_VERIFIED, _NEW = 0x05, 0x40


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Authenticator:
    """origin: where its browser says to be. flags: what it claims of the person."""

    def __init__(self, origin: str = "http://localhost") -> None:
        self.origin, self.flags, self.counter = origin, _VERIFIED, 0
        self.id = secrets.token_bytes(32)
        self.key = ec.generate_private_key(ec.SECP256R1())

    def make(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to what navigator.credentials.create() is asked."""
        public = cbor.encode(dict(ES256.from_cryptography_key(self.key.public_key())))
        credential = bytes(16) + struct.pack(">H", len(self.id)) + self.id + public
        data = self._data(options["rp"]["id"], self.flags | _NEW) + credential
        attestation = {"fmt": "none", "attStmt": {}, "authData": data}
        client = self._client("webauthn.create", options)
        return self._answer(
            {
                "clientDataJSON": _text(client),
                "attestationObject": _text(cbor.encode(attestation)),
            }
        )

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to what navigator.credentials.get() is asked."""
        self.counter += 1
        data = self._data(options["rpId"], self.flags)
        client = self._client("webauthn.get", options)
        signed = self.key.sign(
            data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256())
        )
        return self._answer(
            {
                "clientDataJSON": _text(client),
                "authenticatorData": _text(data),
                "signature": _text(signed),
            }
        )

    def _answer(self, response: dict[str, str]) -> dict[str, Any]:
        name = _text(self.id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response}

    def _data(self, host: str, flags: int) -> bytes:
        digest = hashlib.sha256(host.encode()).digest()
        return digest + struct.pack(">BI", flags, self.counter)

    def _client(self, kind: str, options: dict[str, Any]) -> bytes:
        client = {
            "type": kind,
            "challenge": options["challenge"],
            "origin": self.origin,
        }
        return json.dumps(client).encode()
