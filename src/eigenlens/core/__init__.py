"""What every room stands on: validation, numerics, threads, memory, progress, errors."""
