"""What is proven of Python functions, and of each doubtful construct that nothing is."""

from __future__ import annotations

import functools
import importlib.util
import linecache
import sys
from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from colocate.claims.analysis.analyse import Kind, analyse
from colocate.claims.analysis.values import Shape
from colocate.claims.explain_function import explain_function, fields

ROW = Shape(("a", "b", "s"), (None, None, Shape(("c", "d"), (None, None))))
SAME = {"0": "a", "1": "b"}

Pair = namedtuple("Pair", ["a", "b"])


class Typed(NamedTuple):
    a: int
    b: int = 0


class Sly(namedtuple("Sly", ["a", "b"])):
    def __new__(cls, a: Any, b: Any) -> Sly:
        return super().__new__(cls, b, a)


class Counted(NamedTuple):
    a: int
    b: int

    def __getitem__(self, key: Any) -> Any:
        return 0


@dataclass
class Plain:
    a: Any
    b: Any = 0


@dataclass
class Changing:
    a: Any
    b: Any

    def __post_init__(self) -> None:
        self.a, self.b = self.b, self.a


@dataclass
class Doubled:
    a: Any
    b: Any = field(default=0, init=False)


@dataclass
class Called:
    seed: InitVar[Any]
    a: Any = 0


@dataclass
class Odd:
    a: Any
    b: Any

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, 0)


def proven(
    function: Callable[..., Any], kind: Kind = Kind.MAP, shape: Shape | None = ROW
) -> dict[str, str]:
    analysis = analyse(function, kind, shape)
    return {f.name: f.source for f in fields(analysis) if f.source is not None}


def why(function: Callable[..., Any], kind: Kind = Kind.MAP) -> str:
    return "; ".join(str(f) for f in fields(analyse(function, kind, ROW)) if f.source is None)


def unknown(value: Any) -> Any:
    return value


def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(x: Any) -> Any:
        return (x.b, x.a)

    return wrapper


# Each line is a function and what is proven of it.

PROVEN: list[tuple[Callable[..., Any], dict[str, str]]] = [
    (lambda x: (x.a, x.b + 1), {"0": "a"}),
    (lambda x: (x["a"], x[1]), SAME),
    (lambda x: (x.s.c, x[2][1]), {"0": "s.c", "1": "s.d"}),
    (lambda x: x, {"": ""}),
    (lambda x: {"a": x.a, "n": len(x.b)}, {"a": "a"}),
    (lambda x: dict(a=x.a, n=1), {"a": "a"}),
    (lambda x: Pair(x.a, b=x.b), {"a": "a", "b": "b"}),
    (lambda x: Typed(x.a), {"a": "a"}),
    (lambda x: Plain(b=x.b, a=x.a), {"a": "a", "b": "b"}),
    (lambda x: (*x, 1), {"0": "a", "1": "b", "2": "s"}),
    (lambda x: (x.a, *unknown(x), x.b), {"0": "a"}),
    (lambda x: (x.a,) + (x.b,), SAME),  # noqa: RUF005
    (lambda x: x + (1,), {"0": "a", "1": "b", "2": "s"}),  # noqa: RUF005
    (lambda x: tuple(x), {"0": "a", "1": "b", "2": "s"}),
    (lambda x: x._replace(b=1), {"a": "a", "s": "s"}),
    (lambda x: x._asdict(), {"a": "a", "b": "b", "s": "s"}),
    (lambda x: [x.a, x.b], SAME),
    (lambda x: (x[0] if x.b else x.a, x.a if x.b else x.b), {"0": "a"}),
    (lambda x: ((y := x.a), y), {"0": "a", "1": "a"}),
    (lambda x: (x.a, [x for x in (1, 2)]), {"0": "a"}),
    (lambda x: (x.a, sum(y for y in (1, 2)), x.b), {"0": "a", "2": "b"}),
    (lambda x: (unknown(x), x.a)[1:], {}),
    (lambda x: (unknown(x), x.a), {"1": "a"}),
]


@pytest.mark.parametrize(("function", "expected"), PROVEN)
def test_a_field_that_is_handed_through_is_proven(
    function: Callable[..., Any], expected: dict[str, str]
) -> None:
    assert proven(function) == expected


