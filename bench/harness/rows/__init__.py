"""Every row of the benchmark, in the order of its table. A row is a name, a title, its bar, and what measures it."""

from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Row:
    """A row: `measure(settings)` returns its cases. Rows of the GPU run only if they are named; those that can be measured
    `alone` need no peers, and of ours then only these programs."""

    name: str
    title: str
    bar: str
    measure: Callable
    gpu: bool = False
    alone: bool = False
    programs: tuple = ("sameas",)


def all_rows():
    """The rows."""
    from . import adversarial, again, closure, cluster_sets, clusters, edit_join, entities, equi_join, gpu, gpu_operators
    from . import gpu_scores, growth, people, plan, publications, score_sets, scores, set_join, text_join

    modules = [equi_join, set_join, edit_join, text_join, publications, people, again, scores, score_sets, cluster_sets]
    modules += [clusters, entities, growth, plan, adversarial, closure]
    modules += [gpu, gpu_scores, gpu_operators]
    return [row for module in modules for row in module.ROWS]
