"""Scalar Python functions, of which Colocate proves that they return one of their arguments."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import update_wrapper
from typing import TYPE_CHECKING, Any

from colocate import arguments
from colocate.claims.analysis.analyse import Analysis, Kind, analyse
from colocate.claims.handover import KEY, new_mark
from colocate.claims.keeps import declared
from colocate.claims.proof import proven_path
from colocate.claims.rows import checks
from colocate.claims.scalar_loops import scalar_loop
from colocate.claims.types import Way, exact, needs_values

if TYPE_CHECKING:
    from pyspark.sql import Column
    from pyspark.sql.types import DataType

# Spark's numbers of the kinds of functions: with how their values get there and back.
_WAYS = {100: Way.VALUES, 101: Way.VALUES, 200: Way.PANDAS, 250: Way.ARROW}


@dataclass(frozen=True)
class Scalar:
    """What `udf`, `pandas_udf` and `arrow_udf` give: a function, and how Spark calls it."""

    function: Callable[..., Any]
    returns: DataType
    number: int
    deterministic: bool

    @property
    def way(self) -> Way:
        """How values get to the function and back."""
        return _WAYS[self.number]

    def analysis(self) -> Analysis:
        """Return what is proven of the value that it gives."""
        return analyse(self.function, Kind.SERIES if self.way is Way.PANDAS else Kind.VALUES)

    def returned(self, analysis: Analysis) -> int | None:
        """Return the place of the argument that it returns; None if nothing may be claimed."""
        if not exact(self.returns, self.way):
            return None
        path = proven_path(analysis.row)
        said = declared(self.function)
        if path is None and said is not None and said.rely and len(said.columns) == 1:
            path = tuple(said.columns.values())
        names = list(inspect.signature(self.function).parameters)
        return names.index(str(path[0])) if path and len(path) == 1 and path[0] in names else None


def scalar_of(function: object) -> Scalar | None:
    """Return what a scalar function of Spark's is; None of anything else."""
    number, inner = getattr(function, "evalType", None), getattr(function, "func", None)
    if number not in _WAYS or not callable(inner):
        return None
    deterministic = getattr(function, "deterministic", True)
    return Scalar(inner, function.returnType, number, deterministic)  # type: ignore[attr-defined]


def returning(function: Callable[..., Column]) -> Callable[..., Column]:
    """Follow the argument that a scalar function returns: rows lie by the one as by the other.

    It takes what `udf`, `pandas_udf` or `arrow_udf` gives, and gives a function that is used as
    that is::

        @colocate.returning
        @F.udf("string")
        def checked(code):
            if not code.isascii():
                raise ValueError(code)
            return code

        placed = orders.repartition("code")
        placed.select(checked("code").alias("code"), "total").groupBy("code").count()

    Over Spark Connect it has to be taken by `select`: `withColumn` loses what is known.

    What is not proven to be an argument is what it would be without. `colocate.explain_function`
    tells which; `colocate.keeps("code", rely=True)`, nearest to the function, declares it.

    Raises ValueError where `function` is none of these: a function of iterators, or of groups, or
    one that Spark does not know yet.
    """
    scalar = scalar_of(function)
    if scalar is None:
        raise ValueError(
            f"function is {arguments.described(function)}; accepted: what udf, pandas_udf or "
            "arrow_udf give for a function of values, of Series or of arrays."
        )
    analysis = scalar.analysis()
    place = scalar.returned(analysis)

    def called(*columns: Any, **named: Any) -> Column:
        if place is None or named or place >= len(columns):
            return function(*columns, **named)
        return _claimed(scalar, analysis, place, columns)

    update_wrapper(called, function)
    return called


def _claimed(scalar: Scalar, analysis: Analysis, place: int, columns: tuple[Any, ...]) -> Column:
    name = getattr(scalar.function, "__name__", "function")
    told = f"{analysis.name} ({analysis.site})" if analysis.site else analysis.name
    mark = new_mark()
    loop = scalar_loop(scalar.function, place, told, _checks())
    loop.__name__ = name
    loop.colocate_mark = mark  # type: ignore[attr-defined]
    claim = {
        "v": 1,
        "place": place,
        "name": "",
        "function": analysis.name,
        "site": analysis.site,
        "mark": hashlib.sha256(mark.encode()).hexdigest(),
        "notNull": needs_values(scalar.returns, scalar.way),
    }
    shown = ", ".join(_shown(column) for column in columns)
    made = _spark_function(scalar, loop)(*columns)
    return made.alias(f"{name}({shown})", metadata={KEY: claim})


def _spark_function(scalar: Scalar, loop: Callable[..., Any]) -> Callable[..., Column]:
    """Return the loop as the kind of function that the user's is."""
    from pyspark.sql import functions as F

    made: Any
    if scalar.way is Way.PANDAS:
        import pandas as pd

        loop.__annotations__ = {"given": pd.Series, "return": pd.Series}
        made = F.pandas_udf(loop, scalar.returns)  # type: ignore[attr-defined]
    elif scalar.way is Way.ARROW:
        import pyarrow as pa

        loop.__annotations__ = {"given": pa.Array, "return": pa.Array}
        made = F.arrow_udf(loop, scalar.returns)  # type: ignore[attr-defined]
    else:
        made = F.udf(loop, scalar.returns, useArrow=scalar.number == 101)
    found: Callable[..., Column] = made if scalar.deterministic else made.asNondeterministic()
    return found


def _checks() -> bool:
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    return session is not None and checks(session)


def _shown(column: Any) -> str:
    return column if isinstance(column, str) else str(column).removeprefix("Column<'")[:-2]
