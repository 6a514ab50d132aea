"""Makes a network's weights from nothing: rounds of beams on a GPU, and of learning from them there with PyTorch.

    cargo build --release -p pintu-gpu --features training --example gather
    python3 crates/gpu/training/train.py 7 crates/solver/weights/7.bin

The network is what `crates/solver/src/guide/network.rs` reads: which tile lies where -> 256 -> 32 -> what the tables' score
misses. The first round's beams go by the tables alone, each later round's by the network of the round before.
"""

import argparse
import math
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import torch

FIRST, SECOND = 256, 32
ROW_UNIT, DEEP_UNIT, LAST_UNIT = 256.0, 512.0, 256.0
MOST_HIDDEN = 8191 / ROW_UNIT
MOST_WEIGHT = 1000.0
# What one of the network's output is in moves.
OUTPUT_MOVES = 10.0
BATCH = 8192


class Network(torch.nn.Module):
    def __init__(self, cells, share):
        super().__init__()
        self.cells = cells
        self.rows = torch.nn.Parameter(0.15 * torch.randn(cells * cells, FIRST))
        self.bias = torch.nn.Parameter(torch.zeros(FIRST))
        self.deep = torch.nn.Parameter(math.sqrt(2 / FIRST) * torch.randn(FIRST, SECOND))
        self.deep_bias = torch.nn.Parameter(torch.zeros(SECOND))
        self.last = torch.nn.Parameter(0.1 * torch.randn(SECOND))
        self.last_bias = torch.nn.Parameter(torch.zeros(1))
        self.share = share

    def forward(self, boards):
        # The blank, which is tile 0, has no weights.
        tiles = boards.long()
        inputs = torch.zeros(len(boards), self.cells * self.cells, device=boards.device)
        inputs.scatter_(1, tiles * self.cells + torch.arange(self.cells, device=boards.device), (tiles > 0).float())
        hidden = (inputs @ self.rows + self.bias).clamp(0, MOST_HIDDEN)
        second = (hidden @ self.deep + self.deep_bias).clamp(min=0)
        return second @ self.last + self.last_bias

    def clip(self):
        """Keeps the weights within what whole numbers hold."""
        with torch.no_grad():
            self.deep.clamp_(-MOST_WEIGHT / DEEP_UNIT, MOST_WEIGHT / DEEP_UNIT)
            self.last.clamp_(-MOST_WEIGHT / LAST_UNIT, MOST_WEIGHT / LAST_UNIT)

    def write(self, file):
        def whole(values, unit, most):
            return (values.detach().cpu() * unit).round().clamp(-most, most).to(torch.int16).flatten()

        rows = self.rows.detach().clone()
        rows[: self.cells] = 0
        parts = [
            whole(rows, ROW_UNIT, 8191),
            whole(self.bias, ROW_UNIT, 8191),
            whole(self.deep.T, DEEP_UNIT, MOST_WEIGHT),
            whole(self.deep_bias, ROW_UNIT, 32767),
            whole(self.last, LAST_UNIT, MOST_WEIGHT),
            whole(self.last_bias, ROW_UNIT, 32767),
            whole(torch.tensor([self.share]), 256.0, 32767),
        ]
        torch.cat(parts).numpy().astype("<i2").tofile(file)

    @staticmethod
    def read(cells, file):
        """A network from its file; one with a narrower first layer gets more values, which say nothing at first."""
        numbers = torch.from_numpy(np.fromfile(file, "<i2").astype(np.float32))
        first = (len(numbers) - 2 * SECOND - 2) // (cells * cells + 1 + SECOND)
        sizes = [cells * cells * first, first, first * SECOND, SECOND, SECOND, 1, 1]
        rows, bias, deep, deep_bias, last, last_bias, share = torch.split(numbers, sizes)
        network = Network(cells, float(share) / 256.0)
        with torch.no_grad():
            network.rows[:, :first] = rows.view(-1, first) / ROW_UNIT
            network.bias[:first] = bias / ROW_UNIT
            network.deep.zero_()
            network.deep[:first] = deep.view(SECOND, first).T / DEEP_UNIT
            network.deep_bias.copy_(deep_bias / ROW_UNIT)
            network.last.copy_(last / LAST_UNIT)
            network.last_bias.copy_(last_bias / ROW_UNIT)
        return network


def mean(weights, counts):
    """Writes the mean of the weights that were written after these numbers of rounds."""
    each = [np.fromfile(f"{weights}.{count - 1}", "<i2").astype(np.float64) for count in counts]
    np.mean(each, axis=0).round().astype("<i2").tofile(weights)


def load(file, cells):
    kind = np.dtype([("board", "u1", cells), ("tables", "<i4"), ("worth", "<i4"), ("is_bound", "u1")])
    records = np.fromfile(file, kind)

    def column(name):
        return torch.from_numpy(np.ascontiguousarray(records[name])).cuda()

    return column("board"), column("tables") / 64.0, column("worth") / 64.0, column("is_bound").bool()


