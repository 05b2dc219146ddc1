"""Short programs to learn `colocate.changes` from; `docs/changes.md` has a line for each.

Each runs by itself, as `python -m examples.triangles --batches 5`, and holds its answer against
what Spark alone computes anew. It ends with 1 where the two differ.
"""
