"""Sequences of filters on lineitem: what is asked, query by query."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta

Draw = random.Random


def _day(draw: Draw, first: int, days: int) -> date:
    return date(first, 1, 1) + timedelta(draw.randrange(days))


def _between(column: str, start: date, days: int) -> str:
    end = start + timedelta(days)
    return f"{column} >= DATE'{start}' AND {column} < DATE'{end}'"


def _q3(draw: Draw) -> str:
    return f"l_shipdate > DATE'1995-03-{draw.randint(1, 31):02}'"


def _q6(draw: Draw) -> str:
    discount = draw.randint(2, 9)
    year = _between("l_shipdate", date(draw.randint(1993, 1997), 1, 1), 365)
    between = f"l_discount BETWEEN 0.0{discount - 1} AND 0.0{discount}"
    return f"{year} AND {between} AND l_quantity < {draw.randint(24, 25)}"


def _q12(draw: Draw) -> str:
    modes = draw.sample(["REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"], 2)
    received = _between("l_receiptdate", date(draw.randint(1993, 1997), 1, 1), 365)
    return f"l_shipmode IN ('{modes[0]}', '{modes[1]}') AND {received}"


def _q14(draw: Draw) -> str:
    return _between("l_shipdate", date(draw.randint(1993, 1997), draw.randint(1, 12), 1), 30)


def _q15(draw: Draw) -> str:
    return _between("l_shipdate", date(draw.randint(1993, 1997), draw.randint(1, 10), 1), 90)


def _q19(draw: Draw) -> str:
    quantity = draw.randint(1, 30)
    return (
        f"l_shipmode IN ('AIR', 'REG AIR') AND l_shipinstruct = 'DELIVER IN PERSON' AND "
        f"l_quantity >= {quantity} AND l_quantity <= {quantity + 10}"
    )


def _parts(draw: Draw) -> str:
    first = draw.random() * 0.95
    return f"l_partkey >= {{parts}} * {first:.4f} AND l_partkey < {{parts}} * {first + 0.03:.4f}"


def _price(draw: Draw) -> str:
    first = draw.randint(900, 90_000)
    return f"l_extendedprice BETWEEN {first} AND {first + 3000}"


TEMPLATES: tuple[Callable[[Draw], str], ...] = (
    _q3,
    _q6,
    _q12,
    _q14,
    _q15,
    _q19,
    _parts,
    _price,
)

_RANGED = ("l_partkey", "l_suppkey", "l_orderkey", "l_quantity", "l_extendedprice")


def _ad_hoc(draw: Draw) -> str:
    """A random range of a random column, as a share of its greatest value."""
    column = draw.choice(_RANGED)
    first = draw.random() * 0.9
    return f"{column} >= {{{column}}} * {first:.4f} AND {column} < {{{column}}} * {first + 0.1:.4f}"


def switching(draw: Draw) -> list[str]:
    """Eight templates, twenty queries of each one after the other."""
    return [template(draw) for template in TEMPLATES for _ in range(20)]


def mix(draw: Draw) -> list[str]:
    """A template by chance for each of 160 queries."""
    return [draw.choice(TEMPLATES)(draw) for _ in range(160)]


def one_template(draw: Draw) -> list[str]:
    """160 queries of one template."""
    return [_q12(draw) for _ in range(160)]


def alternating(draw: Draw) -> list[str]:
    """Two templates in turns, 80 queries of each."""
    return [(_q14, _q19)[number % 2](draw) for number in range(160)]


def ad_hoc(draw: Draw) -> list[str]:
    """160 queries of which none is like another."""
    return [_ad_hoc(draw) for _ in range(160)]


SEQUENCES = {
    "switching": switching,
    "mix": mix,
    "one template": one_template,
    "alternating": alternating,
    "ad hoc": ad_hoc,
}