# Each function makes something that is no input, or may be none, of what looks like one.

NOTHING: list[Callable[..., Any]] = [
    lambda x: (int(x.a), str(x.a)),
    lambda x: (x.a + 0, x.a or x.b),
    lambda x: (x.a and x.b, not x.a),
    lambda x: (x[-1], x[x.b]),
    lambda x: (x[0:2],),
    lambda x: (x[True],),
    lambda x: (x._fields, x.__class__),
    lambda x: (x.count, x.index),
    lambda x: (x.s.count, x.s.index),
    lambda x: (x.nowhere, x["nowhere"], x[7]),
    lambda x: (x.a.real, x.a[0]),
    lambda x: (None, x.a if x.b else None),
    lambda x: x.a,
    lambda x: Sly(x.a, x.b),
    lambda x: Counted(x.a, x.b)[0],
    lambda x: Changing(x.a, x.b),
    lambda x: Odd(x.a, x.b),
    lambda x: Doubled(x.a),
    lambda x: Called(x.a),
    lambda x: {x.a: x.a, "b": x.b},
    lambda x: {**unknown(x), "a": x.a},
    lambda x: (lambda: x.a)(),
    lambda x: [x.a for x in (x, x)],
    lambda x: (f"{x.a}", -x.a),
    lambda x: x + unknown(x),
]


@pytest.mark.parametrize("function", NOTHING)
def test_what_is_new_or_doubtful_proves_nothing(function: Callable[..., Any]) -> None:
    found = proven(function)
    # What is nested in a value of its own is not a column; the rest must be empty.
    assert not found or found == {"": "a"}


def rebinds(x: Any) -> Any:
    a, b = x.a, x.b
    a = b
    return a, b


def swaps(x: Any) -> Any:
    a, b = x.a, x.b
    a, b = b, a
    return a, b


def adds(x: Any) -> Any:
    a = x.a
    a += 0
    return a, x.b


def deletes(x: Any) -> Any:
    a = x.a
    del a
    a = x.b
    return a, x.b


def rebinds_the_row(x: Any) -> Any:
    y = x
    x = unknown(x)
    return y.a, x.b


def loops(x: Any) -> Any:
    a, b = x.a, x.b
    for a in range(3):  # noqa: B007
        pass
    return a, b


def loops_before(x: Any) -> Any:
    a, b, c = x.a, x.b, x.a
    for _ in range(3):
        c = a
        a = b
    return c, x.b


def loops_while(x: Any) -> Any:
    a = x.a
    while (n := unknown(a)) is not None:
        a = n
    return a, x.b


def loops_with_break(x: Any) -> Any:
    a = x.a
    for a in (x.b,):
        if a:
            break
    else:
        a = x.a
    return a, x.b


def loops_and_returns(x: Any) -> Any:
    for i in range(3):
        if i == x.b:
            return x.a, x.b
    return x.a, x.b


def early(x: Any) -> Any:
    if x.a is None:
        return x.b, x.b
    return x.a, x.b


def unbound(x: Any) -> Any:
    if x.b:
        a = x.a
    return a, x.b


def falls_off(x: Any) -> Any:
    if x.b:
        return x.a, x.b


def captures(x: Any) -> Any:
    match x:
        case (a, b, _) if a:
            return a, b
        case (b, a, _):
            return b, a
    raise ValueError


def capture_rebinds(x: Any) -> Any:
    a = x.a
    match unknown(x):
        case a if a:
            pass
        case _:
            pass
    return a, x.b


def star_pattern(x: Any) -> Any:
    match x:
        case (a, *rest):
            return a, rest
    raise ValueError


def walrus_in_half(x: Any) -> Any:
    y = x.a
    if x.b and (y := x.b):
        pass
    return y, x.b


def walrus_in_comprehension(x: Any) -> Any:
    y = x.a
    unknown([y := i for i in range(3)])
    return y, x.b


def walrus_of_the_turn_before(x: Any) -> Any:
    y = x.a
    rows = [(y, y := x.b) for _ in range(2)]
    for row in rows:
        return row
    raise ValueError


def changes_a_dict(x: Any) -> Any:
    d = {"0": x.a, "1": x.b}
    d["0"] = 1
    return d


