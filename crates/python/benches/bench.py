"""The package beside its peers, what a call costs, and Ray: ``cargo xtask bench python [peers] [overhead] [cluster] [tasks]``.

Every line is a median after a run to warm up; those of the peers are of processor time, which depends less on what else runs.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import pintu
from pintu import _pintu, search
from pintu._solving import options

HARD = "8 6 7 2 5 4 3 0 1"


def median(work, repeats=25, seconds=3.0, clock=time.process_time):
    """The median time of calls, at most so many seconds of them after the first."""
    work()
    times = []
    until = time.perf_counter() + seconds
    while len(times) < repeats and (not times or time.perf_counter() < until):
        began = clock()
        work()
        times.append(clock() - began)
    return statistics.median(times)


def table(title, rows):
    """Prints a Markdown table; the last column is the ratio to the first row."""
    print(f"\n{title}\n\n| | time | of ours |\n| --- | ---: | ---: |")
    ours = rows[0][1]
    for name, seconds in rows:
        print(f"| {name} | {1000 * seconds:.3f} ms | {seconds / ours:.2f} |", flush=True)


def overhead():
    """What Python adds to the Rust call, which ends when all its memory is freed, and to the command line."""
    board = pintu.Board(HARD)
    for algorithm in ["auto", "astar", "bfs"]:
        how = options(algorithm)
        ours, theirs, engines, calls = [], [], [], []
        for turn in range(int(os.environ.get("PINTU_CALLS", "300"))):
            # Processor time of this thread, which is the one that searches; each of the two is the first every other time.
            for is_ours in [turn % 2 == 0, turn % 2 == 1]:
                began = time.thread_time()
                if is_ours:
                    engines.append(pintu.solve(HARD, algorithm=algorithm).seconds)
                else:
                    calls.append(_pintu.time_solve(board, how))
                (ours if is_ours else theirs).append(time.thread_time() - began)
        extra = 1e6 * (statistics.median(ours) - statistics.median(theirs))
        least = 1e6 * (min(ours) - min(theirs))
        after = 1e6 * (min(calls) - min(engines))
        print(
            f"solve of an 8-puzzle, {algorithm}: {extra:.1f} µs (of the least times: {least:.1f} µs) more processor time than the "
            f"Rust call's {1e3 * statistics.median(theirs):.3f} ms; the Rust call ends {after:.1f} µs after the engine's clock"
        )
    command = os.environ.get("PINTU")
    if not command:
        print("without PINTU=path/of/pintu, no comparison with the command line")
        return
    count = int(os.environ.get("PINTU_BOARDS", "10000"))
    boards = pintu.generate(4, count=count, seed=1)
    array = np.array([board.tiles for board in boards], dtype=np.uint8)
    lines = "\n".join(" ".join(map(str, board.tiles)) for board in boards)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PINTU_TABLES"] = folder
        run = lambda: subprocess.run(  # noqa: E731
            [command, "solve", "--batch", "--format", "json", "--threads", "1"],
            input=lines, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        pintu.build_tables(boards[0], tables=folder)
        run_times, our_times = [], []
        # Processor time, which does not depend on what else the machine does.
        for _ in range(int(os.environ.get("PINTU_RUNS", "3"))):
            before = os.times()
            theirs = run()
            after = os.times()
            run_times.append(after.children_user + after.children_system - before.children_user - before.children_system)
            answers = pintu.solve_many(array, threads=1, tables=folder)
            our_times.append(os.times().user + os.times().system - after.user - after.system)
        same = [json.loads(line)["moves"] for line in theirs.splitlines()] == [answer.moves for answer in answers]
        assert same, "the same answers"
    best = min(run_times), min(our_times)
    print(f"{count} 15-puzzles: command {best[0]:.2f} s of processor time, from an array {best[1]:.2f} s, ratio {best[1] / best[0]:.3f}")


def peers():
    """The same graphs, maps and puzzles."""
    graphs()
    maps()
    puzzles()


def graphs():
    import networkx as nx
    import rustworkx as rx
    from scipy.sparse.csgraph import dijkstra

    graph = nx.random_geometric_graph(5000, 0.03, seed=1)
    places = nx.get_node_attributes(graph, "pos")
    for a, b, data in graph.edges(data=True):
        data["weight"] = float(np.hypot(places[a][0] - places[b][0], places[a][1] - places[b][1]))
    start = min(graph, key=lambda node: sum(places[node]))
    goal = max(graph, key=lambda node: sum(places[node]))
    x, y = places[goal]
    straight = {node: float(np.hypot(at[0] - x, at[1] - y)) for node, at in places.items()}
    guess = straight.__getitem__
    matrix = nx.to_scipy_sparse_array(graph, format="csr")
    estimates = np.array([straight[node] for node in graph])
    other = rx.networkx_converter(graph)
    cost = search.astar(graph, start, goal, guess).cost
    assert abs(nx.astar_path_length(graph, start, goal, lambda a, _: guess(a)) - cost) < 1e-9
    size = f"{graph.number_of_nodes()} nodes, {graph.number_of_edges()} edges"
    table(f"A* on a NetworkX graph ({size})", [
        ("pintu, the graph as it is", median(lambda: search.astar(graph, start, goal, guess))),
        ("networkx", median(lambda: nx.astar_path(graph, start, goal, lambda a, _: guess(a)))),
        ("rustworkx, its own graph", median(lambda: rx.astar_shortest_path(
            other, start, lambda node: node == goal, lambda data: data["weight"], guess))),
        ("pintu, its SciPy matrix", median(lambda: search.astar(matrix, start, goal, estimates))),
    ])  # fmt: skip
    table(f"Dijkstra on the same graph ({size})", [
        ("pintu, the graph as it is", median(lambda: search.dijkstra(graph, start, goal))),
        ("networkx", median(lambda: nx.dijkstra_path(graph, start, goal))),
        ("rustworkx, its own graph", median(lambda: rx.dijkstra_shortest_paths(
            other, start, goal, lambda data: data["weight"]))),
        ("pintu, its SciPy matrix", median(lambda: search.dijkstra(matrix, start, goal))),
        ("scipy, to all nodes", median(lambda: dijkstra(matrix, indices=start, return_predecessors=True))),
    ])  # fmt: skip


def maps():
    import networkx as nx
    from pathfinding.core.grid import Grid
    from pathfinding.finder.a_star import AStarFinder

    random = np.random.default_rng(3)
    costs = (random.random((200, 200)) > 0.25).astype(int)
    costs[0, 0] = costs[-1, -1] = 1
    area = pintu.Map.from_array(costs)
    answer = area.path((0, 0), (199, 199))
    graph = nx.grid_2d_graph(200, 200)
    graph.remove_nodes_from([tuple(cell) for cell in np.argwhere(costs == 0)])
    far = lambda a, b: abs(a[0] - b[0]) + abs(a[1] - b[1])  # noqa: E731

    def theirs():
        grid = Grid(matrix=costs.tolist())
        return AStarFinder().find_path(grid.node(0, 0), grid.node(199, 199), grid)

    assert len(theirs()[0]) == answer.cost + 1 == len(nx.astar_path(graph, (0, 0), (199, 199), far))
    table("A shortest path on a map of 200 × 200 cells, a quarter blocked", [
        ("pintu.Map.path", median(lambda: area.path((0, 0), (199, 199)), 50)),
        ("pintu.Map.from_array and path", median(lambda: pintu.Map.from_array(costs).path((0, 0), (199, 199)), 50)),
        ("python-pathfinding, its grid made", median(theirs)),
        ("networkx, its graph there", median(lambda: nx.astar_path(graph, (0, 0), (199, 199), far))),
        ("pintu.search.astar on that graph", median(lambda: search.astar(
            graph, (0, 0), (199, 199), lambda a: abs(a[0] - 199) + abs(a[1] - 199)))),
    ])  # fmt: skip


NEIGHBOURS = [
    [to for to in (cell - 3, cell + 3) if 0 <= to < 9]
    + [to for to in (cell - 1, cell + 1) if 0 <= to < 9 and to // 3 == cell // 3]
    for cell in range(9)
]
GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)
FAR = [
    [0] + [abs(cell // 3 - home // 3) + abs(cell % 3 - home % 3) for home in range(8)]
    for cell in range(9)
]


def successors(tiles):
    """The boards after each move, as tuples."""
    blank = tiles.index(0)
    found = []
    for to in NEIGHBOURS[blank]:
        after = list(tiles)
        after[blank], after[to] = after[to], 0
        found.append((tuple(after), 1))
    return found


def manhattan(tiles):
    """Manhattan distance."""
    return sum(FAR[cell][tile] for cell, tile in enumerate(tiles))


def puzzles():
    from astar import find_path
    from simpleai.search import SearchProblem
    from simpleai.search import astar as their_astar

    start = tuple(pintu.generate(3, seed=5)[0].tiles)

    class Simple(SearchProblem):
        def actions(self, state):
            return [after for after, _ in successors(state)]

        def result(self, state, action):
            return action

        def is_goal(self, state):
            return state == GOAL

        def heuristic(self, state):
            return manhattan(state)

    answer = search.astar(successors, start, GOAL, manhattan)
    simple = lambda: their_astar(Simple(start), graph_search=True)  # noqa: E731
    of_astar = lambda: list(find_path(  # noqa: E731
        start, GOAL, neighbors_fnct=lambda state: [after for after, _ in successors(state)],
        heuristic_cost_estimate_fnct=lambda state, _: manhattan(state), distance_between_fnct=lambda a, b: 1,
    ))  # fmt: skip
    assert len(of_astar()) == answer.cost + 1 == len(simple().path())
    rows = [
        ("pintu.search.astar", median(lambda: search.astar(successors, start, GOAL, manhattan))),
        ("astar", median(of_astar)),
        ("simpleai", median(simple)),
    ]
    rows.append(("pintu.solve, the same heuristic", median(
        lambda: pintu.solve(start, algorithm="astar", heuristic="manhattan"), 50)))  # fmt: skip
    table(f"A* over a Python function: an 8-puzzle of {answer.cost:g} moves, {answer.expanded} boards expanded", rows)


def cluster():
    """One raylet of one core and two of them on the same long round; what a shard costs."""
    import ray
    from ray.cluster_utils import Cluster

    tiles = os.environ.get("PINTU_BOARD", "3 17 9 8 24 1 11 12 14 0 5 4 22 13 16 21 15 6 7 10 20 23 2 18 19")
    board = pintu.Board(tiles, goal="blank-first")
    bytes_of_tables = pintu.build_tables(board, large=True)
    began = time.perf_counter()
    proof = pintu.Proof(board, extent="large")
    short = time.perf_counter() - began
    print(f"tables {bytes_of_tables / 1e6:.0f} MB; short rounds to bound {proof.bound}: {short:.2f} s")
    rounds = int(os.environ.get("PINTU_ROUNDS", "3"))
    while rounds and not proof.is_over:
        rounds -= 1
        began = time.perf_counter()
        shards = proof.split(16)
        split = time.perf_counter() - began
        size = sum(len(shard.to_bytes()) for shard in shards)
        began = time.perf_counter()
        results = [pintu.search_shard(shard, proof.bound) for shard in shards]
        alone = time.perf_counter() - began
        print(
            f"round {proof.bound}: split {split:.2f} s, 16 shards of {size / 16e3:.0f} kB, "
            f"{sum(one.expanded for one in results):,} states in {alone:.2f} s on one core"
        )
        took = {}
        for nodes in [1, 2]:
            started = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
            for _ in range(nodes):
                started.add_node(num_cpus=1)
            ray.init(address=started.address, log_to_driver=False, logging_level="ERROR")
            started.wait_for_nodes()
            from pintu import cluster as many

            # Workers start, and map the tables, before the clock does.
            ray.get([many._search.remote(shard, 0, None, time.time() + 60) for shard in shards[: 2 * nodes]])
            began = time.perf_counter()
            found = ray.get([many._search.remote(shard, proof.bound, None, time.time() + 600) for shard in shards])
            took[nodes] = time.perf_counter() - began
            assert found == results, "the same counts"
            began = time.perf_counter()
            for _ in range(50):
                ray.get(many._search.remote(shards[0], 0, None, time.time() + 60))
            each = (time.perf_counter() - began) / 50
            ray.shutdown()
            started.shutdown()
            print(f"  {nodes} raylets of one core: {took[nodes]:.2f} s; an empty task {1000 * each:.1f} ms")
        print(f"  two are {took[1] / took[2]:.2f} times as fast as one")
        proof.merge(results)


def tasks():
    """What Ray takes for a task, one after the other, many at once, and with messages."""
    import ray
    from ray.cluster_utils import Cluster

    started = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    started.add_node(num_cpus=2)
    ray.init(address=started.address, log_to_driver=False, logging_level="ERROR")
    started.wait_for_nodes()
    nothing = ray.remote(lambda message: None)
    ray.get([nothing.remote(b"") for _ in range(20)])
    each = median(lambda: ray.get(nothing.remote(b"")), 200, clock=time.perf_counter)
    print(f"an empty task: {1000 * each:.2f} ms")
    for count, size in [(1000, 0), (3000, 0), (1000, 9_000), (300, 650_000)]:
        message = os.urandom(size)
        began, used = time.perf_counter(), time.process_time()
        ray.get([nothing.remote(message) for _ in range(count)])
        took, used = time.perf_counter() - began, time.process_time() - used
        print(f"{count} at once, {size} bytes each: {1000 * took / count:.2f} ms, {1000 * used / count:.2f} ms here")
    ray.shutdown()
    started.shutdown()


def main():
    wanted = sys.argv[1:] or ["overhead", "peers"]
    known = {"overhead": overhead, "peers": peers, "cluster": cluster, "tasks": tasks}
    for name in wanted:
        if name not in known:
            sys.exit(f"found {name}, expected some of {', '.join(known)}")
        known[name]()


if __name__ == "__main__":
    main()
