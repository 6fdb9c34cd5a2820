"""Names of methods that say nothing of the type they belong to."""

from __future__ import annotations

# Methods that the standard types of many languages have: no guess is made of them.
_COMMON_METHOD_NAMES = (
    "get set add append extend insert remove delete pop push clear copy update "
    "keys values items join split strip trim replace format encode decode read "
    "write close open flush seek send receive recv put peek start stop run next "
    "length size map filter forEach reduce find some every includes contains "
    "indexOf slice concat then catch finally toString equals hashCode compareTo "
    "iterator hasNext apply accept test call bind match search group sort reverse "
    "count index wait acquire release lock unlock cancel done result exists mkdir "
    "name error errorf log info debug create save load execute commit fetch parse "
    "build init setup reset clone unwrap iter into collect len is_empty as_str "
    "lower upper startswith endswith Close Read Write String Error Errorf Fatal "
    "Fatalf Log Run Add Get Set Len Lock Unlock Done Wait Next Scan Query Exec "
    "Format Equals ToString Dispose Contains Select Where First Any All Invoke "
    "ToList Count Remove Clear"
)
COMMON_METHODS = frozenset(_COMMON_METHOD_NAMES.split())
