"""The driver of the benchmarks: inputs, peers, measurements, results. Standard library only."""
