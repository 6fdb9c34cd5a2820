"""Commands on a machine without a database: what another devrag answers over REST.

Standard library and what search and use_cases know without Django; it starts at once.
"""

from __future__ import annotations
