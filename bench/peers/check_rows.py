"""The number of pairs in a text file of pairs of rows, one `a,b` per line, and their hash as the peers compute it.

    check_rows.py FILE
"""

import sys

import numpy as np
from common import digest, report

with open(sys.argv[1], encoding="ascii") as file:
    rows = np.fromstring(file.read().replace("\n", ","), dtype=np.int64, sep=",")
left, right = rows[0::2], rows[1::2]
report(pairs=len(left), digest=digest(left, right))
