import itertools
import math
import os
import signal
import sys
import threading
import time

import networkx as nx
import numpy as np
import pytest

import pintu
from pintu import search


def doubling(n):
    return [(n + 1, 1), (n * 2, 1)]


def knight(at):
    x, y = at
    jumps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
    return [((x + dx, y + dy), 1) for dx, dy in jumps]


def far(at):
    return math.ceil((abs(at[0] - 7) + abs(at[1] - 7)) / 3)


def test_functions_are_graphs():
    assert search.bfs(doubling, 1, 100).cost == 8
    assert search.bfs(doubling, 1, 100).guarantee == "shortest"
    assert search.dijkstra(doubling, 1, lambda n: n == 100).optimal
    found = search.astar(knight, (0, 0), (7, 7), far)
    assert found.cost == 6 and found.path[0] == (0, 0) and found.path[-1] == (7, 7)
    assert all(to in [state for state, _ in knight(at)] for at, to in zip(found.path, found.path[1:]))
    assert search.ida(knight, (0, 0), (7, 7), far).cost == 6
    assert search.ida(knight, (0, 0), (7, 7), far, table=True).cost == 6
    assert search.iddfs(knight, (0, 0), (2, 1)).cost == 1
    assert search.greedy(knight, (0, 0), (7, 7), far).guarantee == "none"
    assert search.wastar(knight, (0, 0), (7, 7), far, factor=2.0).cost <= 12
    assert search.dfs(doubling, 1, 8, max_depth=7).status == "found"
    assert search.astar(knight, (0, 0), (7, 7), lambda at: 9 * far(at), inadmissible=True).guarantee == "none"
    assert search.bfs(lambda n: [], 1, 2).status == "unreachable"
    limited = search.bfs(lambda n: [(n + 1, 1)], 0, -1, node_limit=10)
    assert (limited.status, limited.reason, limited.expanded, limited.path) == ("limit", "nodes", 10, None)
    assert "limit of nodes" in str(limited) and limited.to_dict()["reason"] == "nodes"


def test_networkx_and_scipy_agree_with_their_own():
    from scipy.sparse.csgraph import dijkstra as theirs

    graph = nx.gnm_random_graph(60, 240, seed=4, directed=True)
    random = np.random.default_rng(1)
    for _, _, data in graph.edges(data=True):
        data["weight"] = int(random.integers(1, 20))
    matrix = nx.to_scipy_sparse_array(graph)
    # Old versions of SciPy do not take the matrix, whose indices have 64 bits.
    lengths = theirs(matrix.toarray())
    for goal in range(60):
        ours = search.dijkstra(graph, 0, goal)
        of_matrix = search.astar(matrix, 0, goal)
        of_view = search.dijkstra(nx.subgraph_view(graph), 0, goal)
        if np.isinf(lengths[0, goal]):
            assert ours.status == of_matrix.status == of_view.status == "unreachable"
        else:
            assert ours.cost == of_matrix.cost == of_view.cost == lengths[0, goal]
            assert nx.path_weight(graph, ours.path, "weight") == ours.cost
    assert search.dijkstra(graph, 0, 59, weight=None).cost == nx.shortest_path_length(graph, 0, 59)
    multi = nx.MultiGraph([("a", "b", {"weight": 5}), ("a", "b", {"weight": 2}), ("b", "c", {"weight": 1})])
    assert search.dijkstra(multi, "a", "c").cost == 3
    estimates = lengths[:, 59]
    if np.isfinite(lengths[0, 59]):
        guided = search.astar(matrix, 0, 59, estimates)
        assert guided.cost == lengths[0, 59] and guided.expanded <= search.astar(matrix, 0, 59).expanded
    dense = np.array([[0, 1, 9], [0, 0, 1], [0, 0, 0]])
    assert search.dijkstra(dense, 0, 2).path == [0, 1, 2]


