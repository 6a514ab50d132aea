import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import pytest

import pintu


def rounds(board, shards, known):
    """All rounds of a proof, each with its counts."""
    proof = pintu.Proof(board, known)
    while not proof.is_over:
        parts = proof.split(shards)
        found = [pintu.search_shard(pickle.loads(pickle.dumps(part)), proof.bound) for part in parts]
        if parts:
            proof.merge([pickle.loads(pickle.dumps(one)) for one in reversed(found)])
    return proof


def test_counts_do_not_depend_on_the_number_of_shards(fifteen):
    length, board = fifteen[2]
    moves = pintu.solve(board).moves
    proofs = [rounds(board, shards, moves) for shards in [1, 2, 7]]
    assert len({(proof.expanded, proof.generated, proof.moves) for proof in proofs}) == 1
    assert len(proofs[0].moves) == length
    answer = pintu.prove(board, shards=3, first_nodes=0)
    assert answer.length == length and answer.optimal and board.is_solved_by(answer.moves)
    assert (answer.algorithm, answer.heuristic) == ("ida", "pattern")
    # The frontier: all of it is expanded, and a state takes some bytes.
    assert 1000 < answer.peak_states < answer.expanded and answer.memory > 4 * answer.peak_states


def test_shards_resume_and_refuse(fifteen):
    length, board = fifteen[2]
    proof, shards = pintu.split(board, 3)
    whole = [pintu.search_shard(shard, proof.bound) for shard in shards]
    pieces = []
    for shard in shards:
        piece = pintu.search_shard(shard, proof.bound, node_limit=500)
        while piece.rest is not None:
            assert piece.stopped == "nodes"
            rest = pintu.Shard.from_bytes(piece.rest.to_bytes())
            piece = pintu.search_shard(rest, proof.bound, node_limit=5000)
        pieces.append(piece)
    assert pieces == whole
    damaged = bytearray(shards[0].to_bytes())
    damaged[40] ^= 1
    with pytest.raises(pintu.ShardError):
        pintu.Shard.from_bytes(bytes(damaged))
    with pytest.raises(pintu.ShardError):
        proof.merge(whole[:2])
    with pytest.raises(pintu.ShardError):
        proof.merge(whole + whole[:1])
    other, _ = pintu.split(fifteen[0][1], 3)
    with pytest.raises(pintu.ShardError):
        other.merge(whole)
    proof.merge(whole)
    with pytest.raises(pintu.ShardError):
        proof.merge(whole)
    with pytest.raises(ValueError):
        pintu.Proof(board, "UDUD")
    with pytest.raises(ValueError):
        pintu.Proof(pintu.Board("1 2 3 4 5 6 8 7 0"))
    for bound in [-1, 1 << 16]:
        with pytest.raises(ValueError):
            pintu.search_shard(shards[0], bound)
    kept = pintu.Proof.from_bytes(proof.to_bytes())
    for kept in [kept, pickle.loads(pickle.dumps(proof))]:
        assert (kept.bound, kept.expanded, kept.moves) == (proof.bound, proof.expanded, proof.moves)
    assert "subtrees" in repr(shards[0]) and "bound" in repr(whole[0])


def test_a_proof_takes_a_goal_and_tells_progress(fifteen):
    length, board = fifteen[2]
    told = []
    answer = pintu.prove(board.tiles, "blank-first", first_nodes=0, progress=lambda proof: told.append(proof.bound))
    assert answer.length == length and told
    assert pintu.prove(board, first_nodes=0, progress=True).length == length


def test_a_time_limit_keeps_the_bound():
    board = pintu.generate(5, seed=1)[0]
    answer = pintu.prove(board, shards=2, first_nodes=200_000, time_limit=0.5)
    assert answer.status == "solved" and not answer.optimal and answer.lower_bound > 0


def test_a_solution_of_the_first_search_has_its_algorithm():
    board = pintu.generate(5, seed=1)[0]
    first = pintu.solve(board, node_limit=200_000)
    # The time is over in the first long round.
    answer = pintu.prove(board, first_nodes=200_000, search_round=lambda *_: None)
    assert first.algorithm == "beam" and (answer.moves, answer.optimal) == (first.moves, False)
    assert (answer.algorithm, answer.heuristic) == (first.algorithm, first.heuristic)
    assert answer.expanded > first.expanded and answer.peak_states > first.peak_states and answer.memory >= first.memory


