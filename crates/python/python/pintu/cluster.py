"""Many machines, by Ray, which the extra ``ray`` of the package installs (``pip install '.[ray]'`` in a clone).

Scheduling, retries and the object store are Ray's. A task that is lost with its node is run again by Ray; its result counts once, for
results are merged by the numbers of their shards.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections import deque
from contextlib import contextmanager
from typing import Any, Callable, Iterable, Iterator, Optional, Union

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from ._answers import Answer, answer_of
from ._errors import TablesError
from ._pintu import Board, Proof, Shard, ShardRound, search_shard
from ._progress import bar
from ._proving import FIRST_NODES, is_late, prove
from ._solving import BoardLike, GoalLike, Tables, board_of, boards_of, build_tables, solve_many as solve_here

__all__ = ["prepare", "solve", "solve_many"]

#: Boards of a task: few enough to be spread, and enough that a task is worth its message.
BOARDS_A_TASK = 16
#: Tasks on their way for each processor.
TASKS_A_CPU = 3
#: Shards for each processor: the last ones of a round are short beside the round.
SHARDS_A_CPU = 8
#: A task searches a shard no longer; the rest is another task. So much is lost with a node, or with the process that waits.
SECONDS_A_TASK = 600.0
#: So long after the end of a timeout the tasks that it ended are waited for.
GRACE_SECONDS = 5.0


@ray.remote(num_cpus=0)
def _build(boards: list[Board], large: bool, tables: Tables, are_needed: bool) -> None:
    for board in boards:
        try:
            build_tables(board, large=large, tables=tables)
        except TablesError:
            if are_needed:
                raise


@ray.remote
def _solve(boards: list[Board], options: dict[str, Any]) -> list[str]:
    return list(solve_here(boards, **options)._texts)


@ray.remote
def _search(shard: Shard, bound: int, tables: Tables, until: float) -> ShardRound:
    # By the clock of the day, which machines share: a task may have waited for a processor.
    seconds = max(0.0, min(SECONDS_A_TASK, until - time.time()))
    return search_shard(shard, bound, tables=tables if tables is None else os.fspath(tables), time_limit=seconds)


def prepare(board: BoardLike, *, large: bool = False, tables: Tables = None, timeout: Optional[float] = None) -> None:
    """Makes the tables of a board's shape and goal once on each node; those that are there are found. After ``timeout`` seconds
    the building is cancelled, and a ``TimeoutError`` says so."""
    _prepare([board_of(board)], large, tables, timeout)


def _prepare(
    boards: list[Board], large: bool, tables: Tables, timeout: Optional[float], are_needed: bool = True
) -> None:
    alive = [node["NodeID"] for node in ray.nodes() if node["Alive"]]
    on = lambda node: _build.options(  # noqa: E731
        scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=True)
    )
    refs = [on(node).remote(boards, large, tables, are_needed) for node in alive]
    done, late = ray.wait(refs, num_returns=len(refs), timeout=timeout)
    for ref in late:
        ray.cancel(ref)
    ray.get(done)
    if late:
        raise TimeoutError(f"{len(late)} of {len(refs)} nodes had no tables within {timeout} s")


def solve_many(
    boards: Union[Iterable[BoardLike], Any], goal: GoalLike = None, *, num_gpus: float = 0, batch: int = BOARDS_A_TASK,
    large: bool = False, timeout: Optional[float] = None, progress: Union[None, bool, Callable[[int, int], Any]] = None,
    tables: Tables = None, **options: Any,
) -> Iterator[Answer]:  # fmt: skip
    """Solves many boards on all nodes; yields their answers in order, as they come.

    ``options`` are those of ``pintu.solve_many``. With ``num_gpus``, each task has so much of a GPU and solves on it. After
    ``timeout`` seconds the rest is cancelled, and a ``TimeoutError`` says how many answers came. Closing the iterator cancels
    what is on its way. ``progress`` is called with the answers so far and the number of boards, or ``True`` for a bar.
    """
    problems = boards_of(boards, goal)
    options = {"threads": 1, "tables": tables, **options}
    # What is wrong with them is said here, and not by a task.
    solve_here([], **options)
    if num_gpus:
        options["device"] = "gpu"
    until = None if timeout is None else time.monotonic() + timeout
    # Tables are of a shape and the goal's blank cell. The largest boards have none.
    kinds = {(board.topology, board.goal.index(0)): board for board in problems}
    _prepare(list(kinds.values()), large, tables, timeout, are_needed=large)
    task = _solve.options(num_gpus=num_gpus) if num_gpus else _solve
    lots = deque(range(0, len(problems), batch))
    most = max(1, int(TASKS_A_CPU * ray.cluster_resources().get("CPU", 1)))
    under_way: deque[tuple[int, Any]] = deque()
    answered = 0
    with bar(progress, total=len(problems), unit=" boards") as shown, _cancelled(under_way):
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
            for board, text in zip(problems[first : first + batch], _texts_of(ref)):
                answered += 1
                yield answer_of(board, text)
            if shown is not None:
                shown.update(answered - shown.n)
            elif callable(progress):
                progress(answered, len(problems))


def _texts_of(ref: Any) -> list[str]:
    """What a task answered; its exception is raised without the trace of the other machine."""
    try:
        return ray.get(ref)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None


@contextmanager
def _cancelled(under_way: Iterable[tuple[int, Any]]) -> Iterator[None]:
    """Cancels what is on its way when nobody waits for it any more."""
    try:
        yield
    finally:
        for _, ref in under_way:
            ray.cancel(ref)


def solve(
    board: BoardLike, goal: GoalLike = None, *, shards: Optional[int] = None, known: Optional[str] = None,
    extent: Optional[str] = None, tables: Tables = None, first_nodes: int = FIRST_NODES,
    timeout: Optional[float] = None, resume: Tables = None, progress: Union[None, bool, Callable[[Proof], Any]] = None,
) -> Answer:  # fmt: skip
    """Solves one board optimally, its rounds divided over all nodes. The answer and its counts are those of ``pintu.prove`` with
    as many shards.

    A solution in a shard ends the shards after it: those before it are searched to their end, so that the answer does not depend
    on which node was faster. After ``timeout`` seconds, the building of tables included, what is known is returned. ``progress``
    is called with the proof after each round, or ``True`` for a bar. ``resume`` names a file, on the machine of the caller, that
    keeps what is done: the same call goes on there.
    """
    problem = board_of(board, goal)
    count = shards or max(1, int(SHARDS_A_CPU * ray.cluster_resources().get("CPU", 1)))
    most = max(1, int(TASKS_A_CPU * ray.cluster_resources().get("CPU", 1)))
    until = math.inf if timeout is None else time.time() + timeout
    time_left = lambda more=0.0: None if timeout is None else max(0.0, until + more - time.time())  # noqa: E731
    is_prepared = False

    def search_round(
        parts: list[Shard], bound: int, keep: Callable[[ShardRound], None]
    ) -> Optional[list[ShardRound]]:
        nonlocal is_prepared
        if parts and not is_prepared:
            # Without an extent, the proof has the large tables if they are here.
            _prepare([problem], parts[0].extent == "large", tables, time_left())
            is_prepared = True
        waiting = deque(parts)
        refs: dict[Any, int] = {}
        found: dict[int, ShardRound] = {}
        counted: dict[int, int] = {}
        first = sys.maxsize
        try:
            while waiting or refs:
                while waiting and len(refs) < most and time.time() < until:
                    part = waiting.popleft()
                    ref = _search.remote(part, bound, tables, until)
                    refs[ref] = part.number
                done, _ = ray.wait(list(refs), timeout=time_left(GRACE_SECONDS)) if refs else ([], [])
                if not done:
                    return None
                for ref in done:
                    number, result = refs.pop(ref), ray.get(ref)
                    keep(result)
                    if shown is not None:
                        shown.set_postfix(bound=bound, shards_left=len(refs), refresh=False)
                        # The counts of a rest are of the whole shard.
                        shown.update(result.expanded - counted.get(number, 0))
                        counted[number] = result.expanded
                    if is_late(result):
                        waiting.append(result.rest)
                        continue
                    found[number] = result
                    if result.moves is not None:
                        first = min(first, number)
                waiting = deque(part for part in waiting if part.number < first)
                for ref in [ref for ref, number in refs.items() if number > first]:
                    del refs[ref]
                    ray.cancel(ref)
        finally:
            for ref in refs:
                ray.cancel(ref)
        return [found[number] for number in sorted(found) if number <= first]

    with bar(progress, unit=" states", unit_scale=True) as shown:
        return prove(
            problem, shards=count, known=known, extent=extent, tables=tables, first_nodes=first_nodes,
            time_limit=time_left(), resume=resume, search_round=search_round,
            progress=progress if callable(progress) else None,
        )  # fmt: skip


