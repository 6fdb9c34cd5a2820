"""Mean changes of several runs, evaluate shares of it, write the adapter.

    python -m training.blend BUNDLE OUTPUT ADAPTER… [--share 1.0] [--vectors]

The adapter is what the product ships. --vectors: also write the vectors of all texts of
the sets, so that ranking can be measured with them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from training.bench import Bench, mean_of, save_change, save_vectors
from training.encoder import read_base, read_change
from training.evaluate import Sets


def main() -> None:
    """Write adapter.npz, and the figures of what it holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("adapters", type=Path, nargs="+")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--vectors", action="store_true")
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args()
    base = read_base(options.bundle / "weights.npz", options.device)
    bench = Bench(base, Sets(options.bundle / "sets.pkl.xz"), options.output)
    mean = mean_of([read_change(path, base) for path in options.adapters])
    shared = {name: options.share * added for name, added in mean.items()}
    saved = save_change(shared, base, options.output / "adapter.npz")
    texts = bench.measure(f"mean × {options.share}", [(1.0, saved)])
    if options.vectors:
        save_vectors(texts, options.output, parts=2)


if __name__ == "__main__":
    main()