def changes_through_an_alias(x: Any) -> Any:
    d = {"0": x.a, "1": x.b}
    e = d
    e["0"] = 1
    return d


def changes_through_a_call(x: Any) -> Any:
    d = {"0": x.a, "1": x.b}
    unknown(d)
    return d


def changes_through_a_method(x: Any) -> Any:
    d = [x.a, x.b]
    d.reverse()
    return d


def changes_through_a_tuple(x: Any) -> Any:
    d = [x.a, x.b]
    t = (d, 1)
    unknown(t)
    return d


def changes_through_a_closure(x: Any) -> Any:
    d = [x.a, x.b]

    def change() -> None:
        d.reverse()

    change()
    return d


def changes_later_in_the_same_tuple(x: Any) -> Any:
    d = {"a": x.a}
    return (d, unknown(d))[0]


def changes_in_a_loop(x: Any) -> Any:
    d = {"0": x.a, "1": x.b}
    e = d
    for _ in range(2):
        e = dict(d)
        unknown(d)
    return d if x.a else e


def changes_by_adding(x: Any) -> Any:
    d = [x.a, x.b]
    e = d
    e += [1]
    return d


def changes_an_attribute(x: Any) -> Any:
    p = Plain(x.a, x.b)
    p.a = 1
    return p


def guard_changes(x: Any) -> Any:
    d = {"0": x.a, "1": x.b}
    match d:
        case {"0": _} if unknown(d):
            return {"0": 1}
        case other:
            return other


def opens(x: Any) -> Any:
    a = x.b
    with suppress(ValueError):
        a = x.a
    return a, x.b


def nested(x: Any) -> Any:
    a = x.a

    def a() -> None:  # type: ignore[no-redef]  # noqa: F811
        pass

    return a, x.b


def imports(x: Any) -> Any:
    a = x.a
    import math as a  # noqa: F811

    return a, x.b


def handles(x: Any) -> Any:
    try:
        return x.a, x.b
    except ValueError:
        return x.b, x.a


state: Any = None


def is_global(x: Any) -> Any:
    global state
    state = x
    return x.a, x.b


def is_nonlocal(x: Any) -> Any:
    def change() -> None:
        nonlocal x
        x = None

    change()
    return x.a, x.b


def executes(x: Any) -> Any:
    exec("x = 1")
    return x.a, x.b


def any_number(*x: Any) -> Any:
    return x[0].a, x[0].b


def yields(x: Any) -> Any:
    yield x.a, x.b


async def later(x: Any) -> Any:
    return x.a, x.b


def default(x: Any, y: Any = ()) -> Any:
    return y


def no_parameter() -> Any:
    return 1, 2


B = {"1": "b"}
CASES: list[tuple[Callable[..., Any], dict[str, str], str]] = [
    (rebinds, {"0": "b", "1": "b"}, ""),
    (swaps, {"0": "b", "1": "a"}, ""),
    (adds, B, "`a += 0` makes a new value"),
    (deletes, {"0": "b", "1": "b"}, ""),
    (rebinds_the_row, {"0": "a"}, "is called"),
    (loops, B, "bound in a loop"),
    (loops_before, B, "bound in a loop"),
    (loops_while, B, "bound in a loop"),
    (loops_with_break, B, ""),
    (loops_and_returns, SAME, ""),
    (early, B, "another value than what is given before"),
    (unbound, B, "leaves different values"),
    (falls_off, {}, "None"),
    (captures, {"0": "a", "1": "b"}, ""),
    (capture_rebinds, B, ""),
    (star_pattern, {"0": "a"}, ""),
    (walrus_in_half, B, ""),
    (walrus_in_comprehension, B, ""),
    (walrus_of_the_turn_before, B, "may bind it"),
    (changes_a_dict, {}, "changed in place"),
    (changes_through_an_alias, {}, "changed in place"),
    (changes_through_a_call, {}, "may change it"),
    (changes_through_a_method, {}, "may change it"),
    (changes_through_a_tuple, {}, "may change it"),
    (changes_through_a_closure, {}, "function in the function"),
    (changes_later_in_the_same_tuple, {}, "may change it"),
    (changes_in_a_loop, {}, ""),
    (changes_by_adding, {}, ""),
    (changes_an_attribute, {}, "changed in place"),
    (guard_changes, {}, ""),
    (opens, B, "context manager"),
    (nested, B, ""),
    (imports, B, ""),
    (handles, {}, "`try`"),
    (is_global, {}, "`global`"),
    (is_nonlocal, {}, "`nonlocal`"),
    (executes, {}, "`exec`"),
    (any_number, {}, "any number"),
    (yields, {}, "yields"),
    (later, {}, ""),
    (default, {}, "given by no column"),
    (no_parameter, {}, "no parameter"),
]


