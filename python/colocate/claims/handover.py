"""Hands a proof to Spark's planner: metadata of the output columns, bound to one function.

Metadata travels: into cached frames, saved tables and schemas that are used again. So a claim names
a secret that only the function holds for which it was made; the planner looks for it in the bytes
of the function that runs, and a schema alone claims nothing.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, Any

from colocate.claims.proof import Proof
from colocate.names import quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

KEY = "colocate.kept"
"""The key of a claim in a column's metadata; PythonClaims.scala reads it."""

MARK = "colocate-mark:"
"""What stands before the secret in the bytes of a function."""


def new_mark() -> str:
    """Return a secret for one use of one function."""
    return MARK + secrets.token_hex(16)


def claiming(schema: StructType, proof: Proof, given: list[list[str]], mark: str) -> StructType:
    """Return the schema with a claim in each column that is kept.

    `given` are the names of the columns that Spark hands to the function, in their order, for each
    frame that it is of.
    """
    from pyspark.sql.types import StructField, StructType

    digest = hashlib.sha256(mark.encode()).hexdigest()
    fields = []
    for field in schema.fields:
        metadata: dict[str, Any] = dict(field.metadata or {})
        metadata.pop(KEY, None)
        column = next(c for c in proof.columns if c.name == field.name)
        if column.source is not None:
            before = sum(len(names) for names in given[: column.frame])
            metadata[KEY] = {
                "v": 1,
                "place": before + given[column.frame].index(column.source),
                "name": column.source,
                "function": proof.function,
                "site": proof.site,
                "mark": digest,
            }
        fields.append(StructField(field.name, field.dataType, field.nullable, metadata))
    return StructType(fields)


def without_claims(df: DataFrame, schema: StructType) -> DataFrame:
    """Return the frame with the metadata of `schema` alone, so that no claim leaves the query."""
    from pyspark.sql import functions as F

    return df.select(
        *(
            F.col(quoted(f.name)).alias(f.name, metadata=dict(f.metadata or {}))
            for f in schema.fields
        )
    )
