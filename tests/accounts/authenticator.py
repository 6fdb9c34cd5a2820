"""An authenticator in software: it makes passkeys and signs with them (WebAuthn)."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from fido2 import cbor
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode

_PRESENT, _VERIFIED, _HAS_CREDENTIAL = 0x01, 0x04, 0x40


def _new_key() -> EllipticCurvePrivateKey:
    return generate_private_key(SECP256R1())


@dataclass
class Authenticator:
    """One passkey. counter: of its uses. is_verifying: it checks a PIN or a finger."""

    origin: str = "http://localhost"
    host: str = "localhost"
    is_verifying: bool = True
    counter: int = 0
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    key: EllipticCurvePrivateKey = field(default_factory=_new_key)

    def create(self, options: dict[str, Any]) -> str:
        """Return the answer to options of registering."""
        public = cbor.encode(dict(ES256.from_cryptography_key(self.key.public_key())))
        length = len(self.credential_id).to_bytes(2, "big")
        data = self._data(_HAS_CREDENTIAL)
        data += bytes(16) + length + self.credential_id + public
        attestation = cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options["challenge"])
        return self._answer(
            {
                "clientDataJSON": websafe_encode(client),
                "attestationObject": websafe_encode(attestation),
            }
        )

    def get(self, options: dict[str, Any]) -> str:
        """Return the answer to options of signing in; counts the use."""
        self.counter += 1
        data = self._data(0)
        client = self._client("webauthn.get", options["challenge"])
        signed = data + hashlib.sha256(client).digest()
        return self._answer(
            {
                "clientDataJSON": websafe_encode(client),
                "authenticatorData": websafe_encode(data),
                "signature": websafe_encode(self.key.sign(signed, ECDSA(SHA256()))),
            }
        )

    def _data(self, flags: int) -> bytes:
        flags |= _PRESENT | (_VERIFIED if self.is_verifying else 0)
        host = hashlib.sha256(self.host.encode()).digest()
        return host + bytes([flags]) + self.counter.to_bytes(4, "big")

    def _client(self, kind: str, challenge: str) -> bytes:
        assert len(websafe_decode(challenge)) >= 16
        found = {"type": kind, "challenge": challenge, "origin": self.origin}
        return json.dumps({**found, "crossOrigin": False}).encode()

    def _answer(self, response: dict[str, str]) -> str:
        identity = websafe_encode(self.credential_id)
        return json.dumps(
            {
                "id": identity,
                "rawId": identity,
                "type": "public-key",
                "response": response,
                "clientExtensionResults": {},
            }
        )
