"""Many machines, by Ray: ``pip install pintu[ray]``.

Scheduling, retries and the object store are Ray's. A task that is lost with its node is run again by Ray; its result counts once, for
results are merged by the numbers of their shards.
"""

from __future__ import annotations

import time
from collections import deque
from typing import Any, Callable, Iterable, Iterator, Optional, Union

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from ._answers import Answer, answer_of
from ._pintu import Board, Proof, Shard, ShardRound
from ._proving import FIRST_NODES, prove
from ._solving import BoardLike, GoalLike, Tables, board_of, boards_of, build_tables, solve_many as solve_here

__all__ = ["prepare", "solve", "solve_many"]

#: Boards of a task: few enough to be spread, and enough that a task is worth its message.
BOARDS_A_TASK = 16
#: Tasks on their way for each processor.
TASKS_A_CPU = 3
#: Shards for each processor: the last ones of a round are short beside the round.
SHARDS_A_CPU = 8


@ray.remote(num_cpus=0)
def _build(board: Board, large: bool, tables: Tables) -> int:
    return build_tables(board, large=large, tables=tables)


@ray.remote
def _solve(boards: list[Board], options: dict[str, Any]) -> list[str]:
    return list(solve_here(boards, **options)._texts)


@ray.remote
def _search(shard: Shard, bound: int, tables: Tables) -> ShardRound:
    from ._pintu import search_shard

    return search_shard(shard, bound, tables=tables)


def prepare(board: BoardLike, *, large: bool = False, tables: Tables = None) -> None:
    """Makes the tables of a board's shape and goal once on each node; those that are there are found."""
    alive = [node["NodeID"] for node in ray.nodes() if node["Alive"]]
    ours = board_of(board)
    on = lambda node: _build.options(  # noqa: E731
        scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=True)
    )
    ray.get([on(node).remote(ours, large, tables) for node in alive])


def solve_many(
    boards: Union[Iterable[BoardLike], Any], goal: GoalLike = None, *, num_gpus: float = 0, batch: int = BOARDS_A_TASK,
    large: bool = False, timeout: Optional[float] = None, progress: Optional[Callable[[int, int], Any]] = None,
    tables: Tables = None, **options: Any,
) -> Iterator[Answer]:  # fmt: skip
    """Solves many boards on all nodes; yields their answers in order, as they come.

    ``options`` are those of ``pintu.solve_many``. With ``num_gpus``, each task has so much of a GPU and solves on it. After
    ``timeout`` seconds the rest is cancelled, and a ``TimeoutError`` says how many answers came. Closing the iterator cancels
    what is on its way. ``progress`` is called with the answers so far and the number of boards.
    """
    problems = boards_of(boards, goal)
    options = {"threads": 1, "tables": tables, **options}
    if num_gpus:
        options["device"] = "gpu"
    if problems:
        prepare(problems[0], large=large, tables=tables)
    task = _solve.options(num_gpus=num_gpus) if num_gpus else _solve
    lots = deque(range(0, len(problems), batch))
    most = max(1, int(TASKS_A_CPU * ray.cluster_resources().get("CPU", 1)))
    under_way: deque[tuple[int, Any]] = deque()
    until = None if timeout is None else time.monotonic() + timeout
    answered = 0
    try:
        while lots or under_way:
            while lots and len(under_way) < most:
                first = lots.popleft()
                under_way.append((first, task.remote(problems[first : first + batch], options)))
            first, ref = under_way[0]
            left = None if until is None else max(0.0, until - time.monotonic())
            done, _ = ray.wait([ref], timeout=left)
            if not done:
                raise TimeoutError(f"{answered} of {len(problems)} boards were answered within {timeout} s")
            under_way.popleft()
            for board, text in zip(problems[first : first + batch], ray.get(ref)):
                answered += 1
                yield answer_of(board, text)
            if progress is not None:
                progress(answered, len(problems))
    finally:
        for _, ref in under_way:
            ray.cancel(ref)


def solve(
    board: BoardLike, goal: GoalLike = None, *, shards: Optional[int] = None, known: Optional[str] = None,
    extent: Optional[str] = None, tables: Tables = None, first_nodes: int = FIRST_NODES,
    timeout: Optional[float] = None, progress: Optional[Callable[[Proof], Any]] = None,
) -> Answer:  # fmt: skip
    """Solves one board optimally, its rounds divided over all nodes. The answer and its counts are those of ``pintu.prove`` with
    as many shards.

    A solution in a shard ends the shards after it: those before it are searched to their end, so that the answer does not depend
    on which node was faster. After ``timeout`` seconds what is known is returned. ``progress`` is called with the proof after
    each round.
    """
    problem = board_of(board, goal)
    count = shards or max(1, int(SHARDS_A_CPU * ray.cluster_resources().get("CPU", 1)))
    until = None if timeout is None else time.monotonic() + timeout
    prepare(problem, large=extent == "large", tables=tables)

    def search_round(parts: list[Shard], bound: int) -> Optional[list[ShardRound]]:
        refs = {_search.remote(part, bound, tables): part.number for part in parts}
        found: dict[int, ShardRound] = {}
        first = len(parts)
        try:
            while refs:
                left = None if until is None else max(0.0, until - time.monotonic())
                done, _ = ray.wait(list(refs), timeout=left)
                if not done:
                    return None
                for ref in done:
                    number = refs.pop(ref)
                    found[number] = ray.get(ref)
                    if found[number].moves is not None:
                        first = min(first, number)
                for ref in [ref for ref, number in refs.items() if number > first]:
                    del refs[ref]
                    ray.cancel(ref)
        finally:
            for ref in refs:
                ray.cancel(ref)
        return [found[number] for number in sorted(found) if number <= first]

    return prove(
        problem, shards=count, known=known, extent=extent, tables=tables, first_nodes=first_nodes,
        time_limit=timeout, search_round=search_round, on_round=progress,
    )  # fmt: skip


