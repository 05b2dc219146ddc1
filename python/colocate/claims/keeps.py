"""What a user says of a function that its analysis cannot see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakKeyDictionary, ref

from colocate import arguments

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Declaration:
    """The columns that a function hands through, each with the input column that it is."""

    columns: dict[str, str]
    rely: bool
    of: ref[Any]


# Not an attribute: functools.wraps would copy it to a wrapper, of which nobody said anything.
_declared: WeakKeyDictionary[Any, Declaration] = WeakKeyDictionary()


def keeps(*columns: str, rely: bool = False, **renamed: str) -> Callable[[Function], Function]:
    """Declare which columns a function hands through unchanged, where analysis cannot see it.

    With `rely=True` Colocate plans with it: if it is not true, rows are lost or come twice, as with
    any wrong promise to an optimiser; `spark.colocate.python.check=true` holds each value against
    it. Without, it is only told by `colocate.explain_function`::

        @colocate.keeps("customer", rely=True)
        def scored(row): ...

        @colocate.keeps(client="customer", rely=True)      # the output column client is customer
        def renamed(row): ...

    Raises ValueError where no column is named, one is named twice or is no text, `rely` is no
    bool, or what is decorated cannot be called or carry the declaration.
    """
    names = {**{c: c for c in columns if isinstance(c, str)}, **renamed}
    for name in (*columns, *renamed.values()):
        if not isinstance(name, str) or not name:
            raise ValueError(f"columns has {arguments.described(name)}; accepted: column names.")
    if not names:
        raise ValueError("columns is empty; accepted: the name of at least one column.")
    if len(names) < len(columns) + len(renamed):
        raise ValueError(f"columns is {[*columns, *renamed]}; accepted: each column once.")
    if not isinstance(rely, bool):
        raise ValueError(f"rely is {arguments.described(rely)}; accepted: True or False.")

    def declare(function: Function) -> Function:
        if not callable(function):
            raise ValueError(
                f"what is decorated is {arguments.described(function)}; accepted: a function."
            )
        try:
            _declared[function] = Declaration(names, rely, ref(function))
        except TypeError:
            raise ValueError(
                f"{arguments.described(function)} cannot carry a declaration; accepted: a function."
            ) from None
        return function

    return declare


def declared(function: object) -> Declaration | None:
    """Return what was declared of just this function; None if nothing was."""
    try:
        found = _declared.get(function)
    except TypeError:
        return None
    return found if found is not None and found.of() is function else None
