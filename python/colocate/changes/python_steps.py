"""Steps that are Python functions: of the rows one by one, or of Arrow batches of them.

Steps that follow each other become one function before they are sent to executors, see
python_runs.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from types import CodeType
from typing import TYPE_CHECKING, Any, cast

from colocate import arguments

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

    Schema = StructType | str

SCHEMA = "a StructType or a text such as 'k string, v double', with at least one column"


@dataclass(frozen=True)
class PythonStep:
    """A step that is a function, and the schema of the rows that it gives.

    `own` says what stands beside a row: `__diff` in the pairs of explode(), `__time` and `__diff`
    in the triples of join_function(). A function of batches may give columns of these instead.
    """

    name: str
    function: Callable[..., Any]
    schema: Any = None
    """None where rows stay as they are."""
    own: tuple[str, ...] = ()
    batches: bool = False

    @property
    def told(self) -> str:
        """The step and its function, for errors: `map() by priced (orders.py:12)`."""
        return f"{self.name}() by {_described(self.function)}"


def python_step(
    name: str, own: tuple[str, ...], function: object, schema: object = None
) -> PythonStep:
    """Describe a step of rows; ValueError for what is no function, and for a schema that is none.

    `own` is what stands beside the rows that it gives, see `PythonStep`.
    """
    _check(name, function, "of a row", schema)
    return PythonStep(name, cast("Callable[..., Any]", function), schema, own)


def batch_step(name: str, function: object, schema: object) -> PythonStep:
    """Describe a step of Arrow batches; ValueError likewise."""
    _check(name, function, "of an Arrow batch", schema)
    return PythonStep(name, cast("Callable[..., Any]", function), schema, batches=True)


def is_function(value: object) -> bool:
    """Say whether a value of the user's is a function of rows; a Column is none."""
    from pyspark.sql import Column

    return callable(value) and not isinstance(value, Column)


def _check(name: str, function: object, of: str, schema: object) -> None:
    from pyspark.sql.types import StructType

    if not is_function(function):
        raise ValueError(
            f"{name}() is given {arguments.described(function)}; accepted: a function {of}."
        )
    if not isinstance(schema, (str, StructType)):
        raise ValueError(
            f"the schema of {name}() is {arguments.described(schema)}; accepted: {SCHEMA}."
        )


def parsed(step: PythonStep) -> StructType:
    """Return the schema that a step declares; ValueError where it cannot be read."""
    from pyspark.sql.types import StructType

    found, cause = step.schema, None
    if isinstance(found, str):
        try:
            found = StructType.fromDDL(found)
        except Exception as error:  # Spark's parser, here or behind Spark Connect
            found, cause = None, error
    if not isinstance(found, StructType) or not found.fields:
        given = arguments.described(step.schema)
        raise ValueError(f"the schema of {step.name}() is {given}; accepted: {SCHEMA}.") from cause
    return found


def _described(function: Any) -> str:
    """Say which function it is, and where it stands."""
    while isinstance(function, functools.partial):
        function = function.func
    named = function if hasattr(function, "__qualname__") else type(function)
    code = getattr(function, "__code__", None) or getattr(type(function).__call__, "__code__", None)
    name = str(named.__qualname__)
    if not isinstance(code, CodeType):
        return name
    return f"{name} ({PurePath(code.co_filename).name}:{code.co_firstlineno})"
