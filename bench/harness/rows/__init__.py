"""Every row of the benchmark, in the order of its table. A row is a name, a title, its bar, and what measures it."""

from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Row:
    """A row: `measure(settings)` returns its cases. Rows of the GPU run only if they are named."""

    name: str
    title: str
    bar: str
    measure: Callable
    gpu: bool = False


def all_rows():
    """The rows."""
    from . import adversarial, closure, edit_join, equi_join, gpu, gpu_operators, growth, people, plan, publications, set_join
    from . import text_join

    modules = [equi_join, set_join, edit_join, text_join, publications, people, growth, plan, adversarial, closure]
    modules += [gpu, gpu_operators]
    return [row for module in modules for row in module.ROWS]
