"""Steps 1: the images, and what is in ours."""

from __future__ import annotations

import os
import re
from pathlib import Path

from engine import ROOT, TrialError, compressed_bytes, image_facts, run, words_of
from setting import IMAGE, NEXT_IMAGE, Setting

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
 && sed -i 's/^__version__ = .*/__version__ = "99.0.0"/' "$file" \\
 && folder=$(dirname "$file")/jobs/migrations \\
 && last=$(cd "$folder" && ls [0-9]*.py | tail -1) \\
 && printf '%s\\n' 'from django.db import migrations' \\
    'class Migration(migrations.Migration):' \\
    "    dependencies = [('jobs', '${{last%.py}}')]" \\
    '    operations = [migrations.RunSQL("CREATE TABLE trial_upgrade ()")]' \\
    > "$folder/9999_trial.py" && python -m compileall -q "$(dirname "$file")"
USER 10001
"""


def make_base_images(setting: Setting) -> str:
    """Pull the images that are built on and run beside ours, or make stand-ins."""
    base = re.search(r"^ARG BASE=(\S+)", (ROOT / "Dockerfile").read_text(), re.M)
    compose = (ROOT / "docker-compose.yml").read_text()
    found = dict(re.findall(r"\$\{((?:POSTGRES|VALKEY)_IMAGE):-([^}]+)\}", compose))
    if base is None or len(found) != 2:
        raise TrialError("the Dockerfile or the compose file names no images")
    env = {"PYTHON_IMAGE": base[1], **found}
    said = run(str(_HERE / "base_images.sh"), env=env)
    made = said.count("stands in")
    return f"{made} stand-ins made" if made else "all were there"


def build_image(_setting: Setting) -> str:
    """Build the Dockerfile unchanged."""
    options = words_of("TRIAL_BUILD_OPTIONS")
    run("podman", "build", "--pull=never", *options, "-t", IMAGE, str(ROOT))
    size = image_facts(IMAGE)["Size"] / 1e6
    return f"{size:,.0f} MB on disk"


def measure_image(_setting: Setting) -> str:
    """Refuse an image that is too large to pull."""
    size = compressed_bytes(IMAGE) / 1e6
    if size > _LARGEST_MEGABYTES:
        raise TrialError(f"the image has {size:,.0f} MB")
    return f"{size:,.0f} MB to pull"


def look_into_image(_setting: Setting) -> str:
    """Refuse an image with a compiler, without git, or that runs as root."""
    shell = f"id -u; for tool in {_TOOLS}; do command -v $tool || true; done"
    uid, *paths = run("podman", "run", "--rm", IMAGE, "sh", "-c", shell).split()
    tools = {os.path.basename(path) for path in paths}
    extra = tools - _NEEDED - _BASE_TOOLS
    if uid == "0" or extra or not tools >= _NEEDED:
        raise TrialError(f"user {uid}, tools {sorted(tools)}")
    return f"user {uid}; git and ssh, no compiler"


def build_next_image(setting: Setting) -> str:
    """Build what the upgrade goes to: another version with a further migration."""
    text = _NEXT.format(image=IMAGE)
    file = setting.folder / "Next.Dockerfile"
    file.write_text(text)
    context = setting.folder / "empty"
    context.mkdir()
    options = ("--pull=never", "-t", NEXT_IMAGE, "-f", str(file))
    run("podman", "build", *options, str(context))
    return "version 99.0.0"


IMAGE_STEPS = [
    ("base images", make_base_images),
    ("build the image", build_image),
    ("compressed size", measure_image),
    ("user and tools", look_into_image),
    ("build a newer image", build_next_image),
]
