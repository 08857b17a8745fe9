"""Made-up people, and rules that find those who come twice."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import sameas

GIVEN = ["Ann", "Bob", "Carla", "David", "Eve", "Frank", "Gül", "Hans", "Ines", "José"]
SURNAMES = ["Smith", "Jones", "Müller", "García", "Novák", "Rossi", "Olsen", "Dubois"]
CITIES = ["Berlin", "Oslo", "Porto", "Turin"]


def made_up(records: int, seed: int = 7) -> dict[str, list[Any]]:
    """Columns of people, of whom every fourth is a dirty copy of another."""
    dice = random.Random(seed)
    rows: list[list[Any]] = []
    for number in range(records):
        if number % 4 == 3:
            _, name, phone, city, born, tags = rows[dice.randrange(len(rows))]
            place = dice.randrange(len(name))
            name = name[:place] + dice.choice("aeio") + name[place + 1 :]
            rows.append([f"r{number}", name, phone if dice.random() < 0.8 else None, city, born, tags])
            continue
        name = f"{dice.choice(GIVEN)} {dice.choice(SURNAMES)}"
        phone = None if dice.random() < 0.1 else f"0{dice.randrange(10**7):07}"
        tags = dice.sample(["a", "b", "c", "d", "e"], dice.randrange(1, 4))
        rows.append([f"r{number}", name, phone, dice.choice(CITIES), 1940 + dice.randrange(60), tags])
    names = ["id", "name", "phone", "city", "born", "tags"]
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


RULES = sameas.Rules(
    {
        "same phone": "l.phone = r.phone and jaro_winkler(l.lower_name, r.lower_name) >= 0.8",
        "same city and year": "l.city = r.city and l.born = r.born and levenshtein(l.lower_name, r.lower_name) <= 1",
        "same tags": "l.city = r.city and jaccard(l.tags, r.tags) >= 1 and jaro(l.lower_name, r.lower_name) >= 0.95",
    },
    derive={"lower_name": "lower(strip_accents(name))"},
    never=["abs(l.born - r.born) > 50"],
)


@pytest.fixture(scope="session")
def people() -> dict[str, list[Any]]:
    """A few hundred people."""
    return made_up(400)


@pytest.fixture(scope="session")
def rules() -> sameas.Rules:
    """Rules for them."""
    return RULES


@pytest.fixture(scope="session")
def expected(people: dict[str, list[Any]], tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """The files of the pairs and clusters of the people."""
    return written(sameas.dedupe(people, RULES), tmp_path_factory.mktemp("expected"))


def written(run: sameas.Run, folder: Path) -> tuple[bytes, bytes]:
    """The bytes of the pairs and of the clusters."""
    run.pairs.write(folder / "pairs.csv")
    run.clusters.write(folder / "clusters.csv")
    return (folder / "pairs.csv").read_bytes(), (folder / "clusters.csv").read_bytes()
