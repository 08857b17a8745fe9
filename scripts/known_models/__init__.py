"""Random tables whose m and u are known, and what a model that was trained on one says of them: see `scripts/check-models`."""
