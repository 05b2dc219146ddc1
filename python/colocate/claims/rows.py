"""Python functions over the rows of a frame, of which Colocate proves what they hand through."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from colocate import arguments
from colocate.claims.analysis.analyse import Kind, analyse
from colocate.claims.analysis.values import Part
from colocate.claims.handover import claiming, new_mark, without_claims
from colocate.claims.loops import row_loop
from colocate.claims.proof import Proof, prove, proven_path, shape_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

CHECK = "spark.colocate.python.check"


class Rows:
    """The rows of a frame, to be handed to a Python function one by one.

    A function is given a named tuple: `row.a`, `row["a"]` and `row[0]` are its first field. It
    gives a tuple or a list, whose fields are taken by place, or a dict, a named tuple, a Row or an
    object of a dataclass, whose fields are taken by name and must be those of the schema.

    What is proven of the function, or declared by `colocate.keeps`, makes shuffles needless above
    it; `colocate.explain_function` tells it.
    """

    def __init__(self, df: DataFrame) -> None:
        self._df = df

    def map(self, f: Callable[[Any], Any], schema: StructType | str | None = None) -> DataFrame:
        """Return the row that `f` gives for each row; None is an error.

        `schema` is that of the rows which `f` gives, a StructType or a text such as
        "a int, total double". It can be left out where each field is proven to be a column.

        Raises ValueError for an argument that is not accepted; the message names it.
        """
        return self._run(f, schema, Kind.MAP)

    def filter_map(
        self, f: Callable[[Any], Any], schema: StructType | str | None = None
    ) -> DataFrame:
        """Return the rows that `f` gives; where it gives None there is none. See `map`."""
        return self._run(f, schema, Kind.FILTER_MAP)

    def flat_map(
        self, f: Callable[[Any], Any], schema: StructType | str | None = None
    ) -> DataFrame:
        """Return all rows that `f` gives for each row: it returns several, or yields them.

        See `map` for the rest.
        """
        return self._run(f, schema, Kind.FLAT_MAP)

    def _run(
        self, f: Callable[[Any], Any], schema: StructType | str | None, kind: Kind
    ) -> DataFrame:
        if not callable(f):
            raise ValueError(f"f is {arguments.described(f)}; accepted: a function of a row.")
        given = self._df.schema
        wanted = _inferred(f, kind, given) if schema is None else as_schema(schema)
        arguments.distinct("schema", self._df.sparkSession, wanted.names)
        proof = prove(f, kind, given, wanted)
        mark = new_mark()
        check = proof.kept if checks(self._df.sparkSession) else {}
        loop = row_loop(f, kind.value, given, wanted, check, told(proof), bool(proof.kept))
        return marked(
            lambda f, s: self._df.mapInArrow(f, s), loop, wanted, proof, [given.names], mark
        )


def rows(df: DataFrame) -> Rows:
    """Hand the rows of a frame to a Python function, of which Colocate proves what it keeps.

    A key that is kept needs no shuffle above the function::

        def priced(row):
            return {"customer": row.customer, "total": row.price * row.count}

        totals = colocate.rows(orders).map(priced, "customer long, total double")
        totals.groupBy("customer").sum("total")      # no shuffle if orders lie by customer

    Raises ValueError where `df` is no Spark DataFrame, or has two columns of one name.
    """
    frame = arguments.frame("df", df)
    arguments.distinct("df", frame.sparkSession, frame.columns)
    return Rows(frame)


def as_schema(schema: object) -> StructType:
    """Return a schema that was given as such or as a text; ValueError for anything else."""
    from pyspark.sql.types import StructType

    found = StructType.fromDDL(schema) if isinstance(schema, str) else schema
    if not isinstance(found, StructType) or not found.fields:
        raise ValueError(
            f"schema is {arguments.described(schema)}; accepted: a StructType or a text such as "
            "'a int, b string', with at least one column."
        )
    return found


def checks(spark: SparkSession) -> bool:
    """Say whether claims are to be held against the rows."""
    text = str(spark.conf.get(CHECK, "false")).strip().lower()
    if text not in ("true", "false"):
        raise ValueError(f"{CHECK} is {text!r}; accepted: true or false (default: false).")
    return text == "true"


def marked(
    run: Callable[[Callable[..., Any], StructType], DataFrame],
    loop: Callable[..., Any],
    schema: StructType,
    proof: Proof,
    given: list[list[str]],
    mark: str,
) -> DataFrame:
    """Run a loop with the claims of a proof; they are seen by the planner alone."""
    if not proof.kept:
        return run(loop, schema)
    loop.colocate_mark = mark  # type: ignore[attr-defined]
    return without_claims(run(loop, claiming(schema, proof, given, mark)), schema)


def told(proof: Proof) -> str:
    return f"{proof.function} ({proof.site})" if proof.site else proof.function


def _inferred(f: Callable[[Any], Any], kind: Kind, given: StructType) -> StructType:
    """Return the schema of a function's rows, each field of which is a column it was given."""
    from pyspark.sql.types import StructField, StructType

    analysis = analyse(f, kind, shape_of(given))
    parts = analysis.row.parts or analysis.lattice.parts(analysis.row)
    if parts is None or analysis.row.open:
        raise ValueError(
            f"schema is None; accepted: a schema, as that of {analysis.name} cannot be told "
            f"({analysis.row.why})."
        )
    fields = []
    for place, part in enumerate(parts):
        path = proven_path(part.value)
        if path is None or len(path) != 1 or path[0] not in given.names:
            raise ValueError(
                f"schema is None; accepted: a schema, as {_field(part, place)} of {analysis.name} "
                f"is no column of the input ({part.value.why})."
            )
        source = given[str(path[0])]
        fields.append(StructField(part.name or source.name, source.dataType, source.nullable))
    return StructType(fields)


def _field(part: Part, place: int) -> str:
    return f"the field {part.name}" if part.name is not None else f"field {place}"