def test_a_time_limit_bounds_the_building_of_tables(tmp_path):
    board = pintu.generate(5, seed=1)[0]
    began = time.monotonic()
    for first_nodes, status in [(0, "limit"), (200_000, "solved")]:
        answer = pintu.prove(board, extent="large", tables=tmp_path, first_nodes=first_nodes, time_limit=0.2)
        assert (answer.status, answer.optimal) == (status, False)
    with pytest.raises(TimeoutError):
        pintu.Proof(board, extent="large", tables=str(tmp_path), time_limit=0.1)
    assert time.monotonic() - began < 30, "to build these tables takes a minute"


PROVE = """
import os, sys, pintu
answer = pintu.prove(pintu.Board(sys.argv[1], goal="blank-first"), shards=5, first_nodes=50_000, resume=sys.argv[2],
                     progress=lambda proof: print(proof.bound, flush=True))
"""


def told(answer):
    return answer.moves, answer.optimal, answer.expanded, answer.generated


def test_a_proof_goes_on_from_its_file(fifteen, tmp_path):
    _, board = fifteen[2]
    ask = {"shards": 5, "first_nodes": 50_000}
    whole = pintu.prove(board, **ask)
    path = tmp_path / "proof"
    # A process that is killed after a round.
    tiles = " ".join(map(str, board.tiles))
    child = subprocess.Popen([sys.executable, "-c", PROVE, tiles, path], stdout=subprocess.PIPE)
    child.stdout.readline()
    child.kill()
    child.wait()
    child.stdout.close()
    kept = path.read_bytes()
    assert kept.count(b'{"proof"') >= 2
    rounds = []
    assert told(pintu.prove(board, resume=path, **ask, progress=rounds.append)) == told(whole)
    assert told(pintu.prove(board, resume=path, **ask, progress=rounds.append)) == told(whole)
    # Wherever the file ends, and with any number of shards beside its own.
    for cut in [1, 60, len(kept) // 3, len(kept) // 2, len(kept) - 1]:
        path.write_bytes(kept[:cut])
        assert told(pintu.prove(board, resume=path, **{**ask, "shards": 5 if cut < 1000 else 2})) == told(whole)
    for wrong, said in [
        (kept[:500] + bytes([kept[500] ^ 1]) + kept[501:], "line 2: found a damaged line"),
        (b"8 6 7\n", "found no proof"),
        (b"8 6 7", "found no proof"),
    ]:
        path.write_bytes(wrong)
        with pytest.raises(ValueError, match=said):
            pintu.prove(board, resume=path, **ask)
        assert path.read_bytes() == wrong
    path.write_bytes(kept)
    with pytest.raises(ValueError, match="found a proof with board"):
        pintu.prove(fifteen[0][1], resume=path, **ask)
    with pytest.raises(ValueError, match="found a proof with first_nodes 50000, expected 1"):
        pintu.prove(board, resume=path, shards=5, first_nodes=1)

    def again(_):
        with pytest.raises(ValueError, match="another process"):
            pintu.prove(board, resume=path, **ask)
        raise KeyError

    path.unlink()
    with pytest.raises(KeyError):
        pintu.prove(board, resume=path, **ask, progress=again)


def test_results_of_a_round_that_was_kept_are_not_those_of_the_next(tmp_path):
    board = pintu.Board("15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4", goal="blank-first")
    ask = dict(shards=4, first_nodes=0)

    def one(parts, bound, keep):
        keep(pintu.search_shard(parts[0], bound))

    pintu.prove(board, resume=tmp_path / "proof", **ask, search_round=one)
    answer, whole = pintu.prove(board, resume=tmp_path / "proof", **ask), pintu.prove(board, **ask)
    assert answer.optimal and (answer.length, answer.expanded) == (whole.length, whole.expanded)


def test_time_limits_and_interrupts_of_a_proof_are_kept(fifteen, tmp_path):
    _, board = fifteen[2]
    # Searched to its end, so that its counts depend on nothing.
    known = pintu.solve(board).moves
    whole = pintu.prove(board, shards=2, known=known)
    path, runs = tmp_path / "proof", 0
    answer = pintu.prove(board, shards=2, known=known, resume=path, time_limit=0.02)
    while not answer.optimal:
        runs += 1
        answer = pintu.prove(board, shards=2, known=known, resume=path, time_limit=0.02 + 0.01 * runs)
    assert told(answer) == told(whole)
    board = pintu.generate(5, seed=1)[0]
    timer = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(pintu.Interrupted) as stopped:
        pintu.prove(board, shards=2, first_nodes=200_000)
    assert stopped.value.answer.status == "solved" and board.is_solved_by(stopped.value.answer.moves)