def learn(network, records, side, epochs, rate, say):
    boards, tables, worth, is_bound = records
    missing = (worth - network.share * tables) / OUTPUT_MOVES
    # A board and its reflection, in which cells and tiles change places alike and the blank keeps its corner.
    reflected = torch.arange(side * side).view(side, side).T.flatten().cuda()
    # Whole beams are held back, as far as records of one lie together.
    held = len(boards) // 25

    def test():
        with torch.no_grad():
            pick = torch.arange(0, held, max(1, held // 100_000), device="cuda")
            error = OUTPUT_MOVES * (network(boards[pick]) - missing[pick])
            exact = ~is_bound[pick]
            root = error[exact].pow(2).mean().sqrt().item()
            plain = (OUTPUT_MOVES * missing[pick][exact]).pow(2).mean().sqrt().item()
            below = (error[~exact] < 0).float().mean().item()
            return f"error {root:.3f} (tables {plain:.3f}), below the bound {below:.3f}"

    optimiser = torch.optim.Adam(network.parameters(), lr=rate, fused=True)
    steps = int(epochs * (len(boards) - held) / BATCH)
    say(f"{len(boards)} records, {is_bound.float().mean().item():.2f} bounds, share {network.share:.3f}; {test()}")
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = rate * (0.49 * (1 + math.cos(math.pi * step / steps)) + 0.02)
        pick = held + torch.randint(len(boards) - held, (BATCH,), device="cuda")
        batch = boards[pick]
        if step % 2:
            batch = reflected[batch.long()[:, reflected]]
        error = network(batch) - missing[pick]
        # What is worth no less may be judged higher.
        error = torch.where(is_bound[pick], error.clamp(max=0), error)
        optimiser.zero_grad(set_to_none=True)
        error.pow(2).mean().backward()
        optimiser.step()
        network.clip()
    say(f"{steps} steps of {BATCH}; {test()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("side", type=int)
    parser.add_argument("weights")
    parser.add_argument("--from", dest="known", help="weights to go on with")
    parser.add_argument("--gather", default="target/release/examples/gather")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--width", type=int, default=1 << 16)
    parser.add_argument("--levels", type=int, default=30)
    parser.add_argument("--each", type=int, default=150)
    parser.add_argument("--threads", type=int, default=12)
    parser.add_argument("--gather-seconds", type=float, default=20)
    parser.add_argument("--epochs", type=float, default=1)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--keep", type=int, default=8, help="the rounds whose beams are learnt from")
    parser.add_argument("--mean", type=int, nargs="+", metavar="ROUNDS",
                        help="write the mean of the weights after these numbers of rounds, not the last ones")
    parser.add_argument("--seed", type=int, default=1)
    plan = parser.parse_args()
    if plan.mean and not all(1 <= count <= plan.rounds for count in plan.mean):
        parser.error(f"found --mean {plan.mean}, expected numbers from 1 to {plan.rounds}")
    torch.manual_seed(plan.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    cells = plan.side * plan.side
    begun = time.time()
    network = Network.read(cells, plan.known).cuda() if plan.known else None
    weights = f"{plan.weights}.from" if network else "-"
    if network:
        network.write(weights)
    options = [f"seconds={plan.gather_seconds}", f"threads={plan.threads}"]
    options += [f"width={plan.width}", f"levels={plan.levels}", f"each={plan.each}"]
    command = [plan.gather, str(plan.side), *options]
    gatherer = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}" for number in range(plan.rounds)]
        gathered = []

        def gather(number):
            gatherer.stdin.write(f"{weights} {files[number]} {1000 * plan.seed + number}\n")

        gather(0)
        for number in range(plan.rounds):

            def say(text):
                print(f"{time.time() - begun:5.0f} s  round {number}: {text}", flush=True)

            say(gatherer.stdout.readline().strip())
            # The next round's beams go on while this round's are learnt from.
            if number + 1 < plan.rounds:
                gather(number + 1)
            gathered = [*gathered, load(files[number], cells)][-plan.keep :]
            files[number].unlink()
            # The newest come first: what is held back of them was never learnt from.
            records = [torch.cat(column) for column in zip(*reversed(gathered))]
            if network is None:
                _, tables, worth, is_bound = records
                exact = ~is_bound
                share = float((tables[exact] * worth[exact]).sum() / (tables[exact] ** 2).sum())
                network = Network(cells, share).cuda()
            learn(network, records, plan.side, plan.epochs, plan.rate, say)
            weights = f"{plan.weights}.{number}"
            network.write(weights)
            network.write(plan.weights)
    gatherer.stdin.close()
    if plan.mean:
        mean(plan.weights, plan.mean)


if __name__ == "__main__":
    main()
