"""python -m tests.hunt [--families einsum,views] [--count 1000] [--seed 0] [--show 5]"""

import argparse
import sys
from collections import Counter

from ..oracle import judge
from .hunt import FAMILIES, disagreement


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--families", default=",".join(FAMILIES), help="names, with commas: " + " ".join(FAMILIES))
    parser.add_argument("--count", type=int, default=1000, help="how many programs of each family")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--show", type=int, default=5, help="how many disagreements of each family are shown")
    given, torch = parser.parse_args(), judge()
    total = Counter()
    for name in given.families.split(","):
        found = [disagreement(name, seed, torch) for seed in range(given.seed, given.seed + given.count)]
        wrong = [one for one in found if one and not one.reason]
        known = sum(one is not None for one in found) - len(wrong)
        for one in sorted(wrong, key=lambda one: len(str(one)))[: given.show]:
            print(one, end="\n\n")
        print(f"{name}: {given.count} programs, {len(wrong)} disagree, {known} known", flush=True)
        total.update(programs=given.count, wrong=len(wrong), known=known)
    print(f"{total['programs']} programs, {total['wrong']} disagree, {total['known']} known")
    return bool(total["wrong"])


if __name__ == "__main__":
    sys.exit(main())
