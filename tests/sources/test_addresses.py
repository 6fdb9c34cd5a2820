"""URLs, hosts, folders and names that may or may not be used."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devrag.core.errors import (
    DevragError,
    InvalidInput,
    NotFound,
    PermissionDenied,
    SourceError,
)
from devrag.sources.addresses import (
    check_path,
    check_ref,
    check_source_name,
    parse_git_url,
    source_name_from_url,
    split_login,
)
from devrag.sources.hosts import AddressRules, resolve_host

RULES = AddressRules()


@pytest.mark.parametrize(
    ("url", "clean", "host", "port"),
    [
        ("https://Example.COM/a/b.git", "https://example.com/a/b.git", "", 443),
        ("https://example.com.:8443/a", "https://example.com:8443/a", "", 8443),
        ("ssh://git@example.com:2222/a/b", "ssh://git@example.com:2222/a/b", "", 2222),
        ("git@example.com:group/sub/p.git", "git@example.com:group/sub/p.git", "", 22),
        ("example.com:p.git", "example.com:p.git", "", 22),
        ("https://[2001:DB8::1]/a", "https://[2001:db8::1]/a", "2001:db8::1", 443),
        ("https://example.com/a%20b/日本", "https://example.com/a%20b/日本", "", 443),
    ],
)
def test_good_urls_are_rewritten(url: str, clean: str, host: str, port: int) -> None:
    parsed = parse_git_url(url, RULES)
    assert (parsed.url, parsed.port) == (clean, port)
    assert parsed.host == (host or "example.com")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "The URL is empty. Use https"),
        ("-x", "“-x” starts with a hyphen. Use https"),
        ("https://a/b c", "“https://a/b c” contains a space. Use https"),
        ("https://a\\b", "contains a backslash. Use https"),
        ("https://a/b\t", "contains a control character. Use https"),
        ("htp:/nonsense", "“htp:/nonsense” is not a git URL. Use https"),
    ],
)
def test_what_is_wrong_with_a_url_is_named(url: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(said)):
        parse_git_url(url, RULES)


def test_a_short_name_of_a_host_is_one() -> None:
    assert parse_git_url("tea:/srv/git/shop.git", RULES).host == "tea"


def test_an_address_does_not_resolve_to_itself() -> None:
    with pytest.raises(
        PermissionDenied, match=r"Sources at the address 127\.0\.0\.1 are"
    ):
        resolve_host("127.0.0.1", 443, RULES)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "-oProxyCommand=x",
        "--upload-pack=x",
        "ext::sh -c x",
        "ext::x",
        "fd::17",
        "http://example.com/a",
        "file:///etc",
        "git://example.com/a",
        "ftp://example.com/a",
        "javascript://example.com/a",
        "https://-oProxyCommand=x/a",
        "ssh://-oProxyCommand=x/a",
        "ssh://-oProxy@example.com/a",
        "-x@example.com:a",
        "git@-example.com:a",
        "git@example.com:-a",
        "https://exa mple.com/a",
        "https://example.com/a\nb",
        "https://example.com/a\x00b",
        "https://good.com\\@evil.com/a",
        "https://example.com/a?x=1",
        "https://example.com/a#x",
        "https://example.com:99999/a",
        "https://example.com:x/a",
        "https://example.com",
        "https:///a",
        "https://ex%61mple.com/a",
        "https://例え.jp/a",
        "https://[::1%25lo]/a",
        "plainword",
    ],
)
def test_hostile_urls_are_refused(url: str) -> None:
    with pytest.raises(InvalidInput):
        parse_git_url(url, RULES)


@pytest.mark.parametrize(
    "url",
    [
        "https://user:s3cret@example.com/a",
        "https://s3cret@example.com/a",
        "https://user:s3c/s3cret@example.com/a",
        "ssh://git:s3cret@example.com/a",
        "git:s3cret@example.com:a",
    ],
)
def test_credentials_in_a_url_are_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_git_url(url, RULES)
    assert "s3cret" not in caught.value.message


def test_credentials_belong_to_the_source() -> None:
    with pytest.raises(InvalidInput, match="an existing source"):
        parse_git_url("https://user:pass@example.com/a", RULES)


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("https://h.example/a", ("https://h.example/a", "", "")),
        (" https://u:p@h.example/a ", ("https://h.example/a", "u", "p")),
        ("https://t0ken@h.example/a", ("https://h.example/a", "", "t0ken")),
        ("https://t0ken:@h.example/a", ("https://h.example/a", "", "t0ken")),
        ("HTTPS://u:p%40%2F@h:8443/a@b", ("HTTPS://h:8443/a@b", "u", "p@/")),
        ("https://u:p@ss@h.example/a", ("https://h.example/a", "u", "p@ss")),
        ("ssh://git:p@h.example/a", ("ssh://git:p@h.example/a", "", "")),
        ("git@h.example:a/b", ("git@h.example:a/b", "", "")),
        ("/srv/a@b", ("/srv/a@b", "", "")),
    ],
)
def test_a_login_is_taken_out_of_a_url(url: str, parts: tuple[str, str, str]) -> None:
    assert split_login(url) == parts


def test_http_needs_a_setting() -> None:
    rules = AddressRules(allow_http=True)
    assert parse_git_url("http://example.com/a", rules).port == 80


@given(st.text(max_size=30))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    for url in (text, f"https://{text}", f"ssh://{text}/a", f"git@{text}"):
        try:
            parsed = parse_git_url(url, RULES)
        except InvalidInput:
            continue
        assert not parsed.url.startswith("-")
        assert not parsed.host.startswith("-")
        assert parse_git_url(parsed.url, RULES) == parsed


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "2130706433",
        "localhost",
        "0.0.0.0",
        "::1",
        "::",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "169.254.169.254",
        "fe80::1",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd00:ec2::253",
        "fd20:ce::254",
        "fd00:c1::a9fe:a9fe",
        "fd00:42::42",
        "fd00:a9fe:a9fe::1",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "192.0.0.9",
        "::169.254.169.254",
        "::7f00:1",
        "::ffff:169.254.169.254",
        "::ffff:0:169.254.169.254",
        "64:ff9b::169.254.169.254",
        "64:ff9b::192.0.0.192",
        "64:ff9b::168.63.129.16",
        "64:ff9b:1::169.254.169.254",
        "64:ff9b:1:a9fe:a9:fe00::",
        "2002:a9fe:a9fe::1",
        "2002:6464:64c8::",
        "2001:0:a9fe:a9fe::1",  # Teredo: server
        "2001:0:808:808:0:0:5601:5601",  # Teredo: client, inverted
        "fe80::5efe:8.8.8.8",
        "2606:4700::5efe:169.254.169.254",
        "2606:4700::200:5efe:7f00:1",
        "fec0::1",
        "192.88.99.1",
        "025177524776",
        "0xa9.0xfe.0xa9.0xfe",
        "169.254.43518",
        "0250.077.0201.020",
        "224.0.0.1",
        "255.255.255.255",
        "240.0.0.1",
    ],
)
def test_addresses_of_this_machine_and_its_cloud_are_refused(host: str) -> None:
    with pytest.raises(PermissionDenied):
        resolve_host(host, 443, RULES)


@pytest.mark.parametrize("host", ["10.1.2.3", "192.168.0.5", "172.16.9.9", "fd12::1"])
def test_company_networks_are_allowed_unless_public_only(host: str) -> None:
    assert resolve_host(host, 443, RULES) == (host,)
    with pytest.raises(PermissionDenied):
        resolve_host(host, 443, AddressRules(public_only=True))


@pytest.mark.parametrize(
    "host", ["64:ff9b::8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"]
)
def test_public_addresses_in_any_form_are_allowed(host: str) -> None:
    assert resolve_host(host, 443, AddressRules(public_only=True))


@pytest.mark.parametrize("host", ["64:ff9b::10.0.0.1", "::ffff:192.168.0.5"])
def test_a_company_address_in_another_form_is_one(host: str) -> None:
    assert resolve_host(host, 443, RULES)
    with pytest.raises(PermissionDenied):
        resolve_host(host, 443, AddressRules(public_only=True))


def test_a_name_that_leads_to_such_an_address_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def answer(*_args: object, **_options: object) -> list[object]:
        """Answer like a resolver whose second record is the one that hurts."""
        found = ("8.8.8.8", "64:ff9b::a9fe:a9fe")
        return [(0, 0, 0, "", (address, 443)) for address in found]

    monkeypatch.setattr("devrag.sources.hosts.socket.getaddrinfo", answer)
    with pytest.raises(PermissionDenied, match=r"git\.example resolves to 64:ff9b"):
        resolve_host("git.example", 443, RULES)


def test_loopback_needs_a_setting() -> None:
    rules = AddressRules(allow_loopback=True)
    assert resolve_host("127.0.0.1", 443, rules) == ("127.0.0.1",)


def test_the_checked_addresses_come_back() -> None:
    assert resolve_host("8.8.8.8", 443, RULES) == ("8.8.8.8",)


def test_an_unknown_host_may_be_tried_again() -> None:
    with pytest.raises(
        SourceError, match=r"Cannot resolve the host host\.invalid"
    ) as caught:
        resolve_host("host.invalid", 443, RULES)
    assert not caught.value.permanent


def test_a_folder_under_a_root(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    assert check_path(str(tmp_path / "a"), [tmp_path], is_local_user=False) == (
        tmp_path.resolve() / "a"
    )


def test_a_folder_outside_the_roots_needs_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    for is_administrator, way_out in ((True, "SOURCE_ROOTS"), (False, "administrator")):
        with pytest.raises(PermissionDenied, match=way_out):
            check_path(
                str(tmp_path),
                [tmp_path / "root"],
                is_local_user=False,
                is_administrator=is_administrator,
            )
    assert check_path(str(tmp_path), [], is_local_user=True) == tmp_path.resolve()


def test_a_refusal_does_not_tell_what_exists(tmp_path: Path) -> None:
    messages = []
    for name in ("there", "nowhere"):
        (tmp_path / "there").mkdir(exist_ok=True)
        with pytest.raises(PermissionDenied) as caught:
            check_path(str(tmp_path / name), [], is_local_user=False)
        messages.append(caught.value.message.replace(name, "x"))
    assert messages[0] == messages[1]


@pytest.mark.parametrize("way_out", ["root/../outside", "root/link"])
def test_no_way_out_of_a_root(tmp_path: Path, way_out: str) -> None:
    for name in ("root", "outside"):
        (tmp_path / name).mkdir()
    (tmp_path / "root/link").symlink_to(tmp_path / "outside")
    with pytest.raises(PermissionDenied):
        check_path(str(tmp_path / way_out), [tmp_path / "root"], is_local_user=False)


def test_paths_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    refused: list[type[DevragError]] = []
    for path in ("nowhere", "file", "loop", "n" * 300, "\x00"):
        with pytest.raises(DevragError) as caught:
            check_path(str(tmp_path / path), [tmp_path], is_local_user=True)
        refused.append(type(caught.value))
    assert refused == [NotFound, *[InvalidInput] * 4]


def test_relative_paths_only_on_the_command_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="absolute"):
        check_path("relative", [tmp_path], is_local_user=False)


@settings(max_examples=settings.default.max_examples * 3 // 2, deadline=None)
@given(st.text("ab/.@{~^:?*[\\ -\x7fé日", max_size=7))
def test_ref_names_follow_git(name: str) -> None:
    git = subprocess.run(
        ["git", "check-ref-format", "--allow-onelevel", name], check=False
    )
    is_valid_for_git = git.returncode == 0 and not name.startswith("-")
    try:
        check_ref(name)
    except InvalidInput:
        assert not is_valid_for_git
    else:
        assert is_valid_for_git


@pytest.mark.parametrize("name", ["-x", "--upload-pack=x", "a..b", "a\nb", "x.lock"])
def test_hostile_ref_names_are_refused(name: str) -> None:
    with pytest.raises(InvalidInput):
        check_ref(name)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://example.com/group/backend-api.git", "backend-api"),
        ("git@example.com:backend.git", "backend"),
        ("/srv/src/tool/", "tool"),
        ("https://example.com/a%20b", "a b"),
        ("/", "source"),
        ("https://example.com/a%2Fb", "a-b"),
        ("https://example.com/%2e%2e", "source"),
        ("/srv/" + "x" * 250, "x" * 100),
        ("https://example.com/~5 bob", "5 bob"),
        ("https://example.com/~", "source"),
    ],
)
def test_names_from_urls(url: str, name: str) -> None:
    assert source_name_from_url(url) == name


def test_a_name_may_not_look_like_one_that_is_being_deleted() -> None:
    with pytest.raises(InvalidInput, match=r"a leading ~, for example “5 tea”"):
        check_source_name("~5 tea")
