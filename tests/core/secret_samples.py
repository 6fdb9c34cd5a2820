"""Samples of secrets, assembled from pieces by a seeded generator.

So neither this file nor the tests hold anything that looks like a secret itself.
"""

from __future__ import annotations

import base64
import json
import random
import string
import uuid
from collections.abc import Callable

ALNUM = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
BASE32 = string.ascii_uppercase + "234567"
generator = random.Random(20_261)


def some(count: int, alphabet: str = ALNUM) -> str:
    """Return random characters, at least three of them digits."""
    drawn = generator.choices(alphabet, k=count - 3)
    drawn += generator.choices([c for c in alphabet if c.isdigit()] or ["4"], k=3)
    return "".join(drawn)


def some_hex(count: int) -> str:
    return some(count, "0123456789abcdef")


def some_uuid() -> str:
    return str(uuid.UUID(int=generator.getrandbits(128)))


def to_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def some_jwt() -> str:
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": "1234567890", "name": "ann"})
    encoded = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
        for part in parts
    )
    return ".".join((*encoded, some(43)))


# Tokens that their form gives away: no name stands beside them.
TOKENS: dict[str, Callable[[], str]] = {
    "aws access key id": lambda: "AKI" + "A" + some(16, BASE32),
    "aws temporary key id": lambda: "ASI" + "A" + some(16, BASE32),
    "github personal": lambda: "gh" + "p_" + some(36),
    "github oauth": lambda: "gh" + "o_" + some(36),
    "github user": lambda: "gh" + "u_" + some(36),
    "github server": lambda: "gh" + "s_" + some(36),
    "github refresh": lambda: "gh" + "r_" + some(76),
    "github fine-grained": lambda: f"github_{'pat'}_{some(22)}_{some(59)}",
    "gitlab personal": lambda: "glp" + "at-" + some(20),
    "gitlab routable": lambda: f"glp{'at'}-{some(27)}.01.{some(9)}",
    "gitlab runner": lambda: "glr" + "t-" + some(20),
    "gitlab deploy": lambda: "gld" + "t-" + some(20),
    "gitlab trigger": lambda: "glp" + "tt-" + some_hex(40),
    "bitbucket": lambda: "ATB" + "B" + some(32),
    "atlassian": lambda: "ATAT" + "T3xFfGF0" + some(180) + "=" + some_hex(8).upper(),
    "google api": lambda: "AIz" + "a" + some(35),
    "google oauth client": lambda: "GOCS" + "PX-" + some(28),
    "slack bot": lambda: f"xox{'b'}-{some(12, '0123456789')}-{some(24)}",
    "slack user": lambda: f"xox{'p'}-{some(12, '0123456789')}-{some_hex(32)}",
    "slack app": lambda: f"xap{'p'}-1-A{some(10)}-{some(13)}-{some_hex(64)}",
    "stripe live": lambda: "sk_" + "live_" + some(24),
    "stripe restricted": lambda: "rk_" + "live_" + some(24),
    "stripe test": lambda: "sk_" + "test_" + some(24),
    "stripe webhook": lambda: "whs" + "ec_" + some(32),
    "twilio key": lambda: "S" + "K" + some_hex(32),
    "sendgrid": lambda: f"S{'G'}.{some(22)}.{some(43)}",
    "mailgun": lambda: "ke" + "y-" + some_hex(32),
    "mailchimp": lambda: some_hex(32) + "-us" + "12",
    "brevo": lambda: f"xkey{'sib'}-{some_hex(64)}-{some(16)}",
    "npm": lambda: "np" + "m_" + some(36),
    "pypi": lambda: "pyp" + "i-AgEIcHlwaS5vcmc" + some(150),
    "rubygems": lambda: "ruby" + "gems_" + some_hex(48),
    "crates.io": lambda: "ci" + "o" + some(32),
    "nuget": lambda: "oy" + "2" + some(43, LOWER),
    "docker hub": lambda: f"dckr_{'pat'}_{some(27)}",
    "openai": lambda: f"s{'k'}-proj-{some(48)}",
    "openai legacy": lambda: f"s{'k'}-{some(20)}T3BlbkFJ{some(20)}",
    "anthropic": lambda: f"s{'k'}-ant-api03-{some(93)}AA",
    "hugging face": lambda: "h" + "f_" + some(34),
    "replicate": lambda: "r" + "8_" + some(37),
    "groq": lambda: "gs" + "k_" + some(52),
    "digitalocean": lambda: "dop" + "_v1_" + some_hex(64),
    "databricks": lambda: "dap" + "i" + some_hex(32),
    "shopify": lambda: "shp" + "at_" + some_hex(32),
    "square": lambda: "sq0" + "atp-" + some(22),
    "telegram bot": lambda: f"{some(10, '0123456789')}:A{'A'}{some(33)}",
    "discord bot": lambda: f"M{some(23)}.{some(6)}.{some(27)}",
    "facebook": lambda: "EA" + "ACEdEose0cBA" + some(150),
    "airtable": lambda: f"pa{'t'}{some(14)}.{some_hex(64)}",
    "notion": lambda: "nt" + "n_" + some(46),
    "linear": lambda: "lin" + "_api_" + some(40),
    "figma": lambda: "fig" + "d_" + some(40),
    "hubspot": lambda: f"pat-{'na'}1-{some_uuid()}",
    "postman": lambda: f"PMA{'K'}-{some_hex(24)}-{some_hex(34)}",
    "vault": lambda: "hv" + "s." + some(90),
    "terraform cloud": lambda: f"{some(14)}.atlas{'v1'}.{some(60)}",
    "doppler": lambda: "dp." + "pt." + some(43),
    "dynatrace": lambda: f"dt0{'c01'}.{some(24, BASE32)}.{some(64, BASE32)}",
    "grafana": lambda: f"gls{'a'}_{some(32)}_{some_hex(8)}",
    "new relic": lambda: "NRA" + "K-" + some(27, BASE32),
    "sentry": lambda: "sntr" + "ys_" + some(100),
    "planetscale": lambda: "psca" + "le_tkn_" + some(43),
    "tailscale": lambda: f"tsk{'ey'}-auth-{some(12)}-{some(32)}",
    "supabase": lambda: "sb" + "p_" + some_hex(40),
    "netlify": lambda: "nf" + "p_" + some(40),
    "sonarqube": lambda: "sq" + "p_" + some_hex(40),
    "fly.io": lambda: "fm" + "2_" + some(120),
    "pulumi": lambda: "pu" + "l-" + some_hex(40),
    "alibaba": lambda: "LTA" + "I5t" + some(20),
    "1password": lambda: f"op{'s'}_eyJ{some(250)}",
    "age": lambda: "AGE-SECRET-" + "KEY-1" + some(58, BASE32),
    "json web token": some_jwt,
    "azure client secret": lambda: f"{some(3)}8{'Q'}~{some(34)}",
    "google access": lambda: "ya2" + "9." + some(100),
    "google refresh": lambda: f"1/{'/0'}{some(60)}",
    "firebase messaging": lambda: f"AAA{'A'}{some(7)}:APA91{'b'}{some(134)}",
    "yandex cloud": lambda: "AQV" + "N" + some(36),
    "azure devops": lambda: f"{some(76)}AZ{'DO'}{some(4)}",
    "neon": lambda: "nap" + "i_" + some(60),
    "aiven": lambda: "AVN" + "S_" + some(20),
    "clickhouse": lambda: "4b" + "1d" + some(30) + "aQ3Zk7Lm",
    "duffel": lambda: "duff" + "el_live_" + some(43),
    "paddle": lambda: f"pdl_{'live'}_apikey_{some(26)}_{some(22)}_{some(3)}",
    "x bearer": lambda: "A" * 21 + some(40) + "%3D" + some(40),
    "frame.io": lambda: "fi" + "o-u-" + some(64),
    "zuplo": lambda: f"zpk{'a'}_{some(32)}_{some(8)}",
    "mapbox": lambda: f"s{'k'}.ey{'J'}{some(60)}.{some(22)}",
    "asana": lambda: f"2/{'1' * 16}/{'2' * 16}:{some_hex(32)}",
    "devrag": lambda: "devr" + "ag_" + some(43),
}