def test_searches_from_both_ends_and_to_everywhere():
    graph = nx.gnm_random_graph(60, 150, seed=4, directed=True)
    random = np.random.default_rng(1)
    for _, _, data in graph.edges(data=True):
        data["weight"] = int(random.integers(1, 20))
    costs = nx.single_source_dijkstra_path_length(graph, 0)
    steps = nx.single_source_shortest_path_length(graph, 0)
    edges = lambda pairs: [(to, data["weight"]) for to, data in pairs.items()]  # noqa: E731
    after, before = (lambda n: edges(graph.succ[n])), (lambda n: edges(graph.pred[n]))
    for kind in [graph, nx.subgraph_view(graph), nx.to_scipy_sparse_array(graph), after]:
        reached = search.distances(kind, 0)
        assert (reached.status, reached.costs) == ("found", costs) and list(reached.costs.values()) == sorted(costs.values())
        frame = reached.to_pandas()
        assert list(frame.cost) == sorted(costs.values()) and frame.parent[0] is None
        for goal in graph:
            shortest = search.bidirectional(kind, 0, goal, predecessors=before)
            cheapest = search.bidirectional(kind, 0, goal, costs=True, predecessors=before)
            if goal not in costs:
                assert shortest.status == cheapest.status == "unreachable"
                continue
            assert len(shortest.path) == steps[goal] + 1 and nx.is_path(graph, shortest.path)
            assert cheapest.cost == costs[goal] == nx.path_weight(graph, cheapest.path, "weight") and cheapest.optimal
            assert nx.path_weight(graph, reached.path(goal), "weight") == costs[goal]
    few = search.distances(after, 0, node_limit=3)
    assert (few.status, few.reason, len(few.costs)) == ("limit", "nodes", 3)
    with pytest.raises(KeyError):
        few.path("nowhere")
    traced = search.bidirectional(knight, (0, 0), (7, 7), predecessors=knight, trace=True)
    assert len(traced.path) == 7 and (traced.trace.what == 0).sum() == traced.expanded
    for goal, predecessors in [(3, None), (lambda n: True, before)]:
        with pytest.raises(ValueError):
            search.bidirectional(after, 0, goal, predecessors=predecessors)


def test_a_heuristic_that_overestimates_on_the_path_proves_nothing():
    away = lambda n: abs(100 - n)  # noqa: E731
    found = search.astar(doubling, 1, 100, away)
    assert (found.cost, found.guarantee, found.optimal, found.lower_bound) == (42, "none", False, None)
    assert found.reason == "the heuristic overestimates at 1: 99, where 42 is left on this path"
    assert found.reason in str(found) and "not proved" in str(found)
    board = pintu.Board("8 6 7 2 5 4 3 0 1")
    plays = lambda board: [(board.play(move), 1) for move in board.moves]  # noqa: E731
    misplaced = lambda board: sum(tile not in (0, there) for tile, there in zip(board.tiles, board.goal))  # noqa: E731
    is_solved = lambda board: board.is_solved  # noqa: E731
    for algorithm in [search.astar, search.wastar, lambda *asked: search.ida(*asked, table=True)]:
        found = algorithm(plays, board, is_solved, lambda board: 3 * misplaced(board))
        assert found.cost > 31 and found.guarantee == "none" and "overestimates at Board(" in found.reason
    trusted = search.astar(plays, board, is_solved, misplaced)
    engine = pintu.solve(board, algorithm="astar", heuristic="misplaced")
    assert (trusted.cost, trusted.lower_bound, trusted.guarantee) == (31, 31, "cheapest")
    assert (trusted.expanded, trusted.generated) == (engine.expanded, engine.generated)
    # What is left is a sum of roundings.
    tenths = search.astar(lambda n: [(n + 1, 0.1)], 0, 50, lambda n: (50 - n) * 0.1)
    assert tenths.optimal and search.astar(np.array([[0, 1], [0, 0]]), 0, 1, [2, 0]).guarantee == "none"


def test_a_dictionary_is_a_graph():
    found = search.dijkstra({"a": {"b": 2, "c": 9}, "b": {"c": 1}}, "a", "c")
    assert (found.path, found.cost) == (["a", "b", "c"], 3)
    with pytest.raises(ValueError, match="found the node 'd', expected one of the graph"):
        search.dijkstra({"a": {"b": 2}}, "d", "b")
    with pytest.raises(ValueError, match="dictionary of dictionaries"):
        search.dijkstra({"a": ["b"]}, "a", "b")


