import pickle

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
    assert "subtrees" in repr(shards[0]) and "bound" in repr(whole[0])


def test_a_time_limit_keeps_the_bound():
    board = pintu.generate(5, seed=1)[0]
    answer = pintu.prove(board, shards=2, first_nodes=200_000, time_limit=0.5)
    assert answer.status == "solved" and not answer.optimal and answer.lower_bound > 0
