"""Passkeys: made, used as a second step and instead of a password, taken away."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from devrag.accounts.errors import SignInRefused
from devrag.accounts.models import Passkey, RecoveryCode, SecondFactor
from devrag.accounts.passkeys import PasskeySite, passkey_site, take_passkey
from devrag.audit.models import AuditEvent
from tests.accounts.authenticator import Authenticator

PASSWORD = "correct horse battery"
PAGE, SIGN_IN, STEP = (
    "/settings/account/passkeys/",
    "/sign-in/passkey/",
    "/sign-in/code/",
)
REFUSED = "The passkey was not accepted."


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann", password=PASSWORD)


@pytest.fixture
def browser() -> Client:
    return Client(HTTP_HOST="localhost")


@pytest.fixture
def device(ann: User) -> Authenticator:
    """Ann's authenticator, registered."""
    made = Authenticator()
    assert add(signed_in(ann), made).status_code == 200
    return made


def signed_in(user: User) -> Client:
    client = Client(HTTP_HOST="localhost")
    client.force_login(user)
    return client


def begin(client: Client, **fields: str) -> HttpResponse:
    given = {"action": "begin", "password": PASSWORD, **fields}
    return client.post(PAGE, given)


def add(client: Client, made: Authenticator, name: str = "Laptop") -> HttpResponse:
    options = begin(client).json()["publicKey"]
    given = {"action": "finish", "credential": made.create(options), "name": name}
    return client.post(PAGE, given)


def enter_password(client: Client) -> HttpResponse:
    given = {"username": "ann", "password": PASSWORD, "next": "/jobs/"}
    return client.post("/sign-in/", given)


def use(client: Client, made: Authenticator, **fields: str) -> HttpResponse:
    options = client.post(SIGN_IN, {"action": "begin", **fields}).json()["publicKey"]
    return client.post(SIGN_IN, {"credential": made.get(options), **fields})


def is_signed_in(client: Client) -> bool:
    return client.get("/settings/account/").status_code == 200


def text(answer: HttpResponse) -> str:
    return answer.content.decode()


def codes_of(answer: HttpResponse) -> list[str]:
    return re.findall(r"\b(?:[a-z2-7]{4}-){3}[a-z2-7]{4}\b", text(answer))


def test_the_first_passkey_comes_with_recovery_codes(ann: User) -> None:
    client = signed_in(ann)
    elsewhere = signed_in(ann)
    assert is_signed_in(elsewhere)
    answer = add(client, Authenticator())
    assert len(codes_of(answer)) == 10
    assert "Laptop" in text(answer)
    assert not is_signed_in(elsewhere)
    assert add(client, Authenticator(), "Phone").status_code == 302
    assert RecoveryCode.objects.count() == 10


def test_a_passkey_signs_in_without_a_password(
    device: Authenticator, browser: Client
) -> None:
    answer = use(browser, device, next="/jobs/")
    assert answer["Location"] == "/jobs/"
    assert is_signed_in(browser)
    assert Passkey.objects.get().last_used_at is not None
    event = AuditEvent.objects.filter(action="sign_in.succeeded").latest("pk")
    assert event.target == "ann"


def test_a_password_alone_is_not_enough(device: Authenticator, browser: Client) -> None:
    assert enter_password(browser)["Location"] == STEP
    page = text(browser.get(STEP))
    assert "Sign in with a passkey" in page
    assert "Recovery code" in page
    assert not is_signed_in(browser)
    assert use(browser, device, second="1")["Location"] == "/jobs/"
    assert is_signed_in(browser)


def test_a_recovery_code_stands_in_once(ann: User, browser: Client) -> None:
    code, *_ = codes_of(add(signed_in(ann), Authenticator()))
    enter_password(browser)
    assert browser.post(STEP, {"code": code})["Location"] == "/jobs/"
    other = Client(HTTP_HOST="localhost")
    enter_password(other)
    assert other.post(STEP, {"code": code}).status_code == 422


def test_instead_of_a_password_the_device_has_to_check_who_holds_it(
    device: Authenticator, browser: Client
) -> None:
    device.is_verifying = False
    answer = use(browser, device)
    assert answer.status_code == 422
    assert REFUSED in text(answer)
    enter_password(browser)
    assert use(browser, device, second="1").status_code == 302
    assert is_signed_in(browser)


