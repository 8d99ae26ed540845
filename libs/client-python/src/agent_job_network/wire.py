"""How the arguments of a program become the fields of a request: every value is a string."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from keyword import iskeyword
from typing import Any, Final, TypeAlias, TypeVar
from urllib.parse import quote, urlencode

WireFields: TypeAlias = "Mapping[str, str]"

_IN_PATH = re.compile(r":(\w+)")


class LeftOut(Enum):
    """The type of `LEFT_OUT`."""

    LEFT_OUT = "left out"


# What a field is that keeps its value: None clears it.
LEFT_OUT: Final = LeftOut.LEFT_OUT


_T = TypeVar("_T")


def given(value: _T | None) -> _T | LeftOut:
    """What was given; of a field that nothing clears, None says that it is left out."""
    return LEFT_OUT if value is None else value


def wire_fields(fields: Mapping[str, Any]) -> WireFields:
    """
    Lists of words and numbers are comma separated, lists of objects are JSON; None clears a field. What is a word of
    Python may have `_` behind it, as arguments have.
    """
    return {_wire_name(name): _wire_value(value) for name, value in fields.items() if value is not LEFT_OUT}


def _wire_name(name: str) -> str:
    word = name.removesuffix("_")
    return word if iskeyword(word) else name


def _wire_value(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence) and all(isinstance(each, (str, int)) for each in value):
        return ",".join(str(each) for each in value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_path(path: str, fields: WireFields) -> str:
    """The path of a read with its fields in their places, and the others as its query."""
    in_path = set(_IN_PATH.findall(path))
    filled = _IN_PATH.sub(lambda found: quote(fields.get(found[1], ""), safe=""), path)
    query = urlencode({name: value for name, value in fields.items() if name not in in_path})
    return f"{filled}?{query}" if query else filled