@pytest.mark.parametrize(
    ("function", "expected", "reason"), CASES, ids=[case[0].__name__ for case in CASES]
)
def test_statements_bind_rebind_and_change(
    function: Callable[..., Any], expected: dict[str, str], reason: str
) -> None:
    assert (proven(function), reason in why(function)) == (expected, True), why(function)


def gives_a_list(x: Any) -> Any:
    return [(x.a, x.b), (x.a, 1)]


def gives_a_comprehension(x: Any) -> Any:
    return [(x.a, i) for i in range(3)]


def gives_a_generator(x: Any) -> Any:
    return ((x.a, i) for i in range(3))


def gives_one_by_one(x: Any) -> Iterator[Any]:
    if x.b:
        yield x.a, x.b
    for i in range(3):
        yield x.a, i


def gives_none(x: Any) -> Iterator[Any]:
    yield x.a, x.b
    yield None


def gives_more(x: Any) -> Iterator[Any]:
    yield from ((x.a, i) for i in range(3))
    yield from [(x.a, x.b)]


def gives_others(x: Any) -> Iterator[Any]:
    yield x.a, x.b
    yield from unknown(x)


def gives_a_late_generator(x: Any) -> Iterator[Any]:
    rows = ((x.a, i) for i in range(3))
    x = unknown(x)
    return rows


def gives_nothing(x: Any) -> Any:
    return []


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (gives_a_list, {"0": "a"}),
        (gives_a_comprehension, {"0": "a"}),
        (gives_a_generator, {"0": "a"}),
        (gives_one_by_one, {"0": "a"}),
        (gives_none, {}),
        (gives_more, {"0": "a"}),
        (gives_others, {}),
        (gives_a_late_generator, {}),
        (gives_nothing, {}),
    ],
)
def test_what_flat_map_is_given(function: Callable[..., Any], expected: dict[str, str]) -> None:
    assert proven(function, Kind.FLAT_MAP) == expected


def test_without_the_names_of_the_input_a_field_is_what_is_written() -> None:
    assert proven(lambda x: (x.a, x[1]), shape=None) == {"0": "a", "1": "1"}
    assert proven(lambda x: (x.a if x.b else x[0],), shape=None) == {}


def test_each_parameter_of_a_function_of_values_is_a_column() -> None:
    assert proven(lambda a, b: (b, a), Kind.VALUES, None) == {"0": "b", "1": "a"}
    assert proven(lambda a, b: b, Kind.VALUES, None) == {"": "b"}
    assert proven(lambda a, b: b if a else None, Kind.VALUES, None) == {}
    # A parameter of a function of rows that is called like a column is not that column.
    assert proven(lambda x, a=1: (a, x.b)) == {"1": "b"}


# Which code runs.


def test_two_lambdas_on_a_line_are_told_apart() -> None:
    both = (lambda x: (x.a, x.b)), (lambda x: (x.b, x.a))
    assert [proven(f) for f in both] == [SAME, {"0": "b", "1": "a"}]
    inner = (lambda x: lambda y: (y.a, x))(1)
    assert proven(inner) == {"0": "a"}


def test_a_decorator_is_read_as_what_runs() -> None:
    @decorated
    def same(x: Any) -> Any:
        return x.a, x.b

    assert proven(same) == {"0": "b", "1": "a"}


def test_replaced_code_is_read_as_what_runs() -> None:
    def same(x: Any) -> Any:
        return x.a, x.b

    same.__code__ = swaps.__code__
    assert proven(same) == {"0": "b", "1": "a"}


