"""Clusters of random graphs by the program and by other libraries: see `scripts/check-clusters`."""
