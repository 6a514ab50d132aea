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

import pytest

import pintu
from pintu import _show, search


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


@pytest.mark.parametrize("kind", ["tiles", "cells", "graph"])
def test_animations_have_a_step_for_each_expansion(kind):
    if kind == "tiles":
        answer = pintu.solve("1 2 3 4 5 6 0 7 8", algorithm="bfs", trace=True)
    elif kind == "cells":
        answer = pintu.Map("S.#.\n..#G\n....").path(algorithm="dijkstra", trace=True)
    else:
        answer = search.bfs(lambda n: [(n + 1, 1), (n * 2, 1)], 1, 12, trace=True)
    shown = answer._repr_html_()
    page = html.unescape(re.search('srcdoc="(.*)"></iframe>', shown, re.S).group(1))
    data = json.loads(re.search(r"const d=(\{.*?\}),\$=", page, re.S).group(1).replace("<\\/", "</"))
    assert data["kind"] == kind and len(data["steps"]) == answer.expanded


@pytest.mark.parametrize("module", ["", "._answers", "._solving", "._proving", ".map", ".search"])
def test_examples_in_the_documentation(module):
    result = doctest.testmod(importlib.import_module("pintu" + module))
    assert result.failed == 0


def test_types_are_right_and_the_stubs_agree_with_the_module(tmp_path):
    root = pathlib.Path(__file__).parents[3]
    config, cache = root / "pyproject.toml", {**os.environ, "MYPY_CACHE_DIR": str(tmp_path)}
    # The types of the sources, and the stubs beside the module that is installed.
    for folder, module, *options in [
        [root / "crates/python/python", "mypy", "-p", "pintu", "--config-file", config],
        [tmp_path, "mypy.stubtest", "pintu._pintu", "--mypy-config-file", config],
    ]:
        command = [sys.executable, "-m", module, *options]
        ran = subprocess.run(command, cwd=folder, env=cache, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr
