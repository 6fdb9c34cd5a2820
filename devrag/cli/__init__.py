"""The commands that a devrag answers in process or, elsewhere, over REST.

`commands` reads options and prints answers, once for both; `backend` says what commands
need; `local` and `remote` are its two implementations. What follows `remote` here loads
neither Django nor a database driver. Commands that only work on the data of a machine,
as `doctor` or `backup`, are management commands of the package that they belong to.
"""

from __future__ import annotations
