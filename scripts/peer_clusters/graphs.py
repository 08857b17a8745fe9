"""Random graphs: with ties, repeated pairs and negative weights."""

import random
from dataclasses import dataclass, field

#: Weights are multiples of one of these: coarse ones are often equal. All are exact as floats, and so are sums of them.
STEPS = [2, 4, 64, 4096]
#: Weights are from minus this number to this number.
MOST = 4
#: The weights of some graphs are decimals, which floats round.
DECIMALS = 3


@dataclass
class Graph:
    """Vertices from 0 on, and pairs with their weights; a pair may come again, either way round, with another weight."""

    number: int
    vertices: int
    pairs: list = field(default_factory=list)
    #: How many of the vertices, the first ones, are of the left source, where there are two.
    left: int = 0

    def strongest(self, threshold=None):
        """The highest weight of each pair, the lower vertex first, of those that reach a threshold."""
        found = {}
        for a, b, weight in self.pairs:
            if threshold is None or weight >= threshold:
                key = (min(a, b), max(a, b))
                found[key] = max(weight, found.get(key, weight))
        return found

    def joined(self):
        """The vertices of any pair."""
        return sorted({vertex for a, b, _ in self.pairs for vertex in (a, b)})


def sparse(seed, number):
    """Any pairs of up to forty vertices."""
    rng = random.Random(f"{seed} sparse {number}")
    vertices = rng.randint(2, 40)
    wanted = rng.randint(1, rng.choice([vertices, 3 * vertices]))
    ends = [rng.sample(range(vertices), 2) for _ in range(wanted)]
    return finished(rng, Graph(number, vertices), ends, weights(rng, has_decimals=True))


def two_sided(seed, number):
    """Pairs of up to twelve vertices with up to twelve others, few of them or nearly all."""
    rng = random.Random(f"{seed} two-sided {number}")
    left, right = rng.randint(1, 12), rng.randint(1, 12)
    share = rng.choice([0.15, 0.4, 0.9])
    ends = [[a, left + b] for a in range(left) for b in range(right) if rng.random() < share]
    return finished(rng, Graph(number, left + right, left=left), ends or [[0, left]], weights(rng, has_decimals=True))


def complete(seed, number):
    """Every pair of up to twenty vertices. Weights have no decimals: floats are to have the ties that there are."""
    rng = random.Random(f"{seed} complete {number}")
    vertices = rng.randint(2, 20)
    ends = [[a, b] for a in range(vertices) for b in range(a + 1, vertices)]
    return finished(rng, Graph(number, vertices), ends, weights(rng, has_decimals=False))


def weights(rng, has_decimals):
    """What draws the weights of a graph."""
    if has_decimals and rng.random() < 0.25:
        return lambda: round(rng.uniform(-MOST, MOST), DECIMALS)
    step = rng.choice(STEPS)
    return lambda: rng.randint(-MOST * step, MOST * step) / step


def finished(rng, graph, ends, draw):
    """The graph with these pairs, some of them again, in any order and any way round."""
    again = [pair for pair in ends if rng.random() < 0.15]
    for a, b in ends + again:
        graph.pairs.append((a, b, draw()) if rng.random() < 0.5 else (b, a, draw()))
    rng.shuffle(graph.pairs)
    return graph
