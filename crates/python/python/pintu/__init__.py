"""Pintu (拼图): sliding-tile puzzles, shortest paths and search algorithms, by an engine written in Rust.

>>> import pintu
>>> print(pintu.solve("8 6 7 2 5 4 3 0 1", algorithm="astar", heuristic="manhattan"))
solved in 31 moves (optimal): LURURDDLULURRDDLLUURRDLDLUURDRD
astar with manhattan expanded 6,729 states and generated 10,982
"""

from . import search
from ._answers import EVENTS, Answer, Answers, Comparison, PathAnswer, SearchAnswer, Trace
from ._errors import DeviceError, Interrupted, PintuError, ShardError, TablesError
from ._pintu import Board, Proof, Shard, ShardRound, Topology, __version__, search_shard
from ._progress import Progress
from ._proving import prove, split
from ._solving import Check, build_tables, check, compare, generate, goal, solve, solve_many
from .map import Map

__all__ = [
    "EVENTS", "Answer", "Answers", "Board", "Check", "Comparison", "DeviceError", "Interrupted", "Map", "PathAnswer",
    "PintuError", "Progress", "Proof", "SearchAnswer", "Shard", "ShardError", "ShardRound", "TablesError", "Topology",
    "Trace", "__version__", "build_tables", "check", "compare", "generate", "goal", "prove", "search", "search_shard", "solve",
    "solve_many", "split",
]  # fmt: skip
