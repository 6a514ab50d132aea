import inspect
import json
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import pintu
from pintu import Board, Topology

HARD = "8 6 7 2 5 4 3 0 1"


def test_a_board_is_read_from_anything():
    same = [
        Board(HARD),
        Board("867254301"),
        Board([8, 6, 7, 2, 5, 4, 3, 0, 1]),
        Board([[8, 6, 7], [2, 5, 4], [3, 0, 1]]),
        Board(np.array([8, 6, 7, 2, 5, 4, 3, 0, 1])),
        Board(np.array([[8, 6, 7], [2, 5, 4], [3, 0, 1]], dtype=np.uint8)),
        Board(HARD, goal=[1, 2, 3, 4, 5, 6, 7, 8, 0]),
        pickle.loads(pickle.dumps(Board(HARD))),
    ]
    assert len(set(same)) == 1
    board = same[0]
    assert (board.rows, board.cols, board.tiles[0], board.goal[-1]) == (3, 3, 8, 0)
    assert str(board) == "8 6 7\n2 5 4\n3 · 1"
    assert eval(repr(board)) == board
    assert board.moves == "ULR" and board.play("U").play("D") == board
    assert not board.is_solved and board.is_solvable and board.least_moves > 20


def test_rectangles_wraps_and_goals_keep_their_shape():
    board = Board("1 2 3 4 5 6 7 0", size=(2, 4), goal="snail", wrap_rows=[1])
    assert eval(repr(board)) == board and pickle.loads(pickle.dumps(board)) == board
    assert board.topology == Topology(2, 4, wrap_rows=[1])
    assert pintu.goal(3, 3, "snail") == (1, 2, 3, 8, 0, 4, 7, 6, 5)
    assert Topology(3, 3, wrap_rows=[0], wrap_cols=[0]).neighbours(0) == [6, 2, 1, 3]
    assert pickle.loads(pickle.dumps(board.topology)) == board.topology


@pytest.mark.parametrize(
    "wrong",
    ["", "1 2", "1 2 3 4 5 6 7 8 8", [1, 2, 3], [[1, 2], [3]], 17, [1.5, 2, 0, 3], np.zeros((2, 2)), [-1, 0, 1, 2]],
)
def test_what_is_no_board_is_a_value_error(wrong):
    with pytest.raises(ValueError):
        Board(wrong)


def test_errors_say_what_they_are_of():
    tiles = "8 6 7 2 5 4 3 0 1"
    for goal in ["astar", "spiral", "blank_first"]:
        with pytest.raises(ValueError, match=f"goal: found `{goal}`, expected standard, blank-first, snail or a board"):
            pintu.solve(tiles, goal)
    with pytest.raises(ValueError, match="goal: found 3 tiles"):
        pintu.Board(tiles, [1, 2, 0])
    with pytest.raises(ValueError, match=r"boards\[1\]: .*repeated 8"):
        pintu.solve_many([tiles, "8 6 7 2 5 4 3 0 8"])
    for board in [[8, 6, 7, 2, 5, 4, 3, 0, 8], np.array([8, 6, 7, 2, 5, 4, 3, 0, 8])]:
        with pytest.raises(ValueError, match="repeated 8"):
            pintu.compare(board, ["bfs"])
    with pytest.raises(ValueError, match="node_limit: .*expected a whole number"):
        pintu.solve(tiles, node_limit=1e6)
    assert list(pintu.compare(tiles, "astar").answers) == ["astar"]


def test_the_package_says_what_it_takes():
    assert pintu.__version__.count(".") == 2
    assert "blank-first" in pintu.Board.__doc__ and "Ellipsis" not in str(inspect.signature(pintu.Board))
    for algorithm in ["bidirectional", "wastar", "ida", "dfs-tree"]:
        assert f"``{algorithm}``" in pintu.solve.__doc__
    assert "``jps``" in pintu.Map.path.__doc__ and "telling" not in dir(pintu.search)


def test_numbers_that_are_no_counts_are_value_errors():
    for wrong in [
        lambda: Topology(-1, 3), lambda: Topology(3, 10**30), lambda: Topology(3, 3, wrap_rows=[-1]),
        lambda: Topology(3, 3).neighbours(-1), lambda: Board([0, 1, 2, 3], size=(-2, 2)), lambda: pintu.goal(3, -3),
        lambda: pintu.generate(3, walk=10**12), lambda: pintu.generate(3, count=-1), lambda: pintu.generate(3, seed=-1), lambda: pintu.generate(3, walk=-1),
    ]:  # fmt: skip
        with pytest.raises(ValueError):
            wrong()


