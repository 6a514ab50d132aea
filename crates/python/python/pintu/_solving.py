"""Boards: solve, check, compare, generate."""

from __future__ import annotations

import json
import math
import os
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, Sequence, Union

from . import _pintu
from ._answers import Answer, Answers, Comparison, answer_of, keeping
from ._pintu import Board, Topology
from ._progress import ProgressOption, telling

if TYPE_CHECKING:
    import numpy as np

#: Events of a search that are recorded with ``trace=True``.
TRACE_EVENTS = 200_000

BoardLike = Union[Board, str, Sequence[int], Sequence[Sequence[int]], "np.ndarray[Any, Any]"]
GoalLike = Union[None, Board, str, Sequence[int], Sequence[Sequence[int]], "np.ndarray[Any, Any]"]
Tables = Union[None, str, "os.PathLike[str]"]


def board_of(board: BoardLike, goal: GoalLike = None) -> Board:
    """A board from anything that ``Board`` takes."""
    if not isinstance(board, Board):
        return Board(_tiles(board), _tiles(goal))
    if goal is None:
        return board
    shape = board.topology
    wraps = {"wrap_rows": shape.wrap_rows, "wrap_cols": shape.wrap_cols}
    return Board(board.tiles, _tiles(goal), size=(board.rows, board.cols), **wraps)


def _tiles(board: Any) -> Any:
    if isinstance(board, Board):
        return board.tiles
    return board.tolist() if hasattr(board, "tolist") else board


def options(
    algorithm: str = "auto", heuristic: Optional[str] = None, weight: Optional[float] = None,
    max_depth: Optional[int] = None, time_limit: Optional[float] = None, node_limit: Optional[int] = None,
    memory_limit: Optional[int] = None, threads: Optional[int] = 1, device: str = "cpu", tables: Tables = None,
) -> dict[str, Any]:  # fmt: skip
    """How boards are to be solved, for the native half."""
    return {
        "algorithm": algorithm, "heuristic": heuristic, "weight": weight, "max_depth": max_depth,
        "time_limit": time_limit, "node_limit": node_limit, "memory_limit": memory_limit, "threads": threads,
        "device": device, "tables": tables if tables is None else os.fspath(tables),
    }  # fmt: skip


def solve(
    board: BoardLike, goal: GoalLike = None, *, algorithm: str = "auto", heuristic: Optional[str] = None,
    weight: Optional[float] = None, max_depth: Optional[int] = None, time_limit: Optional[float] = None,
    node_limit: Optional[int] = None, memory_limit: Optional[int] = None, threads: Optional[int] = 1,
    device: str = "cpu", tables: Tables = None, trace: Union[bool, int] = False, progress: ProgressOption = None,
) -> Answer:  # fmt: skip
    """Solves a board.

    ``auto`` is optimal on boards up to 4×4, and on larger ones as good as the limits allow. The other algorithms are ``bfs``,
    ``bidirectional``, ``dfs``, ``iddfs``, ``dijkstra``, ``greedy``, ``astar``, ``wastar``, ``ida``, ``bfs-tree`` and
    ``dfs-tree``; heuristics, of ``greedy``, ``astar``, ``wastar`` and ``ida``, are ``none``, ``misplaced``, ``euclidean``,
    ``manhattan``, ``linear-conflict``, ``walking-distance`` and ``pattern``. ``weight`` is that of ``wastar``. ``trace`` records the search of
    a named algorithm, up to 200,000 events or as many as it says. ``progress`` is a callback (which ends the search by
    returning ``False``), or ``True`` for a bar. ``threads=None`` uses all cores.

    >>> import pintu
    >>> pintu.solve("8 6 7 2 5 4 3 0 1").length
    31
    >>> pintu.solve([[1, 2, 3], [4, 5, 6], [8, 7, 0]]).status
    'unsolvable'
    >>> pintu.solve("1 2 3 4 5 6 7 8 8")
    Traceback (most recent call last):
    ...
    ValueError: line 1: repeated 8; missing 0, expected each of 0 to 8 once on a board of 3x3
    """
    problem = board_of(board, goal)
    how = options(
        algorithm, heuristic, weight, max_depth, time_limit, node_limit, memory_limit, threads, device, tables
    )
    events = TRACE_EVENTS if trace is True else (trace or None)
    convert = lambda found: answer_of(problem, *found)  # noqa: E731
    if progress is None:
        return keeping(lambda: _pintu.solve(problem, how, events), convert)
    with telling(progress) as callback:
        return keeping(lambda: _pintu.solve(problem, how, events, callback), convert)


def boards_of(boards: Union[Iterable[BoardLike], "np.ndarray[Any, Any]"], goal: GoalLike = None) -> list[Board]:
    """Boards from a sequence of them, or from an array with a board in each row (or a matrix each)."""
    if isinstance(boards, str):
        raise ValueError("found a text, expected a sequence of boards")
    shape = getattr(boards, "shape", None)
    if shape is not None:
        import numpy as np

        if len(shape) not in (2, 3):
            raise ValueError(f"found an array of shape {shape}, expected (boards, cells) or (boards, rows, cols)")
        size = tuple(shape[1:]) if len(shape) == 3 else None
        rows = np.asarray(boards).reshape(shape[0], math.prod(shape[1:])).tolist()
        return [_nth(number, lambda: Board(row, _tiles(goal), size=size)) for number, row in enumerate(rows)]
    return [_nth(number, lambda: board_of(board, goal)) for number, board in enumerate(boards)]


