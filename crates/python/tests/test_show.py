"""Drawings are well-formed, and numbers in them are those of the answers."""

import doctest
import html
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import pintu
from pintu import _show, search


SVG = "{http://www.w3.org/2000/svg}"


def test_drawings_are_well_formed():
    board = pintu.Board("8 6 7 2 5 4 3 0 1")
    drawn = ET.fromstring(board._repr_html_())
    assert sorted(int(text.text) for text in drawn.iter("{http://www.w3.org/2000/svg}text")) == list(range(1, 9))
    area = pintu.Map("S.#.\n..#G\n9...")
    drawn = ET.fromstring(_show.map_svg(area, area.path().path))
    assert len(drawn.find("{http://www.w3.org/2000/svg}polyline").get("points").split()) == len(area.path().path)
    wide = pintu.Map("\n".join(["." * 500] * 400))
    ET.fromstring(wide._repr_html_())
    assert "<table" in pintu.compare(board, ["astar"])._repr_html_()
    assert "<table" in pintu.solve_many([board])._repr_html_()


def test_a_reduced_drawing_keeps_walls_and_says_what_it_is():
    costs = np.ones((400, 400), dtype=int)
    costs[200, 1:] = 0
    area = pintu.Map.from_array(costs)
    answer = area.path((0, 399), (399, 399), algorithm="astar", trace=1000)
    for shown in [_show.map_svg(area), answer._repr_html_()]:
        assert "1 cell of the picture is 3×3" in shown
    wall = [one for one in ET.fromstring(_show.map_svg(area)).iter(SVG + "rect") if one.get("fill") == _show.INK]
    assert [(one.get("y"), one.get("width")) for one in wall] == [("198", "402")]
    data = data_of(answer)
    assert data["costs"][66 * 134 : 67 * 134] == "0" * 134 and data["costs"].count("1") == 133 * 134
    # The path is the answer's, for the recording was cut off before it.
    assert answer.trace.cut and data["path"] == [row * 400 + col for row, col in answer.path] and "cut off" in data["said"]
    ends = pintu.Map("S.#.\n..#G")._repr_html_()
    assert [title.text for title in ET.fromstring(ends).iter(SVG + "title")] == ["start", "goal"]


def test_an_animation_that_is_cut_ends_with_the_solution():
    data = data_of(pintu.solve("8 6 7 2 5 4 3 0 1", algorithm="astar", heuristic="manhattan", trace=True))
    assert (len(data["steps"]), data["total"], len(data["path"])) == (3000, 6729, 32)
    assert data["path"][-1] == data["goal"] and "of 6,729 expansions the first 3,000 are shown" in data["said"]


def data_of(answer):
    """What the animation of an answer is made of."""
    page = html.unescape(re.search('srcdoc="(.*)"></iframe>', answer._repr_html_(), re.S).group(1))
    return json.loads(re.search(r"const d=(\{.*?\}),\$=", page, re.S).group(1).replace("<\\/", "</"))


@pytest.mark.parametrize("kind", ["tiles", "cells", "graph"])
def test_animations_have_a_step_for_each_expansion(kind):
    if kind == "tiles":
        answer = pintu.solve("1 2 3 4 5 6 0 7 8", algorithm="bfs", trace=True)
    elif kind == "cells":
        answer = pintu.Map("S.#.\n..#G\n....").path(algorithm="dijkstra", trace=True)
    else:
        answer = search.bfs(lambda n: [(n + 1, 1), (n * 2, 1)], 1, 12, trace=True)
    data = data_of(answer)
    assert data["path"] and data["kind"] == kind and len(data["steps"]) == answer.expanded


def test_an_animation_has_the_states_that_it_shows():
    """A hostile name ends no script, and states that no step shows are left out."""

    class Named(int):
        def __repr__(self):
            return f"</script><script>{int(self)}"

    twice = lambda n: [(Named(n * 2), 1), (Named(n * 2 + 1), 1)]  # noqa: E731
    answer = search.bfs(twice, Named(1), -1, trace=True, node_limit=20_000)
    data = _show.steps_of(answer.trace)
    assert (len(data["steps"]), data["total"], len(data["states"])) == (3000, 20_000, 6001)
    assert "</script><script>" not in html.unescape(answer._repr_html_()) and len(answer._repr_html_()) < 1_000_000


PAGE = pathlib.Path(__file__).parents[3] / "docs" / "python.md"


@pytest.fixture
def example(tmp_path):
    """The page's example, in a folder that has the files it reads; with fewer boards."""
    rows = ("." * 50 + "\n") * 50
    (tmp_path / "arena.map").write_text(f"type octile\nheight 50\nwidth 50\nmap\n{rows}")
    (tmp_path / "arena.map.scen").write_text("version 1\n0\tarena.map\t50\t50\t1\t1\t5\t4\t5.24264069\n")
    [block] = re.findall("```python\n(.*?)```", PAGE.read_text(), re.S)
    path = tmp_path / "example.py"
    path.write_text(block.replace("count=1000", "count=20"))
    return path


def test_the_example_of_the_page_runs(example, monkeypatch, capsys):
    monkeypatch.chdir(example.parent)
    exec(example.read_text(), {})
    assert "solved in 31 moves (optimal)" in capsys.readouterr().out


@pytest.mark.parametrize("module", ["", "._answers", "._solving", "._proving", ".map", ".search"])
def test_examples_in_the_documentation(module):
    result = doctest.testmod(importlib.import_module("pintu" + module))
    assert result.failed == 0


def test_types_are_right_and_the_stubs_agree_with_the_module(tmp_path, example):
    root = pathlib.Path(__file__).parents[3]
    config, cache = root / "pyproject.toml", {**os.environ, "MYPY_CACHE_DIR": str(tmp_path)}
    # The types of the sources, of who uses them, and the stubs beside the module that is installed.
    for folder, module, *options in [
        [root / "crates/python/python", "mypy", "-p", "pintu", "--config-file", config],
        [tmp_path, "mypy", "--strict", "--config-file", "", example],
        [tmp_path, "mypy.stubtest", "pintu._pintu", "--mypy-config-file", config],
    ]:
        command = [sys.executable, "-m", module, *options]
        ran = subprocess.run(command, cwd=folder, env=cache, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr
