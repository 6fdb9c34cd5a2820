"""Mean changes of several runs, evaluate shares of it, write the best as an adapter.

    python -m training.blend BUNDLE OUTPUT ADAPTER…

Means of ADAPTERs that have the first of them are evaluated, the best one also in the
shares SHARES. What is best is told by what was kept aside and by the sets (worth_of);
printed is also what would be, were one set not asked: a choice that hangs on one set is
none. Written are the adapter, as the product ships it, and the vectors of all texts of
the sets, so that ranking can be measured with them.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from torch import Tensor

sys.path.insert(0, str(Path(__file__).parent.parent))

from training.bench import Bench, mean_of, save_change, save_vectors
from training.encoder import read_base, read_change
from training.evaluate import Sets

SHARES = (0.8, 1.2)
RANKS = (32, 64)
_LOSS = 0.003
ASIDE = ("aside mrr", "aside-change files 12")
SETS = (
    *("functions mrr", "notes mrr", "tuning ndcg", "japanese ndcg"),
    *("swe-qa files 12", "mixed ndcg"),
)


def main() -> None:
    """Write adapter.npz, and the figures and vectors of what it holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("adapters", type=Path, nargs="+")
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args()
    base = read_base(options.bundle / "weights.npz", options.device)
    bench = Bench(base, Sets(options.bundle / "sets.pkl.xz"), options.output)
    changes = {path.stem: read_change(path, base) for path in options.adapters}
    means = {
        "+".join(names): mean_of([changes[name] for name in names])
        for names in _choices(list(changes))
    }
    found = {
        name: bench.measure(name, [(1.0, mean)]).figures for name, mean in means.items()
    }
    best = _best(found)
    of_shares = {
        share: bench.measure(f"{best} × {share}", [(share, means[best])]).figures
        for share in SHARES
    }
    of_shares[1.0] = found[best]
    share = max(of_shares, key=lambda each: worth_of(of_shares[each]))
    chosen = {name: share * added for name, added in means[best].items()}
    print(json.dumps({"chosen": best, "share": share}))
    _write(chosen, bench)


def _choices(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the first alone, and it with two or more of the others."""
    first, *others = names
    for count in (0, *range(2, len(others) + 1)):
        for chosen in itertools.combinations(others, count):
            yield first, *chosen


def _best(found: Mapping[str, Mapping[str, float]]) -> str:
    """Return the best name; print which would be, were a set not asked."""
    for left_out in SETS:
        best = max(found, key=lambda name: worth_of(found[name], left_out))
        print(json.dumps({"without": left_out, "best": best}))
    return max(found, key=lambda name: worth_of(found[name]))


def _write(change: Mapping[str, Tensor], bench: Bench) -> None:
    """Write it in the smallest rank that loses next to nothing."""
    whole = worth_of(bench.measure("chosen, whole", [(1.0, change)]).figures)
    for rank in RANKS:
        path = bench.output / "adapter.npz"
        saved = save_change(change, bench.base, path, rank)
        written = bench.measure(f"chosen, rank {rank}", [(1.0, saved)])
        if worth_of(written.figures) > whole - _LOSS:
            break
    save_vectors(written.texts, bench.output)


def worth_of(figures: Mapping[str, float], left_out: str = "") -> float:
    """Return what a model is worth: half by what was kept aside, half by the sets."""
    sets = [figures[name] for name in SETS if name != left_out]
    return fmean(figures[name] for name in ASIDE) + fmean(sets)


if __name__ == "__main__":
    main()
