"""A board's proof in shards: on this machine, or with a function that searches a round elsewhere."""

from __future__ import annotations

import os
import time
from typing import Any, Callable, Optional

from ._answers import Answer
from ._pintu import Board, Proof, Shard, ShardRound, search_shard
from ._solving import BoardLike, Tables, board_of, solve

#: States of the first search, which finds an incumbent, or solves boards that are not worth a cluster.
FIRST_NODES = 3_000_000

#: Searches the shards of a round; may leave out those after the first with a solution. ``None``: the time is over.
SearchRound = Callable[[list[Shard], int], Optional[list[ShardRound]]]


def split(board: BoardLike, shards: int, *, known: Optional[str] = None, tables: Tables = None) -> tuple[Proof, list[Shard]]:
    """Begins a proof and divides its first long round: ``Proof.merge`` takes the results of ``search_shard``.

    >>> import pintu
    >>> hard = pintu.Board("15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4", goal="blank-first")
    >>> proof, shards = pintu.split(hard, 4)
    >>> proof.merge([pintu.search_shard(shard, proof.bound) for shard in shards])
    >>> [shard.number for shard in shards]
    [0, 1, 2, 3]
    """
    proof = Proof(board_of(board), known, tables=tables if tables is None else os.fspath(tables))
    return proof, proof.split(shards)


def prove(
    board: BoardLike, *, shards: int = 1, known: Optional[str] = None, extent: Optional[str] = None,
    tables: Tables = None, first_nodes: int = FIRST_NODES, time_limit: Optional[float] = None,
    search_round: Optional[SearchRound] = None, on_round: Optional[Callable[[Proof], Any]] = None,
) -> Answer:  # fmt: skip
    """Solves a board optimally in rounds that are divided into shards.

    A first search of ``first_nodes`` states finds an incumbent unless ``known`` is one, and solves easy boards. The counts are
    those of the first search, of the short rounds, of the last frontier and of all shards up to the first with a solution: they
    do not depend on who searches the shards. ``search_round`` searches the shards of a round, by default here, one after the
    other; ``on_round`` is called after each round.
    """
    problem = board_of(board)
    began = time.monotonic()
    expanded = generated = 0
    if known is None and first_nodes > 0:
        first = solve(problem, node_limit=first_nodes, tables=tables)
        if first.optimal or first.status == "unsolvable":
            return first
        expanded, generated, known = first.expanded, first.generated, first.moves
    place = tables if tables is None else os.fspath(tables)
    proof = Proof(problem, known, extent=extent, tables=place)
    left = lambda: None if time_limit is None else max(0.0, time_limit - (time.monotonic() - began))  # noqa: E731
    reason = None
    while not proof.is_over:
        parts = proof.split(shards)
        if not parts:
            break
        if search_round is None:
            rounds = _in_order(parts, proof.bound, place, left())
        else:
            rounds = search_round(parts, proof.bound)
        if rounds is None:
            reason = "time"
            break
        proof.merge(rounds)
        if on_round is not None:
            on_round(proof)
    return _answer(proof, expanded, generated, time.monotonic() - began, reason)


def _in_order(
    shards: list[Shard], bound: int, tables: Optional[str], time_limit: Optional[float]
) -> Optional[list[ShardRound]]:
    until = None if time_limit is None else time.monotonic() + time_limit
    rounds = []
    for shard in shards:
        left = None if until is None else max(0.0, until - time.monotonic())
        rounds.append(search_shard(shard, bound, tables=tables, time_limit=left))
        if rounds[-1].stopped is not None:
            return None
        if rounds[-1].moves is not None:
            break
    return rounds


def _answer(proof: Proof, expanded: int, generated: int, seconds: float, reason: Optional[str]) -> Answer:
    board: Board = proof.board
    moves = proof.moves
    return Answer(
        board=board, status="limit" if moves is None else "solved", algorithm="ida", heuristic="pattern",
        expanded=expanded + proof.expanded, generated=generated + proof.generated, peak_states=0, memory=0,
        seconds=seconds, moves=moves, length=None if moves is None else len(moves), optimal=proof.is_over,
        lower_bound=proof.bound, reason=reason if moves is None else None,
    )  # fmt: skip
