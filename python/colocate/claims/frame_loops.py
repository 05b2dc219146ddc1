"""What runs on executors around a user's function of frames. See loops.py for why it nests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from colocate.claims.loops import fingerprint_of


def frame_loop(
    function: Callable[..., Any],
    wanted: list[str],
    check: Mapping[str, Sequence[tuple[int, str]]],
    told: str,
    check_code: bool,
    arguments: int,
) -> Callable[..., Any]:
    """Return what Spark runs for a function of groups, or of an iterator of frames.

    The columns of a frame that is given back are found by their names, whatever the session says;
    those without names by their places.

    Args:
        function: the user's.
        wanted: the names of the output's columns.
        check: output columns, each with the columns, of which frame, that its values must be from.
        told: the function and its place, for errors.
        check_code: whether executors must have the code that was read.
        arguments: how many arguments it has; 0 for one of an iterator of frames.

    """
    fingerprint = fingerprint_of()
    analysed = fingerprint(function)

    def in_order(frame: Any) -> Any:
        if hasattr(frame, "num_columns"):
            names = frame.schema.names
            return frame.select(wanted) if sorted(names) == sorted(wanted) else frame
        names = list(getattr(frame, "columns", ()))
        named = all(isinstance(name, str) for name in names)
        return frame[wanted] if named and sorted(names) == sorted(wanted) else frame

    def held(frame: Any, name: str) -> list[Any]:
        if hasattr(frame, "num_columns"):
            values = frame.column(frame.schema.get_field_index(name)).to_pylist()
        elif name in frame.columns:
            values = frame[name].tolist()
        else:
            values = frame.iloc[:, wanted.index(name)].tolist()
        return [None if value != value else value for value in values]

    def checked(frame: Any, seen: Mapping[str, set[Any]]) -> Any:
        for out, before in seen.items():
            for value in held(frame, out) if len(frame) else ():
                if value not in before:
                    _, name = check[out][0]
                    raise ValueError(
                        f"[COLOCATE_CLAIM_VIOLATED] {told} is taken to return {name} as "
                        f"{out}, and returned {value!r}, which no row that it was given has."
                    )
        return frame

    def same_code() -> None:
        if check_code and fingerprint(function) != analysed:
            raise ValueError(f"{told} is another function here than where the query was made.")

    def of_group(*given: Any) -> Any:
        same_code()
        frames = [one for one in given if not isinstance(one, tuple)]
        seen = {
            out: {value for i, name in columns for value in held(frames[i], name)}
            for out, columns in check.items()
        }
        return checked(in_order(function(*given)), seen)

    def of_batches(batches: Iterator[Any]) -> Iterator[Any]:
        same_code()
        seen: dict[str, set[Any]] = {out: set() for out in check}

        def noted() -> Iterator[Any]:
            for batch in batches:
                for out, columns in check.items():
                    for _, name in columns:
                        seen[out].update(held(batch, name))
                yield batch

        for frame in function(noted()):
            yield checked(in_order(frame), seen)

    # Spark counts the arguments.
    loops: dict[int, Callable[..., Any]] = {
        0: of_batches,
        1: lambda a: of_group(a),
        2: lambda a, b: of_group(a, b),
        3: lambda a, b, c: of_group(a, b, c),
    }
    return loops[arguments]
