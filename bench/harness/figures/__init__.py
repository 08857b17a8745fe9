"""Tables of figures in README.md and docs/, written from bench/results, so that no page has a figure that was not measured."""


class FiguresError(Exception):
    """A table that cannot be written, and what there is instead of what it asks for."""


def missing(what, name, known):
    """The error that something is not there."""
    return FiguresError(f"no {what} `{name}`; there are: {', '.join(f'`{each}`' for each in known) or 'none'}")
