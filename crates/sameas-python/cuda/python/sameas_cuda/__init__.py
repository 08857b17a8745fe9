"""The compiled module of the package ``sameas`` with kernels for NVIDIA GPUs; ``import sameas`` takes it from here."""