def module(path: Path, text: str) -> ModuleType:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_a_file_that_was_edited_proves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "edited.py"
    before = module(path, "def f(x):\n    return x.b, x.a\n")
    assert proven(before.f) == {"0": "b", "1": "a"}
    path.write_text("# longer\ndef f(x):\n    return x.a, x.b\n")
    linecache.clearcache()
    assert proven(before.f) == {}
    assert "not what the function was compiled from" in why(before.f)
    path.write_text("def f(x):\n    return x.b, x.a\n\n# the same function\n")
    linecache.clearcache()
    assert proven(before.f) == {"0": "b", "1": "a"}


def test_code_without_a_source_proves_only_that_it_is_the_identity() -> None:
    space: dict[str, Any] = {}
    exec("def same(x):\n    return x\n\ndef other(x):\n    return x.a, x.b", space)
    assert proven(space["same"]) == {"": ""}
    assert proven(space["other"]) == {}
    assert "source" in why(space["other"])


def test_what_is_no_plain_function_proves_nothing() -> None:
    class Called:
        def __call__(self, x: Any) -> Any:
            return x.a, x.b

        def method(self, x: Any) -> Any:
            return x.a, x.b

    def two(x: Any, y: Any) -> Any:
        return x.a, x.b

    for function in (Called(), Called().method, functools.partial(two, y=1), tuple, len, Pair):
        assert proven(function) == {}
        assert "no plain function" in why(function)


def test_a_class_that_is_not_what_its_name_says_proves_nothing() -> None:
    def dict(**values: Any) -> Any:
        return {"a": 0}

    assert proven(lambda x: dict(a=x.a)) == {}


def test_what_is_read_is_not_kept_between_versions_of_a_name(tmp_path: Path) -> None:
    first = module(tmp_path / "one.py", "f = lambda x: (x.a, x.b)\n")
    second = module(tmp_path / "two.py", "f = lambda x: (x.b, x.a)\n")
    assert (proven(first.f), proven(second.f)) == (SAME, {"0": "b", "1": "a"})


def test_where_columns_are_not_known_lambdas_prove_nothing(tmp_path: Path) -> None:
    import subprocess

    program = tmp_path / "program.py"
    program.write_text(
        "from colocate.claims.analysis.analyse import Kind, analyse\n"
        "from colocate.claims.explain_function import fields\n"
        "def f(x):\n    return x.a, x.b\n"
        "g = lambda x: (x.a, x.b)\n"
        "for h in (f, g):\n"
        "    print([f.source for f in fields(analyse(h, Kind.MAP))])\n"
    )
    run = functools.partial(
        subprocess.run, text=True, capture_output=True, check=True, env={"PYTHONPATH": "python"}
    )
    root = Path(__file__).resolve().parents[1]
    with_columns = run([sys.executable, str(program)], cwd=root).stdout.splitlines()
    without = run([sys.executable, "-X", "no_debug_ranges", str(program)], cwd=root)
    optimised = run([sys.executable, "-O", str(program)], cwd=root).stdout.splitlines()
    if sys.version_info >= (3, 11):
        assert with_columns == optimised == ["['a', 'b']", "['a', 'b']"]
    assert without.stdout.splitlines() == ["['a', 'b']", "[None]"]


def test_the_explanation_names_fields_and_lines(capsys: pytest.CaptureFixture[str]) -> None:
    explanation = explain_function(adds)
    assert capsys.readouterr().out.strip() == explanation.text
    assert explanation.proven == {"1": "b"}
    first = adds.__code__.co_firstlineno
    assert [(f.name, f.line) for f in explanation.fields] == [("0", first + 2), ("1", None)]
    assert "test_claims_analysis.py" in explanation.site


def test_an_explanation_refuses_what_it_cannot_read() -> None:
    with pytest.raises(ValueError, match="f is 3; accepted: a function"):
        explain_function(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="kind is 'fold'; accepted: 'map', "):
        explain_function(adds, kind="fold")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"by is \['a'\]; accepted: columns of df with apply_in_"):
        explain_function(adds, by=["a"])


def test_the_analysis_is_quick() -> None:
    import time

    analyse(loops_with_break, Kind.MAP, ROW)
    begun = time.perf_counter()
    for _ in range(20):
        analyse(loops_with_break, Kind.MAP, ROW)
    assert (time.perf_counter() - begun) / 20 < 0.05
