"""Maps and shortest paths on them."""

from __future__ import annotations

import json
import os
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from . import _pintu, _show
from ._answers import PathAnswer, keeping, path_answer_of
from ._progress import ProgressOption, telling
from ._solving import TRACE_EVENTS

if TYPE_CHECKING:
    import numpy as np

Cell = tuple[int, int]

#: What a cell may cost at most, and the most cells: refused before an array is copied.
MOST_COST, MOST_CELLS = 1 << 53, 1 << 28


class Map:
    """A map of cells, prepared for searches.

    From a text in one of the map formats (``sea``, ``terrain``, ``octile``: recognised by the first line), from a file
    (``Map.read``), or from an array of what cells cost to enter, where 0, negative numbers, infinities and NaN are blocked
    (``Map.from_array``). ``diagonal`` is ``never``, ``always``, ``no-squeeze`` or ``no-corners``.

    >>> import pintu
    >>> area = pintu.Map("S.#.\\n..#G\\n....")
    >>> answer = area.path()
    >>> answer.cost, answer.path[-1]
    (6, (1, 3))
    >>> print(area.draw(answer.path))
    S.#.
    *.#G
    ****
    """

    def __init__(
        self, text: str, *, format: Optional[str] = None, diagonal: Optional[str] = None,
        costs: Optional[Mapping[str, int]] = None,
    ) -> None:  # fmt: skip
        if not isinstance(text, str):
            raise ValueError(f"found a {type(text).__name__}, expected a text (or Map.from_array for numbers, Map.read for a file)")
        symbols = [f"{symbol}={cost}" for symbol, cost in (costs or {}).items()]
        try:
            self._native = _pintu.Map.from_text(text, format, diagonal, symbols)
        except ValueError as error:
            hint = " (Map.read reads a file)" if os.path.splitext(text)[1] and "\n" not in text else ""
            raise ValueError(f"{error}{hint}") from None
        self._remade: tuple[Any, ...] = (_of_text, (text, format, diagonal, costs))

    @classmethod
    def read(
        cls, path: Union[str, "os.PathLike[str]"], *, format: Optional[str] = None, diagonal: Optional[str] = None,
        costs: Optional[Mapping[str, int]] = None,
    ) -> "Map":  # fmt: skip
        """Reads a file, such as MovingAI's ``.map``."""
        return cls(Path(path).read_text(encoding="utf-8"), format=format, diagonal=diagonal, costs=costs)

    @classmethod
    def from_array(cls, costs: Any, *, diagonal: str = "never") -> "Map":
        """A map of whole costs: 1 is open, 0 is blocked, as is what a mask hides.

        >>> import numpy, pintu
        >>> pintu.Map.from_array(numpy.ones((3, 4), dtype=int)).path((0, 0), (2, 3)).cost
        5
        """
        import numpy as np

        array = np.asarray(np.ma.filled(costs, 0))
        if array.ndim != 2:
            raise ValueError(f"found an array of {array.ndim} dimensions, expected 2")
        if array.size > MOST_CELLS:
            raise ValueError(f"found an array of {array.size} cells, expected at most {MOST_CELLS}")
        if array.dtype == bool:
            array = array.astype(np.int64)
        if array.dtype.kind == "f":
            blocked = ~np.isfinite(array) | (array <= 0)
            if (array[~blocked] != np.floor(array[~blocked])).any():
                raise ValueError("found costs that are not whole, expected whole numbers (scale them)")
            array = np.where(blocked, 0, array)
        if array.dtype.kind not in "iuf":
            raise ValueError(f"found an array of {array.dtype}, expected numbers")
        # Beyond 64 bits they would be converted to something else.
        if array.size and array.max() > MOST_COST:
            raise ValueError(f"found a cell that costs {array.max()}, expected at most {MOST_COST}")
        area = cls.__new__(cls)
        data = np.ascontiguousarray(array, dtype="<i8").tobytes()
        area._native = _pintu.Map.from_costs(data, array.shape[0], array.shape[1], diagonal)
        area._remade = (_of_array, (area.costs, diagonal))
        return area

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._native.rows

    @property
    def cols(self) -> int:
        """The number of columns."""
        return self._native.cols

    @property
    def diagonal(self) -> str:
        """The rule for diagonal steps."""
        return self._native.diagonal

    @property
    def start(self) -> Optional[Cell]:
        """Where the map says that a path begins."""
        return self._native.start

    @property
    def goals(self) -> list[Cell]:
        """Where the map says that a path ends."""
        return self._native.goals

    @property
    def costs(self) -> "np.ndarray[Any, Any]":
        """What each cell costs to enter, 0 for blocked ones."""
        import numpy as np

        return np.frombuffer(self._native.costs(), "<i8").reshape(self.rows, self.cols)

    def path(
        self, start: Optional[Cell] = None, goal: Union[None, Cell, Sequence[Cell]] = None, *, algorithm: str = "auto",
        heuristic: Optional[str] = None, weight: Optional[float] = None, nearest: bool = False,
        inadmissible: bool = False, time_limit: Optional[float] = None, node_limit: Optional[int] = None,
        memory_limit: Optional[int] = None, trace: Union[bool, int] = False, progress: ProgressOption = None,
    ) -> PathAnswer:  # fmt: skip
        """A cheapest path from a cell to another, or to the nearest of several; the map's own ends unless told otherwise.

        The algorithms are ``auto``, ``bfs``, ``bidirectional``, ``dijkstra``, ``greedy``, ``astar``, ``wastar``, ``ida``,
        ``jps``, ``astar-levels`` and ``astar-pruned``; heuristics, of ``greedy``, ``astar``, ``wastar`` and ``ida``, are
        ``none``, ``manhattan``, ``euclidean``, ``chebyshev`` and ``octile``. ``weight`` is that of ``wastar``.
        """
        start = self.start if start is None else start
        if start is None:
            raise ValueError("found no start on the map, expected one as an argument")
        goals: Sequence[Any] = self.goals if goal is None else [goal] if _is_cell(goal) else list(goal)
        how = _options(algorithm, heuristic, weight, nearest, inadmissible, time_limit, node_limit, memory_limit)
        events = TRACE_EVENTS if trace is True else (trace or None)
        convert = lambda found: path_answer_of(self, *found)  # noqa: E731
        with telling(progress) as callback:
            find = lambda: self._native.path(_cell(start), [_cell(one) for one in goals], how, events, callback)  # noqa: E731
            return keeping(find, convert)

    def distances(
        self, cell: Cell, *, toward: bool = False, time_limit: Optional[float] = None,
        node_limit: Optional[int] = None, memory_limit: Optional[int] = None,
    ) -> "np.ndarray[Any, Any]":  # fmt: skip
        """How far every cell is from one of them (or with ``toward`` it from every cell); infinite where no path leads."""
        import numpy as np

        how = _options("dijkstra", None, None, False, False, time_limit, node_limit, memory_limit)
        return np.frombuffer(self._native.distances(_cell(cell), toward, how), "<f8").reshape(self.rows, self.cols)

    def scenarios(
        self, path: Union[str, "os.PathLike[str]"], *, algorithm: str = "auto", heuristic: Optional[str] = None,
        threads: int = 1, time_limit: Optional[float] = None, progress: ProgressOption = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Every query of a MovingAI ``.scen`` file, checked against its length on record: a summary."""
        how = _options(algorithm, heuristic, None, False, False, time_limit, None, None)
        text = Path(path).read_text(encoding="utf-8")
        with telling(progress) as callback:
            return keeping(lambda: self._native.scenarios(text, how, threads, callback), json.loads)

    def draw(self, path: Sequence[Cell] = ()) -> str:
        """The map as a text, with ``*`` on a path."""
        return self._native.draw([_cell(one) for one in path]).rstrip("\n")

    def __str__(self) -> str:
        return self.draw()

    def __repr__(self) -> str:
        return f"<Map of {self.rows} rows and {self.cols} columns, diagonal {self.diagonal}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return self._remade

    def _repr_html_(self) -> str:
        return _show.map_svg(self)


def _of_text(text: str, format: Optional[str], diagonal: Optional[str], costs: Optional[Mapping[str, int]]) -> Map:
    return Map(text, format=format, diagonal=diagonal, costs=costs)


def _of_array(costs: "np.ndarray[Any, Any]", diagonal: str) -> Map:
    return Map.from_array(costs, diagonal=diagonal)


def _cell(cell: Sequence[int]) -> Cell:
    try:
        row, col = map(index, cell)
    except (TypeError, ValueError):
        raise ValueError(f"found {cell!r}, expected a cell: (row, column)") from None
    if row < 0 or col < 0:
        raise ValueError(f"found the cell {(row, col)}, expected one on the map")
    return row, col


def _is_cell(goal: Any) -> bool:
    """Whether it is one cell and no sequence of cells."""
    if not hasattr(goal, "__len__"):
        return not hasattr(goal, "__iter__")
    return len(goal) > 0 and all(getattr(one, "ndim", int(hasattr(one, "__len__"))) == 0 for one in goal)


def _options(*values: Any) -> dict[str, Any]:
    names = (
        "algorithm", "heuristic", "weight", "nearest", "inadmissible", "time_limit", "node_limit", "memory_limit",
    )  # fmt: skip
    return dict(zip(names, values))
