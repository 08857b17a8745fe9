"""Scored pairs on the GPU, compared with the CPU in the same run: training and scoring."""

import dataclasses

from .. import inputs
from ..case import case, ratio
from ..measure import interleave
from ..settings import SCORES
from . import Row
from .gpu import both_clocks
from .scores import blocking_rules, scored


def _measured(settings, title, name, table, rules, learns=True):
    """Cases of one job: whole processes, scoring after load, and training."""
    contestants = [scored(name, table, rules, settings, learns, device) for device in ("cuda", "cpu")]
    interleave(contestants, settings)
    cases = both_clocks(title, contestants, 0)
    cases[1]["verdict"] = ""
    return cases + ([_training(title, contestants)] if learns else [])


def _training(title, contestants):
    mine, *rivals = (dataclasses.replace(each, seconds=lambda run: run.parts[0]) for each in contestants)
    found = case(f"{title}, training, whole process", mine, rivals, notes=[])
    found["ratio"] = "<br>".join(ratio(found["ours"], peer)[1] for peer in found["peers"])
    return found


def measure(settings):
    """The jobs of the rows `scores_*`."""
    many, cds = settings.size(1_000_000, 20_000), settings.size(1_800_000, 20_000)
    incomplete = f"{many:,} people, a fifth of the values missing, no blocking"
    complete = SCORES / "people_complete.toml"
    return [
        *_measured(settings, f"{many:,} people, blocking rules", "gpu_scores_people", inputs.people(many), blocking_rules()),
        *_measured(settings, incomplete, "gpu_scores_complete", inputs.incomplete_people(many), complete),
        *_measured(settings, f"{cds:,} CDs", "gpu_scores_cds", inputs.cds(cds), SCORES / "cds.toml", learns=False),
    ]


def large(settings):
    """Ten million people and 12 billion candidates."""
    count = settings.size(10_000_000, 20_000)
    rules = SCORES / "people_10m.toml"
    return _measured(settings, f"{count:,} people, blocking rules", "gpu_scores_10m", inputs.people(count), rules)


BAR = "the CPU's bytes of model and pairs"
ROWS = [
    Row("gpu_scores", "the jobs of scores_people, scores_complete and scores_cds, GPU and CPU", BAR, measure, gpu=True),
    Row("gpu_scores_10m", "10 M people, a model trained and 12 billion candidates scored, GPU and CPU", BAR, large, gpu=True),
]
