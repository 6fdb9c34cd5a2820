"""Steps 1: the images, and what is in ours."""

from __future__ import annotations

import os
import re
from pathlib import Path

from build_options import pip_options
from engine import ROOT, TrialError, compressed_bytes, image_facts, run
from setting import (
    IMAGE,
    NEWEST_IMAGE,
    NEWEST_VERSION,
    NEXT_IMAGE,
    NEXT_VERSION,
    Figures,
    Setting,
)

_LARGEST_MEGABYTES = 600
_TOOLS = "gcc cc g++ make ld pip pip3.11 git ssh python devrag"
_NEEDED = {"git", "ssh", "python", "devrag"}
_BASE_TOOLS = {"pip", "pip3.11"}  # of the base image's own Python
_HERE = Path(__file__).parent
# A newer release in the eyes of an installation: another version, a further migration.
_NEXT = """\
FROM {image}
USER 0
RUN file=$(python -c 'import devrag; print(devrag.__file__)') \\
 && sed -i 's/^__version__ = .*/__version__ = "{version}"/' "$file" \\
 && folder=$(dirname "$file")/jobs/migrations \\
 && last=$(cd "$folder" && ls [0-9]*.py | tail -1) \\
 && printf '%s\\n' 'from django.db import migrations' \\
    'class Migration(migrations.Migration):' \\
    "    dependencies = [('jobs', '${{last%.py}}')]" \\
    '    operations = [migrations.RunSQL("CREATE TABLE trial_upgrade_{number} ()")]' \\
    > "$folder/999{number}_trial.py" && python -m compileall -q "$(dirname "$file")"
USER 10001
"""


def make_base_images(setting: Setting) -> Figures:
    """Pull the images that are built on and run beside ours, or make stand-ins."""
    base = re.search(r"^ARG BASE=(\S+)", (ROOT / "Dockerfile").read_text(), re.M)
    compose = (ROOT / "docker-compose.yml").read_text()
    found = dict(re.findall(r"\$\{((?:POSTGRES|VALKEY)_IMAGE):-([^}]+)\}", compose))
    if base is None or len(found) != 2:
        raise TrialError("the Dockerfile or the compose file names no images")
    env = {"PYTHON_IMAGE": base[1], **found}
    env["TRIAL_BUILD_OPTIONS"] = " ".join(build_options(setting))
    said = run(str(_HERE / "base_images.sh"), env=env)
    return {"stand_ins_made": said.count("stands in")}


def build_options(setting: Setting) -> list[str]:
    """Return the options of every build: this machine's, and those that are given."""
    given = os.environ.get("TRIAL_BUILD_OPTIONS", "").split()
    return [*pip_options(setting.folder.parent), *given]


def build_image(setting: Setting) -> Figures:
    """Build the Dockerfile unchanged."""
    options = build_options(setting)
    run("podman", "build", "--pull=never", *options, "-t", IMAGE, str(ROOT))
    return {"megabytes_on_disk": round(image_facts(IMAGE)["Size"] / 1e6)}


def measure_image(_setting: Setting) -> Figures:
    """Refuse an image that is too large to pull."""
    size = round(compressed_bytes(IMAGE) / 1e6)
    if size > _LARGEST_MEGABYTES:
        raise TrialError(f"the image has {size} MB to pull")
    return {"megabytes_to_pull": size}


def look_into_image(_setting: Setting) -> Figures:
    """Refuse an image with a compiler, without git, or that runs as root."""
    shell = f"id -u; for tool in {_TOOLS}; do command -v $tool || true; done"
    uid, *paths = run("podman", "run", "--rm", IMAGE, "sh", "-c", shell).split()
    tools = {os.path.basename(path) for path in paths}
    extra = tools - _NEEDED - _BASE_TOOLS
    if uid == "0" or extra or not tools >= _NEEDED:
        raise TrialError(f"user {uid}, tools {sorted(tools)}")
    return {"user": int(uid)}


def build_next_images(setting: Setting) -> Figures:
    """Build what upgrades go to: other versions, each with a further migration."""
    context = setting.folder / "empty"
    context.mkdir()
    build_next(context, 1, IMAGE, NEXT_IMAGE, NEXT_VERSION)
    build_next(context, 2, NEXT_IMAGE, NEWEST_IMAGE, NEWEST_VERSION)
    return {"versions": [NEXT_VERSION, NEWEST_VERSION]}


def build_next(
    context: Path, number: int, former: str, image: str, version: str
) -> None:
    """Build an image with another version and one migration more than the former."""
    file = context.with_name("Next.Dockerfile")
    file.write_text(_NEXT.format(image=former, version=version, number=number))
    options = ("--pull=never", "-t", image, "-f", str(file))
    run("podman", "build", *options, str(context))


IMAGE_STEPS = [
    ("base images", make_base_images),
    ("build the image", build_image),
    ("compressed size", measure_image),
    ("user and tools", look_into_image),
    ("build newer images", build_next_images),
]
