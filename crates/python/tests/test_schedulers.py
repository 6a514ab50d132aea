"""The lines of docs/cluster.md for Slurm, Kubernetes and GNU parallel, run as they stand there."""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import time

import pytest
import yaml

from conftest import skip

ROOT = pathlib.Path(__file__).parents[3]
SLURM = ["slurmctld", "slurmd", "sbatch"]


def where(program):
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/bin")


@pytest.fixture()
def work(command, tmp_path, monkeypatch):
    """A folder with boards, and the command on the path."""
    monkeypatch.setenv("PATH", f"{command.parent}:{os.environ['PATH']}:/usr/sbin")
    boards = subprocess.run([command, "generate", "3x3", "--count", "40", "--seed", "9"], capture_output=True, check=True)
    (tmp_path / "boards.txt").write_bytes(boards.stdout)
    return tmp_path


def lines(beginning, kind="sh"):
    """The script of the page that begins so."""
    blocks = re.findall(rf"```{kind}\n(.*?)```", (ROOT / "docs" / "cluster.md").read_text(), re.S)
    return next(block for block in blocks if block.startswith(beginning))


def check(work):
    """All boards are answered, in order, as one process answers them."""
    subprocess.run(["sh", "-c", lines("pintu merge")], cwd=work, check=True)
    whole = subprocess.run(
        ["pintu", "solve", "--batch", "boards.txt", "--format", "json"], cwd=work, capture_output=True, check=True, text=True
    )
    timeless = lambda text: re.sub(r'"seconds":[^,}]*|,"line":\d+|"line":\d+,', "", text)  # noqa: E731
    assert timeless((work / "answers.jsonl").read_text()) == timeless(whole.stdout)
    assert whole.stdout.count("\n") == 40


def test_gnu_parallel(work):
    if not where("parallel"):
        skip("GNU parallel is not installed: no test of its line in docs/cluster.md")
    script = lines("parallel")
    subprocess.run(["bash", "-c", script], cwd=work, check=True, env={**os.environ, "HOME": str(work)})
    (work / "part-3.jsonl").unlink()
    # A second run does what is missing.
    subprocess.run(["bash", "-c", script], cwd=work, check=True, env={**os.environ, "HOME": str(work)})
    check(work)


def test_the_containers_of_kubernetes(work):
    """The command of the job, with the numbers that Kubernetes would give its containers."""
    job = yaml.safe_load(lines("apiVersion: batch/v1", "yaml"))["spec"]
    pod = job["template"]["spec"]
    [container] = pod["containers"]
    assert (job["completionMode"], pod["restartPolicy"]) == ("Indexed", "Never"), "what a limit for each index needs"
    assert job["backoffLimitPerIndex"] > 0 and job["parallelism"] <= job["completions"]
    [mounted], [volume] = container["volumeMounts"], pod["volumes"]
    assert mounted["name"] == volume["name"] and mounted["mountPath"] == container["workingDir"]
    assert f"--shard $K/{job['completions']} " in container["command"][-1]
    for number in range(40):
        environment = {**os.environ, "JOB_COMPLETION_INDEX": str(number)}
        subprocess.run(container["command"], cwd=work, check=True, env=environment)
    check(work)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture()
def slurm(work):
    """Slurm with one node, all of it in the test's folder."""
    missing = [program for program in SLURM if not where(program)]
    if missing or os.geteuid() != 0:
        skip(f"Slurm is not installed, or this is not root: no test of its lines in docs/cluster.md ({missing})")
    folder = work / "slurm"
    folder.mkdir(mode=0o755)
    host = socket.gethostname().split(".")[0]
    (folder / "slurm.conf").write_text(f"""
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
ReturnToService=2
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/d.pid
SlurmdSpoolDir={folder}/spool
StateSaveLocation={folder}/state
SlurmctldLogFile={folder}/ctld.log
SlurmdLogFile={folder}/d.log
JobAcctGatherType=jobacct_gather/none
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
""")
    environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
    daemons = []
    try:
        daemons.append(subprocess.Popen([where("slurmctld"), "-D", "-f", folder / "slurm.conf"], env=environment))
        daemons.append(subprocess.Popen([where("slurmd"), "-D", "-f", folder / "slurm.conf", "-N", host], env=environment))
        idle = lambda: b"idle" in subprocess.run(["sinfo", "-h"], capture_output=True, env=environment).stdout  # noqa: E731
        wait(idle, "a node of Slurm")
        yield environment
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
        for daemon in reversed(daemons):
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()


def wait(is_there, what, seconds=90):
    until = time.monotonic() + seconds
    while not is_there():
        if time.monotonic() > until:
            skip(f"{what} does not start here: no test of Slurm's lines in docs/cluster.md")
        time.sleep(0.2)


def test_slurm(work, slurm):
    (work / "boards.sh").write_text(lines("#!/bin/sh"))
    subprocess.run(["sbatch", "--wait", "--array=1-4", "boards.sh"], cwd=work, env=slurm, check=True, timeout=300)
    assert len(list(work.glob("part-*.jsonl"))) == 4
    check(work)
