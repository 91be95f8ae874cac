"""Benches: what recollect costs, beside the design it replaces. `python -m bench --help` says which there are."""
