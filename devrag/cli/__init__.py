"""The commands that a devrag answers in process or, elsewhere, over REST.

`commands` reads options and prints answers, once for both; `interfaces` has what they
need of a backend; `local` and `remote` are the two backends. Neither `commands` nor
`remote` loads Django or a database driver. Commands that work on one machine only, such
as `doctor` or `backup`, are management commands of the package that they belong to.
"""

from __future__ import annotations
