"""What the tests share. Tables go into a folder of the run, so that no test depends on what the user has."""

import os
import pathlib
import tempfile

_folder = tempfile.TemporaryDirectory(prefix="pintu-tables-")
os.environ["PINTU_TABLES"] = _folder.name

import pytest  # noqa: E402

import pintu  # noqa: E402

#: Korf's 15-puzzles, with the lengths of their shortest solutions.
FIFTEEN = [
    (57, "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"),
    (55, "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6"),
    (65, "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4"),
]


def skip(reason):
    """Skips aloud: the test command repeats it at its end."""
    note = os.environ.get("PINTU_SKIPPED")
    if note:
        with open(note, "a") as file:
            file.write(reason + "\n")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def command():
    """The command line, built beside the package."""
    built = pathlib.Path(__file__).parents[3] / "target" / "debug" / "pintu"
    built = pathlib.Path(os.environ.get("PINTU", built))
    if not built.exists():
        skip(f"{built} is not built: no tests of the Python package beside the command line")
    return built


@pytest.fixture(scope="session")
def fifteen():
    """Boards of the 15-puzzle with their optimal lengths."""
    return [(length, pintu.Board(tiles, goal="blank-first")) for length, tiles in FIFTEEN]
