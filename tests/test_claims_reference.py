"""The tests of the published analysis of functions, restated in Python with the right verdict.

The names are those of the 22 tests of `partition_syn_analysis.rs` in Hydro. Each function is given
a row of five values, (a, b, (c, (d,)), e), and hands all of them through, but for what its line
says.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from colocate.claims.analysis.analyse import Kind, analyse
from colocate.claims.analysis.values import Shape
from colocate.claims.explain_function import fields

ROW = Shape(
    ("a", "b", "n", "e"), (None, None, Shape(("c", "m"), (None, Shape(("d",), (None,)))), None)
)

# Of a tuple that is built anew the leaves are told; what is handed through whole is one field.
LEAVES = {"0": "a", "1": "b", "2.0": "n.c", "2.1.0": "n.m.d", "3": "e"}
TOP = {"0": "a", "1": "b", "2": "n", "3": "e"}
NESTED = {"0": "a", "1": "b", "2.0": "n.c", "2.1": "n.m", "3": "e"}

Three = namedtuple("Three", ["s1", "s2"])


@dataclass
class Struct:
    s1: Any
    s2: Any


def tuple_parent_assignment(row):  # type: ignore[no-untyped-def]
    a, b, (c, (d,)), e = row
    return a, b, (c, (d,)), e


def tuple_parent_implicit_nesting(row):  # type: ignore[no-untyped-def]
    a, b, n, e = row
    c, m = n
    return a, b, (c, m), e


def tuple_assignment(row):  # type: ignore[no-untyped-def]
    a, b, (c, (d,)), e = row
    (a2, b2) = (a, b)
    return a2, b2, (c, (d,)), e


def tuple_creation(row):  # type: ignore[no-untyped-def]
    return row[0], row[1], (row[2][0], (row[2][1][0],)), row[3]


def tuple_output_implicit_nesting(row):  # type: ignore[no-untyped-def]
    a, b, (c, m), e = row
    n = (c, m)
    return a, b, n, e


def tuple_parent_output_implicit_nesting(row):  # type: ignore[no-untyped-def]
    a, b, n, e = row
    return a, b, n, e


tuple_no_block = lambda row: (row[0], row[1], row[2], row[3])  # noqa: E731


def if_shared_intersection(row):  # type: ignore[no-untyped-def]
    if row.a:
        x = (row.a, row.b, row.n, row.e)
    else:
        x = (row.a, row.b, row.n, row.e)
    return x


def if_conflicting_intersection(row):  # type: ignore[no-untyped-def]
    a, b, (c, (d,)), e = row
    if a:
        x = (a, b, (c, (d,)), e)
    else:
        x = (a, b, (c, (c,)), e)
    return x


def if_implicit_expansion(row):  # type: ignore[no-untyped-def]
    x = row if row.a else (row.a, row.b, (row.n.c, (row.n.m.d,)), row.e)
    return x[0], x[1], x[2], x[3]


def if_let(row):  # type: ignore[no-untyped-def]
    if (n := row.n) is not None:
        return row.a, row.b, n, row.e
    return row.a, row.b, row.n, row.e


def else_if(row):  # type: ignore[no-untyped-def]
    if row.a == 1:
        x = row.b
    elif row.a == 2:
        x = row.b
    else:
        x = row.b
    return row.a, x, row.n, row.e


def if_option(row):  # type: ignore[no-untyped-def]
    if row.a > 1:
        return (row.a, row.b, row.n, row.e)
    return None


def match(row):  # type: ignore[no-untyped-def]
    match row:
        case (a, b, (c, (d,)), e):
            return a, b, (c, (d,)), e


def match_assign(row):  # type: ignore[no-untyped-def]
    match row.a:
        case 1:
            x = (row.a, row.b, row.n, row.e)
        case _:
            x = (row.a, row.b, row.n, row.e)
    return x


def block(row):  # type: ignore[no-untyped-def]
    if True:
        a, b, n, e = row
    return a, b, n, e


def nested_block(row):  # type: ignore[no-untyped-def]
    if True:
        if True:
            x = row.a
        else:
            x = row.a
    else:
        x = row.a
    return x, row.b, row.n, row.e


def block_shadowing(row):  # type: ignore[no-untyped-def]
    a, b, n, e = row
    a = a, b
    a = a[0]
    return a, b, n, e


def full_assignment(row):  # type: ignore[no-untyped-def]
    whole = row
    return whole


def nested_struct(row):  # type: ignore[no-untyped-def]
    outer = Three(s1=row.a, s2=Struct(row.b, s2=row.n))
    return {"x": outer.s1, "y": outer.s2.s1, "z": outer.s2.s2.c, "e": row.e}


def nested_struct_declaration(row):  # type: ignore[no-untyped-def]
    return Struct(s1=row.a, s2={"b": row.b, "n": Three(row.n, row.e)})


def struct_implicit_field(row):  # type: ignore[no-untyped-def]
    s1 = row
    return dict(s1=s1)


CASES: list[tuple[Callable[..., Any], dict[str, str], Kind]] = [
    (tuple_parent_assignment, LEAVES, Kind.MAP),
    (tuple_parent_implicit_nesting, NESTED, Kind.MAP),
    (tuple_assignment, LEAVES, Kind.MAP),
    (tuple_creation, LEAVES, Kind.MAP),
    (tuple_output_implicit_nesting, NESTED, Kind.MAP),
    (tuple_parent_output_implicit_nesting, TOP, Kind.MAP),
    (tuple_no_block, TOP, Kind.MAP),
    (if_shared_intersection, TOP, Kind.MAP),
    (if_conflicting_intersection, {k: v for k, v in LEAVES.items() if k != "2.1.0"}, Kind.MAP),
    (if_implicit_expansion, LEAVES, Kind.MAP),
    (if_let, TOP, Kind.MAP),
    (else_if, TOP, Kind.MAP),
    (if_option, TOP, Kind.FILTER_MAP),
    (if_option, {}, Kind.MAP),  # None is no row
    (match, LEAVES, Kind.FILTER_MAP),
    (match_assign, TOP, Kind.MAP),
    (block, TOP, Kind.MAP),
    (nested_block, TOP, Kind.MAP),
    (block_shadowing, TOP, Kind.MAP),
    (full_assignment, {"": ""}, Kind.MAP),
    (nested_struct, {"x": "a", "y": "b", "z": "n.c", "e": "e"}, Kind.MAP),
    (nested_struct_declaration, {"s1": "a", "s2.b": "b", "s2.n.s1": "n", "s2.n.s2": "e"}, Kind.MAP),
    (struct_implicit_field, {"s1": ""}, Kind.MAP),
]


@pytest.mark.parametrize(
    ("function", "expected", "kind"), CASES, ids=[f"{c[0].__name__}-{c[2].value}" for c in CASES]
)
def test_the_published_case(
    function: Callable[..., Any], expected: dict[str, str], kind: Kind
) -> None:
    proven = {
        f.name: f.source for f in fields(analyse(function, kind, ROW)) if f.source is not None
    }
    assert proven == expected
