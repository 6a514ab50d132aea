"""Boards, maps and searches as SVG and HTML, for notebooks."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    from ._answers import Answer, Answers, Comparison, PathAnswer, Trace
    from ._pintu import Board
    from .map import Map

TILE = 36
INK, PAPER, HOME, AWAY = "#3b3127", "#f6efe2", "#d9e4cf", "#f0d9b8"
PATH, EXPANDED, OPEN, NOW = "#c0392b", "#9ec5e8", "#dcebf7", "#e67e22"
# A drawing of more cells than this on a side would be larger than a page: it shows every second, third, … cell.
MOST_CELLS = 160
# An animation of more steps would take megabytes in a notebook.
MOST_STEPS = 3000


def tiles_svg(tiles: Sequence[int], goal: Sequence[int], cols: int) -> str:
    """A board as SVG; tiles that are home have another colour."""
    rows = len(tiles) // cols
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{cols * TILE}" height="{rows * TILE}" style="flex:none" role="img" '
        f'aria-label="board {" ".join(map(str, tiles))}"><rect width="100%" height="100%" fill="{INK}"/>'
    ]
    for cell, tile in enumerate(tiles):
        if tile:
            x, y = cell % cols * TILE, cell // cols * TILE
            fill = HOME if goal[cell] == tile else AWAY
            parts.append(
                f'<rect x="{x + 1}" y="{y + 1}" width="{TILE - 2}" height="{TILE - 2}" rx="4" fill="{fill}"/>'
                f'<text x="{x + TILE / 2}" y="{y + TILE / 2}" fill="{INK}" font-family="sans-serif" font-size="15" '
                f'text-anchor="middle" dominant-baseline="central">{tile}</text>'
            )
    return "".join(parts) + "</svg>"


def board_svg(board: "Board") -> str:
    """A board as SVG."""
    return tiles_svg(board.tiles, board.goal, board.cols)


def frame_html(answers: "Answers | Comparison") -> str:
    """Answers as pandas shows them, or as a text without it."""
    try:
        number = lambda value: f"{value:,.1f}" if abs(value) >= 10 else f"{value:.4g}"  # noqa: E731
        return answers.to_pandas().to_html(max_rows=60, float_format=number, show_dimensions=True)
    except ImportError:
        return f"<pre>{html.escape(str(answers))}</pre>"


def answer_html(answer: "Answer") -> str:
    """An answer with its board and, if it was recorded, the search to step through."""
    shown = f'<div style="display:flex;gap:1em;align-items:center">{board_svg(answer.board)}'
    shown += f'<pre style="white-space:pre-wrap">{html.escape(str(answer))}</pre></div>'
    return shown + (trace_html(answer.trace) if answer.trace is not None else "")


def map_svg(area: "Map", path: Sequence[Sequence[int]] = ()) -> str:
    """A map as SVG, darker where it costs more, with a path."""
    costs = area.costs
    rows, cols = costs.shape
    step = max(1, -(-max(rows, cols) // MOST_CELLS))
    side = max(3, 480 // max(rows // step, cols // step, 1)) if step == 1 else 3
    side = min(side, 24)
    most = max(float(costs.max()), 1.0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{-(-cols // step) * side}" height="{-(-rows // step) * side}" '
        f'role="img" aria-label="map of {rows} rows and {cols} columns"><rect width="100%" height="100%" '
        f'fill="{PAPER}"/>'
    ]
    for y, row in enumerate(costs[::step, ::step]):
        x = 0
        while x < len(row):
            end = x
            while end < len(row) and row[end] == row[x]:
                end += 1
            if row[x] != 1:
                fill, opacity = (INK, 1.0) if row[x] == 0 else ("#8c6d46", 0.15 + 0.6 * float(row[x]) / most)
                parts.append(
                    f'<rect x="{x * side}" y="{y * side}" width="{(end - x) * side}" height="{side}" fill="{fill}" '
                    f'fill-opacity="{opacity:.2f}"/>'
                )
            x = end
    if len(path):
        points = " ".join(f"{(col + 0.5) * side / step:.1f},{(row + 0.5) * side / step:.1f}" for row, col in path)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{PATH}" stroke-width="{max(1.5, side / 4)}"/>')
    return "".join(parts) + "</svg>"


def path_html(answer: "PathAnswer") -> str:
    """A path on its map, with what it cost to find."""
    shown = map_svg(answer.map, answer.path or ()) + f"<pre>{html.escape(str(answer))}</pre>"
    return shown + (trace_html(answer.trace, answer.map) if answer.trace is not None else "")


def trace_html(trace: "Trace", area: "Map | None" = None) -> str:
    """A recorded search that can be stepped through and played; on a map, with what is blocked there."""
    data = steps_of(trace)
    if area is not None and area.rows * area.cols <= MOST_CELLS * MOST_CELLS:
        data["blocked"] = (area.costs == 0).ravel().nonzero()[0].tolist()
    page = _PAGE.replace("__DATA__", json.dumps(data).replace("</", "<\\/"))
    height = 70 + data["height"]
    return f'<iframe title="search" style="border:0;width:100%;height:{height}px" srcdoc="{html.escape(page)}"></iframe>'


def steps_of(trace: "Trace") -> dict[str, Any]:
    """What an animation needs: a step is an expansion and what was generated by it."""
    steps: list[list[Any]] = []
    for what, node, g, h in zip(trace.what.tolist(), trace.node.tolist(), trace.g.tolist(), trace.h.tolist()):
        if what == 0:
            if len(steps) == MOST_STEPS:
                break
            steps.append([node, g, h if h != float("inf") else None, []])
        elif what == 1 and steps:
            steps[-1][3].append(node)
    place, width = trace.place, trace.width
    kind = place["kind"]
    seen = {step[0] for step in steps}
    if kind == "tiles":
        states: dict[int, Any] = {node: trace.states[node].tolist() for node in seen}
        height = place["rows"] * TILE
    else:
        seen.update(trace.path_nodes.tolist(), *(step[3] for step in steps))
        if kind == "cells":
            states = {node: int(trace.states[node, 0]) for node in seen}
            height = min(480, place["rows"] * _side(place))
        else:
            states = {node: repr(trace.labels[node]) for node in seen}
            height = 60
    return {
        "kind": kind, "rows": place.get("rows"), "cols": place.get("cols"), "goal": place.get("goal"),
        "side": _side(place) if kind == "cells" else TILE, "states": states, "steps": steps,
        "total": int((trace.what == 0).sum()),
        "path": trace.path_nodes.tolist(), "width": width, "height": height,
    }  # fmt: skip


def _side(place: dict[str, Any]) -> float:
    return max(2.0, min(24.0, 480.0 / max(place["rows"], place["cols"])))


# It has a background of its own, for the notebook's may be as dark as its text.
_PAGE = """<!doctype html><meta charset="utf-8"><style>body{font:14px sans-serif;color:#3b3127;background:#f6efe2;margin:4px}
button{min-width:2.5em}input{width:min(60%,30em);vertical-align:middle}canvas{display:block;margin-top:6px}</style>
<button id="back" aria-label="step back">◀</button><button id="play" aria-label="play">▶▶</button>
<button id="on" aria-label="step on">▶</button> <input id="at" type="range" min="0" aria-label="step">
<span id="says" role="status"></span><canvas id="c"></canvas><div id="text"></div><script>
const d=__DATA__,$=id=>document.getElementById(id),c=$("c"),x=c.getContext("2d");let timer=null;
$("at").max=d.steps.length;$("at").value=0;
if(d.kind!=="graph"){c.width=d.cols*d.side;c.height=d.rows*d.side}else{c.width=c.height=0}
function square(n,colour){x.fillStyle=colour;x.fillRect(n%d.cols*d.side,Math.floor(n/d.cols)*d.side,d.side-(d.side>5),d.side-(d.side>5))}
function show(){const at=+$("at").value,step=d.steps[at-1],first=d.steps[0];
 $("says").textContent=at?`expansion ${at} of ${d.total}${at===d.steps.length&&at<d.total?" (shown no further)":""}: g = ${+step[1].toFixed(3)}, h = ${step[2]===null?"∞":+step[2].toFixed(3)}`:"before the first expansion";
 if(d.kind==="cells"){x.fillStyle="#f6efe2";x.fillRect(0,0,c.width,c.height);
  for(const n of d.blocked||[])square(n,"#3b3127");
  for(let i=0;i<at;i++)for(const n of d.steps[i][3])square(d.states[n],"#dcebf7");
  for(let i=0;i<at;i++)square(d.states[d.steps[i][0]],"#9ec5e8");
  if(at===d.total)for(const n of d.path)square(d.states[n],"#c0392b");
  if(step)square(d.states[step[0]],"#e67e22")}
 else if(d.kind==="tiles"&&first){const t=d.states[(step||first)[0]];x.fillStyle="#3b3127";x.fillRect(0,0,c.width,c.height);
  x.font="15px sans-serif";x.textAlign="center";x.textBaseline="middle";
  t.forEach((tile,n)=>{if(!tile)return;square(n,d.goal[n]===tile?"#d9e4cf":"#f0d9b8");x.fillStyle="#3b3127";
   x.fillText(tile,(n%d.cols+.5)*d.side,(Math.floor(n/d.cols)+.5)*d.side)})}
 else if(step)$("text").textContent="expands "+d.states[step[0]]+" → "+step[3].map(n=>d.states[n]).join(", ")}
function go(by){$("at").value=+$("at").value+by;show()}
$("back").onclick=()=>go(-1);$("on").onclick=()=>go(1);$("at").oninput=show;
$("play").onclick=()=>{if(timer){clearInterval(timer);timer=null}else timer=setInterval(()=>{go(Math.max(1,Math.floor(d.steps.length/400)));
 if(+$("at").value>=d.steps.length){clearInterval(timer);timer=null}},40)};show()</script>"""
