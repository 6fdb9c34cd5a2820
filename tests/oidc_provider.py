"""An OpenID provider on loopback that checks PKCE and can be made to misbehave."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

CLIENT, SECRET = "devrag-client", "a secret/with odd:signs"
_KEYS = [rsa.generate_private_key(public_exponent=65537, key_size=2048)]


def second_key() -> rsa.RSAPrivateKey:
    """Return a key that no provider has before it is rotated in."""
    if len(_KEYS) < 2:
        _KEYS.append(rsa.generate_private_key(public_exponent=65537, key_size=2048))
    return _KEYS[1]


class OidcProvider(ThreadingHTTPServer):
    """person: claims of whoever signs in next. token: replaces claims of the ID token,
    None removes one. metadata: the same for discovery. user_info: answer there.
    answers: path → raw (status, body) instead of the usual answer.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.key, self.kid, self.algorithm = _KEYS[0], "one", "RS256"
        self.published = [(self.kid, self.key)]
        self.person: dict[str, Any] = {"sub": "s-1"}
        self.token: dict[str, Any] = {}
        self.metadata: dict[str, Any] = {}
        self.user_info: dict[str, Any] = {}
        self.answers: dict[str, tuple[int, str]] = {}
        self.codes: dict[str, dict[str, str]] = {}
        self.asked: list[str] = []

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def authorize(self, url: str) -> dict[str, str]:
        """Do as a person who says yes: return the query of the way back."""
        query = {name: each[0] for name, each in parse_qs(urlsplit(url).query).items()}
        code = secrets.token_urlsafe(8)
        self.codes[code] = query
        return {"code": code, "state": query["state"]}

    def rotate(self) -> None:
        """Sign with another key from now on."""
        self.key, self.kid = second_key(), "two"
        self.published = [(self.kid, self.key)]

    def describe(self) -> dict[str, Any]:
        """Return the answer of discovery."""
        usual = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "id_token_signing_alg_values_supported": ["RS256"],
        }
        return _changed(usual, self.metadata)

    def keys(self) -> dict[str, Any]:
        """Return the public keys."""
        return {
            "keys": [
                {
                    **json.loads(RSAAlgorithm.to_jwk(key.public_key())),
                    "kid": kid,
                    "use": "sig",
                }
                for kid, key in self.published
            ]
        }

    def exchange(self, form: dict[str, str], authorization: str) -> tuple[int, Any]:
        """Return the answer to a code: once, with its verifier and the secret."""
        begun = self.codes.pop(form["code"], None)
        given = base64.b64decode(authorization.partition(" ")[2]).decode()
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if (
            begun is None
            or begun["code_challenge"] != challenge
            or begun["redirect_uri"] != form["redirect_uri"]
            or given != f"{CLIENT}:a%20secret%2Fwith%20odd%3Asigns"
        ):
            return 400, {"error": "invalid_grant", "error_description": "No such code"}
        now = int(time.time())
        usual = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": begun["nonce"],
            **self.person,
        }
        claims = _changed(usual, self.token)
        return 200, {"id_token": self.sign(claims), "access_token": "token-of-access"}

    def sign(self, claims: dict[str, Any]) -> str:
        """Return a signed token."""
        key: Any = self.key
        if self.algorithm == "HS256":
            key = "a shared secret of enough characters to be accepted"
        if self.algorithm == "none":
            key = None
        return jwt.encode(claims, key, self.algorithm, headers={"kid": self.kid})


def _changed(usual: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    merged = {**usual, **changes}
    return {name: value for name, value in merged.items() if value is not None}


class _Handler(BaseHTTPRequestHandler):
    server: OidcProvider

    def do_GET(self) -> None:
        usual: dict[str, Any] = {
            "/.well-known/openid-configuration": self.server.describe,
            "/keys": self.server.keys,
            "/userinfo": lambda: self.server.user_info,
        }
        self._send(200, usual[urlsplit(self.path).path]())

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        self._send(*self.server.exchange(form, self.headers.get("Authorization", "")))

    def _send(self, status: int, body: Any) -> None:
        path = urlsplit(self.path).path
        self.server.asked.append(path)
        status, text = self.server.answers.get(path, (status, json.dumps(body)))
        data = text.encode()
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", text)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        try:
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # it was too large for the client

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


@contextmanager
def serving_provider() -> Iterator[OidcProvider]:
    """Serve until the block ends."""
    server = OidcProvider()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
