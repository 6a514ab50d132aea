"""What searches answer: typed objects that print, draw themselves in notebooks and become tables of pandas."""

from __future__ import annotations

import json
from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, TypeVar, Union, overload

from . import _show
from ._errors import Interrupted

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from ._pintu import Board
    from .map import Map

#: What the codes of ``Trace.what`` mean.
EVENTS = ("expanded", "new", "known", "cheaper", "reopened", "cut", "dead-end", "too-dear", "iteration")

T = TypeVar("T")


def _count(number: int) -> str:
    return f"{number:,}"


def _end(reason: Optional[str]) -> str:
    return "cancelled" if reason == "cancelled" else f"limit of {reason}"


class _Table:
    """Becomes a row of pandas."""

    def to_dict(self) -> dict[str, Any]:
        """Its fields, without the board or map and the trace."""
        left_out = {"board", "map", "trace"}
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name not in left_out}  # type: ignore[arg-type]

    def to_pandas(self) -> "pd.Series[Any]":
        """Its fields as a series of pandas."""
        import pandas as pd

        return pd.Series(self.to_dict())


@dataclass(frozen=True)
class Answer(_Table):
    """What came of a board.

    >>> import pintu
    >>> answer = pintu.solve("0 1 3 4 2 5 7 8 6", algorithm="astar")
    >>> answer.moves, answer.length, answer.optimal
    ('RDRD', 4, True)
    >>> print(answer)
    solved in 4 moves (optimal): RDRD
    astar with linear-conflict expanded 5 states and generated 10
    """

    board: "Board" = field(repr=False)
    #: ``solved``, ``unsolvable`` or ``limit``.
    status: str
    algorithm: str
    heuristic: str
    expanded: int
    generated: int
    peak_states: int
    memory: int
    seconds: float
    device: str = "cpu"
    #: The moves of the blank: U, D, L, R.
    moves: Optional[str] = None
    length: Optional[int] = None
    #: Whether it is proved that no solution is shorter.
    optimal: bool = False
    #: No solution is shorter.
    lower_bound: Optional[int] = None
    #: Why there is no solution, or which limit was reached.
    reason: Optional[str] = None
    weight: Optional[float] = None
    trace: Optional["Trace"] = field(default=None, repr=False, compare=False)

    @property
    def boards(self) -> "list[Board]":
        """The boards along the solution, both ends included."""
        boards = [self.board]
        for move in self.moves or "":
            boards.append(boards[-1].play(move))
        return boards

    def __str__(self) -> str:
        if self.status == "solved":
            proof = "optimal" if self.optimal else f"no solution is shorter than {self.lower_bound}"
            first = f"solved in {self.length} moves ({proof}): {self.moves}"
        elif self.status == "limit":
            first = f"not solved: {_end(self.reason)}; no solution is shorter than {self.lower_bound}"
        else:
            first = f"unsolvable: {self.reason}"
        return (
            f"{first}\n{self.algorithm} with {self.heuristic} expanded {_count(self.expanded)} states "
            f"and generated {_count(self.generated)}"
        )

    def _repr_html_(self) -> str:
        return _show.answer_html(self)


_ANSWER_FIELDS = {one.name for one in fields(Answer)}
_NOTHING = {one.name: one.default for one in fields(Answer) if one.default is not MISSING}


def answer_of(board: "Board", record: Union[str, dict[str, Any]], trace: Optional[bytes] = None) -> Answer:
    """An answer from the engine's JSON, or from its fields."""
    known: dict[str, Any] = json.loads(record) if isinstance(record, str) else record
    if known.get("optimal"):
        known.setdefault("lower_bound", known["length"])
    if not known.keys() <= _ANSWER_FIELDS:
        known = {name: value for name, value in known.items() if name in _ANSWER_FIELDS}
    # What `Answer(...)` does, in a third of the time: an answer is made for every board of a batch.
    answer = object.__new__(Answer)
    answer.__dict__.update(_NOTHING, board=board, trace=None if trace is None else Trace.from_bytes(trace), **known)
    return answer


class Answers(Sequence[Answer]):
    """Answers to many boards, in order. Each is read when it is looked at."""

    def __init__(self, boards: "Sequence[Board]", texts: Sequence[str]) -> None:
        self._boards, self._texts = boards, texts

    @overload
    def __getitem__(self, index: int) -> Answer: ...

    @overload
    def __getitem__(self, index: slice) -> "Answers": ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Answers(self._boards[index], self._texts[index])
        return answer_of(self._boards[index], self._texts[index])

    def __len__(self) -> int:
        return len(self._texts)

    def to_pandas(self) -> "pd.DataFrame":
        """A row an answer."""
        import pandas as pd

        return pd.DataFrame([answer.to_dict() for answer in self])

    def __repr__(self) -> str:
        solved = sum('"status":"solved"' in text for text in self._texts)
        return f"<{len(self)} answers, {solved} solved>"

    def _repr_html_(self) -> str:
        return _show.frame_html(self)


