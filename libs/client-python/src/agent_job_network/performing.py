"""Base classes of the classes with operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .exchange import Kind


class Performing:
    def _perform(self, kind: Kind, path: str, fields: Mapping[str, Any]) -> Any:
        raise NotImplementedError


class AsyncPerforming:
    async def _perform(self, kind: Kind, path: str, fields: Mapping[str, Any]) -> Any:
        raise NotImplementedError
