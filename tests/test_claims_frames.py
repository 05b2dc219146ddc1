"""What is proven of functions of pandas and Arrow frames, and what is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from colocate.claims.analysis.analyse_frames import Frames, analyse_frames

pd = pytest.importorskip("pandas")
np = pytest.importorskip("numpy")

COLUMNS = ("a", "b", "x")
GROUP = Frames(False, (COLUMNS,), (("a",),))
BATCHES = Frames(False, (COLUMNS,))
ARROW = Frames(True, (COLUMNS,))
BOTH = Frames(False, (COLUMNS, ("k", "y")), (("a",), ("k",)))
LIMIT = 3


def kept(function: Callable[..., Any], given: Frames, names: str = "a b x") -> str:
    """Return the columns that are input columns of their names, in one text."""
    analysis = analyse_frames(function, given)
    found = [analysis.column(i, name) for i, name in enumerate(names.split())]
    sources = [{path[1] for path in value.paths} if not value.none else set() for value in found]
    return " ".join(
        n if n in s else f"{n}={min(map(str, s))}"
        for n, s in zip(names.split(), sources, strict=True)
        if s
    )


def unknown(value: Any) -> Any:
    return value


GROUPED: list[tuple[Callable[..., Any], str]] = [
    (lambda df: df, "a b x"),
    (lambda df: df.copy(), "a b x"),
    (lambda df: df[["a", "x"]], "a x"),
    (lambda df: df[df["x"] > 3], "a b x"),
    (lambda df: df[(df.x > LIMIT) & ~df["b"].isin([1, 2])], "a b x"),
    (lambda df: df[df["x"] > df["x"].mean()], "a b x"),
    (lambda df: df.query("x > 3 and b == 'y'"), "a b x"),
    (lambda df: df.head(3).tail(1).sample(n=1), "a b x"),
    (lambda df: df.sort_values("x", ascending=False).reset_index(drop=True), "a b x"),
    (lambda df: df.nlargest(3, "x"), "a b x"),
    (lambda df: df.assign(x=df["x"] * 2, b=1), "a"),
    (lambda df: df.assign(x=df["x"].where(df["b"].between(1, 3), 0)), "a b"),
    (lambda df: df.assign(x=df.x.fillna(0).clip(0, df.b).astype("int")), "a b"),
    (lambda df: df.drop(columns=["b"]), "a x"),
    (lambda df: df.drop(columns="a"), "b x"),
    (lambda df: df.rename(columns={"a": "b", "b": "a"}), "a=b b=a x"),
    (lambda df: df if len(df) > 3 else df.head(1), ""),
    (lambda df: df if True else df.head(1), "a b x"),
    (lambda df: df[df.x > 0].assign(x=1), "a b"),
    (lambda key, df: pd.DataFrame({"a": key[0], "x": [1, 2]}), "a"),
    (lambda key, df: pd.DataFrame({"a": [key[0]], "x": [df.x.sum()]}), "a"),
    (lambda key, df: pd.DataFrame([key + (1, df.x.mean())]), "a"),  # noqa: RUF005
    # Where rows, or what they hold, may be others.
    (lambda df: df[df > 0], ""),
    (lambda df: df[unknown(3)], ""),
    (lambda df: df.query("x"), ""),
    (lambda df: df.query("@unknown(x) > 3"), ""),
    (lambda df: df.reset_index(), ""),
    (lambda df: df.reindex([1, 2]), ""),
    (lambda df: df.merge(df), ""),
    (lambda df: df.fillna(0), ""),
    (lambda df: df.apply(unknown), ""),
    (lambda df: unknown(df), ""),
    (lambda df: df.assign(a=1), "b x"),
    (lambda df: df.assign(**unknown({})), ""),
    (lambda df: df.assign(x=lambda d: d.x), ""),
    (lambda df: df[df.x > 0].assign(b=df.x), ""),
    (lambda df: df.assign(x=df.x.where(unknown)), ""),
    (lambda df: df.assign(x=df.x.add(unknown(1))), ""),
    (lambda df: df[["a", "a"]], ""),
    (lambda df: df.groupby("b").first(), ""),
    (lambda df: pd.concat([df, df]), ""),
    (lambda df: df["a"], ""),
    (lambda df: (df, 1), ""),
    (lambda df: df[["a"]] if df.x.sum() else df[["b"]], ""),
    (lambda key, df: pd.DataFrame({"a": [key[0], 1], "x": [1, 2]}), ""),
    (lambda key, df: pd.DataFrame([key, (1, 2)]), ""),
    (lambda key: key, "a b x"),  # one parameter is the group
]


@pytest.mark.parametrize(("function", "expected"), GROUPED)
def test_a_function_of_groups(function: Callable[..., Any], expected: str) -> None:
    assert kept(function, GROUP) == expected


def stores(df: Any) -> Any:
    df["x"] = df["x"] * 2
    df["new"] = unknown(1)
    return df


def stores_the_key(df: Any) -> Any:
    df["a"] = 0
    return df


def stores_by_an_alias(df: Any) -> Any:
    other = df
    other["a"] = 0
    return df


def stores_in_a_tuple(df: Any) -> Any:
    both = (df, 1)
    df["a"] = 0
    return both[0]


def stores_more_rows(df: Any) -> Any:
    few = df[df["x"] > 100]
    few["b"] = df["b"]
    return few


def adds_more_rows(df: Any) -> Any:
    few = df[df["x"] > 100]
    return few.assign(b=few["b"].add(df["b"]))


def adds_as_many_rows(df: Any) -> Any:
    few = df[df["x"] > 100]
    return few.assign(b=few["b"].add(few["x"]).clip(df["b"], 9))


def stores_as_many_rows(df: Any) -> Any:
    few = df[df["x"] > 100]
    few["b"] = few["x"] + 1
    return few


def stores_by_position(df: Any) -> Any:
    df.loc[0, "a"] = 3
    return df


def stores_in_a_column(df: Any) -> Any:
    df["a"][0] = 3
    return df


def adds_in_place(df: Any) -> Any:
    column = df["a"]
    column += 1
    return df


def sorts_in_place(df: Any) -> Any:
    df.sort_values("x", inplace=True)
    return df


def deletes_and_adds(df: Any) -> Any:
    del df["a"]
    df["a"] = df["x"]
    return df


def changes_a_view(df: Any) -> Any:
    values = df["a"].values
    values[:] = 0
    return df


def changed_by_a_closure(df: Any) -> Any:
    def change() -> None:
        df.pop("a")

    change()
    return df


def in_a_loop(df: Any) -> Any:
    for name in ("a", "b"):
        df[name] = 0
    return df


def returns_early(df: Any) -> Any:
    if df["x"].sum() > 3:
        return df.head(1)
    return df


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (stores, "a b"),
        (stores_the_key, "b x"),
        (stores_by_an_alias, "b x"),
        (stores_in_a_tuple, ""),
        (stores_more_rows, ""),
        (stores_as_many_rows, "a x"),
        (adds_more_rows, ""),
        (adds_as_many_rows, "a x"),
        (stores_by_position, ""),
        (stores_in_a_column, ""),
        (adds_in_place, ""),
        (sorts_in_place, ""),
        (deletes_and_adds, "b x"),
        (changes_a_view, ""),
        (changed_by_a_closure, ""),
        (in_a_loop, ""),
        (returns_early, "a b x"),
    ],
)
def test_what_is_stored_in_a_frame(function: Callable[..., Any], expected: str) -> None:
    assert kept(function, GROUP) == expected


def test_a_column_with_more_rows_makes_rows_without_a_key() -> None:
    """An empty frame takes the rows of a column that is stored in it, whose keys are missing."""
    group = pd.DataFrame({"a": [7, 7], "b": [1, 2], "x": [3, 4]})
    for more in (stores_more_rows, adds_more_rows):
        found = more(group)
        assert len(found) == 2 and found["a"].isna().all()
    assert adds_as_many_rows(group).empty


def one_by_one(batches: Any) -> Any:
    for df in batches:
        df["x"] = df["x"] + 1
        yield df[df["x"] > 3]


def all_at_once(batches: Any) -> Any:
    return (df[df["x"] > 3] for df in batches)


def one_that_was_before(batches: Any) -> Any:
    before = None
    for df in batches:
        if before is not None:
            yield before
        before = df


def other_length(batches: Any) -> Any:
    for df in batches:
        df["b"] = unknown([])
        yield df


def arrow_one_by_one(batches: Any) -> Any:
    for batch in batches:
        print(unknown(batch))
        yield batch.select(["a", "x"]).append_column("b", unknown(batch)).slice(1)


def arrow_filtered(batches: Any) -> Any:
    for batch in batches:
        yield batch.filter(unknown(batch))


def arrow_taken(batches: Any) -> Any:
    for batch in batches:
        yield batch.take(unknown(batch))


def arrow_with_nulls(batches: Any) -> Any:
    for batch in batches:
        yield batch.filter(unknown(batch), "emit_null")


@pytest.mark.parametrize(
    ("function", "given", "expected"),
    [
        (one_by_one, BATCHES, "a b"),
        (all_at_once, BATCHES, "a b x"),
        (one_that_was_before, BATCHES, ""),
        (other_length, BATCHES, ""),
        (arrow_one_by_one, ARROW, "a x"),
        (arrow_filtered, ARROW, "a b x"),
        (arrow_taken, ARROW, ""),
        (arrow_with_nulls, ARROW, ""),
        (lambda batches: batches, BATCHES, "a b x"),
        (lambda batches: list(batches), BATCHES, ""),
        (one_by_one, GROUP, ""),
    ],
)
def test_a_function_of_batches(function: Callable[..., Any], given: Frames, expected: str) -> None:
    assert kept(function, given) == expected


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda left, right: left, "a"),
        (lambda left, right: right, "k"),
        (lambda key, left, right: pd.DataFrame({"a": [key[0]], "k": [key[0]]}), "a k"),
        (lambda left, right: left if len(right) else right, ""),
        (lambda left, right: left.merge(right), ""),
        (lambda left: left, ""),
    ],
)
def test_a_function_of_two_groups(function: Callable[..., Any], expected: str) -> None:
    assert kept(function, BOTH, "a k") == expected


def empty_frame_grows(df: Any) -> Any:
    few = df[df["x"] > 100]
    few["b"] = df["b"]
    return few


def test_a_longer_column_gives_an_empty_frame_rows() -> None:
    # What the rule about as many rows is for: these rows have a key that no row has.
    frame = pd.DataFrame({"a": [1, 1], "b": [2, 2], "x": [0, 0]})
    grown = empty_frame_grows(frame)
    assert len(grown) == 2
    assert grown["a"].isna().all()