def test_another_goal_leaves_the_shape_as_it_is():
    board = Board("1 2 3 4 5 6 7 0", size=(2, 4), wrap_rows=[1])
    for goal in ["snail", Board("1 2 3 4 0 7 6 5", size=(2, 4)), np.array([1, 2, 3, 4, 0, 7, 6, 5])]:
        answer = pintu.solve(board, goal=goal)
        assert answer.board == Board(board.tiles, "snail", size=(2, 4), wrap_rows=[1])


def test_answers_are_the_command_lines():
    answer = pintu.solve(HARD, algorithm="astar", heuristic="manhattan")
    assert (answer.status, answer.length, answer.optimal, answer.lower_bound) == ("solved", 31, True, 31)
    assert answer.board.is_solved_by(answer.moves)
    assert answer.boards[-1].is_solved and len(answer.boards) == 32
    assert (answer.expanded, answer.generated) == (6729, 10982)
    assert pickle.loads(pickle.dumps(answer)) == answer
    assert answer.to_pandas()["expanded"] == 6729
    assert "31 moves" in str(answer) and "Answer(status='solved'" in repr(answer)


def test_every_algorithm_and_heuristic_has_its_name():
    for algorithm in ["bfs", "bidirectional", "dijkstra", "astar", "ida", "iddfs"]:
        assert pintu.solve("1 2 3 4 5 6 0 7 8", algorithm=algorithm).length == 2
    for heuristic in ["none", "misplaced", "euclidean", "manhattan", "linear-conflict", "walking-distance", "pattern"]:
        assert pintu.solve(HARD, algorithm="astar", heuristic=heuristic).length == 31
    assert pintu.solve(HARD, algorithm="wastar", weight=3.0).weight == 3.0
    assert pintu.solve(HARD, algorithm="dfs", max_depth=40).status == "solved"
    for wrong in [
        {"algorithm": "a-star"}, {"heuristic": "magic"}, {"algorithm": "bfs", "heuristic": "manhattan"},
        {"weight": 2.0}, {"algorithm": "wastar", "weight": 0.5}, {"max_depth": 3}, {"device": "tpu"},
        {"time_limit": -1.0},
    ]:  # fmt: skip
        with pytest.raises(ValueError):
            pintu.solve(HARD, **wrong)
    for option in ["node_limit", "memory_limit", "threads", "trace"]:
        with pytest.raises(ValueError, match="events" if option == "trace" else option):
            pintu.solve(HARD, algorithm="astar", **{option: 1.5 if option != "trace" else -1})
    assert pintu.solve(HARD, time_limit=float("inf")).length == 31
    with pytest.raises(pintu.DeviceError):
        pintu.solve("15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4", goal="blank-first", device="gpu")


def test_limits_are_answers():
    limited = pintu.solve(HARD, algorithm="bfs", node_limit=1000)
    assert (limited.status, limited.reason, limited.expanded) == ("limit", "nodes", 1000)
    assert limited.lower_bound <= 31 and limited.moves is None
    assert "limit of nodes" in str(limited)
    little = pintu.solve(HARD, algorithm="bfs", memory_limit=100_000)
    assert (little.status, little.reason) == ("limit", "memory")
    unsolvable = pintu.solve("1 2 3 4 5 6 8 7 0")
    assert unsolvable.status == "unsolvable" and "odd" in unsolvable.reason


