"""Are two results the same rows? Order does not matter, multiplicity does.

Three strictnesses exist:

- `exact`: every cell is the same value of the same type.
- `same_engine`: everything is exact but doubles, which may differ by a relative 1e-9, because
  a sum of doubles depends on the order of the addends and a shuffle decides that order.
- `other_engine`: as above, and numbers of different types compare by value. Where one engine
  keeps a decimal and the other a double, or their scales differ, one unit in the last place of
  the coarser decimal is allowed: `avg(decimal)` is a decimal in Spark and a double in DuckDB.

NULL equals only NULL, NaN equals only NaN, an infinity equals only itself, -0.0 equals 0.0.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal

Row = tuple[object, ...]
Number = int | float | Decimal
Close = Callable[[Number, Number], bool]

RELATIVE = 1e-9
_LARGEST_SEARCH = 5000


def exact(left: Iterable[Sequence[object]], right: Iterable[Sequence[object]]) -> str | None:
    """None where two results are the same rows in every value, else a sentence saying how not."""
    return _difference(left, right, lambda cell: False, _close_relative)


def same_engine(left: Iterable[Sequence[object]], right: Iterable[Sequence[object]]) -> str | None:
    """None where two results of one engine are the same rows, else a sentence saying how not."""
    return _difference(left, right, lambda cell: isinstance(cell, float), _close_relative)


def other_engine(left: Iterable[Sequence[object]], right: Iterable[Sequence[object]]) -> str | None:
    """None where the results of two engines are the same rows, else a sentence saying how not."""
    return _difference(left, right, _is_number, _close_across_types)


def _difference(
    left: Iterable[Sequence[object]],
    right: Iterable[Sequence[object]],
    approximate: Callable[[object], bool],
    close: Close,
) -> str | None:
    lefts = _grouped(left, approximate)
    rights = _grouped(right, approximate)
    total = sum(map(len, lefts.values())), sum(map(len, rights.values()))
    if total[0] != total[1]:
        return f"{total[0]} rows against {total[1]}"
    for key in lefts.keys() | rights.keys():
        ours, theirs = lefts.get(key, []), rights.get(key, [])
        if len(ours) != len(theirs) or not _matches(ours, theirs, close):
            return (
                f"rows {_shown(key)} occur {len(ours)} against {len(theirs)} times"
                if len(ours) != len(theirs)
                else f"rows {_shown(key)} differ in numbers: {_unmatched(ours, theirs, close)}"
            )
    return None


def _grouped(
    rows: Iterable[Sequence[object]], approximate: Callable[[object], bool]
) -> dict[Row, list[tuple[Number, ...]]]:
    """Rows by their exact cells; the finite approximate ones are kept apart, one tuple a row."""
    groups: dict[Row, list[tuple[Number, ...]]] = defaultdict(list)
    for row in rows:
        key: list[object] = []
        numbers: list[Number] = []
        for cell in row:
            if approximate(cell) and _finite(cell):
                key.append("~")
                numbers.append(cell)  # type: ignore[arg-type]
            else:
                key.append(_exact(cell))
        groups[tuple(key)].append(tuple(numbers))
    return groups


def _exact(cell: object) -> object:
    """A hashable stand-in that is equal only for the same value of the same type."""
    if cell is None:
        return None
    if isinstance(cell, float | Decimal) and not _finite(cell):
        return (float, "NaN" if math.isnan(cell) else str(float(cell)))
    if isinstance(cell, list | tuple):
        return (list, tuple(_exact(item) for item in cell))
    if isinstance(cell, dict):
        items = [(_exact(key), _exact(value)) for key, value in cell.items()]
        return (dict, frozenset(items))
    return (type(cell), cell)


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)


def _finite(cell: object) -> bool:
    return isinstance(cell, int | float | Decimal) and math.isfinite(cell)


def _close_relative(left: Number, right: Number) -> bool:
    return math.isclose(left, right, rel_tol=RELATIVE, abs_tol=0.0)


def _close_across_types(left: Number, right: Number) -> bool:
    if left == right:
        return True
    scales = _scale(left), _scale(right)
    if None not in scales and scales[0] == scales[1]:
        return False
    unit = max(10.0**-scale for scale in scales if scale is not None) if any_decimal(scales) else 0
    return math.isclose(left, right, rel_tol=RELATIVE, abs_tol=unit * 1.000001)


def any_decimal(scales: Iterable[int | None]) -> bool:
    """True where at least one number is a decimal with digits behind the point."""
    return any(scale for scale in scales)


def _scale(number: Number) -> int | None:
    """Digits behind the point: 0 for an integer, None for a double."""
    if isinstance(number, Decimal):
        exponent = number.as_tuple().exponent
        return max(0, -exponent) if isinstance(exponent, int) else 0
    return 0 if isinstance(number, int) else None


def _matches(
    lefts: list[tuple[Number, ...]], rights: list[tuple[Number, ...]], close: Close
) -> bool:
    pairs = zip(sorted(lefts), sorted(rights), strict=True)
    if all(_row_close(left, right, close) for left, right in pairs):
        return True
    return len(lefts) <= _LARGEST_SEARCH and _unmatched(lefts, rights, close) is None


def _unmatched(
    lefts: list[tuple[Number, ...]], rights: list[tuple[Number, ...]], close: Close
) -> str | None:
    """Pairs every left row with a close right row; the first left row that finds none."""
    remaining = list(rights)
    for left in lefts:
        partner = next((r for r in remaining if _row_close(left, r, close)), None)
        if partner is None:
            return f"{_shown(left)} has no partner"
        remaining.remove(partner)
    return None


def _row_close(left: tuple[Number, ...], right: tuple[Number, ...], close: Close) -> bool:
    return all(map(close, left, right))


def _shown(cells: Iterable[object]) -> str:
    """A row for people: types dropped, at most 300 characters."""
    values = [cell[1] if isinstance(cell, tuple) else cell for cell in cells]
    text = "(" + ", ".join(map(str, values)) + ")"
    return text if len(text) <= 300 else text[:297] + "..."
