"""Queries of TPC-H over one wide table, reduced to their comparisons with constants.

The table is lineitem joined with what it refers to. Parameters are drawn as TPC-H prescribes them.
Comparisons of two columns are left out, as no layout skips rows by them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta

Draw = random.Random
Template = Callable[[Draw], str]

_REGIONS = ("AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST")
_SEGMENTS = ("AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY")
_MODES = ("AIR", "FOB", "MAIL", "RAIL", "REG AIR", "SHIP", "TRUCK")
_SIZES = ("ECONOMY", "LARGE", "MEDIUM", "PROMO", "SMALL", "STANDARD")
_FINISHES = ("ANODIZED", "BRUSHED", "BURNISHED", "PLATED", "POLISHED")
_METALS = ("BRASS", "COPPER", "NICKEL", "STEEL", "TIN")


def _months(column: str, year: int, month: int, count: int) -> str:
    """So many whole months from the first of a month on."""
    end = year * 12 + month - 1 + count
    low, below = date(year, month, 1), date(end // 12, end % 12 + 1, 1)
    return f"{column} >= DATE'{low}' AND {column} < DATE'{below}'"


def _q3(draw: Draw) -> str:
    day = date(1995, 3, draw.randint(1, 31))
    return (
        f"c_mktsegment = '{draw.choice(_SEGMENTS)}' AND o_orderdate < DATE'{day}' "
        f"AND l_shipdate > DATE'{day}'"
    )


def _q5(draw: Draw) -> str:
    region, year = draw.choice(_REGIONS), draw.randint(1993, 1997)
    both = f"c_region = '{region}' AND s_region = '{region}'"
    return f"{both} AND {_months('o_orderdate', year, 1, 12)}"


def _q6(draw: Draw) -> str:
    year = _months("l_shipdate", draw.randint(1993, 1997), 1, 12)
    discount = draw.randint(2, 9)
    between = f"l_discount BETWEEN {(discount - 1) / 100:.2f} AND {(discount + 1) / 100:.2f}"
    return f"{year} AND {between} AND l_quantity < {draw.randint(24, 25)}"


def _q8(draw: Draw) -> str:
    kind = " ".join(draw.choice(part) for part in (_SIZES, _FINISHES, _METALS))
    years = _months("o_orderdate", 1995, 1, 24)
    return f"c_region = '{draw.choice(_REGIONS)}' AND {years} AND p_type = '{kind}'"


def _q10(draw: Draw) -> str:
    month = draw.randrange(1, 25)
    return f"{_months('o_orderdate', 1993 + month // 12, month % 12 + 1, 3)} AND l_returnflag = 'R'"


def _q12(draw: Draw) -> str:
    one, other = draw.sample(_MODES, 2)
    received = _months("l_receiptdate", draw.randint(1993, 1997), 1, 12)
    return f"l_shipmode IN ('{one}', '{other}') AND {received}"


def _q14(draw: Draw) -> str:
    return _months("l_shipdate", draw.randint(1993, 1997), draw.randint(1, 12), 1)


def _q19(draw: Draw) -> str:
    def kind(size: str, boxes: tuple[str, ...], least: int, largest: int) -> str:
        listed = ", ".join(f"'{size} {box}'" for box in boxes)
        return (
            f"(p_brand = 'Brand#{draw.randint(1, 5)}{draw.randint(1, 5)}' "
            f"AND p_container IN ({listed}) "
            f"AND l_quantity >= {least} AND l_quantity <= {least + 10} "
            f"AND p_size BETWEEN 1 AND {largest} AND l_shipmode IN ('AIR', 'REG AIR') "
            f"AND l_shipinstruct = 'DELIVER IN PERSON')"
        )

    return " OR ".join(
        (
            kind("SM", ("CASE", "BOX", "PACK", "PKG"), draw.randint(1, 10), 5),
            kind("MED", ("BAG", "BOX", "PKG", "PACK"), draw.randint(10, 20), 10),
            kind("LG", ("CASE", "BOX", "PACK", "PKG"), draw.randint(20, 30), 15),
        )
    )


TEMPLATES: dict[str, Template] = {
    "q3": _q3,
    "q5": _q5,
    "q6": _q6,
    "q8": _q8,
    "q10": _q10,
    "q12": _q12,
    "q14": _q14,
    "q19": _q19,
}

# Columns with the range of their values at scale factor 1, for filters that nobody prescribes.
_NUMBERS = {
    "l_orderkey": (1, 6_000_000),
    "l_partkey": (1, 200_000),
    "l_suppkey": (1, 10_000),
    "l_quantity": (1, 50),
    "l_extendedprice": (900, 105_000),
    "o_custkey": (1, 150_000),
    "o_totalprice": (850, 556_000),
    "c_acctbal": (-1000, 10_000),
    "s_acctbal": (-1000, 10_000),
    "p_size": (1, 50),
}
_DATES = ("l_shipdate", "l_commitdate", "l_receiptdate", "o_orderdate")
RANGED = (*_NUMBERS, *_DATES)


def tenth(column: str) -> Template:
    """A range of a tenth of a column's range, wherever it begins."""

    def drawn(draw: Draw) -> str:
        start = draw.random() * 0.9
        if column in _DATES:
            low = date(1992, 1, 2) + timedelta(int(start * 2500))
            return f"{column} >= DATE'{low}' AND {column} < DATE'{low + timedelta(250)}'"
        first, last = _NUMBERS[column]
        low_number, width = int(first + start * (last - first)), max(1, (last - first) // 10)
        return f"{column} >= {low_number} AND {column} < {low_number + width}"

    return drawn


def ad_hoc(draw: Draw) -> str:
    """A tenth of some column."""
    return tenth(draw.choice(RANGED))(draw)
