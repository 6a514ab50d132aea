"""Exceptions of the package. What is asked wrongly is a ``ValueError``."""

from __future__ import annotations

from typing import Any


class PintuError(Exception):
    """A search could not be carried out."""


class ShardError(PintuError, ValueError):
    """A shard was made for other tables, or its bytes are damaged, or results do not belong together."""


class TablesError(PintuError):
    """Pattern tables could not be built or kept."""


class DeviceError(PintuError):
    """There is no GPU, or it failed."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while a search ran. ``answer`` is what it had found."""

    def __init__(self, answer: Any) -> None:
        super().__init__("interrupted; what was found is in .answer")
        self.answer = answer
