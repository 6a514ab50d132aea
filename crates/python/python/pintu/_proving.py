"""A board's proof in shards: on this machine, or with a function that searches a round elsewhere."""

from __future__ import annotations

import os
import time
from typing import Any, Callable, Optional, Union

from ._answers import Answer, answer_of
from ._errors import Interrupted, PintuError
from ._kept import Kept
from ._pintu import Board, Proof, Shard, ShardRound, search_shard
from ._progress import bar
from ._solving import BoardLike, GoalLike, Tables, board_of, solve

#: States of the first search, which finds an incumbent, or solves boards that are not worth a cluster.
FIRST_NODES = 3_000_000

#: Searches the shards of a round; may leave out those after the first with a solution. ``None``: the time is over. It hands each
#: result to the function that it is given, which keeps it.
SearchRound = Callable[[list[Shard], int, Callable[[ShardRound], None]], Optional[list[ShardRound]]]


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
    board: BoardLike, goal: GoalLike = None, *, shards: int = 1, known: Optional[str] = None, extent: Optional[str] = None,
    tables: Tables = None, first_nodes: int = FIRST_NODES, time_limit: Optional[float] = None,
    resume: Tables = None, search_round: Optional[SearchRound] = None,
    progress: Union[None, bool, Callable[[Proof], Any]] = None,
) -> Answer:  # fmt: skip
    """Solves a board optimally in rounds that are divided into shards.

    A first search of ``first_nodes`` states finds an incumbent unless ``known`` is one, and solves easy boards. The counts are
    those of the first search, of the short rounds, of the last frontier and of all shards up to the first with a solution: they
    do not depend on who searches the shards. ``search_round`` searches the shards of a round, by default here, one after the
    other; ``progress`` is called with the proof after each round, or ``True`` for a bar. ``time_limit`` bounds all of it, the building of tables too: what is known
    then is the answer.

    ``resume`` names a file that keeps the proof after each round, and the results of shards: called again after it was killed,
    stopped or interrupted, it goes on there, with as many shards as before. The counts are the same and of all calls (``seconds``
    are of the last); only a shard that is stopped and has a solution may count otherwise.
    """
    problem = board_of(board, goal)
    began = time.monotonic()
    left = lambda: None if time_limit is None else max(0.0, time_limit - (time.monotonic() - began))  # noqa: E731
    place = tables if tables is None else os.fspath(tables)
    asked = {"board": repr(problem), "known": known, "extent": extent, "first_nodes": first_nodes, "shards": shards}
    first, proof, reason = None, None, None
    unit = {"unit": " states", "unit_scale": True}
    with bar(progress if search_round is None else None, **unit) as shown, Kept(resume if resume is None else os.fspath(resume), asked, place) as kept:
        if kept.first is not None:
            first = answer_of(problem, kept.first)
        elif known is None and first_nodes > 0:
            # A limit on its time would change what it does; a callback only ends it.
            in_time = None if time_limit is None else lambda *_: left() != 0
            first = solve(problem, node_limit=first_nodes, tables=tables, progress=in_time)
            if left() != 0:
                kept.keep_first(first.to_dict())
        if first is not None:
            if first.optimal or first.status == "unsolvable":
                return first
            known = first.moves
        try:
            proof = kept.proof
            if proof is None:
                proof = Proof(problem, known, extent=extent, tables=place, time_limit=left())
                kept.keep_proof(proof)
            while not proof.is_over:
                parts = proof.split(kept.shards, time_limit=left())
                if not parts:
                    break
                done, parts = kept.left_of(parts)
                if search_round is None:
                    rounds = _in_order(parts, proof.bound, place, left(), kept.keep_round, shown)
                else:
                    rounds = search_round(parts, proof.bound, kept.keep_round)
                if rounds is None:
                    reason = "time"
                    break
                proof.merge(done + rounds)
                kept.keep_proof(proof)
                if callable(progress):
                    progress(proof)
        except TimeoutError:
            reason = "time"
        except KeyboardInterrupt:
            raise Interrupted(_answer(problem, proof, first, known, time.monotonic() - began, "cancelled")) from None
    return _answer(problem, proof, first, known, time.monotonic() - began, reason)


def is_late(result: ShardRound) -> bool:
    """Whether the time for a shard was over. Without memory for its tables no more time would help."""
    if result.stopped not in (None, "time"):
        raise PintuError(f"shard {result.number} was stopped: limit of {result.stopped}")
    return result.stopped is not None


def _in_order(
    shards: list[Shard], bound: int, tables: Optional[str], time_limit: Optional[float], keep: Callable[[ShardRound], None],
    shown: Any,
) -> Optional[list[ShardRound]]:
    until = None if time_limit is None else time.monotonic() + time_limit
    rounds = []
    for shard in shards:
        left = None if until is None else max(0.0, until - time.monotonic())
        try:
            rounds.append(search_shard(shard, bound, tables=tables, time_limit=left))
        except Interrupted as stopped:
            keep(stopped.answer)
            raise
        keep(rounds[-1])
        if shown is not None:
            shown.set_postfix(bound=bound, refresh=False)
            shown.update(rounds[-1].expanded)
        if is_late(rounds[-1]):
            return None
        if rounds[-1].moves is not None:
            break
    return rounds


def _answer(
    board: Board, proof: Optional[Proof], first: Optional[Answer], known: Optional[str], seconds: float, reason: Optional[str]
) -> Answer:
    """The answer of a proof, or, if the time was over before it began, of the first search."""
    moves = known if proof is None else proof.moves
    optimal = proof is not None and proof.is_over
    # The first search's solution is its own until it is proved.
    by_first = first is not None and not optimal and moves == first.moves
    algorithm, heuristic = (first.algorithm, first.heuristic) if first and by_first else ("ida", "pattern")
    bounds = [first.lower_bound if first else None, proof.bound if proof else None]
    counted = [one for one in (first, proof) if one is not None]
    return Answer(
        board=board, status="limit" if moves is None else "solved", algorithm=algorithm, heuristic=heuristic,
        expanded=sum(one.expanded for one in counted), generated=sum(one.generated for one in counted),
        peak_states=max((one.peak_states for one in counted), default=0),
        memory=max((one.memory for one in counted), default=0), seconds=seconds, moves=moves,
        length=None if moves is None else len(moves), optimal=optimal, lower_bound=max(bound or 0 for bound in bounds),
        reason=reason if moves is None else None,
    )  # fmt: skip
