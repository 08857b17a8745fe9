#!/usr/bin/env python3
"""DBLP and ACM a hundred times over: every record copied, three to five words of each title replaced.

    python3 bench/harness/scale_publications.py --data DATA/dblp_acm --output FOLDER [--times 100]

Words come from all titles of both tables, as often as they occur there. Writes `a.csv` and `b.csv` row by row, with the
columns of the originals; one seed always makes the same bytes. Standard library only, so that any machine can make them.
"""

import argparse
import csv
import random
from pathlib import Path

TIMES = 100
SEED = 20_260_101
# The least and the most words of a title that are replaced; of a shorter title, all.
REPLACED = (3, 5)


def scale(data, output, times=TIMES, seed=SEED):
    """Writes both tables and returns their paths."""
    output.mkdir(parents=True, exist_ok=True)
    tables = {name: _read(data / f"{name}.csv") for name in ("a", "b")}
    words = [word for rows in tables.values() for row in rows for word in row["title"].split()]
    # Only `random()` is promised to give the same numbers in every version of Python.
    chance = random.Random(seed).random
    for name, rows in tables.items():
        unfinished = output / f"{name}.part"
        with open(unfinished, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            for row in rows:
                writer.writerows(_copy(row, number, words, chance) for number in range(times))
        unfinished.rename(output / f"{name}.csv")
    return [output / f"{name}.csv" for name in tables]


def _read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _copy(row, number, words, chance):
    title = row["title"].split()
    places = list(range(len(title)))
    least, most = REPLACED
    for _ in range(min(least + int(chance() * (most - least + 1)), len(title))):
        place = places.pop(int(chance() * len(places)))
        title[place] = words[int(chance() * len(words))]
    return row | {"id": f"{row['id']}#{number}", "title": " ".join(title)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of dblp_acm: a.csv and b.csv")
    parser.add_argument("--output", type=Path, required=True, help="folder to write to")
    parser.add_argument("--times", type=int, default=TIMES, help="copies of each record [default: %(default)s]")
    parser.add_argument("--seed", type=int, default=SEED, help="the same seed makes the same bytes")
    options = parser.parse_args()
    for path in scale(options.data, options.output, options.times, options.seed):
        print(path)


if __name__ == "__main__":
    main()
