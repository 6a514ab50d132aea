"""Boards, maps and searches as SVG and HTML, for notebooks."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    import numpy as np

    from ._answers import Answer, Answers, Comparison, PathAnswer, Trace
    from ._pintu import Board
    from .map import Map

TILE = 36
INK, PAPER, HOME, AWAY = "#3b3127", "#f6efe2", "#d9e4cf", "#f0d9b8"
PATH, START = "#c0392b", "#2e7d32"
# A drawing of more cells than this on a side would be larger than a page: it shows blocks of them.
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
        return pre(answers)


def answer_html(answer: "Answer") -> str:
    """An answer with its board and, if it was recorded, the search to step through."""
    shown = f'<div style="display:flex;gap:1em;align-items:center">{board_svg(answer.board)}'
    shown += f"{pre(answer)}</div>"
    boards = [board.tiles for board in answer.boards] if answer.moves is not None else []
    return shown + (trace_html(answer.trace, boards) if answer.trace is not None else "")


def pre(answer: Any) -> str:
    """An answer's text. Converters of notebooks break words in such elements otherwise."""
    return f'<pre style="word-break:normal;white-space:pre-wrap">{html.escape(str(answer))}</pre>'


def _reduced(costs: "np.ndarray[Any, Any]") -> "tuple[np.ndarray[Any, Any], int]":
    """What blocks of N×N cells cost, and N: a block is blocked if one of its cells is, so that no wall is lost."""
    import numpy as np

    step = -(-max(costs.shape) // MOST_CELLS)
    if step <= 1:
        return costs, 1
    filled = np.pad(costs, [(0, -side % step) for side in costs.shape], mode="edge")
    blocks = filled.reshape(filled.shape[0] // step, step, filled.shape[1] // step, step)
    return np.where((blocks == 0).any(axis=(1, 3)), 0, blocks.max(axis=(1, 3))), step


def map_svg(area: "Map", path: Sequence[Sequence[int]] = ()) -> str:
    """A map as SVG, darker where it costs more, with a path, its start and its goals."""
    costs, step = _reduced(area.costs)
    rows, cols = costs.shape
    side = max(3, min(24, 480 // max(rows, cols, 1)))
    most = max(float(costs.max()), 1.0)
    width, height = cols * side, rows * side
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width if step == 1 else max(width, 320)}" '
        f'height="{height + 20 * (step > 1)}" role="img" aria-label="map of {area.rows} rows and {area.cols} columns">'
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
    ]
    for y, row in enumerate(costs):
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
    place = lambda at: (at + 0.5) * side / step  # noqa: E731
    if len(path):
        points = " ".join(f"{place(col):.1f},{place(row):.1f}" for row, col in path)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{PATH}" stroke-width="{max(1.5, side / 4)}"/>')
    starts, goals = ([path[0]], [path[-1]]) if len(path) else ([area.start] if area.start else [], area.goals)
    for name, colour, cells in [("start", START, starts), ("goal", PATH, goals)]:
        for row, col in cells:
            parts.append(
                f'<circle cx="{place(col):.1f}" cy="{place(row):.1f}" r="{max(3.5, side / 3)}" fill="{colour}" '
                f'stroke="{PAPER}"><title>{name}</title></circle>'
            )
    if step > 1:
        parts.append(f'<text y="{height + 15}" font-family="sans-serif" font-size="12" fill="gray">{_caption(step)}</text>')
    return "".join(parts) + "</svg>"


def _caption(step: int) -> str:
    return f"1 cell of the picture is {step}×{step}: blocked if one of them is"


def path_html(answer: "PathAnswer") -> str:
    """A path on its map, with what it cost to find."""
    shown = map_svg(answer.map, answer.path or ()) + pre(answer)
    cells = [row * answer.map.cols + col for row, col in answer.path or ()]
    return shown + (trace_html(answer.trace, cells, answer.map) if answer.trace is not None else "")


def trace_html(trace: "Trace", path: Sequence[Any] = (), area: "Map | None" = None) -> str:
    """A recorded search that can be stepped through and played; on a map, with what its cells cost. ``path`` has the states of
    the answer's path, which a recording that was cut off has not."""
    data = steps_of(trace)
    data["path"] = list(path) or data["path"]
    if area is not None:
        costs, _ = _reduced(area.costs)
        # A digit a cell: 0 for what is blocked, 1 for what costs 1, up to 9 for the dearest.
        shades = (costs > 0) + 8 * (costs - 1).clip(0) // max(int(costs.max()) - 1, 1)
        data["costs"] = "".join(map(str, shades.ravel().tolist()))
    page = _PAGE.replace("__DATA__", json.dumps(data).replace("</", "<\\/"))
    height = 100 + data["height"]
    return f'<iframe title="search" style="border:0;width:100%;height:{height}px" srcdoc="{html.escape(page)}"></iframe>'


def steps_of(trace: "Trace") -> dict[str, Any]:
    """What an animation needs: a step is an expansion and what was generated by it. The path that was found comes after them."""
    steps: list[list[Any]] = []
    for what, node, g, h in zip(trace.what.tolist(), trace.node.tolist(), trace.g.tolist(), trace.h.tolist()):
        if what == 0:
            if len(steps) == MOST_STEPS:
                break
            steps.append([node, g, h if h != float("inf") else None, []])
        elif what == 1 and steps:
            steps[-1][3].append(node)
    place, path = trace.place, [node for node in trace.path_nodes.tolist() if node < len(trace.states)]
    kind = place["kind"]
    seen = {step[0] for step in steps}.union(path)
    # A graph has none.
    rows: Any = place.get("rows")
    cols: Any = place.get("cols")
    step, side = 1, float(TILE)
    if kind == "tiles":
        states: dict[int, Any] = {node: trace.states[node].tolist() for node in seen}
        height = rows * side
    else:
        seen.update(*(step[3] for step in steps))
        if kind == "cells":
            states = {node: int(trace.states[node, 0]) for node in seen}
            step = -(-max(rows, cols) // MOST_CELLS)
            side = min(24.0, 480.0 / -(-max(rows, cols) // step))
            height = -(-rows // step) * side
        else:
            states = {node: repr(trace.labels[node]) for node in seen}
            height = 60
    total = int((trace.what == 0).sum())
    said = [f"of {total:,} {'recorded ' * trace.cut}expansions the first {MOST_STEPS:,} are shown"] if total > len(steps) else []
    said += ["the recording was cut off before the search ended"] if trace.cut else []
    said += [_caption(step)] if step > 1 else []
    return {
        "kind": kind, "rows": rows, "cols": cols, "step": step, "goal": place.get("goal"), "side": side, "states": states,
        "steps": steps, "total": total, "path": [states[node] for node in path], "said": "; ".join(said), "height": height,
    }  # fmt: skip


# It has a background of its own, for the notebook's may be as dark as its text. The last frames are the solution's boards, or the path.
_PAGE = """<!doctype html><meta charset="utf-8"><style>body{font:14px sans-serif;color:#3b3127;background:#f6efe2;margin:4px}
button{min-width:4em}input{width:min(40%,24em);vertical-align:middle}canvas{display:block;margin-top:6px}#said{font-size:12px}</style>
<button id="back" title="one step back">◀ back</button> <button id="play" title="play the search, or stop it">play</button>
<button id="on" title="one step on">on ▶</button> <input id="at" type="range" min="0" aria-label="step" title="where in the search">
<label title="how fast it plays">speed <select id="speed"><option value=".25">¼</option><option value=".5">½</option><option selected value="1">1</option>
<option value="2">2</option><option value="4">4</option></select></label>
<div id="says" role="status"></div><div id="said"></div><canvas id="c"></canvas><div id="text"></div><script>
const d=__DATA__,$=id=>document.getElementById(id),c=$("c"),x=c.getContext("2d");let timer=null;
const all=d.steps.length,last=all+(d.kind==="tiles"?d.path.length:+(d.path.length>0)),wide=Math.ceil(d.cols/d.step);
$("at").max=last;$("at").value=0;$("said").textContent=d.said;
if(d.kind!=="graph"){c.width=wide*d.side;c.height=Math.ceil(d.rows/d.step)*d.side}else{c.width=c.height=0}
const spot=n=>[Math.floor(n%d.cols/d.step),Math.floor(n/d.cols/d.step)];
function fill(i,j,colour){x.fillStyle=colour;x.fillRect(i*d.side,j*d.side,d.side-(d.side>5),d.side-(d.side>5))}
function square(n,colour){fill(...spot(n),colour)}
function mark(n,colour){const[i,j]=spot(n);x.fillStyle=colour;x.strokeStyle="#f6efe2";x.beginPath();
 x.arc((i+.5)*d.side,(j+.5)*d.side,Math.max(4,d.side/3),0,7);x.fill();x.stroke()}
function ground(){x.fillStyle="#f6efe2";x.fillRect(0,0,c.width,c.height);
 for(let n=0;n<(d.costs||"").length;n++){const k=+d.costs[n];if(k!==1)fill(n%wide,Math.floor(n/wide),k?`rgba(140,109,70,${.1+.08*k})`:"#3b3127")}}
function show(){const at=+$("at").value,step=d.steps[Math.min(at,all)-1],first=d.steps[0],found=at>all,path=d.path;
 $("says").textContent=found?`the ${d.kind==="tiles"?"solution":"path"} that was found, ${d.path.length-1} ${d.kind==="tiles"?"moves":"steps"}`+(d.kind==="tiles"?`: after ${at-all-1}`:""):
  at?`expansion ${at} of ${d.total}: g = ${+step[1].toFixed(3)}, h = ${step[2]===null?"∞":+step[2].toFixed(3)}`:"before the first expansion";
 if(d.kind==="cells"){ground();x.globalAlpha=.7;
  const once=new Map();
  for(let i=0;i<Math.min(at,all);i++){for(const n of d.steps[i][3]){const k=spot(d.states[n])+"";if(!once.has(k))once.set(k,[d.states[n],"#dcebf7"])}
   once.set(spot(d.states[d.steps[i][0]])+"",[d.states[d.steps[i][0]],"#9ec5e8"])}
  for(const[n,colour]of once.values())square(n,colour);
  x.globalAlpha=1;if(found){x.strokeStyle="#c0392b";x.lineWidth=Math.max(2,d.side/4);x.beginPath();
   for(const n of path)x.lineTo((n%d.cols+.5)/d.step*d.side,(Math.floor(n/d.cols)+.5)/d.step*d.side);x.stroke();x.lineWidth=1}
  if(first)mark(d.states[first[0]],"#2e7d32");if(path.length)mark(path[path.length-1],"#c0392b");
  if(step&&!found)square(d.states[step[0]],"#e67e22")}
 else if(d.kind==="tiles"&&first){const t=found?path[at-all-1]:d.states[(step||first)[0]];x.fillStyle="#3b3127";x.fillRect(0,0,c.width,c.height);
  x.font="15px sans-serif";x.textAlign="center";x.textBaseline="middle";
  t.forEach((tile,n)=>{if(!tile)return;square(n,d.goal[n]===tile?"#d9e4cf":"#f0d9b8");x.fillStyle="#3b3127";
   x.fillText(tile,(n%d.cols+.5)*d.side,(Math.floor(n/d.cols)+.5)*d.side)})}
 else $("text").textContent=found?path.join(" → "):step?"expands "+d.states[step[0]]+" → "+step[3].map(n=>d.states[n]).join(", "):""}
function go(by){$("at").value=+$("at").value+by;show()}
function stop(){clearInterval(timer);timer=null;$("play").textContent="play"}
// All of it takes 2 to 8 s at the usual speed.
function play(){const each=Math.min(8000,Math.max(2000,250*last))/last/$("speed").value;$("play").textContent="pause";
 timer=setInterval(()=>{go(Math.ceil(40/each));if(+$("at").value>=last)stop()},Math.max(40,each))}
$("back").onclick=()=>{stop();go(-1)};$("on").onclick=()=>{stop();go(1)};$("at").oninput=()=>{stop();show()};
$("speed").onchange=()=>{if(timer){stop();play()}};
$("play").onclick=()=>{if(timer){stop();return}if(+$("at").value>=last)$("at").value=0;show();play()};show()</script>"""
