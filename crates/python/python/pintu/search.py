"""Algorithms over graphs that Python has.

A graph is a function from a state to its successors, pairs ``(state, cost)``; or a dictionary of each state's successors,
``{state: {successor: cost}}``; or a NetworkX graph; or a SciPy sparse matrix (or a square NumPy array) of costs, whose nodes are
0, 1, 2, … . States must be hashable; a goal is a state or a function that tells
goals. Functions are called under Python's lock and once a state for a heuristic; a matrix is searched without the lock.

Every search takes ``time_limit``, ``node_limit``, ``memory_limit``, ``trace`` and ``progress``, as ``pintu.solve`` does, and ``weight``,
the attribute of a NetworkX graph's edges that has their costs (``None``: each costs 1).

>>> from pintu import search
>>> answer = search.astar(lambda n: [(n + 1, 1), (n * 2, 1)], 1, 100, lambda n: 0 if n <= 100 else float("inf"))
>>> answer.cost, answer.path
(8.0, [1, 2, 3, 6, 12, 24, 25, 50, 100])
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import index
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

from . import _pintu
from ._answers import SearchAnswer, Trace, keeping
from ._progress import ProgressOption, telling
from ._solving import TRACE_EVENTS

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import TypedDict, Unpack

    class Limits(TypedDict, total=False):
        """What every search takes."""

        weight: Optional[str]
        time_limit: Optional[float]
        node_limit: Optional[int]
        memory_limit: Optional[int]
        trace: Union[bool, int]
        progress: ProgressOption


Heuristic = Union[None, Callable[[Any], float], Any]

__all__ = [
    "Distances", "astar", "bfs", "bidirectional", "dfs", "dijkstra", "distances", "greedy", "ida", "iddfs", "wastar",
]  # fmt: skip
_LIMITS = ("weight", "time_limit", "node_limit", "memory_limit", "trace", "progress")


def __dir__() -> list[str]:
    return __all__


def bfs(graph: Any, start: Any, goal: Any, *, tree: bool = False, **limits: Unpack[Limits]) -> SearchAnswer:
    """Breadth-first search: fewest steps. With ``tree``, without duplicate detection."""
    return _search("bfs-tree" if tree else "bfs", graph, start, goal, None, limits)


def dfs(
    graph: Any, start: Any, goal: Any, *, max_depth: Optional[int] = None, tree: bool = False, **limits: Unpack[Limits]
) -> SearchAnswer:
    """Depth-first search, within a depth or without a bound: any path."""
    return _search("dfs-tree" if tree else "dfs", graph, start, goal, None, limits, max_depth=max_depth)


def iddfs(graph: Any, start: Any, goal: Any, **limits: Unpack[Limits]) -> SearchAnswer:
    """Depth-first search with a growing depth: fewest steps."""
    return _search("iddfs", graph, start, goal, None, limits)


def dijkstra(graph: Any, start: Any, goal: Any, **limits: Unpack[Limits]) -> SearchAnswer:
    """Dijkstra's algorithm: a cheapest path."""
    return _search("dijkstra", graph, start, goal, None, limits)


