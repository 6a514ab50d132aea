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
    #: The boards that are answered, of ``solve_many``.
    answered: int = 0


ProgressOption = Union[None, bool, Callable[[Progress], Any]]


@contextmanager
def bar(progress: Any, **about: Any) -> Iterator[Any]:
    """A bar by tqdm if the progress is ``True``, else ``None``."""
    if progress is not True:
        yield None
        return
    try:
        # Its bar in notebooks needs ipywidgets.
        import ipywidgets  # noqa: F401
        from tqdm.auto import tqdm
    except ImportError:
        from tqdm import tqdm

    with tqdm(**about) as made:
        yield made


@contextmanager
def telling(progress: ProgressOption, boards: Optional[int] = None) -> Iterator[Optional[Callable[..., Any]]]:
    """The callback for the native half: ``None``, one that calls the user's, or one that moves a bar, which counts boards if
    their number is known."""
    if progress is None or progress is False:
        yield None
    elif progress is True and boards is not None:
        with bar(True, total=boards, unit=" boards") as shown:
            yield lambda *row: shown.update(row[-1] - shown.n)
            shown.update(boards - shown.n)
    elif progress is True:
        with bar(True, unit=" states", unit_scale=True) as shown:

            def move(expanded: int, generated: int, bound: int, seconds: float) -> None:
                shown.set_postfix(bound=bound, refresh=False)
                shown.update(expanded - shown.n)

            yield move
    else:
        yield lambda *row: progress(Progress(*row))
