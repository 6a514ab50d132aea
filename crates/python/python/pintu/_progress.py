"""Progress of long searches: a callback, or a bar by tqdm."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Callable, Iterator, NamedTuple, Optional, Union


class Progress(NamedTuple):
    """What a search has done so far."""

    expanded: int
    generated: int
    bound: int
    seconds: float


ProgressOption = Union[None, bool, Callable[[Progress], Any]]


@contextmanager
def telling(progress: ProgressOption) -> Iterator[Optional[Callable[..., Any]]]:
    """The callback for the native half: ``None``, one that calls the user's, or one that moves a bar."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        from tqdm.auto import tqdm

        with tqdm(unit=" states", unit_scale=True) as bar:

            def move(expanded: int, generated: int, bound: int, seconds: float) -> None:
                bar.set_postfix(bound=bound, refresh=False)
                bar.update(expanded - bar.n)

            yield move
    else:
        yield lambda *row: progress(Progress(*row))