def test_many_boards_keep_their_order(fifteen):
    boards = [board for _, board in fifteen] * 3
    answers = pintu.solve_many(boards, threads=2)
    assert [answer.length for answer in answers] == [length for length, _ in fifteen] * 3
    assert [answer.board for answer in answers] == boards
    frame = answers.to_pandas()
    assert frame.optimal.all() and len(answers[2:4]) == 2
    array = np.array([board.tiles for board in boards], dtype=np.uint8)
    again = pintu.solve_many(array, goal="blank-first", threads=1)
    assert [answer.moves for answer in again] == [answer.moves for answer in answers]
    assert [answer.moves for answer in pintu.solve_many(array.reshape(-1, 4, 4), goal="blank-first")] == [
        answer.moves for answer in answers
    ]
    assert len(pintu.solve_many([])) == len(pintu.solve_many(np.zeros((0, 9)))) == 0
    for wrong in [np.zeros(9), HARD]:
        with pytest.raises(ValueError):
            pintu.solve_many(wrong)
    # Whatever order its numbers lie in, and whatever they are.
    wide = np.zeros((2 * len(array), 32), dtype=">i2")
    wide[::2, ::2] = array
    wide.setflags(write=False)
    for kind in [wide[::2, ::2], pd.DataFrame(array)]:
        assert [answer.moves for answer in pintu.solve_many(kind, goal="blank-first")] == [answer.moves for answer in answers]


def test_check_and_generate_and_compare():
    assert pintu.check(HARD) and not pintu.check("1 2 3 4 5 6 8 7 0")
    boards = pintu.generate(3, 4, count=5, seed=3)
    assert boards == pintu.generate(3, 4, count=5, seed=3) and all(board.is_solvable for board in boards)
    assert pintu.generate(3) != pintu.generate(3)
    walked = pintu.generate(4, walk=6, seed=1)[0]
    assert pintu.solve(walked).length <= 6
    compared = pintu.compare(pintu.generate(3, count=3, seed=1), ["bfs", "astar", "wastar:manhattan:3"])
    frame = compared.to_pandas()
    assert list(frame.index) == ["bfs", "astar", "wastar:manhattan:3"] and (frame.solved == 3).all()
    assert frame.length["bfs"] == frame.length["astar"] <= frame.length["wastar:manhattan:3"]
    assert "astar" in str(compared) and repr(compared) == str(compared)
    limited = pintu.compare([HARD, "1 2 3 4 5 6 0 7 8"], ["bfs"], node_limit=1000)
    assert list(limited.to_pandas().loc["bfs", ["solved", "boards"]]) == [1, 2] and "1/2" in str(limited)
    snail = pintu.compare(HARD, ["astar"], goal="snail").answers["astar"]
    assert snail[0].board == Board(HARD, "snail")
    assert len(pintu.compare(HARD).answers) == 8
    with pytest.raises(ValueError):
        pintu.compare(HARD, ["nonsense"])


def test_traces_are_arrays():
    answer = pintu.solve(HARD, algorithm="astar", trace=True)
    trace = answer.trace
    assert (trace.what == pintu.EVENTS.index("expanded")).sum() == answer.expanded
    assert trace.states.shape[1] == 9 and list(trace.states[0]) == answer.board.tiles
    assert len(trace.path_nodes) == 32 and not trace.cut
    frame = trace.to_pandas()
    assert (frame.query("what == 'expanded'").g + frame.query("what == 'expanded'").h).max() <= 31
    cut = pintu.solve(HARD, algorithm="bfs", trace=100).trace
    assert cut.cut and len(cut) == 100
    with pytest.raises(ValueError):
        pintu.Trace.from_bytes(b"nothing")
    with pytest.raises(ValueError):
        pintu.solve("15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4", goal="blank-first", trace=True)


NO_THREADS = """
import resource, sys, pintu
mapped = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (mapped + (500 << 20),) * 2)
pintu.build_tables(pintu.generate(4, seed=1)[0], threads=1000, tables=sys.argv[1])
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it limits addresses as Linux does")
def test_a_system_without_threads_left_is_an_error_that_says_so(tmp_path):
    ran = subprocess.run([sys.executable, "-c", NO_THREADS, tmp_path], capture_output=True, text=True)
    said = ran.stderr.splitlines()[-1]
    assert said.startswith("pintu._errors.PintuError: cannot start thread ") and "mistake" not in said


def test_the_command_line_says_the_same(command):
    """The same JSON from both."""
    ran = subprocess.run(
        [command, "solve", "--algorithm", "ida", "--format", "json", "--threads", "1", *HARD.split()],
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    theirs = json.loads(ran.stdout)
    ours = pintu.solve(HARD, algorithm="ida").to_dict()
    for name in ["status", "moves", "length", "optimal", "expanded", "generated", "peak_states", "heuristic"]:
        assert theirs[name] == ours[name]
