"""Sequences of filters: what is asked, query by query, and what somebody may know beforehand."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise

from benchmarks.adapt.templates import RANGED, TEMPLATES, Template, ad_hoc, tenth

_ALL = tuple(TEMPLATES.values())
_KNOWN_EACH = 30


@dataclass
class Asked:
    """A sequence, or a pool of which so many queries are asked, always the worst one.

    `alike` has queries of each phase that are not asked, of the same templates with other
    parameters: what somebody knows who knows the templates. No more than `budget` of the table is
    rewritten at a time.
    """

    queries: list[str] = field(default_factory=list)
    alike: list[list[str]] = field(default_factory=list)
    worst_of: list[str] = field(default_factory=list)
    length: int = 0
    phases: list[int] = field(default_factory=list)
    budget: float = 1.0


def _asked(seed: int, phases: Iterable[tuple[list[Template], list[Template]]]) -> Asked:
    """Phases, each with its templates, and the template of each of its queries."""
    draw, other = random.Random(seed), random.Random(seed + 1000)
    made = Asked()
    for kinds, queries in phases:
        made.phases.append(len(made.queries))
        made.queries += [template(draw) for template in queries]
        made.alike.append([kind(other) for kind in kinds for _ in range(_KNOWN_EACH)])
    return made


def _same(template: Template, count: int) -> tuple[list[Template], list[Template]]:
    return [template], [template] * count


def switching(seed: int) -> Asked:
    """Eight templates of TPC-H, twenty queries of each, one after the other."""
    return _asked(seed, (_same(template, 20) for template in _ALL))


def by_quarters(seed: int) -> Asked:
    """The queries of switching, with at most a quarter of the table rewritten at a time."""
    return replace(switching(seed), budget=0.25)


def three_days(seed: int) -> Asked:
    """Eight templates of TPC-H, twenty queries of each, and the same on two more days."""
    return _asked(seed, (_same(template, 20) for _ in range(3) for template in _ALL))


def shifting(seed: int) -> Asked:
    """Eight templates, from each to the next one in twenty queries, more and more of the next."""
    draw = random.Random(seed + 2000)
    return _asked(
        seed,
        (
            ([old, new], [new if draw.random() < step / 20 else old for step in range(20)])
            for old, new in pairwise(_ALL)
        ),
    )


def mix(seed: int) -> Asked:
    """One of eight templates by chance for each of 160 queries."""
    draw = random.Random(seed + 2000)
    return _asked(seed, [(list(_ALL), [draw.choice(_ALL) for _ in range(160)])])


def _alternating(block: int) -> Callable[[int], Asked]:
    def asked(seed: int) -> Asked:
        pair = [TEMPLATES["q14"], TEMPLATES["q19"]]
        return _asked(seed, [(pair, [pair[number // block % 2] for number in range(160)])])

    asked.__doc__ = f"q14 and q19 in turns, {block} of each at a time, 160 queries."
    return asked


def varying(seed: int) -> Asked:
    """Thirty queries of q14, and over forty more to q19 and back."""
    q14, q19 = TEMPLATES["q14"], TEMPLATES["q19"]
    draw = random.Random(seed + 2000)
    there = [q19 if draw.random() < step / 20 else q14 for step in range(20)]
    back = [q14 if draw.random() < step / 20 else q19 for step in range(20)]
    start = ([q14], [q14] * 15)
    return _asked(seed, [start, ([q14, q19], there), ([q14, q19], back), ([q14], [q14] * 15)])


def one_template(seed: int) -> Asked:
    """160 queries of one template."""
    return _asked(seed, [_same(TEMPLATES["q12"], 160)])


def drill_down(seed: int) -> Asked:
    """Twenty queries by each of eight columns, each for a tenth of it."""
    return _asked(seed, (_same(tenth(column), 20) for column in RANGED[:8]))


def noise(seed: int) -> Asked:
    """Four templates, forty queries each, of which three in ten ask for a tenth of some column."""
    draw = random.Random(seed + 2000)
    return _asked(
        seed,
        (
            ([template], [ad_hoc if draw.random() < 0.3 else template for _ in range(40)])
            for template in (TEMPLATES[name] for name in ("q14", "q12", "q10", "q5"))
        ),
    )


def all_ad_hoc(seed: int) -> Asked:
    """160 queries, each for a tenth of some column."""
    return _asked(seed, [([ad_hoc], [ad_hoc] * 160)])


def long_phases(seed: int) -> Asked:
    """Four phases of 400 queries, each of two templates in a mix."""
    draw = random.Random(seed + 2000)
    pairs = [list(_ALL[i : i + 2]) for i in range(0, 8, 2)]
    return _asked(seed, ((pair, [draw.choice(pair) for _ in range(400)]) for pair in pairs))


def _worst(kinds: Iterable[Template], each: int, length: int) -> Callable[[int], Asked]:
    def asked(seed: int) -> Asked:
        draw = random.Random(seed)
        pool = [template(draw) for template in kinds for _ in range(each)]
        return Asked(worst_of=pool, length=length)

    asked.__doc__ = f"{length} queries, each the one that the table then serves worst."
    return asked


SEQUENCES: dict[str, Callable[[int], Asked]] = {
    "switching": switching,
    "switching by quarters": by_quarters,
    "shifting": shifting,
    "mix": mix,
    "alternating": _alternating(1),
    "blocks of 10": _alternating(10),
    "blocks of 40": _alternating(40),
    "varying": varying,
    "three days": three_days,
    "one template": one_template,
    "drill-down": drill_down,
    "noise": noise,
    "ad hoc": all_ad_hoc,
    "worst of templates": _worst(_ALL, 4, 100),
    "worst of templates 300": _worst(_ALL, 4, 300),
    "worst of columns": _worst([tenth(column) for column in RANGED[:8]], 1, 100),
    "worst of columns 300": _worst([tenth(column) for column in RANGED[:8]], 1, 300),
    "long phases": long_phases,
}
