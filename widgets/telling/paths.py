"""Along how many paths a gradient comes to a node.

>>> paths = Paths()
>>> paths.start("loss")
>>> for sender, target in [("loss", "b"), ("loss", "c"), ("b", "a"), ("c", "a"), ("c", "a")]:
...     paths.send(sender, target)
>>> paths.of("a").count, paths.of("a").uses, paths.of("a").users
(3, 3, {'b': 1, 'c': 2})
"""

from collections.abc import Hashable
from dataclasses import dataclass, field

FEW = 12  # paths that a person counts
NODES = 24  # nodes on them, at most; beyond, nobody is asked


@dataclass
class Ways:
    """The paths to one node, the arrows at their ends, and what lies on them."""

    count: int = 0
    uses: int = 0
    users: dict[Hashable, int] = field(default_factory=dict)  # how many paths lead to each
    nodes: set[Hashable] = field(default_factory=set)


class Paths:
    """The paths of one backward, counted as the parts are sent: by then all paths to the sender are known."""

    def __init__(self) -> None:
        self._ways: dict[Hashable, Ways] = {}

    def of(self, node: Hashable) -> Ways:
        """The paths to a node; none where they are too many to be counted."""
        ways = self._ways.get(node, Ways())
        return ways if len(ways.nodes) <= NODES else Ways()

    def start(self, node: Hashable) -> None:
        self._ways.setdefault(node, Ways()).count += 1

    def send(self, sender: Hashable, target: Hashable) -> None:
        above, ways = self._ways.get(sender, Ways()), self._ways.setdefault(target, Ways())
        ways.count += above.count
        ways.uses += 1
        ways.users[sender] = ways.users.get(sender, 0) + above.count
        if len(ways.nodes) <= NODES:
            ways.nodes |= above.nodes | {sender}