def _nth(number: int, make: Callable[[], Board]) -> Board:
    try:
        return make()
    except ValueError as error:
        raise ValueError(f"boards[{number}]: {error}") from None


def solve_many(
    boards: Union[Iterable[BoardLike], "np.ndarray[Any, Any]"], goal: GoalLike = None, *, algorithm: str = "auto",
    heuristic: Optional[str] = None, weight: Optional[float] = None, max_depth: Optional[int] = None,
    time_limit: Optional[float] = None, node_limit: Optional[int] = None, memory_limit: Optional[int] = None,
    threads: Optional[int] = None, device: str = "cpu", tables: Tables = None, progress: ProgressOption = None,
) -> Answers:  # fmt: skip
    """Solves many boards on all cores (or ``threads``), each within the limits; the answers are in order.

    >>> import numpy, pintu
    >>> pintu.solve_many(numpy.array([[1, 2, 3, 4, 5, 6, 7, 0, 8], [0, 1, 3, 4, 2, 5, 7, 8, 6]]))
    <2 answers, 2 solved>
    """
    problems = boards_of(boards, goal)
    how = options(
        algorithm, heuristic, weight, max_depth, time_limit, node_limit, memory_limit, threads, device, tables
    )
    with telling(progress, len(problems)) as callback:
        convert = lambda texts: Answers(problems, texts)  # noqa: E731
        return keeping(lambda: _pintu.solve_many(problems, how, callback), convert)


@dataclass(frozen=True)
class Check:
    """Whether a board can be solved."""

    solvable: bool
    #: Why, or why not.
    reason: str
    #: Two tiles that repair it if they change places.
    swap: Optional[tuple[int, int]] = None

    def __bool__(self) -> bool:
        return self.solvable


def check(board: BoardLike, goal: GoalLike = None) -> Check:
    """Says whether a board can be solved, and why.

    >>> import pintu
    >>> bool(pintu.check("1 2 3 4 5 6 8 7 0"))
    False
    >>> pintu.check("1 2 3 4 5 6 8 7 0").swap
    (8, 7)
    """
    said = json.loads(board_of(board, goal)._check())
    swap = said.get("swap")
    return Check(said["status"] == "solvable", said["reason"], None if swap is None else (swap[0], swap[1]))


def compare(
    boards: Union[BoardLike, Iterable[BoardLike]], algorithms: Union[str, Sequence[str]] = (), *, goal: GoalLike = None,
    time_limit: Optional[float] = None, node_limit: Optional[int] = None, memory_limit: Optional[int] = None,
    max_depth: Optional[int] = None, tables: Tables = None, progress: ProgressOption = None,
) -> Comparison:  # fmt: skip
    """Solves boards with several algorithms, each written ``name[:heuristic[:weight]]``, one after the other. The names are
    those of ``pintu.solve``.

    >>> import pintu
    >>> compared = pintu.compare("8 6 7 2 5 4 3 0 1", ["bfs", "astar:manhattan"])
    >>> [answers[0].length for answers in compared.answers.values()]
    [31, 31]
    """
    try:
        problems = [board_of(boards, goal)]  # type: ignore[arg-type]
    except ValueError:
        # Numbers are one board, and no sequence of boards.
        tiles = _tiles(boards)
        if isinstance(tiles, str) or (isinstance(tiles, (list, tuple)) and all(isinstance(one, int) for one in tiles)):
            raise
        problems = boards_of(boards, goal)  # type: ignore[arg-type]
    algorithms = [algorithms] if isinstance(algorithms, str) else algorithms
    how = options("auto", None, None, max_depth, time_limit, node_limit, memory_limit, 1, "cpu", tables)

    def convert(rows: list[tuple[str, list[str]]]) -> Comparison:
        return Comparison(
            {name: [answer_of(board, text) for board, text in zip(problems, texts)] for name, texts in rows}
        )

    with telling(progress) as callback:
        return keeping(lambda: _pintu.compare(problems, list(algorithms), how, callback), convert)


def generate(
    rows: int = 4, cols: Optional[int] = None, count: int = 1, *, goal: GoalLike = None, seed: Optional[int] = None,
    walk: Optional[int] = None, wrap_rows: Sequence[int] = (), wrap_cols: Sequence[int] = (),
) -> list[Board]:  # fmt: skip
    """Random boards: each that can be solved is as likely as any other, or ``walk`` random steps from the goal. A seed means
    the same boards for ever, and the same as on the command line.

    >>> import pintu
    >>> pintu.generate(3, seed=1)
    [Board('0 7 6 5 3 1 4 2 8')]
    """
    shape = Topology(rows, rows if cols is None else cols, wrap_rows=list(wrap_rows), wrap_cols=list(wrap_cols))
    seed = random.getrandbits(64) if seed is None else seed
    return _pintu.scrambles(shape, _tiles(goal), count, seed, walk)


def goal(rows: int, cols: int, name: GoalLike = None) -> tuple[int, ...]:
    """The tiles of a goal: ``standard``, ``blank-first``, ``snail`` or any board.

    >>> import pintu
    >>> pintu.goal(3, 3, "snail")
    (1, 2, 3, 8, 0, 4, 7, 6, 5)
    """
    return tuple(_pintu.goal(rows, cols, _tiles(name)))


def build_tables(
    board: BoardLike, *, large: bool = False, threads: Optional[int] = None, tables: Tables = None, device: str = "cpu"
) -> int:
    """Builds the pattern tables of a board's shape and goal, or finds them; returns their bytes."""
    place = tables if tables is None else os.fspath(tables)
    return _pintu.build_tables(board_of(board), large, threads, place, device)
