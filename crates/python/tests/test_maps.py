import pickle

import numpy as np
import pytest

import pintu

MAP = "S.#.\n..#G\n...."


def test_a_path_on_a_text():
    area = pintu.Map(MAP)
    answer = area.path()
    assert (answer.status, answer.cost, answer.optimal) == ("found", 6, True)
    assert answer.path[0] == (0, 0) and answer.path[-1] == (1, 3) and len(answer.path) == 7
    again = pickle.loads(pickle.dumps(area))
    assert str(again) == MAP and again.path().cost == 6
    assert area.draw(answer.path) == "S.#.\n*.#G\n****"
    assert str(area) == MAP and "3 rows" in repr(area)
    assert area.path((0, 0), (0, 2)).status == "unreachable"
    assert area.path((0, 0), [(2, 3), (0, 1)]).cost == 1
    assert area.path((0, 0), (0, 2), nearest=True).nearest is not None


def test_an_array_of_costs_agrees_with_plain_dijkstra():
    random = np.random.default_rng(5)
    costs = random.integers(0, 6, (40, 50))
    costs[0, 0] = costs[-1, -1] = 1
    area = pintu.Map.from_array(costs)
    for kind in [costs[::-1, ::2], np.asfortranarray(costs), costs.astype(">i4"), np.broadcast_to(np.int8(1), (3, 4))]:
        assert (pintu.Map.from_array(kind).costs == kind).all()
    assert (area.costs == costs).all()
    distances = area.distances((0, 0))
    expected = plain_distances(costs, (0, 0))
    assert np.allclose(distances, expected)
    for algorithm in ["auto", "astar", "dijkstra", "bidirectional"]:
        answer = area.path((0, 0), (39, 49), algorithm=algorithm)
        if np.isinf(expected[-1, -1]):
            assert answer.status == "unreachable"
        elif algorithm != "bidirectional":
            assert answer.cost == expected[-1, -1]
    assert pickle.loads(pickle.dumps(area)).path((0, 0), (39, 49)).cost == area.path((0, 0), (39, 49)).cost


def plain_distances(costs, start):
    import heapq

    found = np.full(costs.shape, np.inf)
    found[start] = 0
    queue = [(0, start)]
    while queue:
        paid, (row, col) = heapq.heappop(queue)
        for to in [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]:
            if 0 <= to[0] < costs.shape[0] and 0 <= to[1] < costs.shape[1] and costs[to] > 0:
                if paid + costs[to] < found[to]:
                    found[to] = paid + costs[to]
                    heapq.heappush(queue, (found[to], to))
    return found


def test_what_an_array_may_hold():
    blocked = pintu.Map.from_array(np.array([[1.0, np.inf, 2.0], [1.0, np.nan, 3.0], [1.0, 1.0, 1.0]]), diagonal="always")
    assert blocked.costs.tolist() == [[1, 0, 2], [1, 0, 3], [1, 1, 1]]
    assert pintu.Map.from_array(np.array([[True, False], [True, True]])).path((0, 0), (1, 1)).cost == 2
    masked = np.ma.array([[1, 2], [1, 1]], mask=[[False, True], [False, False]])
    assert pintu.Map.from_array(masked).costs.tolist() == [[1, 0], [1, 1]]
    too_dear = [np.array([[1e300]]), np.array([[2**64 - 1]], dtype=np.uint64), np.array([[2**53 + 1]])]
    too_many = np.broadcast_to(np.int8(1), (200_000, 200_000))
    for wrong in [np.ones(3), np.array([[0.5]]), np.array([["a"]]), np.ones((0, 3)), *too_dear, too_many]:
        with pytest.raises(ValueError):
            pintu.Map.from_array(wrong)
    assert blocked.path(np.array([0, 0]), np.array([[2, 2], [1, 0]])).cost == 1
    for start, goal in [((0, 9), (0, 0)), ((0, 0), (-1, 0)), ((0, 0), []), ((0, 1 << 40), (0, 0)), ((0, 0.5), (0, 0)), ("ab", (0, 0))]:
        with pytest.raises(ValueError):
            blocked.path(start, goal)
    for options in [{"algorithm": "nonsense"}, {"heuristic": "nonsense"}, {"weight": 2.0}]:
        with pytest.raises(ValueError):
            blocked.path((0, 0), (2, 2), **options)
    with pytest.raises(ValueError):
        pintu.Map("type octile\nheight 2\n")
    with pytest.raises(ValueError):
        pintu.Map("..\n..").path()


def test_errors_say_what_would_be_right():
    for wrong, hint in [("arena.map", "Map.read reads a file"), ([[1, 1], [0, 1]], "Map.from_array")]:
        with pytest.raises(ValueError, match=hint):
            pintu.Map(wrong)
    with pytest.raises(ValueError, match=r"found 5, expected a cell: \(row, column\)"):
        pintu.Map("S.\n.G").path((0, 0), 5)


def test_scenarios_of_movingai(tmp_path):
    (tmp_path / "a.map").write_text("type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n")
    (tmp_path / "a.map.scen").write_text("version 1\n0\ta.map\t4\t3\t0\t0\t3\t2\t5\n")
    area = pintu.Map.read(tmp_path / "a.map")
    assert area.diagonal == "no-corners"
    summary = area.scenarios(tmp_path / "a.map.scen")
    assert (summary["queries"], summary["agree"]) == (1, 1)


def test_traces_of_paths():
    answer = pintu.Map(MAP).path(algorithm="astar", trace=True)
    trace = answer.trace
    assert trace.place["kind"] == "cells" and trace.states.shape[1] == 1
    assert [divmod(int(cell), 4) for cell in trace.states[trace.path_nodes][:, 0]] == answer.path


def test_the_nearest_cell_is_named():
    found = pintu.Map("S.#G").path(nearest=True)
    assert found.nearest == (0, 1) and "to (0, 1), the nearest cell that can be reached" in str(found)
