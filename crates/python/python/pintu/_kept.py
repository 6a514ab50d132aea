"""A proof that goes on from a file.

A line is a checksum and a JSON object: what is asked, then the first search's answer, the proof after each of its rounds, and the
results of the shards since then. Each is written at once, so that a process that is killed leaves at most one torn line, the last.
"""

from __future__ import annotations

import base64
import json
import os
import zlib
from typing import Any, Optional

from ._pintu import Proof, Shard, ShardRound

_VERSION = 1


class Kept:
    """What a file keeps of a proof; nothing without a file."""

    def __init__(self, path: Optional[str], asked: dict[str, Any], tables: Optional[str]) -> None:
        #: The fields of the first search's answer.
        self.first: Optional[dict[str, Any]] = None
        self.proof: Optional[Proof] = None
        #: The shards of each round; a proof that is picked up goes on with as many.
        self.shards: int = asked["shards"]
        self._rounds: dict[tuple[str, int], ShardRound] = {}
        self._path, self._file = path, None
        if path is not None:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
            try:
                _lock(self._file, path)
                self._read(asked, tables)
            except BaseException:
                os.close(self._file)
                raise

    def __enter__(self) -> "Kept":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._file is not None:
            os.close(self._file)

    def _read(self, asked: dict[str, Any], tables: Optional[str]) -> None:
        assert self._file is not None
        with os.fdopen(os.dup(self._file), "rb") as file:
            data = file.read()
        lines = data.split(b"\n")[:-1]
        # What follows the last line's end was torn.
        whole = sum(len(line) + 1 for line in lines)
        records = [self._record(number, line) for number, line in enumerate(lines, 1)]
        head = {"pintu_proof": _VERSION, **asked}
        torn = data[whole:]
        if not records:
            if not _line(head).startswith(torn):
                raise ValueError(f"{self._path}: found no proof kept by resume, expected one")
            whole = 0
        else:
            _compare(self._path, records[0], head)
            self.shards = records[0]["shards"]
        for number, record in enumerate(records[1:], 2):
            try:
                self._take(record, tables)
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{self._path}: line {number}: found something else, expected what a proof keeps ({error})")
        os.ftruncate(self._file, whole)
        os.lseek(self._file, whole, os.SEEK_SET)
        if not records:
            self._write(head)

    def _record(self, number: int, line: bytes) -> dict[str, Any]:
        record = None
        if line[:8] == _checksum(line[9:]):
            record = json.loads(line[9:])
        if not isinstance(record, dict):
            what = "no proof kept by resume, expected one" if number == 1 else "a damaged line"
            raise ValueError(f"{self._path}: line {number}: found {what}")
        return record

    def _take(self, record: dict[str, Any], tables: Optional[str]) -> None:
        if "first" in record:
            self.first = record["first"]
        elif "proof" in record:
            self.proof = Proof.from_bytes(base64.b64decode(record["proof"]), tables=tables)
            self._rounds = {}
        else:
            state = record["round"]
            if state[-1] is not None:
                state[-1] = (state[-1][0], base64.b64decode(state[-1][1]))
            self._remember(ShardRound._of(*state))

    def _remember(self, result: ShardRound) -> None:
        self._rounds[(result.split, result.number)] = result

    def keep_first(self, fields: dict[str, Any]) -> None:
        """Keeps the answer of the first search."""
        self._write({"first": fields})

    def keep_proof(self, proof: Proof) -> None:
        """Keeps a proof between two rounds. The next round may be split as the last was: its results are others."""
        self._rounds = {}
        self._write({"proof": base64.b64encode(proof.to_bytes()).decode()})

    def keep_round(self, result: ShardRound) -> None:
        """Keeps the result of a shard, or what was done of it."""
        if self._file is None:
            return
        *counts, rest = result.__getstate__()
        if rest is not None:
            rest = (rest[0], base64.b64encode(rest[1]).decode())
        self._write({"round": [*counts, rest]})

    def left_of(self, parts: list[Shard]) -> tuple[list[ShardRound], list[Shard]]:
        """The results that are known of a split, and what is left to be searched of its shards."""
        done, left = [], []
        for part in parts:
            known = self._rounds.get((part.split, part.number))
            if known is None:
                left.append(part)
            elif known.rest is not None:
                left.append(known.rest)
            else:
                done.append(known)
        first = min((one.number for one in done if one.moves is not None), default=len(parts))
        return done, [part for part in left if part.number < first]

    def _write(self, record: dict[str, Any]) -> None:
        if self._file is None:
            return
        left = memoryview(_line(record))
        while left:
            left = left[os.write(self._file, left) :]
        os.fsync(self._file)


def _line(record: dict[str, Any]) -> bytes:
    text = json.dumps(record).encode()
    return _checksum(text) + b" " + text + b"\n"


def _checksum(text: bytes) -> bytes:
    return b"%08x" % zlib.crc32(text)


def _compare(path: Optional[str], found: dict[str, Any], expected: dict[str, Any]) -> None:
    """Refuses the proof of something else. The number of shards is the file's."""
    for name, value in expected.items():
        if name != "shards" and found.get(name) != value:
            raise ValueError(f"{path}: found a proof with {name} {found.get(name)}, expected {value}")


def _lock(file: int, path: str) -> None:
    """One process at a time, where the system has locks."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ValueError(f"{path}: found a proof that another process goes on with") from None
    except OSError:
        # A file system without locks.
        return