def bidirectional(
    graph: Any, start: Any, goal: Any, *, costs: bool = False, predecessors: Any = None, **limits: Unpack[Limits]
) -> SearchAnswer:
    """Breadth-first search from both ends: fewest steps; with ``costs``, Dijkstra's algorithm from both ends: a cheapest path.

    The goal is a state. A graph that is a function needs ``predecessors``, a function from a state to pairs ``(state, cost)`` that
    lead there; where every edge leads both ways, it is the same function.

    >>> from pintu import search
    >>> both_ways = lambda n: [(n + 1, 1), (n - 1, 1)]
    >>> search.bidirectional(both_ways, 0, 9, predecessors=both_ways).path
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    algorithm = "bidirectional-dijkstra" if costs else "bidirectional"
    return _search(algorithm, graph, start, goal, None, limits, predecessors=predecessors)


def distances(graph: Any, start: Any, **limits: Unpack[Limits]) -> "Distances":
    """Dijkstra's algorithm to everything that can be reached. If a limit ends it, what it has is right: the nearest states.

    >>> from pintu import search
    >>> reached = search.distances(lambda n: [(n + 1, 1), (n * 2, 1)] if n < 9 else [], 1)
    >>> reached.costs[8], reached.path(8)
    (3.0, [1, 2, 4, 8])
    """
    return _search("distances", graph, start, (), None, limits)


@dataclass(frozen=True)
class Distances:
    """What it costs to get to each state that was reached."""

    #: ``found``, or ``limit`` if states may be missing.
    status: str
    reason: Optional[str]
    #: The cost of a cheapest path to each state, the cheapest first.
    costs: dict[Any, float] = field(repr=False)
    #: The state before each on its path; the start has none.
    parents: dict[Any, Any] = field(repr=False)
    expanded: int
    generated: int
    peak_states: int
    seconds: float

    def to_pandas(self) -> "pd.DataFrame":
        """A row a state, the nearest first: its cost, and the state before it."""
        import pandas as pd

        # Made of objects, for states may be tuples, which pandas takes for rows.
        state, parent = pd.Series(self.costs.keys(), dtype=object), pd.Series(map(self.parents.get, self.costs), dtype=object)
        return pd.DataFrame({"state": state, "cost": self.costs.values(), "parent": parent})

    def path(self, state: Any) -> list[Any]:
        """The states of a cheapest path, both ends included. Raises ``KeyError`` for a state that was not reached."""
        if state not in self.costs:
            raise KeyError(state)
        path = [state]
        while path[-1] in self.parents:
            path.append(self.parents[path[-1]])
        return path[::-1]


def greedy(graph: Any, start: Any, goal: Any, heuristic: Heuristic, **limits: Unpack[Limits]) -> SearchAnswer:
    """Greedy best-first search: any path, often soon."""
    return _search("greedy", graph, start, goal, heuristic, limits)


def astar(
    graph: Any, start: Any, goal: Any, heuristic: Heuristic = None, *, inadmissible: bool = False, **limits: Unpack[Limits]
) -> SearchAnswer:
    """A*: a cheapest path, if the heuristic never overestimates. That is your promise: it is checked on the path that is found
    alone, whose ``guarantee`` is ``none`` and whose ``reason`` says where the heuristic overestimates. Say ``inadmissible`` of one
    that may: nothing is guaranteed then. An infinite estimate is a dead end."""
    return _search("astar", graph, start, goal, heuristic, limits, inadmissible=inadmissible)


def wastar(graph: Any, start: Any, goal: Any, heuristic: Heuristic, *, factor: float = 5.0, **limits: Unpack[Limits]) -> SearchAnswer:
    """Weighted A*: a path that costs at most ``factor`` times the cheapest."""
    return _search("wastar", graph, start, goal, heuristic, limits, factor=factor)


def ida(graph: Any, start: Any, goal: Any, heuristic: Heuristic = None, *, table: bool = False, **limits: Unpack[Limits]) -> SearchAnswer:
    """Iterative deepening A*: a cheapest path. With ``table`` it remembers states."""
    return _search("ida-table" if table else "ida", graph, start, goal, heuristic, limits)


def _search(
    algorithm: str, graph: Any, start: Any, goal: Any, heuristic: Heuristic, limits: Limits, *, factor: float = 1.0,
    max_depth: Optional[int] = None, inadmissible: bool = False, predecessors: Any = None,
) -> Any:  # fmt: skip
    name = algorithm.partition("-")[0]
    for unused in [option for option in limits if option not in _LIMITS]:
        raise TypeError(f"search.{name} takes no {unused}, expected one of its own options or {', '.join(_LIMITS)}")
    weight, trace = limits.get("weight", "weight"), limits.get("trace", False)
    if not isinstance(weight, (str, type(None))):
        hint = "; what it multiplies the heuristic by is factor" if name == "wastar" else ""
        raise TypeError(f"search.{name}: found weight={weight!r}, expected the name of an attribute of edges{hint}")
    how = {
        "algorithm": algorithm, "weight": factor, "max_depth": max_depth, "inadmissible": inadmissible,
        "time_limit": limits.get("time_limit"), "node_limit": limits.get("node_limit"),
        "memory_limit": limits.get("memory_limit"), "events": TRACE_EVENTS if trace is True else (trace or None),
    }  # fmt: skip
    convert = lambda found: _answer(algorithm, *found)  # noqa: E731
    with telling(limits.get("progress")) as callback:
        return keeping(_begun(algorithm, graph, start, goal, heuristic, how, weight, predecessors, callback), convert)


def _begun(
    algorithm: str, graph: Any, start: Any, goal: Any, heuristic: Heuristic, how: dict[str, Any], weight: Optional[str],
    predecessors: Any, callback: Any,
) -> Callable[[], Any]:  # fmt: skip
    """The search of a graph of any kind, to be called."""
    if isinstance(graph, dict) and all(isinstance(one, dict) for one in graph.values()):
        costs = graph
        if start not in costs:
            raise ValueError(f"found the node {start!r}, expected one of the graph")
        graph = lambda state: list(costs.get(state, {}).items())  # noqa: E731
    if callable(getattr(graph, "tocsr", None)) or hasattr(graph, "__array_interface__"):
        return lambda: _matrix(graph, start, goal, heuristic, how, callback)
    is_from_both_ends = algorithm.startswith("bidirectional")
    is_test = callable(goal)
    if is_test and is_from_both_ends:
        raise ValueError("found a function for the goal, expected a state: a search from both ends begins there")
    known, test = (None, goal) if is_test else (goal, None)
    if callable(getattr(graph, "is_multigraph", None)):
        for node in [start] if known is None or algorithm == "distances" else [start, known]:
            if node not in graph:
                raise ValueError(f"found the node {node!r}, expected one of the graph")
        edges, multigraph = graph._adj, graph.is_multigraph()
        back = graph._pred if graph.is_directed() else edges
        if not isinstance(edges, dict):
            edges, back, multigraph = _neighbours(graph, weight), _neighbours(_reverse(graph), weight), False
    elif callable(graph):
        if is_from_both_ends and predecessors is None:
            raise ValueError("found no predecessors, expected a function for a search from both ends")
        edges, back, weight, multigraph = graph, predecessors, None, False
    else:
        raise ValueError(
            f"found a graph of type {type(graph).__name__}, expected a function, a NetworkX graph, a matrix, "
            "or a dictionary of dictionaries of costs"
        )
    return lambda: _pintu.search_calls(edges, start, known, test, heuristic, how, weight, multigraph, back, callback)


def _reverse(graph: Any) -> Any:
    return graph.reverse(copy=False) if graph.is_directed() else graph


def _neighbours(graph: Any, weight: Optional[str]) -> Callable[[Any], list[tuple[Any, float]]]:
    """Successors of a view of a NetworkX graph, which is made of other views."""

    def cost(attributes: Any) -> float:
        if graph.is_multigraph():
            return min(one.get(weight, 1) for one in attributes.values())
        return attributes.get(weight, 1)

    return lambda node: [(to, cost(attributes)) for to, attributes in graph.adj[node].items()]


def _matrix(graph: Any, start: Any, goal: Any, heuristic: Heuristic, how: dict[str, Any], callback: Any) -> Any:
    import numpy as np

    if graph.ndim != 2 or graph.shape[0] != graph.shape[1]:
        raise ValueError(f"found a matrix of shape {graph.shape}, expected a square one")
    if graph.dtype.kind not in "biuf":
        raise ValueError(f"found a matrix of {graph.dtype}, expected numbers")
    nodes = graph.shape[0]
    if callable(getattr(graph, "tocsr", None)):
        matrix = graph.tocsr()
        rows, columns, costs = matrix.indptr, matrix.indices, matrix.data
    else:
        # Where a matrix is masked there is no edge.
        graph = np.ma.filled(graph, 0)
        at, columns = np.nonzero(graph)
        rows, costs = np.searchsorted(at, np.arange(nodes + 1)), graph[at, columns]
    if callable(goal):
        goals = [node for node in range(nodes) if goal(node)]
    else:
        goals = [index(one) for one in np.atleast_1d(goal)]
    if callable(heuristic):
        heuristic = [heuristic(node) for node in range(nodes)]
    estimates = None if heuristic is None else np.asarray(heuristic, dtype="<f8").tobytes()
    packed = [one.tobytes() for one in (rows.astype("<u4"), columns.astype("<u4"), costs.astype("<f8"))]
    return _pintu.search_matrix(packed[0], packed[1], packed[2], index(start), goals, estimates, how, callback)


def _answer(algorithm: str, found: Any, labels: Any) -> Any:
    path, (status, reason, cost, guarantee, lower_bound, overestimate), counts, events, reached = found
    expanded, generated, peak, seconds = counts
    if reached is not None:
        costs, parents = dict(zip(path, reached[0])), zip(path, reached[1])
        before = {state: path[parent] for state, parent in parents if parent is not None}
        return Distances(status, reason, costs, before, expanded, generated, peak, seconds)
    if overestimate is not None:
        place, estimate, left = overestimate
        reason = f"the heuristic overestimates at {path[place]!r}: {estimate:g}, where {left:g} is left on this path"
    recorded = None
    if events is not None:
        labels = range(1 + max(events_nodes(events), default=0)) if labels is None else labels
        recorded = Trace.of_events(events, labels, path)
    return SearchAnswer(
        status=status, algorithm=algorithm, path=list(path) if status == "found" else None, cost=cost,
        guarantee=guarantee, lower_bound=lower_bound, reason=reason, expanded=expanded, generated=generated,
        peak_states=peak, seconds=seconds, trace=recorded,
    )  # fmt: skip


def events_nodes(events: Any) -> Any:
    """The nodes of recorded events."""
    import numpy as np

    return np.frombuffer(events[1], "<u4")
