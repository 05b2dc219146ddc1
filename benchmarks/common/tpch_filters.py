"""Queries of TPC-H over one wide table, reduced to their comparisons with constants.

The table is lineitem joined with what it refers to. The parameters are drawn as TPC-H prescribes.
Comparisons between two columns are left out, as no layout prunes by them: l_commitdate <
l_receiptdate in q12, c_nationkey = s_nationkey in q5.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from random import Random

from benchmarks.common.conditions import Condition

_REGIONS = ("AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST")
_SEGMENTS = ("AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY")
_MODES = ("AIR", "FOB", "MAIL", "RAIL", "REG AIR", "SHIP", "TRUCK")
_TYPES = tuple(
    f"{size} {finish} {metal}"
    for size in ("ECONOMY", "LARGE", "MEDIUM", "PROMO", "SMALL", "STANDARD")
    for finish in ("ANODIZED", "BRUSHED", "BURNISHED", "PLATED", "POLISHED")
    for metal in ("BRASS", "COPPER", "NICKEL", "STEEL", "TIN")
)


def _q3(random: Random) -> tuple[tuple[Condition, ...], ...]:
    day = datetime.date(1995, 3, random.randint(1, 31))
    after = Condition("l_shipdate", low=day + datetime.timedelta(days=1))
    segment = Condition("c_mktsegment", among=(random.choice(_SEGMENTS),))
    return ((segment, Condition("o_orderdate", below=day), after),)


def _q5(random: Random) -> tuple[tuple[Condition, ...], ...]:
    region, year = random.choice(_REGIONS), random.randint(1993, 1997)
    ordered = _months("o_orderdate", year, 1, 12)
    both = (Condition("c_region", among=(region,)), Condition("s_region", among=(region,)))
    return ((*both, ordered),)


def _q6(random: Random) -> tuple[tuple[Condition, ...], ...]:
    discount = Decimal(random.randint(2, 9)) / 100
    step = Decimal("0.01")
    return (
        (
            _months("l_shipdate", random.randint(1993, 1997), 1, 12),
            Condition("l_discount", low=discount - step, high=discount + step),
            Condition("l_quantity", below=Decimal(random.randint(24, 25))),
        ),
    )


def _q8(random: Random) -> tuple[tuple[Condition, ...], ...]:
    return (
        (
            Condition("c_region", among=(random.choice(_REGIONS),)),
            _months("o_orderdate", 1995, 1, 24),
            Condition("p_type", among=(random.choice(_TYPES),)),
        ),
    )


def _q10(random: Random) -> tuple[tuple[Condition, ...], ...]:
    month = random.randrange(1, 25)  # from February 1993 to January 1995
    ordered = _months("o_orderdate", 1993 + month // 12, month % 12 + 1, 3)
    return ((ordered, Condition("l_returnflag", among=("R",))),)


def _q12(random: Random) -> tuple[tuple[Condition, ...], ...]:
    modes = Condition("l_shipmode", among=tuple(random.sample(_MODES, 2)))
    return ((modes, _months("l_receiptdate", random.randint(1993, 1997), 1, 12)),)


def _q14(random: Random) -> tuple[tuple[Condition, ...], ...]:
    return ((_months("l_shipdate", random.randint(1993, 1997), random.randint(1, 12), 1),),)


def _q19(random: Random) -> tuple[tuple[Condition, ...], ...]:
    def kind(size: str, boxes: tuple[str, ...], least: int, largest: int) -> tuple[Condition, ...]:
        return (
            Condition("p_brand", among=(f"Brand#{random.randint(1, 5)}{random.randint(1, 5)}",)),
            Condition("p_container", among=tuple(f"{size} {box}" for box in boxes)),
            Condition("l_quantity", low=Decimal(least), high=Decimal(least + 10)),
            Condition("p_size", low=1, high=largest),
            Condition("l_shipmode", among=("AIR", "REG AIR")),
            Condition("l_shipinstruct", among=("DELIVER IN PERSON",)),
        )

    return (
        kind("SM", ("CASE", "BOX", "PACK", "PKG"), random.randint(1, 10), 5),
        kind("MED", ("BAG", "BOX", "PKG", "PACK"), random.randint(10, 20), 10),
        kind("LG", ("CASE", "BOX", "PACK", "PKG"), random.randint(20, 30), 15),
    )


TEMPLATES: dict[str, Callable[[Random], tuple[tuple[Condition, ...], ...]]] = {
    "q3": _q3,
    "q5": _q5,
    "q6": _q6,
    "q8": _q8,
    "q10": _q10,
    "q12": _q12,
    "q14": _q14,
    "q19": _q19,
}


def _months(column: str, year: int, month: int, count: int) -> Condition:
    """So many whole months from the first of a month on."""
    end = year * 12 + month - 1 + count
    low, below = datetime.date(year, month, 1), datetime.date(end // 12, end % 12 + 1, 1)
    return Condition(column, low=low, below=below)
