"""All settings, typed, from the environment or `.env` (the environment wins).

A wrong value stops the start with the variable's name. Each variable is described in
`.env.example` (a test compares). Without DATABASE_URL (or POSTGRES_HOST) and REDIS_URL
the embedded services under DEVRAG_HOME are used.
"""

from __future__ import annotations

from devrag.settings.application import *
from devrag.settings.email import *
from devrag.settings.environment import *
from devrag.settings.jobs import *
from devrag.settings.logs import *
from devrag.settings.models import *
from devrag.settings.processes import *
from devrag.settings.search import *
from devrag.settings.services import *
from devrag.settings.sign_in import *
from devrag.settings.sources import *
from devrag.settings.web import *