def test_a_passkey_of_somebody_else_is_no_second_step(
    device: Authenticator, browser: Client
) -> None:
    bob = User.objects.create_user("bob", password=PASSWORD)
    other = Authenticator()
    add(signed_in(bob), other)
    enter_password(browser)
    assert use(browser, other, second="1")["Location"] == STEP
    assert REFUSED in text(browser.get(STEP))
    assert not is_signed_in(browser)


@pytest.mark.parametrize(
    "change",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://localhost:9000"},
        {"host": "evil.example"},
        {"credential_id": b"x" * 32},
        {"key": Authenticator().key},
    ],
)
def test_what_does_not_fit_is_refused(
    device: Authenticator, browser: Client, change: dict[str, object]
) -> None:
    for name, value in change.items():
        setattr(device, name, value)
    assert use(browser, device).status_code == 422
    assert not is_signed_in(browser)
    assert AuditEvent.objects.filter(action="sign_in.failed").count() == 1


def test_an_answer_counts_once(device: Authenticator, browser: Client) -> None:
    options = browser.post(SIGN_IN, {"action": "begin"}).json()["publicKey"]
    answer = device.get(options)
    assert browser.post(SIGN_IN, {"credential": answer}).status_code == 302
    other = Client(HTTP_HOST="localhost")
    other.post(SIGN_IN, {"action": "begin"})
    assert other.post(SIGN_IN, {"credential": answer}).status_code == 422
    assert "That took too long." in text(other.post(SIGN_IN, {"credential": answer}))


def test_a_copy_of_the_passkey_is_refused(
    device: Authenticator, browser: Client
) -> None:
    device.counter = 5
    use(browser, device)
    device.counter = 5
    other = Client(HTTP_HOST="localhost")
    assert use(other, device).status_code == 422
    assert Passkey.objects.get().sign_count == 6


def test_devices_that_do_not_count_are_fine(
    device: Authenticator, browser: Client
) -> None:
    for _ in range(2):
        device.counter = -1
        assert use(browser, device).status_code == 302


def test_adding_and_removing_needs_the_password(
    ann: User, device: Authenticator
) -> None:
    client = signed_in(ann)
    refused = begin(client, password="wrong")
    assert (refused.status_code, refused.json()["problem"]) == (
        *(422, "Incorrect password."),
    )
    number = str(Passkey.objects.get().pk)
    wrong = {"action": "remove", "passkey": number, "password": "wrong"}
    assert "Incorrect password." in text(client.post(PAGE, wrong))
    assert Passkey.objects.exists()


def test_without_passkeys_one_step_is_enough_again(
    ann: User, device: Authenticator, browser: Client
) -> None:
    number = str(Passkey.objects.get().pk)
    given = {"action": "remove", "passkey": number, "password": PASSWORD}
    signed_in(ann).post(PAGE, given)
    assert not Passkey.objects.exists()
    assert not SecondFactor.objects.exists()
    assert enter_password(browser)["Location"] == "/jobs/"
    assert list(
        AuditEvent.objects.filter(action__startswith="passkey")
        .values_list("action", flat=True)
        .order_by("pk")
    ) == ["passkey.added", "passkey.removed"]


def test_a_passkey_gets_another_name(ann: User, device: Authenticator) -> None:
    client, row = signed_in(ann), Passkey.objects.get()
    given = {"action": "rename", "passkey": str(row.pk), "name": "Old laptop"}
    client.post(PAGE, given)
    row.refresh_from_db()
    assert row.name == "Old laptop"


def test_passkeys_of_others_are_not_there(device: Authenticator) -> None:
    bob = User.objects.create_user("bob", password=PASSWORD)
    number = str(Passkey.objects.get().pk)
    for action in ("rename", "remove"):
        given = {"action": action, "passkey": number, "name": "x", "password": PASSWORD}
        answer = signed_in(bob).post(PAGE, given)
        assert "You have no such passkey." in text(answer)
    assert Passkey.objects.get().name == "Laptop"


def test_a_passkey_is_registered_once(ann: User, device: Authenticator) -> None:
    client = signed_in(ann)
    options = begin(client).json()["publicKey"]
    assert [each["type"] for each in options["excludeCredentials"]] == ["public-key"]
    given = {"action": "finish", "credential": device.create(options), "name": "x"}
    assert "registered already" in text(client.post(PAGE, given))
    assert Passkey.objects.count() == 1


def test_attempts_are_limited(device: Authenticator, browser: Client) -> None:
    device.is_verifying = False
    for _ in range(20):
        assert use(browser, device).status_code == 422
    locked = use(browser, device)
    assert locked.status_code == 429
    assert int(locked["Retry-After"]) > 0


