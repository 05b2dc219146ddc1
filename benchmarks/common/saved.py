"""Values of dataclasses as JSON, and back: a file says no types, the fields of a class do."""

from __future__ import annotations

import json
from dataclasses import asdict, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")


def save(value: Any, path: Path) -> Path:
    """Writes a dataclass as JSON, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".json.partial")
    partial.write_text(json.dumps(asdict(value), indent=1) + "\n", encoding="utf-8")
    partial.replace(path)
    return path


def load(kind: type[T], path: Path) -> T:
    """A dataclass that was saved. Parts that a file lacks have their defaults."""
    try:
        found: T = restore(kind, json.loads(path.read_text(encoding="utf-8")))
    except (TypeError, ValueError) as error:
        raise SystemExit(f"{path} is no {kind.__name__}: {error}") from error
    return found


def restore(kind: Any, value: Any) -> Any:
    """A value of a type: a dataclass, a list or a dict of such, a plain one, or None.

    Raises ValueError or TypeError where a dataclass has no such field, or needs another one.
    """
    if is_dataclass(kind):
        return _restored(kind, value)
    inner = get_args(kind)
    if get_origin(kind) is list:
        return [restore(inner[0], each) for each in value]
    if get_origin(kind) is dict:
        return {name: restore(inner[1], each) for name, each in value.items()}
    optional = [each for each in inner if each is not type(None)]
    return restore(optional[0], value) if optional and value is not None else value


def _restored(kind: Any, value: dict[str, Any]) -> Any:
    types = _types(kind)
    unknown = [name for name in value if name not in types]
    if unknown:
        raise ValueError(f"{kind.__name__} has no '{unknown[0]}'; accepted: {', '.join(types)}")
    return kind(**{name: restore(types[name], each) for name, each in value.items()})


@cache
def _types(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
