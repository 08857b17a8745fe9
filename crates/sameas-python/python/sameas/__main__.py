"""``python -m sameas`` is the command ``sameas``."""

from ._cli import main

main()
