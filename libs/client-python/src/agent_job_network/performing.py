"""Base class of the classes with operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .exchange import Call, Kind
from .wire import read_path, wire_fields


def call_of(kind: Kind, path: str, fields: Mapping[str, Any]) -> Call:
    values = wire_fields(fields)
    return Call(kind, read_path(path, values), {}) if kind in ("read", "live") else Call(kind, path, values)


class Performing:
    def _perform(self, kind: Kind, path: str, fields: Mapping[str, Any]) -> Any:
        raise NotImplementedError
