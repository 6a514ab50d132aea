"""Ray on several raylets of this machine, one of them killed in the middle."""

import os

import pytest

import pintu
from conftest import skip

ray = pytest.importorskip("ray", reason="Ray is not installed: no tests of pintu.cluster")


def start():
    """Starts the nodes; none is left if one does not start."""
    from ray.cluster_utils import Cluster

    small = {"object_store_memory": 80 << 20, "include_dashboard": False}
    started = Cluster()
    try:
        started.add_node(num_cpus=0, **small)
        return started, [started.add_node(num_cpus=1, **small) for _ in range(2)]
    except Exception:
        started.shutdown()
        raise


@pytest.fixture(scope="module")
def cluster():
    """A head without processors, which the driver needs, and two nodes of one."""
    for tries_left in [2, 1, 0]:
        try:
            started, nodes = start()
            break
        except Exception as error:
            # Ray gives a node half a minute to start, which a busy machine may not have.
            if "timed out during startup" not in str(error):
                raise
            if not tries_left:
                skip("Ray's nodes did not start within half a minute, three times: no tests of pintu.cluster")
    environment = {"env_vars": {"PINTU_TABLES": os.environ["PINTU_TABLES"]}}
    ray.init(address=started.address, runtime_env=environment, log_to_driver=False, logging_level="ERROR")
    started.wait_for_nodes()
    yield started, nodes
    ray.shutdown()
    started.shutdown()


def test_a_cluster_answers_what_one_process_answers(cluster, fifteen):
    from pintu import cluster as many

    started, nodes = cluster
    boards = [board for _, board in fifteen] + pintu.generate(4, count=9, seed=2)
    here = [(answer.moves, answer.expanded) for answer in pintu.solve_many(boards, threads=1)]
    told = []
    there = many.solve_many(boards, batch=2, progress=lambda done, of: told.append((done, of)))
    assert [(answer.moves, answer.expanded) for answer in there] == here
    assert told[-1] == (12, 12)
    # Closing the iterator cancels the rest.
    few = many.solve_many(boards, batch=1)
    assert next(few).moves == here[0][0]
    few.close()

    length, hard = fifteen[2]
    alone = pintu.prove(hard, shards=6, first_nodes=0)
    spread = many.solve(hard, shards=6, first_nodes=0)
    counts = lambda answer: (answer.moves, answer.length, answer.expanded, answer.generated)  # noqa: E731
    assert counts(spread) == counts(alone) and spread.length == length and spread.optimal
    late = many.solve(pintu.generate(5, seed=1)[0], first_nodes=100_000, timeout=1.0)
    assert late.status == "solved" and not late.optimal

    # One raylet dies while the boards are solved: Ray runs its tasks again, and no answer is lost or doubled.
    answers = many.solve_many(boards * 4, batch=2)
    found = [next(answers)]
    started.remove_node(nodes.pop(), allow_graceful=False)
    found += answers
    assert [(answer.moves, answer.expanded) for answer in found] == here * 4
    assert counts(many.solve(hard, shards=6, first_nodes=0)) == counts(alone)


def test_a_node_that_dies_within_a_round_changes_no_count(cluster, fifteen):
    from pintu import cluster as many

    started, nodes = cluster
    nodes.append(started.add_node(num_cpus=1, object_store_memory=80 << 20))
    started.wait_for_nodes()
    _, hard = fifteen[2]
    alone = pintu.prove(hard, shards=12, first_nodes=0)
    killed = []

    def kill(proof):
        if not killed:
            killed.append(proof.bound)
            started.remove_node(nodes.pop(), allow_graceful=False)

    spread = many.solve(hard, shards=12, first_nodes=0, progress=kill)
    assert killed
    assert (spread.moves, spread.expanded, spread.generated) == (alone.moves, alone.expanded, alone.generated)
