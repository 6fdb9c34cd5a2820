"""Whether a model goes round in circles: the end of its answer is one passage over and
over. Small models do, up to the limit of tokens, and each of them costs time and money.
"""

from __future__ import annotations

import math

# So many characters at the end are looked at; a circle is that long and goes round so
# often at least. Its passage has a word: rules of tables and fences may go on and on.
_SEEN = 2_400
_LONG, _OFTEN = 320, 4
_NEEDLE = 32


def goes_round(text: str) -> bool:
    """Say whether the text ends with one passage repeated many times."""
    tail = text[-_SEEN:]
    place = tail.rfind(tail[-_NEEDLE:], 0, -1)
    if len(tail) < _LONG or place < 0:
        return False
    period = len(tail) - _NEEDLE - place
    passage = tail[-period:]
    times = max(_OFTEN, math.ceil(_LONG / period))
    is_worded = any(character.isalpha() for character in passage)
    return is_worded and tail.endswith(passage * times)