@dataclass(frozen=True, repr=False)
class Comparison:
    """Several algorithms on the same boards: ``answers`` of each contestant, board by board."""

    answers: dict[str, list[Answer]]

    def to_pandas(self) -> "pd.DataFrame":
        """A row a contestant: ``solved`` of ``boards``, and means over those it solved. Rows with other numbers of them are
        of other boards."""
        import pandas as pd

        def row(answers: list[Answer]) -> dict[str, Any]:
            solved = [answer for answer in answers if answer.status == "solved"]
            mean = lambda get: sum(map(get, solved)) / len(solved) if solved else float("nan")  # noqa: E731
            return {
                "solved": len(solved), "boards": len(answers), "length": mean(lambda one: one.length),
                "optimal": sum(one.optimal for one in solved), "expanded": mean(lambda one: one.expanded),
                "generated": mean(lambda one: one.generated), "peak_states": mean(lambda one: one.peak_states),
                "seconds": mean(lambda one: one.seconds),
            }  # fmt: skip

        return pd.DataFrame([row(answers) for answers in self.answers.values()], index=list(self.answers))

    def __str__(self) -> str:
        lines = [f"{'algorithm':<24}{'solved':>11}{'length':>8}{'expanded':>14}{'generated':>14}{'ms':>10}"]
        for name, answers in self.answers.items():
            solved = [answer for answer in answers if answer.status == "solved"]
            if not solved:
                lines.append(f"{name:<24}{f'0/{len(answers)}':>11}  {answers[0].reason if answers else ''}")
                continue
            mean = lambda get: sum(map(get, solved)) / len(solved)  # noqa: E731
            lines.append(
                f"{name:<24}{f'{len(solved)}/{len(answers)}':>11}{mean(lambda one: one.length):>8.1f}"
                f"{mean(lambda one: one.expanded):>14,.0f}{mean(lambda one: one.generated):>14,.0f}"
                f"{1000 * mean(lambda one: one.seconds):>10.3f}"
            )
        return "\n".join(lines)

    # With all answers it would fill the screen.
    __repr__ = __str__

    def _repr_html_(self) -> str:
        return _show.frame_html(self)


@dataclass(frozen=True)
class PathAnswer(_Table):
    """What came of a query for a path on a map."""

    map: "Map" = field(repr=False)
    #: ``found``, ``unreachable`` or ``limit``.
    status: str
    algorithm: str
    heuristic: str
    expanded: int
    generated: int
    peak_states: int
    memory: int
    seconds: float
    cost: Optional[float] = None
    #: The cells of the path as (row, col), both ends included.
    path: Optional[list[tuple[int, int]]] = field(default=None, repr=False)
    optimal: bool = False
    nearest: Optional[tuple[int, int]] = None
    reason: Optional[str] = None
    lower_bound: Optional[float] = None
    weight: Optional[float] = None
    trace: Optional["Trace"] = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        if self.status == "found":
            proof = "optimal" if self.optimal else "not proved to be the cheapest"
            to = f" to {self.nearest}, the nearest cell that can be reached," if self.nearest else ""
            first = f"a path{to} of {len(self.path or ()) - 1} steps, cost {self.cost:g} ({proof})"
        elif self.status == "limit":
            first = f"no path was found: {_end(self.reason)}"
        else:
            first = f"no path: {self.reason}"
        return f"{first}\n{self.algorithm} with {self.heuristic} expanded {_count(self.expanded)} cells"

    def _repr_html_(self) -> str:
        return _show.path_html(self)


_PATH_FIELDS = {one.name for one in fields(PathAnswer)}


def path_answer_of(area: "Map", text: str, trace: Optional[bytes] = None) -> PathAnswer:
    """An answer from the engine's JSON."""
    record = {name: value for name, value in json.loads(text).items() if name in _PATH_FIELDS}
    if record.get("path") is not None:
        record["path"] = [tuple(cell) for cell in record["path"]]
    if record.get("nearest") is not None:
        record["nearest"] = tuple(record["nearest"])
    return PathAnswer(map=area, trace=None if trace is None else Trace.from_bytes(trace), **record)


@dataclass(frozen=True)
class SearchAnswer(_Table):
    """What came of a search of a graph."""

    #: ``found``, ``unreachable`` or ``limit``.
    status: str
    algorithm: str
    #: The states of the path, both ends included.
    path: Optional[list[Any]]
    cost: Optional[float]
    #: ``cheapest``, ``shortest`` (in steps), ``within`` (the weight) or ``none``.
    guarantee: str
    lower_bound: Optional[float]
    #: Which limit was reached, or where on the path the heuristic overestimates.
    reason: Optional[str]
    expanded: int
    generated: int
    peak_states: int
    seconds: float
    trace: Optional["Trace"] = field(default=None, repr=False, compare=False)

    @property
    def optimal(self) -> bool:
        """Whether no path is cheaper; of a search with a heuristic, if that never overestimates."""
        return self.guarantee == "cheapest"

    def __str__(self) -> str:
        if self.status == "found":
            proof = "not proved to be the cheapest" if self.guarantee == "none" else self.guarantee
            why = "" if self.reason is None else f": {self.reason}"
            first = f"a path of {len(self.path or ()) - 1} steps, cost {self.cost:g} ({proof}{why})"
        elif self.status == "limit":
            first = f"no path was found: {_end(self.reason)}"
        else:
            first = "no path"
        return f"{first}\n{self.algorithm} expanded {_count(self.expanded)} states, generated {_count(self.generated)}"

    def _repr_html_(self) -> str:
        states = [repr(state) for state in self.path or ()]
        return _show.pre(self) + (_show.trace_html(self.trace, states) if self.trace is not None else "")


