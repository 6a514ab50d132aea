"""Algorithms over graphs that Python has.

A graph is a function from a state to its successors, pairs ``(state, cost)``; or a NetworkX graph; or a SciPy sparse matrix (or a
square NumPy array) of costs, whose nodes are 0, 1, 2, … . States must be hashable; a goal is a state or a function that tells
goals. Functions are called under Python's lock and once a state for a heuristic; a matrix is searched without the lock.

>>> from pintu import search
>>> answer = search.astar(lambda n: [(n + 1, 1), (n * 2, 1)], 1, 100, lambda n: 0 if n <= 100 else float("inf"))
>>> answer.cost, answer.path
(8.0, [1, 2, 3, 6, 12, 24, 25, 50, 100])
"""

from __future__ import annotations

from typing import Any, Callable, Optional, Union

from . import _pintu
from ._answers import SearchAnswer, Trace, keeping
from ._progress import ProgressOption, telling
from ._solving import TRACE_EVENTS

Heuristic = Union[None, Callable[[Any], float], Any]

__all__ = ["astar", "bfs", "dfs", "dijkstra", "greedy", "ida", "iddfs", "wastar"]


def bfs(graph: Any, start: Any, goal: Any, *, tree: bool = False, **limits: Any) -> SearchAnswer:
    """Breadth-first search: fewest steps. With ``tree``, without duplicate detection."""
    return _search("bfs-tree" if tree else "bfs", graph, start, goal, None, **limits)


def dfs(
    graph: Any, start: Any, goal: Any, *, max_depth: Optional[int] = None, tree: bool = False, **limits: Any
) -> SearchAnswer:
    """Depth-first search, within a depth or without a bound: any path."""
    return _search("dfs-tree" if tree else "dfs", graph, start, goal, None, max_depth=max_depth, **limits)


def iddfs(graph: Any, start: Any, goal: Any, **limits: Any) -> SearchAnswer:
    """Depth-first search with a growing depth: fewest steps."""
    return _search("iddfs", graph, start, goal, None, **limits)


def dijkstra(graph: Any, start: Any, goal: Any, **limits: Any) -> SearchAnswer:
    """Dijkstra's algorithm: a cheapest path."""
    return _search("dijkstra", graph, start, goal, None, **limits)


def greedy(graph: Any, start: Any, goal: Any, heuristic: Heuristic, **limits: Any) -> SearchAnswer:
    """Greedy best-first search: any path, often soon."""
    return _search("greedy", graph, start, goal, heuristic, **limits)


def astar(
    graph: Any, start: Any, goal: Any, heuristic: Heuristic = None, *, inadmissible: bool = False, **limits: Any
) -> SearchAnswer:
    """A*: a cheapest path, if the heuristic never overestimates. Say ``inadmissible`` of one that may: nothing is guaranteed
    then. An infinite estimate is a dead end."""
    return _search("astar", graph, start, goal, heuristic, inadmissible=inadmissible, **limits)


def wastar(graph: Any, start: Any, goal: Any, heuristic: Heuristic, *, factor: float = 5.0, **limits: Any) -> SearchAnswer:
    """Weighted A*: a path that costs at most ``factor`` times the cheapest."""
    return _search("wastar", graph, start, goal, heuristic, factor=factor, **limits)


def ida(graph: Any, start: Any, goal: Any, heuristic: Heuristic = None, *, table: bool = False, **limits: Any) -> SearchAnswer:
    """Iterative deepening A*: a cheapest path. With ``table`` it remembers states."""
    return _search("ida-table" if table else "ida", graph, start, goal, heuristic, **limits)


def _search(
    algorithm: str, graph: Any, start: Any, goal: Any, heuristic: Heuristic, *, weight: Optional[str] = "weight",
    factor: float = 1.0, max_depth: Optional[int] = None, inadmissible: bool = False,
    time_limit: Optional[float] = None, node_limit: Optional[int] = None, memory_limit: Optional[int] = None,
    trace: Union[bool, int] = False, progress: ProgressOption = None,
) -> SearchAnswer:  # fmt: skip
    how = {
        "algorithm": algorithm, "weight": factor, "max_depth": max_depth, "inadmissible": inadmissible,
        "time_limit": time_limit, "node_limit": node_limit, "memory_limit": memory_limit,
        "events": TRACE_EVENTS if trace is True else (trace or None),
    }  # fmt: skip
    convert = lambda found: _answer(algorithm, *found)  # noqa: E731
    if callable(getattr(graph, "tocsr", None)) or hasattr(graph, "__array_interface__"):
        with telling(progress) as callback:
            return keeping(lambda: _matrix(graph, start, goal, heuristic, how, callback), convert)  # type: ignore[no-any-return]
    is_test = callable(goal)
    known, test = (None, goal) if is_test else (goal, None)
    if callable(getattr(graph, "is_multigraph", None)):
        edges, multigraph = graph._adj, graph.is_multigraph()
        if not isinstance(edges, dict):
            edges, multigraph = _neighbours(graph, weight), False
        find = lambda: _pintu.search_calls(edges, start, known, test, heuristic, how, weight, multigraph)  # noqa: E731
    elif callable(graph):
        find = lambda: _pintu.search_calls(graph, start, known, test, heuristic, how)  # noqa: E731
    else:
        raise ValueError(
            f"found a graph of type {type(graph).__name__}, expected a function, a NetworkX graph or a matrix"
        )
    return keeping(find, convert)  # type: ignore[no-any-return]


def _neighbours(graph: Any, weight: Optional[str]) -> Callable[[Any], list[tuple[Any, float]]]:
    """Successors of a view of a NetworkX graph, which is made of other views."""

    def cost(attributes: Any) -> float:
        if graph.is_multigraph():
            return min(one.get(weight, 1) for one in attributes.values())
        return attributes.get(weight, 1)  # type: ignore[no-any-return]

    return lambda node: [(to, cost(attributes)) for to, attributes in graph.adj[node].items()]


def _matrix(graph: Any, start: Any, goal: Any, heuristic: Heuristic, how: dict[str, Any], callback: Any) -> Any:
    import numpy as np

    if not callable(getattr(graph, "tocsr", None)):
        from scipy.sparse import csr_array

        graph = csr_array(graph)
    matrix = graph.tocsr()
    nodes = matrix.shape[0]
    if matrix.shape != (nodes, nodes):
        raise ValueError(f"found a matrix of shape {matrix.shape}, expected a square one")
    if callable(goal):
        goals = [node for node in range(nodes) if goal(node)]
    else:
        goals = [int(one) for one in np.atleast_1d(goal)]
    if callable(heuristic):
        heuristic = [heuristic(node) for node in range(nodes)]
    estimates = None if heuristic is None else np.asarray(heuristic, dtype="<f8").tobytes()
    arrays = (matrix.indptr.astype("<u4"), matrix.indices.astype("<u4"), matrix.data.astype("<f8"))
    return _pintu.search_matrix(*(one.tobytes() for one in arrays), int(start), goals, estimates, how, callback)


def _answer(algorithm: str, found: Any, labels: Any) -> SearchAnswer:
    path, (status, reason, cost, guarantee, lower_bound), expanded, generated, peak, seconds, events = found
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