def test_challenges_are_limited_too(browser: Client, ann: User) -> None:
    for _ in range(60):
        assert browser.post(SIGN_IN, {"action": "begin"}).status_code == 200
    locked = browser.post(SIGN_IN, {"action": "begin"})
    assert locked.status_code == 429
    assert "Too many failed attempts." in locked.json()["problem"]


def test_recovery_codes_are_renewed(ann: User, device: Authenticator) -> None:
    client = signed_in(ann)
    given = {"action": "renew", "password": PASSWORD}
    answer = client.post("/settings/account/two-step/", given)
    assert len(codes_of(answer)) == 10
    SecondFactor.objects.all().delete()
    assert len(codes_of(client.post("/settings/account/two-step/", given))) == 10


def test_accounts_without_a_password_have_none(ann: User, browser: Client) -> None:
    device = Authenticator()
    add(signed_in(ann), device)
    ann.set_unusable_password()
    ann.save()
    assert "Passkeys are for accounts with a password." in text(use(browser, device))
    client = signed_in(ann)
    assert "This account has no password" in text(client.get(PAGE))
    assert "Add a passkey" not in text(begin(client))


def test_where_only_the_provider_counts_administrators_keep_theirs(
    ann: User, device: Authenticator, browser: Client, settings: Settings
) -> None:
    settings.OIDC_ONLY = True
    assert use(browser, device).status_code == 422
    assert not is_signed_in(browser)
    User.objects.update(is_superuser=True)
    assert use(browser, device).status_code == 302


def test_deactivated_accounts_stay_out(
    ann: User, device: Authenticator, browser: Client
) -> None:
    User.objects.update(is_active=False)
    assert "Your account is deactivated." in text(use(browser, device))
    assert not is_signed_in(browser)


def test_the_app_and_passkeys_go_together(ann: User, device: Authenticator) -> None:
    client = signed_in(ann)
    client.post(
        "/settings/account/two-step/", {"action": "begin", "password": PASSWORD}
    )
    page = text(client.get("/settings/account/two-step/"))
    assert "Scan the code with your app" in page
    client.post(
        "/settings/account/two-step/", {"action": "remove", "password": PASSWORD}
    )
    assert RecoveryCode.objects.count() == 10
    assert SecondFactor.objects.get().confirmed_at is None


@pytest.mark.parametrize(
    ("address", "is_secure", "expected"),
    [
        ("devrag.example", True, ("devrag.example", "https://devrag.example")),
        (
            "devrag.example:8443",
            True,
            ("devrag.example", "https://devrag.example:8443"),
        ),
        ("localhost:8000", False, ("localhost", "http://localhost:8000")),
        ("devrag.example", False, None),
        ("127.0.0.1:8000", False, None),
        ("192.0.2.7", True, None),
        ("[::1]:8000", True, None),
    ],
)
def test_passkeys_count_where_browsers_let_them(
    address: str, is_secure: bool, expected: tuple[str, str] | None
) -> None:
    site = passkey_site(address, is_secure=is_secure)
    assert (site and (site.host, site.origin)) == expected


def test_elsewhere_the_pages_say_so(ann: User) -> None:
    client = Client(HTTP_HOST="127.0.0.1")
    client.force_login(ann)
    assert "Passkeys cannot be added at this address" in text(client.get(PAGE))
    refused = client.post(PAGE, {"action": "begin", "password": PASSWORD})
    assert refused.json()["problem"].startswith("Passkeys need https")
    assert "Sign in with a passkey" not in text(
        Client(HTTP_HOST="127.0.0.1").get("/sign-in/")
    )


@given(
    answer=st.one_of(
        st.text(),
        st.from_regex(
            r'\{"rawId": "[\w]{0,9}", "response": \{"clientDataJSON": "[\w]{0,9}"\}\}',
            fullmatch=True,
        ),
        st.recursive(
            st.none() | st.text(),
            lambda each: st.dictionaries(
                st.sampled_from(
                    [
                        "id",
                        "rawId",
                        "response",
                        "type",
                        "clientDataJSON",
                        "authenticatorData",
                        "signature",
                    ]
                ),
                each,
            ),
        ).map(json.dumps),
    )
)
@pytest.mark.django_db
def test_no_answer_is_an_error(answer: str) -> None:
    site = PasskeySite("localhost", "http://localhost")
    state = {"challenge": "A" * 43, "user_verification": "required"}
    with pytest.raises(SignInRefused):
        take_passkey(site=site, state=state, answer=answer, user_id=None)
