"""`python -m devrag`: the same as the `devrag` console script."""

from __future__ import annotations

from devrag.command_line import main

if __name__ == "__main__":
    main()