def test_an_option_that_a_search_does_not_use_is_refused():
    for algorithm, option in [("bfs", "factor"), ("iddfs", "max_depth"), ("ida", "max_depth"), ("dijkstra", "inadmissible")]:
        with pytest.raises(TypeError, match=f"search.{algorithm} takes no {option}"):
            getattr(search, algorithm)(doubling, 1, 8, **{option: 1})
    with pytest.raises(TypeError, match="weight=2, expected the name of an attribute of edges; .* is factor"):
        search.wastar(doubling, 1, 8, lambda n: 0, weight=2)


def test_what_is_wrong_is_raised():
    with pytest.raises(ZeroDivisionError):
        search.bfs(lambda n: 1 / 0, 1, 2)
    with pytest.raises(ZeroDivisionError):
        search.astar(doubling, 1, 100, lambda n: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        search.bfs(doubling, 1, lambda n: 1 / 0)
    for graph in [lambda n: [n], lambda n: [(n, 1, 2)], lambda n: [(n + 1, -1)], lambda n: [(n + 1, math.nan)], 5]:
        with pytest.raises(ValueError):
            search.dijkstra(graph, 1, 2)
    with pytest.raises(TypeError):
        search.bfs(lambda n: [([n], 1)], 1, 2)
    with pytest.raises(ValueError):
        search.astar(doubling, 1, 100, lambda n: -1)
    with pytest.raises(ValueError):
        search.wastar(doubling, 1, 100, lambda n: 0, factor=0.1)
    for start, goal in [(0, 9), (9, 0)]:
        with pytest.raises(ValueError):
            search.bfs(np.ones((3, 3)), start, goal)
    with pytest.raises(ValueError):
        search.bfs(np.ones((3, 2)), 0, 1)
    with pytest.raises(ValueError):
        search.astar(np.ones((3, 3)), 0, 1, [0, 0])
    with pytest.raises(ValueError):
        search.dijkstra(np.array([[0, 1j], [0, 0]]), 0, 1)
    for start, goal in [("a", 2), (0, "a")]:
        with pytest.raises(ValueError, match="'a', expected one of the graph"):
            search.bfs(nx.path_graph(3), start, goal)


def test_nothing_is_asked_after_an_exception():
    asked = []

    def guess(n):
        asked.append(n)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search.astar(knight, (0, 0), (7, 7), guess)
    assert len(asked) == 1
    # Each would ask for all its successors otherwise, and a recursion without end would double at each step back.
    with pytest.raises(RecursionError):
        recursive = lambda n: search.astar(knight, n, (7, 7), recursive).cost  # noqa: E731
        recursive((0, 0))


def test_what_is_left_after_an_interrupt_is_right():
    """0 → 1 → 2 is the cheapest path; the successors of 1 are missing."""

    def edges(n):
        if n == 1:
            raise KeyboardInterrupt
        return {0: [(1, 1), (2, 9), (3, 2)], 3: [(4, 1)], 2: [], 4: []}[n]

    for algorithm in [search.dijkstra, search.bfs, search.astar]:
        with pytest.raises(pintu.Interrupted) as stopped:
            algorithm(edges, 0, 2)
        answer = stopped.value.answer
        assert (answer.status, answer.reason, answer.path, answer.optimal) == ("limit", "cancelled", None, False)
        assert "no path was found: cancelled" in str(answer)
    with pytest.raises(pintu.Interrupted) as stopped:
        search.distances(edges, 0)
    assert (stopped.value.answer.status, stopped.value.answer.costs) == ("limit", {0: 0.0, 1: 1.0})


def test_successors_without_end_can_be_interrupted():
    endless = lambda n: zip(itertools.count(), itertools.repeat(1))  # noqa: E731
    # Another thread could not send the signal: this one holds the lock.
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(pintu.Interrupted):
            search.bfs(endless, 0, -1)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_search_calls_searches_and_tells_progress():
    told = []

    def slow(n):
        time.sleep(0.005)
        assert search.bfs(doubling, 1, 8).cost == 3 and pintu.solve("1 2 3 4 5 6 0 7 8").length == 2
        return [(n + 1, 1)]

    answer = search.bfs(slow, 0, -1, progress=lambda now: told.append(now.expanded) or len(told) < 3)
    assert (answer.status, answer.reason, len(told)) == ("limit", "cancelled", 3) and told == sorted(told)


def test_a_function_that_contradicts_itself_is_no_panic():
    answers = iter([[(2, 1)], []] + [[]] * 9)
    with pytest.raises(pintu.PintuError, match="does not always answer the same"):
        search.bfs(lambda n: next(answers), 1, 2)


def test_traces_of_graphs():
    trace = search.astar(knight, (0, 0), (2, 1), far, trace=True).trace
    assert trace.labels[trace.node[0]] == (0, 0) and trace.what[0] == 0
    assert [trace.labels[node] for node in trace.path_nodes][-1] == (2, 1)
    assert len(trace.to_pandas()) == len(trace)
    assert search.bfs(np.ones((4, 4)), 0, 3, trace=5).trace.cut


def interrupted(work):
    """What an interrupt after a moment leaves."""
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        work()
    timer.join()
    return caught.value


def test_an_interrupt_keeps_what_was_found():
    board = pintu.generate(6, seed=1)[0]
    stopped = interrupted(lambda: pintu.solve(board, time_limit=60))
    assert isinstance(stopped, pintu.Interrupted)
    assert stopped.answer.status == "solved" and board.is_solved_by(stopped.answer.moves)
    # Small boards are solved without a thread that listens, unless that takes long.
    for options in [{"algorithm": "iddfs"}, {"algorithm": "ida", "heuristic": "none"}]:
        stopped = interrupted(lambda: pintu.solve("8 6 7 2 5 4 3 0 1", **options))
        assert (stopped.answer.status, stopped.answer.reason) == ("limit", "cancelled")
    stopped = interrupted(lambda: search.bfs(lambda n: [(n + 1, 1)], 0, -1))
    assert stopped.answer.status == "limit" and stopped.answer.reason == "cancelled" and stopped.answer.expanded > 0


def test_an_interrupt_of_a_maps_distances_is_one():
    area = pintu.Map.from_array(np.ones((1000, 1000), int))
    interrupted(lambda: [area.distances((0, 0)) for _ in itertools.count()])


def test_progress_is_told_and_may_end_a_search():
    board = pintu.generate(6, seed=2)[0]
    told = []

    def callback(progress):
        told.append(progress)
        return len(told) < 3

    answer = pintu.solve(board, time_limit=60, progress=callback)
    assert len(told) == 3 and told[-1].expanded >= told[0].expanded and answer.seconds < 30
    with pytest.raises(RuntimeError):
        pintu.solve(board, time_limit=60, progress=lambda _: exec("raise RuntimeError"))
    told.clear()
    many = [board] * 3
    pintu.solve_many(many, threads=1, time_limit=1, progress=lambda progress: told.append(progress.answered))
    assert told == sorted(told) and set(told) & {1, 2}, "boards that are answered are counted"
    assert pintu.solve(board, time_limit=0.3, progress=True).status == "solved"


def test_a_bar_is_plain_where_the_widgets_of_notebooks_are_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    from pintu._progress import bar
    from tqdm.std import tqdm

    with bar(True) as shown:
        assert type(shown) is tqdm


def test_the_lock_is_released():
    board = pintu.generate(6, seed=3)[0]
    counted = [0]
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    pintu.solve(board, time_limit=0.5)
    stop.set()
    other.join()
    assert counted[0] > 20


def test_where_a_matrix_is_masked_there_is_no_edge():
    costs = np.ma.masked_array([[0, 1, 9], [0, 0, 1], [0, 0, 0]], mask=[[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    assert search.dijkstra(costs, 0, 2).cost == 9
