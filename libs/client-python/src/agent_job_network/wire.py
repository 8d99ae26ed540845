"""Arguments become request fields with string values."""

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


# A field with this value keeps its stored value, whereas None clears it.
LEFT_OUT: Final = LeftOut.LEFT_OUT


_T = TypeVar("_T")


def given(value: _T | None) -> _T | LeftOut:
    """None leaves out a field that cannot be cleared."""
    return LEFT_OUT if value is None else value


def wire_fields(fields: Mapping[str, Any]) -> WireFields:
    """
    Lists of words and numbers are comma separated, lists of objects are JSON, and None clears a field. A trailing `_`
    after a Python keyword is removed.
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
    """Puts fields into the path, and the others into the query."""
    in_path = set(_IN_PATH.findall(path))
    filled = _IN_PATH.sub(lambda match: quote(fields.get(match[1], ""), safe=""), path)
    query = urlencode({name: value for name, value in fields.items() if name not in in_path})
    return f"{filled}?{query}" if query else filled
