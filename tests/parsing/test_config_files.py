"""What files give away by their name: processes, schedules, settings."""

from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "Procfile",
            "# web: no\nweb: gunicorn shop.wsgi\nworker: celery -A shop worker\n",
            ["2 entry_point web", "3 entry_point worker"],
        ),
        (
            "deploy/shop.service",
            (
                "[Unit]\nExecStart=/no\n[Service]\n# ExecStart=/no\n"
                "ExecStart=-/usr/bin/shop \\\n  serve\n"
            ),
            ["5 entry_point /usr/bin/shop serve"],
        ),
        (
            "deploy/clean.timer",
            "[Timer]\nOnCalendar=daily\n",
            ["2 task clean.timer"],
        ),
        (
            "crontab",
            (
                "MAILTO=x\n# 0 1 * * * no\n*/5 8-18 * * mon-fri shop clean --all\n"
                "@daily backup\nnot a job at all here\n"
            ),
            ["3 task shop clean --all", "4 task backup"],
        ),
        ("etc/cron.d/shop", "0 3 * * * root shop clean\n", ["1 task shop clean"]),
        (
            "Dockerfile",
            (
                'FROM a AS base\nENTRYPOINT ["run"]\nCMD ["one"]\n'
                "FROM base AS web\nCMD two\nFROM other\nCMD no\nFROM web\n"
            ),
            ["2 entry_point run", "5 entry_point two"],
        ),
        (
            "Dockerfile",
            'FROM a\nRUN <<EOF\nCMD no\nEOF\nCMD ["yes"]\n',
            ["5 entry_point yes"],
        ),
        (
            "Dockerfile",
            "FROM a AS b\nCMD no\nFROM b\nENTRYPOINT yes\n",
            ["4 entry_point yes"],
        ),
        (
            "compose.yaml",
            (
                "services:\n  web:\n    build: .\n    environment:\n      MODE: x\n"
                "      <<: *all\n  db:\n    image: postgres\n    environment:\n"
                "      - PGUSER=me\n      - not a name\n"
            ),
            [
                "2 entry_point web",
                "5 setting MODE",
                "7 entry_point db",
                "10 setting PGUSER",
            ],
        ),
        (
            ".env.example",
            "# Mode.\nSHOP_MODE=dev\n\n# Not about the next.\n\nexport A=1\n#B=2\n",
            ["2 setting SHOP_MODE", "6 setting A", "7 setting B"],
        ),
        (".env", "# OLD_KEY=secret\nA=1\nb = 2\n", ["2 setting A", "3 setting b"]),
        (
            "src/main/resources/application.properties",
            "# a.b=1\nserver.port=80\nlist=a,\\\n  b=c\n",
            ["2 setting server.port", "3 setting list"],
        ),
        (
            "src/main/resources/application-dev.yml",
            "server:\n  port: 80\nspring:\n  datasource:\n    url: x\n",
            ["2 setting server.port", "5 setting spring.datasource.url"],
        ),
        (
            "appsettings.json",
            '{\n"$schema": "x",\n"Logging": {"Level": 1}}',
            ["3 setting Logging"],
        ),
        (
            ".github/workflows/nightly.yml",
            (
                "on:\n  schedule:\n    - cron: '0 2 * * *'\njobs:\n  all:\n"
                "    uses: ./.github/workflows/ci.yml\n"
            ),
            ["5 ci all"],
        ),
    ],
)
def test_a_file_gives_what_it_starts_and_sets(
    path: str, text: str, expected: list[str]
) -> None:
    found = parse_file(path, text)
    said = [f"{fact.start_line} {fact.kind} {fact.name}" for fact in found.facts]
    assert (said, found.warnings) == (expected, ())


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".env", "KEY=geheim\n# geheim\nB=1\n"),
        (".env.example", "KEY=geheim\n"),
        ("compose.yml", "services:\n  a:\n    environment:\n      KEY: geheim\n"),
        ("application.properties", "spring.datasource.password=geheim\n"),
        ("application.yml", "spring:\n  password: geheim\n"),
        ("appsettings.json", '{"ConnectionStrings": {"Main": "geheim"}}'),
    ],
)
def test_a_value_never_becomes_a_fact(path: str, text: str) -> None:
    facts = parse_file(path, text).facts
    assert facts
    assert "geheim" not in repr(facts)


@pytest.mark.parametrize(
    ("path", "text", "key", "expected"),
    [
        (".env.example", "# Mode.\nSHOP_MODE=dev\n", "help", "Mode."),
        ("crontab", "0  3 * * * x y\n", "schedule", "0 3 * * *"),
        ("cron.d/a", "@reboot root x y\n", "run", "x y"),
        (
            ".github/workflows/a.yml",
            "on:\n  schedule:\n    - cron: '0 2 * * 1'\njobs:\n  a:\n    steps: []\n",
            "schedule",
            ["0 2 * * 1"],
        ),
        (
            "compose.yml",
            (
                "services:\n  a:\n    image: x\n    ports:\n      - 80:8000\n"
                "      - target: 1\n        published: 2\n"
            ),
            "ports",
            ["80:8000", "2:1"],
        ),
    ],
)
def test_a_fact_says_more_than_its_name(
    path: str, text: str, key: str, expected: object
) -> None:
    (fact,) = parse_file(path, text).facts
    assert fact.data[key] == expected
