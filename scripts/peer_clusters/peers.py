"""What other libraries say of the same graphs, and whether the program agrees."""

from dataclasses import dataclass, field
from fractions import Fraction

import networkx
import numpy
import scipy
from scipy.cluster.hierarchy import fcluster, linkage

from .definition import united

#: A weight is counted in whole multiples of 2^-32, the nearest one.
ONE = 2**32


@dataclass
class Compared:
    """What came of a clustering: how many cases there were, those of them that a tie decides, and what was wrong."""

    clustering: str
    peer: str
    cases: int = 0
    tied: int = 0
    wrong: list = field(default_factory=list)


def networkx_graph(graph, threshold):
    """The strongest pairs, with what they count."""
    made = networkx.Graph()
    made.add_nodes_from(graph.joined())
    made.add_weighted_edges_from((a, b, units(weight)) for (a, b), weight in graph.strongest(threshold).items())
    return made


def units(weight):
    return round(Fraction(weight) * ONE)


def compare_components(pairs, thresholds):
    """Connected components, at all thresholds in one run."""
    compared = Compared("components", f"NetworkX {networkx.__version__}")
    at_thresholds = pairs.clusters(columns=len(thresholds), threshold=",".join(map(repr, thresholds)))
    for threshold, found in zip(thresholds, at_thresholds):
        for number, graph in pairs.graphs.items():
            theirs = {frozenset(component) for component in networkx.connected_components(networkx_graph(graph, threshold))}
            compared.cases += 1
            if found[number] != theirs:
                compared.wrong.append(f"graph {number} at {threshold}: {shown(found[number])}, not {shown(theirs)}")
    return compared


def compare_optimal(pairs, thresholds):
    """The sums of optimal pairs, component by component: several choices may have the same."""
    compared = Compared("optimal", f"NetworkX {networkx.__version__}")
    for threshold in thresholds:
        found = pairs.clusters(method="optimal", threshold=threshold)[0]
        for number, graph in pairs.graphs.items():
            whole = networkx_graph(graph, threshold)
            for component in networkx.connected_components(whole):
                part = shifted(whole.subgraph(component))
                theirs = sum(part.edges[pair]["weight"] for pair in networkx.max_weight_matching(part))
                ours = sum_of(part, [cluster for cluster in found[number] if cluster <= component], component)
                compared.cases += part.number_of_edges() > 0
                if ours != theirs:
                    place = f"graph {number} at {threshold}, component {sorted(component)}"
                    compared.wrong.append(f"{place}: {ours}, not {theirs}")
    return compared


def shifted(component):
    """The same with weights from one unit on: less the least weight."""
    made = networkx.Graph(component)
    least = min((weight for _, _, weight in made.edges.data("weight")), default=0)
    made.update(edges=[(a, b, {"weight": weight - least + 1}) for a, b, weight in made.edges.data("weight")])
    return made


def sum_of(part, clusters, component):
    """What the pairs of a component count together; the reason if they are no such pairs."""
    if frozenset().union(*clusters) != component:
        return "clusters that lead out of the component"
    chosen = [tuple(cluster) for cluster in clusters if len(cluster) > 1]
    if any(len(cluster) > 2 or not part.has_edge(*cluster[:2]) for cluster in chosen):
        return f"clusters that are no pairs: {shown(clusters)}"
    return sum(part.edges[pair]["weight"] for pair in chosen)


def compare_linkage(pairs, kind, thresholds):
    """A linkage of complete graphs, cut at thresholds. Floats blur averages, and of equals other ones may come first: where the two
    differ, the definition decides, and only where it knows of a tie."""
    compared = Compared(kind, f"scipy {scipy.__version__}")
    for least in thresholds:
        found = pairs.clusters(method=kind, least=least)[0]
        for number, graph in pairs.graphs.items():
            compared.cases += 1
            theirs = cut_dendrogram(graph, kind, least)
            if found[number] == theirs:
                continue
            defined, is_tied = united(graph, kind, least)
            if found[number] == defined and is_tied:
                compared.tied += 1
                continue
            place = f"graph {number} at {least}: {shown(found[number])}"
            compared.wrong.append(f"{place}; scipy has {shown(theirs)}, the definition {shown(defined)}")
    return compared


def cut_dendrogram(graph, kind, least):
    """The clusters of scipy: weights become distances from the highest one."""
    weights = graph.strongest()
    highest = max(weights.values())
    between = [weights[a, b] for a in range(graph.vertices) for b in range(a + 1, graph.vertices)]
    labels = fcluster(linkage(highest - numpy.array(between), method=kind), highest - least, criterion="distance")
    return {frozenset(numpy.flatnonzero(labels == label).tolist()) for label in set(labels.tolist())}


def shown(clusters):
    return " ".join(str(cluster) for cluster in sorted(map(sorted, clusters)))
