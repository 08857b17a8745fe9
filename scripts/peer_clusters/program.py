"""What the program makes of many graphs: all of them are one file of pairs, in which no pair joins two graphs."""

import csv
import random
import subprocess

#: A graph has fewer vertices: the id of one is the number of its graph times this, and its own number.
ROOM = 1000
SIDES = ["left", "right"]


class Refused(Exception):
    """The program failed."""


class Pairs:
    """A file of the pairs of graphs, in a random order."""

    def __init__(self, program, graphs, folder, seed):
        self.program, self.graphs, self.folder = program, {graph.number: graph for graph in graphs}, folder
        self.has_sides = any(graph.left for graph in graphs)
        rows = [self.row(graph, pair) for graph in graphs for pair in graph.pairs]
        random.Random(f"{seed} rows").shuffle(rows)
        with open(folder / "pairs.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            sources = ["source_dataset_l", "source_dataset_r"] if self.has_sides else []
            writer.writerow(["unique_id_l", "unique_id_r", "score", *sources])
            writer.writerows(rows)

    def row(self, graph, pair):
        names = [self.name(graph, vertex) for vertex in pair[:2]]
        return [name[-1] for name in names] + [repr(pair[2])] + [name[0] for name in names if self.has_sides]

    def name(self, graph, vertex):
        """What a vertex is called: its id and, of two sides, the side before it. An id may be on both."""
        if not self.has_sides:
            return (str(graph.number * ROOM + vertex),)
        side = int(vertex >= graph.left)
        return (SIDES[side], str(graph.number * ROOM + vertex - side * graph.left))

    def clusters(self, columns=1, **options):
        """The clusters of each graph, a list for each column of the answer; `options` are those of the command."""
        given = [f"--{name.replace('_', '-')}={value}" for name, value in options.items() if value is not None]
        command = [self.program, "cluster", "pairs.csv", *given, "-o", "out", "--overwrite", "--format", "csv", "-q"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise Refused(f"sameas cluster {' '.join(given)}: {done.stderr.strip()}")
        with open(self.folder / "out" / "clusters.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))[1:]
        return [self.by_graph(rows, at - columns) for at in range(columns)]

    def by_graph(self, rows, column):
        """The clusters that a column has, as sets of vertices."""
        named = {row[column]: [] for row in rows}
        for row in rows:
            named[row[column]].append(tuple(row[:-1][: 1 + self.has_sides]))
        vertices = {self.name(graph, vertex): (number, vertex) for number, graph in self.graphs.items() for vertex in graph.joined()}
        found = {number: set() for number in self.graphs}
        for names in named.values():
            places = [vertices[name] for name in names]
            numbers = {number for number, _ in places}
            if len(numbers) > 1:
                raise Refused(f"one cluster has vertices of the graphs {sorted(numbers)}")
            found[places[0][0]].add(frozenset(vertex for _, vertex in places))
        return found