@dataclass(frozen=True, eq=False)
class Trace:
    """What a search did, event by event, as arrays: element ``i`` of each is of event ``i``.

    ``what`` has codes of ``EVENTS``; ``node`` and ``parent`` number states (-1 for none), which are rows of ``states``;
    ``g`` and ``h`` are what was paid and what is estimated to be left.
    """

    what: "np.ndarray[Any, Any]"
    node: "np.ndarray[Any, Any]"
    parent: "np.ndarray[Any, Any]"
    g: "np.ndarray[Any, Any]"
    h: "np.ndarray[Any, Any]"
    states: "np.ndarray[Any, Any]"
    #: The nodes of the path that was found.
    path_nodes: "np.ndarray[Any, Any]"
    #: What the states are: their kind, and the sides of a board or map.
    place: dict[str, Any]
    #: Whether events are missing because there were too many.
    cut: bool
    #: The states of a graph, as Python has them.
    labels: Sequence[Any] = ()

    @property
    def width(self) -> int:
        """The numbers of a state: a board's cells, else 1."""
        return int(self.states.shape[1])

    @classmethod
    def from_bytes(cls, data: bytes) -> "Trace":
        """Reads the packed form (``.ptr``), which the command line and the server write."""
        import numpy as np

        if data[:4] != b"PTR1":
            raise ValueError("found no packed trace, expected one that begins with PTR1")
        length = int.from_bytes(data[4:8], "little")
        header = json.loads(data[8 : 8 + length])
        kinds = {"u8": "<u1", "u32": "<u4", "f64": "<f8", "f32": "<f4"}
        array: Callable[[str], Any] = lambda name: np.frombuffer(  # noqa: E731
            data, kinds[header["arrays"][name]["type"]], header["arrays"][name]["length"], header["arrays"][name]["offset"]
        )
        signed = lambda name: np.where(array(name) == 0xFFFFFFFF, -1, array(name).astype(np.int64))  # noqa: E731
        return cls(
            what=array("what"), node=signed("node"), parent=signed("parent"), g=array("paid"), h=array("left"),
            states=array("states").reshape(-1, header["width"]),
            path_nodes=np.array(header["path_nodes"], dtype=np.int64), place=header["place"], cut=header["cut"],
        )  # fmt: skip

    @classmethod
    def of_events(cls, events: tuple[Any, ...], labels: Sequence[Any], path: Sequence[Any]) -> "Trace":
        """The trace of a search of a graph."""
        import numpy as np

        what, node, parent, paid, left, cut = events
        signed: Callable[[bytes], Any] = lambda data: np.frombuffer(data, "<u4").astype(np.int64)  # noqa: E731
        nodes, parents = signed(node), signed(parent)
        parents = np.where(parents == 0xFFFFFFFF, -1, parents)
        numbers = {label: number for number, label in enumerate(labels)}
        return cls(
            what=np.frombuffer(what, "<u1"), node=nodes, parent=parents, g=np.frombuffer(paid, "<f8"),
            h=np.frombuffer(left, "<f8"), states=np.arange(len(labels), dtype=np.int64)[:, None],
            path_nodes=np.array([numbers[state] for state in path], dtype=np.int64), place={"kind": "graph"},
            cut=cut, labels=labels,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.what)

    def to_pandas(self) -> "pd.DataFrame":
        """A row an event."""
        import pandas as pd

        what = pd.Categorical.from_codes(self.what.astype("int8"), list(EVENTS))
        return pd.DataFrame({"what": what, "node": self.node, "parent": self.parent, "g": self.g, "h": self.h})

    def __repr__(self) -> str:
        return f"<Trace of {_count(len(self))} events{', cut off' if self.cut else ''}>"

    def _repr_html_(self) -> str:
        return _show.trace_html(self)


def keeping(raw: Callable[[], T], convert: Callable[[Any], Any]) -> Any:
    """Calls the native half; an interrupt keeps what was found, converted. What is wrong with an option is a ``ValueError``."""
    try:
        return convert(raw())
    except TypeError as error:
        _, is_option, option = str(error).partition("failed to extract field Options.")
        if not is_option:
            raise
        why = str(error.__cause__).replace("cannot be interpreted as an integer", "found, expected a whole number such as 1_000_000")
        raise ValueError(f"{option}: {why}") from None
    except Interrupted as stopped:
        stopped.answer = convert(stopped.answer)
        raise


__all__ = ["EVENTS", "Answer", "Answers", "Comparison", "PathAnswer", "SearchAnswer", "Trace"]
